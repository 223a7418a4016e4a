//! Keyboard shortcuts: they move through posts and press their buttons, except while the person types or holds
//! a modifier. A sheet lists them and switches them off.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd, waiting::eventually},
};

const CONTROL: char = '\u{E009}';
const ENTER: char = '\u{E007}';
const ESCAPE: char = '\u{E00C}';

/// Opens a browser as alice, who follows bob, at home with three posts by bob. Returns the ids, newest first.
async fn at_home(site: &Site, width: u32, scripts: Scripts) -> Option<(Vec<u64>, Browser)> {
    let bob = crowd::member(&site.store, "bob").await;
    let mut ids = Vec::new();
    for text in ["the first", "the second", "the third"] {
        ids.insert(0, crowd::post(&site.store, bob, text).await.get());
    }
    let browser = Browser::open(site, width, scripts).await?;
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    crowd::follow(&site.store, alice, bob).await;
    browser.go("/").await;
    Some((ids, browser))
}

/// Waits until the page is loaded and shown. A browser drops the keys that are pressed before its first frame.
async fn wait_until_shown(browser: &Browser) {
    let shown = "return document.readyState === 'complete' &&
        new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))";
    eventually("the page is shown", async || {
        browser.evaluate(shown, vec![]).await == json!(true)
    })
    .await;
}

/// Presses these keys one after the other, wherever the focus is.
async fn press(browser: &Browser, keys: &str) {
    wait_until_shown(browser).await;
    press_at_once(browser, keys).await;
}

/// Works like [`press`], on a page without scripts, which cannot say when it is shown.
async fn press_at_once(browser: &Browser, keys: &str) {
    let mut actions = KeyActions::new("keyboard".to_owned());
    for value in keys.chars() {
        actions = actions
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value });
    }
    let pressed = browser.client.perform_actions(actions).await;
    pressed.unwrap_or_else(|error| panic!("{keys:?}: {error}"));
}

/// Presses a key while the control key is held.
async fn press_with_control(browser: &Browser, value: char) {
    wait_until_shown(browser).await;
    let actions = KeyActions::new("keyboard".to_owned())
        .then(KeyAction::Down { value: CONTROL })
        .then(KeyAction::Down { value })
        .then(KeyAction::Up { value })
        .then(KeyAction::Up { value: CONTROL });
    let pressed = browser.client.perform_actions(actions).await;
    pressed.unwrap_or_else(|error| panic!("{value:?}: {error}"));
}

/// Returns the id of the focused element, or its name, or its tag.
async fn focused(browser: &Browser) -> String {
    let script = "const active = document.activeElement;
        return active.id || active.name || active.localName";
    let focused = browser.evaluate(script, vec![]).await;
    focused.as_str().expect("a text").to_owned()
}

async fn expect_focus(browser: &Browser, expected: &str) {
    eventually(&format!("{expected} has the focus"), async || {
        focused(browser).await == expected
    })
    .await;
}

/// Waits until the page with this path is loaded, with its scripts.
async fn expect_page(browser: &Browser, path: &str) {
    eventually(&format!("{path} is open"), async || {
        let state = browser.evaluate("return document.readyState", vec![]).await;
        browser.path().await == path && state == "complete"
    })
    .await;
}

#[tokio::test]
async fn j_and_k_move_through_posts_and_f_b_and_enter_act_on_them() {
    let site = Site::start().await;
    let Some((ids, browser)) = at_home(&site, 1280, Scripts::On).await else {
        return;
    };
    let status = |at: usize| format!("status-{}", ids[at]);
    for (key, at) in [("j", 0), ("j", 1), ("j", 2), ("j", 2), ("k", 1)] {
        press(&browser, key).await;
        expect_focus(&browser, &status(at)).await;
    }
    browser.photograph("keyboard-focus").await;
    for (key, path) in [("f", "unfavourite"), ("b", "unbookmark")] {
        press(&browser, key).await;
        let pressed = format!("[name={path}][value=\"{}\"]", ids[1]);
        eventually("it is pressed", async || browser.has(&pressed).await).await;
    }
    assert_eq!(browser.texts("[aria-pressed=true]").await.len(), 2);
    press(&browser, &ENTER.to_string()).await;
    expect_page(&browser, &format!("/@bob/{}", ids[1])).await;
    press(&browser, "gh").await;
    expect_page(&browser, "/").await;
    browser.close().await;
}

