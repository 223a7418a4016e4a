//! Claims that need a layout engine: nothing overflows, every target is large enough, and no page
//! logs an error.

mod arrival;
mod details;
mod forced_colors;
mod frame;
mod touch;

use redwing::{
    domain::{PollOption, UserId},
    store::Store,
};
use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd, tour::HOSTILE, waiting::eventually},
};

/// Visits pages with long words, many people, and a refused form.
async fn browse(browser: &Browser, mut check_page: impl AsyncFnMut(&str)) {
    for path in ["/", "/login", "/signup", "/nowhere", "/@bob"] {
        browser.go(path).await;
        check_page(&format!("{path} for a visitor")).await;
    }
    browser.go("/login").await;
    browser.type_into("[name=login]", "alice").await;
    browser.type_into("[name=password]", "wrong").await;
    browser
        .click_through("form[action=\"/login\"] [type=submit]", "/login")
        .await;
    check_page("/login refused").await;
    browser.sign_up("alice", "Alice Brown").await;
    for path in [
        "/",
        "/@bob",
        "/@bob/followers",
        "/@bob/following",
        "/important",
        "/help/importance",
        "/favourites",
        "/notifications",
        "/mentions",
        "/tags",
        "/tags/birds",
        "/search",
        "/search?q=bob",
        "/compose",
        "/@bob/replies",
        "/settings",
        "/settings/sessions",
        "/nowhere",
    ] {
        browser.go(path).await;
        check_page(&format!("{path} for a member")).await;
    }
    browse_conversation(browser, &mut check_page).await;
    browse_saved(browser, &mut check_page).await;
    browse_lists(browser, check_page).await;
}

/// Visits an edited poll, its earlier versions, its replies, and a gap among them.
async fn browse_conversation(browser: &Browser, check_page: &mut impl AsyncFnMut(&str)) {
    browser.go("/@bob").await;
    let link = "return document.querySelector('.edited a').pathname;";
    let versions = browser.evaluate(link, vec![]).await;
    let versions = versions.as_str().expect("it was corrected").to_owned();
    let asked = versions.trim_end_matches("/versions");
    for path in [asked, &versions] {
        browser.go(path).await;
        check_page(&format!("{path} of a poll")).await;
    }
    browser.go(asked).await;
    let open = "document.querySelectorAll('main details:not(footer > *)').forEach((all) => { all.open = true; });";
    browser.evaluate(open, vec![]).await;
    check_page("a poll with a warning, opened").await;
    let gap = "return document.querySelector('a[href^=\"/statuses/\"]').pathname;";
    let gap = browser.evaluate(gap, vec![]).await;
    browser.go(gap.as_str().expect("a gap has a page")).await;
    check_page("a gap").await;
    browser.go("/").await;
    browser.type_into("[name=message]", &"W".repeat(400)).await;
    browser
        .click_through("form[action=\"/statuses\"] [type=submit]:not([name])", "/")
        .await;
    let own =
        "return document.querySelector('.own .time, .status .time').pathname.split('/').pop();";
    let own = browser.evaluate(own, vec![]).await;
    for action in ["edit", "delete", "quote"] {
        let path = format!("/statuses/{}/{action}", own.as_str().expect("an id"));
        browser.go(&path).await;
        check_page(&format!("to {action} a post")).await;
    }
}

/// Visits non-empty favourites and bookmarks, and the people who favourited a status.
async fn browse_saved(browser: &Browser, check_page: &mut impl AsyncFnMut(&str)) {
    for button in ["favourite", "bookmark"] {
        browser.go("/@bob").await;
        browser
            .click(&format!(".status footer > [name$={button}]"))
            .await;
        let pressed = format!("[name$={button}][aria-pressed=true]");
        eventually("it is pressed", async || browser.has(&pressed).await).await;
    }
    check_page("/@bob with buttons pressed").await;
    for path in ["/favourites", "/bookmarks"] {
        browser.go(path).await;
        check_page(&format!("{path} with one")).await;
    }
    let link = "return document.querySelector('.status .time').pathname;";
    let permalink = browser.evaluate(link, vec![]).await;
    let permalink = permalink.as_str().expect("a status has a permalink");
    for path in [permalink.to_owned(), format!("{permalink}/favourites")] {
        browser.go(&path).await;
        check_page("a status with a favourite").await;
    }
}

