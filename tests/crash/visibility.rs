//! A status becomes visible to fewer people, interrupted before each command of the edit.

use redwing::{
    actions::edits,
    domain::{EditState, Message, StatusId, Timeline, UserId, Visibility},
    store::{Key, Viewer},
};

use super::{cut_off_everywhere, notification_count};
use crate::support::{
    core::Core,
    crowd::{follow, follow_tag, home, member, post},
};

struct Scene {
    author: UserId,
    id: StatusId,
    follower: UserId,
    /// Follows the tag, and is mentioned.
    stranger: UserId,
}

async fn scene(core: &Core, number: usize) -> Scene {
    let store = &core.store;
    let author = member(store, &format!("author_{number}")).await;
    let follower = member(store, &format!("follower_{number}")).await;
    let login = format!("stranger_{number}");
    let stranger = member(store, &login).await;
    for reader in [follower, stranger] {
        home(store, reader).await;
    }
    follow(store, follower, author).await;
    follow_tag(store, stranger, &format!("birds{number}")).await;
    let text = format!("for whom? #birds{number} @{login}");
    let id = post(store, author, &text).await;
    core.drain().await;
    Scene {
        author,
        id,
        follower,
        stranger,
    }
}

#[tokio::test]
async fn narrowing_cut_off_anywhere_hides_a_status_everywhere_or_nowhere() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let status = store.status(Viewer::Member(scene.author), scene.id).await?;
            let text = status.expect("it lives").message().to_owned();
            let narrower = EditState {
                message: Message::parse(&text).expect("valid"),
                warning: None,
                revision: 0,
                visibility: Some(Visibility::Followers),
            };
            edits::edit(store, scene.author, scene.id, &narrower)
                .await
                .map(drop)
        },
        async |scene| {
            let sees = async |person| {
                let seen = store.status(Viewer::Member(person), scene.id).await;
                seen.expect("an answer").is_some()
            };
            let is_on_home = async |person| {
                let key = Key::from(Timeline::Home(person));
                let ids = store.cardinality(&key).await.expect("an answer");
                ids > 0
            };
            assert!(sees(scene.follower).await && is_on_home(scene.follower).await);
            let is_public = sees(scene.stranger).await;
            assert_eq!(is_on_home(scene.stranger).await, is_public);
            let notified = notification_count(&core, scene.stranger).await;
            assert_eq!(notified, u64::from(is_public));
        },
    )
    .await;
}
