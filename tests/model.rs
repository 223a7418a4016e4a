//! Random sequences of operations against a plain in-memory model of the network, on every
//! timeline and every page of it. Homes are small here, so that trimming, refilling and the part
//! below the floor all happen.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use redwing::{
    actions::{follows, homes, statuses},
    domain::{Cursor, PAGE_SIZE, Page, StatusId, UserId},
    store::{Store, Viewer, VisibleStatus},
};

use crate::support::{
    core::Core,
    crowd::{people, post},
};

const PEOPLE: usize = 5;

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
    /// A reader is away for so long that the home goes dormant.
    Leave(usize),
    /// The worker does what there is to do.
    Work,
    /// Everybody reads everything, when all passes are done.
    Look,
}

fn step() -> impl Strategy<Value = Step> {
    let who = 0..PEOPLE;
    prop_oneof![
        6 => (who.clone(), 1..12_usize).prop_map(|(by, count)| Step::Post { by, count }),
        4 => (who.clone(), 0..60_usize).prop_map(|(by, nth)| Step::Delete { by, nth }),
        5 => (who.clone(), who.clone()).prop_map(|(from, to)| Step::Follow { from, to }),
        3 => (who.clone(), who.clone()).prop_map(|(from, to)| Step::Unfollow { from, to }),
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
        let belongs = |author: UserId| author == of || self.follows.contains(&(of, author));
        self.statuses
            .iter()
            .rev()
            .filter(|(_, author)| belongs(**author))
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

async fn play(core: &Core, steps: &[Step], round: usize) {
    let store = &core.store;
    let who = people(store, &format!("round{round}"), PEOPLE).await;
    let mut model = Model::default();
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
            Step::Leave(reader) => core
                .redis
                .command(&["DEL", &format!("active:{{{}}}", who[reader])]),
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