/// Visits lists with and without members, under the longest possible name.
async fn browse_lists(browser: &Browser, mut check_page: impl AsyncFnMut(&str)) {
    browser.go("/lists").await;
    check_page("/lists without any").await;
    browser.type_into("[name=name]", &"W".repeat(50)).await;
    browser
        .click_through("form[action=\"/lists\"] [type=submit]", "/lists/1/members")
        .await;
    check_page("/lists/1/members without any").await;
    browser.go("/lists/1").await;
    check_page("/lists/1 without people").await;
    for login in ["nobody", "bob", &"w".repeat(30)] {
        browser.go("/lists/1/members").await;
        browser.type_into("[name=login]", login).await;
        let add = "form[action=\"/lists/1/members\"] [type=submit]";
        browser.click_through(add, "/lists/1/members").await;
        check_page(&format!("/lists/1/members with {login}")).await;
    }
    for path in ["/lists", "/lists/1", "/lists/1/edit", "/lists/1/delete"] {
        browser.go(path).await;
        check_page(&format!("{path} with people")).await;
    }
    browser.go("/@bob").await;
    let open = "document.querySelectorAll('.profile-menu, .add-to-list').forEach((part) => { part.open = true; }); return true;";
    browser.evaluate(open, vec![]).await;
    check_page("/@bob with lists").await;
}

/// Creates a user with the longest possible words, and followers.
async fn populate(site: &Site) {
    let bob = crowd::member(&site.store, "bob").await;
    let long = crowd::member(&site.store, &"w".repeat(30)).await;
    crowd::follow(&site.store, long, bob).await;
    crowd::follow(&site.store, bob, long).await;
    crowd::followers(&site.store, bob, 28).await;
    for text in [
        &"W".repeat(500),
        &format!("https://example.org/{}", "x".repeat(400)),
        HOSTILE,
    ] {
        crowd::post(&site.store, bob, text).await;
    }
    create_conversation(&site.store, bob, long).await;
    site.drain().await;
}

/// Creates an edited poll with the longest possible options, with replies and a gap among them.
async fn create_conversation(store: &Store, bob: UserId, long: UserId) {
    let option = "W".repeat(PollOption::MAX_CHARACTERS);
    let poll = crowd::post_poll(store, bob, &[&option, &option.replace('W', "M")]).await;
    crowd::edit(store, bob, poll, &format!("#birds {}", "W".repeat(400))).await;
    let gap = crowd::reply(store, long, poll, "soon gone").await;
    let mut last = crowd::reply(store, bob, gap, &"W".repeat(400)).await;
    for number in 0..24 {
        crowd::reply(store, long, poll, &format!("@bob, {number}")).await;
        last = crowd::reply(store, bob, last, "and then?").await;
    }
    crowd::delete(store, long, gap).await;
}

/// Takes a screenshot of the page, and checks that it is not wider than the window of this many pixels.
async fn assert_fits(browser: &Browser, width: u32, page: &str) {
    let script = "const tooWide = [...document.querySelectorAll('body *')]
            .filter((element) => element.getBoundingClientRect().right > innerWidth)
            .map((element) => `${element.localName}.${element.className}`);
        return [document.scrollingElement.scrollWidth, window.innerWidth, tooWide];";
    let widths = browser.evaluate(script, vec![]).await;
    browser
        .photograph(&page.replace(['/', ' ', '@'], "_"))
        .await;
    assert_eq!([&widths[0], &widths[1]], [width, width], "{page}: {widths}");
}

