//! Every operation is interrupted before each of its commands, as by a crash. Its outbox entry, or
//! the same form sent again, then completes it: the effect is complete or absent, and the data is
//! consistent.

mod administration;
mod approvals;
mod blocks;
mod fan_outs;
mod favourites;
mod follow_requests;
mod group_posts;
mod groups;
mod invitations;
mod leaving;
mod lists;
mod messages;
mod moderation;
mod pinned_posts;
mod polls;
mod recovery;
mod rename;
mod replies;
mod reply_control;
mod reposts;
mod search;
mod sources;
mod tags;
mod visibility;
mod waiting;

use redwing::{
    actions::{
        accounts::{self, NewAccount, SignUp},
        follows, homes,
        invitations::Entry,
        statuses::{self, Delete, Post},
    },
    domain::{DisplayName, IdempotencyKey, Login, Message, ProfileView, StatusId, UserId},
    store::{Error, Fuse, Key, ReadMode, Relation, Store},
};

use crate::support::{
    core::Core,
    crowd::{follow, member, post},
};

/// Upper bound for the commands of any operation in these tests.
const MANY: usize = 400;

/// Runs an operation repeatedly, each time in a new scene and interrupted one command later, until
/// it completes. `after` checks the scene when the worker has done its part.
async fn cut_off_everywhere<Scene>(
    core: &Core,
    scene: impl AsyncFn(usize) -> Scene,
    operation: impl AsyncFn(&Store, &Scene) -> Result<(), Error>,
    after: impl AsyncFn(&Scene),
) {
    for commands in 0..MANY {
        let scene = scene(commands).await;
        let done = operation(&core.store.with_fuse(Fuse::of(commands)), &scene).await;
        core.drain().await;
        after(&scene).await;
        match done {
            Ok(()) => {
                assert!(commands > 1, "the operation was cut off at least twice");
                core.assert_sound().await;
                return;
            }
            Err(Error::Failpoint) => {}
            Err(error) => panic!("cut off before command {commands}: {error}"),
        }
    }
    panic!("the operation never completed");
}

struct FollowScene {
    author: UserId,
    reader: UserId,
    idempotency_key: IdempotencyKey,
    text: Message,
}

async fn author_and_reader(core: &Core, number: usize) -> FollowScene {
    let author = member(&core.store, &format!("author_{number}")).await;
    let reader = member(&core.store, &format!("reader_{number}")).await;
    FollowScene {
        author,
        reader,
        idempotency_key: IdempotencyKey::draw(),
        text: Message::parse("once").expect("valid"),
    }
}

async fn home(store: &Store, of: UserId) -> Vec<StatusId> {
    let home = homes::home_page(store, of, None, ReadMode::Visit)
        .await
        .expect("the store answers");
    home.page
        .items
        .iter()
        .map(redwing::store::VisibleStatus::id)
        .collect()
}

async fn profile(store: &Store, of: UserId) -> Vec<StatusId> {
    let viewer = redwing::store::Viewer::Anonymous;
    let page = store
        .profile_page(viewer, of, ProfileView::PostsAndReplies, None)
        .await
        .expect("the store answers");
    page.items
        .iter()
        .map(redwing::store::VisibleStatus::id)
        .collect()
}

/// Returns the number of a user's notifications.
async fn notification_count(core: &Core, who: UserId) -> u64 {
    let count = core.store.cardinality(&Key::Notifications(who)).await;
    count.expect("the store answers")
}

#[tokio::test]
async fn a_post_cut_off_anywhere_is_everywhere_or_nowhere() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = author_and_reader(&core, number).await;
            follow(&core.store, scene.reader, scene.author).await;
            scene
        },
        async |store, scene| {
            statuses::post(store, scene.author, &scene.text, &scene.idempotency_key)
                .await
                .map(drop)
        },
        async |scene| {
            let posted = profile(&core.store, scene.author).await;
            assert!(posted.len() <= 1);
            assert_eq!(home(&core.store, scene.author).await, posted);
            assert_eq!(home(&core.store, scene.reader).await, posted);
        },
    )
    .await;
}

