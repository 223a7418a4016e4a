//! An open home in the browser: new posts are offered and inserted, counts change, and a log-out
//! elsewhere is announced without losing typed text.

use serde_json::{Value, json};

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Person, Site, crowd, waiting::eventually},
};

const OFFER: &str = ".live button";

/// Returns alice, bob and a browser. Alice follows bob, is also logged in in the browser, and sees
/// bob's first post there.
async fn reading(site: &Site) -> Option<(Person, Person, Browser)> {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.follow("bob").await;
    bob.post("the first").await;
    let browser = Browser::open(site, 1280, Scripts::On).await?;
    log_in(&browser).await;
    Some((alice, bob, browser))
}

async fn log_in(browser: &Browser) {
    browser.go("/login").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
}

/// Returns the texts of the matching elements, read at one moment because the page changes by
/// itself.
async fn texts(browser: &Browser, css: &str) -> Vec<String> {
    let read = "return [...document.querySelectorAll(arguments[0])]
        .map((part) => part.innerText.replace(/\\s+/g, ' ').trim())";
    let texts = browser.evaluate(read, vec![json!(css)]).await;
    serde_json::from_value(texts).expect("a list of texts")
}

async fn offered(browser: &Browser, words: &[&str]) {
    eventually(&format!("{words:?} is offered"), async || {
        texts(browser, OFFER).await == words
    })
    .await;
}

async fn script(browser: &Browser, script: &str) -> Value {
    browser.evaluate(script, Vec::new()).await
}

async fn messages(browser: &Browser) -> Vec<String> {
    texts(browser, ".status .e-content").await
}

#[tokio::test]
async fn new_posts_are_offered_and_inserted_on_a_click() {
    let site = Site::start().await;
    let Some((alice, bob, browser)) = reading(&site).await else {
        return;
    };
    browser.type_into("[name=message]", "half a thought").await;
    script(
        &browser,
        "document.querySelector('.status').dataset.kept = 1",
    )
    .await;
    bob.post("the second").await;
    offered(&browser, &["1 new post"]).await;
    let gone = bob.post("taken back").await;
    offered(&browser, &["2 new posts"]).await;
    bob.post("the third").await;
    offered(&browser, &["3 new posts"]).await;
    assert_eq!(
        script(&browser, "return document.title").await,
        "(3) Home · Redwing"
    );
    bob.delete(gone).await;
    site.drain().await;
    offered(&browser, &["2 new posts"]).await;
    assert_eq!(
        messages(&browser).await,
        ["the first"],
        "nothing moves without a click"
    );

    browser.click(OFFER).await;
    eventually("they are shown", async || {
        messages(&browser).await == ["the third", "the second", "the first"]
    })
    .await;
    offered(&browser, &[]).await;
    assert_eq!(
        script(&browser, "return document.title").await,
        "Home · Redwing"
    );
    assert!(
        texts(&browser, ".new-posts").await.is_empty(),
        "nothing is left"
    );
    assert_eq!(
        texts(&browser, ".caught-up b").await,
        ["You're all caught up"]
    );
    let focused = "return document.activeElement.querySelector('.e-content')?.innerText";
    assert_eq!(script(&browser, focused).await, "the third");
    let kept = "return document.querySelectorAll('.status')[2].dataset.kept";
    assert_eq!(
        script(&browser, kept).await,
        "1",
        "existing elements are not rebuilt"
    );
    let typed = "return document.querySelector('[name=message]').value";
    assert_eq!(script(&browser, typed).await, "half a thought");
    bob.post("the fourth").await;
    offered(&browser, &["1 new post"]).await;
    assert_eq!(alice.home_ids().await.len(), 4);
    browser.close().await;
}

