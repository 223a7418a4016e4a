//! A conversation in a real browser: reply on a phone without JavaScript, with a separate draft for
//! each post.

use serde_json::Value;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Person, Site, crowd, waiting::eventually},
};

async fn alice(site: &Site, width: u32, scripts: Scripts) -> Option<Browser> {
    let browser = Browser::open(site, width, scripts).await?;
    browser.sign_up("alice", "Alice").await;
    Some(browser)
}

#[tokio::test]
async fn a_conversation_is_joined_without_javascript_on_a_phone() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let asked = format!("Who has seen the boat?{}", "\nOr a raft?".repeat(40));
    let question = crowd::post(&site.store, bob, &asked).await;
    crowd::reply(&site.store, bob, question, "It is red.").await;
    let Some(browser) = alice(&site, 360, Scripts::Off).await else {
        return;
    };
    browser.go("/@bob").await;
    let permalink = format!("/@bob/{question}");
    browser
        .click_through(&format!("#status-{question} a.reply"), &permalink)
        .await;
    eventually("the field has the focus", async || {
        let focused = "return document.activeElement.name";
        browser.evaluate(focused, Vec::new()).await == "message"
    })
    .await;
    browser.type_into("#reply [name=message]", "I have.").await;
    browser.click_away("#reply [type=submit]:not([name])").await;
    let question = browser.texts(".subject > .status-body > .e-content").await;
    assert!(question[0].starts_with("Who has seen the boat?"));
    assert_eq!(
        browser.texts(".reply-list .status:target .e-content").await,
        ["I have."]
    );
    // The page is scrolled to the reply. The confirmation is above it, and covers nothing.
    let places = "const at = (of) => document.querySelector(of).getBoundingClientRect();
        const before = at('.reply-list > li:nth-last-child(2)').bottom;
        const places = [at('.top').bottom, at('.flash').top, at('.flash').bottom, at(':target').top];
        return scrollY > 0 && at(':target').top < innerHeight && before <= at('.flash').top &&
            places.every((place, i) => i === 0 || place >= places[i - 1]) || String(places)";
    assert_eq!(
        browser.evaluate(places, Vec::new()).await,
        Value::Bool(true)
    );
    browser.photograph("reply").await;
    assert_eq!(
        browser.texts(".reply-list .e-content").await,
        ["It is red.", "I have."]
    );
    let wide = "return document.documentElement.scrollWidth > innerWidth";
    assert_eq!(browser.evaluate(wide, Vec::new()).await, Value::Bool(false));
    browser.photograph("conversation").await;
    // A line that is no answer, as the one that the account is frozen, stays in its place.
    let line = "const line = document.querySelector('main > .flash').cloneNode(true);
        line.removeAttribute('tabindex');
        document.querySelector('main').prepend(line);
        return getComputedStyle(line).position";
    assert_eq!(browser.evaluate(line, Vec::new()).await, "static");
    browser.close().await;
}

#[tokio::test]
async fn each_post_has_its_own_draft_and_only_the_posted_one_is_removed() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let first = crowd::post(&site.store, bob, "first").await;
    let second = crowd::post(&site.store, bob, "second").await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    let places = [
        "/".to_owned(),
        format!("/@bob/{first}"),
        format!("/@bob/{second}"),
    ];
    for (number, place) in places.iter().enumerate() {
        browser.go(place).await;
        browser
            .type_into("[name=message]", &format!("draft {number}"))
            .await;
    }
    let typed = async |place: &str| {
        browser.go(place).await;
        let script = "return document.querySelector('[name=message]').value";
        browser.evaluate(script, Vec::new()).await
    };
    assert_eq!(typed(&places[1]).await, "draft 1");
    browser.click_away("#reply [type=submit]:not([name])").await;
    assert_eq!(
        browser.texts(".reply-list .status:target .e-content").await,
        ["draft 1"]
    );
    assert_eq!(typed(&places[0]).await, "draft 0");
    assert_eq!(typed(&places[1]).await, "");
    assert_eq!(typed(&places[2]).await, "draft 2");
    browser.close().await;
}

