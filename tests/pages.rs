//! Responses to bad input of every kind: the right status code, a page with a way on, and no lost
//! input.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use redwing::domain::{Draft, EditState, Poll};
use reqwest::{Method, StatusCode};

use crate::support::{Page, Person, Site, crowd, request::Request};

#[tokio::test]
async fn a_missing_page_has_a_link_on() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let paths = [
        "/nowhere",
        "/static/nothing.css",
        "/@a/b/c",
        "/%00",
        "/..%2f..%2fetc/passwd",
        "/@alice/0",
        "/@alice/x",
    ];
    for path in paths {
        let page = visitor.get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        page.assert_helpful();
    }
}

#[tokio::test]
async fn a_wrong_method_gets_the_allowed_ones() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let cases = [
        (Method::PUT, "/statuses", "POST"),
        (Method::DELETE, "/logout", "POST"),
        (Method::PATCH, "/@alice/follow", "POST"),
        (Method::DELETE, "/@alice", "GET"),
        (Method::PUT, "/login", "POST"),
        (Method::POST, "/", "GET"),
    ];
    for (method, path, allowed) in cases {
        let page = Request::new(&visitor, method.clone(), path).send().await;
        assert_eq!(
            page.status,
            StatusCode::METHOD_NOT_ALLOWED,
            "{method} {path}"
        );
        let allow = page.header("allow").unwrap_or_default();
        assert!(allow.contains(allowed), "{method} {path}: Allow: {allow}");
        page.assert_helpful();
    }
}

#[tokio::test]
async fn the_path_of_a_form_leads_to_its_page() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("hello").await;
    for (form, page) in [
        ("/statuses", "/".to_owned()),
        ("/logout", "/".to_owned()),
        ("/settings/profile", "/settings".to_owned()),
        ("/settings/password", "/settings".to_owned()),
        ("/settings/sessions/revoke", "/settings/sessions".to_owned()),
        ("/@alice/follow", "/@alice".to_owned()),
        ("/@alice/reposts/hide", "/@alice".to_owned()),
        ("/tags/birds/follow", "/tags/birds".to_owned()),
        (
            &format!("/statuses/{id}/favourite"),
            format!("/statuses/{id}"),
        ),
    ] {
        let answer = alice.get(form).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{form}");
        assert_eq!(answer.location(), page, "{form}");
    }
    assert!(alice.is_logged_in().await);
    assert!(!alice.open("/").await.has("[aria-pressed=true]"));
}

#[tokio::test]
async fn a_slash_at_the_end_leads_to_the_path_without_it() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for (path, without) in [
        ("/@alice/", "/@alice"),
        ("/tags/", "/tags"),
        ("/search/?q=a%2F", "/search?q=a%2F"),
        ("/@alice///", "/@alice"),
    ] {
        let answer = alice.get(path).await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT, "{path}");
        assert_eq!(answer.location(), without, "{path}");
    }
    for elsewhere in ["//evil.example/", "/%5Cevil.example/x//"] {
        let answer = alice.get(elsewhere).await;
        let target = answer.header("location").unwrap_or("/");
        assert!(
            !target.starts_with("//") && !target.contains('\\'),
            "{target}"
        );
    }
}

#[tokio::test]
async fn robots_may_read_the_pages_that_are_not_indexed() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let rules = visitor.get("/robots.txt").await.html;
    for path in ["/login", "/signup", "/search"] {
        assert!(!rules.contains(path), "{rules}");
        let page = visitor.get(path).await;
        let robots = page.attributes("meta[name=robots]", "content");
        assert_eq!(robots, ["noindex"], "{path}");
    }
}

#[tokio::test]
async fn titles_fit_into_a_tab_and_cards_have_names() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post(&"a long sentence ".repeat(30)).await;
    for path in [
        &*format!("/@alice/{id}"),
        "/@alice",
        "/",
        &format!("/search?q={}", "x".repeat(90)),
    ] {
        let page = alice.open(path).await;
        let title = page.text("head > title");
        assert!(title.chars().count() < 70, "{title}");
        assert!(title.ends_with(" · Redwing"), "{title}");
        let cards = page.count("article");
        assert_eq!(page.attributes("article", "aria-label").len(), cards);
        // A button says its type, or it submits its name.
        assert_eq!(page.count("button:not([type], [name])"), 0, "{path}");
        assert_eq!(
            page.texts("article .time").len(),
            page.count("article .time > span")
        );
    }
}

/// Returns the raw bytes of the response to one request without a body.
fn on_the_wire(site: &Site, method: &str, path: &str) -> String {
    let mut stream =
        TcpStream::connect(site.base.trim_start_matches("http://")).expect("the site listens");
    stream
        .set_read_timeout(Some(Duration::from_secs(15)))
        .expect("a positive duration");
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    .expect("the connection is open");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .expect("the site closes the connection");
    answer
}

