//! A conversation in a real browser: reply on a phone without JavaScript, with a separate draft for
//! each post.

use serde_json::Value;

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{PASSWORD, Site, crowd, waiting::eventually},
};

async fn alice(site: &Site, width: u32, scripts: Scripts) -> Option<Browser> {
    let browser = Browser::open(site, width, scripts).await?;
    browser.go("/signup").await;
    for (field, text) in [
        ("login", "alice"),
        ("name", "Alice"),
        ("password", PASSWORD),
    ] {
        browser.type_into(&format!("[name={field}]"), text).await;
    }
    browser
        .click_through("form[action=\"/signup\"] [type=submit]", "/")
        .await;
    Some(browser)
}

#[tokio::test]
async fn a_conversation_is_joined_without_javascript_on_a_phone() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let asked = format!("Who has seen the boat?{}", "\nOr a raft?".repeat(40));
    let question = crowd::post(&site.store, bob, &asked).await;
    crowd::reply(&site.store, bob, question, "It is red.").await;
    let Some(browser) = alice(&site, 360, Scripts::Off).await else {
        return;
    };
    browser.go("/@bob").await;
    let permalink = format!("/@bob/{question}");
    browser
        .click_through(&format!("#status-{question} a.reply"), &permalink)
        .await;
    eventually("the field has the focus", async || {
        let focused = "return document.activeElement.name";
        browser.evaluate(focused, Vec::new()).await == "message"
    })
    .await;
    browser.type_into("#reply [name=message]", "I have.").await;
    browser.click_away("#reply [type=submit]").await;
    let question = browser.texts(".subject > .status-body > .e-content").await;
    assert!(question[0].starts_with("Who has seen the boat?"));
    assert_eq!(
        browser.texts(".reply-list .status:target .e-content").await,
        ["I have."]
    );
    // The page is scrolled to the reply, and the confirmation above it is still visible.
    let places = "const at = (of) => document.querySelector(of).getBoundingClientRect();
        const places = [at('.top').bottom, at('.flash').top, at('.flash').bottom, at(':target').top];
        return scrollY > 0 && at(':target').top < innerHeight &&
            places.every((place, i) => i === 0 || place >= places[i - 1]) || String(places)";
    assert_eq!(
        browser.evaluate(places, Vec::new()).await,
        Value::Bool(true)
    );
    browser.photograph("reply").await;
    assert_eq!(
        browser.texts(".reply-list .e-content").await,
        ["It is red.", "I have."]
    );
    let wide = "return document.documentElement.scrollWidth > innerWidth";
    assert_eq!(browser.evaluate(wide, Vec::new()).await, Value::Bool(false));
    browser.photograph("conversation").await;
    browser.close().await;
}

#[tokio::test]
async fn each_post_has_its_own_draft_and_only_the_posted_one_is_removed() {
    let site = Site::start().await;
    let bob = crowd::member(&site.store, "bob").await;
    let first = crowd::post(&site.store, bob, "first").await;
    let second = crowd::post(&site.store, bob, "second").await;
    let Some(browser) = alice(&site, 1280, Scripts::On).await else {
        return;
    };
    let places = [
        "/".to_owned(),
        format!("/@bob/{first}"),
        format!("/@bob/{second}"),
    ];
    for (number, place) in places.iter().enumerate() {
        browser.go(place).await;
        browser
            .type_into("[name=message]", &format!("draft {number}"))
            .await;
    }
    let typed = async |place: &str| {
        browser.go(place).await;
        let script = "return document.querySelector('[name=message]').value";
        browser.evaluate(script, Vec::new()).await
    };
    assert_eq!(typed(&places[1]).await, "draft 1");
    browser.click_away("#reply [type=submit]").await;
    assert_eq!(
        browser.texts(".reply-list .status:target .e-content").await,
        ["draft 1"]
    );
    assert_eq!(typed(&places[0]).await, "draft 0");
    assert_eq!(typed(&places[1]).await, "");
    assert_eq!(typed(&places[2]).await, "draft 2");
    browser.close().await;
}
