//! A session stores only short texts while Redis has little memory left. A longer one is shown to copy.

use reqwest::StatusCode;

use super::{filled, message_at_home, post_typed_too_late};
use crate::{
    server::memory::{leave_all, one_node, use_percent},
    support::{Page, Person, Site},
};

/// Logs in with a text that was typed too late, while 85 % of the memory are used. Returns the page of the answer.
async fn log_in_with_little_memory(site: &Site, text: &str) -> (Person, Page) {
    let (alice, typed) = post_typed_too_late(site, text).await;
    let log_in = filled(&alice.submit(&typed).await.form("/login"));
    use_percent(site.redis.one_node(), 85);
    // It measures the memory.
    let ready = Person::visitor(site).get("/readyz").await;
    assert!(ready.html.contains("warning"), "{}", ready.html);
    let page = alice.submit(&log_in).await;
    (alice, page)
}

#[tokio::test]
async fn a_long_text_is_shown_to_copy_and_not_stored() {
    let site = one_node().await;
    let long = "字".repeat(500);
    let (alice, page) = log_in_with_little_memory(&site, &long).await;
    assert_eq!(page.status, StatusCode::OK);
    let text = page.visible_text();
    assert!(text.contains("You are logged in"), "{text}");
    assert!(text.contains(&long), "{text}");
    assert!(page.has("a.button[href='/']"));
    assert!(alice.is_logged_in().await);
    assert_eq!(message_at_home(&alice).await, "");
    leave_all(site.redis.one_node());
}

#[tokio::test]
async fn a_short_text_is_back_in_its_form() {
    let site = one_node().await;
    let (alice, page) = log_in_with_little_memory(&site, "Spiders have eight legs.").await;
    assert_eq!(page.status, StatusCode::SEE_OTHER);
    assert_eq!(message_at_home(&alice).await, "Spiders have eight legs.");
    leave_all(site.redis.one_node());
}
