//! An open conversation and the page of everybody in the browser: what comes meanwhile is offered, and shown in place.

use serde_json::json;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Person, Site, crowd, waiting::eventually},
};

const OFFER: &str = ".live button";

async fn offered(browser: &Browser, words: &[&str]) {
    eventually(&format!("{words:?} is offered"), async || {
        let read =
            "return [...document.querySelectorAll(arguments[0])].map((part) => part.innerText)";
        browser.evaluate(read, vec![json!(OFFER)]).await == json!(words)
    })
    .await;
}

async fn shown(browser: &Browser, css: &str, texts: &[&str]) {
    eventually(&format!("{texts:?} is shown"), async || {
        browser.texts(css).await == texts
    })
    .await;
}

/// Opens a home on a phone that offers a new post.
async fn home_with_an_offer(site: &Site) -> Option<Browser> {
    let bob = Person::sign_up(site, "bob").await;
    bob.post("first").await;
    let browser = Browser::open(site, 390, Scripts::On).await?;
    browser.sign_up("alice", "Alice").await;
    let alice = crowd::uid(&site.store, "alice").await;
    crowd::follow(&site.store, alice, crowd::uid(&site.store, "bob").await).await;
    browser.go("/").await;
    bob.post("second").await;
    site.drain().await;
    offered(&browser, &["1 new post"]).await;
    Some(browser)
}

/// The offer is beside the tabs and the buttons of the top of the page.
async fn assert_covers_no_control(browser: &Browser) {
    let covered = "scrollTo(0, 0);
        const pill = document.querySelector(arguments[0]).getBoundingClientRect();
        const meets = (box) => box.left < pill.right && box.right > pill.left && box.top < pill.bottom && box.bottom > pill.top;
        return [...document.querySelectorAll('.tabs a, .subtabs a, button, .button, summary')]
            .filter((part) => !part.closest('.live, .toast') && part.checkVisibility())
            .filter((part) => meets(part.getBoundingClientRect())).map((part) => part.outerHTML)";
    let covered = browser.evaluate(covered, vec![json!(OFFER)]).await;
    assert_eq!(covered, json!([]));
}

#[tokio::test]
async fn the_offer_covers_no_tab_and_no_button_of_home_on_a_phone() {
    let site = Site::start().await;
    let Some(browser) = home_with_an_offer(&site).await else {
        return;
    };
    browser.photograph("offer-on-a-phone").await;
    assert_covers_no_control(&browser).await;
    browser.close().await;
}

#[tokio::test]
async fn the_offer_is_in_the_middle_of_the_column_on_a_wide_screen() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    for (number, width) in [1280, 1920].into_iter().enumerate() {
        let Some(browser) = Browser::open(&site, width, Scripts::On).await else {
            return;
        };
        browser.sign_up(&format!("alice_{width}"), "Alice").await;
        bob.post(&format!("before {number}")).await;
        site.drain().await;
        browser.go("/everybody").await;
        bob.post(&format!("meanwhile {number}")).await;
        site.drain().await;
        offered(&browser, &["1 new post"]).await;
        let apart = "const [offer, column] = [arguments[0], '.column'].map((css) => document.querySelector(css).getBoundingClientRect());
            return Math.abs(offer.left + offer.right - column.left - column.right) < 3";
        let is_centred = browser.evaluate(apart, vec![json!(OFFER)]).await;
        assert_eq!(is_centred, true, "{width}");
        browser.close().await;
    }
}

#[tokio::test]
async fn the_offer_does_not_cover_the_message_about_a_press() {
    let site = Site::start().await;
    let Some(browser) = home_with_an_offer(&site).await else {
        return;
    };
    browser.set_offline(true).await;
    browser.click(".status footer [name=favourite]").await;
    shown(&browser, ".toast", &["Not saved. Try again."]).await;
    browser.photograph("offer-and-message").await;
    let is_above = "const [offer, message] = [arguments[0], '.toast']
            .map((css) => document.querySelector(css).getBoundingClientRect());
        return message.bottom <= offer.top;";
    let is_above = browser.evaluate(is_above, vec![json!(OFFER)]).await;
    assert_eq!(is_above, json!(true));
    browser.close().await;
}

/// The offer is beside the links of the page at both ends of it.
async fn assert_covers_no_link(browser: &Browser) {
    let covered = "const meets = (box, pill) => box.left < pill.right && box.right > pill.left
            && box.top < pill.bottom && box.bottom > pill.top;
        return [0, document.documentElement.scrollHeight].flatMap((end) => {
            scrollTo({ top: end, behavior: 'instant' });
            const pill = document.querySelector(arguments[0]).getBoundingClientRect();
            return [...document.querySelectorAll('footer.bottom a, .tabs a')]
                .filter((link) => link.checkVisibility() && meets(link.getBoundingClientRect(), pill))
                .map((link) => link.outerHTML);
        })";
    let covered = browser.evaluate(covered, vec![json!(OFFER)]).await;
    assert_eq!(covered, json!([]));
}

