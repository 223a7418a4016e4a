//! A form that waits for a log-in belongs to the account that typed it. People who share a browser get no text of each
//! other.

use super::{message_at_home, post_typed_too_late};
use crate::support::{
    Form, PASSWORD, Page, Person, Site,
    ended_session::{log_in_again, log_in_as},
};

const SECRET: &str = "a secret of alice";

fn has_pending_form(log_in: &Form) -> bool {
    let mut names = log_in.fields.iter().map(|(name, _)| name);
    names.any(|name| name == "pending_form")
}

/// Logs bob in with the page that refused a form of alice. Asserts that he gets nothing of it, and that it is gone.
async fn assert_hidden_from_bob(browser: &Person, refused: &Page) {
    let page = log_in_as(browser, refused, "bob").await;
    let text = page.visible_text();
    assert!(text.contains("another account may have typed it"), "{text}");
    assert!(!page.html.contains(SECRET), "{}", page.html);
    assert_eq!(message_at_home(browser).await, "");
    assert!(browser.open("/@bob").await.messages().is_empty());
    browser.log_out().await;
    browser.send_log_in("alice", PASSWORD).await;
    assert_eq!(message_at_home(browser).await, "");
    assert!(browser.open("/@alice").await.messages().is_empty());
}

#[tokio::test]
async fn another_account_gets_nothing_of_a_form_whose_session_was_ended_elsewhere() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let (browser, typed) = post_typed_too_late(&site, SECRET).await;
    let refused = browser.submit(&typed).await;
    assert_hidden_from_bob(&browser, &refused).await;
}

#[tokio::test]
async fn another_account_gets_nothing_of_a_form_that_was_sent_after_a_log_out() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let browser = Person::sign_up(&site, "alice").await;
    let typed = browser.open("/").await.form("/statuses");
    browser.log_out().await;
    assert_eq!(browser.cookies.session(), None);
    let refused = browser.submit(&typed.set("message", SECRET)).await;
    assert_hidden_from_bob(&browser, &refused).await;
}

#[tokio::test]
async fn the_owner_gets_a_form_that_was_sent_after_a_log_out() {
    let site = Site::start().await;
    let browser = Person::sign_up(&site, "alice").await;
    // The second page comes from the cache of pages.
    browser.open("/").await;
    let typed = browser.open("/").await.form("/statuses");
    browser.log_out().await;
    let refused = browser.submit(&typed.set("message", SECRET)).await;
    log_in_again(&browser, &refused).await;
    assert_eq!(message_at_home(&browser).await, SECRET);
}

#[tokio::test]
async fn the_owner_of_a_form_stays_known_after_a_wrong_password() {
    let site = Site::start().await;
    let (browser, typed) = post_typed_too_late(&site, SECRET).await;
    let log_in = browser.submit(&typed).await.form("/login");
    let wrong = log_in.set("login", "alice").set("password", "not the one");
    let again = browser.submit(&wrong).await.form("/login");
    let right = again.set("password", PASSWORD);
    browser.submit_accepted(&right).await;
    assert_eq!(message_at_home(&browser).await, SECRET);
}

#[tokio::test]
async fn a_form_of_an_unknown_owner_is_shown_to_copy_and_not_saved() {
    let site = Site::start().await;
    let (browser, typed) = post_typed_too_late(&site, SECRET).await;
    let refused = browser.submit(&typed.set("csrf_token", "")).await;
    assert_eq!(refused.texts(".saved-text blockquote"), [SECRET]);
    let text = refused.visible_text();
    assert!(text.contains("copy it before you log in"), "{text}");
    assert!(!has_pending_form(&refused.form("/login")));
    log_in_again(&browser, &refused).await;
    assert_eq!(message_at_home(&browser).await, "");
}
