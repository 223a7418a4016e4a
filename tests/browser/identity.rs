//! The name, the hue and the rules of a site in the browser.

use serde_json::json;

use crate::{
    administration::output_of,
    browser::chromium::{Browser, Scripts},
    support::{Site, crowd},
};

/// Changes a setting of the site, and makes its server read it.
async fn set(site: &Site, setting: &str, value: &str) {
    output_of(site, &["site", "--entrance", "open", setting, value]);
    site.store.read_site().await.expect("an answer");
}

/// Returns whether the page fits into the window, and the parts of its header that are outside the window.
const OUTSIDE: &str = "
    const parts = [...document.querySelectorAll('.top :is(.brand, .tabs a, .search-link, .top-search, .account-links a, .menu)')];
    const outside = parts.filter((part) => part.checkVisibility()).filter((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left < 0 || right > document.documentElement.clientWidth;
    });
    return [document.documentElement.scrollWidth <= innerWidth, outside.map((part) => part.outerHTML.slice(0, 120))];";

/// Asserts that the header fits into the window on pages of a site with long names.
async fn assert_header_fits(site: &Site, browser: &Browser, of: &str) {
    for name in ["Mill Pond People", &"W".repeat(50)] {
        set(site, "--name", name).await;
        for path in ["/", "/everybody"] {
            browser.go(path).await;
            browser.photograph(&format!("name-{}", name.len())).await;
            let seen = browser.evaluate(OUTSIDE, vec![]).await;
            assert_eq!(seen, json!([true, []]), "{path}, {of}, {name}");
        }
    }
}

#[tokio::test]
async fn a_long_name_of_the_site_leaves_the_header_in_the_page() {
    let site = Site::start().await;
    for width in [320, 390, 768, 1024, 1280] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        assert_header_fits(&site, &browser, &format!("a visitor, {width}")).await;
        browser.sign_up(&format!("alice_{width}"), "Alice").await;
        assert_header_fits(&site, &browser, &format!("a member, {width}")).await;
        browser.close().await;
    }
}

#[tokio::test]
async fn the_banner_of_a_profile_has_the_hue_of_the_site() {
    let site = Site::start().await;
    crowd::member(&site.store, "bob").await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    for hue in ["31", "250"] {
        set(&site, "--hue", hue).await;
        browser.go("/@bob").await;
        let has_colour_of_buttons =
            "const button = document.querySelector('.account-links a:not(.secondary)');
            const { backgroundImage } = getComputedStyle(document.querySelector('.profile-banner'));
            return backgroundImage.includes(getComputedStyle(button).backgroundColor)";
        let has_it = browser.evaluate(has_colour_of_buttons, vec![]).await;
        assert_eq!(has_it, true, "{hue}");
    }
    browser.close().await;
}

#[tokio::test]
async fn the_link_to_the_rules_is_apart_from_the_buttons_of_the_landing_page() {
    let site = Site::start().await;
    let rules = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(rules.path(), "Be kind.\n").expect("the file can be written");
    let path = rules.path().to_str().expect("temporary paths are text");
    set(&site, "--rules", path).await;
    for width in [390, 1280] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.go("/").await;
        let gap = "const [link, buttons] = ['.pitch a[href=\"/rules\"]', '.pitch .actions'].map((css) => document.querySelector(css).getBoundingClientRect());
            return buttons.top - link.bottom >= 12";
        assert_eq!(browser.evaluate(gap, vec![]).await, true, "{width}");
        browser.close().await;
    }
}
