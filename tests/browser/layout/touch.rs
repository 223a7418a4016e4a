//! Buttons on a touch screen.

use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd},
};

/// Returns the buttons and tabs that are lower than 44 pixels. The button that shows a password is as high as its field to
/// a finger, but not in its own box.
const LOW: &str = "
    return [...document.querySelectorAll('button:not(.show-password), .button, .subtabs a, .tabs > a, select')]
        .filter((target) => target.checkVisibility())
        .map((target) => [target.outerHTML.slice(0, 120), target.getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 1 && height < 43.5)
        .map(([html, { width, height }]) => `${width}x${height} ${html}`);";

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
