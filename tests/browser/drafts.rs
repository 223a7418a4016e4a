//! Drafts in the browser: a draft survives every failure to post, and is removed when the site
//! confirms the post.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{
        Person, Site,
        pool::Redis,
        proxied_server::ProxiedServer,
        proxy::{Fault, When},
        redis::RedisServer,
        waiting::eventually,
    },
};

const DRAFT: &str = "half an hour of typing";
const SEND: &str = "[data-compose] [type=submit]:not([name])";

/// Opens a browser at home with a draft in the form.
async fn typing(site: &Site) -> Option<Browser> {
    typing_at(&site.base).await
}

async fn typing_at(base: &str) -> Option<Browser> {
    let browser = Browser::at(base, 1280, Scripts::On).await?;
    browser.sign_up("alice", "Alice").await;
    browser.type_into("[name=message]", DRAFT).await;
    Some(browser)
}

async fn typed(browser: &Browser) -> Value {
    browser.go("/").await;
    message(browser).await
}

async fn message(browser: &Browser) -> Value {
    let script = "return document.querySelector('[name=message]').value";
    browser.evaluate(script, Vec::new()).await
}

/// Loads a new page and waits until its form has the draft. The rest of a long form is loaded first.
async fn restored(browser: &Browser) {
    browser.go("/").await;
    eventually("the draft is in the form of a new page", async || {
        message(browser).await == DRAFT
    })
    .await;
}

#[tokio::test]
async fn a_draft_outlives_a_site_that_cannot_read_its_data() {
    let mut site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    site.redis.kill();
    browser.go("/").await;
    assert!(
        !browser.has("[name=message]").await,
        "a visitor has no draft form"
    );
    site.redis.restart();
    site.store.ready().await.expect("Redis is back");
    eventually("the draft is back in the form", async || {
        browser.go("/").await;
        browser.has("[name=message]").await
    })
    .await;
    assert_eq!(typed(&browser).await, DRAFT);
    browser.close().await;
}

#[tokio::test]
async fn a_draft_without_an_answer_is_preserved() {
    let site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    let astray = "document.querySelector('[data-compose]').action = 'http://127.0.0.1:1/'";
    browser.evaluate(astray, Vec::new()).await;
    browser
        .click("[data-compose] [type=submit]:not([name])")
        .await;
    assert_eq!(typed(&browser).await, DRAFT);
    browser.close().await;
}

#[tokio::test]
async fn a_draft_that_was_posted_without_an_answer_is_not_posted_twice() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let proxied =
        ProxiedServer::start(&site, Duration::from_secs(10), Duration::from_secs(3)).await;
    let Some(browser) = typing_at(&proxied.base).await else {
        return;
    };
    // Loads all scripts in Redis beforehand.
    Person::sign_up(&site, "bob").await.post("hello").await;
    // Loses the answer of the step that writes the post. The post is written, but the client does not know.
    proxied.proxy.strike(Fault::LoseAnswer, When::Always, DRAFT);
    browser
        .click("[data-compose] [type=submit]:not([name])")
        .await;
    eventually("the form came back", async || {
        browser.has(".retained").await
    })
    .await;
    proxied.proxy.pass();
    restored(&browser).await;
    browser
        .click_through("[data-compose] [type=submit]:not([name])", "/")
        .await;
    assert_eq!(typed(&browser).await, "");
    let visitor = Person::visitor(&site);
    assert_eq!(visitor.open("/@alice").await.messages(), [DRAFT]);
    browser.close().await;
}

