//! Metrics: on a separate listener, by route, without any user's name.

use crate::support::{Person, Site};

/// Returns the response of the metrics listener.
pub async fn scrape(site: &Site) -> String {
    let address = site.metrics.expect("metrics are served");
    let answer = crate::support::request::client()
        .get(format!("http://{address}/metrics"))
        .send()
        .await;
    answer
        .expect("the listener answers")
        .text()
        .await
        .expect("Prometheus text")
}

#[tokio::test]
async fn requests_are_counted_by_route_and_status() {
    let site = Site::with(&["--metrics-listen", "127.0.0.1:0"]).await;
    let visitor = Person::visitor(&site);
    visitor.get("/@nobody_counts_me").await;
    let text = scrape(&site).await;
    let counted = text.lines().any(|line| {
        line.starts_with("redwing_http_requests_total{")
            && ["method=\"GET\"", "route=\"/@{login}\"", "status=\"404\""]
                .iter()
                .all(|label| line.contains(label))
    });
    assert!(counted, "{text}");
}

#[tokio::test]
async fn logins_and_unknown_paths_are_no_labels() {
    let site = Site::with(&["--metrics-listen", "127.0.0.1:0"]).await;
    let visitor = Person::visitor(&site);
    for path in [
        "/@secret_login_in_path",
        "/made-up-path-to-fill-the-memory",
        "/login?next=/secret-query",
    ] {
        visitor.get(path).await;
    }
    let text = scrape(&site).await;
    for secret in ["secret_login_in_path", "made-up-path", "secret-query"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn the_listener_serves_nothing_else() {
    let site = Site::with(&["--metrics-listen", "127.0.0.1:0"]).await;
    let address = site.metrics.expect("metrics are served");
    for path in ["/", "/login", "/healthz"] {
        let answer = crate::support::request::client()
            .get(format!("http://{address}{path}"))
            .send()
            .await;
        assert_eq!(
            answer.expect("the listener answers").status(),
            404,
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_used_share_of_redis_memory_is_a_metric() {
    let site = Site::with(&["--metrics-listen", "127.0.0.1:0"]).await;
    Person::visitor(&site).get("/readyz").await;
    let text = scrape(&site).await;
    assert!(text.contains("redwing_redis_memory_used_ratio "), "{text}");
}
