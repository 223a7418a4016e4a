//! Caching of pages: personal pages must not be cached.

use crate::support::{Person, tour::Tour};

#[tokio::test]
async fn pages_of_logged_in_users_are_never_cached() {
    let tour = Tour::start().await;
    let status = tour.status;
    let paths = [
        "/",
        "/@alice",
        "/@bob",
        &format!("/@alice/{status}"),
        "/@bob/followers",
        "/settings",
        "/nowhere",
        "/login",
    ];
    for path in paths {
        let page = tour.alice.get(path).await;
        assert_eq!(
            page.header("cache-control"),
            Some("private, no-store"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn pages_that_set_a_cookie_are_never_cached() {
    let tour = Tour::start().await;
    for path in ["/login", "/signup"] {
        let page = Person::visitor(&tour.site).get(path).await;
        assert!(page.header("set-cookie").is_some(), "{path}");
        assert_eq!(
            page.header("cache-control"),
            Some("private, no-store"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_page_equal_for_all_visitors_sets_no_cookie() {
    let tour = Tour::start().await;
    for path in ["/", "/@bob", "/@bob/followers"] {
        let page = Person::visitor(&tour.site).get(path).await;
        assert_eq!(page.header("set-cookie"), None, "{path}");
        assert_eq!(page.header("cache-control"), Some("no-cache"), "{path}");
        assert_eq!(
            page.header("vary"),
            Some("Cookie, Accept-Encoding"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn static_files_are_cached_for_ever_under_names_with_a_hash() {
    let tour = Tour::start().await;
    let page = tour.visitor.open("/").await;
    let files = [
        page.attributes("link[rel=stylesheet]", "href"),
        page.attributes("script", "src"),
    ]
    .concat();
    assert!(!files.is_empty());
    for file in files {
        let answer = tour.visitor.open(&file).await;
        let directive = answer.header("cache-control").unwrap_or_default();
        assert!(
            directive.contains("immutable") && directive.contains("max-age=31536000"),
            "{file}: {directive}"
        );
        let digits = file.chars().filter(char::is_ascii_hexdigit).count();
        assert!(digits >= 8, "{file} carries a digest of its content");
        assert_eq!(answer.header("set-cookie"), None, "{file}");
    }
}