#[tokio::test]
async fn the_offer_covers_no_link_at_the_ends_of_a_short_page_on_a_phone() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = bob.post("first").await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    let conversation = format!("/@bob/{id}");
    for (path, offer) in [
        ("/everybody", "1 new post"),
        (conversation.as_str(), "1 new reply"),
    ] {
        browser.go(path).await;
        match path {
            "/everybody" => bob.post("second").await,
            _ => bob.reply(id, "third").await,
        };
        site.drain().await;
        offered(&browser, &[offer]).await;
        let name = format!("offer-at-the-foot{}", path.replace('/', "-"));
        assert_covers_no_link(&browser).await;
        browser.photograph(&name).await;
    }
    browser.close().await;
}

#[tokio::test]
async fn new_replies_are_offered_and_shown_in_their_places() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    let carol = Person::sign_up(&site, "carol").await;
    let post = bob.post("Who has seen the boat?").await;
    let Some(browser) = Browser::open(&site, 390, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go(&format!("/@bob/{post}")).await;
    browser
        .type_into("#reply [name=message]", "half a thought")
        .await;
    let first = carol.reply(post, "Which one?").await;
    offered(&browser, &["1 new reply"]).await;
    assert!(
        !browser.has(".reply-list").await,
        "nothing moves without a click"
    );
    browser.photograph("new-reply").await;
    assert_covers_no_control(&browser).await;
    browser.click(OFFER).await;
    let texts = ".reply-list .e-content";
    shown(&browser, texts, &["Which one?"]).await;
    offered(&browser, &[]).await;
    let kept = "return [document.querySelector('#reply [name=message]').value,
        document.activeElement.querySelector('.e-content').innerText]";
    let expected = json!(["half a thought", "Which one?"]);
    assert_eq!(browser.evaluate(kept, vec![]).await, expected);
    carol.reply(post, "I have.").await;
    bob.reply(first, "The red one.").await;
    offered(&browser, &["2 new replies"]).await;
    browser.click(OFFER).await;
    shown(&browser, texts, &["Which one?", "The red one.", "I have."]).await;
    let below = format!("#status-{first} > .nested-replies .e-content");
    assert_eq!(browser.texts(&below).await, ["The red one."]);
    bob.reply(first, "With a white sail.").await;
    offered(&browser, &["1 new reply"]).await;
    browser.click(OFFER).await;
    shown(&browser, &below, &["The red one.", "With a white sail."]).await;
    let ids = "const ids = [...document.querySelectorAll('[id]')].map((part) => part.id);
        return ids.length - new Set(ids).size";
    assert_eq!(browser.evaluate(ids, vec![]).await, 0);
    browser.photograph("shown-replies").await;
    // The buttons of what was added work in place.
    browser
        .click(&format!(
            "#status-{first} > .status-body > footer > [name=favourite]"
        ))
        .await;
    let star = format!("#status-{first} > .status-body > footer > [name=unfavourite] b");
    shown(&browser, &star, &["1"]).await;

    // The page leaves out the fourth reply to a reply. Once it is opened anew, that one is not offered again.
    bob.reply(first, "With a dog.").await;
    offered(&browser, &["1 new reply"]).await;
    browser.click(OFFER).await;
    let three = ["The red one.", "With a white sail.", "With a dog."];
    shown(&browser, &below, &three).await;
    bob.reply(first, "A brown dog.").await;
    offered(&browser, &["1 new reply"]).await;
    browser.click(OFFER).await;
    let more = format!("#status-{first} .nested-replies .more");
    eventually("the page is opened anew", async || browser.has(&more).await).await;
    carol.reply(post, "At the weir.").await;
    offered(&browser, &["1 new reply"]).await;
    browser.close().await;
}

#[tokio::test]
async fn newer_posts_of_everybody_are_offered_and_shown() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.post("first").await;
    site.drain().await;
    let Some(browser) = Browser::open(&site, 1280, Scripts::On).await else {
        return;
    };
    browser.sign_up("alice", "Alice").await;
    browser.go("/everybody").await;
    bob.post("second").await;
    bob.post("third").await;
    site.drain().await;
    // A message to the person makes the stream read before its next heartbeat.
    bob.follow("alice").await;
    offered(&browser, &["2 new posts"]).await;
    browser.photograph("everybody").await;
    browser.click(OFFER).await;
    shown(&browser, ".feed .e-content", &["third", "second", "first"]).await;
    offered(&browser, &[]).await;
    let uid = crowd::uid(&site.store, "bob").await;
    crowd::post(&site.store, uid, "fourth").await;
    site.drain().await;
    bob.unfollow("alice").await;
    offered(&browser, &["1 new post"]).await;
    browser.close().await;
}
