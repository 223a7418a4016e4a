//! Typed text is preserved until it was acted upon: through an ended session, a failed log-in and a
//! site that answers too late.

mod lists;
mod memory;
mod messages;
mod owners;

use reqwest::{Method, StatusCode};

use crate::support::{
    Form, PASSWORD, Person, Site, crowd, pool::Redis, redis::RedisServer, request::Request,
};

/// Fills in a form and then ends its session in another browser.
async fn typed_too_late(site: &Site, fill: impl AsyncFn(&Person) -> Form) -> (Person, Form) {
    let desk = Person::sign_up(site, "alice").await;
    let phone = Person::log_in(site, "alice").await;
    let typed = fill(&phone).await;
    let sessions = desk.open("/settings/sessions").await;
    desk.submit_accepted(&sessions.form("/settings/sessions/revoke-all"))
        .await;
    (phone, typed)
}

async fn post_typed_too_late(site: &Site, message: &str) -> (Person, Form) {
    typed_too_late(site, async |person| {
        let home = person.open("/").await;
        home.form("/statuses").set("message", message)
    })
    .await
}

fn filled(log_in: &Form) -> Form {
    log_in
        .clone()
        .set("login", "alice")
        .set("password", PASSWORD)
}

async fn message_at_home(person: &Person) -> String {
    let home = person.open("/").await;
    home.form("/statuses").value("message").to_owned()
}

/// Makes Redis refuse to write sessions, but nothing else, until the returned function is called.
fn deny_new_sessions(site: &Site) -> impl Fn() {
    let grant = |rule: &str| site.redis.command(&["ACL", "SETUSER", "default", rule]);
    grant("resetkeys");
    grant("%R~*");
    for truth in [
        "login", "user", "auth", "rate", "tasks", "active", "home", "people",
    ] {
        grant(&format!("~{truth}:*"));
    }
    move || grant("allkeys")
}

#[tokio::test]
async fn a_preserved_draft_is_the_whole_thread() {
    let site = Site::start().await;
    let long = "字".repeat(500);
    let (alice, typed) = typed_too_late(&site, async |person| {
        let mut form = person
            .open("/")
            .await
            .form("/statuses")
            .set("message", &long);
        for number in 2..=10 {
            let page = person.submit(&form.set_new("extras", "thread")).await;
            form = page.form("/statuses").set(&format!("post_{number}"), &long);
        }
        form
    })
    .await;
    let log_in = filled(&alice.submit(&typed).await.form("/login"));
    alice.submit_accepted(&log_in).await;
    let home = alice.open("/").await.form("/statuses");
    for name in ["message", "post_2", "post_10"] {
        assert_eq!(home.value(name), long, "{name}");
    }
}

#[tokio::test]
async fn a_preserved_draft_waits_until_it_is_posted() {
    let site = Site::start().await;
    let (alice, typed) = post_typed_too_late(&site, "a long letter").await;
    let log_in = filled(&alice.submit(&typed).await.form("/login"));
    alice.submit_accepted(&log_in).await;
    alice.get("/?before=9007199254740991").await;
    Request::new(&alice, Method::HEAD, "/").send().await;
    for _ in 0..2 {
        assert_eq!(message_at_home(&alice).await, "a long letter");
    }
    let form = alice.open("/").await.form("/statuses");
    alice.submit_accepted(&form).await;
    assert_eq!(message_at_home(&alice).await, "", "it is posted");
    assert_eq!(alice.open("/").await.messages(), ["a long letter"]);
}

#[tokio::test]
async fn a_profile_typed_before_the_session_ended_survives_the_log_in() {
    let site = Site::start().await;
    let (alice, typed) = typed_too_late(&site, async |person| {
        let settings = person.open("/settings").await;
        let form = settings.form("/settings/profile");
        form.set("name", "Alice L.")
            .set("bio", "Boats.\nAnd <rain>.")
    })
    .await;
    let refused = alice.submit(&typed).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let answer = alice
        .submit_accepted(&filled(&refused.form("/login")))
        .await;
    assert_eq!(answer.location(), "/settings");
    let again = alice.open("/settings").await.form("/settings/profile");
    assert_eq!(again.value("name"), "Alice L.");
    assert_eq!(again.value("bio").replace('\r', ""), "Boats.\nAnd <rain>.");
    alice.submit_accepted(&again).await;
    assert_eq!(
        alice.open("/@alice").await.text(".h-card .p-name"),
        "Alice L."
    );
    let other = alice.open("/settings").await.form("/settings/profile");
    alice
        .submit_accepted(&other.set("name", "Alice once more"))
        .await;
    let now = alice.open("/settings").await.form("/settings/profile");
    assert_eq!(now.value("name"), "Alice once more", "no draft is left");
}

