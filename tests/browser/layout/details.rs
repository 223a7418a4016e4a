//! Details of the layout of texts, replies and lists.

use redwing::domain::StatusId;
use serde_json::json;

use crate::{
    administration::output_of,
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Person, Site, crowd},
};

#[tokio::test]
async fn each_paragraph_of_a_post_has_its_own_direction() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "\u{5e9}\u{5dc}\u{5d5}\u{5dd}\nHello.").await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go("/@bob").await;
    let sides = "const text = document.querySelector('.e-content');
        const box = text.getBoundingClientRect();
        const line = (node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return range.getBoundingClientRect();
        };
        const [first, last] = [text.firstChild, text.lastChild].map(line);
        return [Math.abs(box.right - first.right) < 1, Math.abs(last.left - box.left) < 1]";
    assert_eq!(browser.evaluate(sides, vec![]).await, json!([true, true]));
    browser.close().await;
}

#[tokio::test]
async fn the_counts_of_a_reply_begin_where_its_text_does_on_a_phone() {
    let site = Site::start().await;
    let [bob, carol] = ["bob", "carol"].map(|login| crowd::member(&site.store, login));
    let (bob, carol) = (bob.await, carol.await);
    let post = crowd::post(&site.store, bob, "a question").await;
    let reply = crowd::reply(&site.store, carol, post, "an answer").await;
    crowd::favourite(&site.store, bob, reply).await;
    site.drain().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go(&format!("/@bob/{post}")).await;
    let lefts = "return ['footer a', '.e-content'].map((css) =>
        Math.round(document.querySelector(`.reply-list .status ${css}`).getBoundingClientRect().left))";
    let lefts = browser.evaluate(lefts, vec![]).await;
    assert_eq!(lefts[0], lefts[1]);
    browser.close().await;
}

#[tokio::test]
async fn headings_and_buttons_do_not_touch_what_is_beside_them() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    output_of(&site, &["role", "alice", "owner"]);
    let alice = crowd::uid(&site.store, "alice").await;
    let post = crowd::post(&site.store, alice, "to edit").await;
    for (path, first, second) in [
        ("/admin/people", "h1", ".log"),
        (
            &*format!("/statuses/{post}/edit"),
            ".visibility-select",
            ".compose-foot [type=submit]",
        ),
    ] {
        browser.go(path).await;
        let gap = "const [first, second] = [...arguments].map((css) => document.querySelector(`main ${css}`).getBoundingClientRect());
            return Math.max(second.top - first.bottom, second.left - first.right) >= 8";
        let is_apart = browser
            .evaluate(gap, vec![json!(first), json!(second)])
            .await;
        assert_eq!(is_apart, true, "{path}");
    }
    browser.close().await;
}

#[tokio::test]
async fn a_notice_moves_no_column() {
    let site = Site::start().await;
    crowd::member(&site.store, "bob").await;
    for (login, scripts) in [("alice", Scripts::On), ("carol", Scripts::Off)] {
        let Some(browser) = Browser::open(&site, 1280, scripts).await else {
            return;
        };
        browser.sign_up(login, "Alice").await;
        browser.go("/").await;
        let places = "return [...document.querySelectorAll('main > :not(.flash, .sr-only, [hidden]), .side > *')].map((part) => {
                const { left, top } = part.getBoundingClientRect();
                return [part.className, left, top];
            })";
        let before = browser.evaluate(places, vec![]).await;
        browser.type_into("#message", "hello").await;
        browser
            .click_through(".compose [type=submit]:not([name])", "/")
            .await;
        let notice = "return document.querySelector('main > .flash').textContent";
        assert_eq!(browser.evaluate(notice, vec![]).await, "Posted.");
        assert_eq!(
            browser.evaluate(places, vec![]).await,
            before,
            "{scripts:?}"
        );
        let is_beside = "const [flash, column] = ['main > .flash', '.column']
                .map((css) => document.querySelector(css).getBoundingClientRect());
            return flash.left >= column.right && flash.right <= innerWidth && flash.bottom <= innerHeight";
        assert_eq!(
            browser.evaluate(is_beside, vec![]).await,
            true,
            "{scripts:?}"
        );
        browser.photograph("notice").await;
        browser.close().await;
    }
}

