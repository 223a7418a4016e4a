//! The headers of every page. No page needs more than they allow.

use std::collections::BTreeMap;

use crate::support::{Page, Person, Site, page::selector, tour::Tour};

/// Returns the directives of a Content-Security-Policy with their values.
fn policy(page: &Page) -> BTreeMap<String, Vec<String>> {
    let header = page
        .header("content-security-policy")
        .unwrap_or_else(|| panic!("{} has a policy", page.path));
    let words = header
        .split(';')
        .map(|directive| directive.split_whitespace().map(str::to_owned));
    words
        .filter_map(|mut words| words.next().map(|name| (name, words.collect())))
        .collect()
}

#[tokio::test]
async fn the_policy_allows_nothing_but_the_sites_own_files() {
    let tour = Tour::start().await;
    for page in tour.every_page().await {
        let mut policy = policy(&page);
        for (directive, list) in [
            ("default-src", "'none'"),
            ("connect-src", "'self'"),
            ("base-uri", "'none'"),
            ("frame-ancestors", "'none'"),
            ("form-action", "'self'"),
        ] {
            assert_eq!(
                policy.remove(directive).as_deref(),
                Some(&[list.to_owned()][..]),
                "{directive} on {}",
                page.path
            );
        }
        for (directive, list) in policy {
            assert_eq!(list, ["'self'"], "{directive} on {}", page.path);
        }
    }
}

#[tokio::test]
async fn no_page_has_a_script_or_a_style_inside() {
    let tour = Tour::start().await;
    for page in tour.every_page().await {
        for script in page.document().select(&selector("script")) {
            let source = script
                .attr("src")
                .unwrap_or_else(|| panic!("inline script on {}", page.path));
            assert!(source.starts_with("/static/"), "{source} on {}", page.path);
        }
        assert!(
            !page.has("style, [style], base, object, embed, iframe"),
            "{}",
            page.path
        );
    }
}

#[tokio::test]
async fn every_page_has_its_security_headers() {
    let tour = Tour::start().await;
    let files = tour
        .alice
        .open("/")
        .await
        .attributes("link[rel=stylesheet]", "href");
    let mut answers = tour.every_page().await;
    for path in files
        .iter()
        .map(String::as_str)
        .chain(["/healthz", "/readyz"])
    {
        answers.push(tour.visitor.get(path).await);
    }
    for page in answers {
        let policy = page.header("referrer-policy").unwrap_or_default();
        assert!(
            matches!(
                policy,
                "same-origin" | "no-referrer" | "strict-origin-when-cross-origin"
            ),
            "{}: {policy}",
            page.path
        );
        assert_eq!(
            page.header("x-content-type-options"),
            Some("nosniff"),
            "{}",
            page.path
        );
        assert_eq!(
            page.header("cross-origin-opener-policy"),
            Some("same-origin"),
            "{}",
            page.path
        );
        assert_eq!(
            page.header("cross-origin-resource-policy"),
            Some("same-origin"),
            "{}",
            page.path
        );
    }
}

#[tokio::test]
async fn hsts_is_sent_on_https() {
    let site = Site::at("https://red.example").await;
    let visitor = Person::visitor(&site);
    for path in ["/", "/nowhere", "/healthz"] {
        let page = visitor.get(path).await;
        let header = page.header("strict-transport-security").unwrap_or_default();
        let age = header
            .split(';')
            .find_map(|part| part.trim().strip_prefix("max-age=")?.parse::<u64>().ok());
        assert!(
            age.is_some_and(|seconds| seconds >= 31_536_000),
            "{path}: {header}"
        );
    }
}

#[tokio::test]
async fn hsts_is_not_sent_on_plain_http() {
    let site = Site::start().await;
    let page = Person::visitor(&site).open("/").await;
    assert_eq!(page.header("strict-transport-security"), None);
}

#[tokio::test]
async fn a_response_does_not_name_the_server_software() {
    let site = Site::start().await;
    let page = Person::visitor(&site).open("/").await;
    assert_eq!(
        (page.header("server"), page.header("x-powered-by")),
        (None, None)
    );
}
