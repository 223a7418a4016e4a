//! Blocks and mutes, interrupted before each command of a change.

use redwing::{
    actions::{blocks, mutes},
    domain::{MuteTerm, StatusId, UserId},
    store::{Key, Relation, Store},
};

use super::{cut_off_everywhere, notification_count};
use crate::support::{
    core::Core,
    crowd::{favourite, follow, list, member, post},
};

struct Scene {
    by: UserId,
    other: UserId,
    /// By the person who blocks.
    id: StatusId,
}

/// Two people who follow, list and favourite each other.
async fn scene(core: &Core, number: usize) -> Scene {
    let store = &core.store;
    let by = member(store, &format!("by_{number}")).await;
    let other = member(store, &format!("other_{number}")).await;
    follow(store, by, other).await;
    follow(store, other, by).await;
    let id = post(store, by, "between them").await;
    favourite(store, other, id).await;
    list(store, by, &[other]).await;
    Scene { by, other, id }
}

/// Returns the number of things that connect both people, and whether one blocks the other.
async fn connections(core: &Core, scene: &Scene) -> (u64, bool) {
    let store: &Store = &core.store;
    let relations = [
        Relation::Block(scene.by, scene.other),
        Relation::Follow(scene.by, scene.other),
        Relation::Follow(scene.other, scene.by),
        Relation::Favourite(scene.other, scene.id),
    ];
    let set = store.have_relations(&relations).await.expect("an answer");
    let listed = store.cardinality(&Key::ListMemberships(scene.other)).await;
    let notified = notification_count(core, scene.by).await;
    let connected = set[1..].iter().filter(|is_set| **is_set).count() as u64;
    (connected + listed.expect("an answer") + notified, set[0])
}

#[tokio::test]
async fn a_block_cut_off_anywhere_removes_everything_between_both_or_nothing() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let blocked = blocks::block(store, scene.by, scene.other).await;
            blocked.map(drop)
        },
        async |scene| {
            let (connections, is_blocked) = connections(&core, scene).await;
            // A follow and a favourite notify.
            assert_eq!(connections, if is_blocked { 0 } else { 6 });
            let mirrored = core.store.cardinality(&Key::BlockedBy(scene.other)).await;
            assert_eq!(mirrored.expect("an answer"), u64::from(is_blocked));
        },
    )
    .await;
}

#[tokio::test]
async fn an_unblock_cut_off_anywhere_is_done_on_both_sides_or_on_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let blocked = blocks::block(&core.store, scene.by, scene.other).await;
            blocked.expect("the store answers");
            scene
        },
        async |store, scene| blocks::unblock(store, scene.by, scene.other).await,
        async |scene| {
            let (connections, is_blocked) = connections(&core, scene).await;
            assert_eq!(connections, 0);
            let mirrored = core.store.cardinality(&Key::BlockedBy(scene.other)).await;
            assert_eq!(mirrored.expect("an answer"), u64::from(is_blocked));
        },
    )
    .await;
}

#[tokio::test]
async fn a_mute_cut_off_anywhere_is_set_or_not_and_the_data_is_consistent() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            for term in [MuteTerm::Day, MuteTerm::Forever] {
                mutes::mute(store, scene.by, scene.other, term).await?;
                mutes::unmute(store, scene.by, scene.other).await?;
            }
            Ok(())
        },
        async |_| core.assert_sound().await,
    )
    .await;
}
