//! The preview of a post: the page of its form shows it, and nothing is posted.

use reqwest::StatusCode;

use crate::support::{Person, Site};

const PREVIEW: &str = "[data-compose] .preview";

#[tokio::test]
async fn a_preview_shows_the_post_with_its_links_warning_and_poll() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let whole = alice
        .open("/")
        .await
        .form("/statuses")
        .set_new("extras", "poll");
    let whole = alice.submit(&whole).await;
    assert!(whole.has("[data-compose] button[value=preview]") && !whole.has(PREVIEW));
    let form = whole
        .form("/statuses")
        .set("message", "<b>bold</b> @bob #birds");
    let form = form
        .set("warning", "About birds")
        .set("option_1", "Yes")
        .set("option_2", "No");
    let shown = alice
        .submit(&form.clone().set_new("extras", "preview"))
        .await;
    assert_eq!(shown.status, StatusCode::OK);
    assert_eq!(
        shown.text(&format!("{PREVIEW} .e-content")),
        "<b>bold</b> @bob #birds"
    );
    assert!(shown.has(&format!("{PREVIEW} a[href=\"/@bob\"]")));
    assert!(shown.has(&format!("{PREVIEW} a[href=\"/tags/birds\"]")));
    assert_eq!(shown.text(&format!("{PREVIEW} summary")), "About birds");
    assert_eq!(shown.texts(&format!("{PREVIEW} li")), ["Yes", "No"]);
    let same = shown.form("/statuses");
    for name in ["message", "warning", "option_2", "idempotency_key"] {
        assert_eq!(same.value(name), form.value(name), "{name}");
    }
    assert!(alice.home_ids().await.is_empty());
    alice.submit_accepted(&same).await;
    assert_eq!(alice.home_ids().await.len(), 1);
}

#[tokio::test]
async fn replies_and_quotes_have_a_preview_and_an_invalid_post_its_errors() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = bob.post("Who has seen the boat?").await;
    for (page, action) in [
        (format!("/@bob/{id}"), "/statuses".to_owned()),
        (
            format!("/statuses/{id}/quote"),
            format!("/statuses/{id}/quote"),
        ),
    ] {
        let form = alice.open(&page).await.form(&action);
        let form = form.set("message", "I have.").set_new("extras", "preview");
        let shown = alice.submit(&form).await;
        assert_eq!(shown.status, StatusCode::OK, "{page}");
        assert_eq!(
            shown.text(&format!("{PREVIEW} .e-content")),
            "I have.",
            "{page}"
        );
        assert_eq!(shown.form(&action).value("message"), "I have.", "{page}");
        let long = form.set("message", &"x".repeat(501));
        let refused = alice.submit(&long).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{page}");
        assert!(
            refused.has("#message-error") && !refused.has(PREVIEW),
            "{page}"
        );
    }
    assert!(alice.ids("/@alice/replies").await.is_empty());
}