#[tokio::test]
async fn a_notice_moves_nothing_on_a_page_with_one_column() {
    let site = Site::start().await;
    crowd::member(&site.store, "bob").await;
    let Some(browser) = Browser::open(&site, 1280, Scripts::Off).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go("/@bob").await;
    let top = "return document.querySelector('main > :not(.flash, .sr-only, [hidden])').getBoundingClientRect().top";
    let before = browser.evaluate(top, vec![]).await;
    browser
        .click_away("form[action=\"/@bob/follow\"] [type=submit]")
        .await;
    assert!(browser.has("main > .flash").await);
    assert_eq!(browser.evaluate(top, vec![]).await, before);
    browser.close().await;
}

#[tokio::test]
async fn a_long_name_is_cut_to_one_line_and_its_login_is_whole() {
    const NAME: &str = "Maximiliana Alexandrina von Hohenzollern-Sigmaring";
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    let of_bob = bob.post("by bob").await;
    let Some(browser) = Browser::open(&site, 320, Scripts::On).await else {
        return;
    };
    let login = "w".repeat(30);
    browser.sign_up(&login, NAME).await;
    let long = crowd::uid(&site.store, &login).await;
    let of_bob = StatusId::new(of_bob).expect("an id");
    crowd::favourite(&site.store, long, of_bob).await;
    crowd::post(&site.store, long, "by a long name").await;
    crowd::repost(&site.store, long, of_bob).await;
    site.drain().await;
    let deleted = browser.client.delete_all_cookies().await;
    deleted.expect("the cookies are deleted");
    browser.go("/login").await;
    browser.type_into("[name=login]", "bob").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
    browser.go(&format!("/@{login}")).await;
    let head = "const author = document.querySelector(`.status-body > header > .p-author[href$='${arguments[0]}']`);
        const [name, nickname] = [...author.children];
        const isWhole = [...nickname.getClientRects()].every(({ left, right }) => left > 0 && right <= innerWidth);
        return [author.textContent, name.getBoundingClientRect().height < 30, name.scrollWidth > name.clientWidth, isWhole]";
    let seen = browser.evaluate(head, vec![json!(login)]).await;
    assert_eq!(seen, json!([format!("{NAME} @{login}"), true, true, true]));
    let line = "const name = document.querySelector('.reposted > a');
        return [name.getBoundingClientRect().height < 30, name.scrollWidth > name.clientWidth]";
    let seen = browser.evaluate(line, vec![]).await;
    assert_eq!(seen, json!([true, true]));
    browser.photograph("long-name").await;
    let fits = "return document.scrollingElement.scrollWidth <= innerWidth";
    assert_eq!(browser.evaluate(fits, vec![]).await, true);
    // The names of a notification are links in a sentence, and break as text does.
    browser.go("/notifications").await;
    assert_eq!(browser.evaluate(fits, vec![]).await, true);
    browser.close().await;
}

#[tokio::test]
async fn a_notice_with_undo_stays_on_a_wide_screen_and_one_without_leaves() {
    let site = Site::start().await;
    for login in ["bob", "carol"] {
        crowd::member(&site.store, login).await;
    }
    let Some(browser) = Browser::open(&site, 1280, Scripts::Off).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go("/").await;
    let action = "return document.querySelector('form.follow').getAttribute('action')";
    let action = browser.evaluate(action, vec![]).await;
    // The end of all animations.
    let later = "document.getAnimations().forEach((animation) => animation.finish());
        const notice = document.querySelector('main > .flash');
        return [notice.textContent, notice.checkVisibility({ visibilityProperty: true, opacityProperty: true })]";
    browser.click_through("form.follow button", "/").await;
    let seen = browser.evaluate(later, vec![]).await;
    let notice = seen[0].as_str().expect("a text");
    assert!(notice.starts_with("You now follow @"), "{notice}");
    assert_eq!(seen[1], false, "it leaves");
    browser.go("/").await;
    let unfollow = "document.querySelector('form.follow').action = arguments[0].replace(/follow$/, 'unfollow')";
    browser.evaluate(unfollow, vec![action]).await;
    browser.click_through("form.follow button", "/").await;
    let seen = browser.evaluate(later, vec![]).await;
    let notice = seen[0].as_str().expect("a text");
    assert!(
        notice.starts_with("You no longer follow @") && notice.ends_with("Undo"),
        "{notice}"
    );
    assert_eq!(seen[1], true, "it stays");
    browser.close().await;
}
