//! Suspending, deactivating and deleting an account, interrupted before each command.

use redwing::{
    actions::{account_deletion, account_states, reconcile::reconcile},
    domain::{StatusId, Task, Thing, UserId, Visibility},
    store::{Error, Fuse, Store, Viewer, VisibleStatus},
};

use super::{MANY, cut_off_everywhere};
use crate::{
    leaving::deletion::{connect, traces},
    support::{
        core::Core,
        crowd::{follow, member, post, post_to, set_suspended, tag_named},
        pool::Redis,
        redis::RedisServer,
    },
};

/// Number of tests that share the interruptions of a deletion, so that they run at the same time.
const RESTS: usize = 4;

#[tokio::test]
async fn a_suspension_cut_off_anywhere_hides_the_person_or_not() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let person = member(&core.store, &format!("person_{number}")).await;
            let follower = member(&core.store, &format!("follower_{number}")).await;
            follow(&core.store, follower, person).await;
            post(&core.store, person, "a line #birds").await;
            person
        },
        async |store, person| {
            let reason = redwing::domain::SuspensionReason::parse("Spam.").expect("valid");
            account_states::suspend(store, *person, &reason.expect("a reason"))
                .await
                .map(drop)
        },
        async |person| {
            let is_hidden = core.store.is_hidden(*person).await.expect("an answer");
            if is_hidden {
                set_suspended(&core.store, *person, false).await;
            }
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_return_cut_off_anywhere_leaves_the_posts_on_the_pages_of_their_tags() {
    let core = Core::start();
    let store = &core.store;
    let author = member(store, "author").await;
    let reader = member(store, "reader").await;
    follow(store, reader, author).await;
    let mut posts = Vec::new();
    for visibility in Visibility::ALL {
        posts.insert(0, post_to(store, author, visibility, "a line #birds").await);
    }
    core.drain().await;
    let restore = async |fuse: &Fuse| {
        set_suspended(store, author, true).await;
        let restored = account_states::restore(&store.with_fuse(fuse.clone()), author).await;
        if store.is_hidden(author).await.expect("an answer") {
            set_suspended(store, author, false).await;
        }
        let viewer = Viewer::Member(reader);
        let page = store.tag_page(viewer, &tag_named("birds"), None).await;
        let items = page.expect("an answer").items;
        let listed: Vec<StatusId> = items.iter().map(VisibleStatus::id).collect();
        assert_eq!(listed, posts, "{fuse:?}, {restored:?}");
    };
    let endless = Fuse::endless();
    restore(&endless).await;
    assert!(endless.trips() > 5);
    for commands in 0..4 * endless.trips() {
        restore(&Fuse::of(commands)).await;
    }
    core.drain().await;
    core.assert_sound().await;
}

/// Runs a deletion from its begin to its end without a worker. `next` is the task that a worker would run again.
async fn delete(store: &Store, person: UserId, next: &mut Option<Task>) -> Result<(), Error> {
    account_states::delete(store, person).await?;
    *next = reconcile(store, &Thing::Leaving(person)).await?;
    run(store, next).await
}

/// Runs a task and those that follow. One that is cut off stays.
async fn run(store: &Store, next: &mut Option<Task>) -> Result<(), Error> {
    while let Some(task) = next.clone() {
        *next = match task {
            Task::DeleteAccount(person) => account_deletion::delete_pass(store, person).await?,
            Task::Sweep {
                token,
                people,
                from,
            } => account_deletion::sweep_pass(store, &token, &people, from).await?,
            other => panic!("{other}"),
        };
    }
    Ok(())
}

/// Copies every key to another database of the same server.
const SAVE: &str =
    "for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', 1) end";
/// Replaces every key by its copy.
const LOAD: &str = "redis.call('FLUSHDB') redis.call('SELECT', 1) \
    for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', 0) end";

/// Returns a script as one word of a command.
fn quoted(script: &str) -> String {
    format!("\"{script}\"")
}

/// Cuts a deletion off before each command whose number leaves this rest, until it completes. All deletions begin with
/// the same data on one server.
async fn cut_off_at(rest: usize) {
    let mut core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let store = core.store.clone();
    // Ids with several digits are not met by chance.
    core.redis.command(&["SET", "user:id:", "70300"]);
    let other = member(&store, "other").await;
    let third = member(&store, "third").await;
    let gone = member(&store, "gone").await;
    connect(&core, gone, other, third).await;
    core.redis.command(&["EVAL", &quoted(SAVE), "0"]);
    for commands in (rest..20 * MANY).step_by(RESTS) {
        core.redis.command(&["EVAL", &quoted(LOAD), "0"]);
        let mut next = None;
        let fused = store.with_fuse(Fuse::of(commands));
        let done = delete(&fused, gone, &mut next).await;
        core.drain().await;
        // A worker runs the same task again.
        run(&store, &mut next).await.expect("the store answers");
        core.drain().await;
        let is_deleted = store.user(gone).await.expect("an answer").is_none();
        if is_deleted {
            let left = traces(&mut core, gone, "gone");
            assert_eq!(left, Vec::<String>::new(), "{commands}");
        }
        match done {
            Ok(()) => {
                assert!(is_deleted && commands > 100, "{commands}");
                core.assert_sound().await;
                return;
            }
            Err(Error::Failpoint) => assert!(is_deleted || commands < 20, "{commands}"),
            Err(error) => panic!("cut off before command {commands}: {error}"),
        }
        if commands % 40 == rest {
            core.assert_sound().await;
        }
    }
    panic!("the deletion never completed");
}

#[tokio::test]
async fn a_deletion_cut_off_before_any_first_command_of_four_is_completed_or_has_not_begun() {
    cut_off_at(0).await;
}

#[tokio::test]
async fn a_deletion_cut_off_before_any_second_command_of_four_is_completed_or_has_not_begun() {
    cut_off_at(1).await;
}

#[tokio::test]
async fn a_deletion_cut_off_before_any_third_command_of_four_is_completed_or_has_not_begun() {
    cut_off_at(2).await;
}

#[tokio::test]
async fn a_deletion_cut_off_before_any_fourth_command_of_four_is_completed_or_has_not_begun() {
    cut_off_at(3).await;
}
