//! The form to post: every page leads to it, and it is small until a person writes.

use fantoccini::cookies::Cookie;
use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Person, Site, crowd, waiting::eventually},
};

const SEND: &str = ".compose [type=submit]:not([name])";
const DIALOG: &str = "dialog.composer[open]";

async fn alice(site: &Site, width: u32, scripts: Scripts) -> Option<Browser> {
    let browser = Browser::open(site, width, scripts).await?;
    browser.sign_up("alice", "Alice").await;
    Some(browser)
}

async fn wait_for_focus(browser: &Browser, id: &str) {
    let focused = "return document.activeElement.id";
    eventually(&format!("{id} has the focus"), async || {
        browser.evaluate(focused, vec![]).await == id
    })
    .await;
}

/// Gives the browser the session of the person, as after a log-in in another tab.
async fn log_in_in_another_tab(browser: &Browser, person: &Person) {
    let client = &browser.client;
    let deleted = client.delete_all_cookies().await;
    deleted.expect("the cookies are deleted");
    for (name, value) in person.cookies.all() {
        let cookie = Cookie::parse(format!(
            "{name}={value}; Domain=127.0.0.1; Path=/; SameSite=Lax"
        ));
        let added = client.add_cookie(cookie.expect("a cookie")).await;
        added.expect("the cookie is set");
    }
}

