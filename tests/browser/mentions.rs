//! The list of people that completes a name in the form to post.

use serde_json::{Value, json};

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd, waiting::eventually},
};

const OPTIONS: &str = ".completions [role=option]";

async fn seen(browser: &Browser, script: &str) -> Value {
    browser.evaluate(script, vec![]).await
}

async fn offered(browser: &Browser, names: &[&str]) {
    eventually(&format!("{names:?} are offered"), async || {
        let read =
            "return [...document.querySelectorAll(arguments[0])].map((part) => part.dataset.login)";
        browser.evaluate(read, vec![json!(OPTIONS)]).await == json!(names)
    })
    .await;
}

/// Presses a key in the text.
async fn press(browser: &Browser, key: &str) {
    browser.type_into("main [data-compose] textarea", key).await;
}

#[tokio::test]
async fn a_name_is_completed_with_the_keyboard_or_a_click() {
    const DOWN: &str = "\u{E015}";
    const ENTER: &str = "\u{E007}";
    const ESCAPE: &str = "\u{E00C}";
    let site = Site::start().await;
    crowd::people(&site.store, "garlic", 2).await;
    crowd::member(&site.store, "garnet").await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go("/").await;
    press(&browser, "Hello @gar").await;
    offered(&browser, &["garlic_0", "garlic_1", "garnet"]).await;
    browser.photograph("completions").await;
    let states = "const field = document.activeElement;
        const option = document.getElementById(field.getAttribute('aria-activedescendant'));
        return [field.getAttribute('aria-autocomplete'),
            document.getElementById(field.getAttribute('aria-controls')).getAttribute('role'),
            option.dataset.login, option.getAttribute('aria-selected'),
            field.form.querySelector('[data-announcement]').textContent]";
    let words = "3 people. Arrow keys choose, Enter adds.";
    let expected = json!(["list", "listbox", "garlic_0", "true", words]);
    assert_eq!(seen(&browser, states).await, expected);
    press(&browser, DOWN).await;
    press(&browser, ENTER).await;
    let text = "return document.querySelector('main [data-compose] textarea').value";
    assert_eq!(seen(&browser, text).await, "Hello @garlic_1 ");
    assert!(!browser.has(".completions").await);
    let left = "return document.activeElement.hasAttribute('aria-controls')";
    assert_eq!(seen(&browser, left).await, false);
    press(&browser, "and @garn").await;
    offered(&browser, &["garnet"]).await;
    press(&browser, ESCAPE).await;
    offered(&browser, &[]).await;
    assert_eq!(seen(&browser, text).await, "Hello @garlic_1 and @garn");
    press(&browser, "e").await;
    offered(&browser, &["garnet"]).await;
    browser.click(OPTIONS).await;
    assert_eq!(seen(&browser, text).await, "Hello @garlic_1 and @garnet ");
    press(&browser, "mail@gar").await;
    assert!(!browser.has(".completions").await);
    browser.close().await;
}
