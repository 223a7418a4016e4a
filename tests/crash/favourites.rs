//! Favourites and bookmarks, interrupted before each command of a change.

use redwing::{
    actions::{bookmarks, favourites, statuses},
    domain::{StatusId, UserId},
    store::{Key, Relation, Viewer},
};

use super::{cut_off_everywhere, notification_count};
use crate::support::{
    core::Core,
    crowd::{favourite, member, post},
};

struct Scene {
    author: UserId,
    fan: UserId,
    id: StatusId,
}

async fn scene(core: &Core, number: usize) -> Scene {
    let author = member(&core.store, &format!("author_{number}")).await;
    let fan = member(&core.store, &format!("fan_{number}")).await;
    let id = post(&core.store, author, "something to like").await;
    Scene { author, fan, id }
}

async fn favourited_scene(core: &Core, number: usize) -> Scene {
    let scene = scene(core, number).await;
    favourite(&core.store, scene.fan, scene.id).await;
    scene
}

/// Checks that source, list, count and the author's notifications agree.
async fn agrees(core: &Core, Scene { author, fan, id }: &Scene) {
    let store = &core.store;
    let truth = store.has_relation(&Relation::Favourite(*fan, *id)).await;
    let truth = u64::from(truth.expect("an answer"));
    let listed = store.cardinality(&Key::FavouritedBy(*id)).await;
    assert_eq!(listed.expect("an answer"), truth);
    assert_eq!(notification_count(core, *author).await, truth);
    let status = store.status(Viewer::Member(*fan), *id).await;
    let status = status.expect("an answer").expect("it lives");
    assert_eq!(
        (status.favourite_count(), status.favourited_by_viewer()),
        (truth, truth == 1)
    );
}

#[tokio::test]
async fn a_favourite_cut_off_anywhere_is_on_both_sides_or_on_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let result = favourites::favourite(store, scene.fan, scene.id).await;
            result.map(drop)
        },
        async |scene| agrees(&core, scene).await,
    )
    .await;
}

#[tokio::test]
async fn a_removed_favourite_cut_off_anywhere_is_on_both_sides_or_on_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| favourited_scene(&core, number).await,
        async |store, scene| favourites::unfavourite(store, scene.fan, scene.id).await,
        async |scene| agrees(&core, scene).await,
    )
    .await;
}

#[tokio::test]
async fn a_delete_cut_off_anywhere_removes_favourites_and_status_or_neither() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| favourited_scene(&core, number).await,
        async |store, scene| {
            let deleted = statuses::delete(store, scene.author, scene.id).await;
            deleted.map(drop)
        },
        async |scene| {
            let store = &core.store;
            let lives = store.status(Viewer::Anonymous, scene.id).await;
            let lives = lives.expect("an answer").is_some();
            let listed = store.cardinality(&Key::FavouritedBy(scene.id)).await;
            assert_eq!(listed.expect("an answer"), u64::from(lives));
            assert_eq!(
                notification_count(&core, scene.author).await,
                u64::from(lives)
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_bookmark_cut_off_anywhere_exists_or_not_and_the_data_is_consistent() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            bookmarks::bookmark(store, scene.fan, scene.id).await?;
            bookmarks::unbookmark(store, scene.fan, scene.id).await
        },
        async |_| core.assert_sound().await,
    )
    .await;
}
