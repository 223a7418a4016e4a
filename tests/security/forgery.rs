//! Forged forms: every form, log-in and sign-up included, is refused by the browser's statement
//! about its sender and by its token.

use reqwest::StatusCode;

use crate::support::{Form, PASSWORD, Page, Person, Site, crowd, request::Request};

/// Returns every kind of form that a logged-in user can send, with valid values.
async fn forms_of_a_member(site: &Site, alice: &Person) -> Vec<Form> {
    crowd::member(&site.store, "bob").await;
    crowd::member(&site.store, "carol").await;
    alice.follow("carol").await;
    let id = alice.post("hers").await;
    let home = alice.open("/").await;
    let settings = alice.open("/settings").await;
    let _other_browser = Person::log_in(site, &alice.login).await;
    vec![
        home.form("/statuses").set("message", "forged"),
        home.form("/logout"),
        alice.open("/@bob").await.form("/@bob/follow"),
        alice.open("/@carol").await.form("/@carol/unfollow"),
        alice.delete_form(id).await,
        settings.form("/settings/profile").set("name", "Forged"),
        settings
            .form("/settings/password")
            .set("current_password", PASSWORD)
            .set("new_password", "a forged password"),
        alice
            .open("/settings/sessions")
            .await
            .form("/settings/sessions/revoke"),
        alice
            .open("/settings/sessions")
            .await
            .form("/settings/sessions/revoke-all"),
    ]
}

/// Returns the forms of a visitor, with valid values.
async fn forms_of_a_visitor(visitor: &Person) -> Vec<Form> {
    let (sign_up, log_in) = (visitor.open("/signup").await, visitor.open("/login").await);
    vec![
        sign_up
            .form("/signup")
            .set("login", "forged")
            .set("name", "Forged")
            .set("password", PASSWORD),
        log_in
            .form("/login")
            .set("login", "alice")
            .set("password", PASSWORD),
    ]
}

fn assert_refused(page: &Page) {
    assert_eq!(page.status, StatusCode::FORBIDDEN, "{}", page.path);
    assert!(
        page.has("main form, main a[href]"),
        "{} has an instruction:\n{}",
        page.path,
        page.html
    );
}

#[tokio::test]
async fn a_form_sent_from_another_site_is_refused() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    for (person, forms) in [
        (&alice, forms_of_a_member(&site, &alice).await),
        (&visitor, forms_of_a_visitor(&visitor).await),
    ] {
        for form in forms {
            for from in ["cross-site", "same-site"] {
                assert_refused(
                    &Request::submit(person, &form)
                        .header("sec-fetch-site", from)
                        .send()
                        .await,
                );
            }
            let request = Request::submit(person, &form).without("sec-fetch-site");
            assert_refused(
                &request
                    .header("origin", "https://evil.example")
                    .send()
                    .await,
            );
            let request = Request::submit(person, &form).without("sec-fetch-site");
            assert_refused(&request.header("origin", "null").send().await);
        }
    }
    assert!(alice.is_logged_in().await, "none of it was applied");
    assert!(!visitor.is_logged_in().await);
}

/// Browsers do not send Lax cookies with a form of another site, so every sender looks like a
/// visitor.
#[tokio::test]
async fn a_form_sent_from_another_site_plants_neither_text_nor_cookie() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut forms = forms_of_a_member(&site, &alice).await;
    let stranger = Person::visitor(&site);
    forms.extend(forms_of_a_visitor(&stranger).await);
    for form in forms {
        let bare = Person::visitor(&site);
        let request = Request::submit(&bare, &form);
        let page = request.header("sec-fetch-site", "cross-site").send().await;
        assert_refused(&page);
        assert!(
            !page.html.to_lowercase().contains("forged"),
            "{}",
            page.html
        );
        assert!(!page.has("main form"), "{}", page.html);
        assert_eq!(page.header("set-cookie"), None, "{}", page.path);
    }
}

#[tokio::test]
async fn a_form_without_its_token_or_with_another_is_refused() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let stranger = Person::visitor(&site);
    let strange = stranger
        .open("/login")
        .await
        .form("/login")
        .value("csrf_token")
        .to_owned();
    for (person, forms) in [
        (&alice, forms_of_a_member(&site, &alice).await),
        (&visitor, forms_of_a_visitor(&visitor).await),
    ] {
        for form in forms {
            let own = form.value("csrf_token").to_owned();
            for token in ["", "x", &strange, &own[..own.len() - 1]] {
                assert_refused(&person.submit(&form.clone().set("csrf_token", token)).await);
            }
            let missing = person.submit(&form.clone().without("csrf_token")).await;
            assert_refused(&missing);
        }
    }
    assert!(alice.is_logged_in().await, "none of it was applied");
    assert!(!visitor.is_logged_in().await);
}

#[tokio::test]
async fn a_token_of_one_account_does_not_open_the_forms_of_another() {
    let site = Site::start().await;
    let (alice, mallory) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "mallory").await,
    );
    let token = mallory
        .open("/")
        .await
        .form("/statuses")
        .value("csrf_token")
        .to_owned();
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "forged")
        .set("csrf_token", &token);
    assert_refused(&alice.submit(&form).await);
    assert!(alice.home_ids().await.is_empty());
}

#[tokio::test]
async fn a_token_from_before_the_log_in_does_not_hold_after_it() {
    let site = Site::start().await;
    let alice = Person::visitor(&site);
    let before = alice
        .open("/login")
        .await
        .form("/login")
        .value("csrf_token")
        .to_owned();
    alice.send_sign_up("alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "forged")
        .set("csrf_token", &before);
    assert_refused(&alice.submit(&form).await);
}

#[tokio::test]
async fn a_forged_post_keeps_the_text_in_a_form_that_works() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "typed with care")
        .set("csrf_token", "stale");
    let refused = alice.submit(&form).await;
    assert_refused(&refused);
    let again = refused.form("/statuses");
    assert_eq!(again.value("message"), "typed with care");
    alice.submit_accepted(&again).await;
    assert_eq!(alice.open("/").await.messages(), ["typed with care"]);
}

#[tokio::test]
async fn an_old_browser_without_sender_headers_passes_by_its_token() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "from an old browser");
    let answer = Request::submit(&alice, &form)
        .without("sec-fetch-site")
        .without("origin")
        .send()
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn every_form_that_is_posted_carries_a_token() {
    let tour = crate::support::tour::Tour::start().await;
    let mut seen = 0;
    for page in tour.every_page().await {
        let forms = page.count("form[method=post]");
        assert_eq!(
            page.count("form[method=post] input[type=hidden][name=csrf_token][value]"),
            forms,
            "{}",
            page.path
        );
        seen += forms;
    }
    assert!(seen > 30, "{seen}");
}

#[tokio::test]
async fn a_get_changes_nothing() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    crowd::member(&site.store, "bob").await;
    let id = alice.post("stays").await;
    for path in [
        "/logout",
        "/statuses?message=x",
        "/@bob/follow",
        &format!("/statuses/{id}/favourite"),
        &format!("/statuses/{id}/delete?confirm=1"),
    ] {
        alice.get(path).await;
    }
    assert_eq!(alice.home_ids().await, [id]);
    assert!(
        alice
            .open("/@bob")
            .await
            .has("form[action=\"/@bob/follow\"]")
    );
}
