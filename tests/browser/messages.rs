//! A conversation in two windows: what one person writes appears with the other without a reload, and is marked as seen.

use std::time::Instant;

use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    costs::print_uncaptured,
    messages::{begun, pair, site},
    support::{PASSWORD, Person, waiting::eventually},
};

async fn log_in(browser: &Browser, login: &str) {
    browser.go("/login").await;
    browser.type_into("[name=login]", login).await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
}

/// Returns the texts of the open conversation, read at one moment because the page changes by itself.
async fn texts(browser: &Browser) -> Vec<String> {
    let read = "return [...document.querySelectorAll('.bubble > p[dir], .seen')]
        .map((part) => part.innerText.trim())";
    let texts = browser.evaluate(read, vec![json!(null)]).await;
    serde_json::from_value(texts).expect("a list of texts")
}

async fn show_read_marks(person: &Person) {
    let form = person
        .open("/settings/messages")
        .await
        .form("/settings/messages");
    person
        .submit_accepted(&form.set_new("read_marks", "1"))
        .await;
}

#[tokio::test]
async fn the_list_of_conversations_fits_with_text_twice_as_large() {
    let site = site().await;
    let (alice, _) = pair(&site).await;
    begun(&alice, "bob", "the first").await;
    site.drain().await;
    for width in [305, 320, 390] {
        let Some(browser) = Browser::with_text(&site, width, 32).await else {
            return;
        };
        log_in(&browser, "bob").await;
        browser.go("/messages").await;
        browser.photograph("chats").await;
        let fits = "const boxes = [...document.querySelectorAll('.chat-row > p:first-child > *')].map((part) => part.getBoundingClientRect());
            const meets = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
            const pairs = boxes.flatMap((one, at) => boxes.slice(at + 1).map((other) => [one, other]));
            return [boxes.length, pairs.some(([one, other]) => meets(one, other)), document.documentElement.scrollWidth <= innerWidth]";
        let seen = browser.evaluate(fits, vec![]).await;
        assert_eq!(seen, json!([3, false, true]), "{width}");
        browser.close().await;
    }
}

#[tokio::test]
async fn a_message_appears_in_the_window_of_the_other_and_is_marked_as_seen() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "the first").await;
    for person in [&alice, &bob] {
        show_read_marks(person).await;
    }
    let (Some(one), Some(other)) = (
        Browser::open(&site, 1280, Scripts::On).await,
        Browser::open(&site, 390, Scripts::On).await,
    ) else {
        return;
    };
    log_in(&one, "alice").await;
    log_in(&other, "bob").await;
    one.go(&path).await;
    other.go(&path).await;
    other
        .evaluate("document.body.dataset.kept = 1", Vec::new())
        .await;
    eventually("both windows show the first message as seen", async || {
        texts(&one).await == ["the first", "Seen"] && texts(&other).await == ["the first"]
    })
    .await;
    one.type_into("#message", "the second").await;
    let sent = Instant::now();
    one.click(".message-form [type=submit]").await;
    eventually("the other window shows the second message", async || {
        texts(&other).await == ["the first", "the second"]
    })
    .await;
    print_uncaptured(&format!(
        "time: a message was in the other window {} ms after the click\n",
        sent.elapsed().as_millis()
    ));
    let kept = other
        .evaluate("return document.body.dataset.kept", Vec::new())
        .await;
    assert_eq!(kept, "1", "the page was not loaded again");
    eventually("the author sees that it was seen", async || {
        texts(&one).await == ["the first", "the second", "Seen"]
    })
    .await;
    other.type_into("#message", "an answer").await;
    other.click(".message-form [type=submit]").await;
    eventually("the answer appears in the first window", async || {
        texts(&one).await.contains(&"an answer".to_owned())
    })
    .await;
}

#[tokio::test]
async fn the_unread_messages_and_the_time_are_beside_a_long_title() {
    let site = site().await;
    let (alice, _) = pair(&site).await;
    begun(&alice, "bob", "the first").await;
    let Some(browser) = Browser::open(&site, 320, Scripts::On).await else {
        return;
    };
    log_in(&browser, "bob").await;
    browser.go("/messages").await;
    let row = "const row = document.querySelector('.chat-row > p');
        row.querySelector('a').textContent = 'A conversation with a long name';
        const [title, badge, time] = ['a', '.badge', 'time'].map((css) => row.querySelector(css).getBoundingClientRect());
        return [title.right <= badge.left, badge.right <= time.left, Math.abs(badge.bottom - time.bottom) < 8]";
    let seen = browser.evaluate(row, vec![]).await;
    assert_eq!(seen, json!([true, true, true]));
    browser.photograph("unread-messages").await;
    browser.close().await;
}
