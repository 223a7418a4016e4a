//! Delivery in passes as the author sees it: its progress, on the status's own page.

use redwing::{
    actions::fan_out,
    domain::{Audience, FanOutProgress, StatusId, Task},
};

use crate::support::{Page, Person, Site, crowd};

/// Signs up an author with a post and 70 followers, who are served 20 at a time.
async fn author() -> (Site, Person, u64) {
    let site = Site::with(&["--pass-size", "20"]).await;
    let author = Person::sign_up(&site, "author").await;
    let uid = crowd::uid(&site.store, "author").await;
    crowd::followers(&site.store, uid, 70).await;
    let id = author.post("to all of you").await;
    (site, author, id)
}

async fn permalink(person: &Person, id: u64) -> Page {
    person.open(&format!("/@author/{id}")).await
}

async fn deliver(site: &Site, id: u64, from: FanOutProgress) -> Option<FanOutProgress> {
    let call = site.store.begin().await.expect("the store answers");
    let id = StatusId::new(id).expect("an id");
    let pass = fan_out::deliver_pass(&site.store, &call, id, from).await;
    match pass.expect("the store answers") {
        Some(Task::Deliver { from, .. }) => Some(from),
        other => {
            assert_eq!(other, None);
            None
        }
    }
}

#[tokio::test]
async fn an_author_sees_the_progress_of_a_delivery_until_it_is_complete() {
    let (site, author, id) = author().await;
    let page = permalink(&author, id).await;
    let words = "Delivered to 20 of 70 followers so far.";
    assert_eq!(page.text("#progress"), words);
    let bar = "progress[aria-labelledby=progress][value=\"20\"][max=\"70\"]";
    assert!(page.has(bar), "{}", page.html);
    let first = deliver(&site, id, FanOutProgress::START)
        .await
        .expect("there are more");
    let page = permalink(&author, id).await;
    assert_eq!(
        page.text("#progress"),
        words,
        "a pass done twice counts once"
    );
    deliver(&site, id, first).await;
    let page = permalink(&author, id).await;
    assert_eq!(
        page.text("#progress"),
        "Delivered to 40 of 70 followers so far."
    );
    deliver(&site, id, FanOutProgress::START).await;
    let page = permalink(&author, id).await;
    assert_eq!(
        page.text("#progress"),
        "Delivered to 40 of 70 followers so far."
    );
    site.drain().await;
    assert!(!permalink(&author, id).await.has("#progress, progress"));
    site.assert_sound().await;
}

#[tokio::test]
async fn only_the_author_sees_the_progress() {
    let (site, author, id) = author().await;
    let others = [Person::visitor(&site), Person::sign_up(&site, "bob").await];
    for other in &others {
        assert!(!permalink(other, id).await.has("#progress, progress"));
    }
    assert!(!author.open("/").await.has("progress"), "nor on a timeline");
    let uid = crowd::uid(&site.store, "bob").await;
    crowd::follow(&site.store, uid, crowd::uid(&site.store, "author").await).await;
    assert!(!permalink(&others[1], id).await.has("#progress, progress"));
}

#[tokio::test]
async fn the_progress_follows_changes_of_the_followers() {
    let (site, author, id) = author().await;
    let late = crowd::member(&site.store, "late").await;
    crowd::follow(&site.store, late, crowd::uid(&site.store, "author").await).await;
    let page = permalink(&author, id).await;
    assert_eq!(
        page.text("#progress"),
        "Delivered to 20 of 71 followers so far."
    );
}

#[tokio::test]
async fn a_delivery_of_one_pass_shows_no_progress() {
    let site = Site::with(&["--pass-size", "20"]).await;
    let author = Person::sign_up(&site, "author").await;
    let uid = crowd::uid(&site.store, "author").await;
    crowd::followers(&site.store, uid, 19).await;
    let id = author.post("to a few").await;
    assert!(!permalink(&author, id).await.has("#progress, progress"));
    let twentieth = crowd::member(&site.store, "twentieth").await;
    crowd::follow(&site.store, twentieth, uid).await;
    let id = author.post("to exactly one pass").await;
    assert!(!permalink(&author, id).await.has("#progress, progress"));
}

#[tokio::test]
async fn pending_lists_show_no_progress() {
    let site = Site::with(&["--pass-size", "20"]).await;
    let author = Person::sign_up(&site, "author").await;
    let uid = crowd::uid(&site.store, "author").await;
    let followers = crowd::followers(&site.store, uid, 30).await;
    for owner in &followers {
        crowd::list(&site.store, *owner, &[uid]).await;
    }
    let id = author.post("to homes and lists").await;
    let words = permalink(&author, id).await.text("#progress");
    assert_eq!(words, "Delivered to 20 of 30 followers so far.");
    let half = deliver(&site, id, FanOutProgress::START)
        .await
        .expect("more");
    let lists = deliver(&site, id, half).await.expect("lists are left");
    assert_eq!(lists.audience, Audience::Listed);
    assert!(!permalink(&author, id).await.has("#progress, progress"));
    let rest = deliver(&site, id, lists).await;
    assert_eq!(rest.map(|rest| rest.audience), Some(Audience::Listed));
    assert!(!permalink(&author, id).await.has("#progress, progress"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_post_deleted_during_delivery_leaves_no_progress() {
    let (site, author, id) = author().await;
    author.delete(id).await;
    assert_eq!(author.get(&format!("/@author/{id}")).await.status, 404);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_unfinished_delivery_shows_no_progress_after_a_day() {
    let (site, author, id) = author().await;
    let key = format!("status:{{{id}}}");
    site.redis
        .command(&["HSET", &key, "posted", "1767225600000"]);
    assert!(!permalink(&author, id).await.has("#progress, progress"));
}