#[tokio::test]
async fn a_form_of_another_account_does_not_replace_the_draft_of_the_one_that_is_logged_in() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.type_into("[name=message]", "by alice").await;
    let draft =
        "sessionStorage.setItem('draft:bob', JSON.stringify({ fields: { message: 'by bob' } }))";
    browser.evaluate(draft, vec![]).await;
    log_in_in_another_tab(&browser, &bob).await;
    browser.click(SEND).await;
    eventually("the form is given back", async || {
        browser.has(".retained [name=message]").await
    })
    .await;
    browser.type_into(".retained [name=message]", "!").await;
    browser.go("/").await;
    eventually("the draft of bob is in his form", async || {
        let message = "return document.querySelector('[name=message]').value";
        browser.evaluate(message, vec![]).await == "by bob"
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn compose_opens_the_form_above_any_page_and_the_post_leads_back_to_it() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let post = crowd::post(&site.store, bob, "a post").await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    for path in [
        "/notifications",
        "/settings",
        &format!("/@bob/{post}"),
        &format!("/statuses/{post}/quote"),
    ] {
        browser.go(path).await;
        browser.click(".compose-link").await;
        wait_for_focus(&browser, "new-message").await;
        assert_eq!(browser.path().await, path);
        browser.photograph("composer").await;
        browser.type_into("#new-message", path).await;
        browser
            .click_through(&format!("{DIALOG} {SEND}"), path)
            .await;
        assert_eq!(browser.texts(".flash").await, ["Posted."], "{path}");
        assert!(!browser.has(DIALOG).await);
        browser.go("/@alice").await;
        assert_eq!(browser.texts(".feed .e-content").await[0], path);
    }
    browser.close().await;
}

#[tokio::test]
async fn compose_leads_to_the_form_of_a_page_that_has_one() {
    let site = Site::start().await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    let mut typed = String::new();
    for path in ["/", "/important", "/everybody"] {
        browser.go(path).await;
        browser.click(".compose-link").await;
        wait_for_focus(&browser, "message").await;
        assert!(!browser.has("dialog").await);
        // All of them have the same draft.
        let value = "return document.querySelector('#message').value";
        assert_eq!(browser.evaluate(value, vec![]).await, json!(typed));
        browser.type_into("#message", path).await;
        let value = browser.evaluate(value, vec![]).await;
        typed = value.as_str().expect("a text").to_owned();
        assert!(typed.contains(path), "{typed}");
    }
    browser.close().await;
}

#[tokio::test]
async fn compose_leads_to_the_page_of_the_form_in_a_browser_without_dialogs() {
    let site = Site::start().await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.go("/settings").await;
    let without = "delete window.HTMLDialogElement";
    browser.evaluate(without, vec![]).await;
    browser.click_through(".compose-link", "/compose").await;
    wait_for_focus(&browser, "message").await;
    browser.close().await;
}

#[tokio::test]
async fn a_closed_dialog_keeps_its_text_as_the_draft_of_home() {
    let site = Site::start().await;
    let Some(browser) = alice(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go("/settings").await;
    browser.click(".compose-link").await;
    wait_for_focus(&browser, "new-message").await;
    browser.type_into("#new-message", "half a text").await;
    browser.photograph("composer").await;
    browser.click(&format!("{DIALOG} .title-row button")).await;
    eventually("the dialog is closed", async || {
        !browser.has("dialog").await
    })
    .await;
    browser.go("/").await;
    // The draft has a warning, so it waits for that part of the form.
    eventually("the draft is restored", async || {
        let text = "return document.querySelector('#message').value";
        browser.evaluate(text, vec![]).await == "half a text"
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn only_a_press_beside_the_dialog_closes_it_and_no_selection_that_ends_there() {
    let site = Site::start().await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.go("/settings").await;
    browser.click(".compose-link").await;
    wait_for_focus(&browser, "new-message").await;
    let press = "const dialog = document.querySelector('dialog.composer');
        const beside = { bubbles: true, clientX: 1, clientY: 1 };
        document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointerdown', beside));
        dialog.dispatchEvent(new MouseEvent('click', beside));
        return dialog.open";
    for (begin, is_open) in [("#new-message", true), ("dialog.composer", false)] {
        let seen = browser.evaluate(press, vec![json!(begin)]).await;
        assert_eq!(seen, is_open, "{begin}");
    }
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_compose_leads_to_a_page_with_the_form_and_back() {
    let site = Site::start().await;
    let Some(browser) = alice(&site, 390, Scripts::Off).await else {
        return;
    };
    browser.go("/settings").await;
    browser.click_through(".compose-link", "/compose").await;
    wait_for_focus(&browser, "message").await;
    browser.photograph("compose-page").await;
    // A preview is a page with the same way back.
    browser.type_into("#message", "from the page").await;
    browser.click_away(".preview-button").await;
    assert_eq!(
        browser.texts(".preview .e-content").await,
        ["from the page"]
    );
    browser.click_through(SEND, "/settings").await;
    assert_eq!(browser.texts(".flash").await, ["Posted."]);
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_the_limit_is_shown_only_while_a_person_writes() {
    let site = Site::start().await;
    let Some(browser) = alice(&site, 390, Scripts::Off).await else {
        return;
    };
    browser.go("/").await;
    let counter = "const { opacity } = getComputedStyle(document.querySelector('.counter'));
        return [opacity, document.querySelector('.compose-foot').getBoundingClientRect().height]";
    let before = browser.evaluate(counter, vec![]).await;
    assert_eq!(before[0], "0");
    browser.click("#message").await;
    let after = browser.evaluate(counter, vec![]).await;
    assert_eq!([&after[0], &after[1]], [&json!("1"), &before[1]]);
    let rows = "const tops = [...document.querySelectorAll('.compose-foot :is(button, select)')]
        .map((part) => part.getBoundingClientRect().top);
        return [tops.length, Math.max(...tops) - Math.min(...tops) < 10]";
    assert_eq!(browser.evaluate(rows, vec![]).await, json!([6, true]));
    browser.close().await;
}

#[tokio::test]
async fn no_button_moves_while_a_person_writes_up_to_the_limit() {
    let site = Site::start().await;
    for width in [320, 390, 768, 1280] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.sign_up(&format!("writes_{width}"), "Alice").await;
        browser.go("/").await;
        let places = "const foot = document.querySelector('.compose-foot').getBoundingClientRect();
            const parts = document.querySelectorAll('.compose-foot :is(button:not(.preview-button), select)');
            return [...parts].map((part) => part.getBoundingClientRect())
                .map(({ left, top, width }) => [left, top - foot.top, width].map(Math.round))";
        let empty = browser.evaluate(places, vec![]).await;
        for (text, shown) in [("a".repeat(9), false), ("a ".repeat(245), true)] {
            let write = "const message = document.querySelector('#message');
                message.focus();
                message.value = arguments[0];
                message.dispatchEvent(new Event('input', { bubbles: true }));
                const counter = document.querySelector('.counter');
                return [document.querySelectorAll('.preview-button').length, / left$/.test(counter.textContent)]";
            let written = browser.evaluate(write, vec![json!(text)]).await;
            assert_eq!(written, json!([1, shown]), "{width}");
            let seen = browser.evaluate(places, vec![]).await;
            assert_eq!(seen, empty, "{width}");
        }
        browser.photograph("writing").await;
        browser.close().await;
    }
}

#[tokio::test]
async fn no_part_of_the_form_to_edit_moves_when_its_counter_changes() {
    let site = Site::start().await;
    for (width, text_px) in [(320, 16), (320, 32), (390, 16), (500, 16), (1280, 16)] {
        let login = format!("edits_{width}_{text_px}");
        let Some(browser) = Browser::with_text(&site, width, text_px).await else {
            return;
        };
        browser.sign_up(&login, "Alice").await;
        let alice = crowd::uid(&site.store, &login).await;
        let post = crowd::post(&site.store, alice, "to edit").await;
        browser.go(&format!("/statuses/{post}/edit")).await;
        // The words of the server, of the script, and of the script near the limit.
        let places = "const counter = document.querySelector('.compose-foot > .counter');
            const words = ['', '493 left', 'Up to 500 characters', 'Ctrl+Enter to send', '9 too many', '100 too many'];
            return words.map((words) => {
                counter.textContent = words;
                counter.classList.toggle('over-limit', words.endsWith('many'));
                return [...document.querySelectorAll('.compose-foot :is(button, select)')]
                    .map((part) => part.getBoundingClientRect())
                    .map(({ left, top, width }) => [left, top, width]);
            })";
        let seen = browser.evaluate(places, vec![]).await;
        for moved in &seen.as_array().expect("it is a list")[1..] {
            assert_eq!(moved, &seen[0], "{width} {text_px}");
        }
        let is_whole = "const counter = document.querySelector('.compose-foot > .counter');
            return counter.scrollWidth <= counter.clientWidth";
        assert_eq!(
            browser.evaluate(is_whole, vec![]).await,
            true,
            "{width} {text_px}"
        );
        browser.photograph("edit").await;
        browser.close().await;
    }
}

#[tokio::test]
async fn the_preview_is_in_the_row_of_the_other_buttons_on_phones() {
    let site = Site::start().await;
    for width in [375, 390, 430] {
        let login = format!("alice_{width}");
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.sign_up(&login, "Alice").await;
        browser.go("/").await;
        browser.type_into("#message", "a text").await;
        browser.photograph("composer-row").await;
        let places =
            "const tops = [...document.querySelectorAll('.compose-foot :is(button, select)')]
            .map((part) => part.getBoundingClientRect().top);
            return [tops.length, Math.max(...tops) - Math.min(...tops) < 10]";
        let seen = browser.evaluate(places, vec![]).await;
        assert_eq!(seen, json!([7, true]), "{width}");
        browser.close().await;
    }
}

#[tokio::test]
async fn with_text_twice_as_large_the_empty_form_is_one_line() {
    let site = Site::start().await;
    let Some(browser) = Browser::with_text(&site, 320, 32).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go("/").await;
    browser.photograph("empty-composer").await;
    let height = "return document.querySelector('.compose').getBoundingClientRect().height";
    let empty = browser.evaluate(height, vec![]).await;
    assert!(empty.as_f64().expect("a number") < 250.0, "{empty}");
    browser.type_into("#message", "a text").await;
    let is_shown = format!("return document.querySelector('{SEND}').checkVisibility()");
    assert_eq!(browser.evaluate(&is_shown, vec![]).await, true);
    // An opened warning can have a text. The pointer is not above the form.
    let open = "document.querySelector('button.extras').click()";
    browser.evaluate(open, vec![]).await;
    eventually("the form has a warning", async || {
        browser.has("details.extras[open] [name=warning]").await
    })
    .await;
    browser.type_into("[name=warning]", "a warning").await;
    let leave = "document.querySelector('#message').value = ''; document.activeElement.blur()";
    browser.evaluate(leave, vec![]).await;
    assert_eq!(browser.evaluate(&is_shown, vec![]).await, true);
    browser.close().await;
}

#[tokio::test]
async fn at_320_pixels_the_form_has_two_rows_and_marks_a_post_that_not_everyone_sees() {
    let site = Site::start().await;
    let Some(browser) = alice(&site, 320, Scripts::On).await else {
        return;
    };
    browser.go("/").await;
    browser.type_into("#message", "a text").await;
    let rows = "const tops = [...document.querySelectorAll('.compose-foot :is(button, select)')]
        .map((part) => Math.round(part.getBoundingClientRect().top / 10));
        return [tops.length, new Set(tops).size]";
    assert_eq!(browser.evaluate(rows, vec![]).await, json!([7, 2]));
    let is_even = "const place = (css) => document.querySelector(`.compose-foot ${css}`).getBoundingClientRect();
        return Math.abs(place('.add-post').top - place('select').top) < 10
            && Math.abs(place('.add-post').right - place('.send').right) < 8";
    assert_eq!(browser.evaluate(is_even, vec![]).await, true);
    let is_marked = "const select = document.querySelector('#visibility');
        const before = getComputedStyle(select).color;
        select.value = 'followers';
        return getComputedStyle(select).color !== before";
    assert_eq!(browser.evaluate(is_marked, vec![]).await, true);
    browser.photograph("two-rows").await;
    browser.close().await;
}
