//! The moderators of a group remove posts.

use redwing::{
    actions::statuses::group_posts,
    domain::{GroupAct, GroupKind, StatusId, UserId},
    store::{RemovePostOutcome, Store, Viewer},
};

use super::group_of;
use crate::support::{
    core::Core,
    crowd::{self, member, people},
    groups,
};

async fn remove(store: &Store, by: UserId, id: StatusId) -> RemovePostOutcome {
    let removed = group_posts::remove(store, by, id, "Off topic.".to_owned()).await;
    removed.expect("an answer")
}

#[tokio::test]
async fn moderators_remove_posts_of_members_with_an_entry_in_the_log() {
    let core = Core::with(&["--group-age-days", "0"]);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let [moderator, author, plain, stranger] =
        people(store, "person", 4).await.try_into().expect("four");
    let members = [moderator, author, plain];
    let group = group_of(store, GroupKind::Private, owner, &members).await;
    groups::promote(store, group, owner, moderator).await;
    let id = groups::post(store, group, author, "off topic").await;
    let by_owner = groups::post(store, group, owner, "a rule").await;
    use RemovePostOutcome::{Done, NotFound};
    for (by, id, outcome) in [
        (plain, id, NotFound),
        (stranger, id, NotFound),
        (author, id, NotFound),
        (moderator, by_owner, NotFound),
        (moderator, id, Done),
        (moderator, id, NotFound),
    ] {
        assert_eq!(remove(store, by, id).await, outcome, "by {by}");
    }
    core.drain().await;
    for (viewer, sees) in [
        (owner, false),
        (moderator, false),
        (plain, false),
        (author, true),
    ] {
        let seen = store.status(Viewer::Member(viewer), id).await;
        assert_eq!(seen.expect("an answer").is_some(), sees);
    }
    assert_eq!(
        super::page_of(store, Viewer::Member(owner), group).await,
        [by_owner]
    );
    let log = store
        .group_acts(group, None)
        .await
        .expect("an answer")
        .items;
    let removals = log.iter().filter(|entry| {
        matches!(&entry.logged.act, GroupAct::RemovePost(event, post)
            if event.person == author && event.note == "Off topic." && *post == id)
    });
    assert_eq!(removals.count(), 1);
    let notices = store.group_notices(author).await.expect("an answer");
    let about = notices.iter();
    let about = about.filter(|(notice, _)| matches!(notice.act, GroupAct::RemovePost(..)));
    assert_eq!(about.count(), 1);
    // The author still deletes it.
    crowd::delete(store, author, id).await;
    core.assert_sound().await;
}
