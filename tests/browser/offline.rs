//! Pages without a network, and with a slow one: each press shows something at once, and the page stays with what was
//! typed.

use serde_json::{Value, json};

use crate::{
    browser::chromium::{Browser, Scripts},
    messages::{begun, pair},
    support::{PASSWORD, Site, crowd, waiting::eventually},
};

const SEND: &str = "[data-compose] [type=submit]:not([name])";
const LATENCY_MS: u64 = 3_000;

async fn alice(site: &Site) -> Option<Browser> {
    let browser = Browser::open(site, 390, Scripts::On).await?;
    browser.sign_up("alice", "Alice").await;
    Some(browser)
}

/// Marks the page, to notice when another one takes its place.
pub async fn mark(browser: &Browser) {
    browser.evaluate("window.stayed = true", vec![]).await;
}

pub async fn assert_stayed(browser: &Browser) {
    let stayed = "return window.stayed === true";
    assert_eq!(browser.evaluate(stayed, vec![]).await, true);
}

pub async fn eventually_said(browser: &Browser, sentence: &str) {
    let read = "return document.querySelector('.toast').firstChild?.textContent.trim() ?? ''";
    eventually(sentence, async || {
        browser.evaluate(read, vec![]).await == sentence
    })
    .await;
}

async fn label(browser: &Browser, css: &str) -> Value {
    let read = "return document.querySelector(arguments[0])?.firstChild.textContent";
    browser.evaluate(read, vec![css.into()]).await
}

#[tokio::test]
async fn a_follow_on_a_profile_is_done_in_place() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "hello").await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    let button = ".profile-head form button";
    let followers = "return document.querySelector('.counts [data-count=followers]').innerText.replace(/\\s+/, ' ')";
    browser.go("/@bob").await;
    mark(&browser).await;
    browser.set_offline(true).await;
    browser.click(button).await;
    eventually_said(&browser, "Not saved. Try again.").await;
    assert_eq!(label(&browser, button).await, "Follow");
    browser.set_latency(LATENCY_MS).await;
    browser.click(button).await;
    assert_eq!(label(&browser, button).await, "Unfollow");
    eventually_said(&browser, "You now follow @bob.").await;
    eventually("the other parts of the profile follow", async || {
        browser.evaluate(followers, vec![]).await == "1 follower"
    })
    .await;
    browser.set_offline(true).await;
    browser.click(button).await;
    eventually_said(&browser, "Not saved. Try again.").await;
    assert_eq!(label(&browser, button).await, "Unfollow");
    browser.set_offline(false).await;
    browser.click(button).await;
    eventually_said(&browser, "You no longer follow @bob.").await;
    eventually("the count too", async || {
        browser.evaluate(followers, vec![]).await == "0 followers"
    })
    .await;
    browser.click(".toast button").await;
    eventually_said(&browser, "You now follow @bob.").await;
    assert_stayed(&browser).await;
    browser.close().await;
}

#[tokio::test]
async fn the_first_follow_fills_home_in_place() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "hello").await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.go("/").await;
    assert!(browser.has(".column > .empty").await);
    mark(&browser).await;
    let button = ".panel .person [type=submit]";
    browser.set_offline(true).await;
    browser.click(button).await;
    eventually_said(&browser, "Not saved. Try again.").await;
    browser.set_offline(false).await;
    browser.click(button).await;
    eventually("the posts are there", async || {
        browser.texts(".feed .e-content").await == ["hello"]
    })
    .await;
    assert!(!browser.has(".column > .empty").await);
    assert_eq!(label(&browser, button).await, "Unfollow");
    assert_stayed(&browser).await;
    browser.close().await;
}

