//! User text stays text wherever it is shown, and a return path stays on the site.

use reqwest::StatusCode;

use crate::support::{
    PASSWORD, Page, Person, Site,
    page::selector,
    request::Request,
    tour::{HOSTILE, HOSTILE_NAME, Tour},
};

/// Checks that no element or attribute comes from the text.
fn assert_inert(page: &Page) {
    let document = page.document();
    for element in document.select(&selector("*")) {
        let name = element.value().name();
        assert!(
            !matches!(name, "img" | "b") || element.attr("onerror").is_none(),
            "{name} on {}",
            page.path
        );
        for (attribute, value) in element.value().attrs() {
            assert!(
                !attribute.starts_with("on"),
                "{attribute}={value} on {}",
                page.path
            );
            let is_address = matches!(attribute, "href" | "src" | "action" | "formaction");
            let allowed = ["/", "#", "http://", "https://", "?"]
                .iter()
                .any(|start| value.starts_with(start));
            assert!(
                !is_address || allowed,
                "{attribute}={value} on {}",
                page.path
            );
        }
    }
    for script in document.select(&selector("script")) {
        assert!(
            script.text().all(|text| text.trim().is_empty()),
            "a script on {}",
            page.path
        );
    }
}

#[tokio::test]
async fn hostile_text_is_shown_as_text_in_every_place() {
    let tour = Tour::start().await;
    for page in tour.every_page().await {
        assert_inert(&page);
    }
}

#[tokio::test]
async fn hostile_text_is_shown_as_it_was_typed() {
    let tour = Tour::start().await;
    let profile = tour.visitor.open("/@alice").await;
    assert_eq!(profile.text("main .h-card .p-name"), HOSTILE_NAME);
    let corrected = format!("{HOSTILE} #birds, once more");
    let expected = [&corrected, HOSTILE, HOSTILE, HOSTILE];
    assert_eq!(profile.messages(), expected, "poll, post, repost, comment");
}

#[tokio::test]
async fn hostile_text_is_returned_as_it_was_typed() {
    let tour = Tour::start().await;
    let form = tour.visitor.open("/signup").await.form("/signup");
    let filled = form
        .set("login", HOSTILE)
        .set("name", HOSTILE)
        .set("password", PASSWORD);
    let again = tour.visitor.submit(&filled).await.form("/signup");
    assert_eq!(
        (again.value("login"), again.value("name")),
        (HOSTILE, HOSTILE)
    );
}

#[tokio::test]
async fn a_hostile_browsers_name_is_text_in_the_list_of_sessions() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let other = Person::visitor(&site);
    let form = other
        .open("/login")
        .await
        .form("/login")
        .set("login", "alice")
        .set("password", PASSWORD);
    Request::submit(&other, &form)
        .header("user-agent", HOSTILE)
        .send()
        .await;
    let page = alice.open("/settings/sessions").await;
    assert!(
        page.visible_text().contains("<script>alert(1)"),
        "it is listed"
    );
    assert_inert(&page);
}

#[tokio::test]
async fn a_hostile_draft_is_text_on_its_way_through_the_log_in() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", HOSTILE);
    alice.log_out().await;
    let refused = alice.submit(&form).await;
    assert!(
        refused.html.contains("&lt;script") || refused.html.contains("&#60;script"),
        "the draft is there"
    );
    assert_inert(&refused);
}

#[tokio::test]
async fn a_logged_in_user_is_not_redirected_to_another_site() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for next in ["//evil.example", "/%5Cevil.example", "https://evil.example"] {
        assert_eq!(
            alice.get(&format!("/login?next={next}")).await.location(),
            "/",
            "{next}"
        );
    }
}

#[tokio::test]
async fn a_path_that_is_shown_back_is_text_too() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    for path in [
        "/%3Cscript%3Ealert(1)%3C/script%3E",
        "/login?next=/%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "/?before=%3Cscript%3Ealert(1)%3C/script%3E",
        "/@%3Cscript%3E",
    ] {
        assert_inert(&visitor.get(path).await);
    }
}

#[tokio::test]
async fn a_log_in_never_leads_to_another_site() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let elsewhere = [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "http:evil.example",
        "@evil.example",
        "/x\r\nLocation: https://evil.example",
    ];
    for next in elsewhere {
        let visitor = Person::visitor(&site);
        let query =
            serde_urlencoded::to_string([("next", next)]).expect("pairs of text always encode");
        let mut form = visitor.get(&format!("/login?{query}")).await.form("/login");
        form.fields.retain(|(name, _)| name != "next");
        form.fields.push(("next".into(), next.into()));
        let answer = visitor
            .submit(&form.set("login", "alice").set("password", PASSWORD))
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{next:?}");
        assert_eq!(answer.location(), "/", "{next:?}");
    }
}

#[tokio::test]
async fn a_log_in_returns_to_the_page_that_required_it() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let form = visitor
        .open("/login?next=%2F%40alice%3Fbefore%3D12")
        .await
        .form("/login");
    let answer = visitor
        .submit(&form.set("login", "alice").set("password", PASSWORD))
        .await;
    assert_eq!(answer.location(), "/@alice?before=12");
}