#[tokio::test]
async fn r_n_and_slash_lead_to_their_fields_from_any_page() {
    let site = Site::start().await;
    let Some((ids, browser)) = at_home(&site, 1280, Scripts::On).await else {
        return;
    };
    press(&browser, "jr").await;
    expect_focus(&browser, "reply-message").await;
    let form = format!("#status-{} .inline-reply", ids[0]);
    assert!(browser.has(&form).await && browser.path().await == "/");
    browser.go("/settings").await;
    press(&browser, "n").await;
    expect_focus(&browser, "new-message").await;
    assert_eq!(browser.path().await, "/settings");
    browser.go("/settings").await;
    press(&browser, "/").await;
    expect_focus(&browser, "q").await;
    browser.close().await;
}

#[tokio::test]
async fn shortcuts_do_nothing_while_typing_or_with_a_modifier() {
    let site = Site::start().await;
    let Some((_, browser)) = at_home(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.click("[name=message]").await;
    press(&browser, "jkfbnr/?gh").await;
    let typed = "return document.querySelector('[name=message]').value";
    assert_eq!(browser.evaluate(typed, vec![]).await, json!("jkfbnr/?gh"));
    assert_eq!(focused(&browser).await, "message");
    browser
        .evaluate("document.activeElement.blur()", vec![])
        .await;
    for key in ['j', 'f', 'b'] {
        press_with_control(&browser, key).await;
    }
    assert_eq!(focused(&browser).await, "body");
    assert!(!browser.has("[aria-pressed=true], dialog[open]").await);
    browser.close().await;
}

#[tokio::test]
async fn the_help_sheet_lists_the_shortcuts_and_switches_them_off() {
    let site = Site::start().await;
    for width in [320, 390, 1280] {
        let login = format!("at_{width}");
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.sign_up(&login, "Alice").await;
        browser.go("/").await;
        assert!(!browser.has(".shortcuts").await);
        press(&browser, "?").await;
        eventually("the sheet is open", async || {
            browser.has(".shortcuts[open]").await
        })
        .await;
        browser.photograph("shortcuts").await;
        assert_eq!(browser.texts(".shortcuts dd").await.len(), 11);
        let is_on_one_line = "return [...document.querySelectorAll('.shortcuts dt')]
            .every(({ children }) => new Set([...children].map((key) => key.getBoundingClientRect().top)).size === 1)";
        assert_eq!(browser.evaluate(is_on_one_line, vec![]).await, true);
        press(&browser, "n").await;
        browser.click("#shortcuts-on").await;
        press(&browser, &ESCAPE.to_string()).await;
        eventually("the sheet is closed", async || {
            !browser.has(".shortcuts[open]").await
        })
        .await;
        press(&browser, "n?").await;
        assert_ne!(focused(&browser).await, "message");
        assert!(!browser.has(".shortcuts[open]").await);
        browser.click(".menu > summary").await;
        browser.click(".menu [type=button]").await;
        browser.click("#shortcuts-on").await;
        press(&browser, &ESCAPE.to_string()).await;
        browser
            .evaluate("document.activeElement.blur()", vec![])
            .await;
        press(&browser, "n").await;
        expect_focus(&browser, "message").await;
        browser.close().await;
    }
}

#[tokio::test]
async fn without_scripts_there_are_no_shortcuts() {
    let site = Site::start().await;
    let Some((_, browser)) = at_home(&site, 390, Scripts::Off).await else {
        return;
    };
    press_at_once(&browser, "jn?").await;
    assert_eq!(focused(&browser).await, "body");
    browser.click(".menu > summary").await;
    assert_eq!(browser.texts(".menu button").await, ["Log out"]);
    browser.close().await;
}