#[tokio::test]
async fn the_page_about_a_suspension_does_not_say_that_a_form_is_back() {
    let site = Site::start().await;
    let (alice, typed) = typed_too_late(&site, async |person| {
        let settings = person.open("/settings").await;
        settings.form("/settings/profile").set("bio", "A sailor")
    })
    .await;
    let refused = alice.submit(&typed).await;
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::set_suspended(&site.store, uid, true).await;
    alice
        .submit_accepted(&filled(&refused.form("/login")))
        .await;
    let text = alice.open("/settings").await.visible_text();
    assert!(text.contains("suspended"), "{text}");
    assert!(!text.contains("Your form is back"), "{text}");
}

#[tokio::test]
async fn a_log_in_without_a_stored_session_returns_the_draft() {
    let site = Site::start().await;
    let (alice, typed) = post_typed_too_late(&site, "an hour's work").await;
    let log_in = filled(&alice.submit(&typed).await.form("/login"));
    let allow = deny_new_sessions(&site);
    let answer = alice.submit(&log_in).await;
    allow();
    assert!(answer.status.is_server_error(), "{}", answer.status);
    let again = answer.form("/login");
    assert_eq!(
        (again.value("login"), again.pending_message().as_str()),
        ("alice", "an hour's work")
    );
    alice
        .submit_accepted(&again.set("password", PASSWORD))
        .await;
    assert_eq!(message_at_home(&alice).await, "an hour's work");
}

#[tokio::test]
async fn a_sign_up_without_a_stored_session_is_completed_by_sending_it_again() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let form = visitor.open("/signup").await.form("/signup");
    let form = form
        .set("login", "alice")
        .set("name", "Alice")
        .set("password", PASSWORD);
    let allow = deny_new_sessions(&site);
    let answer = visitor.submit(&form).await;
    allow();
    assert!(answer.status.is_server_error(), "{}", answer.status);
    let again = answer.form("/signup");
    assert_eq!(again.value("name"), "Alice");
    visitor
        .submit_accepted(&again.set("password", PASSWORD))
        .await;
    assert!(visitor.is_logged_in().await);
}

#[tokio::test]
async fn a_log_in_that_takes_too_long_comes_back_with_the_draft() {
    let site = Site::with(&[
        "--request-ms",
        "1500",
        "--write-deadline-ms",
        "200",
        "--redis-response-ms",
        "10000",
    ])
    .await;
    let (alice, typed) = post_typed_too_late(&site, "an hour's work").await;
    let log_in = filled(&alice.submit(&typed).await.form("/login"));
    let without_session = alice.cookies.all().into_iter();
    let without_session = without_session.filter(|(name, _)| !name.ends_with("redwing"));
    alice.cookies.replace(without_session.collect());
    site.redis.pause();
    let answer = alice.submit(&log_in).await;
    site.redis.resume();
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.form("/login").pending_message(), "an hour's work");
}

#[tokio::test]
async fn a_logged_in_user_sees_the_navigation_of_members_while_redis_is_away() {
    let mut site = Site::with(&[
        "--redis-connect-ms",
        "1000",
        "--redis-response-ms",
        "1500",
        "--write-deadline-ms",
        "2000",
    ])
    .await;
    let alice = Person::sign_up(&site, "alice").await;
    let tabs = alice.open("/settings").await.texts(".tabs a > span");
    site.redis.kill();
    let page = alice.get("/settings").await;
    assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!page.has("header a[href=\"/login\"]"), "{}", page.html);
    assert_eq!(page.texts(".tabs a > span"), tabs);
    assert!(page.has(".tabs a[href=\"/profile\"]"), "{}", page.html);
    // The button says it.
    assert!(page.has("main a.button[href=\"/settings\"]"));
    assert!(!page.visible_text().contains("Try again in"));
}

#[tokio::test]
async fn an_ended_session_gets_one_instruction() {
    let site = Site::start().await;
    let (alice, typed) = post_typed_too_late(&site, "half a page").await;
    let follow = Form {
        action: "/@alice/follow".to_owned(),
        ..typed.clone()
    };
    for (form, heading) in [(typed, "Your text is still here"), (follow, "Log in")] {
        let page = alice.submit(&form).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        let text = page.visible_text();
        assert!(text.contains("been logged out"), "{text}");
        for other in ["stale", "reload the page", "allow cookies"] {
            assert!(!text.contains(other), "{other} in:\n{text}");
        }
        assert_eq!(page.text("#retained-title"), heading);
    }
}

