//! Operations on groups cut off anywhere: each is complete or absent, and the copies follow.

use redwing::{
    actions::groups::{self, Found},
    domain::{GroupAct, GroupEvent, GroupId, GroupKind, IdempotencyKey, Joining, UserId},
    store::{GroupDraft, OwnChange, Store},
};

use super::cut_off_everywhere;
use crate::{
    groups::{draft, found, is_member},
    support::{core::Core, crowd::member},
};

struct Scene {
    owner: UserId,
    other: UserId,
    group: GroupId,
    draft: GroupDraft,
    key: IdempotencyKey,
}

async fn scene(core: &Core, number: usize, joining: Joining) -> Scene {
    let store = &core.store;
    let owner = member(store, &format!("owner_{number}")).await;
    let other = member(store, &format!("other_{number}")).await;
    Scene {
        owner,
        other,
        group: found(store, owner, &format!("birds-{number}"), joining).await,
        draft: draft(&format!("boats-{number}"), GroupKind::Public, Joining::Open),
        key: IdempotencyKey::draw(),
    }
}

async fn membership_count(store: &Store, of: UserId) -> usize {
    store
        .own_groups(of)
        .await
        .expect("an answer")
        .memberships
        .len()
}

#[tokio::test]
async fn a_founding_cut_off_anywhere_leaves_a_whole_group_or_a_free_name() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number, Joining::Open).await,
        async |broken, scene| {
            groups::found(broken, scene.owner, &scene.draft, &scene.key)
                .await
                .map(drop)
        },
        async |scene| {
            core.assert_sound().await;
            let founded = store
                .group_named(&scene.draft.slug)
                .await
                .expect("an answer");
            let own = membership_count(store, scene.owner).await;
            assert_eq!(own, 1 + usize::from(founded.is_some()));
            let again = groups::found(store, scene.owner, &scene.draft, &scene.key).await;
            let again = again.expect("an answer");
            assert!(matches!(again, Found::Founded(_)), "{again:?}");
            assert_eq!(membership_count(store, scene.owner).await, 2);
        },
    )
    .await;
}

#[tokio::test]
async fn joining_and_leaving_cut_off_anywhere_leave_copies_that_agree() {
    let core = Core::start();
    let store = &core.store;
    for change in [OwnChange::Join, OwnChange::Leave] {
        cut_off_everywhere(
            &core,
            async |number| {
                let number = number + 1000 * usize::from(change == OwnChange::Leave);
                let scene = scene(&core, number, Joining::Open).await;
                if change == OwnChange::Leave {
                    groups::join(store, scene.other, scene.group)
                        .await
                        .expect("an answer");
                }
                scene
            },
            async |broken, scene| {
                groups::change(broken, scene.other, scene.group, change)
                    .await
                    .map(drop)
            },
            async |scene| {
                let is_member = is_member(store, scene.group, scene.other).await;
                let count = membership_count(store, scene.other).await;
                assert_eq!(count, usize::from(is_member));
                core.assert_sound().await;
            },
        )
        .await;
    }
}

#[tokio::test]
async fn acts_cut_off_anywhere_are_noticed_exactly_once() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number, Joining::Open).await;
            groups::join(store, scene.other, scene.group)
                .await
                .expect("an answer");
            scene
        },
        async |broken, scene| {
            let (person, note) = (scene.other, "Spam.".to_owned());
            let ban = GroupAct::Ban(GroupEvent { person, note });
            groups::manage(broken, scene.owner, scene.group, ban)
                .await
                .map(drop)
        },
        async |scene| {
            let is_member = is_member(store, scene.group, scene.other).await;
            let notices = store.group_notices(scene.other).await.expect("an answer");
            assert_eq!(notices.len(), usize::from(!is_member));
            assert_eq!(
                membership_count(store, scene.other).await,
                usize::from(is_member)
            );
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_deletion_cut_off_anywhere_is_complete_or_absent() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number, Joining::Open).await;
            groups::join(store, scene.other, scene.group)
                .await
                .expect("an answer");
            scene
        },
        async |broken, scene| {
            let row = store.group(scene.group).await?.expect("a group");
            groups::delete(broken, scene.owner, (scene.group, &row.slug))
                .await
                .map(drop)
        },
        async |scene| {
            let row = store.group(scene.group).await.expect("an answer");
            assert!(row.as_ref().is_none_or(|row| !row.is_gone));
            let count = usize::from(row.is_some());
            assert_eq!(membership_count(store, scene.other).await, count);
            core.assert_sound().await;
        },
    )
    .await;
}
