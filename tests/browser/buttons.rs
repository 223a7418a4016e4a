//! The buttons under statuses. They work in place where the page's script runs. Without the script,
//! or after an error, they fall back to the page's form.

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd, waiting::eventually},
};

const FAVOURITE_BUTTON: &str = ".status footer > [name$=favourite]";
const BOOKMARK_BUTTON: &str = ".status footer > [name$=bookmark]";

/// Opens a browser as alice, who follows bob, at home with two statuses by bob.
async fn at_home(site: &Site, scripts: Scripts) -> Option<Browser> {
    let bob = crowd::member(&site.store, "bob").await;
    let ids = crowd::posts(&site.store, bob, 2).await;
    crowd::favourite(&site.store, bob, ids[1]).await;
    let browser = Browser::open(site, 400, scripts).await?;
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    crowd::follow(&site.store, alice, bob).await;
    browser.go("/").await;
    Some(browser)
}

/// Returns whether the first favourite button is pressed, its number, and whether the first
/// bookmark button is pressed.
async fn first(browser: &Browser) -> (bool, String, bool) {
    let star = browser
        .has(&format!("{FAVOURITE_BUTTON}[aria-pressed=true]"))
        .await;
    let number = browser.texts(&format!("{FAVOURITE_BUTTON} b")).await;
    let ribbon = browser
        .has(&format!("{BOOKMARK_BUTTON}[aria-pressed=true]"))
        .await;
    (star, number.first().cloned().unwrap_or_default(), ribbon)
}

async fn eventually_first(browser: &Browser, expected: (bool, &str, bool)) {
    let (star, number, ribbon) = expected;
    let expected = (star, number.to_owned(), ribbon);
    eventually(&format!("{expected:?}"), async || {
        first(browser).await == expected
    })
    .await;
}

#[tokio::test]
async fn with_scripts_a_button_does_not_move_the_page() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    browser.evaluate("window.stayed = true", vec![]).await;
    eventually_first(&browser, (false, "1", false)).await;
    let carol = crowd::member(&site.store, "carol").await;
    let id = browser
        .evaluate("return document.querySelector('.status').id", vec![])
        .await;
    let id = id.as_str().and_then(|id| id.strip_prefix("status-"));
    let id = id.expect("a number").parse().expect("an id");
    crowd::favourite(&site.store, carol, id).await;
    browser.click(FAVOURITE_BUTTON).await;
    eventually_first(&browser, (true, "3", false)).await;
    browser.click(BOOKMARK_BUTTON).await;
    eventually_first(&browser, (true, "3", true)).await;
    browser.photograph("pressed").await;
    browser.click(FAVOURITE_BUTTON).await;
    eventually_first(&browser, (false, "2", true)).await;
    let stayed = browser
        .evaluate("return window.stayed === true", vec![])
        .await;
    assert_eq!(stayed, true);
    browser.go("/").await;
    assert_eq!(first(&browser).await, (false, "2".into(), true));
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_a_button_returns_to_the_status() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::Off).await else {
        return;
    };
    browser.click_through(FAVOURITE_BUTTON, "/").await;
    assert_eq!(first(&browser).await, (true, "2".into(), false));
    let fragment = browser.evaluate("return location.hash", vec![]).await;
    let status = browser
        .evaluate("return document.querySelector('.status').id", vec![])
        .await;
    assert_eq!(fragment, format!("#{}", status.as_str().expect("an id")));
    browser.close().await;
}

#[tokio::test]
async fn a_button_on_a_deleted_post_reports_that_in_place() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    let bob = crowd::uid(&site.store, "bob").await;
    let id = browser
        .evaluate("return document.querySelector('.status').id", vec![])
        .await;
    let id = id.as_str().and_then(|id| id.strip_prefix("status-"));
    let id = id.expect("a number").parse().expect("an id");
    let deleted = redwing::actions::statuses::delete(&site.store, bob, id).await;
    deleted.expect("an answer");
    browser.evaluate("window.stayed = true", vec![]).await;
    browser.click(FAVOURITE_BUTTON).await;
    eventually("the post says so", async || {
        let texts = browser.texts(".status").await;
        texts.len() == 2 && texts[0].contains("This post was deleted.")
    })
    .await;
    let stayed = browser
        .evaluate("return window.stayed === true", vec![])
        .await;
    assert_eq!(stayed, true);
    browser.close().await;
}

#[tokio::test]
async fn a_refused_button_leads_to_the_page_with_the_reason() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    let alice = crowd::uid(&site.store, "alice").await;
    let ended = redwing::actions::accounts::log_out_everywhere(&site.store, alice).await;
    ended.expect("an answer");
    browser.click(FAVOURITE_BUTTON).await;
    eventually("the log-in is asked for", async || {
        browser.has("form[action=\"/login\"]").await
    })
    .await;
    browser.close().await;
}

