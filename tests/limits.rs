//! Limits: how much and how often, and the message to a user who exceeds one.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use reqwest::StatusCode;

use crate::support::{Page, Person, Site, action_path, crowd};

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let site = Site::with(&["--max-form-bytes", "4096"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", &"x".repeat(5000));
    let page = alice.submit(&form).await;
    assert_eq!(page.status, StatusCode::PAYLOAD_TOO_LARGE);
    page.assert_helpful();
}

#[tokio::test]
async fn posting_too_often_is_refused_with_a_retry_time_and_keeps_the_text() {
    let site = Site::with(&["--posts-per-hour", "2"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("one").await;
    alice.post("two").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "three is one too many");
    let page = alice.submit(&form).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_retry_after(&page);
    assert_eq!(
        page.form("/statuses").value("message"),
        "three is one too many"
    );
    assert_eq!(alice.home_ids().await.len(), 2);
}

#[tokio::test]
async fn refused_posts_write_nothing() {
    let site = Site::with(&["--posts-per-hour", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("one").await;
    let form = alice.open("/").await.form("/statuses");
    let written = site.keys("").await;
    for attempt in 0..5 {
        let form = form.clone().set("message", &format!("attempt {attempt}"));
        let page = alice.submit(&form).await;
        assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    }
    // Keys that expire may be missing.
    let mut added = site.keys("").await;
    added.retain(|key| !written.contains(key));
    assert!(added.is_empty(), "{added:?}");
}

#[tokio::test]
async fn deleting_too_often_is_refused_with_a_retry_time() {
    let site = Site::with(&["--posts-per-hour", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("one").await;
    let path = action_path("delete", id);
    let form = alice.open(&path).await.form(&path);
    for _ in 0..4 {
        let page = alice.submit(&form).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "again, like the first");
    }
    let page = alice.submit(&form).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_retry_after(&page);
}

#[tokio::test]
async fn trying_to_log_in_too_often_is_refused_with_a_retry_time() {
    let site = Site::with(&["--log-ins-per-quarter", "4"]).await;
    let visitor = Person::visitor(&site);
    let mut answers = Vec::new();
    for login in ["a", "b", "c", "d", "e"] {
        answers.push(visitor.send_log_in(login, "a wrong guess").await);
    }
    let statuses: Vec<u16> = answers.iter().map(|page| page.status.as_u16()).collect();
    assert_eq!(statuses, [422, 422, 422, 422, 429]);
    assert_retry_after(&answers[4]);
}

#[tokio::test]
async fn the_log_in_limit_of_one_login_is_half_of_that_of_an_address() {
    let site = Site::with(&["--log-ins-per-quarter", "4"]).await;
    let visitor = Person::visitor(&site);
    let mut statuses = Vec::new();
    for login in ["alice", "ALICE", "Alice"] {
        statuses.push(
            visitor
                .send_log_in(login, "a wrong guess")
                .await
                .status
                .as_u16(),
        );
    }
    assert_eq!(
        statuses,
        [422, 422, 429],
        "whatever the case it is typed in"
    );
}

#[tokio::test]
async fn signing_up_too_often_is_refused_with_a_retry_time_and_keeps_the_form() {
    let site = Site::with(&["--sign-ups-per-hour", "1"]).await;
    Person::sign_up(&site, "alice").await;
    let page = Person::visitor(&site).send_sign_up("bob").await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_retry_after(&page);
    assert_eq!(page.form("/signup").value("login"), "bob");
}

#[tokio::test]
async fn following_too_often_is_refused_with_a_retry_time() {
    let site = Site::with(&["--follows-per-hour", "1"]).await;
    crowd::member(&site.store, "bob").await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.follow("bob").await;
    let form = alice.open("/@bob").await.form("/@bob/unfollow");
    let page = alice.submit(&form).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_retry_after(&page);
}

#[tokio::test]
async fn refused_messages_count_against_the_limit_of_messages() {
    let settings = ["--messages-per-hour", "4", "--new-account-days", "0"];
    let site = Site::with(&settings).await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.follow("alice").await;
    let form = alice.open("/messages/new").await.form("/messages/new");
    let form = form.set("message", "Hello");
    let unknown = form.clone().set("people", "nobody_here");
    for status in [422, 422] {
        assert_eq!(alice.submit(&unknown).await.status.as_u16(), status);
    }
    let sent = alice.submit(&form.set("people", "bob")).await;
    let path = sent
        .location()
        .split('#')
        .next()
        .expect("a path")
        .to_owned();
    let empty = alice.open(&path).await.form(&path);
    for status in [422, 429] {
        assert_eq!(alice.submit(&empty).await.status.as_u16(), status);
    }
    let page = alice.submit(&unknown).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_retry_after(&page);
}

#[tokio::test]
async fn an_hours_searches_cannot_be_sent_at_once() {
    let site = Site::with(&["--searches-per-hour", "120"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    for searcher in [alice, Person::visitor(&site)] {
        for _ in 0..20 {
            searcher.open("/search?q=birds").await;
        }
        let page = searcher.get("/search?q=birds").await;
        assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
        let seconds = page.header("retry-after").and_then(|s| s.parse().ok());
        assert!(seconds.is_some_and(|s: u64| (1..=30).contains(&s)));
    }
}

#[tokio::test]
async fn pages_of_one_person_take_a_limited_share_of_the_processor() {
    let site = Site::with(&["--page-seconds-per-minute", "1"]).await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    let form = alice.open("/").await.form("/statuses");
    write_posts(&site, "alice").await;
    let page = until_refused(async || alice.get("/@alice").await).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_retry_after(&page);
    page.assert_helpful();
    bob.open("/settings").await;
    Person::visitor(&site).open("/login").await;
    // A form is not refused, because its text would be lost.
    assert_eq!(
        alice.submit(&form.set("message", "one")).await.status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn previews_take_a_limited_share_of_the_processor_and_give_the_text_back() {
    let site = Site::with(&["--page-seconds-per-minute", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    let preview = form
        .set("message", "a long text")
        .set_new("extras", "preview");
    let page = until_refused(async || alice.submit(&preview).await).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_retry_after(&page);
    assert_eq!(page.form("/statuses").value("message"), "a long text");
}

#[tokio::test]
async fn a_neighbour_who_uses_up_the_share_of_an_address_locks_nobody_out() {
    let site = Site::with(&["--page-seconds-per-minute", "1"]).await;
    Person::sign_up(&site, "alice").await.log_out().await;
    write_posts(&site, "alice").await;
    let neighbour = Person::visitor(&site);
    let page = until_refused(async || neighbour.get("/@alice").await).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    neighbour.open("/login/recover").await;
    let alice = Person::log_in(&site, "alice").await;
    assert!(alice.open("/").await.has("[data-compose]"));
}

/// Fills the profile of a person, so that it takes more of the processor than other pages.
async fn write_posts(site: &Site, login: &str) {
    let author = crowd::uid(&site.store, login).await;
    for number in 0..30 {
        crowd::post(&site.store, author, &format!("post {number}")).await;
    }
}

/// Returns the first page that is not a usual one, or the last of many. A page that is cached takes less than a tenth
/// of a millisecond on a fast machine.
async fn until_refused(request: impl AsyncFn() -> Page) -> Page {
    let mut page = request().await;
    for _ in 0..100_000 {
        if page.status != StatusCode::OK {
            break;
        }
        page = request().await;
    }
    page
}

fn assert_retry_after(page: &Page) {
    let seconds: u64 = page
        .header("retry-after")
        .and_then(|value| value.parse().ok())
        .expect("Retry-After in seconds");
    assert!((1..=3600).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn a_request_whose_head_never_ends_is_cut_off() {
    let site = Site::with(&["--request-head-ms", "300"]).await;
    let mut stream =
        TcpStream::connect(site.base.trim_start_matches("http://")).expect("the site listens");
    stream
        .set_read_timeout(Some(Duration::from_secs(15)))
        .expect("a positive duration");
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        .expect("the connection is open");
    let mut answer = Vec::new();
    stream
        .read_to_end(&mut answer)
        .expect("the site closes the connection");
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
}

#[tokio::test]
async fn a_request_whose_body_never_ends_is_cut_off() {
    let site = Site::with(&["--request-ms", "300"]).await;
    let mut stream =
        TcpStream::connect(site.base.trim_start_matches("http://")).expect("the site listens");
    stream
        .set_read_timeout(Some(Duration::from_secs(15)))
        .expect("a positive duration");
    let head = "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nlogin=";
    stream
        .write_all(head.as_bytes())
        .expect("the connection is open");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("the site answers");
    assert_eq!(&answer, b"HTTP/1.1 408");
}
