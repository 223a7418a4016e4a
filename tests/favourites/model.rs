//! Random sequences of what changes favourites and bookmarks against a plain in-memory model, on
//! every page that shows them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use redwing::{
    actions::{bookmarks, favourites, statuses},
    domain::{Collection, Cursor, PAGE_SIZE, Page, StatusId, UserId},
    store::{Store, Viewer, VisibleStatus},
};

use crate::support::{
    core::Core,
    crowd::{self, people},
};

const PEOPLE: usize = 3;

#[derive(Debug, Clone)]
enum Step {
    Post(usize),
    /// The nth of all that live.
    Delete(usize),
    Keep {
        by: usize,
        nth: usize,
        collection: Collection,
    },
    TakeBack {
        by: usize,
        nth: usize,
        collection: Collection,
    },
    /// The worker does what there is to do, and everybody looks at everything.
    Look,
}

fn step() -> impl Strategy<Value = Step> {
    let collection = || prop::sample::select(Collection::ALL.to_vec());
    prop_oneof![
        3 => (0..PEOPLE).prop_map(Step::Post),
        1 => (0..60_usize).prop_map(Step::Delete),
        8 => (0..PEOPLE, 0..60_usize, collection())
            .prop_map(|(by, nth, collection)| Step::Keep { by, nth, collection }),
        3 => (0..PEOPLE, 0..60_usize, collection())
            .prop_map(|(by, nth, collection)| Step::TakeBack { by, nth, collection }),
        1 => Just(Step::Look),
    ]
}

/// What there should be.
#[derive(Default)]
struct Model {
    statuses: BTreeMap<StatusId, UserId>,
    /// Each person's, in the order in which they were kept.
    kept: BTreeMap<(UserId, Collection), Vec<StatusId>>,
}

impl Model {
    fn nth(&self, nth: usize) -> Option<StatusId> {
        let all: Vec<&StatusId> = self.statuses.keys().collect();
        all.get(nth % all.len().max(1)).map(|id| **id)
    }

    fn keeps(&self, who: UserId, collection: Collection) -> &[StatusId] {
        self.kept.get(&(who, collection)).map_or(&[], Vec::as_slice)
    }
}

async fn page(
    store: &Store,
    who: UserId,
    collection: Collection,
    before: Option<Cursor>,
) -> Page<VisibleStatus> {
    let page = store.collection_page(who, collection, before).await;
    page.expect("an answer")
}

/// Reads a collection page by page, and sees that each is full unless it is the last.
async fn read_all(store: &Store, who: UserId, collection: Collection) -> Vec<StatusId> {
    let (mut ids, mut cursor) = (Vec::new(), None);
    loop {
        let page = page(store, who, collection, cursor).await;
        ids.extend(page.items.iter().map(VisibleStatus::id));
        let Some(next) = page.next else { return ids };
        assert_eq!(page.items.len(), PAGE_SIZE);
        cursor = Some(next);
    }
}

async fn compare(store: &Store, model: &Model, people: &[UserId]) {
    for who in people {
        for collection in Collection::ALL {
            let mut expected = model.keeps(*who, collection).to_vec();
            expected.reverse();
            let read = read_all(store, *who, collection).await;
            assert_eq!(read, expected, "{collection} of {who}");
        }
        let ids: Vec<StatusId> = model.statuses.keys().copied().collect();
        let seen = store.visible(Viewer::Member(*who), &ids).await;
        for status in seen.expect("an answer") {
            let id = status.id();
            let keeps = |who, collection| model.keeps(who, collection).contains(&id);
            let favourers: BTreeSet<UserId> = people
                .iter()
                .copied()
                .filter(|other| keeps(*other, Collection::Favourites))
                .collect();
            assert_eq!(status.favourites(), favourers.len() as u64, "{id}");
            assert_eq!(status.favoured(), keeps(*who, Collection::Favourites));
            assert_eq!(status.bookmarked(), keeps(*who, Collection::Bookmarks));
            let listed = store.favourers_page(Viewer::Anonymous, id, None).await;
            let listed = listed.expect("an answer").items;
            let listed: BTreeSet<UserId> = listed.iter().map(|person| person.user.id).collect();
            assert_eq!(listed, favourers, "{id}");
        }
    }
}

async fn act(store: &Store, model: &mut Model, who: &[UserId], step: &Step) {
    match *step {
        Step::Post(by) => {
            let id = crowd::post(store, who[by], "a line").await;
            model.statuses.insert(id, who[by]);
        }
        Step::Delete(nth) => {
            let Some(id) = model.nth(nth) else { return };
            let author = model.statuses.remove(&id).expect("it lives");
            let deleted = statuses::delete(store, author, id).await;
            deleted.expect("an answer");
            model
                .kept
                .values_mut()
                .for_each(|kept| kept.retain(|kept| *kept != id));
        }
        Step::Keep {
            by,
            nth,
            collection,
        } => {
            let Some(id) = model.nth(nth) else { return };
            match collection {
                Collection::Favourites => crowd::favour(store, who[by], id).await,
                Collection::Bookmarks => crowd::bookmark(store, who[by], id).await,
            }
            let kept = model.kept.entry((who[by], collection)).or_default();
            if !kept.contains(&id) {
                kept.push(id);
            }
        }
        Step::TakeBack {
            by,
            nth,
            collection,
        } => {
            let Some(id) = model.nth(nth) else { return };
            let taken_back = match collection {
                Collection::Favourites => favourites::unfavour(store, who[by], id).await,
                Collection::Bookmarks => bookmarks::unbookmark(store, who[by], id).await,
            };
            taken_back.expect("an answer");
            let kept = model.kept.entry((who[by], collection)).or_default();
            kept.retain(|kept| *kept != id);
        }
        Step::Look => {}
    }
}

async fn play(core: &Core, steps: &[Step], round: usize) {
    let store = &core.store;
    let who = people(store, &format!("round{round}"), PEOPLE).await;
    let mut model = Model::default();
    for _ in 0..40 {
        act(store, &mut model, &who, &Step::Post(0)).await;
    }
    for step in steps.iter().chain([&Step::Look]) {
        act(store, &mut model, &who, step).await;
        if matches!(step, Step::Look) {
            core.drain().await;
            compare(store, &model, &who).await;
        }
    }
}

#[test]
fn what_people_keep_is_what_a_plain_model_says() {
    let core = Core::start();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let rounds = std::sync::atomic::AtomicUsize::new(0);
    let config = ProptestConfig {
        cases: 8,
        max_shrink_iters: 32,
        failure_persistence: None,
        ..Default::default()
    };
    proptest!(config, |(steps in prop::collection::vec(step(), 60..160))| {
        let round = rounds.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        runtime.block_on(play(&core, &steps, round));
    });
    runtime.block_on(core.assert_sound());
}
