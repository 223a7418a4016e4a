//! Light and dark pages: the device decides until the reader chooses.

use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Person, Site},
};

const LIGHT: &str = "rgb(248, 242, 236)";
const DARK: &str = "rgb(20, 16, 15)";

async fn background(browser: &Browser) -> serde_json::Value {
    let script = "return getComputedStyle(document.body).backgroundColor";
    browser.evaluate(script, vec![]).await
}

/// Chooses a theme on its page.
async fn choose(browser: &Browser, theme: &str) {
    browser.go("/settings/display").await;
    let select = "document.querySelector('#theme').value = arguments[0]";
    browser.evaluate(select, vec![json!(theme)]).await;
    browser
        .click_through(
            "form[action=\"/settings/display\"] [type=submit]",
            "/settings/display",
        )
        .await;
}

#[tokio::test]
async fn a_chosen_theme_is_on_every_page_until_the_device_decides_again() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let of_device = background(&browser).await;
    for (theme, colour) in [("dark", DARK), ("light", LIGHT)] {
        choose(&browser, theme).await;
        assert_eq!(background(&browser).await, json!(colour), "{theme}");
        let chosen = "return document.querySelector('#theme').value";
        assert_eq!(browser.evaluate(chosen, vec![]).await, theme);
        browser.photograph(&format!("display-{theme}")).await;
        browser.go("/").await;
        assert_eq!(background(&browser).await, json!(colour), "{theme}");
    }
    choose(&browser, "auto").await;
    assert_eq!(background(&browser).await, of_device);
    browser.close().await;
}

#[tokio::test]
async fn a_theme_that_does_not_exist_is_refused_and_a_forged_cookie_is_ignored() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/settings/display").await;
    let form = form.form("/settings/display").set("theme", "pink");
    assert!(alice.submit(&form).await.status.is_client_error());
    let visitor = Person::visitor(&site);
    let cases: [(&str, &[&str]); 3] = [("dark", &["dark"]), ("light'><b>", &[]), ("auto", &[])];
    for (value, theme) in cases {
        let cookie = ("redwing-theme".to_owned(), value.to_owned());
        visitor.cookies.replace(vec![cookie]);
        let page = visitor.open("/").await;
        let themes = page.attributes("html[data-theme]", "data-theme");
        assert_eq!(themes, theme, "{value}");
    }
}
