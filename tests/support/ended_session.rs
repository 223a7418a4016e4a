//! Forms that are sent after their session has ended, and the log-in that follows.

use reqwest::StatusCode;

use super::{Form, PASSWORD, Page, Person, Site};

/// Ends the session of the person in another browser.
pub async fn log_out_elsewhere(site: &Site, person: &Person) {
    let desk = Person::log_in(site, &person.login).await;
    let sessions = desk.open("/settings/sessions").await;
    let end = sessions.form("/settings/sessions/revoke-all");
    desk.submit_accepted(&end).await;
}

/// Sends a form after the session has ended, logs in again, and returns the page that follows.
pub async fn send_and_log_in(site: &Site, person: &Person, form: &Form) -> Page {
    log_out_elsewhere(site, person).await;
    let refused = person.submit(form).await;
    log_in_again(person, &refused).await
}

/// Logs in with the form of a page that refused another form, and returns the page that follows.
pub async fn log_in_again(person: &Person, refused: &Page) -> Page {
    log_in_as(person, refused, &person.login).await
}

/// Logs in as an account to which the form of the page does not belong, without the form. Returns the page that follows.
pub async fn log_in_without_form(browser: &Person, refused: &Page, login: &str) -> Page {
    let log_in = refused.form("/login").set("login", login);
    let asked = browser.submit(&log_in.set("password", PASSWORD)).await;
    assert_eq!(asked.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = asked.visible_text();
    assert!(text.contains("belongs to another account"), "{text}");
    assert!(!browser.is_logged_in().await);
    // The form has the button "Log in and discard the form" as a field.
    let without_form = asked.form("/login").set("without_form", "1");
    let without_form = without_form.set("password", PASSWORD);
    let answer = browser.submit_accepted(&without_form).await;
    browser.get(answer.location()).await
}

/// Logs in as the account with this login in the browser of the person, and returns the page that follows.
pub async fn log_in_as(browser: &Person, refused: &Page, login: &str) -> Page {
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let log_in = refused.form("/login");
    let log_in = log_in.set("login", login).set("password", PASSWORD);
    let answer = browser.submit_accepted(&log_in).await;
    browser.get(answer.location()).await
}
