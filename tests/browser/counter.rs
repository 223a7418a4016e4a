//! The counter in the browser and the check on the server count characters in the same way.

use redwing::domain::{Message, TextError};
use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::Site,
};

/// Texts that are hard to count. Each is followed by enough plain letters to exceed the limit.
const TRICKY: [&str; 18] = [
    "plain",
    "👨‍👩‍👧‍👦👩‍❤️‍💋‍👨🧑🏽‍🚀",
    "🇨🇭🇦🇹🇩🇪🇫",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "e\u{301}a\u{308}\u{323}Z\u{361}\u{35c}",
    "one\r\ntwo\nthree",
    "\n\nleading lines",
    "한국어 각\u{1100}\u{1161}\u{11a8}",
    "नमस्ते क्षत्रिय",
    "ไทยกำ",
    "👍🏿👍\u{fe0f}☺\u{fe0f}1\u{fe0f}\u{20e3}",
    "ﷺ ½ ﬁ",
    "a\u{200d}b",
    "தமிழ் நி",
    "\u{1f1e8}a\u{1f1ed}",
    "tab\tand  blanks",
    "@ann ＠ann_2 #größe #می\u{200c}خواهم #1\u{fe0f}\u{20e3}",
    "https://bücher.example/路?a=(b)#c… http://a.example",
];

/// Returns the number of excess characters that the server counts.
fn by_the_server(text: &str) -> i64 {
    match Message::parse(text) {
        Err(TextError::TooLong { max, is }) => (is - max) as i64,
        other => panic!("{text:?} is too long, but: {other:?}"),
    }
}

/// Returns the number of excess characters that the counter shows.
async fn by_the_browser(browser: &Browser, text: &str) -> i64 {
    let script = "const field = document.querySelector('[name=message]');
        field.value = arguments[0];
        field.dispatchEvent(new Event('input', { bubbles: true }));
        return document.querySelector('[data-limit]').textContent;";
    let shown = browser.evaluate(script, vec![json!(text)]).await;
    let shown = shown.as_str().expect("the counter is text").to_owned();
    assert!(shown.contains("too many"), "{text:?}: {shown}");
    shown
        .chars()
        .filter(char::is_ascii_digit)
        .collect::<String>()
        .parse()
        .expect("the counter shows a number")
}

#[tokio::test]
async fn the_counter_in_the_browser_counts_as_the_server_does() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    for start in TRICKY {
        let text = format!("{start} {}", "x".repeat(600));
        assert_eq!(
            by_the_browser(&browser, &text).await,
            by_the_server(&text),
            "{start:?}"
        );
    }
    browser.photograph("too-long").await;
    browser.close().await;
}
