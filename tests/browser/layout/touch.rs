//! Buttons on a touch screen.

use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd, waiting::eventually},
};

/// Returns the buttons and tabs that are lower than 44 pixels.
const LOW: &str = "
    return [...document.querySelectorAll('button, .button, .subtabs a, .tabs > a, select')]
        .filter((target) => target.checkVisibility())
        .map((target) => [target.outerHTML.slice(0, 120), target.getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 1 && height < 43.5)
        .map(([html, { width, height }]) => `${width}x${height} ${html}`);";

/// Returns the parts of the form to post that are narrower or lower than 44 pixels, after their number.
const SMALL_IN_FORM: &str = "
    const parts = [...document.querySelectorAll('.compose-foot :is(button, summary, select)')]
        .filter((target) => target.checkVisibility());
    const small = parts.map((target) => [target.outerHTML.slice(0, 120), target.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 43.5 || height < 43.5)
        .map(([html, { width, height }]) => `${width}x${height} ${html}`);
    return [parts.length, small];";

const FOR_VISITORS: [&str; 6] = [
    "/",
    "/login",
    "/signup",
    "/everybody",
    "/@bob",
    "/@bob/followers",
];
const FOR_MEMBERS: [&str; 19] = [
    "/",
    "/important",
    "/everybody",
    "/@bob",
    "/@alice",
    "/@bob/followers",
    "/search?q=follower",
    "/notifications",
    "/compose",
    "/lists",
    "/lists/1",
    "/lists/1/members",
    "/tags/birds",
    "/groups",
    "/messages",
    "/settings",
    "/settings/privacy",
    "/settings/files",
    "/settings/sessions",
];

#[tokio::test]
async fn buttons_and_tabs_are_44_pixels_high_on_a_touch_screen() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let fans = crowd::followers(&site.store, bob, 3).await;
    crowd::post_poll(&site.store, bob, &["yes", "no"]).await;
    crowd::post(&site.store, bob, "#birds").await;
    site.drain().await;
    for width in [320, 390] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        assert_high(&browser, &FOR_VISITORS, "alice").await;
        let login = format!("alice_{width}");
        browser.sign_up(&login, "Alice").await;
        let alice = crowd::uid(&site.store, &login).await;
        crowd::follow(&site.store, alice, bob).await;
        crowd::list(&site.store, alice, &[bob, fans[0]]).await;
        assert_high(&browser, &FOR_MEMBERS, &login).await;
        browser.close().await;
    }
}

async fn assert_high(browser: &Browser, pages: &[&str], alice: &str) {
    for path in pages {
        let path = path.replace("alice", alice);
        browser.go(&path).await;
        assert_eq!(
            browser.evaluate(LOW, vec![]).await,
            json!([]),
            "{path} of {alice}"
        );
    }
}

#[tokio::test]
async fn the_icons_of_the_form_to_post_are_44_pixels_wide_and_high_on_a_touch_screen() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let post = crowd::post(&site.store, bob, "a question").await;
    for width in [320, 375, 390, 430] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.sign_up(&format!("alice_{width}"), "Alice").await;
        for path in ["/", &format!("/@bob/{post}"), "/compose"] {
            browser.go(path).await;
            browser.type_into("#message", "a text").await;
            assert_large(&browser, 7, &format!("{path} at {width}")).await;
        }
        browser.go("/settings").await;
        browser.click(".compose-link").await;
        browser.type_into("#new-message", "a text").await;
        assert_large(&browser, 7, &format!("the dialog at {width}")).await;
        browser.go("/compose").await;
        for part in ["warning", "poll"] {
            let summary = format!("details[data-extras={part}] > summary");
            browser.click(&summary).await;
        }
        // The poll has a list of lengths.
        assert_large(&browser, 8, &format!("the whole form at {width}")).await;
        browser.close().await;
    }
}

/// Waits until the form has that many parts, and checks that each is large and the page is not too wide.
async fn assert_large(browser: &Browser, count: usize, form: &str) {
    eventually(&format!("{form} has {count} parts"), async || {
        browser.evaluate(SMALL_IN_FORM, vec![]).await[0] == json!(count)
    })
    .await;
    let small = browser.evaluate(SMALL_IN_FORM, vec![]).await;
    assert_eq!(small[1], json!([]), "{form}");
    let is_wide = "return document.scrollingElement.scrollWidth > innerWidth";
    assert_eq!(browser.evaluate(is_wide, vec![]).await, false, "{form}");
}
