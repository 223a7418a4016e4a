//! The frame of every page: it stays in its place from page to page, and no script moves it. Cards and menus
//! open and close.

use serde_json::{Value, json};

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Person, Site, crowd, waiting::eventually},
};

const PAGES: [&str; 9] = [
    "/",
    "/important",
    "/everybody",
    "/notifications",
    "/compose",
    "/@bob",
    "/favourites",
    "/search",
    "/settings",
];

/// Creates alice, who follows bob and has a notification, and returns bob's permalink.
async fn populate(site: &Site) -> String {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.follow("bob").await;
    let id = bob.post(&"a long post\n".repeat(10)).await;
    bob.post("a short post").await;
    format!("/@bob/{id}")
}

async fn log_in(browser: &Browser) {
    browser.go("/login").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", PASSWORD).await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/")
        .await;
}

async fn open(site: &Site, width: u32, scripts: Scripts) -> Option<Browser> {
    let browser = Browser::open(site, width, scripts).await?;
    log_in(&browser).await;
    Some(browser)
}

#[tokio::test]
async fn no_script_moves_a_page() {
    let site = Site::start().await;
    let permalink = populate(&site).await;
    crowd::follow(
        &site.store,
        crowd::uid(&site.store, "bob").await,
        crowd::uid(&site.store, "alice").await,
    )
    .await;
    let Some(plain) = open(&site, 1280, Scripts::Off).await else {
        return;
    };
    let scripted = open(&site, 1280, Scripts::On)
        .await
        .expect("the second one");
    // The script adds the keyboard shortcuts to the closed menu, and makes menus of buttons under posts.
    let places =
        "return [...document.querySelectorAll('.top :not(.menu > div *), main > *, .column > *, .status, .status :not(footer *), .status footer > *')]
        .map((part) => Math.round(part.getBoundingClientRect().top))";
    for path in PAGES.into_iter().chain([&*permalink]) {
        plain.go(path).await;
        scripted.go(path).await;
        eventually("the scripts have run", async || scripted.has(".live").await).await;
        let expected = plain.evaluate(places, vec![]).await;
        assert_eq!(scripted.evaluate(places, vec![]).await, expected, "{path}");
    }
    plain.close().await;
    scripted.close().await;
}

#[tokio::test]
async fn the_column_and_the_tabs_stay_in_their_place_from_page_to_page() {
    let site = Site::start().await;
    let permalink = populate(&site).await;
    let Some(browser) = open(&site, 1280, Scripts::On).await else {
        return;
    };
    let places = "const corner = (part) => {
            const { left, top } = part.getBoundingClientRect();
            return [left, top].map(Math.round).join();
        };
        const column = document.querySelector('.column') ?? document.querySelector('main > :not(.sr-only, [hidden])');
        return [corner(column), ...[...document.querySelectorAll('.tabs > *, .menu')].map(corner)]";
    let mut expected = Value::Null;
    for path in PAGES.into_iter().chain([&*permalink]) {
        browser.go(path).await;
        let seen = browser.evaluate(places, vec![]).await;
        if expected.is_null() {
            expected = seen.clone();
        }
        assert_eq!(seen, expected, "{path}");
    }
    let bob = crowd::uid(&site.store, "bob").await;
    crowd::follow(&site.store, bob, crowd::uid(&site.store, "alice").await).await;
    eventually("the badge is shown", async || {
        browser.has(".unread:not([hidden])").await
    })
    .await;
    let seen = browser.evaluate(places, vec![]).await;
    assert_eq!(
        seen.as_array().map(|all| &all[1..]),
        expected.as_array().map(|all| &all[1..])
    );
    browser.close().await;
}