#[tokio::test]
async fn after_a_lost_answer_another_text_is_posted_from_the_page_loaded_anew() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let proxied =
        ProxiedServer::start(&site, Duration::from_secs(10), Duration::from_secs(3)).await;
    let Some(browser) = typing_at(&proxied.base).await else {
        return;
    };
    Person::sign_up(&site, "bob").await.post("hello").await;
    proxied.proxy.strike(Fault::LoseAnswer, When::Always, DRAFT);
    browser
        .click("[data-compose] [type=submit]:not([name])")
        .await;
    eventually("the form came back", async || {
        browser.has(".retained").await
    })
    .await;
    proxied.proxy.pass();
    restored(&browser).await;
    browser.type_into("[name=message]", "!").await;
    browser
        .click_through("[data-compose] [type=submit]:not([name])", "/")
        .await;
    let visitor = Person::visitor(&site);
    let other = format!("{DRAFT}!");
    // The outbox entry of the first post completes it.
    site.drain().await;
    assert_eq!(
        visitor.open("/@alice").await.messages(),
        [other.as_str(), DRAFT]
    );
    browser.close().await;
}

#[tokio::test]
async fn a_draft_that_was_posted_is_gone() {
    let site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    browser
        .click_through("[data-compose] [type=submit]:not([name])", "/")
        .await;
    assert_eq!(typed(&browser).await, "");
    browser.close().await;
}

#[tokio::test]
async fn an_edit_of_a_deleted_post_leaves_the_draft_of_a_new_post() {
    let site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    let phone = Person::log_in(&site, "alice").await;
    let id = phone.post("one").await;
    browser.go(&format!("/statuses/{id}/edit")).await;
    browser.type_into("[name=message]", ", edited").await;
    phone.delete(id).await;
    browser.click_away(SEND).await;
    assert!(browser.has(".retained [name=edit_of]").await);
    let stored =
        "return Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).sort()";
    let apart = format!("draft:alice:edit_of:{id}");
    let expected = json!(["draft:alice", apart]);
    assert_eq!(browser.evaluate(stored, Vec::new()).await, expected);
    browser.click_through(SEND, "/").await;
    assert_eq!(typed(&browser).await, DRAFT);
    let expected = json!(["draft:alice"]);
    assert_eq!(browser.evaluate(stored, Vec::new()).await, expected);
    let visitor = Person::visitor(&site);
    let posts = visitor.open("/@alice").await;
    assert_eq!(posts.messages(), ["one, edited"]);
    browser.close().await;
}

#[tokio::test]
async fn a_draft_is_the_whole_form() {
    let site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    browser.open_extras().await;
    for (field, text) in [
        ("warning", "the end of the film"),
        ("option_1", "Tea"),
        ("option_2", "Coffee"),
    ] {
        browser.type_into(&format!("[name={field}]"), text).await;
    }
    browser.click("[name=several]").await;
    let choose = "const hours = document.querySelector('[name=hours]');
        hours.value = hours.options[2].value;
        hours.dispatchEvent(new Event('input', { bubbles: true }));";
    browser.evaluate(choose, Vec::new()).await;
    let fields = "const form = document.querySelector('[data-compose]');
        return [...['message', 'warning', 'option_1', 'option_2', 'hours'].map((name) => form.elements[name]?.value),
            form.elements.several?.checked, ...[...form.querySelectorAll('details.extras')].map((part) => part.open)];";
    let written = browser.evaluate(fields, Vec::new()).await;
    browser.go("/").await;
    eventually("the whole draft is back", async || {
        browser.evaluate(fields, Vec::new()).await == written
    })
    .await;
    browser
        .click_through("[data-compose] [type=submit]:not([name])", "/")
        .await;
    let page = Person::visitor(&site).open("/@alice").await;
    assert_eq!(page.texts(".warned > summary"), ["the end of the film"]);
    assert!(page.has(".poll"));
    assert_eq!(typed(&browser).await, "");
    browser.close().await;
}

#[tokio::test]
async fn a_log_out_with_a_draft_asks_first() {
    let site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    let log_out = "window.asked = [];
        window.confirm = (words) => { window.asked.push(words); return false; };
        document.querySelector('.log-out').requestSubmit();
        return window.asked.length;";
    assert_eq!(browser.evaluate(log_out, Vec::new()).await, 1);
    assert_eq!(typed(&browser).await, DRAFT);
    browser.close().await;
}

