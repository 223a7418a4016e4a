//! The menus of a post and of a profile: one is open at a time, and it closes after a click or a focus elsewhere and on Escape.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd, waiting::eventually},
};

/// The button or link that becomes a menu when it is first pressed.
const REPOST_BUTTON: &str = ".status footer > [name=repost]";
const REPOST_MENU: &str = ".status footer > details:not(.dots)";
const MORE_MENU: &str = ".status footer > .dots";
const MORE_MENU_LINK: &str = "> .status-body > footer > .dots";

/// Opens a browser as alice at bob's profile with two posts.
async fn at_bob(site: &Site, width: u32, scripts: Scripts) -> Option<Browser> {
    let bob = crowd::member(&site.store, "bob").await;
    crowd::posts(&site.store, bob, 2).await;
    let browser = Browser::open(site, width, scripts).await?;
    browser.sign_up("alice", "Alice").await;
    browser.go("/@bob").await;
    Some(browser)
}

/// Returns the names of the open menus.
async fn open_menus(browser: &Browser) -> serde_json::Value {
    let script = "return [...document.querySelectorAll('footer details[open]')]
        .map((menu) => menu.querySelector('summary').textContent.trim())";
    browser.evaluate(script, vec![]).await
}

#[tokio::test]
async fn one_menu_is_open_at_a_time_and_escape_and_a_click_outside_close_it() {
    let site = Site::start().await;
    let Some(browser) = at_bob(&site, 390, Scripts::On).await else {
        return;
    };
    // With a modifier key, the button opens its menu too, and does not repost.
    let press = "document.querySelector(arguments[0]).dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }))";
    browser.evaluate(press, vec![REPOST_BUTTON.into()]).await;
    assert_eq!(open_menus(&browser).await, json!(["Repost"]));
    let focused = "return document.activeElement.textContent";
    assert_eq!(browser.evaluate(focused, vec![]).await, "Repost");
    browser.click(MORE_MENU).await;
    assert_eq!(open_menus(&browser).await, json!(["Menu"]));
    browser.photograph("menu-of-a-post").await;
    let escape = KeyActions::new("keyboard".to_owned())
        .then(KeyAction::Down { value: '\u{E00C}' })
        .then(KeyAction::Up { value: '\u{E00C}' });
    browser.client.perform_actions(escape).await.expect("a key");
    assert_eq!(open_menus(&browser).await, json!([]));
    assert_eq!(browser.evaluate(focused, vec![]).await, "Menu");
    browser.click(&format!("{MORE_MENU} > summary")).await;
    assert_eq!(open_menus(&browser).await, json!(["Menu"]));
    let elsewhere = "document.querySelector('footer.bottom').click()";
    browser.evaluate(elsewhere, vec![]).await;
    assert_eq!(open_menus(&browser).await, json!([]));
    browser.close().await;
}

#[tokio::test]
async fn the_buttons_of_a_card_far_down_keep_their_height_and_their_menu_is_not_cut_off() {
    let site = Site::start().await;
    let Some(browser) = at_bob(&site, 390, Scripts::On).await else {
        return;
    };
    let bob = crowd::uid(&site.store, "bob").await;
    crowd::posts(&site.store, bob, 28).await;
    browser.go("/@bob").await;
    let heights = "const bars = [...document.querySelectorAll('.feed .status footer')];
        return [bars.length, new Set(bars.map((bar) => bar.getBoundingClientRect().height)).size]";
    assert_eq!(browser.evaluate(heights, vec![]).await, json!([30, 1]));
    let skipped = "const button = document.querySelector('.feed .status:last-child footer button');
        return button.checkVisibility({ contentVisibilityAuto: true })";
    assert_eq!(browser.evaluate(skipped, vec![]).await, false);
    let card = ".feed .status:nth-child(20)";
    let scroll = format!("document.querySelector('{card}').scrollIntoView({{ block: 'center' }})");
    browser.evaluate(&scroll, vec![]).await;
    browser
        .click(&format!("{card} > .status-body > footer > .dots"))
        .await;
    eventually("the menu is loaded", async || {
        browser.has(&format!("{card} .dots .block")).await
    })
    .await;
    let last_item = format!(
        "const item = document.querySelector('{card} .dots > div > :last-child');
        const {{ left, top, width, height }} = item.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === item"
    );
    assert_eq!(browser.evaluate(&last_item, vec![]).await, true);
    browser.photograph("menu-far-down").await;
    browser.close().await;
}