/// Carol gets the post within the request, alice gets it from a task.
#[tokio::test]
async fn a_late_post_is_inserted_in_id_order() {
    let site = Site::with(&["--pass-size", "1"]).await;
    let [alice, bob, carol] = [
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
        Person::sign_up(&site, "carol").await,
    ];
    carol.follow("bob").await;
    alice.follow("bob").await;
    alice.follow("carol").await;
    bob.post("slow").await;
    carol.post("quick").await;
    let Some(browser) = Browser::open(&site, 1280, Scripts::On).await else {
        return;
    };
    log_in(&browser).await;
    assert_eq!(messages(&browser).await, ["quick"]);
    site.drain().await;
    offered(&browser, &["1 new post"]).await;
    browser.click(OFFER).await;
    eventually("it exists", async || {
        messages(&browser).await == ["quick", "slow"]
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn a_hidden_page_catches_up_when_it_is_shown() {
    let site = Site::start().await;
    let Some((_, bob, browser)) = reading(&site).await else {
        return;
    };
    let set_hidden = async |hidden: bool| {
        let hide = "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));";
        browser.evaluate(hide, vec![json!(hidden)]).await;
    };
    bob.post("seen").await;
    offered(&browser, &["1 new post"]).await;
    set_hidden(true).await;
    bob.post("not seen").await;
    set_hidden(false).await;
    offered(&browser, &["2 new posts"]).await;
    browser.close().await;
}

#[tokio::test]
async fn the_users_counts_change_on_home_and_profile() {
    let site = Site::start().await;
    let Some((alice, bob, browser)) = reading(&site).await else {
        return;
    };
    let counted = async |words: &str| {
        eventually(words, async || {
            texts(&browser, ".counts").await.join(" ").contains(words)
        })
        .await;
    };
    counted("0 followers").await;
    bob.follow("alice").await;
    counted("1 follower").await;
    browser.go("/@alice").await;
    alice.post("from elsewhere").await;
    counted("1 post").await;
    browser.close().await;
}

#[tokio::test]
async fn a_log_out_elsewhere_is_announced_and_typed_text_is_preserved() {
    let site = Site::start().await;
    let Some((alice, _, browser)) = reading(&site).await else {
        return;
    };
    browser.type_into("[name=message]", "half a thought").await;
    let form = alice.open("/settings/sessions").await;
    alice
        .submit_accepted(&form.form("/settings/sessions/revoke-all"))
        .await;
    eventually("the page says so", async || {
        let note = texts(&browser, ".live").await.concat();
        note.contains("logged out") && note.contains("Your draft is saved.")
    })
    .await;
    browser.click_through(".live a", "/login").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
    let typed = "return document.querySelector('[name=message]').value";
    assert_eq!(script(&browser, typed).await, "half a thought");
    browser.close().await;
}

#[tokio::test]
async fn a_log_out_elsewhere_does_not_promise_a_draft_where_there_is_none() {
    let site = Site::start().await;
    let Some((alice, _, browser)) = reading(&site).await else {
        return;
    };
    let form = alice.open("/settings/sessions").await;
    alice
        .submit_accepted(&form.form("/settings/sessions/revoke-all"))
        .await;
    eventually("the page says so", async || {
        let note = texts(&browser, ".live").await.concat();
        note == "You have been logged out. Log in to continue."
    })
    .await;
    browser.close().await;
}

/// The first post was seen; it is below the page that is reloaded.
#[tokio::test]
async fn the_read_line_stays_in_place_when_posts_are_inserted() {
    let site = Site::start().await;
    let Some((_, bob, browser)) = reading(&site).await else {
        return;
    };
    for number in 0..29 {
        bob.post(&number.to_string()).await;
    }
    browser.go("/").await;
    let line = "return document.querySelector('.new-divider')?.nextElementSibling
        .querySelector('.e-content').innerText";
    assert_eq!(script(&browser, line).await, "the first");
    bob.post("one more").await;
    offered(&browser, &["1 new post"]).await;
    browser.click(OFFER).await;
    eventually("it exists", async || messages(&browser).await.len() == 31).await;
    assert_eq!(script(&browser, line).await, "the first");
    browser.close().await;
}

#[tokio::test]
async fn more_than_one_page_of_new_posts_is_read_on_a_reloaded_home() {
    let site = Site::start().await;
    let Some((_, bob, browser)) = reading(&site).await else {
        return;
    };
    for number in 0..31 {
        bob.post(&number.to_string()).await;
    }
    offered(&browser, &["31 new posts"]).await;
    browser.click(OFFER).await;
    eventually("a whole page is there", async || {
        messages(&browser).await.len() == 30 && browser.has("[rel=next]").await
    })
    .await;
    assert_eq!(messages(&browser).await[0], "30");
    let news = texts(&browser, ".new-posts").await.concat();
    assert!(
        news.starts_with("31 new"),
        "one is on the next page: {news}"
    );
    browser.close().await;
}

#[tokio::test]
async fn the_offer_covers_no_tab_and_no_button_on_a_phone() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    let followed = crowd::uid(&site.store, "bob").await;
    crowd::follow(&site.store, alice, followed).await;
    crowd::posts(&site.store, followed, 20).await;
    let covered = "const box = (part) => part.getBoundingClientRect();
        const offer = box(document.querySelector('.live button'));
        return [...document.querySelectorAll('a, button, summary, input, textarea, select')]
            .filter((part) => !part.closest('.live, .feed') && part.checkVisibility())
            .filter((part) => box(part).width > 1 && box(part).top < offer.bottom && box(part).bottom > offer.top
                && box(part).left < offer.right && box(part).right > offer.left)
            .map((part) => part.outerHTML)";
    for path in ["/", "/everybody"] {
        browser.go(path).await;
        bob.post("another").await;
        site.drain().await;
        eventually("it is offered", async || browser.has(OFFER).await).await;
        browser
            .photograph(&format!("offer-on-a-phone{}", path.replace('/', "-")))
            .await;
        assert_eq!(
            browser.evaluate(covered, Vec::new()).await,
            json!([]),
            "{path}"
        );
    }
    browser.close().await;
}
