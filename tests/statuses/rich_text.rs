//! Posts as they are shown on a page: mentions, tags and web addresses are linked, in any script.

use reqwest::StatusCode;

use crate::support::{Page, Person, Site};

/// Returns the page of a new post.
async fn posted(person: &Person, message: &str) -> Page {
    let id = person.post(message).await;
    let page = person.open(&format!("{}/{id}", person.profile())).await;
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(page.text(".e-content"), lines.concat(), "no word is lost");
    page
}

fn links(page: &Page) -> Vec<String> {
    page.attributes(".e-content a", "href")
}

#[tokio::test]
async fn a_mention_leads_to_the_person() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    Person::sign_up(&site, "Bob_2").await;
    let page = posted(&alice, "Hello @bob_2, and ＠Bob_2!").await;
    assert_eq!(links(&page), ["/@bob_2", "/@Bob_2"]);
    assert_eq!(page.texts(".e-content a.h-card"), ["@bob_2", "＠Bob_2"]);
    assert_eq!(page.count(".e-content a.h-card[dir=ltr]"), 2);
    let moved = alice.get("/@bob_2").await;
    assert_eq!(
        (moved.status, moved.location()),
        (StatusCode::PERMANENT_REDIRECT, "/@Bob_2")
    );
}

#[tokio::test]
async fn a_mention_of_an_unknown_login_leads_to_a_helpful_page() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let page = posted(&alice, "Is @nobody there?").await;
    assert_eq!(links(&page), ["/@nobody"]);
    let missing = alice.get("/@nobody").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    missing.assert_helpful();
}

#[tokio::test]
async fn e_mail_addresses_web_addresses_and_words_are_no_mentions() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let page = posted(
        &alice,
        "alice@example.org a+@example.org example.org/@alice meet@noon @alice@example.org\nhttps://example.org/@alice?a=@b",
    )
    .await;
    assert_eq!(links(&page), ["https://example.org/@alice?a=@b"]);
    assert!(!page.has(".e-content .h-card"));
}

#[tokio::test]
async fn a_tag_links_to_its_canonical_page() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let page = posted(&alice, "#tag ＃Größe #می\u{200c}خواهم @alice").await;
    assert_eq!(
        links(&page),
        [
            "/tags/tag",
            "/tags/gr%C3%B6sse",
            "/tags/%D9%85%DB%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85",
            "/@alice"
        ]
    );
    assert_eq!(page.count(".e-content a[rel=tag] > .p-category"), 3);
}

#[tokio::test]
async fn links_are_found_in_every_script() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for (message, expected) in [
        (
            "سلام @alice، ببین https://مثال.example/صفحه؟",
            ["/@alice", "https://مثال.example/صفحه"],
        ),
        (
            "שלום @alice: (http://a.example/דף).",
            ["/@alice", "http://a.example/דף"],
        ),
        (
            "你好@alice你好。http://a.example/页」",
            ["/@alice", "http://a.example/页"],
        ),
        (
            "東京の@aliceさんhttp://a.example/xを見て",
            ["/@alice", "http://a.example/x"],
        ),
        (
            "Ne\u{301}e @alice, http://a.example/cafe\u{301}!",
            ["/@alice", "http://a.example/cafe\u{301}"],
        ),
        (
            "👩‍🌾@alice👨‍👩‍👧‍👦 ✌️http://a.example/🎉…",
            ["/@alice", "http://a.example/🎉"],
        ),
    ] {
        assert_eq!(links(&posted(&alice, message).await), expected, "{message}");
    }
}

#[tokio::test]
async fn nothing_in_a_link_breaks_out_of_it() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let page = posted(
        &alice,
        "http://a.example/\"onclick=\"alert(1) http://a.example/'x'<b>&amp;</b> @alice\"x @alice<i>",
    )
    .await;
    assert_eq!(
        links(&page),
        [
            "http://a.example/",
            "http://a.example/'x",
            "/@alice",
            "/@alice"
        ]
    );
    assert!(!page.has(".e-content b, .e-content i, .e-content [onclick]"));
}

#[tokio::test]
async fn a_self_description_has_mentions_too() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/settings").await.form("/settings/profile");
    let form = form.set("bio", "Sister of @bob #tea");
    assert_eq!(alice.submit(&form).await.status, StatusCode::SEE_OTHER);
    let page = alice.open("/@alice").await;
    assert_eq!(page.attributes(".p-note a.h-card", "href"), ["/@bob"]);
}
