//! Forwarded headers are believed only from configured proxies.

use reqwest::StatusCode;

use crate::support::{Person, Site, request::Request};

/// Tries to log in three times, each with another forwarded address. Returns the status codes.
async fn three_guesses(site: &Site) -> [u16; 3] {
    let visitor = Person::visitor(site);
    let mut statuses = [0; 3];
    for (at, status) in statuses.iter_mut().enumerate() {
        let form = visitor.open("/login").await.form("/login");
        let form = form
            .set("login", &format!("guess_{at}"))
            .set("password", "a wrong guess");
        let request =
            Request::submit(&visitor, &form).header("x-forwarded-for", &format!("198.51.100.{at}"));
        *status = request.send().await.status.as_u16();
    }
    statuses
}

#[tokio::test]
async fn a_stranger_cannot_pretend_to_come_from_elsewhere() {
    let site = Site::with(&["--log-ins-per-quarter", "2"]).await;
    assert_eq!(three_guesses(&site).await, [422, 422, 429]);
}

#[tokio::test]
async fn a_configured_proxy_names_the_client_address() {
    let site = Site::with(&[
        "--log-ins-per-quarter",
        "2",
        "--trusted-proxies",
        "127.0.0.0/8",
    ])
    .await;
    assert_eq!(three_guesses(&site).await, [422, 422, 422]);
}

#[tokio::test]
async fn addresses_that_a_client_prepends_to_the_proxys_are_ignored() {
    let site = Site::with(&[
        "--log-ins-per-quarter",
        "2",
        "--trusted-proxies",
        "127.0.0.0/8",
    ])
    .await;
    let visitor = Person::visitor(&site);
    let mut statuses = Vec::new();
    for at in 0..3 {
        let form = visitor.open("/login").await.form("/login");
        let form = form
            .set("login", &format!("guess_{at}"))
            .set("password", "a wrong guess");
        let forwarded = format!("198.51.100.{at}, 203.0.113.7");
        let request = Request::submit(&visitor, &form).header("x-forwarded-for", &forwarded);
        statuses.push(request.send().await.status.as_u16());
    }
    assert_eq!(statuses, [422, 422, 429]);
}

#[tokio::test]
async fn a_forwarded_host_or_scheme_changes_nothing() {
    let site = Site::with(&["--trusted-proxies", "127.0.0.0/8"]).await;
    let visitor = Person::visitor(&site);
    for (name, value) in [
        ("x-forwarded-host", "evil.example"),
        ("forwarded", "host=evil.example;proto=https"),
        ("x-forwarded-proto", "https"),
        ("host", "evil.example"),
    ] {
        let page = Request::get(&visitor, "/login")
            .header(name, value)
            .send()
            .await;
        assert_eq!(page.status, StatusCode::OK, "{name}");
        assert!(!page.html.contains("evil.example"), "{name}");
        assert_eq!(page.header("strict-transport-security"), None, "{name}");
    }
}
