//! Members are notified of posts as their membership says.

use redwing::{
    domain::{Delivery, GroupKind, UserId},
    store::Store,
};

use super::group_of;
use crate::{
    notifications::members,
    support::{
        Person, Site,
        core::Core,
        crowd::{self, delete, people},
        groups::{deliver_to, join, leave, post},
    },
};

async fn lines_about_posts(store: &Store, person: UserId) -> Vec<String> {
    let mut lines = members(store, person).await;
    lines.retain(|line| line.starts_with("posted:"));
    lines
}

#[tokio::test]
async fn members_who_want_it_are_notified_once_of_each_post_and_of_no_reply() {
    let core = Core::with(&["--group-age-days", "0", "--pass-size", "2"]);
    let store = &core.store;
    let owner = crowd::member(store, "owner").await;
    let notified = people(store, "notified", 5).await;
    let quiet = crowd::member(store, "quiet").await;
    let group = group_of(store, GroupKind::Private, owner, &notified).await;
    join(store, group, quiet).await;
    for person in notified.iter().chain([&owner]) {
        deliver_to(store, group, *person, Delivery::Notified).await;
    }
    deliver_to(store, group, quiet, Delivery::Home).await;
    let id = post(store, group, owner, "news").await;
    crowd::reply(store, quiet, id, "a reply").await;
    core.drain().await;
    let line = format!("posted:{id}:{owner}");
    for person in &notified {
        assert_eq!(
            lines_about_posts(store, *person).await,
            std::slice::from_ref(&line)
        );
    }
    for person in [owner, quiet] {
        assert!(lines_about_posts(store, person).await.is_empty());
    }
    // An edit notifies no one again, and a later member is not notified of it.
    let late = crowd::member(store, "late").await;
    join(store, group, late).await;
    deliver_to(store, group, late, Delivery::Notified).await;
    crowd::edit(store, owner, id, "news, corrected").await;
    core.drain().await;
    assert!(lines_about_posts(store, late).await.is_empty());
    assert_eq!(lines_about_posts(store, notified[0]).await, [line]);
    delete(store, owner, id).await;
    core.drain().await;
    for person in &notified {
        assert!(lines_about_posts(store, *person).await.is_empty());
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn announcements_notify_at_first_and_a_former_member_reads_no_line() {
    let site = Site::with(&["--group-age-days", "0"]).await;
    let store = &site.store;
    let owner = crowd::member(store, "owner").await;
    let reader = Person::sign_up(&site, "reader").await;
    let uid = crowd::uid(store, "reader").await;
    let group = group_of(store, GroupKind::Announcement, owner, &[uid]).await;
    post(store, group, owner, "the harbour opens").await;
    site.drain().await;
    let page = reader.open("/notifications").await;
    assert!(page.visible_text().contains("posted in a group of yours"));
    assert!(page.html.contains("the harbour opens"));
    leave(store, group, uid).await;
    let page = reader.open("/notifications").await;
    assert!(!page.html.contains("the harbour opens"));
    site.assert_sound().await;
}
