//! Forms over a dead connection that the browser does not know of: each stays on its page with its text.

use serde_json::{Value, json};

use super::offline::{assert_stayed, eventually_said, mark};
use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Person, Site, waiting::eventually},
};

const NOT_SENT: &str = "Not sent. Try again.";
const PROFILE: &str = "form[action=\"/settings/profile\"] [type=submit]";
const LOG_IN: &str = "form[action=\"/login\"] [type=submit]";

async fn alice(site: &Site) -> Option<Browser> {
    let browser = Browser::open(site, 390, Scripts::On).await?;
    browser.sign_up("alice", "Alice").await;
    Some(browser)
}

/// Cuts the network off without the knowledge of the browser.
async fn cut(browser: &Browser) {
    mark(browser).await;
    let unaware = "Object.defineProperty(navigator, 'onLine', { get: () => true })";
    browser.evaluate(unaware, vec![]).await;
    browser.set_offline(true).await;
}

#[tokio::test]
async fn settings_over_a_dead_connection_stay_in_their_form() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.go("/settings").await;
    browser.type_into("[name=bio]", "I build boats.").await;
    cut(&browser).await;
    browser.click(PROFILE).await;
    eventually_said(&browser, NOT_SENT).await;
    assert_stayed(&browser).await;
    // The button can be pressed again, and has the focus again.
    let state = "const button = document.querySelector(arguments[0]);
        return [document.querySelector('[name=bio]').value, button.disabled, document.activeElement === button]";
    assert_eq!(
        browser.evaluate(state, vec![PROFILE.into()]).await,
        json!(["I build boats.", false, true])
    );
    browser.set_offline(false).await;
    browser.click_away(PROFILE).await;
    let profile = Person::visitor(&site).open("/@alice").await;
    assert!(profile.visible_text().contains("I build boats."));
    browser.close().await;
}

#[tokio::test]
async fn a_log_in_over_a_dead_connection_stays_in_its_form() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go("/login").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    cut(&browser).await;
    browser.click(LOG_IN).await;
    eventually_said(&browser, NOT_SENT).await;
    assert_stayed(&browser).await;
    browser.set_offline(false).await;
    browser.click_through(LOG_IN, "/").await;
    assert!(browser.has("body[data-login=alice]").await);
    browser.close().await;
}

#[tokio::test]
async fn a_log_out_over_a_dead_connection_says_so_and_keeps_the_draft() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.type_into("[name=message]", "half a thought").await;
    cut(&browser).await;
    let log_out = "window.confirm = () => { window.asked = (window.asked ?? 0) + 1; return true; };
        // With the key that opens a tab.
        const click = new MouseEvent('click', { ctrlKey: true, bubbles: true, cancelable: true });
        document.querySelector('.log-out [type=submit]').dispatchEvent(click)";
    browser.evaluate(log_out, vec![]).await;
    eventually_said(&browser, NOT_SENT).await;
    assert_stayed(&browser).await;
    let kept =
        "return [window.asked, JSON.parse(sessionStorage.getItem('draft:alice')).fields.message]";
    assert_eq!(
        browser.evaluate(kept, vec![]).await,
        json!([1, "half a thought"])
    );
    browser.set_offline(false).await;
    browser.evaluate(log_out, vec![]).await;
    eventually("she is logged out", async || {
        browser.has("a[href=\"/login\"]").await
    })
    .await;
    let drafts = "return Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))";
    assert_eq!(browser.evaluate(drafts, vec![]).await, json!([]));
    browser.close().await;
}

/// Holds the requests that ask whether the site answers, until `window.answer(status)`. Counts them and the sent forms
/// across pages.
const HOLD: &str = "
    const count = (name) => (sessionStorage[name] = Number(sessionStorage[name] ?? 0) + 1);
    const { fetch } = window;
    window.fetch = (path, ...options) => {
        if (!String(path).includes('/static/app')) return fetch(path, ...options);
        count('asked');
        return new Promise((resolve) => (window.answer = (status) => resolve(new Response(null, { status }))));
    };
    document.addEventListener('submit', (event) => event.defaultPrevented || count('sent'));";

async fn counted(browser: &Browser, name: &str) -> Value {
    let read = "return sessionStorage[arguments[0]] ?? null";
    browser.evaluate(read, vec![name.into()]).await
}

#[tokio::test]
async fn a_form_with_a_text_is_sent_once_after_the_answer() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.go("/settings").await;
    browser.type_into("[name=bio]", "I build boats.").await;
    mark(&browser).await;
    browser.evaluate(HOLD, vec![]).await;
    // The page has loaded completely after the press, as with a slow image.
    let press = "const button = document.querySelector(arguments[0]);
        button.click();
        button.click();
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
        button.click();";
    browser.evaluate(press, vec![PROFILE.into()]).await;
    eventually_said(&browser, "Sending…").await;
    assert_stayed(&browser).await;
    let answer = async || drop(browser.evaluate("window.answer(200)", vec![]).await);
    browser.leave("the answer", answer).await;
    assert_eq!(counted(&browser, "asked").await, "1");
    assert_eq!(counted(&browser, "sent").await, "1");
    let profile = Person::visitor(&site).open("/@alice").await;
    assert!(profile.visible_text().contains("I build boats."));
    browser.close().await;
}

#[tokio::test]
async fn a_text_stays_in_its_form_while_a_proxy_says_that_the_site_is_away() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.go("/settings").await;
    browser.type_into("[name=bio]", "I build boats.").await;
    mark(&browser).await;
    browser.evaluate(HOLD, vec![]).await;
    browser.click(PROFILE).await;
    browser.evaluate("window.answer(503)", vec![]).await;
    eventually_said(&browser, NOT_SENT).await;
    assert_stayed(&browser).await;
    assert_eq!(counted(&browser, "sent").await, Value::Null);
    browser.close().await;
}

#[tokio::test]
async fn a_form_without_a_text_is_sent_without_asking_the_site() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    browser.go("/settings/display").await;
    browser.evaluate(HOLD, vec![]).await;
    browser
        .click_away("form[action=\"/settings/display\"] [type=submit]")
        .await;
    assert_eq!(counted(&browser, "asked").await, Value::Null);
    assert_eq!(counted(&browser, "sent").await, "1");
    browser.close().await;
}

/// The form is submitted after the site answered, with the button that was pressed.
#[tokio::test]
async fn a_pressed_button_sends_its_name_and_its_action() {
    let site = Site::start().await;
    let Some(browser) = alice(&site).await else {
        return;
    };
    let press = "document.querySelector('main').insertAdjacentHTML('beforeend', `
            <form method=post action=/first id=tried><input name=text value=typed>
            <button type=submit formaction=/second name=act value=this>Go</button></form>`);
        const form = document.querySelector('#tried');
        document.addEventListener('submit', (event) => {
            // The page stays, so that the test can look.
            if (event.defaultPrevented) return;
            event.preventDefault();
            const { submitter } = event;
            window.sent = [new FormData(form, submitter).get('act'), new URL(submitter.formAction).pathname];
        });
        form.querySelector('button').click();";
    browser.evaluate(press, vec![]).await;
    eventually("it is sent", async || {
        browser.evaluate("return window.sent", vec![]).await == json!(["this", "/second"])
    })
    .await;
    browser.close().await;
}
