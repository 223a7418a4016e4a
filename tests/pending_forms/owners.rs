//! A form belongs to the account that opened it. People who share a browser do not send each other's texts.

use reqwest::StatusCode;

use super::{message_at_home, post_typed_too_late};
use crate::{
    cache::pages::open_home,
    support::{
        Form, PASSWORD, Page, Person, Site,
        ended_session::{log_in_again, log_in_without_form},
        request::Request,
    },
};

const SECRET: &str = "a secret of alice";

fn has_pending_form(log_in: &Form) -> bool {
    let mut names = log_in.fields.iter().map(|(name, _)| name);
    names.any(|name| name == "pending_form")
}

/// Logs bob in with the page that refused a form of alice. Asserts that he gets nothing of it, and that it is gone.
async fn assert_hidden_from_bob(browser: &Person, refused: &Page) {
    let page = log_in_without_form(browser, refused, "bob").await;
    let text = page.visible_text();
    assert!(text.contains("The saved form was discarded"), "{text}");
    assert!(!page.html.contains(SECRET), "{}", page.html);
    assert_eq!(message_at_home(browser).await, "");
    assert!(browser.open("/@bob").await.messages().is_empty());
    browser.log_out().await;
    browser.send_log_in("alice", PASSWORD).await;
    assert_eq!(message_at_home(browser).await, "");
    assert!(browser.open("/@alice").await.messages().is_empty());
}

#[tokio::test]
async fn another_account_gets_nothing_of_a_form_after_its_session_was_ended_elsewhere() {
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
    // One thread has one cache of pages.
    let site = Site::with(&["--threads", "1"]).await;
    let browser = Person::sign_up(&site, "alice").await;
    let typed = open_home(&browser).await.form("/statuses");
    browser.log_out().await;
    let refused = browser.submit(&typed.set("message", SECRET)).await;
    log_in_again(&browser, &refused).await;
    assert_eq!(message_at_home(&browser).await, SECRET);
}

#[tokio::test]
async fn a_form_of_another_account_is_not_sent_after_a_log_in_in_another_tab() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let browser = Person::sign_up(&site, "alice").await;
    let form = browser.open("/").await.form("/statuses");
    let mut form = form.set("message", SECRET);
    browser.log_out().await;
    browser.send_log_in("bob", PASSWORD).await;
    for _ in 0..2 {
        let page = browser.submit(&form).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        assert_eq!(page.text("h1"), "This form belongs to another account");
        form = page.form("/statuses");
        assert_eq!(form.value("message"), SECRET);
    }
    assert!(browser.open("/@bob").await.messages().is_empty());
    browser.log_out().await;
    browser.send_log_in("alice", PASSWORD).await;
    let expired = browser.submit(&form).await;
    assert_eq!(expired.text("h1"), "This form has expired");
    browser.submit_accepted(&expired.form("/statuses")).await;
    assert_eq!(browser.open("/@alice").await.messages(), [SECRET]);
}

#[tokio::test]
async fn a_log_in_with_another_account_keeps_the_form_for_its_owner() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let (browser, typed) = post_typed_too_late(&site, SECRET).await;
    let log_in = browser.submit(&typed).await.form("/login");
    let wrong = log_in.set("login", "bob").set("password", PASSWORD);
    let asked = browser.submit(&wrong).await;
    assert_eq!(asked.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        asked.has(".errors[autofocus] #login-error"),
        "{}",
        asked.html
    );
    assert!(
        asked.texts("title")[0].starts_with("Error: "),
        "{}",
        asked.html
    );
    assert_eq!(asked.texts(".saved-text blockquote"), [SECRET]);
    let right = asked.form("/login").without("without_form");
    let right = right.set("login", "alice").set("password", PASSWORD);
    browser.submit_accepted(&right).await;
    assert_eq!(message_at_home(&browser).await, SECRET);
}

