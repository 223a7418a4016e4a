//! The draft of a person with a frozen account: it is shown, and cannot be sent.

use serde_json::{Value, json};

use crate::{
    browser::chromium::{Browser, Scripts},
    moderation::{decide, three},
    support::{PASSWORD, Site, waiting::eventually},
};

const WARNING: &str = "details[data-extras=warning]";

async fn value(browser: &Browser, name: &str) -> Value {
    let script = format!("return document.querySelector('[name={name}]')?.value");
    browser.evaluate(&script, Vec::new()).await
}

#[tokio::test]
async fn the_draft_of_a_frozen_person_is_shown_and_neither_a_button_nor_a_key_sends_it() {
    let site = Site::start().await;
    let [alice, _, _] = three(&site).await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go("/login").await;
    browser.type_into("[name=login]", "bob").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
    browser.open_extras().await;
    browser.type_into("[name=message]", "my words").await;
    browser.type_into("[name=warning]", "my warning").await;
    decide(&alice, "freeze").await;
    browser.go("/").await;
    eventually("the whole draft is shown", async || {
        value(&browser, "message").await == "my words"
            && value(&browser, "warning").await == "my warning"
            && browser.has(&format!("{WARNING}[open]")).await
    })
    .await;
    browser.photograph("frozen").await;
    let press = "const form = document.querySelector('[data-compose]');
        const buttons = [...form.querySelectorAll('[type=submit]')];
        for (const button of buttons) button.disabled = button.matches('.add-post');
        let sent = 0;
        document.addEventListener('submit', (event) => event.defaultPrevented || (sent += 1));
        for (const button of buttons) button.click();
        const keys = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
        form.querySelector('[name=message]').dispatchEvent(new KeyboardEvent('keydown', keys));
        return [buttons.length, buttons.every((button) => button.matches(':disabled')), sent]";
    let pressed = browser.evaluate(press, Vec::new()).await;
    assert_eq!(pressed, json!([3, true, 0]));
    let errors = browser.has(".draft-error").await;
    assert!(!errors, "the draft needs nothing else");
    browser.close().await;
}
