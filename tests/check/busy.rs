//! A check and a repair while people post, delete, follow, unfollow and edit lists. Operations in
//! progress are not reported as faults, and no user data is lost.

use std::collections::{BTreeMap, BTreeSet};

use rand::{RngExt, SeedableRng, rngs::SmallRng, seq::IndexedRandom};
use redwing::{
    actions::{follows, lists, statuses},
    audit::{self, Repair, Report, Scope},
    domain::{
        IdempotencyKey, ListName, ListNumber, Message, ProfileView, StatusId, Timeline, UserId,
    },
    store::{EditListOutcome, Store, Viewer},
    worker,
};
use tokio::{sync::watch, task::JoinSet};

use crate::support::{
    core::Core,
    crowd::{follow, member, people, post, try_reply},
};

const PEOPLE: usize = 8;
const STEPS: usize = 150;
/// Small, so that trimming, refilling and several passes all happen.
const SETTINGS: [&str; 4] = ["--home-size", "40", "--pass-size", "2"];

/// State that remains after all actions of a person.
struct Life {
    who: UserId,
    living: BTreeSet<StatusId>,
    following: BTreeSet<UserId>,
    lists: BTreeMap<ListNumber, KnownList>,
}

/// List as its owner knows it.
#[derive(Default)]
struct KnownList {
    exclusive: bool,
    members: BTreeSet<UserId>,
}

/// Runs the actions of one person, one after the other. Actions of others happen in between.
async fn live(store: Store, who: UserId, others: Vec<UserId>, seed: u64) -> Life {
    let mut dice = SmallRng::seed_from_u64(seed);
    let (mut living, mut following) = (BTreeSet::new(), BTreeSet::new());
    let mut lists = BTreeMap::new();
    for number in 0..STEPS {
        let other = *others.choose(&mut dice).expect("people");
        match dice.random_range(0..17) {
            0..4 => {
                let text = Message::parse(&format!("{seed} {number}")).expect("valid");
                let post = statuses::post(&store, who, &text, &IdempotencyKey::draw()).await;
                if let statuses::Post::Posted(id) = post.expect("an answer") {
                    living.insert(id);
                }
            }
            4..6 => {
                if let Some(id) = living.pop_first() {
                    statuses::delete(&store, who, id).await.expect("an answer");
                }
            }
            6..8 if other != who => {
                follows::follow(&store, who, other)
                    .await
                    .expect("an answer");
                following.insert(other);
            }
            8 if other != who => {
                follows::unfollow(&store, who, other)
                    .await
                    .expect("an answer");
                following.remove(&other);
            }
            13..16 => {
                if let Some(id) = reply_to_recent(&store, who, other, &mut dice).await {
                    living.insert(id);
                }
            }
            9..13 => change_lists(&store, who, other, &mut lists, &mut dice).await,
            _ => drop(member(&store, &format!("n{seed}_{number}")).await),
        }
    }
    Life {
        who,
        living,
        following,
        lists,
    }
}

/// Replies to one of another person's newest statuses, unless it is deleted meanwhile.
async fn reply_to_recent(
    store: &Store,
    who: UserId,
    other: UserId,
    dice: &mut SmallRng,
) -> Option<StatusId> {
    let view = ProfileView::PostsAndReplies;
    let page = store
        .profile_page(Viewer::Anonymous, other, view, None)
        .await;
    let items = page.expect("an answer").items;
    let to = items.choose(dice)?.id();
    match try_reply(store, who, to, "an answer").await {
        statuses::Post::Posted(id) => Some(id),
        _ => None,
    }
}

/// Changes the lists of a person, who has at most three.
async fn change_lists(
    store: &Store,
    who: UserId,
    other: UserId,
    held: &mut BTreeMap<ListNumber, KnownList>,
    dice: &mut SmallRng,
) {
    let name = ListName::parse("A list").expect("valid");
    if held.is_empty() || held.len() < 3 && dice.random_bool(0.1) {
        let made = lists::create(store, who, &name, &IdempotencyKey::draw()).await;
        if let lists::Create::Created(list) = made.expect("an answer") {
            held.insert(list.number, KnownList::default());
        }
        return;
    }
    let numbers: Vec<ListNumber> = held.keys().copied().collect();
    let number = *numbers.choose(dice).expect("some");
    let list = held.get_mut(&number).expect("it is held");
    match dice.random_range(0..10) {
        0..5 => {
            let added = lists::add(store, who, number, other).await;
            assert_eq!(added.expect("an answer"), lists::Add::Done);
            list.members.insert(other);
        }
        5..7 => {
            let removed = lists::remove(store, who, number, other).await;
            assert_eq!(removed.expect("an answer"), lists::Edit::Done);
            list.members.remove(&other);
        }
        7..9 => {
            list.exclusive = dice.random_bool(0.5);
            let edited = lists::edit(store, who, number, &name, list.exclusive).await;
            let edited = edited.expect("an answer");
            let is_done = matches!(edited, EditListOutcome::Done | EditListOutcome::HomeDropped);
            assert!(is_done, "{edited:?}");
        }
        _ => {
            let deleted = lists::delete(store, who, number).await;
            assert_eq!(deleted.expect("an answer"), lists::Edit::Done);
            held.remove(&number);
        }
    }
}

/// Lets people act and workers run, while `doing` is repeated.
async fn meanwhile(core: &Core, mut doing: impl AsyncFnMut(&[UserId])) -> Vec<Life> {
    let who = people(&core.store, "person", PEOPLE).await;
    let (stop, stopped) = watch::channel(false);
    let workers: JoinSet<()> = (0..2)
        .map(|_| worker::run(core.store.fork(), stopped.clone()))
        .collect();
    let mut living: JoinSet<Life> = (0..PEOPLE as u64)
        .zip(&who)
        .map(|(seed, me)| live(core.store.fork(), *me, who.clone(), seed))
        .collect();
    let mut lives = Vec::new();
    while !living.is_empty() {
        doing(&who).await;
        while let Some(ended) = living.try_join_next() {
            lives.push(ended.expect("no panic"));
        }
    }
    stop.send_replace(true);
    workers.join_all().await;
    core.drain().await;
    lives
}

