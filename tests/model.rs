//! Random sequences of operations against a plain in-memory model of the network, on every
//! timeline and every page of it. Homes are small here, so that trimming, refilling and the part
//! below the floor all happen.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use redwing::{
    actions::{follows, homes, lists, statuses},
    domain::{Cursor, ListId, ListName, Nonce, PAGE_SIZE, Page, StatusId, UserId},
    store::{Store, Viewer, VisibleStatus},
};

use crate::support::{
    core::Core,
    crowd::{people, post},
};

const PEOPLE: usize = 5;
/// Lists that each of them has.
const LISTS: usize = 2;

#[derive(Debug, Clone)]
enum Step {
    Post {
        by: usize,
        count: usize,
    },
    Delete {
        by: usize,
        nth: usize,
    },
    Follow {
        from: usize,
        to: usize,
    },
    Unfollow {
        from: usize,
        to: usize,
    },
    /// Changes one of the lists that everybody has.
    List {
        owner: usize,
        list: usize,
        change: Change,
    },
    /// A reader is away for so long that home and lists go dormant.
    Leave(usize),
    /// The worker does what there is to do.
    Work,
    /// Everybody reads everything, when all passes are done.
    Look,
}

#[derive(Debug, Clone, Copy)]
enum Change {
    Add(usize),
    Remove(usize),
    Exclusive(bool),
    /// It is deleted, and another is made in its place.
    Renew,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        5 => (0..PEOPLE).prop_map(Change::Add),
        2 => (0..PEOPLE).prop_map(Change::Remove),
        2 => any::<bool>().prop_map(Change::Exclusive),
        1 => Just(Change::Renew),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let who = 0..PEOPLE;
    prop_oneof![
        6 => (who.clone(), 1..12_usize).prop_map(|(by, count)| Step::Post { by, count }),
        4 => (who.clone(), 0..60_usize).prop_map(|(by, nth)| Step::Delete { by, nth }),
        5 => (who.clone(), who.clone()).prop_map(|(from, to)| Step::Follow { from, to }),
        3 => (who.clone(), who.clone()).prop_map(|(from, to)| Step::Unfollow { from, to }),
        10 => (who.clone(), 0..LISTS, change())
            .prop_map(|(owner, list, change)| Step::List { owner, list, change }),
        1 => who.prop_map(Step::Leave),
        3 => Just(Step::Work),
        1 => Just(Step::Look),
    ]
}

/// What the network should hold.
#[derive(Default)]
struct Model {
    statuses: BTreeMap<StatusId, UserId>,
    follows: BTreeSet<(UserId, UserId)>,
    lists: BTreeMap<ListId, Plain>,
}

/// A list as it should be.
#[derive(Default)]
struct Plain {
    exclusive: bool,
    members: BTreeSet<UserId>,
}

impl Model {
    fn profile(&self, of: UserId) -> Vec<StatusId> {
        self.statuses
            .iter()
            .rev()
            .filter(|(_, author)| **author == of)
            .map(|(id, _)| *id)
            .collect()
    }

    fn home(&self, of: UserId) -> Vec<StatusId> {
        let excluded = |author: UserId| {
            let mut own = self.lists.iter().filter(|(id, _)| id.owner == of);
            own.any(|(_, list)| list.exclusive && list.members.contains(&author))
        };
        let follows = |author: UserId| self.follows.contains(&(of, author));
        let belongs = |author: UserId| author == of || follows(author) && !excluded(author);
        self.statuses
            .iter()
            .rev()
            .filter(|(_, author)| belongs(**author))
            .map(|(id, _)| *id)
            .collect()
    }

    fn list(&self, list: ListId) -> Vec<StatusId> {
        let members = &self.lists[&list].members;
        self.statuses
            .iter()
            .rev()
            .filter(|(_, author)| members.contains(author))
            .map(|(id, _)| *id)
            .collect()
    }
}

/// Reads a timeline page by page, and sees that each is full unless it is the last.
async fn read_all(page: impl AsyncFn(Option<Cursor>) -> Page<VisibleStatus>) -> Vec<StatusId> {
    let (mut ids, mut cursor) = (Vec::new(), None);
    loop {
        let page = page(cursor).await;
        ids.extend(page.items.iter().map(VisibleStatus::id));
        match page.next {
            Some(next) => {
                assert_eq!(
                    page.items.len(),
                    PAGE_SIZE,
                    "a page that is not the last is full"
                );
                cursor = Some(next);
            }
            None => return ids,
        }
    }
}