#[tokio::test]
async fn a_form_sent_again_after_a_crash_makes_exactly_one_post() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = author_and_reader(&core, number).await;
            follow(&core.store, scene.reader, scene.author).await;
            scene
        },
        async |store, scene| {
            let cut_off = statuses::post(store, scene.author, &scene.text, &scene.idempotency_key)
                .await
                .map(drop);
            let again = statuses::post(
                &core.store,
                scene.author,
                &scene.text,
                &scene.idempotency_key,
            )
            .await;
            assert!(matches!(again, Ok(Post::Posted(_))));
            cut_off
        },
        async |scene| {
            assert_eq!(profile(&core.store, scene.author).await.len(), 1);
            assert_eq!(
                home(&core.store, scene.reader).await,
                profile(&core.store, scene.author).await
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_delete_cut_off_anywhere_is_everywhere_or_nowhere() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = author_and_reader(&core, number).await;
            follow(&core.store, scene.reader, scene.author).await;
            let id = post(&core.store, scene.author, "not for long").await;
            (scene, id)
        },
        async |store, (scene, id)| statuses::delete(store, scene.author, *id).await.map(drop),
        async |(scene, id)| {
            let left = profile(&core.store, scene.author).await;
            assert!(left.is_empty() || left == [*id]);
            assert_eq!(home(&core.store, scene.reader).await, left);
            let user = core
                .store
                .user(scene.author)
                .await
                .expect("the store answers")
                .expect("there");
            assert_eq!(user.posts, left.len() as u64);
        },
    )
    .await;
}

#[tokio::test]
async fn a_follow_cut_off_anywhere_is_on_both_sides_or_on_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = author_and_reader(&core, number).await;
            post(&core.store, scene.author, "something to find").await;
            scene
        },
        async |store, scene| {
            follows::follow(store, scene.reader, scene.author)
                .await
                .map(drop)
        },
        async |scene| {
            let follows = core
                .store
                .has_relation(&Relation::Follow(scene.reader, scene.author))
                .await
                .expect("the store answers");
            let author = core
                .store
                .user(scene.author)
                .await
                .expect("the store answers")
                .expect("there");
            assert_eq!(author.followers, u64::from(follows));
            assert_eq!(
                notification_count(&core, scene.author).await,
                u64::from(follows)
            );
            assert_eq!(
                home(&core.store, scene.reader).await.len(),
                usize::from(follows)
            );
        },
    )
    .await;
}

#[tokio::test]
async fn an_unfollow_cut_off_anywhere_is_on_both_sides_or_on_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = author_and_reader(&core, number).await;
            post(&core.store, scene.author, "something to lose").await;
            follow(&core.store, scene.reader, scene.author).await;
            scene
        },
        async |store, scene| follows::unfollow(store, scene.reader, scene.author).await,
        async |scene| {
            let follows = core
                .store
                .has_relation(&Relation::Follow(scene.reader, scene.author))
                .await
                .expect("the store answers");
            let author = core
                .store
                .user(scene.author)
                .await
                .expect("the store answers")
                .expect("there");
            assert_eq!(author.followers, u64::from(follows));
            assert_eq!(
                notification_count(&core, scene.author).await,
                u64::from(follows)
            );
            assert_eq!(
                home(&core.store, scene.reader).await.len(),
                usize::from(follows)
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_sign_up_cut_off_anywhere_is_an_account_or_leaves_the_login_free() {
    let core = Core::start();
    let account = |number: usize, idempotency_key: &IdempotencyKey| NewAccount {
        login: Login::parse(&format!("newcomer_{number}")).expect("valid"),
        name: DisplayName::parse("Newcomer").expect("valid"),
        password_hash: "$argon2id$v=19$m=8,t=1,p=1$bm90aGluZw$bm90aGluZw".into(),
        idempotency_key: idempotency_key.clone(),
        entry: Entry::Open,
    };
    cut_off_everywhere(
        &core,
        async |number| (number, IdempotencyKey::draw()),
        async |store, (number, idempotency_key)| {
            accounts::sign_up(store, account(*number, idempotency_key))
                .await
                .map(drop)
        },
        async |(number, idempotency_key)| {
            core.assert_sound().await;
            let again = accounts::sign_up(&core.store, account(*number, idempotency_key))
                .await
                .expect("the store answers");
            assert!(
                matches!(again, SignUp::Created(_) | SignUp::Again),
                "{again:?}"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_repeated_delete_gets_the_same_answer() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let id = post(&core.store, author, "gone").await;
    for _ in 0..2 {
        assert_eq!(
            statuses::delete(&core.store, author, id)
                .await
                .expect("the store answers"),
            Delete::Deleted
        );
    }
}
