//! Sessions: they begin with a log-in and end with a log-out, and a user sees and ends their own.

use reqwest::StatusCode;

use crate::support::{PASSWORD, Person, Site, request::Request};

#[tokio::test]
async fn logging_out_ends_the_session_on_the_server_too() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let copied = alice.cookies.all();
    assert_eq!(alice.log_out().await.status, StatusCode::SEE_OTHER);
    let thief = Person::visitor(&site);
    thief.cookies.replace(copied);
    assert!(
        !thief.is_logged_in().await,
        "a copied cookie is worth nothing after the log-out"
    );
}

#[tokio::test]
async fn logging_out_leaves_other_browsers_alone() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    desk.log_out().await;
    assert!(phone.is_logged_in().await);
}

#[tokio::test]
async fn one_session_can_be_ended_from_another() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let form = desk
        .open("/settings/sessions")
        .await
        .form("/settings/sessions/revoke");
    desk.submit_accepted(&form).await;
    let still = (desk.is_logged_in().await, phone.is_logged_in().await);
    assert_eq!(still, (true, false), "the form is for the other session");
}

#[tokio::test]
async fn logging_out_everywhere_ends_every_session() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let form = desk
        .open("/settings/sessions")
        .await
        .form("/settings/sessions/revoke-all");
    desk.submit_accepted(&form).await;
    assert!(!phone.is_logged_in().await);
    assert_eq!(
        Person::visitor(&site)
            .send_log_in("alice", PASSWORD)
            .await
            .status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn a_page_that_needs_a_log_in_leads_there_and_back() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let refused = visitor.get("/settings").await;
    assert_eq!(refused.status, StatusCode::SEE_OTHER);
    let form = visitor.open(refused.location()).await.form("/login");
    let answer = visitor
        .submit(&form.set("login", "alice").set("password", PASSWORD))
        .await;
    assert_eq!(answer.location(), "/settings");
}

#[tokio::test]
async fn a_failed_log_in_keeps_the_login_and_the_way_back() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let form = visitor.open("/login?next=%2Fsettings").await.form("/login");
    let failed = visitor
        .submit(&form.set("login", "alice").set("password", "not this one"))
        .await;
    assert_eq!(failed.status, StatusCode::UNPROCESSABLE_ENTITY);
    let form = failed.form("/login");
    assert_eq!((form.value("login"), form.value("password")), ("alice", ""));
    let answer = visitor.submit(&form.set("password", PASSWORD)).await;
    assert_eq!(answer.location(), "/settings");
}

#[tokio::test]
async fn the_oldest_session_ends_when_there_is_one_too_many() {
    let site = Site::with(&["--max-sessions", "2"]).await;
    let first = Person::sign_up(&site, "alice").await;
    let second = Person::log_in(&site, "alice").await;
    let third = Person::log_in(&site, "alice").await;
    let good = (
        first.is_logged_in().await,
        second.is_logged_in().await,
        third.is_logged_in().await,
    );
    assert_eq!(good, (false, true, true));
}

#[tokio::test]
async fn a_post_typed_before_the_session_ended_survives_the_log_in() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let typed = phone
        .open("/")
        .await
        .form("/statuses")
        .set("message", "half an hour of <typing>");
    let form = desk
        .open("/settings/sessions")
        .await
        .form("/settings/sessions/revoke-all");
    desk.submit_accepted(&form).await;
    let refused = phone.submit(&typed).await;
    let log_in = refused
        .form("/login")
        .set("login", "alice")
        .set("password", PASSWORD);
    phone.submit_accepted(&log_in).await;
    assert_eq!(
        phone.open("/").await.form("/statuses").value("message"),
        "half an hour of <typing>"
    );
}

#[tokio::test]
async fn the_profile_can_be_edited() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/settings").await.form("/settings/profile");
    alice
        .submit_accepted(
            &form
                .set("name", "Alice of the Lake")
                .set("bio", "Boats.\nAnd <rain>."),
        )
        .await;
    let profile = Person::visitor(&site).open("/@alice").await;
    assert_eq!(profile.text(".h-card .p-name"), "Alice of the Lake");
    assert!(profile.text(".h-card .p-note").contains("And <rain>."));
}