#[tokio::test]
async fn a_draft_with_a_warning_and_a_poll_survives_the_log_in_whole() {
    let site = Site::start().await;
    let (alice, typed) = typed_too_late(&site, async |person| {
        let form = person.open("/").await.form("/statuses");
        let mut form = form
            .set("message", "Which one?")
            .set("warning", "About breakfast")
            .set("option_1", "Tea")
            .set("option_3", "Coffee")
            .set("hours", "72");
        form.fields.push(("several".into(), "1".into()));
        form
    })
    .await;
    let refused = alice.submit(&typed).await;
    let shown = refused.texts("blockquote");
    assert_eq!(shown, ["About breakfast", "Which one?", "Tea", "Coffee"]);
    alice
        .submit_accepted(&filled(&refused.form("/login")))
        .await;
    let again = alice.open("/").await.form("/statuses");
    for (name, text) in &typed.fields {
        if !["idempotency_key", "csrf_token"].contains(&name.as_str()) {
            assert_eq!(again.value(name), text, "{name}");
        }
    }
    alice.submit_accepted(&again).await;
    let page = alice.open("/").await;
    assert_eq!(page.texts(".warned > summary"), ["About breakfast"]);
    assert!(page.text(".poll").contains("3 days left"));
    let form = page.form("/statuses");
    assert_eq!(
        (form.value("warning"), form.value("option_1")),
        ("", ""),
        "it is posted"
    );
}

#[tokio::test]
async fn an_edit_survives_the_log_in() {
    let site = Site::start().await;
    let (alice, typed) = typed_too_late(&site, async |person| {
        let id = person.post("Helo").await;
        let path = format!("/statuses/{id}/edit");
        let form = person.open(&path).await.form(&path);
        form.set("message", "Hello").set("warning", "Careful")
    })
    .await;
    let refused = alice.submit(&typed).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let answer = alice
        .submit_accepted(&filled(&refused.form("/login")))
        .await;
    assert_eq!(answer.location(), typed.action);
    let again = alice.open(&typed.action).await.form(&typed.action);
    assert_eq!(
        (again.value("message"), again.value("warning")),
        ("Hello", "Careful")
    );
    alice.submit_accepted(&again).await;
    assert_eq!(alice.open("/").await.messages(), ["Hello"]);
    let other = alice.open(&typed.action).await.form(&typed.action);
    assert_eq!(other.value("message"), "Hello", "no draft is left");
}

/// Redis refuses every write that grows, and the post itself is refused too.
#[tokio::test]
async fn a_draft_survives_the_log_in_without_memory_left() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let (alice, typed) = post_typed_too_late(&site, "a long letter").await;
    site.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    let log_in = filled(&alice.submit(&typed).await.form("/login"));
    alice.submit_accepted(&log_in).await;
    assert_eq!(message_at_home(&alice).await, "a long letter");
    let form = alice.open("/").await.form("/statuses");
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.form("/statuses").value("message"), "a long letter");
    assert_eq!(message_at_home(&alice).await, "a long letter");
    site.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
    alice.submit_accepted(&form).await;
    assert_eq!(alice.open("/@alice").await.messages(), ["a long letter"]);
}

#[tokio::test]
async fn a_text_larger_than_any_post_is_not_stored_with_the_session() {
    let site = Site::start().await;
    let (phone, form) = post_typed_too_late(&site, "still here").await;
    let log_in = filled(&phone.submit(&form).await.form("/login"));
    let typed = log_in.value("pending_form").to_owned();
    for (padding, stored) in [(8_000, true), (30_000, false)] {
        let text = format!("still here{}", " ".repeat(padding));
        let padded = log_in
            .clone()
            .set("pending_form", &typed.replace("still here", &text));
        let browser = Person::visitor(&site);
        browser
            .submit_accepted(&with_token_of(&browser, padded).await)
            .await;
        let message = message_at_home(&browser).await;
        assert_eq!(message.starts_with("still here"), stored, "{padding}");
    }
}

/// Returns a typed log-in form with the token of this browser.
async fn with_token_of(browser: &Person, typed: Form) -> Form {
    let form = browser.open("/login").await.form("/login");
    typed.set("csrf_token", form.value("csrf_token"))
}
