//! Reposts, their removal and the deletion of the original, interrupted before each command.

use redwing::{
    actions::{
        follows::{self, FilterChange},
        reposts, statuses,
    },
    domain::{HomeFilter, HomeFilters, StatusId, UserId},
    store::{Edge, Key, Viewer},
};

use super::{cut_off_everywhere, home, profile};
use crate::support::{
    core::Core,
    crowd::{follow, member, post, quote, repost},
};

struct Scene {
    author: UserId,
    by: UserId,
    reader: UserId,
    id: StatusId,
}

async fn scene(core: &Core, number: usize) -> Scene {
    let store = &core.store;
    let author = member(store, &format!("author_{number}")).await;
    let by = member(store, &format!("reposter_{number}")).await;
    let reader = member(store, &format!("reader_{number}")).await;
    follow(store, reader, by).await;
    let id = post(store, author, "worth telling").await;
    Scene {
        author,
        by,
        reader,
        id,
    }
}

async fn reposted_scene(core: &Core, number: usize) -> Scene {
    let scene = scene(core, number).await;
    repost(&core.store, scene.by, scene.id).await;
    scene
}

/// Checks that every view shows the same repost, or none.
async fn agrees(core: &Core, scene: &Scene) {
    let store = &core.store;
    let made = profile(store, scene.by).await;
    assert!(made.len() <= 1);
    assert_eq!(home(store, scene.by).await, made);
    assert_eq!(home(store, scene.reader).await, made);
    let claimed = store.reposted_as(scene.by, scene.id).await;
    assert_eq!(claimed.expect("an answer").as_slice(), made);
    let listed = store.cardinality(&Key::RepostedBy(scene.id)).await;
    assert_eq!(listed.expect("an answer"), made.len() as u64);
    let original = store.status(Viewer::Member(scene.by), scene.id).await;
    let original = original.expect("an answer").expect("it lives");
    let says = (original.repost_count(), original.reposted_by_viewer());
    assert_eq!(says, (made.len() as u64, !made.is_empty()));
}

#[tokio::test]
async fn a_repost_cut_off_anywhere_is_everywhere_or_nowhere() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| reposts::repost(store, scene.by, scene.id).await.map(drop),
        async |scene| agrees(&core, scene).await,
    )
    .await;
}

#[tokio::test]
async fn a_repost_made_again_after_a_crash_is_there_once() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let cut_off = reposts::repost(store, scene.by, scene.id).await.map(drop);
            repost(&core.store, scene.by, scene.id).await;
            cut_off
        },
        async |scene| {
            assert_eq!(profile(&core.store, scene.by).await.len(), 1);
            agrees(&core, scene).await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_removed_repost_cut_off_anywhere_is_everywhere_or_nowhere() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| reposted_scene(&core, number).await,
        async |store, scene| reposts::undo_repost(store, scene.by, scene.id).await,
        async |scene| agrees(&core, scene).await,
    )
    .await;
}

/// Reposts stay or go with the original, whether the deletion or the following pass is interrupted. A
/// quote stays, and is listed under a living original only.
#[tokio::test]
async fn a_deletion_of_an_original_cut_off_anywhere_removes_all_reposts_or_none_and_no_quote() {
    let core = Core::start();
    let vanish = async |store: &redwing::store::Store, scene: &Scene| {
        statuses::delete(store, scene.author, scene.id).await?;
        reposts::delete_reposts_pass(store, scene.id, None)
            .await
            .map(drop)
    };
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = reposted_scene(&core, number).await;
            quote(&core.store, scene.reader, scene.id, "indeed").await;
            scene
        },
        vanish,
        async |scene| {
            let store = &core.store;
            let lives = store.life(scene.id).await.expect("an answer").is_living();
            for person in [scene.author, scene.by] {
                let left = profile(store, person).await;
                assert_eq!(left.len(), usize::from(lives), "of {person}");
            }
            assert_eq!(profile(store, scene.reader).await.len(), 1, "the quote");
            for place in [Key::RepostedBy(scene.id), Key::Quotes(scene.id)] {
                let left = store.cardinality(&place).await;
                assert_eq!(left.expect("an answer"), u64::from(lives));
            }
        },
    )
    .await;
}

#[tokio::test]
async fn reposts_hidden_or_shown_and_cut_off_anywhere_are_on_home_or_not() {
    let filter = HomeFilter::HiddenReposts;
    for change in [FilterChange::Set(filter), FilterChange::Clear(filter)] {
        let core = Core::start();
        cut_off_everywhere(
            &core,
            async |number| {
                let scene = reposted_scene(&core, number).await;
                if change == FilterChange::Clear(filter) {
                    let set = FilterChange::Set(filter);
                    let hidden = follows::change_filter(&core.store, scene.reader, scene.by, set);
                    hidden.await.expect("an answer");
                }
                scene
            },
            async |store, scene| {
                let changed = follows::change_filter(store, scene.reader, scene.by, change).await;
                changed.map(drop)
            },
            async |scene| {
                let edge = core.store.edge(scene.reader, scene.by).await;
                let comes = edge.expect("an answer") == Edge::Follows(HomeFilters::default());
                let home = home(&core.store, scene.reader).await;
                assert_eq!(home.len(), usize::from(comes));
            },
        )
        .await;
    }
}