#[tokio::test]
async fn the_owner_of_a_form_can_discard_it() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let (browser, typed) = post_typed_too_late(&site, SECRET).await;
    let refused = browser.submit(&typed).await;
    let log_in = refused.form("/login").set("password", PASSWORD);
    let asked = browser.submit(&log_in.set("login", "bob")).await;
    let discard = asked.form("/login").set("without_form", "1");
    let discard = discard.set("login", "alice").set("password", PASSWORD);
    let answer = browser.submit_accepted(&discard).await;
    assert_eq!(answer.location(), "/");
    let text = browser.open("/").await.visible_text();
    assert!(text.contains("The saved form was discarded"), "{text}");
    assert_eq!(message_at_home(&browser).await, "");
}

#[tokio::test]
async fn the_offer_to_discard_a_form_stays_after_a_wrong_password() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let (browser, typed) = post_typed_too_late(&site, SECRET).await;
    let refused = browser.submit(&typed).await;
    let log_in = refused.form("/login").set("login", "bob");
    let mut page = browser.submit(&log_in.set("password", PASSWORD)).await;
    for password in ["not the one", PASSWORD] {
        let entered = page.form("/login").without("without_form");
        page = browser.submit(&entered.set("password", password)).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(page.has("button[name=\"without_form\"]"), "{}", page.html);
        let text = page.visible_text();
        assert!(text.contains("Only the account that opened"), "{text}");
    }
}

#[tokio::test]
async fn a_typed_owner_does_not_prevent_the_session_of_a_log_in() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    let guesser = Person::visitor(&site);
    let typed = guesser.get("/login").await.form("/login");
    let form = r#"{"form":"new_list","name":"Boats"}"#;
    let typed = typed.set_new("pending_form", form);
    let typed = typed.set_new("form_owner", "999");
    let typed = typed.set("login", "bob").set("password", PASSWORD);
    guesser.submit_accepted(&typed).await;
    assert!(guesser.is_logged_in().await);
    let sessions = bob.open("/settings/sessions").await;
    assert!(sessions.has("form[action=\"/settings/sessions/revoke\"]"));
}

#[tokio::test]
async fn a_log_out_of_another_account_has_expired() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let browser = Person::sign_up(&site, "alice").await;
    let all = "/settings/sessions/revoke-all";
    let sessions = browser.open("/settings/sessions").await;
    let forms = [sessions.form("/logout"), sessions.form(all)];
    browser.log_out().await;
    browser.send_log_in("bob", PASSWORD).await;
    for form in forms {
        let page = browser.submit(&form).await;
        assert_eq!(page.text("h1"), "This form has expired");
        assert!(browser.is_logged_in().await);
    }
}

#[tokio::test]
async fn another_account_does_not_come_to_the_page_of_a_form_without_a_text() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let browser = Person::sign_up(&site, "alice").await;
    let empty = browser.open("/@bob/report").await.form("/@bob/report");
    for (login, page) in [("bob", "/"), ("alice", "/@bob/report")] {
        browser.log_out().await;
        let log_in = browser.submit(&empty).await.form("/login");
        assert!(!has_pending_form(&log_in));
        let log_in = log_in.set("login", login).set("password", PASSWORD);
        let answer = browser.submit_accepted(&log_in).await;
        assert_eq!(answer.location(), page, "{login}");
    }
}

#[tokio::test]
async fn another_account_does_not_come_to_the_page_of_a_button() {
    let site = Site::start().await;
    Person::sign_up(&site, "bob").await;
    let browser = Person::sign_up(&site, "alice").await;
    let follow = browser.open("/@bob").await.form("/@bob/follow");
    for (login, page) in [("bob", "/"), ("alice", "/@bob")] {
        browser.log_out().await;
        let sent = Request::submit(&browser, &follow);
        let referer = format!("{}/@bob", browser.origin());
        let log_in = sent.header("referer", &referer).send().await.form("/login");
        let log_in = log_in.set("login", login).set("password", PASSWORD);
        let answer = browser.submit_accepted(&log_in).await;
        assert_eq!(answer.location(), page, "{login}");
    }
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
