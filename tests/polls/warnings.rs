//! A text with a warning is hidden behind it on each page that shows posts.

use crate::support::{Person, Site};

const LINE: &str = "Spiders, big ones";
const TEXT: &str = "Look at this one, @alice #spiders";

#[tokio::test]
async fn a_text_with_a_warning_is_hidden_on_every_page_that_shows_posts() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    alice.follow("bob").await;
    let form = alice.open("/lists").await.form("/lists").set("name", "All");
    alice.submit_accepted(&form).await;
    let form = alice.open("/@bob").await.form("/lists/1/members");
    alice.submit_accepted(&form).await;
    alice.open("/lists/1").await;
    let form = bob.open("/").await.form("/statuses").set("message", TEXT);
    bob.submit_accepted(&form.set("warning", LINE)).await;
    let id = bob.open("/@bob").await.status_ids()[0];
    for action in ["favourite", "bookmark"] {
        alice.press("/@bob", action, id).await;
    }
    let answer = alice.reply(id, "an answer below it").await;
    site.drain().await;
    for path in [
        "/important",
        "/",
        "/mentions",
        "/tags/spiders",
        "/search?q=look",
        "/lists/1",
        "/favourites",
        "/bookmarks",
        &format!("/@alice/{answer}"),
        &format!("/@bob/{id}"),
    ] {
        let page = alice.open(path).await;
        let folded = format!("#status-{id} details:not([open])");
        assert_eq!(page.text(&format!("{folded} > summary")), LINE, "{path}");
        assert_eq!(page.text(&format!("{folded} > .e-content")), TEXT, "{path}");
        assert_eq!(page.html.matches("Look at this").count(), 1, "{path}");
    }
    let notifications_page = alice.open("/notifications").await;
    assert_eq!(notifications_page.text(".notifications blockquote"), LINE);
    assert!(!notifications_page.html.contains("Look at this"));
}

#[tokio::test]
async fn a_repost_shows_the_warning_of_its_original() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let form = bob.open("/").await.form("/statuses").set("message", TEXT);
    bob.submit_accepted(&form.set("warning", LINE)).await;
    let id = bob.open("/@bob").await.status_ids()[0];
    alice.press("/@bob", "repost", id).await;
    let page = alice.open("/@alice").await;
    let folded = ".status details:not([open])";
    assert_eq!(page.text(&format!("{folded} > summary")), LINE);
    assert_eq!(page.text(&format!("{folded} > .e-content")), TEXT);
}