#[tokio::test]
async fn no_page_with_text_twice_as_large_scrolls_sideways_with_and_without_a_scrollbar() {
    let site = Site::start().await;
    populate(&site).await;
    let Some(browser) = Browser::with_text(&site, 320, 32).await else {
        return;
    };
    browse(&browser, async |page| {
        assert_fits(&browser, 320, page).await;
        // A scrollbar takes 15 pixels.
        browser.set_width(305).await;
        assert_fits(&browser, 305, page).await;
        browser.set_width(320).await;
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn badges_are_inside_their_tabs_with_text_twice_as_large() {
    let site = Site::start().await;
    let Some(browser) = Browser::with_text(&site, 320, 32).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    crowd::followers(&site.store, alice, 12).await;
    site.drain().await;
    browser.go("/").await;
    eventually("the badge is shown", async || browser.has(".unread").await).await;
    browser.photograph("badges").await;
    let inside = "return [...document.querySelectorAll('.unread')].map((badge) => {
        const [inner, outer] = [badge, badge.closest('a')].map((part) => part.getBoundingClientRect());
        return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top;
    })";
    assert_eq!(browser.evaluate(inside, vec![]).await, json!([true]));
    browser.close().await;
}

#[tokio::test]
async fn a_badge_of_the_header_does_not_cover_the_word_beside_it() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    crowd::followers(&site.store, alice, 1).await;
    site.drain().await;
    browser.go("/").await;
    eventually("the badge is shown", async || browser.has(".unread").await).await;
    let is_before_word = "const badge = document.querySelector('.unread');
        badge.querySelector('[data-unread]').textContent = '99+';
        const word = badge.closest('a').querySelector('span');
        return badge.getBoundingClientRect().right <= word.getBoundingClientRect().left;";
    assert_eq!(browser.evaluate(is_before_word, vec![]).await, json!(true));
    browser.close().await;
}

#[tokio::test]
async fn the_actions_of_a_post_fit_on_one_line_at_360_pixels() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let id = crowd::post(&site.store, bob, "a post that much came of").await;
    for fan in crowd::people(&site.store, "fan", 12).await {
        crowd::favourite(&site.store, fan, id).await;
        crowd::repost(&site.store, fan, id).await;
        crowd::reply(&site.store, fan, id, "an answer").await;
    }
    crowd::quote(&site.store, bob, id, "my own words").await;
    let Some(browser) = Browser::open(&site, 360, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice Brown").await;
    browser.go("/@bob").await;
    browser.photograph("footer_at_360").await;
    let heights = "return [...document.querySelectorAll('.status footer')]
        .map((footer) => Math.round(footer.getBoundingClientRect().height));";
    let heights = browser.evaluate(heights, vec![]).await;
    let heights: Vec<u64> = serde_json::from_value(heights).expect("numbers");
    assert!(
        heights.len() == 2 && heights.iter().all(|height| (44..50).contains(height)),
        "{heights:?}"
    );
    browser.close().await;
}

#[tokio::test]
async fn a_name_among_people_is_not_broken_inside_a_word_at_320_pixels() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let dot = crowd::member(&site.store, "dot_fairweather").await;
    crowd::follow(&site.store, dot, bob).await;
    let Some(browser) = Browser::open(&site, 320, Scripts::On).await else {
        return;
    };
    browser.go("/@bob/followers").await;
    let lines = "const name = document.createRange();
        name.selectNodeContents(document.querySelector('.person .p-name'));
        return name.getClientRects().length;";
    assert_eq!(browser.evaluate(lines, vec![]).await, json!(1));
    browser.close().await;
}

