//! A source of a timeline that is removed, interrupted before each command, and added again. A status that
//! is deleted between the two is not withdrawn from the timeline, because the source is none then.

use redwing::{
    actions::{follows, groups as group_actions, lists, tag_follows},
    domain::{GroupKind, StatusId, Timeline, UserId},
    store::{Error, OwnChange, Store},
    worker,
};

use super::{cut_off_everywhere, home};
use crate::support::{
    core::Core,
    crowd::{delete, follow, follow_tag, list, member, post, tag_named},
    groups::{self, draft, found, join},
};

struct Scene<Source> {
    reader: UserId,
    author: UserId,
    source: Source,
    timeline: Timeline,
    id: StatusId,
}

/// Returns an author and a reader with an active home.
async fn author_and_reader(core: &Core, number: usize) -> [UserId; 2] {
    let author = member(&core.store, &format!("author_{number}")).await;
    let reader = member(&core.store, &format!("reader_{number}")).await;
    home(&core.store, reader).await;
    [author, reader]
}

/// Runs the tasks of now, but no outbox entry.
async fn run_tasks(core: &Core) {
    let done = worker::do_some(&core.store, usize::MAX).await;
    done.expect("every task succeeds");
}

/// Removes the source, deletes the status and adds the source again. Expects that the timeline is empty.
async fn removed_and_added_again<Source>(
    core: &Core,
    scene: impl AsyncFn(usize) -> Scene<Source>,
    remove: impl AsyncFn(&Store, &Scene<Source>) -> Result<(), Error>,
    add: impl AsyncFn(&Scene<Source>),
) {
    let store = &core.store;
    cut_off_everywhere(
        core,
        async |number| {
            let scene = scene(number).await;
            let before = store.timeline_ids(scene.timeline).await;
            assert_eq!(before.expect("an answer"), [scene.id]);
            scene
        },
        async |broken, scene| {
            let removed = remove(broken, scene).await;
            delete(store, scene.author, scene.id).await;
            run_tasks(core).await;
            add(scene).await;
            removed
        },
        async |scene| {
            let after = store.timeline_ids(scene.timeline).await;
            assert_eq!(after.expect("an answer"), []);
        },
    )
    .await;
}

#[tokio::test]
async fn a_follow_after_an_unfollow_that_was_cut_off_brings_no_deleted_status() {
    let core = Core::start();
    let store = &core.store;
    removed_and_added_again(
        &core,
        async |number| {
            let [author, reader] = author_and_reader(&core, number).await;
            let id = post(store, author, "not for long").await;
            follow(store, reader, author).await;
            let timeline = Timeline::Home(reader);
            Scene {
                reader,
                author,
                source: (),
                timeline,
                id,
            }
        },
        async |broken, scene| follows::unfollow(broken, scene.reader, scene.author).await,
        async |scene| follow(store, scene.reader, scene.author).await,
    )
    .await;
}

#[tokio::test]
async fn a_tag_followed_again_brings_no_deleted_status() {
    let core = Core::start();
    let store = &core.store;
    removed_and_added_again(
        &core,
        async |number| {
            let [author, reader] = author_and_reader(&core, number).await;
            let source = format!("tag_{number}");
            follow_tag(store, reader, &source).await;
            let id = post(store, author, &format!("not for long #{source}")).await;
            let timeline = Timeline::Home(reader);
            Scene {
                reader,
                author,
                source,
                timeline,
                id,
            }
        },
        async |broken, scene| {
            tag_follows::unfollow(broken, scene.reader, &tag_named(&scene.source)).await
        },
        async |scene| follow_tag(store, scene.reader, &scene.source).await,
    )
    .await;
}

#[tokio::test]
async fn a_person_listed_again_brings_no_deleted_status() {
    let core = Core::start();
    let store = &core.store;
    removed_and_added_again(
        &core,
        async |number| {
            let [author, reader] = author_and_reader(&core, number).await;
            let id = post(store, author, "not for long").await;
            follow(store, reader, author).await;
            let source = list(store, reader, &[author]).await;
            let timeline = Timeline::List(source);
            Scene {
                reader,
                author,
                source,
                timeline,
                id,
            }
        },
        async |broken, scene| {
            let removed = lists::remove(broken, scene.reader, scene.source.number, scene.author);
            removed.await.map(drop)
        },
        async |scene| {
            let added = lists::add(store, scene.reader, scene.source.number, scene.author).await;
            added.expect("an answer");
        },
    )
    .await;
}

#[tokio::test]
async fn a_group_joined_again_brings_no_deleted_post() {
    let core = Core::with(&["--group-age-days", "0"]);
    let store = &core.store;
    removed_and_added_again(
        &core,
        async |number| {
            let [author, reader] = author_and_reader(&core, number).await;
            let draft = draft(&format!("group-{number}"), GroupKind::Public);
            let source = found(store, author, &draft).await;
            join(store, source, reader).await;
            let id = groups::post(store, source, author, "not for long").await;
            run_tasks(&core).await;
            let timeline = Timeline::Home(reader);
            Scene {
                reader,
                author,
                source,
                timeline,
                id,
            }
        },
        async |broken, scene| {
            let left = group_actions::change(broken, scene.reader, scene.source, OwnChange::Leave);
            left.await.map(drop)
        },
        async |scene| join(store, scene.source, scene.reader).await,
    )
    .await;
}