#[tokio::test]
async fn a_log_out_after_the_draft_was_emptied_does_not_ask() {
    let site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    browser.open_extras().await;
    let log_out = "window.asked = 0;
        window.confirm = () => { window.asked += 1; return false; };
        const form = document.querySelector('.log-out');
        form.addEventListener('submit', (event) => event.preventDefault());
        const message = document.querySelector('[name=message]');
        message.value = '';
        message.dispatchEvent(new Event('input', { bubbles: true }));
        form.requestSubmit();
        return window.asked;";
    assert_eq!(browser.evaluate(log_out, Vec::new()).await, 0);
    browser.close().await;
}

#[tokio::test]
async fn a_restored_draft_leaves_the_buttons_of_the_form_as_they_are() {
    let site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    restored(&browser).await;
    let values = "return [...document.querySelectorAll('[data-compose] [name=extras]')].map((button) => button.value)";
    assert_eq!(
        browser.evaluate(values, Vec::new()).await,
        json!(["warning", "poll", "replies", "preview", "thread"])
    );
    browser.click(".preview-button").await;
    eventually("the preview is there", async || {
        browser.texts(".compose .preview .e-content").await == [DRAFT]
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn a_preview_appears_in_the_form_until_the_text_changes() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go("/").await;
    assert!(!browser.has(".preview-button").await);
    browser.type_into("[name=message]", "Seen: #birds").await;
    browser.click(".preview-button").await;
    eventually("the preview is there", async || {
        browser.texts(".compose .preview .e-content").await == ["Seen: #birds"]
    })
    .await;
    browser.photograph("preview").await;
    assert!(
        browser
            .has(".compose .preview a[href=\"/tags/birds\"]")
            .await
    );
    browser.type_into("[name=message]", " again").await;
    assert!(!browser.has(".preview").await);
    browser
        .click_away("[data-compose] [type=submit]:not([name])")
        .await;
    assert_eq!(
        browser.texts(".feed .e-content").await,
        ["Seen: #birds again"]
    );
    browser.close().await;
}

#[tokio::test]
async fn a_thread_is_written_in_place_and_its_draft_survives_a_reload() {
    let site = Site::start().await;
    let Some(browser) = typing(&site).await else {
        return;
    };
    for (name, text) in [("post_2", "the second"), ("post_3", "the third")] {
        browser.click("[data-compose] .add-post").await;
        let box_of_post = format!("[name={name}]");
        eventually("the box is there", async || browser.has(&box_of_post).await).await;
        browser.type_into(&box_of_post, text).await;
    }
    browser.go("/").await;
    eventually("the boxes are back", async || {
        browser.has("[name=post_3]").await
    })
    .await;
    let texts =
        "return [...document.querySelectorAll('[data-compose] textarea')].map((one) => one.value)";
    eventually("the texts are back", async || {
        browser.evaluate(texts, vec![]).await == json!([DRAFT, "the second", "the third"])
    })
    .await;
    browser
        .click_through("[data-compose] [type=submit]:not([name])", "/")
        .await;
    let visitor = Person::visitor(&site);
    let replies = visitor.open("/@alice/replies").await;
    assert_eq!(replies.messages(), ["the third", "the second", DRAFT]);
    assert!(!browser.has("[name=post_2]").await);
    browser.close().await;
}

/// Returns what is in the form, and what is stored for it.
const FORM_AND_STORE: &str = "const form = document.querySelector('[data-compose]');
    const { fields } = JSON.parse(sessionStorage.getItem('draft:alice'));
    return [form.elements.message.value, form.elements.warning?.value, fields.message, fields.warning];";

#[tokio::test]
async fn a_draft_opens_only_the_parts_that_it_fills_in() {
    let site = Site::start().await;
    let Some(browser) = warned(&site).await else {
        return;
    };
    browser.go("/").await;
    let open = "return [...document.querySelectorAll('details[data-extras]')].map((part) => [part.dataset.extras, part.open])";
    eventually("the warning is open, and the poll is not", async || {
        let parts = json!([["warning", true], ["poll", false], ["replies", false]]);
        browser.evaluate(open, Vec::new()).await == parts
    })
    .await;
    browser.close().await;
}

/// Opens a browser with a stored draft that has a warning.
async fn warned(site: &Site) -> Option<Browser> {
    let browser = typing(site).await?;
    browser.open_extras().await;
    browser.type_into("[name=warning]", "the end").await;
    Some(browser)
}

#[tokio::test]
async fn a_draft_is_restored_whole_or_not_at_all() {
    let site = Site::start().await;
    let Some(browser) = warned(&site).await else {
        return;
    };
    browser.block(&["*/statuses"]).await;
    browser.go("/").await;
    eventually("the page says so", async || {
        let words = browser.texts(".draft-error").await;
        words
            .first()
            .is_some_and(|words| words.starts_with("Your draft could not be loaded."))
    })
    .await;
    browser.photograph("draft-error").await;
    // Nothing can be typed or sent before that.
    let press = "document.querySelector('[name=message]').focus();
        return document.activeElement.name ?? null";
    assert_eq!(browser.evaluate(press, vec![]).await, Value::Null);
    let state = browser.evaluate(FORM_AND_STORE, vec![]).await;
    assert_eq!(state, json!(["", null, DRAFT, "the end"]));
    browser.block(&[]).await;
    browser.click(".draft-error button").await;
    eventually("the draft is back", async || {
        let state = browser.evaluate(FORM_AND_STORE, vec![]).await;
        state == json!([DRAFT, "the end", DRAFT, "the end"])
    })
    .await;
    assert!(!browser.has(".draft-error").await);
    browser
        .click_through("[data-compose] [type=submit]:not([name])", "/")
        .await;
    let page = Person::visitor(&site).open("/@alice").await;
    assert_eq!(page.texts(".warned > summary"), ["the end"]);
    browser.close().await;
}

#[tokio::test]
async fn a_text_typed_while_the_draft_is_loaded_stays() {
    let site = Site::start().await;
    let Some(browser) = warned(&site).await else {
        return;
    };
    browser.set_latency(1_000).await;
    browser.go("/").await;
    browser.type_into("[name=message]", "another").await;
    eventually("the rest of the form is loaded", async || {
        browser.has("[name=warning]").await
    })
    .await;
    let state = browser.evaluate(FORM_AND_STORE, vec![]).await;
    for (part, expected) in ["another", "", "another"].into_iter().enumerate() {
        assert_eq!(state[part], expected, "{state}");
    }
    browser.close().await;
}

#[tokio::test]
async fn a_new_conversation_has_a_draft_for_each_person_until_it_is_sent() {
    let site = crate::messages::site().await;
    for login in ["bob", "carol"] {
        Person::sign_up(&site, login).await;
    }
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let to_bob = "/messages/new?to=bob";
    browser.go(to_bob).await;
    browser.type_into("[name=message]", DRAFT).await;
    browser.go("/messages/new?to=carol").await;
    assert_eq!(message(&browser).await, "");
    browser.go(to_bob).await;
    assert_eq!(message(&browser).await, DRAFT);
    // The site gives the form back, and the draft is still the same one.
    browser.type_into("[name=people]", " nobody").await;
    browser.click_through(SEND, "/messages/new").await;
    let invalid = "[name=people][aria-invalid]";
    eventually("the form is given back", async || {
        browser.has(invalid).await
    })
    .await;
    let shorten = "const field = document.querySelector('[name=people]');
        field.value = 'bob'; field.dispatchEvent(new Event('input', { bubbles: true }))";
    browser.evaluate(shorten, vec![]).await;
    browser.click_away(SEND).await;
    assert_eq!(browser.texts(".bubble > p[dir]").await, [DRAFT]);
    assert!(browser.texts(".flash").await[0].starts_with("Message sent."));
    let text = "return document.querySelector('#message').value";
    assert_eq!(browser.evaluate(text, Vec::new()).await, "");
    let drafts = "return Object.keys(sessionStorage).filter((key) => key.startsWith('draft:') && key.includes('/messages/new'))";
    assert_eq!(browser.evaluate(drafts, Vec::new()).await, json!([]));
    browser.close().await;
}
