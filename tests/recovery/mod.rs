//! Recovery codes: made in the settings, shown once, and used up by a new password.

mod races;

use reqwest::StatusCode;

use crate::support::{Form, PASSWORD, Page, Person, Site, crowd, environment};

/// The password that people choose after they forgot the first one.
pub const NEW_PASSWORD: &str = "another mountain lake";

/// Makes recovery codes and returns the page that shows them.
async fn codes_page(person: &Person, password: &str) -> Page {
    let form = person.open("/settings/recovery").await;
    let form = form.form("/settings/recovery");
    person.submit(&form.set("current_password", password)).await
}

/// Makes recovery codes.
pub async fn make_codes(person: &Person) -> Vec<String> {
    make_codes_with(person, PASSWORD).await
}

/// Makes recovery codes for a person with this password.
pub async fn make_codes_with(person: &Person, password: &str) -> Vec<String> {
    let page = codes_page(person, password).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.html);
    page.texts(".recovery-codes code")
}

/// Fills in the form that takes a code.
pub async fn recover_form(visitor: &Person, login: &str, code: &str) -> Form {
    let form = visitor.open("/login/recover").await.form("/login/recover");
    let form = form.set("login", login).set("code", code);
    form.set("new_password", NEW_PASSWORD)
}

async fn recover(visitor: &Person, login: &str, code: &str) -> Page {
    visitor
        .submit(&recover_form(visitor, login, code).await)
        .await
}

async fn log_in_status(site: &Site, password: &str) -> StatusCode {
    let visitor = Person::visitor(site);
    visitor.send_log_in("alice", password).await.status
}

#[tokio::test]
async fn sign_up_leads_home_and_offers_recovery_codes() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let home = alice.open("/").await;
    let offered = home.attributes(".flash a", "href");
    assert_eq!(offered, ["/settings/recovery"]);
    assert!(!alice.open("/").await.has(".flash a"), "it is offered once");
}

#[tokio::test]
async fn ten_codes_are_shown_once_and_stored_as_digests() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let before = alice.open("/settings/recovery").await;
    assert!(
        before
            .visible_text()
            .contains("You have no recovery codes yet.")
    );
    let made = codes_page(&alice, PASSWORD).await;
    let stored_nowhere = made.header("cache-control");
    assert!(stored_nowhere.is_some_and(|text| text.contains("no-store")));
    let mut codes = made.texts(".recovery-codes code");
    assert!(codes.iter().all(|code| code.len() == 19), "{codes:?}");
    codes.sort();
    codes.dedup();
    assert_eq!(codes.len(), 10);
    let settings = alice.open("/settings/recovery").await;
    let text = settings.visible_text();
    assert!(text.contains("10 codes are unused."), "{text}");
    let id = crowd::uid(&site.store, "alice").await;
    let key = format!("recovery:{{{id}}}");
    let stored = match environment::variable("REDWING_TEST_CLUSTER") {
        None => site.redis.one_node().ask(&["HGETALL", &key]),
        Some(_) => "made".to_owned(),
    };
    assert!(stored.contains("made"), "{stored}");
    for code in &codes {
        assert!(!settings.html.contains(code.as_str()));
        for text in [code.clone(), code.replace('-', "")] {
            assert!(!stored.contains(&text), "{stored}");
        }
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn codes_need_the_password() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/settings/recovery").await;
    let form = form.form("/settings/recovery");
    let answer = alice.submit(&form.set("current_password", "a guess")).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(!answer.has(".recovery-codes"));
    assert!(
        answer
            .visible_text()
            .contains("You have no recovery codes yet.")
    );
}

#[tokio::test]
async fn a_code_sets_a_new_password_logs_in_and_ends_all_sessions() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let codes = make_codes(&alice).await;
    let visitor = Person::visitor(&site);
    let typed = codes[3].to_lowercase().replace('-', " ");
    let answer = recover(&visitor, "@ALICE", &typed).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
    assert!(visitor.is_logged_in().await);
    assert!(!alice.is_logged_in().await, "the earlier session has ended");
    let (old, new) = (PASSWORD, NEW_PASSWORD);
    assert_eq!(
        [
            log_in_status(&site, old).await,
            log_in_status(&site, new).await
        ],
        [StatusCode::UNPROCESSABLE_ENTITY, StatusCode::SEE_OTHER]
    );
    let settings = visitor.open("/settings/recovery").await.visible_text();
    assert!(settings.contains("9 codes are unused."), "{settings}");
    let again = recover(&Person::visitor(&site), "alice", &codes[3]).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    let other = recover(&Person::visitor(&site), "alice", &codes[4]).await;
    assert_eq!(other.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn new_codes_invalidate_the_old_ones() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let old = make_codes(&alice).await;
    let new = make_codes(&alice).await;
    let visitor = Person::visitor(&site);
    let refused = recover(&visitor, "alice", &old[0]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let accepted = recover(&visitor, "alice", &new[0]).await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn codes_that_an_intruder_made_end_with_a_new_password() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let codes = make_codes(&alice).await;
    let form = alice.open("/settings").await.form("/settings/password");
    let form = form.set("current_password", PASSWORD);
    alice
        .submit_accepted(&form.set("new_password", "a password of her own"))
        .await;
    let changed = alice.open("/settings").await;
    assert_eq!(
        changed.attributes(".flash a", "href"),
        ["/settings/recovery"]
    );
    let settings = alice.open("/settings/recovery").await.visible_text();
    assert!(settings.contains("no recovery codes yet"), "{settings}");
    let refused = recover(&Person::visitor(&site), "alice", &codes[0]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let (old, own) = (PASSWORD, "a password of her own");
    let new = log_in_status(&site, NEW_PASSWORD).await;
    assert_eq!(log_in_status(&site, old).await, new);
    assert_eq!(log_in_status(&site, own).await, StatusCode::SEE_OTHER);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_code_of_one_person_does_not_open_another_account() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    Person::sign_up(&site, "bob").await;
    let codes = make_codes(&alice).await;
    let refused = recover(&Person::visitor(&site), "bob", &codes[0]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let accepted = recover(&Person::visitor(&site), "alice", &codes[0]).await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_refused_password_uses_up_no_code() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let codes = make_codes(&alice).await;
    let visitor = Person::visitor(&site);
    let form = recover_form(&visitor, "alice", &codes[0]).await;
    let answer = visitor
        .submit(&form.clone().set("new_password", "short"))
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        answer.attributes("[aria-invalid=true]", "name"),
        ["new_password"]
    );
    assert_eq!(answer.form("/login/recover").value("login"), "alice");
    visitor.submit_accepted(&form).await;
}

#[tokio::test]
async fn the_log_in_page_leads_to_the_form_and_members_to_their_codes() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let log_in = visitor.open("/login").await;
    let links = log_in.attributes("main a", "href");
    assert!(links.contains(&"/login/recover".to_owned()), "{links:?}");
    let alice = Person::sign_up(&site, "alice").await;
    let answer = alice.get("/login/recover").await;
    assert_eq!(answer.location(), "/settings/recovery");
}
