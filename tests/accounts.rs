//! Signing up: accepted input, refused input, and the page after a refusal.

use reqwest::StatusCode;

use crate::support::{PASSWORD, Page, Person, Site};

/// Sends the sign-up form as a new visitor.
async fn sign_up_as(site: &Site, login: &str, name: &str, password: &str) -> Page {
    let visitor = Person::visitor(site);
    let form = visitor.open("/signup").await.form("/signup");
    visitor
        .submit(
            &form
                .set("login", login)
                .set("name", name)
                .set("password", password),
        )
        .await
}

/// Returns the error message of a field. Finds it through the attributes of the field, as a screen
/// reader does.
fn error_of(page: &Page, field: &str) -> String {
    let described_by = page.attributes(&format!("[name={field}]"), "aria-describedby");
    let ids = described_by
        .first()
        .unwrap_or_else(|| panic!("{field} names its error:\n{}", page.html));
    ids.split_whitespace()
        .map(|id| page.text(&format!("#{id}")))
        .collect::<Vec<_>>()
        .join(" ")
}

#[tokio::test]
async fn signing_up_logs_in_and_leads_home() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let home = alice.open("/").await;
    assert!(
        home.has("form[action=\"/statuses\"]"),
        "the home page has the form to post"
    );
    assert!(
        home.has("a[href=\"/@alice\"]"),
        "and leads to one's own profile"
    );
}

#[tokio::test]
async fn a_login_is_shown_as_it_was_typed() {
    let site = Site::start().await;
    let visitor = Person::sign_up(&site, "Alice_1").await;
    assert!(
        visitor
            .open("/@alice_1")
            .await
            .text(".h-card .p-nickname")
            .contains("Alice_1")
    );
}

#[tokio::test]
async fn a_login_that_exists_in_another_case_is_taken() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let answer = sign_up_as(&site, "ALICE", "Another", PASSWORD).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(!error_of(&answer, "login").is_empty());
}

#[tokio::test]
async fn a_taken_login_is_reported_together_with_other_errors() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let answer = sign_up_as(&site, "alice", "Another", "short").await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(error_of(&answer, "login").contains("is taken"));
    assert!(!error_of(&answer, "password").is_empty());
}

#[tokio::test]
async fn a_failed_sign_up_leaves_its_login_free() {
    let site = Site::start().await;
    assert_eq!(
        sign_up_as(&site, "alice", "", PASSWORD).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    Person::sign_up(&site, "alice").await;
}

#[tokio::test]
async fn a_refused_sign_up_returns_all_fields_except_the_password() {
    let site = Site::start().await;
    let answer = sign_up_as(&site, "not a login!", "Ada <Lovelace> & \"co\"", PASSWORD).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let form = answer.form("/signup");
    assert_eq!(form.value("login"), "not a login!");
    assert_eq!(form.value("name"), "Ada <Lovelace> & \"co\"");
    assert_eq!(form.value("password"), "");
    assert!(!answer.html.contains("mountain-lake"));
}

#[tokio::test]
async fn each_invalid_field_has_its_own_error_tied_to_it() {
    let site = Site::start().await;
    let long_name = "n".repeat(51);
    let cases = [
        ("login", "", "Ada", PASSWORD),
        ("login", "a-b", "Ada", PASSWORD),
        ("login", "ünicode", "Ada", PASSWORD),
        ("login", "abcdefghijklmnopqrstuvwxyz_12345", "Ada", PASSWORD),
        ("login", "signup", "Ada", PASSWORD),
        ("login", "SETTINGS", "Ada", PASSWORD),
        ("name", "ada", "   ", PASSWORD),
        ("name", "ada", &long_name, PASSWORD),
        ("name", "ada", "A\u{202e}da", PASSWORD),
        ("name", "ada", "A\u{7}da", PASSWORD),
        ("password", "ada", "Ada", "short"),
        ("password", "ada", "Ada", "password"),
        ("password", "ada", "Ada", "12345678"),
    ];
    for (field, login, name, password) in cases {
        let answer = sign_up_as(&site, login, name, password).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{field}: {login:?} {name:?} {password:?}"
        );
        assert_eq!(
            answer.attributes("[aria-invalid=true]", "name"),
            [field],
            "{login:?} {name:?} {password:?}"
        );
        assert!(
            !error_of(&answer, field).is_empty(),
            "{field}: {login:?} {name:?} {password:?}"
        );
    }
}

#[tokio::test]
async fn the_longest_login_name_and_password_are_accepted() {
    let site = Site::start().await;
    let flags = "🇨🇭".repeat(50);
    let answer = sign_up_as(&site, &"a".repeat(30), &flags, &"ü".repeat(128)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
}

#[tokio::test]
async fn a_password_counts_in_characters_not_in_bytes() {
    let site = Site::start().await;
    let answer = sign_up_as(&site, "ada", "Ada", "üüüüüüü").await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "seven characters are one too few"
    );
}

#[tokio::test]
async fn a_log_in_works_with_any_case_of_the_login() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let answer = Person::visitor(&site).send_log_in("aLICE", PASSWORD).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_changed_password_replaces_the_old_one() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/settings").await.form("/settings/password");
    alice
        .submit_accepted(
            &form
                .set("current_password", PASSWORD)
                .set("new_password", "another mountain lake"),
        )
        .await;
    let old = Person::visitor(&site).send_log_in("alice", PASSWORD).await;
    let new = Person::visitor(&site)
        .send_log_in("alice", "another mountain lake")
        .await;
    assert_eq!(
        (old.status, new.status),
        (StatusCode::UNPROCESSABLE_ENTITY, StatusCode::SEE_OTHER)
    );
}

#[tokio::test]
async fn a_password_change_requires_the_current_password() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/settings").await.form("/settings/password");
    let answer = alice
        .submit(
            &form
                .set("current_password", "wrong guess")
                .set("new_password", "another mountain lake"),
        )
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        Person::visitor(&site)
            .send_log_in("alice", PASSWORD)
            .await
            .status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn the_settings_begin_with_links_to_their_sections() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let page = alice.open("/settings").await;
    let links = page.texts(".contents a");
    assert!(links.len() > 10, "{links:?}");
    assert_eq!(links, page.texts("main h2"));
    for target in page.attributes(".contents a", "href") {
        assert!(page.has(&format!("h2{target}")), "{target}");
    }
}
