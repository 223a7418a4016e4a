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
        (Method::GET, "/statuses", "POST"),
        (Method::GET, "/logout", "POST"),
        (Method::GET, "/@alice/follow", "POST"),
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
async fn a_body_that_is_no_form_is_a_mistake_of_the_sender() {
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