/// Presses the button while the script's requests have this outcome, and returns its state at once.
async fn press_with(browser: &Browser, fetch: &str, css: &str) -> serde_json::Value {
    let press = "window.fetch = new Function('return ' + arguments[0]);
        window.stayed = true;
        const button = document.querySelector(arguments[1]);
        button.click();
        return [button.getAttribute('aria-pressed') ?? button.firstChild.textContent, button.innerText];";
    browser
        .evaluate(press, vec![fetch.into(), css.into()])
        .await
}

/// Returns the label of a button, without the words for screen readers.
async fn first_text(browser: &Browser, css: &str) -> serde_json::Value {
    let text = "return document.querySelector(arguments[0]).firstChild.textContent";
    browser.evaluate(text, vec![css.into()]).await
}

const OFFLINE: &str = "Promise.reject(new TypeError())";

#[tokio::test]
async fn a_press_shows_its_effect_before_the_answer() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    let pressed = press_with(&browser, "new Promise(() => {})", FAVOURITE_BUTTON).await;
    assert_eq!(pressed[0], "true");
    eventually_first(&browser, (true, "2", false)).await;
    browser.close().await;
}

#[tokio::test]
async fn a_press_without_a_connection_is_taken_back_on_the_page() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    for button in [FAVOURITE_BUTTON, BOOKMARK_BUTTON] {
        assert_eq!(press_with(&browser, OFFLINE, button).await[0], "true");
        eventually("it says so", async || {
            browser.texts(".toast").await == ["Not saved. Try again."]
        })
        .await;
        eventually_first(&browser, (false, "1", false)).await;
    }
    browser.photograph("not-saved").await;
    let stayed = "return window.stayed === true && location.pathname === '/'";
    assert_eq!(browser.evaluate(stayed, vec![]).await, true);
    browser.close().await;
}

#[tokio::test]
async fn the_answer_to_a_press_brings_only_what_changed() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    browser.click(FAVOURITE_BUTTON).await;
    eventually_first(&browser, (true, "2", false)).await;
    let sizes = "return performance.getEntriesByType('resource')
        .filter((entry) => entry.initiatorType === 'fetch').map((entry) => entry.decodedBodySize)";
    eventually("less than 200 bytes", async || {
        let sizes = browser.evaluate(sizes, vec![]).await;
        let sizes: Vec<u64> = serde_json::from_value(sizes).expect("numbers");
        sizes.len() == 1 && (1..200).contains(&sizes[0])
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn a_follow_is_done_and_undone_in_place() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    let carol = crowd::member(&site.store, "carol").await;
    browser.go("/").await;
    let follow = ".follow button";
    assert_eq!(press_with(&browser, OFFLINE, follow).await[0], "Unfollow");
    eventually("it is taken back", async || {
        browser.texts(".toast").await == ["Not saved. Try again."]
            && first_text(&browser, follow).await == "Follow"
    })
    .await;
    browser.go("/").await;
    let count_long_timers = "window.stayed = true;
        window.longTimers = 0;
        const start = setTimeout;
        window.setTimeout = (act, ms, ...rest) => {
            if (ms >= 8000) window.longTimers += 1;
            return start(act, ms, ...rest);
        };";
    browser.evaluate(count_long_timers, vec![]).await;
    let alice = crowd::uid(&site.store, "alice").await;
    for (label, sentence) in [
        ("Unfollow", "You now follow @carol."),
        ("Follow", "You no longer follow @carol."),
    ] {
        browser.click(follow).await;
        eventually(sentence, async || {
            browser.texts(".toast").await[0].starts_with(sentence)
        })
        .await;
        assert_eq!(first_text(&browser, follow).await, label);
        let relation = site
            .store
            .relation(redwing::store::Viewer::Member(alice), carol)
            .await
            .expect("an answer");
        assert_eq!(relation.following, label == "Unfollow");
    }
    assert_eq!(browser.texts(".toast button").await, ["Undo"]);
    let long_timers = browser.evaluate("return window.longTimers", vec![]).await;
    assert_eq!(long_timers, 1, "only the sentence without a button leaves");
    browser.click(".toast button").await;
    eventually("the unfollow is undone", async || {
        browser.texts(".toast").await == ["You now follow @carol."]
    })
    .await;
    assert_eq!(first_text(&browser, follow).await, "Unfollow");
    assert_eq!(
        browser
            .evaluate("return window.stayed === true", vec![])
            .await,
        true
    );
    browser.close().await;
}

#[tokio::test]
async fn a_vote_shows_the_results_in_place() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    let bob = crowd::uid(&site.store, "bob").await;
    crowd::post_poll(&site.store, bob, &["Tea", "Coffee"]).await;
    browser.go("/@bob").await;
    browser.evaluate("window.stayed = true", vec![]).await;
    browser.click(".poll label:last-of-type").await;
    browser.click(".poll button").await;
    eventually("the results are there", async || {
        browser
            .texts(".poll li")
            .await
            .iter()
            .any(|line| line.contains("Your vote"))
    })
    .await;
    assert_eq!(
        browser
            .evaluate("return window.stayed === true", vec![])
            .await,
        true
    );
    browser.close().await;
}