#[tokio::test]
async fn the_tabs_of_the_timelines_stay_in_their_place() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    for width in [390, 1280] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        let login = format!("alice_{width}");
        browser.sign_up(&login, "Alice").await;
        // The page after the sign-up has a notice.
        let mut pages = vec![
            "/".to_owned(),
            "/important".to_owned(),
            "/everybody".to_owned(),
        ];
        let mut expected = Value::Null;
        for is_empty in [true, false] {
            if !is_empty {
                let alice = crowd::uid(&site.store, &login).await;
                crowd::follow(&site.store, alice, bob).await;
                let newest = crowd::posts(&site.store, bob, 40).await[39];
                pages.push(format!("/?before={newest}"));
                pages.push(format!("/everybody?before={newest}"));
            }
            for path in &pages {
                browser.go(path).await;
                let place = "const { left, top, width, height } = document.querySelector('.subtabs').getBoundingClientRect();
                    return [left, top, width, height]";
                let seen = browser.evaluate(place, vec![]).await;
                if expected.is_null() {
                    expected = seen.clone();
                }
                assert_eq!(seen, expected, "{path}, {width}, empty: {is_empty}");
            }
        }
        browser.photograph("timeline-tabs").await;
        browser.close().await;
    }
}

/// A reader who follows many people, and a newcomer, whose suggestions are above the posts.
#[tokio::test]
async fn the_columns_are_the_same_on_all_tabs_of_the_timelines() {
    let site = Site::start().await;
    let people = crowd::people(&site.store, "person", 9).await;
    for person in &people {
        crowd::post(&site.store, *person, "about #birds").await;
    }
    for width in [1280, 1920] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        let login = format!("alice_{width}");
        browser.sign_up(&login, "Alice").await;
        let alice = crowd::uid(&site.store, &login).await;
        for (follows, blocks) in [
            (0..1, &["profile-summary", "trending"][..]),
            (1..6, &["profile-summary", "panel", "trending"]),
        ] {
            for person in &people[follows.clone()] {
                crowd::follow(&site.store, alice, *person).await;
            }
            let places = "const place = (part) => {
                    const { left, top, width } = part.getBoundingClientRect();
                    return [left, top, width].map(Math.round).join();
                };
                return [...document.querySelectorAll('.column, .side, .side > *')]
                    .map((part) => [part.classList[part.classList.length - 1], place(part)])";
            let mut expected = Value::Null;
            for path in ["/", "/important", "/everybody"] {
                browser.go(path).await;
                let seen = browser.evaluate(places, vec![]).await;
                if expected.is_null() {
                    expected = seen.clone();
                }
                assert_eq!(seen, expected, "{path}, {width}, follows {follows:?}");
            }
            let names = expected.as_array().expect("a list").iter();
            let names: Vec<&str> = names.filter_map(|part| part[0].as_str()).collect();
            assert_eq!(names, [&["column", "side"][..], blocks].concat());
        }
        browser.photograph("timeline-columns").await;
        browser.close().await;
    }
}

#[tokio::test]
async fn a_card_opens_its_post_and_an_avatar_its_author() {
    let site = Site::start().await;
    let permalink = populate(&site).await;
    let Some(browser) = open(&site, 1280, Scripts::On).await else {
        return;
    };
    let avatar = "const box = document.querySelector('.status').getBoundingClientRect();
        const over = document.elementFromPoint(box.x + 40, box.y + 40);
        return over.closest('a')?.pathname";
    assert_eq!(browser.evaluate(avatar, vec![]).await, json!("/@bob"));
    let select = "getSelection().selectAllChildren(document.querySelector('.e-content'));
        document.querySelector('.e-content').click();
        getSelection().removeAllRanges();
        return location.pathname";
    assert_eq!(browser.evaluate(select, vec![]).await, json!("/"));
    browser
        .click_through(".status:last-of-type .e-content", &permalink)
        .await;
    let full = browser.texts(".full-time").await;
    assert!(full[0].contains("20") && full[0].contains(':'), "{full:?}");
    browser.close().await;
}

