//! Fields: a password can be shown, and the search box takes operators.

use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::Site,
};

/// Returns the type of each password field, and the pressed state and name of its button.
const STATE: &str = "return [...document.querySelectorAll('.show-password')].map((button) =>
    [button.previousElementSibling.type, button.getAttribute('aria-pressed'), button.textContent])";

#[tokio::test]
async fn a_password_is_shown_by_a_button_and_hidden_before_it_is_sent() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go("/settings").await;
    let hidden = |name: &str| json!(["password", "false", format!("Show {name}")]);
    let names = ["current password", "new password"];
    assert_eq!(
        browser.evaluate(STATE, vec![]).await,
        json!(names.map(hidden))
    );
    browser.type_into("#new_password", "correct horse").await;
    browser.click("#new_password + .show-password").await;
    let shown = json!([
        hidden("current password"),
        ["text", "true", "Show new password"]
    ]);
    assert_eq!(browser.evaluate(STATE, vec![]).await, shown);
    browser.photograph("password-shown").await;
    browser.click("#new_password + .show-password").await;
    assert_eq!(
        browser.evaluate(STATE, vec![]).await,
        json!(names.map(hidden))
    );
    browser.click("#new_password + .show-password").await;
    let sent = "const form = document.querySelector('#new_password').form;
        form.addEventListener('submit', (event) => event.preventDefault());
        form.noValidate = true;
        form.requestSubmit();
        return document.querySelector('#new_password').type";
    assert_eq!(browser.evaluate(sent, vec![]).await, json!("password"));
    browser.close().await;
}

#[tokio::test]
async fn every_password_field_has_the_button_and_none_without_scripts() {
    let site = Site::start().await;
    for (scripts, count) in [(Scripts::On, 1), (Scripts::Off, 0)] {
        let Some(browser) = Browser::open(&site, 390, scripts).await else {
            return;
        };
        for path in ["/login", "/signup"] {
            browser.go(path).await;
            let fields = browser.texts("input[type=password]").await.len();
            assert_eq!(fields, 1, "{path}");
            let buttons = browser.texts(".show-password").await.len();
            assert_eq!(buttons, count, "{path}");
        }
        browser.close().await;
    }
}

#[tokio::test]
async fn a_search_tip_fills_the_box_where_the_person_goes_on_typing() {
    let site = Site::start().await;
    for scripts in [Scripts::On, Scripts::Off] {
        let Some(browser) = Browser::open(&site, 390, scripts).await else {
            return;
        };
        browser.go("/search").await;
        browser.type_into("#q", "tea").await;
        if scripts == Scripts::Off {
            // A link knows what was searched, not what is typed.
            browser.go("/search?q=tea").await;
            browser.click(".search-tips summary").await;
        }
        browser.click("[data-operator=\"after:\"]").await;
        let state = "const box = document.querySelector('#q');
            return [box.value, document.activeElement === box]";
        assert_eq!(
            browser.evaluate(state, vec![]).await,
            json!(["tea after:", true])
        );
        assert_eq!(browser.path().await, "/search");
        browser.photograph("search-tip").await;
        browser.close().await;
    }
}

#[tokio::test]
async fn a_password_field_has_room_for_its_text_on_a_narrow_page_with_large_letters() {
    let site = Site::start().await;
    let Some(browser) = Browser::with_text(&site, 320, 32).await else {
        return;
    };
    for path in ["/login", "/signup"] {
        browser.go(path).await;
        browser.photograph("large-password").await;
        let room = "const field = document.querySelector('[type=password]');
            const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(field);
            const [inside, button] = [field, field.nextElementSibling].map((part) => part.getBoundingClientRect());
            const isCovered = button.top < inside.bottom && button.left < inside.right;
            return [field.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd), isCovered]";
        let room = browser.evaluate(room, vec![]).await;
        // Three of the largest letters.
        assert!(room[0].as_f64() >= Some(96.0), "{path}: {room}");
        assert_eq!(room[1], false, "{path}");
    }
    browser.close().await;
}