#[tokio::test]
async fn a_reply_is_written_under_its_post_and_the_page_stays() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let question = crowd::post(&site.store, bob, "Who has seen the boat?").await;
    let Some(browser) = alice(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go("/@bob").await;
    browser.evaluate("window.stayed = true", vec![]).await;
    browser.click(".status .reply").await;
    eventually("the form has the focus", async || {
        let focused = "return document.activeElement.id";
        browser.evaluate(focused, vec![]).await == "reply-message"
    })
    .await;
    let ids = "const ids = [...document.querySelectorAll('[id]')].map((part) => part.id);
        return ids.length - new Set(ids).size";
    assert_eq!(browser.evaluate(ids, vec![]).await, 0);
    browser.photograph("inline-reply").await;
    browser.type_into("#reply-message", "I have.").await;
    browser
        .click(".inline-reply [type=submit]:not([name])")
        .await;
    eventually("it is posted", async || {
        browser.texts(".toast").await == ["Posted."]
    })
    .await;
    assert!(!browser.has(".inline-reply").await);
    assert_eq!(browser.texts(".status .reply b").await, ["1"]);
    let stayed =
        "return window.stayed === true && !sessionStorage.getItem('draft:alice:' + arguments[0])";
    let id = question.get().to_string();
    assert_eq!(browser.evaluate(stayed, vec![id.into()]).await, true);
    browser.go(&format!("/@bob/{question}")).await;
    assert_eq!(browser.texts(".reply-list .e-content").await, ["I have."]);
    browser.close().await;
}

#[tokio::test]
async fn an_inline_reply_that_is_not_sent_stays_and_a_refused_one_is_shown_with_its_error() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "Who has seen the boat?").await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.go("/@bob").await;
    browser.click(".status .reply").await;
    browser.type_into("#reply-message", &"x".repeat(501)).await;
    let offline =
        "window.sent = window.fetch; window.fetch = () => Promise.reject(new TypeError())";
    browser.evaluate(offline, vec![]).await;
    browser
        .click(".inline-reply [type=submit]:not([name])")
        .await;
    eventually("it says so", async || {
        browser.texts(".toast").await == ["Not sent. Try again."]
    })
    .await;
    let text = "return document.querySelector('.inline-reply [name=message]').value.length";
    assert_eq!(browser.evaluate(text, vec![]).await, 501);
    browser.evaluate("window.fetch = window.sent", vec![]).await;
    browser
        .click_away(".inline-reply [type=submit]:not([name])")
        .await;
    assert!(browser.has("#reply [aria-invalid]").await);
    browser.close().await;
}

#[tokio::test]
async fn an_inline_reply_after_the_end_of_the_session_is_there_after_the_log_in() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "Who has seen the boat?").await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.go("/@bob").await;
    browser.click(".status .reply").await;
    browser.type_into("#reply-message", "I have.").await;
    let elsewhere = Person::log_in(&site, "alice").await;
    let form = elsewhere.open("/settings/sessions").await;
    let form = form.form("/settings/sessions/revoke-all");
    elsewhere.submit_accepted(&form).await;
    browser
        .click_away(".inline-reply [type=submit]:not([name])")
        .await;
    assert_eq!(browser.texts("h1").await, ["You have been logged out"]);
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_away("form[action=\"/login\"] [type=submit]")
        .await;
    eventually("the reply is there", async || {
        let script = "return document.querySelector('[name=message]')?.value";
        browser.evaluate(script, vec![]).await == "I have."
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn an_inline_reply_appears_in_the_open_conversation() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let question = crowd::post(&site.store, bob, "Who has seen the boat?").await;
    let first = crowd::reply(&site.store, bob, question, "It is red.").await;
    let Some(browser) = alice(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go(&format!("/@bob/{question}")).await;
    let reply = format!("#status-{first} > .status-body > footer > .reply");
    let below = format!("#status-{first} > .nested-replies .e-content");
    for (words, shown) in [
        ("I have.", vec!["I have."]),
        ("Twice.", vec!["I have.", "Twice."]),
    ] {
        browser.click(&reply).await;
        browser.type_into("#reply-message", words).await;
        browser
            .click(".inline-reply [type=submit]:not([name])")
            .await;
        eventually("the reply is there", async || {
            browser.texts(&below).await == shown
        })
        .await;
    }
    browser.photograph("own-reply").await;
    // Its buttons work in place, and replies to it are offered.
    let own = format!("#status-{first} > .nested-replies .status");
    browser
        .click(&format!("{own} > .status-body > footer > [name=favourite]"))
        .await;
    eventually("it is a favourite", async || {
        browser.has(&format!("{own} [name=unfavourite]")).await
    })
    .await;
    let texts = browser.texts(".reply-list .e-content").await;
    assert_eq!(texts, ["It is red.", "I have.", "Twice."]);
    assert!(!browser.has(".live button").await);
    browser.close().await;
}

#[tokio::test]
async fn the_confirmation_of_a_reply_has_the_focus() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let question = crowd::post(&site.store, bob, "Who has seen the boat?").await;
    let Some(browser) = alice(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go(&format!("/@bob/{question}")).await;
    browser.type_into("#reply [name=message]", "I have.").await;
    browser.click_away("#reply [type=submit]:not([name])").await;
    eventually("it has the focus", async || {
        let focused = "return document.activeElement.className";
        browser.evaluate(focused, vec![]).await == "flash"
    })
    .await;
    browser.close().await;
}