#[tokio::test]
async fn what_cannot_be_sent_stays_in_its_form() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.type_into("[name=message]", "hello").await;
    browser.click_through(SEND, "/").await;
    browser.click(".status .dots").await;
    browser.click(".status .dots .delete").await;
    eventually("it asks", async || browser.has("dialog[open]").await).await;
    mark(&browser).await;
    browser.set_offline(true).await;
    browser.click("dialog .danger").await;
    eventually_said(&browser, "Not sent. Try again.").await;
    browser.click("dialog [data-close]").await;
    browser.type_into("[name=message]", "again").await;
    browser.click(SEND).await;
    eventually_said(&browser, "Not sent. Try again.").await;
    browser.click("button.extras").await;
    eventually_said(&browser, "Not loaded. Try again.").await;
    browser.click(".preview-button").await;
    eventually_said(&browser, "The preview could not be loaded. Try again.").await;
    assert_stayed(&browser).await;
    let text = "return document.querySelector('[name=message]').value";
    assert_eq!(browser.evaluate(text, vec![]).await, "again");
    browser.set_offline(false).await;
    browser.click_away(SEND).await;
    assert_eq!(browser.texts(".feed .e-content").await, ["again", "hello"]);
    browser.close().await;
}

#[tokio::test]
async fn a_post_over_a_dead_connection_stays_in_its_form() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    mark(&browser).await;
    // The browser does not know that it is offline.
    let unaware = "Object.defineProperty(navigator, 'onLine', { get: () => true })";
    browser.evaluate(unaware, vec![]).await;
    browser.type_into("[name=message]", "hello").await;
    browser.set_offline(true).await;
    browser.click(SEND).await;
    eventually_said(&browser, "Not sent. Try again.").await;
    assert_stayed(&browser).await;
    browser.set_offline(false).await;
    browser.click_through(SEND, "/").await;
    assert_eq!(browser.texts(".flash").await, ["Posted."]);
    assert_eq!(browser.texts(".feed .e-content").await, ["hello"]);
    browser.close().await;
}

#[tokio::test]
async fn reply_and_menu_show_that_they_load() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "hello").await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.go("/@bob").await;
    mark(&browser).await;
    browser.set_offline(true).await;
    for part in [".status .reply", ".status .dots"] {
        browser.click(part).await;
        eventually_said(&browser, "Not loaded. Try again.").await;
        browser
            .evaluate("document.querySelector('.toast').textContent = ''", vec![])
            .await;
    }
    browser.set_latency(LATENCY_MS).await;
    browser.click(".status .reply").await;
    assert_eq!(browser.texts(".loading").await, ["Loading…"]);
    eventually("the form is open", async || {
        browser.has("#reply-message").await
    })
    .await;
    // A second press closes it.
    browser.click(".status .reply").await;
    assert!(!browser.has("#reply-message").await);
    browser.click(".status .dots").await;
    eventually("the menu says that it loads", async || {
        browser.texts(".loading").await == ["Loading…"]
    })
    .await;
    eventually("the menu is there", async || {
        browser.has(".status .dots .block").await
    })
    .await;
    assert!(!browser.has(".loading").await);
    browser.set_offline(true).await;
    browser.click(".status .dots [name=mute]").await;
    eventually_said(&browser, "Not sent. Try again.").await;
    assert_stayed(&browser).await;
    browser.close().await;
}

#[tokio::test]
async fn a_message_that_cannot_be_sent_is_a_draft() {
    let site = crate::messages::site().await;
    let (alice, _) = pair(&site).await;
    let path = begun(&alice, "bob", "the first").await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go("/login").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
    browser.go(&path).await;
    mark(&browser).await;
    browser
        .type_into(".message-form [name=message]", "the second")
        .await;
    browser.set_offline(true).await;
    browser.click(".message-form [type=submit]").await;
    eventually_said(&browser, "Not sent. Try again.").await;
    assert_stayed(&browser).await;
    browser.set_offline(false).await;
    browser.go("/").await;
    browser.go(&path).await;
    let text = "return document.querySelector('.message-form [name=message]').value";
    assert_eq!(browser.evaluate(text, vec![]).await, "the second");
    // Each message has its own key, also after a restored draft.
    let send = async || {
        browser.click(".message-form [type=submit]").await;
        eventually("it is sent", async || {
            browser.evaluate(text, vec![]).await == ""
        })
        .await;
    };
    send().await;
    browser
        .type_into(".message-form [name=message]", "the third")
        .await;
    send().await;
    browser.go(&path).await;
    assert_eq!(browser.evaluate(text, vec![]).await, "");
    assert_eq!(
        browser.texts(".bubble > p[dir]").await,
        ["the first", "the second", "the third"]
    );
    browser.close().await;
}

