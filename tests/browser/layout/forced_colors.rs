//! Forced colours: the device replaces the colours of all pages, as in the contrast themes of Windows.

use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Person, Site, crowd},
};

/// Returns the number of shown icons, and the parts with an icon in the colour that is behind it.
const ICONS: &str = "
    const behind = (part) => {
        for (; part; part = part.parentElement) {
            const { backgroundColor } = getComputedStyle(part);
            if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor;
        }
        return 'none';
    };
    const icons = [...document.querySelectorAll('body *')]
        .filter((part) => part.checkVisibility())
        .map((part) => [part, getComputedStyle(part, '::before')])
        .filter(([, { content, display, maskImage }]) => maskImage !== 'none' && content !== 'none' && display !== 'none');
    const lost = icons.filter(([part, { backgroundColor }]) => backgroundColor === behind(part));
    return [icons.length, lost.map(([part]) => part.outerHTML.slice(0, 120))];";

#[tokio::test]
async fn icons_differ_from_their_background_in_forced_colours() {
    let site = Site::start().await;
    for (login, width) in [("alice", 390), ("carol", 1280)] {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        let media = json!({ "features": [{ "name": "forced-colors", "value": "active" }] });
        browser.develop("Emulation.setEmulatedMedia", media).await;
        browser.sign_up(login, "Alice").await;
        let bob = format!("bob_{width}");
        let post = Person::sign_up(&site, &bob)
            .await
            .post(&format!("to @{login}"))
            .await;
        let [reader, author] = [login, &bob].map(|login| crowd::uid(&site.store, login));
        let (reader, author) = (reader.await, author.await);
        crowd::follow(&site.store, reader, author).await;
        crowd::follow(&site.store, author, reader).await;
        site.drain().await;
        for path in [
            "/",
            "/compose",
            "/notifications",
            "/settings",
            &format!("/@{bob}"),
            &format!("/@{bob}/{post}"),
        ] {
            browser.go(path).await;
            let is_forced = "return matchMedia('(forced-colors: active)').matches";
            assert_eq!(browser.evaluate(is_forced, vec![]).await, true);
            browser.photograph("forced-colours").await;
            let icons = browser.evaluate(ICONS, vec![]).await;
            assert!(icons[0].as_u64() > Some(5), "{path}: {icons}");
            assert_eq!(icons[1], json!([]), "{path} at {width}");
        }
        browser.close().await;
    }
}