#[tokio::test]
async fn the_menu_copies_the_link_and_blocks_in_two_presses() {
    let site = Site::start().await;
    let Some(browser) = at_bob(&site, 390, Scripts::On).await else {
        return;
    };
    let stub = "navigator.clipboard.writeText = async (text) => { window.copied = text; }";
    browser.evaluate(stub, vec![]).await;
    browser.click(MORE_MENU).await;
    browser.click(&format!("{MORE_MENU} .copy")).await;
    eventually("the link is copied", async || {
        browser.texts(".toast").await == ["Link copied."]
    })
    .await;
    let is_link = "return window.copied === document.querySelector('.status .time').href";
    assert_eq!(browser.evaluate(is_link, vec![]).await, true);
    browser.click(&format!("{MORE_MENU} > summary")).await;
    browser
        .click_through(&format!("{MORE_MENU} .block"), "/")
        .await;
    assert!(browser.texts(".flash").await[0].starts_with("@bob is blocked."));
    browser.photograph("blocked-with-undo").await;
    browser
        .click_through(".flash [form=undo]", "/settings/blocked")
        .await;
    browser.go("/@bob").await;
    assert!(browser.has(".status").await, "they find each other again");
    browser.close().await;
}

#[tokio::test]
async fn a_repost_is_done_in_its_menu_and_counted_beside_its_icon() {
    let site = Site::start().await;
    let Some(browser) = at_bob(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.click(REPOST_BUTTON).await;
    browser.click(&format!("{REPOST_MENU} button")).await;
    eventually("it is reposted", async || {
        browser.texts(&format!("{REPOST_MENU} > summary b")).await[0] == "1"
            && browser
                .has(&format!("{REPOST_MENU} [aria-pressed=true]"))
                .await
    })
    .await;
    assert_eq!(open_menus(&browser).await, json!([]));
    let id = browser
        .evaluate("return document.querySelector('.status').id", vec![])
        .await;
    let id = id.as_str().expect("an id").replace("status-", "");
    let unrepost = format!("[name=unrepost][value=\"{id}\"]");
    assert!(browser.has(&unrepost).await);
    // The entry on her profile is the repost. Undone, it is the post alone, with the menu of the post.
    browser.go("/@alice").await;
    browser.click(".status footer > [name=unrepost]").await;
    browser.click(&format!("{REPOST_MENU} button")).await;
    eventually("the repost is undone", async || {
        !browser.has(".reposted:not([hidden])").await
    })
    .await;
    browser.click(MORE_MENU).await;
    eventually("the menu of the post is loaded", async || {
        browser.has(&format!("{MORE_MENU} .block")).await
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_the_button_reposts_and_the_menu_is_a_page() {
    let site = Site::start().await;
    let Some(browser) = at_bob(&site, 390, Scripts::Off).await else {
        return;
    };
    browser.click(".status footer > [name=repost]").await;
    let count = ".status footer > [name=unrepost] b";
    eventually("it is reposted", async || {
        browser.texts(count).await == ["1"]
    })
    .await;
    browser.click(MORE_MENU).await;
    browser
        .click_through(".post-menu [name=mute]", "/@bob")
        .await;
    browser.click(MORE_MENU).await;
    eventually("the menu knows it", async || {
        browser.has(".post-menu [name=unmute][value=bob]").await
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn the_buttons_of_a_post_are_large_enough_for_a_finger() {
    let site = Site::start().await;
    let Some(browser) = at_bob(&site, 320, Scripts::On).await else {
        return;
    };
    let open = "document.querySelectorAll('.status footer > :is([name=repost], .dots)').forEach((part) => part.click());
        document.querySelectorAll('footer details').forEach((menu) => { menu.open = true; });";
    browser.evaluate(open, vec![]).await;
    eventually("both menus are loaded", async || {
        browser.texts(&format!("{MORE_MENU} .block")).await.len() == 2
    })
    .await;
    let sizes = "return [...document.querySelectorAll('.status footer :is(a, button, summary)')]
            .map((part) => part.getBoundingClientRect())
            .filter(({ width, height }) => width < 44 || height < 44).length";
    assert_eq!(browser.evaluate(sizes, vec![]).await, 0);
    browser.close().await;
}

const PROFILE_MENU: &str = ".profile-menu > summary";

async fn is_profile_menu_open(browser: &Browser) -> bool {
    browser.has(".profile-menu[open]").await
}

#[tokio::test]
async fn the_menu_of_a_profile_holds_its_forms_and_closes_on_a_click_outside() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    for width in [390, 1280] {
        let login = format!("alice{width}");
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.sign_up(&login, "Alice").await;
        let alice = crowd::uid(&site.store, &login).await;
        crowd::follow(&site.store, alice, bob).await;
        browser.go("/@bob").await;
        browser.photograph("profile-with-menu").await;
        assert!(!is_profile_menu_open(&browser).await);
        browser.click(PROFILE_MENU).await;
        browser.click(".profile-menu .mute > summary").await;
        assert!(is_profile_menu_open(&browser).await, "a part of it opens");
        browser.photograph("profile-menu").await;
        let outside = "const { left, right } = document.querySelector('.profile-menu > div').getBoundingClientRect();
            return left < 0 || right > innerWidth";
        assert_eq!(browser.evaluate(outside, vec![]).await, false);
        let elsewhere = "document.querySelector('footer.bottom').click()";
        browser.evaluate(elsewhere, vec![]).await;
        assert!(!is_profile_menu_open(&browser).await);
        browser.go("/@bob#lists").await;
        eventually("a link opens the menu and its part", async || {
            browser.has(".profile-menu[open] .add-to-list[open]").await
        })
        .await;
        browser.go(&format!("/@{login}")).await;
        browser.photograph("own-profile-with-menu").await;
        browser.close().await;
    }
}

#[tokio::test]
async fn without_scripts_the_menu_of_a_profile_mutes() {
    let site = Site::start().await;
    let Some(browser) = at_bob(&site, 390, Scripts::Off).await else {
        return;
    };
    browser.click(PROFILE_MENU).await;
    browser.click(".profile-menu .mute > summary").await;
    browser
        .click_through(".profile-menu [name=term]", "/@bob")
        .await;
    eventually("the profile says it", async || {
        let lines = browser.texts(".profile > .meta").await;
        lines.iter().any(|line| line.starts_with("Muted until"))
    })
    .await;
    assert!(browser.has(".profile-menu .unmute").await);
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_a_mute_and_a_deletion_in_a_timeline_keep_the_place_and_are_confirmed() {
    let site = Site::start().await;
    let Some(browser) = Browser::open(&site, 390, Scripts::Off).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    let [bob, carol] = [
        crowd::member(&site.store, "bob").await,
        crowd::member(&site.store, "carol").await,
    ];
    for followed in [bob, carol] {
        crowd::follow(&site.store, alice, followed).await;
    }
    crowd::posts(&site.store, carol, 8).await;
    let of_bob = crowd::posts(&site.store, bob, 1).await[0];
    let own = crowd::posts(&site.store, alice, 1).await[0];
    crowd::posts(&site.store, carol, 8).await;
    let place = "const box = (css) => document.querySelector(css).getBoundingClientRect();
        const [place, bar, flash] = ['.place', 'header.top', '.flash'].map(box);
        const isShown = ({ top, bottom }) => top >= bar.bottom && bottom <= innerHeight;
        return [scrollY > 500, isShown(place), place.top < innerHeight / 2, isShown(flash), flash.bottom <= place.top]";
    for (id, press, name) in [
        (of_bob, ".post-menu [name=mute]", "mute"),
        (own, ".post-menu .delete", "delete"),
    ] {
        browser.go("/").await;
        browser
            .click_away(&format!("#status-{id} {MORE_MENU_LINK}"))
            .await;
        browser.click_away(press).await;
        if name == "delete" {
            browser.click_away("form.actions [type=submit]").await;
        }
        assert!(browser.has(&format!(".place#status-{id}")).await, "{name}");
        let seen = browser.evaluate(place, vec![]).await;
        assert_eq!(seen, json!([true, true, true, true, true]), "{name}");
        browser.photograph(&format!("place-after-{name}")).await;
    }
    browser.close().await;
}