#[tokio::test]
async fn an_edit_is_a_draft_until_it_is_saved() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.type_into("[name=message]", "hello").await;
    browser.click_through(SEND, "/").await;
    let id = browser
        .evaluate(
            "return document.querySelector('.status').id.slice(7)",
            vec![],
        )
        .await;
    let path = format!("/statuses/{}/edit", id.as_str().expect("an id"));
    let text =
        "return [document.querySelector('[name=message]').value, document.activeElement.name]";
    browser.go(&path).await;
    assert_eq!(
        browser.evaluate(text, vec![]).await,
        json!(["hello", "message"])
    );
    browser.type_into("[name=message]", " all").await;
    browser.go("/").await;
    browser.go(&path).await;
    eventually("the text is back", async || {
        browser.evaluate(text, vec![]).await == json!(["hello all", "message"])
    })
    .await;
    browser.click_away(SEND).await;
    let stored = "return Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))";
    assert_eq!(browser.evaluate(stored, vec![]).await, json!([]));
    browser.go(&path).await;
    assert_eq!(
        browser.evaluate(text, vec![]).await,
        json!(["hello all", "message"])
    );
    browser.close().await;
}

/// No answer comes while the test looks.
const HELD_BACK_MS: u64 = 600_000;

#[tokio::test]
async fn a_press_shows_its_effect_before_the_answer_comes() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post_poll(&site.store, bob, &["tea", "coffee"]).await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.go("/@bob").await;
    mark(&browser).await;
    browser.set_latency(HELD_BACK_MS).await;
    // The effect is read in the task of the click, so no answer can have come.
    let press = "const [css, read] = arguments;
        document.querySelector(css).click();
        const button = document.querySelector(css);
        return read === 'label' ? button.firstChild.textContent : button.getAttribute('aria-pressed');";
    // The first press of this button opens its menu.
    browser.click(".status footer > [name=repost]").await;
    for name in ["favourite", "bookmark", "repost"] {
        let button = format!(".status [name$={name}]");
        let shown = browser
            .evaluate(press, vec![button.into(), "pressed".into()])
            .await;
        assert_eq!(shown, "true", "{name}");
    }
    assert_eq!(
        browser.texts(".status footer > [name=unfavourite] b").await,
        ["1"]
    );
    browser
        .evaluate(
            "document.querySelector('.poll input').checked = true",
            vec![],
        )
        .await;
    for (button, label) in [
        (".poll [name=vote]", "Voting…"),
        (".profile-head form button", "Unfollow"),
    ] {
        let shown = browser
            .evaluate(press, vec![button.into(), "label".into()])
            .await;
        assert_eq!(shown, label);
    }
    browser.photograph("pressed-without-an-answer").await;
    assert_stayed(&browser).await;
    browser.close().await;
}

/// Lets the site answer this page as after an upgrade: the scripts are gone, and the pages have other parts.
async fn upgrade(browser: &Browser) {
    let upgrade = "window.fetch = async (path) => new Response(
        `<body data-login=alice>`, { status: String(path).includes('/static/') ? 404 : 200 })";
    browser.block(&["*/static/*"]).await;
    browser.evaluate(upgrade, vec![]).await;
}

#[tokio::test]
async fn a_page_from_before_an_upgrade_says_that_it_is_outdated() {
    const OUTDATED: &str = "This page is outdated. Reload it.";
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "hello").await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    for (page, part) in [
        ("/@bob", ".status .reply"),
        ("/@bob", ".status .dots"),
        ("/", "[data-compose] .add-post"),
    ] {
        browser.go(page).await;
        mark(&browser).await;
        if page == "/" {
            browser.type_into("[name=message]", "the first").await;
        }
        upgrade(&browser).await;
        browser.click(part).await;
        eventually_said(&browser, OUTDATED).await;
        assert_stayed(&browser).await;
        browser.block(&[]).await;
        browser.click_away(".toast button").await;
    }
    browser.close().await;
}
