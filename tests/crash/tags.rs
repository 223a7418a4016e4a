//! Tags and mentions, interrupted before each command of a change.

use redwing::{
    actions::{
        homes,
        statuses::{self, Post},
        tag_follows,
    },
    domain::{IdempotencyKey, Message, StatusId, UserId},
    store::{ReadMode, Relation, Viewer, VisibleStatus},
};

use super::{cut_off_everywhere, home, notification_count};
use crate::support::{
    core::Core,
    crowd::{follow_tag, member, post, tag_named},
};

/// An author, and a reader of a tag who may be mentioned.
struct Scene {
    author: UserId,
    reader: UserId,
    login: String,
    tag: String,
    idempotency_key: IdempotencyKey,
}

impl Scene {
    fn text(&self) -> String {
        format!("@{}, look: #{} and #shared", self.login, self.tag)
    }

    async fn post(&self, core: &Core) -> StatusId {
        post(&core.store, self.author, &self.text()).await
    }

    /// Returns the statuses with the tag, and those that mention the reader.
    async fn found(&self, core: &Core) -> [Vec<StatusId>; 2] {
        let tagged = core
            .store
            .tag_page(Viewer::Anonymous, &tag_named(&self.tag), None)
            .await;
        let mentions = core.store.mentions_page(self.reader, None).await;
        [tagged, mentions].map(|page| {
            let items = page.expect("an answer").items;
            items.iter().map(VisibleStatus::id).collect()
        })
    }
}

/// Creates a scene in which the reader has an active home.
async fn scene(core: &Core, number: usize) -> Scene {
    let login = format!("reader_{number}");
    let scene = Scene {
        author: member(&core.store, &format!("author_{number}")).await,
        reader: member(&core.store, &login).await,
        login,
        tag: format!("tag_{number}"),
        idempotency_key: IdempotencyKey::draw(),
    };
    homes::home_page(&core.store, scene.reader, None, ReadMode::Visit)
        .await
        .expect("an answer");
    scene
}

async fn reading_scene(core: &Core, number: usize) -> Scene {
    let scene = scene(core, number).await;
    follow_tag(&core.store, scene.reader, &scene.tag).await;
    scene
}

#[tokio::test]
async fn a_post_cut_off_anywhere_is_found_everywhere_or_nowhere() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| reading_scene(&core, number).await,
        async |store, scene| {
            let text = Message::parse(&scene.text()).expect("valid");
            let posted = statuses::post(store, scene.author, &text, &scene.idempotency_key).await?;
            assert!(matches!(posted, Post::Posted(_)));
            Ok(())
        },
        async |scene| {
            let at_home = home(&core.store, scene.reader).await;
            assert!(at_home.len() < 2);
            let count = at_home.len() as u64;
            assert_eq!(
                notification_count(&core, scene.reader).await,
                count,
                "notified once"
            );
            assert_eq!(scene.found(&core).await, [at_home.clone(), at_home]);
        },
    )
    .await;
}

#[tokio::test]
async fn a_post_cut_off_anywhere_and_sent_again_notifies_each_mentioned_user_once() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| reading_scene(&core, number).await,
        async |store, scene| {
            let text = Message::parse(&scene.text()).expect("valid");
            let post = async |store| {
                let posted =
                    statuses::post(store, scene.author, &text, &scene.idempotency_key).await;
                posted.map(drop)
            };
            let cut_off = post(store).await;
            post(&core.store).await?;
            cut_off
        },
        async |scene| assert_eq!(notification_count(&core, scene.reader).await, 1),
    )
    .await;
}

#[tokio::test]
async fn a_delete_cut_off_anywhere_is_found_everywhere_or_nowhere() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = reading_scene(&core, number).await;
            let id = scene.post(&core).await;
            (scene, id)
        },
        async |store, (scene, id)| statuses::delete(store, scene.author, *id).await.map(drop),
        async |(scene, id)| {
            let lives = core.store.life(*id).await.expect("an answer").is_living();
            let expected: Vec<StatusId> = lives.then_some(*id).into_iter().collect();
            assert_eq!(home(&core.store, scene.reader).await, expected);
            assert_eq!(
                notification_count(&core, scene.reader).await,
                expected.len() as u64
            );
            assert_eq!(scene.found(&core).await, [expected.clone(), expected]);
        },
    )
    .await;
}

/// Checks that source and home agree.
async fn agrees(core: &Core, (scene, id): &(Scene, StatusId)) {
    let tag = tag_named(&scene.tag);
    let relation = Relation::TagFollow(scene.reader, tag.clone());
    let follows = core.store.has_relation(&relation).await;
    let expected = follows.expect("an answer").then_some(*id);
    let at_home = home(&core.store, scene.reader).await;
    assert_eq!(at_home, expected.into_iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn following_a_tag_cut_off_anywhere_fills_the_home_or_leaves_it() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let id = scene.post(&core).await;
            (scene, id)
        },
        async |store, (scene, _)| {
            let followed = tag_follows::follow(store, scene.reader, &tag_named(&scene.tag)).await;
            followed.map(drop)
        },
        async |scene| agrees(&core, scene).await,
    )
    .await;
}

#[tokio::test]
async fn unfollowing_a_tag_cut_off_anywhere_empties_the_home_or_leaves_it() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = reading_scene(&core, number).await;
            let id = scene.post(&core).await;
            (scene, id)
        },
        async |store, (scene, _)| {
            tag_follows::unfollow(store, scene.reader, &tag_named(&scene.tag)).await
        },
        async |scene| agrees(&core, scene).await,
    )
    .await;
}