#[tokio::test]
async fn a_form_of_an_ended_session_leads_back_to_its_page() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    Person::sign_up(&site, "bob").await;
    let phone = Person::log_in(&site, "alice").await;
    let follow = phone.open("/@bob").await.form("/@bob/follow");
    end_all_sessions(&desk).await;
    for (referer, led_to) in [
        (
            format!("{}/@bob/followers?before=7", phone.origin()),
            "/@bob/followers?before=7",
        ),
        ("https://evil.example/@bob".to_owned(), "/"),
    ] {
        let request = Request::submit(&phone, &follow).header("referer", &referer);
        let form = request.send().await.form("/login");
        let answer = phone
            .submit_accepted(&form.set("login", "alice").set("password", PASSWORD))
            .await;
        assert_eq!(answer.location(), led_to);
        phone.log_out().await;
    }
}

#[tokio::test]
async fn a_session_shows_a_familiar_browser_name() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let sessions = alice.open("/settings/sessions").await;
    assert_eq!(
        sessions.texts(".sessions .name > [title]"),
        ["Firefox on Linux"]
    );
    let raw = sessions.attributes(".sessions .name > [title]", "title");
    assert!(raw[0].contains("Gecko/20100101"), "{raw:?}");
}

async fn end_all_sessions(person: &Person) {
    let sessions = person.open("/settings/sessions").await;
    let form = sessions.form("/settings/sessions/revoke-all");
    person.submit_accepted(&form).await;
}

#[tokio::test]
async fn logging_out_twice_is_no_error() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let log_out = alice.open("/").await.form("/logout");
    let everywhere = alice
        .open("/settings/sessions")
        .await
        .form("/settings/sessions/revoke-all");
    for (form, led_to) in [(&log_out, "/"), (&log_out, "/"), (&everywhere, "/login")] {
        assert_eq!(alice.submit_accepted(form).await.location(), led_to);
    }
}

#[tokio::test]
async fn a_confirmation_is_shown_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.open("/").await;
    let form = alice.open("/").await.form("/statuses");
    alice.submit_accepted(&form.set("message", "hello")).await;
    let (next, after) = (alice.open("/").await, alice.open("/").await);
    assert_eq!(next.texts(".flash[data-posted]"), ["Posted."]);
    assert!(!after.has(".flash"));
}

#[tokio::test]
async fn a_log_in_accepts_the_login_as_pages_show_it() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    for typed in ["@alice", " @Alice ", "ALICE"] {
        let visitor = Person::visitor(&site);
        let form = visitor.open("/login").await.form("/login");
        let form = form.set("login", typed).set("password", PASSWORD);
        visitor.submit_accepted(&form).await;
        assert!(visitor.is_logged_in().await, "{typed}");
    }
}

#[tokio::test]
async fn a_log_out_is_no_success_and_a_refused_log_in_has_kept_no_text() {
    let site = Site::with(&["--log-ins-per-quarter", "5"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let bio = alice.open("/settings").await.attributes("#bio", "rows");
    assert_eq!(bio, ["4"]);
    alice.log_out().await;
    assert!(!alice.open("/").await.has(".flash"));
    let visitor = Person::visitor(&site);
    for _ in 0..20 {
        let refused = visitor.send_log_in("alice", "a wrong password").await;
        if refused.status == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(refused.texts(".retained h2"), ["Log in"]);
            return;
        }
    }
    panic!("no log-in was refused");
}

#[tokio::test]
async fn cookies_of_other_sites_on_the_domain_disturb_nobody() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for cookie in [b"x=\xe9".as_slice(), b"x", b"x=%ff", b"redwing2=z; =; ;"] {
        let home = Request::get(&alice, "/").header_of_bytes("cookie", cookie);
        let home = home.send().await;
        assert!(home.has("form[action='/logout']"), "{cookie:?}");
    }
}

#[tokio::test]
async fn a_refused_log_in_says_once_what_is_wrong() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let page = visitor.send_log_in("alice", "a wrong guess").await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = page.visible_text();
    assert_eq!(
        text.matches("Wrong login or password.").count(),
        1,
        "{text}"
    );
    let described = page.attributes("#password[aria-invalid]", "aria-describedby");
    assert_eq!(described, ["password-error"]);
    assert!(page.has(".errors[autofocus] #password-error a[href=\"#password\"]"));
}
