//! The page of the form to post, and the way back from it.

use reqwest::StatusCode;

use crate::support::{Form, PASSWORD, Person, Site, request::Request};

/// Follows the link "Compose" on a page, and returns the form.
async fn compose_on(person: &Person, page: &str) -> Form {
    let shown = person.open(page).await;
    let link = shown.attributes(".compose-link", "href");
    assert_eq!(link, ["/compose#message"], "{page}");
    let from = format!("{}{page}", person.origin());
    let request = Request::get(person, "/compose").header("referer", &from);
    request.send().await.form("/statuses")
}

#[tokio::test]
async fn a_post_leads_back_to_the_page_on_which_compose_was_pressed() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for page in ["/notifications", "/search?q=birds", "/@alice", "/"] {
        let form = compose_on(&alice, page).await;
        let answer = alice.submit_accepted(&form.set("message", page)).await;
        assert_eq!(answer.location(), page);
        let shown = alice.open(page).await;
        assert_eq!(shown.text(".flash"), "Posted.", "{page}");
    }
    let profile = alice.open("/@alice").await;
    assert_eq!(profile.messages().len(), 4);
}

#[tokio::test]
async fn each_timeline_has_the_form_and_a_post_leads_back_to_it_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for (page, audience) in [
        ("/", "members"),
        ("/important", "followers"),
        ("/everybody", "public"),
    ] {
        let shown = alice.open(page).await;
        assert_eq!(shown.count("[data-compose]"), 1, "{page}");
        let form = shown.form("/statuses").set("message", page);
        let form = form.set("visibility", audience);
        for _ in 0..2 {
            let answer = alice.submit_accepted(&form).await;
            assert_eq!(answer.location(), page);
        }
        let shown = alice.open(page).await;
        assert_eq!(shown.text(".flash"), "Posted.", "{page}");
        let offered = shown.form("/statuses");
        assert_eq!(offered.value("visibility"), audience, "{page}");
    }
    site.drain().await;
    let profile = alice.open("/@alice").await;
    assert_eq!(profile.messages(), ["/everybody", "/important", "/"]);
}

#[tokio::test]
async fn visitors_and_older_pages_of_timelines_have_no_form() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("the only one").await;
    site.drain().await;
    let visitor = Person::visitor(&site).open("/everybody").await;
    assert!(visitor.status_ids() == [id] && !visitor.has("[data-compose]"));
    for path in [
        format!("/everybody?before={id}"),
        "/important?at=1767225600000&after=99999.5".to_owned(),
    ] {
        assert!(!alice.open(&path).await.has("[data-compose]"), "{path}");
    }
}

#[tokio::test]
async fn a_post_that_a_timeline_refuses_keeps_its_way_back() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/important").await.form("/statuses");
    let refused = alice.submit(&form.set("message", &"x".repeat(501))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let again = refused.form("/statuses").set("message", "short");
    let answer = alice.submit_accepted(&again).await;
    assert_eq!(answer.location(), "/important");
}

#[tokio::test]
async fn the_form_keeps_its_way_back_when_it_is_shown_again() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = compose_on(&alice, "/settings").await;
    let preview = form.clone().set("message", "a text");
    let shown = alice.submit(&preview.set_new("extras", "preview")).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert_eq!(shown.text("h1"), "New post");
    assert_eq!(shown.form("/statuses").value("next"), "/settings");
    let refused = alice.submit(&form.set("message", &"x".repeat(501))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("#message[aria-invalid]") && refused.text("title").starts_with("Error: "));
    let again = refused.form("/statuses").set("message", "a text");
    let answer = alice.submit_accepted(&again).await;
    assert_eq!(answer.location(), "/settings");
}

#[tokio::test]
async fn another_site_is_no_way_back() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let request = Request::get(&alice, "/compose").header("referer", "https://evil.example/x");
    let form = request.send().await.form("/statuses");
    assert!(form.fields.iter().all(|(name, _)| name != "next"));
    let answer = alice.submit_accepted(&form.set("message", "a text")).await;
    assert_eq!(answer.location(), "/");
}

#[tokio::test]
async fn a_visitor_logs_in_before_the_form_and_lands_on_home_after_the_post() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let answer = visitor.get("/compose").await;
    assert_eq!(answer.location(), "/login?next=%2Fcompose");
    let form = visitor.get(answer.location()).await.form("/login");
    let form = form.set("login", "alice").set("password", PASSWORD);
    let logged_in = visitor.submit_accepted(&form).await;
    assert_eq!(logged_in.location(), "/compose");
    for page in [answer.location(), "/login", "/login/recover", "/compose"] {
        let from = format!("{}{page}", visitor.origin());
        let request = Request::get(&visitor, "/compose").header("referer", &from);
        let form = request.send().await.form("/statuses");
        let posted = visitor.submit_accepted(&form.set("message", page)).await;
        assert_eq!(posted.location(), "/", "{page}");
    }
}

#[tokio::test]
async fn the_way_back_stays_if_the_session_ends_before_the_post_is_sent() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = compose_on(&alice, "/settings").await;
    alice.log_out().await;
    let refused = alice.submit(&form.set("message", "a text")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let log_in = refused.form("/login").set("login", "alice");
    let logged_in = alice
        .submit_accepted(&log_in.set("password", PASSWORD))
        .await;
    let again = alice.open(logged_in.location()).await.form("/statuses");
    assert_eq!(again.value("message"), "a text");
    let posted = alice.submit_accepted(&again).await;
    assert_eq!(posted.location(), "/settings");
}

#[tokio::test]
async fn the_way_back_stays_if_a_visitor_logs_in_before_the_form() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let from = format!("{}/@alice?before=9", visitor.origin());
    let request = Request::get(&visitor, "/compose").header("referer", &from);
    let answer = request.send().await;
    let form = visitor.get(answer.location()).await.form("/login");
    let form = form.set("login", "alice").set("password", PASSWORD);
    let logged_in = visitor.submit_accepted(&form).await;
    let form = visitor.open(logged_in.location()).await.form("/statuses");
    let posted = visitor
        .submit_accepted(&form.set("message", "a text"))
        .await;
    assert_eq!(posted.location(), "/@alice?before=9");
}