async fn assert_actions_preserved(core: &Core, lives: &[Life]) {
    for life in lives {
        assert_lists_preserved(core, life).await;
        let excluded = life.lists.values().filter(|list| list.exclusive);
        let excluded: BTreeSet<UserId> = excluded.flat_map(|list| list.members.clone()).collect();
        let mut due: BTreeSet<UserId> = life.following.difference(&excluded).copied().collect();
        due.insert(life.who);
        let home = Timeline::Home(life.who);
        assert_eq!(sources(core, home).await, due, "home of {}", life.who);
        let user = core.store.user(life.who).await.expect("an answer");
        let posts = user.expect("a person").posts;
        assert_eq!(posts, life.living.len() as u64, "posts of {}", life.who);
        for id in &life.living {
            let status = core.store.life(*id).await.expect("an answer");
            let author = status.living().map(|status| status.author);
            assert_eq!(author, Some(life.who), "{id}");
        }
    }
}

async fn assert_lists_preserved(core: &Core, life: &Life) {
    let lists = core.store.lists(life.who).await.expect("an answer");
    let there: BTreeSet<ListNumber> = lists.iter().map(|list| list.id.number).collect();
    let due: BTreeSet<ListNumber> = life.lists.keys().copied().collect();
    assert_eq!(there, due, "lists of {}", life.who);
    for list in lists {
        let due = &life.lists[&list.id.number];
        assert_eq!(list.exclusive, due.exclusive, "{}", list.id);
        assert_eq!(sources(core, Timeline::List(list.id)).await, due.members);
    }
}

async fn sources(core: &Core, of: Timeline) -> BTreeSet<UserId> {
    let sources = core.store.sources(of).await.expect("an answer");
    sources.authors().into_iter().collect()
}

async fn perform(core: &Core, repair: Repair) -> Report {
    audit::perform(&core.store, Scope::Everything, repair)
        .await
        .expect("an answer")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_of_a_busy_site_finds_no_fault() {
    let core = Core::with(&SETTINGS);
    let mut checks = 0;
    let lives = meanwhile(&core, async |_| {
        let report = perform(&core, Repair::No).await;
        assert!(report.is_clean(), "{report}");
        checks += 1;
    })
    .await;
    assert!(checks > 0);
    assert_actions_preserved(&core, &lives).await;
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repair_of_a_busy_site_loses_no_user_action() {
    let core = Core::with(&SETTINGS);
    let mut dice = SmallRng::seed_from_u64(7);
    let lives = meanwhile(&core, async |who| {
        let someone = *who.choose(&mut dice).expect("people");
        let derived = [
            "followers",
            "profile",
            "posts",
            "received_replies",
            "home",
            "list_memberships",
            "excluded",
        ];
        let key = derived.choose(&mut dice).expect("some");
        core.redis
            .command(&["DEL", &format!("{key}:{{{someone}}}")]);
        perform(&core, Repair::Yes).await;
    })
    .await;
    perform(&core, Repair::Yes).await;
    core.assert_sound().await;
    assert_actions_preserved(&core, &lives).await;
}

#[tokio::test]
async fn a_difference_with_an_outbox_entry_is_waited_for_and_no_fault() {
    let core = Core::with(&["--write-deadline-ms", "1000", "--outbox-delay-ms", "1500"]);
    let who = people(&core.store, "person", 2).await;
    let fused = core.store.with_fuse(redwing::store::Fuse::of(5));
    let cut_off = follows::follow(&fused, who[0], who[1]).await;
    assert!(cut_off.is_err(), "the mirror is not written");
    let (stop, stopped) = watch::channel(false);
    let worker = tokio::spawn(worker::run(core.store.fork(), stopped));
    let report = perform(&core, Repair::No).await;
    assert!(report.is_clean() && report.waiting() == 0, "{report}");
    stop.send_replace(true);
    worker.await.expect("it ends");
}

#[tokio::test]
async fn a_difference_with_an_outbox_entry_is_under_way_without_a_worker() {
    let core = Core::with(&["--write-deadline-ms", "1000", "--outbox-delay-ms", "1500"]);
    let who = people(&core.store, "person", 2).await;
    let fused = core.store.with_fuse(redwing::store::Fuse::of(5));
    let cut_off = follows::follow(&fused, who[0], who[1]).await;
    assert!(cut_off.is_err(), "the mirror is not written");
    let report = perform(&core, Repair::No).await;
    assert!(report.is_clean() && report.waiting() > 0, "{report}");
}

#[tokio::test]
async fn deliveries_in_progress_are_no_fault() {
    let settings = [
        "--write-deadline-ms",
        "1000",
        "--outbox-delay-ms",
        "1500",
        "--pass-size",
        "1",
    ];
    let core = Core::with(&settings);
    let who = people(&core.store, "person", 3).await;
    for follower in &who[1..] {
        follow(&core.store, *follower, who[0]).await;
    }
    post(&core.store, who[0], "in passes").await;
    let report = perform(&core, Repair::Yes).await;
    assert!(report.is_clean() && report.waiting() > 0, "{report}");
    assert!(report.repairs().is_empty(), "{report}");
    core.drain().await;
    let report = perform(&core, Repair::No).await;
    assert!(report.is_clean() && report.waiting() == 0, "{report}");
}
