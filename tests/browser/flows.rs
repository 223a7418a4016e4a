//! The main user flows, starting at the landing page: with and without JavaScript, on phone and
//! desktop.

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Site, crowd, waiting::eventually},
};

/// Signs up, posts, follows, pages through and deletes.
async fn whole_visit(width: u32, scripts: Scripts) {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::posts(&site.store, bob, 40).await;
    let Some(browser) = Browser::open(&site, width, scripts).await else {
        return;
    };
    sign_up(&browser).await;
    post(&browser, "Hello from a real browser! https://example.org").await;
    follow_bob(&browser).await;
    page_through(&browser).await;
    delete(&browser, scripts).await;
    assert_eq!(
        site.store
            .user(bob)
            .await
            .expect("the store answers")
            .expect("he exists")
            .followers,
        1
    );
    browser.close().await;
}

async fn sign_up(browser: &Browser) {
    browser.go("/").await;
    browser.photograph("landing").await;
    browser
        .click_through("a[href=\"/signup\"]", "/signup")
        .await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=name]", "Alice Brown").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser.photograph("sign-up").await;
    browser
        .click_through("form[action=\"/signup\"] [type=submit]", "/")
        .await;
    assert!(browser.has("a[href=\"/@bob\"]").await, "bob is suggested");
    browser.photograph("empty-home").await;
}

async fn post(browser: &Browser, message: &str) {
    browser.type_into("[name=message]", message).await;
    browser
        .click_through("form[action=\"/statuses\"] [type=submit]:not([name])", "/")
        .await;
    assert_eq!(browser.texts(".e-content").await, [message]);
    assert_eq!(browser.texts(".e-content a").await, ["https://example.org"]);
}

async fn follow_bob(browser: &Browser) {
    browser.go("/@bob").await;
    browser.photograph("profile").await;
    browser
        .click("form[action=\"/@bob/follow\"] [type=submit]")
        .await;
    eventually("the follow is confirmed", async || {
        browser.texts(".flash, .toast:not(:empty)").await == ["You now follow @bob."]
    })
    .await;
    assert!(browser.has("form[action=\"/@bob/unfollow\"]").await);
}

async fn page_through(browser: &Browser) {
    browser.go("/").await;
    assert_eq!(browser.texts("article.h-entry").await.len(), 30);
    browser.photograph("home").await;
    browser.click_through("a[rel~=next]", "/").await;
    assert_eq!(
        browser.texts("article.h-entry").await.len(),
        11,
        "40 of bob's and one of hers"
    );
    assert!(!browser.has("a[rel~=next]").await);
    browser.photograph("last-page").await;
}

async fn delete(browser: &Browser, scripts: Scripts) {
    browser.go("/@alice").await;
    match scripts {
        Scripts::On => {
            browser.click(".status .dots").await;
            browser.click("a.delete").await;
            eventually("the dialog names the post", async || {
                browser
                    .texts("dialog[open] blockquote")
                    .await
                    .concat()
                    .contains("real browser")
            })
            .await;
            browser.photograph("delete").await;
            browser
                .click_through("dialog[open] form [type=submit]", "/@alice")
                .await;
        }
        Scripts::Off => {
            let id = "return document.querySelector('.status').id.replace('status-', '')";
            let id = browser.evaluate(id, vec![]).await;
            let of_post = format!("/statuses/{}", id.as_str().expect("an id"));
            let path = format!("{of_post}/delete");
            browser
                .click_through(".status a.dots", &format!("{of_post}/menu"))
                .await;
            browser.photograph("menu-page").await;
            browser.click_through("a.delete", &path).await;
            browser.photograph("delete").await;
            let confirm = format!("form[action=\"{path}\"] [type=submit]");
            browser.click_through(&confirm, "/@alice").await;
        }
    }
    assert!(browser.texts(".e-content").await.is_empty());
}

#[tokio::test]
async fn a_whole_visit_works_on_a_phone_with_scripts() {
    whole_visit(360, Scripts::On).await;
}

#[tokio::test]
async fn a_whole_visit_works_on_a_phone_without_scripts() {
    whole_visit(360, Scripts::Off).await;
}

#[tokio::test]
async fn a_whole_visit_works_on_a_desk_with_scripts() {
    whole_visit(1280, Scripts::On).await;
}

#[tokio::test]
async fn a_whole_visit_works_on_a_desk_without_scripts() {
    whole_visit(1280, Scripts::Off).await;
}

#[tokio::test]
async fn page_scripts_do_not_run_without_javascript() {
    let site = Site::start().await;
    for (scripts, expected) in [(Scripts::On, true), (Scripts::Off, false)] {
        let Some(browser) = Browser::open(&site, 1280, scripts).await else {
            return;
        };
        browser.go("/signup").await;
        browser
            .type_into(
                "[name=login]",
                &format!("scripts_{}", scripts == Scripts::On),
            )
            .await;
        browser.type_into("[name=name]", "Alice").await;
        browser.type_into("[name=password]", PASSWORD).await;
        browser
            .click_through("form[action=\"/signup\"] [type=submit]", "/")
            .await;
        browser.type_into("[name=message]", &"x".repeat(460)).await;
        let counted = browser
            .texts("[data-limit]")
            .await
            .iter()
            .any(|text| text.contains("40 left"));
        assert_eq!(counted, expected, "{scripts:?}");
        browser.close().await;
    }
}

#[tokio::test]
async fn sessions_show_their_age() {
    let site = Site::start().await;
    crowd::member(&site.store, "bob").await;
    let Some(browser) = Browser::open(&site, 400, Scripts::On).await else {
        return;
    };
    sign_up(&browser).await;
    browser.go("/settings/sessions").await;
    let age = "const time = document.querySelector('.sessions time');
        time.dateTime = new Date(Date.now() - arguments[0]).toISOString();
        document.dispatchEvent(new Event('statuseschange'));
        return time.textContent;";
    for (ms, expected) in [(0, "now"), (90_000, "1 min ago"), (7_300_000, "2 h ago")] {
        let said = browser.evaluate(age, vec![ms.into()]).await;
        assert_eq!(said, expected);
    }
    browser.close().await;
}