#[tokio::test]
async fn a_post_behind_a_warning_is_deleted_by_its_warning() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    browser
        .type_into("[name=message]", "the murderer is the gardener")
        .await;
    browser.open_extras().await;
    browser.type_into("[name=warning]", "About the film").await;
    browser
        .click_through("[data-compose] [type=submit]:not([name])", "/")
        .await;
    eventually("the page is loaded", async || {
        let state = browser.evaluate("return document.readyState", vec![]).await;
        state == "complete" && browser.has(".warned").await
    })
    .await;
    browser.click(".status .dots").await;
    browser.click("a.delete").await;
    eventually("the dialog names the post", async || {
        browser.texts("dialog[open] blockquote").await == ["About the film"]
    })
    .await;
    browser.close().await;
}

/// Returns the shown posts of the timeline, and the post with the focus.
async fn shown_and_focused(browser: &Browser) -> serde_json::Value {
    let script = "const text = (card) => card?.querySelector('.e-content')?.innerText ?? '';
        return [[...document.querySelectorAll('.feed .status:not([hidden])')].map(text),
            text(document.activeElement.closest('.status'))]";
    browser.evaluate(script, vec![]).await
}

async fn eventually_shown(browser: &Browser, texts: &[&str], focused: &str) {
    eventually(&format!("{texts:?} with {focused:?}"), async || {
        shown_and_focused(browser).await == serde_json::json!([texts, focused])
    })
    .await;
}

async fn eventually_said(browser: &Browser, sentence: &str) {
    let read = "return document.querySelector('.toast').firstChild?.textContent.trim() ?? ''";
    eventually(sentence, async || {
        browser.evaluate(read, vec![]).await == sentence
    })
    .await;
}

const STAYED: &str = "return window.stayed === true && location.pathname === '/'";

#[tokio::test]
async fn a_post_is_deleted_in_place() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    let mut ids = Vec::new();
    for text in ["one", "two", "three"] {
        ids.push(crowd::post(&site.store, alice, text).await);
    }
    browser.go("/").await;
    browser.evaluate("window.stayed = true", vec![]).await;
    let post = format!("#status-{}", ids[1]);
    let delete = async || {
        browser.click(&format!("{post} .dots")).await;
        browser.click(&format!("{post} .delete")).await;
        browser.click("dialog[open] .danger").await;
    };
    let failing = "window.ownFetch = fetch; window.fetch = (address, options) =>
        options?.method === 'POST' ? Promise.reject(new TypeError()) : ownFetch(address, options)";
    browser.evaluate(failing, vec![]).await;
    delete().await;
    eventually_said(&browser, "Not saved. Try again.").await;
    eventually_shown(&browser, &["three", "two", "one"], "one").await;
    browser.evaluate("window.fetch = ownFetch", vec![]).await;
    delete().await;
    eventually_said(&browser, "Deleted.").await;
    eventually_shown(&browser, &["three", "one"], "one").await;
    browser.photograph("deleted-in-place").await;
    assert_eq!(browser.evaluate(STAYED, vec![]).await, true);
    browser.go("/").await;
    assert_eq!(browser.texts(".feed .e-content").await, ["three", "one"]);
    browser.close().await;
}

#[tokio::test]
async fn a_person_is_muted_in_place_and_unmuted_again() {
    let site = Site::start().await;
    let Some(browser) = at_home(&site, Scripts::On).await else {
        return;
    };
    let carol = crowd::member(&site.store, "carol").await;
    let alice = crowd::uid(&site.store, "alice").await;
    crowd::follow(&site.store, alice, carol).await;
    let id = crowd::post(&site.store, carol, "of carol").await;
    browser.go("/").await;
    let all = browser.texts(".feed .e-content").await;
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!((all.len(), all[0]), (3, "of carol"));
    browser.evaluate("window.stayed = true", vec![]).await;
    browser.click(&format!("#status-{id} .dots")).await;
    browser.click("[name=mute][value=carol]").await;
    let said = "@carol is muted. Their posts no longer appear on your home.";
    eventually_said(&browser, said).await;
    eventually_shown(&browser, &all[1..], all[1]).await;
    browser.photograph("muted-in-place").await;
    browser.click(".toast button").await;
    eventually_said(&browser, "@carol is no longer muted.").await;
    assert_eq!(shown_and_focused(&browser).await[0], serde_json::json!(all));
    assert_eq!(browser.evaluate(STAYED, vec![]).await, true);
    browser.go("/").await;
    assert_eq!(browser.texts(".feed .e-content").await, all);
    browser.close().await;
}
