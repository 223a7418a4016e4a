//! Printed pages: what people wrote, dark on white, without navigation, forms and buttons.

use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Person, Site},
};

/// Applies the rules for paper to the screen.
const PRINT: &str = "const swap = (rules) => {
        for (const rule of rules) {
            const text = rule.media?.mediaText;
            if (text === 'print') rule.media.mediaText = 'screen';
            if (text === 'screen') rule.media.mediaText = 'print';
            if (rule.cssRules) swap(rule.cssRules);
        }
    };
    document.documentElement.dataset.theme = 'dark';
    for (const sheet of document.styleSheets) swap(sheet.cssRules);";

const VISIBLE: &str = "const { color } = getComputedStyle(document.querySelector('main'));
    const { backgroundColor } = getComputedStyle(document.body);
    const left = [...document.querySelectorAll('nav, header.top, footer.bottom, aside, button, .button, textarea, input, summary:not(.warned > summary)')];
    return [color, backgroundColor, left.filter((one) => one.checkVisibility()).map((one) => one.outerHTML)]";

#[tokio::test]
async fn paper_has_texts_dark_on_white_without_navigation_forms_and_buttons() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = bob.post("Printed words for @alice").await;
    site.drain().await;
    for path in [
        "/everybody",
        "/@bob",
        &format!("/@bob/{id}"),
        "/notifications",
        "/search?q=printed",
    ] {
        browser.go(path).await;
        browser.evaluate(PRINT, vec![]).await;
        let expected = json!(["rgb(0, 0, 0)", "rgb(255, 255, 255)", []]);
        assert_eq!(browser.evaluate(VISIBLE, vec![]).await, expected, "{path}");
        let words = "return document.querySelector('main').innerText.includes('Printed words')";
        assert_eq!(browser.evaluate(words, vec![]).await, json!(true), "{path}");
        browser
            .photograph(&format!(
                "print{}",
                path.split('?').next().unwrap_or_default().replace('/', "-")
            ))
            .await;
    }
    browser.close().await;
}
