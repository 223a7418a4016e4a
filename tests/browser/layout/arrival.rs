//! Rows of people while a page arrives: a browser paints its beginning, and the rest moves nothing.

use redwing::{
    actions::{blocks, mutes},
    domain::{MuteTerm, UserId},
    store::Store,
};
use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd},
};

/// Returns the elements that move while the page grows by one tag or text after the other. What has no place yet does not
/// count, and neither do the words for screen readers.
const MOVED: &str = "
    document.head.append(Object.assign(document.createElement('style'), { textContent: '* { transition: none !important; }' }));
    const main = document.querySelector('main');
    const whole = main.cloneNode(true);
    main.replaceChildren();
    const moved = [];
    const places = new Map();
    const measure = (last) => {
        for (const [part, old] of places) {
            const { left, top, width, height } = part.getBoundingClientRect();
            places.set(part, { left, top, width, height });
            if (!old || Math.min(old.width, old.height, width) <= 1) continue;
            if (Math.abs(old.left - left) + Math.abs(old.top - top) > 1) moved.push(`${part.outerHTML.slice(0, 80)} after ${last.nodeName} ${last.textContent}`);
        }
    };
    const arrive = (node, parent) => {
        const arrived = node.cloneNode(false);
        parent.append(arrived);
        if (node.nodeType === Node.ELEMENT_NODE) places.set(arrived, null);
        measure(arrived);
        node.childNodes.forEach((child) => arrive(child, arrived));
    };
    whole.childNodes.forEach((child) => arrive(child, main));
    return moved;";

const PAGES: [&str; 9] = [
    "/@alice/followers",
    "/@alice/following",
    "/search?q=reader",
    "/lists/1/members",
    "/settings/followers",
    "/settings/requests",
    "/settings/blocked",
    "/settings/muted",
    "/notifications",
];

/// Gives a person all relations that have a page.
async fn populate(store: &Store, alice: UserId, login: &str) {
    let long = crowd::member(store, &format!("{login}_of_very_long_words")).await;
    let people = crowd::people(store, login, 6).await;
    for other in [long, people[0], people[1]] {
        crowd::follow(store, other, alice).await;
    }
    for other in [long, people[0], people[2]] {
        crowd::follow(store, alice, other).await;
    }
    crowd::list(store, alice, &[long, people[0]]).await;
    crowd::set_private(store, alice, true).await;
    crowd::ask_to_follow(store, people[3], alice).await;
    let blocked = blocks::block(store, alice, people[4]).await;
    blocked.expect("the store answers");
    let muted = mutes::mute(store, alice, people[5], MuteTerm::Forever).await;
    muted.expect("the store answers");
}

#[tokio::test]
async fn rows_of_people_do_not_move_while_they_arrive() {
    let site = Site::start().await;
    for width in [320, 390, 1280] {
        let Some(browser) = Browser::open(&site, width, Scripts::Off).await else {
            return;
        };
        let login = format!("alice_{width}");
        browser.sign_up(&login, "Alice").await;
        let alice = crowd::uid(&site.store, &login).await;
        let reader = format!("reader{width}");
        populate(&site.store, alice, &reader).await;
        site.drain().await;
        for path in PAGES {
            let path = path.replace("alice", &login).replace("reader", &reader);
            browser.go(&path).await;
            assert!(browser.has(".sheet > li").await, "{path}");
            let moved = browser.evaluate(MOVED, vec![]).await;
            assert_eq!(moved, json!([]), "{path} at {width}");
        }
        browser.close().await;
    }
}
