//! Everything at once: people post, delete, follow, unfollow, edit lists, read and become dormant
//! while workers run. After all tasks are done, every invariant holds.

use std::time::Duration;

use rand::{RngExt, SeedableRng, rngs::SmallRng, seq::IndexedRandom};
use redwing::{
    actions::{follows, homes, lists, statuses},
    domain::{IdempotencyKey, ListId, ListName, ListNumber, Message, UserId},
    store::{ReadMode, Store},
    worker,
};
use tokio::{sync::watch, task::JoinSet};

use crate::{
    scripts::Bench,
    support::{
        core::Core,
        crowd::{list, people},
    },
};

const PEOPLE: usize = 6;
/// Half of the people, who become dormant repeatedly.
const SLEEPERS: usize = PEOPLE / 2;
const PERSONS_AT_ONCE: u64 = 12;
const STEPS: usize = 120;
/// Interval at which a person becomes dormant.
const NAP: Duration = Duration::from_millis(40);

/// Runs the actions of one person, one after the other. Actions of others happen in between.
async fn act(store: Store, who: Vec<UserId>, seed: u64) {
    let mut dice = SmallRng::seed_from_u64(seed);
    let mut posted = Vec::new();
    let me = who[usize::try_from(seed).expect("small") % PEOPLE];
    let list = ListNumber::new(1 + seed % 3).expect("a number");
    for number in 0..STEPS {
        let (from, to) = (
            *who.choose(&mut dice).expect("people"),
            *who.choose(&mut dice).expect("people"),
        );
        match dice.random_range(0..28) {
            0..7 => {
                let text = Message::parse(&format!("{seed} {number}")).expect("valid");
                let post = statuses::post(&store, me, &text, &IdempotencyKey::draw()).await;
                if let statuses::Post::Posted(id) = post.expect("an answer") {
                    posted.push(id);
                }
            }
            7..10 if !posted.is_empty() => {
                let id = posted.swap_remove(dice.random_range(0..posted.len()));
                statuses::delete(&store, me, id).await.expect("an answer");
            }
            10..14 => drop(follows::follow(&store, from, to).await.expect("an answer")),
            14..17 => follows::unfollow(&store, from, to)
                .await
                .expect("an answer"),
            17..24 => keep_lists(&store, (me, list), from, &mut dice).await,
            24..26 => {
                let id = ListId {
                    owner: me,
                    number: list,
                };
                let page = homes::list_page(&store, id, None).await;
                drop(page.expect("an answer"));
            }
            _ => drop(
                homes::home_page(&store, from, None, ReadMode::Visit)
                    .await
                    .expect("an answer"),
            ),
        }
    }
}

/// Changes the lists of a person. A missing list and an exceeded limit are valid answers.
async fn keep_lists(
    store: &Store,
    (me, list): (UserId, ListNumber),
    other: UserId,
    dice: &mut SmallRng,
) {
    let name = ListName::parse("A list").expect("valid");
    let answered = match dice.random_range(0..12) {
        0..5 => lists::add(store, me, list, other).await.map(|_| ()),
        5..8 => lists::remove(store, me, list, other).await.map(|_| ()),
        8..10 => {
            let exclusive = dice.random_bool(0.5);
            let edited = lists::edit(store, me, list, &name, exclusive).await;
            edited.map(|_| ())
        }
        10 => {
            let made = lists::create(store, me, &name, &IdempotencyKey::draw()).await;
            made.map(|_| ())
        }
        _ => {
            let oldest = store.lists(me).await.expect("an answer");
            let Some(oldest) = oldest.first().filter(|_| oldest.len() > 3) else {
                return;
            };
            let deleted = lists::delete(store, me, oldest.id.number).await;
            deleted.map(|_| ())
        }
    };
    answered.expect("an answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_invariants_hold_after_any_concurrent_operations() {
    let core = Core::with(&["--home-size", "40", "--pass-size", "2"]);
    let who = people(&core.store, "person", PEOPLE).await;
    for (owner, member) in who.iter().zip(who.iter().cycle().skip(1)) {
        for _ in 0..3 {
            list(&core.store, *owner, &[*member]).await;
        }
    }
    let (stop, stopped) = watch::channel(false);
    let workers: JoinSet<()> = (0..2)
        .map(|_| worker::run(core.store.fork(), stopped.clone()))
        .collect();
    let mut acting: JoinSet<()> = (0..PERSONS_AT_ONCE)
        .map(|at| act(core.store.fork(), who.clone(), at))
        .collect();
    let mut bench = Bench::on(core.redis.one_node());
    let mut sleepers = who[..SLEEPERS].iter().cycle();
    while !acting.is_empty() {
        let sleeper = sleepers.next().expect("a cycle");
        let list = format!("list:{{{sleeper}}}:1:active");
        bench.run(&format!("DEL active:{{{sleeper}}} {list}"));
        let nap = tokio::time::timeout(NAP, acting.join_next()).await;
        if let Ok(ended) = nap {
            ended.expect("not empty").expect("no panic");
        }
    }
    stop.send_replace(true);
    workers.join_all().await;
    core.drain().await;
    core.assert_sound().await;
}
