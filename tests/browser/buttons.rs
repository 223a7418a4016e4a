//! The buttons under statuses. They work in place where the page's script runs. Without the script,
//! or after an error, they fall back to the page's form.

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Site, crowd, waiting::eventually},
};

const FAVOURITE_BUTTON: &str = ".status footer button:first-of-type";
const BOOKMARK_BUTTON: &str = ".status footer button:nth-of-type(2)";

/// Opens a browser as alice, who follows bob, at home with two statuses by bob.
async fn at_home(site: &Site, scripts: Scripts) -> Option<Browser> {
    let bob = crowd::member(&site.store, "bob").await;
    let ids = crowd::posts(&site.store, bob, 2).await;
    crowd::favourite(&site.store, bob, ids[1]).await;
    let browser = Browser::open(site, 400, scripts).await?;
    browser.go("/signup").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=name]", "Alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/signup\"] [type=submit]", "/")
        .await;
    let alice = crowd::uid(&site.store, "alice").await;
    crowd::follow(&site.store, alice, bob).await;
    browser.go("/").await;
    Some(browser)
}

/// Returns whether the first favourite button is pressed, its number, and whether the first
/// bookmark button is pressed.
async fn first(browser: &Browser) -> (bool, String, bool) {
    let star = browser
        .has(&format!("{FAVOURITE_BUTTON}[aria-pressed=true]"))
        .await;
    let number = browser.texts(&format!("{FAVOURITE_BUTTON} b")).await;
    let ribbon = browser
        .has(&format!("{BOOKMARK_BUTTON}[aria-pressed=true]"))
        .await;
    (star, number[0].clone(), ribbon)
}

async fn eventually_first(browser: &Browser, expected: (bool, &str, bool)) {
    let (star, number, ribbon) = expected;
    let expected = (star, number.to_owned(), ribbon);
    eventually(&format!("{expected:?}"), async || {
        first(browser).await == expected
    })
    .await;
}

#[tokio::test]
async fn with_scripts_a_button_does_not_move_the_page() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    browser.evaluate("window.stayed = true", vec![]).await;
    eventually_first(&browser, (false, "1", false)).await;
    let carol = crowd::member(&site.store, "carol").await;
    let id = browser
        .evaluate("return document.querySelector('.status').id", vec![])
        .await;
    let id = id.as_str().and_then(|id| id.strip_prefix("status-"));
    let id = id.expect("a number").parse().expect("an id");
    crowd::favourite(&site.store, carol, id).await;
    browser.click(FAVOURITE_BUTTON).await;
    eventually_first(&browser, (true, "3", false)).await;
    browser.click(BOOKMARK_BUTTON).await;
    eventually_first(&browser, (true, "3", true)).await;
    browser.photograph("pressed").await;
    browser.click(FAVOURITE_BUTTON).await;
    eventually_first(&browser, (false, "2", true)).await;
    let stayed = browser
        .evaluate("return window.stayed === true", vec![])
        .await;
    assert_eq!(stayed, true);
    browser.go("/").await;
    assert_eq!(first(&browser).await, (false, "2".into(), true));
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_a_button_returns_to_the_status() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::Off).await else {
        return;
    };
    browser.click_through(FAVOURITE_BUTTON, "/").await;
    assert_eq!(first(&browser).await, (true, "2".into(), false));
    let fragment = browser.evaluate("return location.hash", vec![]).await;
    let status = browser
        .evaluate("return document.querySelector('.status').id", vec![])
        .await;
    assert_eq!(fragment, format!("#{}", status.as_str().expect("an id")));
    browser.close().await;
}

#[tokio::test]
async fn a_button_on_a_deleted_post_reports_that_in_place() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    let bob = crowd::uid(&site.store, "bob").await;
    let id = browser
        .evaluate("return document.querySelector('.status').id", vec![])
        .await;
    let id = id.as_str().and_then(|id| id.strip_prefix("status-"));
    let id = id.expect("a number").parse().expect("an id");
    let deleted = redwing::actions::statuses::delete(&site.store, bob, id).await;
    deleted.expect("an answer");
    browser.evaluate("window.stayed = true", vec![]).await;
    browser.click(FAVOURITE_BUTTON).await;
    eventually("the post says so", async || {
        let texts = browser.texts(".status").await;
        texts.len() == 2 && texts[0].contains("This post was deleted.")
    })
    .await;
    let stayed = browser
        .evaluate("return window.stayed === true", vec![])
        .await;
    assert_eq!(stayed, true);
    browser.close().await;
}

#[tokio::test]
async fn a_refused_button_leads_to_the_page_with_the_reason() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    let alice = crowd::uid(&site.store, "alice").await;
    let ended = redwing::actions::accounts::log_out_everywhere(&site.store, alice).await;
    ended.expect("an answer");
    browser.click(FAVOURITE_BUTTON).await;
    eventually("the log-in is asked for", async || {
        browser.has("form[action=\"/login\"]").await
    })
    .await;
    browser.close().await;
}
