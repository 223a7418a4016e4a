//! Replies as users write and read them: from a permalink, in the conversation, and on profiles.

mod delivery;
mod gaps;
mod races;
mod size;
mod tombstones;

use reqwest::StatusCode;

use crate::support::{Page, Person, Site};

struct Two {
    site: Site,
    alice: Person,
    bob: Person,
}

async fn two() -> Two {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    Two { site, alice, bob }
}

/// Returns the texts of the cards directly in an element, without nested ones.
fn messages(page: &Page, css: &str) -> Vec<String> {
    page.texts(&format!("{css} > .status-body > .e-content"))
}

#[tokio::test]
async fn a_reply_is_under_its_parent_and_below_it_on_its_own_page() {
    let Two { site, alice, bob } = two().await;
    let question = alice.post("Who has seen the boat?").await;
    bob.follow("alice").await;
    let home = bob.open("/").await;
    let way = home.attributes(&format!("#status-{question} a.reply"), "href");
    assert_eq!(way, [format!("/@alice/{question}#message")]);

    let page = bob.open(&way[0]).await;
    assert!(page.has("#reply form[action=\"/statuses\"]"));
    assert_eq!(
        page.text("#reply label"),
        "Your reply to alice of the tests"
    );
    let form = page.form("/statuses").set("message", "I have.");
    let posted = bob.submit_accepted(&form).await;
    let reply = bob.open("/@bob/replies").await.status_ids()[0];
    assert_eq!(
        posted.location(),
        format!("/statuses/{question}?reply={reply}#status-{reply}")
    );
    let back = bob.open(posted.location()).await;
    assert_eq!(
        messages(&back, "article.subject"),
        ["Who has seen the boat?"]
    );
    assert!(back.has(&format!(".reply-list #status-{reply}")));

    let own = bob.open(&format!("/@bob/{reply}")).await;
    assert_eq!(
        messages(&own, ".ancestors article"),
        ["Who has seen the boat?"]
    );
    assert_eq!(messages(&own, "article.subject"), ["I have."]);
    let answering = own.attributes("article.subject .u-in-reply-to", "href");
    assert_eq!(answering, [format!("/@alice/{question}")]);
    assert_eq!(
        own.text("article.subject .replying-to"),
        "Replying to @alice"
    );

    let asked = Person::visitor(&site)
        .open(&format!("/@alice/{question}"))
        .await;
    assert_eq!(messages(&asked, ".subject .p-comment.h-entry"), ["I have."]);
    assert_eq!(asked.text(".replies-head"), "Replies");
    assert_eq!(asked.text(".subject > .status-body a.replies"), "1 reply");
    assert_eq!(asked.text("h1"), "A post by alice of the tests");
    let title = asked.text("title");
    assert!(
        title.starts_with("alice of the tests: Who has seen"),
        "{title}"
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn a_visitor_logs_in_and_returns() {
    let Two { site, alice, .. } = two().await;
    let id = alice.post("hello").await;
    let path = format!("/@alice/{id}");
    let page = Person::visitor(&site).open(&path).await;
    assert!(!page.has("form[action=\"/statuses\"]") && !page.has("a.reply"));
    let way = page.attributes("#reply a", "href");
    assert_eq!(way, [format!("/login?next=%2F%40alice%2F{id}")]);
}

#[tokio::test]
async fn a_reply_that_is_refused_comes_back_where_it_was_written() {
    let Two {
        site: _site,
        alice,
        bob,
    } = two().await;
    let id = alice.post("hello").await;
    let form = bob.open(&format!("/@alice/{id}")).await.form("/statuses");
    let long = "x".repeat(501);
    let answer = bob.submit(&form.set("message", &long)).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(messages(&answer, "article.subject"), ["hello"]);
    let again = answer.form("/statuses");
    assert_eq!(again.value("message"), long);
    assert_eq!(again.value("reply_to"), id.to_string());
    assert!(answer.has("#reply [aria-invalid]"));
    bob.submit_accepted(&again.set("message", "shorter")).await;
    let page = bob.open(&format!("/@alice/{id}")).await;
    assert_eq!(messages(&page, ".p-comment"), ["shorter"]);
}

#[tokio::test]
async fn a_reply_to_a_meanwhile_deleted_post_keeps_its_text() {
    let Two { site, alice, bob } = two().await;
    let id = alice.post("not for long").await;
    let form = bob.open(&format!("/@alice/{id}")).await.form("/statuses");
    let form = form.set("message", "a long answer");
    alice.delete(id).await;
    let answer = bob.submit(&form).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    answer.assert_helpful();
    assert_eq!(answer.text("h1"), "This post was deleted");
    let words = answer.visible_text();
    let advice = "To post the text as a new post, send it from here.";
    assert!(words.contains(advice), "{words}");
    let again = answer.form("/statuses");
    assert_eq!(again.value("message"), "a long answer");
    assert!(again.fields.iter().all(|(name, _)| name != "reply_to"));
    bob.submit_accepted(&again).await;
    assert_eq!(bob.open("/@bob").await.messages(), ["a long answer"]);
    let invalid = bob.submit(&form.set("message", "")).await;
    assert_eq!(invalid.status, StatusCode::NOT_FOUND);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_same_form_again_makes_one_reply_and_none_to_another_post() {
    let Two {
        site: _site,
        alice,
        bob,
    } = two().await;
    let (first, second) = (alice.post("first").await, alice.post("second").await);
    let form = bob
        .open(&format!("/@alice/{first}"))
        .await
        .form("/statuses");
    let form = form.set("message", "once");
    let posted = bob.submit_accepted(&form).await;
    assert_eq!(
        bob.submit_accepted(&form).await.location(),
        posted.location()
    );
    let elsewhere = form.clone().set("reply_to", &second.to_string());
    assert_eq!(bob.submit(&elsewhere).await.status, StatusCode::CONFLICT);
    let nonsense = form.clone().set("reply_to", "12x");
    assert_eq!(bob.submit(&nonsense).await.status, StatusCode::BAD_REQUEST);
    alice.delete(first).await;
    let after = bob.submit_accepted(&form).await;
    assert_eq!(after.location(), posted.location(), "it was posted before");
    assert_eq!(bob.open("/@bob/replies").await.messages(), ["once"]);
}

#[tokio::test]
async fn a_typed_reply_survives_the_log_in() {
    let Two { site, alice, bob } = two().await;
    let id = alice.post("hello").await;
    let form = bob.open(&format!("/@alice/{id}")).await.form("/statuses");
    let other = Person::log_in(&site, "bob").await;
    let sessions = other.open("/settings/sessions").await;
    other
        .submit_accepted(&sessions.form("/settings/sessions/revoke-all"))
        .await;
    let answer = bob.submit(&form.set("message", "I am back")).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let log_in = answer.form("/login");
    let log_in = log_in
        .set("login", "bob")
        .set("password", crate::support::PASSWORD);
    let back = bob.submit_accepted(&log_in).await;
    assert_eq!(
        bob.get(back.location()).await.location(),
        format!("/@alice/{id}#message")
    );
    let form = bob.open(back.location()).await.form("/statuses");
    assert_eq!(form.value("message"), "I am back");
    bob.submit_accepted(&form).await;
    let page = bob.open(&format!("/@alice/{id}")).await;
    assert_eq!(messages(&page, ".p-comment"), ["I am back"]);
    assert_eq!(page.form("/statuses").value("message"), "");
}

#[tokio::test]
async fn a_typed_reply_to_a_deleted_post_is_returned_after_the_log_in() {
    let Two { site, alice, bob } = two().await;
    let id = alice.post("hello").await;
    let form = bob.open(&format!("/@alice/{id}")).await.form("/statuses");
    let other = Person::log_in(&site, "bob").await;
    let sessions = other.open("/settings/sessions").await;
    other
        .submit_accepted(&sessions.form("/settings/sessions/revoke-all"))
        .await;
    let answer = bob.submit(&form.set("message", "I am back")).await;
    let log_in = answer.form("/login");
    let log_in = log_in
        .set("login", "bob")
        .set("password", crate::support::PASSWORD);
    let back = bob.submit_accepted(&log_in).await;
    alice.delete(id).await;
    let page = bob.get(back.location()).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert_eq!(page.form("/statuses").value("message"), "I am back");
}

#[tokio::test]
async fn a_profile_shows_posts_first_and_replies_besides() {
    let Two { site, alice, bob } = two().await;
    let id = alice.post("hello").await;
    bob.reply(id, "hi").await;
    let first = bob.open("/@bob").await;
    assert_eq!(first.text("#empty-title"), "Only replies so far");
    bob.post("on my own").await;
    let visitor = Person::visitor(&site);
    assert_eq!(visitor.open("/@bob").await.messages(), ["on my own"]);
    let all = visitor.open("/@bob/replies").await;
    assert_eq!(all.messages(), ["on my own", "hi"]);
    assert_eq!(all.texts(".subtabs [aria-current]"), ["Replies"]);
    assert_eq!(all.text(".replying-to"), "Replying to @alice");
    assert_eq!(all.text("[data-count=posts]"), "2 posts");
    let reply = all.status_ids()[1];
    bob.delete(reply).await;
    assert_eq!(
        visitor.open("/@bob/replies").await.messages(),
        ["on my own"]
    );
}

#[tokio::test]
async fn both_views_of_a_profile_go_on_page_by_page() {
    let Two {
        site: _site,
        alice,
        bob,
    } = two().await;
    let id = alice.post("hello").await;
    for number in 0..33 {
        bob.post(&format!("post {number}")).await;
        bob.reply(id, &format!("reply {number}")).await;
    }
    let posts = bob.ids("/@bob").await;
    let all = bob.ids("/@bob/replies").await;
    assert_eq!((posts.len(), all.len()), (33, 66));
    assert!(all.is_sorted_by(|newer, older| newer > older));
    let pages = bob.pages("/@bob/replies").await;
    assert!(
        pages
            .iter()
            .all(|page| page.texts(".subtabs [aria-current]") == ["Replies"])
    );
}

#[tokio::test]
async fn a_card_shows_its_reply_count_and_its_parent() {
    let Two { site, alice, bob } = two().await;
    alice.follow("bob").await;
    bob.follow("alice").await;
    let id = alice.post("hello").await;
    let reply = bob.reply(id, "one").await;
    bob.reply(id, "two").await;
    let home = alice.open("/").await;
    assert_eq!(home.text(&format!("#status-{id} a.reply b")), "2");
    let visitor = Person::visitor(&site);
    let replies = visitor
        .open("/@alice")
        .await
        .attributes("a.replies", "href");
    assert_eq!(replies, [format!("/@alice/{id}")]);
    let to = home.attributes(&format!("#status-{reply} .u-in-reply-to"), "href");
    assert_eq!(to, [format!("/@alice/{id}")]);
    bob.delete(reply).await;
    assert_eq!(
        alice
            .open("/")
            .await
            .text(&format!("#status-{id} a.reply b")),
        "1"
    );
    alice.delete(id).await;
    let home = bob.open("/").await;
    assert_eq!(home.messages(), ["two"]);
    assert_eq!(home.text(".replying-to"), "Replying to a deleted post");
    assert!(!home.has(".u-in-reply-to"), "it names no one");
}

#[tokio::test]
async fn a_reply_to_a_plain_repost_is_a_reply_to_the_original() {
    let Two {
        site: _site,
        alice,
        bob,
    } = two().await;
    let original = alice.post("hello").await;
    bob.press("/@alice", "repost", original).await;
    let repost = bob.open("/@bob").await.status_ids()[0];
    assert_ne!(repost, original);
    bob.reply(repost, "well said").await;
    let page = bob.open(&format!("/@alice/{original}")).await;
    assert_eq!(messages(&page, ".p-comment"), ["well said"]);
}
