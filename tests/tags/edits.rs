//! Edits that change the tags and mentions of a status: afterwards it is indexed by its current
//! text only.

use redwing::{
    actions::statuses,
    domain::{StatusId, UserId},
    store::{Store, Viewer, VisibleStatus},
};

use crate::support::{
    core::Core,
    crowd::{edit, follow_tag, home, member, people, post, tag_named},
};

/// Edits the status and runs all resulting tasks.
async fn edit_text(core: &Core, author: UserId, id: StatusId, text: &str) {
    edit(&core.store, author, id, text).await;
    core.drain().await;
}

async fn has(store: &Store, tag: &str) -> Vec<StatusId> {
    let page = store
        .tag_page(Viewer::Anonymous, &tag_named(tag), None)
        .await;
    let items = page.expect("an answer").items;
    items.iter().map(VisibleStatus::id).collect()
}

#[tokio::test]
async fn a_status_with_changed_tags_leaves_homes_of_its_former_tags() {
    let core = Core::with(&["--pass-size", "2"]);
    let store = &core.store;
    let author = member(store, "author").await;
    let readers = people(store, "reader", 6).await;
    for (number, reader) in readers.iter().enumerate() {
        home(store, *reader).await;
        follow_tag(store, *reader, ["birds", "cats", "dogs"][number % 3]).await;
    }
    follow_tag(store, readers[0], "dogs").await;
    let id = post(store, author, "of #birds and #cats").await;
    core.drain().await;
    let who = async || {
        let mut who = Vec::new();
        for (number, reader) in readers.iter().enumerate() {
            if !home(store, *reader).await.is_empty() {
                who.push(number);
            }
        }
        who
    };
    assert_eq!(who().await, [0, 1, 3, 4]);
    edit_text(&core, author, id, "of #dogs and #cats").await;
    assert_eq!(who().await, [0, 1, 2, 4, 5], "only followers of birds");
    assert!(has(store, "birds").await.is_empty());
    assert_eq!(has(store, "dogs").await, [id]);
    core.assert_sound().await;
    edit_text(&core, author, id, "of #birds").await;
    assert_eq!(who().await, [0, 3]);
    statuses::delete(store, author, id)
        .await
        .expect("an answer");
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_removed_mention_removes_the_status_from_the_mentions_page() {
    let core = Core::start();
    let store = &core.store;
    let author = member(store, "author").await;
    let ann = member(store, "ann").await;
    let ben = member(store, "ben").await;
    let id = post(store, author, "hello @ann").await;
    let mentions = async |of| {
        let page = store.mentions_page(of, None).await.expect("an answer");
        page.items.len()
    };
    assert_eq!([mentions(ann).await, mentions(ben).await], [1, 0]);
    edit_text(&core, author, id, "hello @ben").await;
    assert_eq!([mentions(ann).await, mentions(ben).await], [0, 1]);
    core.assert_sound().await;
    statuses::delete(store, author, id)
        .await
        .expect("an answer");
    assert_eq!([mentions(ann).await, mentions(ben).await], [0, 0]);
    core.assert_sound().await;
}