#[tokio::test]
async fn head_is_answered_as_get_without_a_body() {
    let site = Site::start().await;
    for path in ["/", "/login", "/healthz", "/nowhere"] {
        let (get, head) = (
            on_the_wire(&site, "GET", path),
            on_the_wire(&site, "HEAD", path),
        );
        let (get, body) = get.split_once("\r\n\r\n").expect("a head and a body");
        assert!(!body.is_empty(), "{path}");
        assert_eq!(get.lines().next(), head.lines().next(), "{path}");
        let (_, body) = head.split_once("\r\n\r\n").expect("a head");
        assert_eq!(body, "", "{path}");
    }
}

#[tokio::test]
async fn a_body_of_another_type_is_refused() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "hello");
    for kind in [
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=x",
    ] {
        let page = Request::submit(&alice, &form)
            .header("content-type", kind)
            .send()
            .await;
        assert_eq!(page.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind}");
        page.assert_helpful();
    }
    assert!(alice.home_ids().await.is_empty());
}

#[tokio::test]
async fn a_compressed_body_is_never_inflated() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "hello");
    for coding in ["gzip", "deflate", "br", "zstd"] {
        let page = Request::submit(&alice, &form)
            .header("content-encoding", coding)
            .send()
            .await;
        assert_eq!(page.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{coding}");
    }
    assert!(alice.home_ids().await.is_empty());
}

#[tokio::test]
async fn a_body_that_is_no_form_is_a_client_error() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    let token = format!(
        "csrf_token={}&idempotency_key={}",
        form.value("csrf_token"),
        form.value("idempotency_key")
    );
    let bodies = [
        "",
        "message",
        "message=a&message=b",
        "idempotency_key=zz&message=hello",
        "&&&=&=",
    ];
    for body in bodies {
        let page = Request::submit(&alice, &form)
            .body(format!("{token}&{body}"))
            .send()
            .await;
        assert!(page.status.is_client_error(), "{body:?}: {}", page.status);
        assert_helpful_or_form(&page);
    }
    assert!(alice.home_ids().await.is_empty());
}

/// Checks that a refusal shows the form again or an error page.
fn assert_helpful_or_form(page: &Page) {
    if page.find_form("/statuses").is_none() {
        page.assert_helpful();
    }
}

#[tokio::test]
async fn an_internal_error_is_a_page_without_inner_detail() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let uid = crowd::member(&site.store, "alice").await;
    let key = format!("user:{{{uid}}}");
    site.redis.command(&["DEL", &key]);
    site.redis.command(&["SET", &key, "not-a-hash"]);
    let page = visitor.get("/@alice").await;
    assert_eq!(page.status, StatusCode::INTERNAL_SERVER_ERROR);
    page.assert_helpful();
    assert!(!page.html.contains("WRONGTYPE"));
}

#[tokio::test]
async fn the_visibility_rules_are_on_a_public_page_with_the_numbers_of_the_code() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let path = "/help/posting";
    let way = format!(".bottom a[href=\"{path}\"]");
    assert!(visitor.open("/").await.has(&way));
    let page = visitor.open(path).await;
    assert_eq!(visitor.get("/help").await.location(), path);
    assert!(page.has("main a[href=\"/help/importance\"]"));
    let other = visitor.open("/help/importance").await;
    assert!(other.has(&format!("main a[href=\"{path}\"]")));
    let sign_up = visitor.open("/signup").await;
    assert!(sign_up.has(&format!("main a[href=\"{path}\"]")));
    let text = page.visible_text();
    for number in [
        format!("The first {} people", Draft::MAX_MENTIONED),
        format!("The first {} tags", Draft::MAX_TAGS),
        format!("{} to {} options", Poll::MIN_OPTIONS, Poll::MAX_OPTIONS),
        format!("for {} minutes", EditState::OPEN_MS / 60_000),
        format!("at most {} times", EditState::MAX),
    ] {
        assert!(text.contains(&number), "{number}");
    }
}

#[tokio::test]
async fn an_unchanged_public_page_is_not_sent_again() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("hello").await;
    let visitor = Person::visitor(&site);
    let asked = async |tag: &str| {
        let request = Request::new(&visitor, Method::GET, "/@alice");
        request.header("if-none-match", tag).send().await
    };
    let first = visitor.open("/@alice").await;
    let tag = first.header("etag").expect("a public page has a tag");
    let again = asked(tag).await;
    assert_eq!((again.status, &*again.html), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!(again.header("etag"), Some(tag));
    assert_eq!(again.header("vary"), first.header("vary"));
    alice.post("something new").await;
    assert_eq!(asked(tag).await.status, StatusCode::OK);
    assert_eq!(alice.open("/@alice").await.header("etag"), None);
    assert_eq!(visitor.open("/login").await.header("etag"), None);
}
