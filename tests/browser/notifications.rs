//! Notifications in the browser: the number beside the link changes while a page is open, and the
//! open notifications page offers new ones.

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Person, Site, crowd, waiting::eventually},
};

/// Opens a browser as alice, who has one post.
async fn alice(site: &Site, scripts: Scripts) -> Option<(Person, u64, Browser)> {
    let alice = Person::sign_up(site, "alice").await;
    let id = alice.post("worth a star").await;
    let browser = Browser::open(site, 360, scripts).await?;
    log_in(&browser).await;
    Some((alice, id, browser))
}

async fn log_in(browser: &Browser) {
    browser.go("/login").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
}

/// Returns the number beside the link, the title and the offered text, read at one moment.
async fn seen(browser: &Browser) -> [String; 3] {
    let read = "const [unread] = document.querySelectorAll('.unread:not([hidden]) [data-unread]');
        const offer = document.querySelector('.live a');
        return [unread?.textContent ?? '', document.title, offer?.textContent ?? ''];";
    let seen = browser.evaluate(read, Vec::new()).await;
    serde_json::from_value(seen).expect("three texts")
}

async fn eventually_seen(browser: &Browser, expected: [&str; 3]) {
    eventually(&format!("{expected:?} is seen"), async || {
        seen(browser).await == expected
    })
    .await;
}

#[tokio::test]
async fn the_unread_count_changes_on_any_open_page() {
    let site = Site::start().await;
    let Some((alice, id, browser)) = alice(&site, Scripts::On).await else {
        return;
    };
    crowd::member(&site.store, "bob").await;
    for (number, path) in ["/", "/settings", "/@bob"].into_iter().enumerate() {
        let fan = Person::sign_up(&site, &format!("fan_{number}")).await;
        browser.go(path).await;
        let [_, title, _] = seen(&browser).await;
        fan.follow("alice").await;
        eventually_seen(&browser, ["1", &title, ""]).await;
        fan.press("/@alice", "favourite", id).await;
        eventually_seen(&browser, ["2", &title, ""]).await;
        alice.open("/notifications").await;
        eventually_seen(&browser, ["", &title, ""]).await;
    }
    browser.close().await;
}

#[tokio::test]
async fn the_header_with_an_unread_count_fits_at_768_and_1024_pixels() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let bob = crowd::member(&site.store, "bob").await;
    for number in 1..=12 {
        crowd::post(
            &site.store,
            bob,
            &format!("@alice, this is number {number}"),
        )
        .await;
    }
    for width in [768, 1024] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        log_in(&browser).await;
        assert_eq!(seen(&browser).await[0], "12");
        let overhang = "const header = document.querySelector('.top-inner');
            const right = (element) => element.getBoundingClientRect().right;
            const end = right(header) - parseFloat(getComputedStyle(header).paddingRight);
            return [document.scrollingElement.scrollWidth - innerWidth, right(header.querySelector('.menu')) - end];";
        let overhang = browser.evaluate(overhang, Vec::new()).await;
        let overhang: [f64; 2] = serde_json::from_value(overhang).expect("two numbers");
        assert!(
            overhang.iter().all(|px| *px <= 0.5),
            "{width}: {overhang:?}"
        );
        browser.close().await;
    }
}

#[tokio::test]
async fn the_open_page_offers_newer_notifications() {
    let site = Site::start().await;
    let Some((_, id, browser)) = alice(&site, Scripts::On).await else {
        return;
    };
    browser.go("/notifications").await;
    eventually_seen(&browser, ["", "Notifications · Redwing", ""]).await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.press("/@alice", "favourite", id).await;
    let one = ["1", "(1) Notifications · Redwing", "1 new notification"];
    eventually_seen(&browser, one).await;
    bob.follow("alice").await;
    let two = ["2", "(2) Notifications · Redwing", "2 new notifications"];
    eventually_seen(&browser, two).await;
    browser.photograph("offered").await;
    browser.click_through(".live a", "/notifications").await;
    eventually_seen(&browser, ["", "Notifications · Redwing", ""]).await;
    // The badge is on the line of the time.
    assert_eq!(
        browser.texts(".notifications .meta > .badge").await,
        ["New", "New"]
    );
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_the_count_does_not_change() {
    let site = Site::start().await;
    let Some((_, id, browser)) = alice(&site, Scripts::Off).await else {
        return;
    };
    let bob = Person::sign_up(&site, "bob").await;
    bob.press("/@alice", "favourite", id).await;
    let texts = ".unread:not([hidden])";
    assert!(browser.texts(texts).await.is_empty());
    browser.go("/").await;
    assert_eq!(browser.texts(texts).await.len(), 1);
    browser
        .click_through(".tabs [href=\"/notifications\"]", "/notifications")
        .await;
    assert!(browser.texts(texts).await.is_empty());
    assert_eq!(browser.texts(".notifications li").await.len(), 1);
    browser.close().await;
}