/// Links inside a sentence are exempt, as in the accessibility guidelines.
const SMALL_TARGETS: &str = "
    return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), textarea')]
        .filter((target) => target.checkVisibility() && !target.closest('p, .e-content, .p-content, .version-text, .skip-link'))
        .map((target) => [target.outerHTML.slice(0, 120), target.getBoundingClientRect()])
        .filter(([, box]) => box.width > 1 && (box.width < 24 || box.height < 24))
        .map(([html, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`);";

/// Moves through the page like the tab key, and returns the elements that are covered by another
/// element.
const COVERED: &str = "
    return [...document.querySelectorAll('main a[href], main button, main input:not([type=hidden]), main textarea')]
        .filter((target) => target.checkVisibility())
        .filter((target) => {
            // A menu closes when the focus leaves it.
            for (let part = target.closest('details'); part; part = part.parentNode.closest('details')) part.open = true;
            target.focus();
            const box = target.getBoundingClientRect();
            const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return !above || !(target.contains(above) || above.contains(target));
        })
        .map((target) => target.outerHTML.slice(0, 120));";

/// Returns the files that the page requested and that were not served.
const MISSING: &str = "return performance.getEntriesByType('resource').filter((entry) => entry.responseStatus >= 400).map((entry) => entry.name);";
const IS_STYLED: &str = "return getComputedStyle(document.body).fontFamily !== '' && document.styleSheets.length === 1 && document.styleSheets[0].cssRules.length > 0;";

#[tokio::test]
async fn no_page_scrolls_sideways_and_targets_are_large_and_uncovered_and_all_files_are_served() {
    let site = Site::start().await;
    populate(&site).await;
    let Some(browser) = Browser::open(&site, 320, Scripts::On).await else {
        return;
    };
    browse(&browser, async |page| {
        assert_fits(&browser, 320, page).await;
        browser.set_width(360).await;
        for script in [MISSING, SMALL_TARGETS, COVERED] {
            let found = browser.evaluate(script, vec![]).await;
            assert_eq!(found, json!([]), "{page}: {script}");
        }
        let is_styled = browser.evaluate(IS_STYLED, vec![]).await;
        assert_eq!(is_styled, json!(true), "{page} is styled");
        browser.set_width(320).await;
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn the_menu_of_the_header_fits_with_text_twice_as_large() {
    let site = Site::start().await;
    let Some(browser) = Browser::with_text(&site, 320, 32).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.click(".menu > summary").await;
    browser.photograph("header-menu").await;
    let outside = "return [...document.querySelectorAll('.menu > div, .menu > div :is(a, button)')]
        .map((part) => part.getBoundingClientRect())
        .filter((place) => place.left < 0 || place.right > innerWidth).length";
    assert_eq!(browser.evaluate(outside, vec![]).await, json!(0));
    assert_fits(&browser, 320, "the open menu").await;
    browser.close().await;
}

#[tokio::test]
async fn the_last_item_of_a_menu_is_above_the_tabs_at_the_end_of_a_page() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    let post = crowd::post(&site.store, alice, &"long\n".repeat(60)).await;
    let reply = crowd::reply(&site.store, alice, post, "the last").await;
    browser.go(&format!("/@alice/{post}")).await;
    browser.click(&format!("#status-{reply} .dots")).await;
    let place = "const items = document.querySelectorAll('details[open] > div > :is(a, button)');
        const last = items[items.length - 1]?.getBoundingClientRect();
        return last && last.bottom <= document.querySelector('.tabs').getBoundingClientRect().top;";
    eventually("the last item can be pressed", async || {
        browser.evaluate(place, vec![]).await == json!(true)
    })
    .await;
    browser.photograph("menu-at-the-end").await;
    browser.close().await;
}

#[tokio::test]
async fn the_buttons_of_the_form_to_post_are_in_one_row_in_the_order_of_the_tab_key() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice Brown").await;
    browser.go("/").await;
    let places = "const parts = [...document.querySelectorAll('.compose-foot :is(button, select)')]
        .map((part) => part.getBoundingClientRect());
        const lefts = parts.map(({ left }) => left);
        const tops = parts.map(({ top }) => top);
        return [parts.length, lefts.join() === lefts.toSorted((a, b) => a - b).join(), Math.max(...tops) - Math.min(...tops) < 10]";
    let seen = browser.evaluate(places, vec![]).await;
    assert_eq!(seen, json!([6, true, true]));
    browser.close().await;
}

#[tokio::test]
async fn the_menu_of_a_profile_ends_above_the_tabs_with_large_text() {
    let site = Site::start().await;
    crowd::member(&site.store, "bob").await;
    let Some(browser) = Browser::with_text(&site, 390, 32).await else {
        return;
    };
    browser.sign_up("alice", "Alice Brown").await;
    browser.go("/@bob").await;
    browser.click(".profile-menu > summary").await;
    eventually("the whole menu is shown", async || {
        let is_above =
            "return document.querySelector('.profile-menu > div').getBoundingClientRect().bottom
            <= document.querySelector('.tabs').getBoundingClientRect().top";
        browser.evaluate(is_above, vec![]).await == true
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn a_card_does_not_move_when_the_words_of_its_time_arrive() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::posts(&site.store, bob, 2).await;
    let Some(browser) = Browser::open(&site, 390, Scripts::Off).await else {
        return;
    };
    browser.go("/@bob").await;
    let moved = "const author = document.querySelector('.status .p-author');
        const link = document.querySelector('.status .time');
        const before = author.getBoundingClientRect().top;
        link.querySelector('time').remove();
        return [author.getBoundingClientRect().top - before, link.getBoundingClientRect().height]";
    assert_eq!(browser.evaluate(moved, vec![]).await, json!([0, 0]));
    browser.close().await;
}

#[tokio::test]
async fn the_tabs_have_their_places_before_the_last_of_them_arrives() {
    let site = Site::start().await;
    for width in [320, 390] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.sign_up(&format!("at_{width}"), "Alice").await;
        let moved = "const place = () => document.querySelector('.search-link').getBoundingClientRect().left;
            const before = place();
            document.querySelector('.profile-link').remove();
            return place() - before;";
        assert_eq!(browser.evaluate(moved, vec![]).await, json!(0), "{width}");
        browser.close().await;
    }
}

#[tokio::test]
async fn the_search_tips_do_not_move_when_the_last_of_them_arrive() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 1280, Scripts::Off).await else {
        return;
    };
    browser.go("/search").await;
    let moved = "const place = () => document.querySelector('.search-tips dd').getBoundingClientRect().left;
        const before = place();
        document.querySelectorAll('.search-tips dt:nth-of-type(n+2), .search-tips dd:nth-of-type(n+2)').forEach((part) => part.remove());
        return place() - before;";
    assert_eq!(browser.evaluate(moved, vec![]).await, json!(0));
    browser.close().await;
}

#[tokio::test]
async fn an_address_is_on_the_line_of_the_words_around_it() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "See https://example.org today").await;
    let Some(browser) = Browser::open(&site, 1280, Scripts::Off).await else {
        return;
    };
    browser.go("/@bob").await;
    let distance = "const range = document.createRange();
        const bottom = (words) => { range.selectNodeContents(words); return range.getBoundingClientRect().bottom; };
        const link = document.querySelector('.e-content a');
        return Math.abs(bottom(link.firstChild) - bottom(link.previousSibling)) < 1;";
    assert_eq!(browser.evaluate(distance, vec![]).await, json!(true));
    browser.close().await;
}

#[tokio::test]
async fn the_newest_posts_of_the_landing_page_do_not_touch_their_heading() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    crowd::post(&site.store, bob, "seen by everybody").await;
    site.drain().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::Off).await else {
        return;
    };
    browser.go("/").await;
    let gap = "const sheet = document.querySelector('.recent-posts .sheet');
        const above = document.querySelector('.recent-posts .feed').previousElementSibling;
        return sheet.getBoundingClientRect().top - above.getBoundingClientRect().bottom >= 8;";
    assert_eq!(browser.evaluate(gap, vec![]).await, json!(true));
    browser.close().await;
}
