//! Pins, and deletions of pinned posts, interrupted before each command.

use redwing::{
    actions::{pinned_posts, statuses},
    domain::{StatusId, UserId},
};

use super::cut_off_everywhere;
use crate::support::{
    core::Core,
    crowd::{member, post},
};

struct Scene {
    author: UserId,
    id: StatusId,
}

async fn scene(core: &Core, number: usize) -> Scene {
    let author = member(&core.store, &format!("author_{number}")).await;
    let id = post(&core.store, author, "worth a pin").await;
    Scene { author, id }
}

async fn is_pinned(core: &Core, scene: &Scene) -> bool {
    let user = core.store.user(scene.author).await.expect("an answer");
    user.expect("a user").pinned.contains(scene.id)
}

#[tokio::test]
async fn a_pin_and_an_unpin_cut_off_anywhere_happen_or_not() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            pinned_posts::pin(store, scene.author, scene.id).await?;
            pinned_posts::unpin(store, scene.author, scene.id).await
        },
        async |_| core.assert_sound().await,
    )
    .await;
}

#[tokio::test]
async fn a_deletion_of_a_pinned_post_cut_off_anywhere_unpins_it_or_leaves_it() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let pinned = pinned_posts::pin(&core.store, scene.author, scene.id).await;
            pinned.expect("an answer");
            scene
        },
        async |store, scene| {
            let deleted = statuses::delete(store, scene.author, scene.id).await;
            deleted.map(drop)
        },
        async |scene| {
            let life = core.store.life(scene.id).await.expect("an answer");
            assert_eq!(is_pinned(&core, scene).await, life.is_living());
        },
    )
    .await;
}