async fn compare(store: &Store, model: &Model, people: &[UserId]) {
    for who in people {
        let home = read_all(async |before| {
            homes::home_page(store, *who, before)
                .await
                .expect("an answer")
                .page
        })
        .await;
        assert_eq!(home, model.home(*who), "home of {who}");
        for list in model.lists.keys().filter(|list| list.owner == *who) {
            let page = async |before| homes::list_page(store, *list, before).await;
            let shown = read_all(async |before| page(before).await.expect("an answer")).await;
            assert_eq!(shown, model.list(*list), "list {list}");
        }
        let viewer = Viewer::Anonymous;
        let profile = read_all(async |before| {
            store
                .profile_page(viewer, *who, before)
                .await
                .expect("an answer")
        })
        .await;
        assert_eq!(profile, model.profile(*who), "profile of {who}");
        let user = store
            .user(*who)
            .await
            .expect("an answer")
            .expect("a person");
        let count = |matches: &dyn Fn(&(UserId, UserId)) -> bool| {
            model.follows.iter().filter(|edge| matches(edge)).count() as u64
        };
        assert_eq!(user.posts, profile.len() as u64);
        assert_eq!(user.following, count(&|(from, _)| from == who));
        assert_eq!(user.followers, count(&|(_, to)| to == who));
    }
}

async fn make_list(store: &Store, model: &mut Model, owner: UserId) -> ListId {
    let name = ListName::parse("A list").expect("valid");
    let made = lists::create(store, owner, &name, &Nonce::draw()).await;
    let Ok(lists::Create::Created(list)) = made else {
        panic!("{made:?}");
    };
    model.lists.insert(list, Plain::default());
    list
}

async fn apply(
    store: &Store,
    model: &mut Model,
    list: &mut ListId,
    who: &[UserId],
    change: Change,
) {
    let ListId { owner, number } = *list;
    let plain = model.lists.entry(*list).or_default();
    match change {
        Change::Add(member) => {
            let added = lists::add(store, owner, number, who[member]).await;
            assert_eq!(added.expect("an answer"), lists::Add::Done);
            plain.members.insert(who[member]);
        }
        Change::Remove(member) => {
            let removed = lists::remove(store, owner, number, who[member]).await;
            assert_eq!(removed.expect("an answer"), lists::Edit::Done);
            plain.members.remove(&who[member]);
        }
        Change::Exclusive(exclusive) => {
            let name = ListName::parse("Renamed").expect("valid");
            let edited = lists::edit(store, owner, number, &name, exclusive).await;
            assert_eq!(edited.expect("an answer"), lists::Edit::Done);
            plain.exclusive = exclusive;
        }
        Change::Renew => {
            let deleted = lists::delete(store, owner, number).await;
            assert_eq!(deleted.expect("an answer"), lists::Edit::Done);
            model.lists.remove(list);
            *list = make_list(store, model, owner).await;
        }
    }
}

async fn play(core: &Core, steps: &[Step], round: usize) {
    let store = &core.store;
    let who = people(store, &format!("round{round}"), PEOPLE).await;
    let mut model = Model::default();
    let mut made = Vec::new();
    for owner in &who {
        let mut theirs = Vec::new();
        for _ in 0..LISTS {
            theirs.push(make_list(store, &mut model, *owner).await);
        }
        made.push(theirs);
    }
    for step in steps {
        match *step {
            Step::Post { by, count } => {
                for _ in 0..count {
                    model
                        .statuses
                        .insert(post(store, who[by], "a line").await, who[by]);
                }
            }
            Step::Delete { by, nth } => {
                if let Some(id) = model.profile(who[by]).get(nth) {
                    statuses::delete(store, who[by], *id)
                        .await
                        .expect("an answer");
                    model.statuses.remove(id);
                }
            }
            Step::Follow { from, to } if from != to => {
                follows::follow(store, who[from], who[to])
                    .await
                    .expect("an answer");
                model.follows.insert((who[from], who[to]));
            }
            Step::Follow { .. } => {}
            Step::Unfollow { from, to } => {
                follows::unfollow(store, who[from], who[to])
                    .await
                    .expect("an answer");
                model.follows.remove(&(who[from], who[to]));
            }
            Step::List {
                owner,
                list,
                change,
            } => {
                let id = &mut made[owner][list];
                apply(store, &mut model, id, &who, change).await;
            }
            Step::Leave(reader) => {
                let mark = format!("active:{{{}}}", who[reader]);
                core.redis.command(&["DEL", &mark]);
                for list in &made[reader] {
                    let mark = format!("list:{{{}}}:{}:active", list.owner, list.number);
                    core.redis.command(&["DEL", &mark]);
                }
            }
            Step::Work => core.drain().await,
            Step::Look => {
                core.drain().await;
                compare(store, &model, &who).await;
            }
        }
    }
    core.drain().await;
    compare(store, &model, &who).await;
}

#[test]
fn every_timeline_is_what_a_plain_model_says() {
    let core = Core::with(&["--home-size", "40", "--pass-size", "2"]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let rounds = std::sync::atomic::AtomicUsize::new(0);
    let config = ProptestConfig {
        cases: 24,
        max_shrink_iters: 64,
        failure_persistence: None,
        ..Default::default()
    };
    proptest!(config, |(steps in prop::collection::vec(step(), 20..60))| {
        let round = rounds.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        runtime.block_on(play(&core, &steps, round));
    });
    runtime.block_on(core.assert_sound());
}