#[tokio::test]
async fn the_menu_has_the_log_out_and_closes() {
    let site = Site::start().await;
    populate(&site).await;
    let Some(browser) = open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.click(".menu > summary").await;
    browser.photograph("menu").await;
    browser
        .evaluate("document.querySelector('footer.bottom').click()", vec![])
        .await;
    assert!(!browser.has(".menu[open]").await);
    browser.click(".menu > summary").await;
    browser.click_through(".log-out button", "/").await;
    assert!(browser.has("a[href=\"/login\"]").await);
    browser.close().await;
}

#[tokio::test]
async fn links_in_texts_are_large_enough_for_a_finger_and_shortened() {
    let site = Site::start().await;
    populate(&site).await;
    let bob = Person::log_in(&site, "bob").await;
    let settings = bob.open("/settings").await.form("/settings/profile");
    let settings = settings.set("bio", "Birds: https://example.org and @alice");
    bob.submit_accepted(&settings).await;
    let address = format!("https://example.org/{}", "x".repeat(300));
    bob.post(&format!("See {address}, @alice and #birds."))
        .await;
    let Some(browser) = open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.go("/@bob").await;
    let heights = "return [...document.querySelectorAll('.p-note a, .e-content a')]
        .map((link) => link.getBoundingClientRect().height)";
    let heights = browser.evaluate(heights, vec![]).await;
    let heights: Vec<f64> = serde_json::from_value(heights).expect("numbers");
    assert_eq!(heights.len(), 5);
    let one_line = 24.0..40.0;
    assert!(
        heights.iter().all(|px| one_line.contains(px)),
        "{heights:?}"
    );
    let title = browser
        .evaluate(
            "return document.querySelector('.e-content [title]').title",
            vec![],
        )
        .await;
    assert_eq!(title, address);
    browser.close().await;
}

#[tokio::test]
async fn a_time_in_the_future_is_shown_in_full_and_not_as_an_age() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go("/settings/login").await;
    browser.type_into("[name=login]", "alice_b").await;
    browser.type_into("[name=current_password]", PASSWORD).await;
    browser
        .click_through(
            "form[action=\"/settings/login\"] [type=submit]",
            "/settings/login",
        )
        .await;
    let times = browser.texts("main time").await;
    assert!(!times.is_empty(), "the page says when the login can change");
    for time in times {
        assert!(time.contains(" at "), "{time}");
    }
    browser.close().await;
}

#[tokio::test]
async fn the_links_of_a_visitor_are_at_the_right_edge_of_the_header() {
    let site = Site::start().await;
    for width in [390, 800, 1280] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.go("/everybody").await;
        let gap = "const header = document.querySelector('.top-inner');
            const { paddingInlineEnd } = getComputedStyle(header);
            const end = header.getBoundingClientRect().right - parseFloat(paddingInlineEnd);
            return Math.abs(end - document.querySelector('.account-links').getBoundingClientRect().right) < 1";
        assert_eq!(browser.evaluate(gap, vec![]).await, true, "{width}");
        browser.close().await;
    }
}

#[tokio::test]
async fn icons_have_whole_pixels_so_that_no_engine_shows_their_neighbours() {
    let site = Site::start().await;
    populate(&site).await;
    let Some(browser) = open(&site, 390, Scripts::On).await else {
        return;
    };
    for path in ["/", "/notifications"] {
        browser.go(path).await;
        let sizes = "const parts = '.tabs > a, .menu > summary, button.extras, .notification-body > p, .status footer > :is(a, button)';
            const icons = [...document.querySelectorAll(parts)].map((part) => getComputedStyle(part, '::before'));
            const sizes = icons.filter(({ maskImage }) => maskImage !== 'none').map(({ inlineSize }) => parseFloat(inlineSize));
            return [sizes.length > 5, sizes.filter((size) => size % 1 > 0)]";
        assert_eq!(
            browser.evaluate(sizes, vec![]).await,
            json!([true, []]),
            "{path}"
        );
    }
    browser.close().await;
}
