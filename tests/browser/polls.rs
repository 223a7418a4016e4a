//! A poll behind a warning in a browser: post, open and vote, with and without JavaScript.

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Person, Site, waiting::eventually},
};

async fn a_poll(width: u32, scripts: Scripts) {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let Some(browser) = Browser::open(&site, width, scripts).await else {
        return;
    };
    Person::sign_up(&site, "bob").await;
    browser.go("/login").await;
    browser.type_into("[name=login]", "bob").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
    browser.type_into("[name=message]", "Which one?").await;
    browser.open_extras().await;
    browser.type_into("[name=warning]", "About breakfast").await;
    browser.type_into("[name=option_1]", "Tea").await;
    browser.photograph("poll-wrong").await;
    let post = "form[action=\"/statuses\"] [type=submit]:not([name])";
    browser.click(post).await;
    eventually("the error is visible", async || {
        browser.has("#option_2[aria-invalid]").await
    })
    .await;
    browser.type_into("[name=option_2]", "Coffee").await;
    browser.click_through(post, "/").await;
    assert_eq!(
        browser.texts(".warned > summary").await,
        ["About breakfast"]
    );
    let page = alice.open("/@bob").await;
    let id = page.status_ids()[0];

    browser.go("/login").await;
    browser.click(".menu > summary").await;
    browser
        .click_through("form[action=\"/logout\"] button", "/")
        .await;
    browser.go("/login?next=%2F%40bob").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/@bob")
        .await;
    browser.click(".warned > summary").await;
    browser.photograph("poll-open").await;
    browser.click(".poll label:last-of-type").await;
    match scripts {
        Scripts::On => {
            browser.click(".poll button").await;
            eventually("the results are shown", async || {
                browser.has(".poll meter").await
            })
            .await;
        }
        Scripts::Off => {
            browser.click_through(".poll button", "/@bob").await;
            browser.click(".warned > summary").await;
        }
    }
    let results = alice.open("/@bob").await.texts(".poll li");
    assert!(results[1].contains("Your vote"), "{results:?} of {id}");
    browser.photograph("poll-results").await;
    assert!(browser.has(".poll meter").await);
    browser.close().await;
}

#[tokio::test]
async fn a_poll_behind_a_warning_without_javascript_on_a_phone() {
    a_poll(360, Scripts::Off).await;
}

#[tokio::test]
async fn a_poll_behind_a_warning_with_javascript_on_a_desk() {
    a_poll(1280, Scripts::On).await;
}
