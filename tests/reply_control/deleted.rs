//! Forms about posts that were deleted meanwhile, and forms with unknown choices.

use reqwest::StatusCode;

use super::{control_form, control_path};
use crate::support::{Page, Person, Site};

/// Checks the page that says that a post was deleted, for a form without a page to go back to.
fn assert_leads_home(page: &Page) {
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    page.assert_helpful();
    assert_eq!(page.text("h1"), "This post was deleted");
    let words = page.visible_text();
    assert!(words.contains("Go home to continue."), "{words}");
    assert!(!words.contains("Go back"), "{words}");
    assert!(page.has(".page-links a[href=\"/\"]"), "{}", page.html);
}

#[tokio::test]
async fn a_choice_for_a_deleted_post_says_so_and_leads_home() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = alice.post("one").await;
    let form = control_form(&alice, id).await;
    let own = bob.post("two").await;
    let form_of_bob = control_form(&bob, own).await;
    alice.delete(id).await;
    assert_leads_home(&alice.submit(&form).await);
    assert_leads_home(&alice.submit(&form.set("repliers", "nobody")).await);
    // Others learn nothing about a post: the answer for any other id is the same.
    let living = alice.post("three").await;
    for other in [id, living, 4096] {
        assert_leads_home(&bob.submit(&form_of_bob.to(&control_path(other))).await);
    }
}

#[tokio::test]
async fn an_unknown_choice_of_a_new_post_lets_no_one_reply() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    let form = form.set("message", "one").set_new("repliers", "friends");
    alice.submit_accepted(&form).await;
    let id = alice.home_ids().await[0];
    let form = control_form(&alice, id).await;
    assert_eq!(form.value("repliers"), "nobody");
}
