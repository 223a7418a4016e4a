//! Posts in groups, and memberships that bring them to a home, interrupted before each command.

use redwing::{
    actions::{
        groups as group_actions,
        statuses::{self, group_posts},
    },
    domain::{GroupAct, GroupId, GroupKind, IdempotencyKey, StatusId, UserId},
    store::{OwnChange, Viewer, VisibleStatus},
};

use super::{cut_off_everywhere, home};
use crate::support::{
    core::Core,
    crowd::{self, member},
    groups::{draft, found, join, post, post_draft},
};

struct Scene {
    owner: UserId,
    reader: UserId,
    group: GroupId,
    idempotency_key: IdempotencyKey,
}

/// Creates a group with an owner and a member, who both have opened their home.
async fn scene(core: &Core, number: usize) -> Scene {
    let scene = scene_without_member(core, number).await;
    join(&core.store, scene.group, scene.reader).await;
    scene
}

async fn scene_without_member(core: &Core, number: usize) -> Scene {
    let store = &core.store;
    let owner = member(store, &format!("owner_{number}")).await;
    let reader = member(store, &format!("reader_{number}")).await;
    let draft = draft(&format!("group-{number}"), GroupKind::Public);
    let group = found(store, owner, &draft).await;
    for person in [owner, reader] {
        home(store, person).await;
    }
    Scene {
        owner,
        reader,
        group,
        idempotency_key: IdempotencyKey::draw(),
    }
}

fn core() -> Core {
    Core::with(&["--group-age-days", "0"])
}

async fn group_page(core: &Core, scene: &Scene, viewer: UserId) -> Vec<StatusId> {
    let viewer = Viewer::Member(viewer);
    let page = core.store.group_page(viewer, scene.group, None).await;
    let items = page.expect("an answer").items;
    items.iter().map(VisibleStatus::id).collect()
}

#[tokio::test]
async fn a_post_in_a_group_cut_off_anywhere_is_everywhere_or_nowhere() {
    let core = core();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let draft = post_draft(scene.group, "once");
            let posted = statuses::post(store, scene.owner, draft, &scene.idempotency_key);
            posted.await.map(drop)
        },
        async |scene| {
            let posted = group_page(&core, scene, scene.reader).await;
            assert!(posted.len() <= 1);
            for person in [scene.owner, scene.reader] {
                assert_eq!(home(&core.store, person).await, posted);
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_deletion_in_a_group_cut_off_anywhere_leaves_no_part() {
    let core = core();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let id = post(&core.store, scene.group, scene.owner, "once").await;
            core.drain().await;
            (scene, id)
        },
        async |store, (scene, id)| {
            let deleted = statuses::delete(store, scene.owner, *id).await;
            deleted.map(drop)
        },
        async |(scene, _)| {
            let left = group_page(&core, scene, scene.reader).await;
            for person in [scene.owner, scene.reader] {
                assert_eq!(home(&core.store, person).await, left);
            }
        },
    )
    .await;
}

#[tokio::test]
async fn joining_and_leaving_cut_off_anywhere_leave_the_home_in_line_with_the_membership() {
    let core = core();
    for change in [OwnChange::Join, OwnChange::Leave] {
        cut_off_everywhere(
            &core,
            async |number| {
                let number = number + 1000 * usize::from(change == OwnChange::Leave);
                let scene = scene_without_member(&core, number).await;
                post(&core.store, scene.group, scene.owner, "once").await;
                if change == OwnChange::Leave {
                    join(&core.store, scene.group, scene.reader).await;
                }
                core.drain().await;
                scene
            },
            async |store, scene| {
                let changed = group_actions::change(store, scene.reader, scene.group, change);
                changed.await.map(drop)
            },
            async |scene| {
                let tie = core.store.group_tie(scene.group, scene.reader).await;
                let is_member = tie.expect("an answer").membership().is_some();
                let count = home(&core.store, scene.reader).await.len();
                assert_eq!(count, usize::from(is_member));
            },
        )
        .await;
    }
}

#[tokio::test]
async fn a_removal_cut_off_anywhere_is_complete_with_one_entry_of_the_log_or_absent() {
    let core = core();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let id = post(&core.store, scene.group, scene.reader, "off topic").await;
            core.drain().await;
            (scene, id)
        },
        async |store, (scene, id)| {
            let note = "Off topic.".to_owned();
            let removed = group_posts::remove(store, scene.owner, *id, note).await;
            removed.map(drop)
        },
        async |(scene, id)| {
            let is_removed = group_page(&core, scene, scene.owner).await.is_empty();
            let log = core.store.group_acts(scene.group, None).await;
            let log = log.expect("an answer").items.into_iter();
            let entries = log.filter(|entry| matches!(entry.logged.act, GroupAct::RemovePost(..)));
            assert_eq!(entries.count(), usize::from(is_removed));
            let notices = core.store.group_notices(scene.reader).await;
            let notices = notices.expect("an answer").into_iter();
            let about =
                notices.filter(|(notice, _)| matches!(notice.act, GroupAct::RemovePost(..)));
            assert_eq!(about.count(), usize::from(is_removed));
            let own = core.store.status(Viewer::Member(scene.reader), *id).await;
            assert!(own.expect("an answer").is_some());
            crowd::delete(&core.store, scene.reader, *id).await;
        },
    )
    .await;
}
