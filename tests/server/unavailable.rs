//! Redis away: the site says so, loses no typed text, and recovers by itself when Redis is back.

use reqwest::StatusCode;

use crate::support::{PASSWORD, Page, Person, Site, waiting::eventually};

/// Starts a site with a short Redis timeout. It has one thread, so that all requests share the
/// connection that must be reopened.
async fn site_with_short_timeouts() -> Site {
    Site::with(&[
        "--threads",
        "1",
        "--redis-connect-ms",
        "2000",
        "--redis-response-ms",
        "2000",
        "--write-deadline-ms",
        "2000",
    ])
    .await
}

fn assert_unavailable(page: &Page) {
    assert_eq!(
        page.status,
        StatusCode::SERVICE_UNAVAILABLE,
        "{}",
        page.path
    );
    let seconds: Option<u64> = page
        .header("retry-after")
        .and_then(|value| value.parse().ok());
    assert!(
        seconds.is_some_and(|seconds| (1..=120).contains(&seconds)),
        "{}: Retry-After",
        page.path
    );
    assert!(
        page.has("header nav[aria-label=Main] a"),
        "{}: the navigation",
        page.path
    );
    assert!(
        !page.html.to_lowercase().contains("redis"),
        "no inner detail on {}:\n{}",
        page.path,
        page.html
    );
}

async fn ready_again(site: &Site, visitor: &Person) {
    eventually("the site is ready again", async || {
        visitor.get("/readyz").await.status == StatusCode::OK
    })
    .await;
    site.store.ready().await.expect("and so is the store");
}

#[tokio::test]
async fn it_is_alive_but_not_ready() {
    let mut site = site_with_short_timeouts().await;
    let visitor = Person::visitor(&site);
    let answer = visitor.get("/readyz").await;
    assert_eq!((answer.status, &*answer.html), (StatusCode::OK, "ready\n"));
    site.redis.kill();
    let answer = visitor.get("/healthz").await;
    assert_eq!((answer.status, &*answer.html), (StatusCode::OK, "ok\n"));
    let answer = visitor.get("/readyz").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.html.starts_with("not ready"), "{}", answer.html);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn every_page_that_needs_data_says_when_to_come_back() {
    let mut site = site_with_short_timeouts().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("hello").await;
    site.redis.kill();
    for path in [
        "/",
        "/@alice",
        &format!("/@alice/{id}"),
        "/@alice/followers",
        "/settings",
    ] {
        let page = alice.get(path).await;
        assert_unavailable(&page);
        assert_eq!(page.attributes("main .button", "href"), [path, "/"]);
        assert_eq!(page.texts("main .button"), ["Try again", "Go home"]);
    }
}

#[tokio::test]
async fn a_post_that_cannot_be_stored_comes_back_in_the_form() {
    let mut site = site_with_short_timeouts().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "an hour's <work>\nand a line");
    site.redis.kill();
    let answer = alice.submit(&form).await;
    assert_unavailable(&answer);
    assert_eq!(
        answer.form("/statuses").value("message"),
        "an hour's <work>\nand a line"
    );
}

#[tokio::test]
async fn the_form_that_came_back_posts_once_when_redis_is_back() {
    let mut site = site_with_short_timeouts().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "sent three times");
    site.redis.kill();
    let again = alice.submit(&form).await.form("/statuses");
    let again = alice.submit(&again).await.form("/statuses");
    site.redis.restart();
    ready_again(&site, &alice).await;
    alice.submit_accepted(&again).await;
    alice.submit_accepted(&form).await;
    assert_eq!(alice.open("/").await.messages(), ["sent three times"]);
}

#[tokio::test]
async fn a_sign_up_that_cannot_be_stored_comes_back_without_the_password() {
    let mut site = site_with_short_timeouts().await;
    let visitor = Person::visitor(&site);
    let form = visitor.open("/signup").await.form("/signup");
    let form = form
        .set("login", "alice")
        .set("name", "Alice L.")
        .set("password", PASSWORD);
    site.redis.kill();
    let answer = visitor.submit(&form).await;
    assert_unavailable(&answer);
    let again = answer.form("/signup");
    assert_eq!(
        (
            again.value("login"),
            again.value("name"),
            again.value("password")
        ),
        ("alice", "Alice L.", "")
    );
    site.redis.restart();
    ready_again(&site, &visitor).await;
    visitor
        .submit_accepted(&again.set("password", PASSWORD))
        .await;
    assert!(visitor.is_logged_in().await);
}

#[tokio::test]
async fn a_log_in_that_cannot_be_checked_is_not_called_wrong() {
    let mut site = site_with_short_timeouts().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let form = visitor
        .open("/login")
        .await
        .form("/login")
        .set("login", "alice")
        .set("password", PASSWORD);
    site.redis.kill();
    let answer = visitor.submit(&form).await;
    assert_unavailable(&answer);
    assert_eq!(answer.form("/login").value("login"), "alice");
}

#[tokio::test]
async fn people_are_still_logged_in_when_redis_is_back() {
    let mut site = site_with_short_timeouts().await;
    let alice = Person::sign_up(&site, "alice").await;
    site.redis.kill();
    assert_unavailable(&alice.get("/").await);
    assert!(
        alice.cookies.session().is_some(),
        "the cookie is not taken away meanwhile"
    );
    site.redis.restart();
    ready_again(&site, &alice).await;
    assert!(alice.is_logged_in().await);
}

#[tokio::test]
async fn accepted_posts_survive_a_crash_of_redis() {
    let mut site = site_with_short_timeouts().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    bob.follow("alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "accepted");
    alice.submit_accepted(&form).await;
    site.redis.kill();
    site.redis.restart();
    ready_again(&site, &alice).await;
    for (person, path) in [(&alice, "/"), (&alice, "/@alice"), (&bob, "/")] {
        assert_eq!(
            person.open(path).await.messages(),
            ["accepted"],
            "{} at {path}",
            person.login
        );
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_redis_that_hangs_is_answered_like_one_that_is_gone() {
    let site = site_with_short_timeouts().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "kept in the form");
    site.redis.pause();
    let answer = alice.submit(&form).await;
    let page = alice.get("/").await;
    site.redis.resume();
    assert_unavailable(&answer);
    assert_unavailable(&page);
    assert_eq!(
        answer.form("/statuses").value("message"),
        "kept in the form"
    );
    ready_again(&site, &alice).await;
    assert!(
        alice.home_ids().await.is_empty(),
        "a write answered with 503 is not applied later"
    );
}

#[tokio::test]
async fn static_files_need_no_redis() {
    let mut site = site_with_short_timeouts().await;
    let visitor = Person::visitor(&site);
    let style = visitor
        .open("/")
        .await
        .attributes("link[rel=stylesheet]", "href")
        .remove(0);
    site.redis.kill();
    let answer = visitor.get(&style).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(
        answer.header("content-type"),
        Some("text/css; charset=utf-8")
    );
    assert!(answer.html.contains(":root"), "the whole stylesheet");
}

#[tokio::test]
async fn a_redis_without_memory_left_is_ready_with_a_warning() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    site.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    let full = visitor.get("/readyz").await;
    site.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
    assert_eq!(full.status, StatusCode::OK);
    assert!(full.html.contains("posting is closed"), "{}", full.html);
    assert_eq!(visitor.get("/readyz").await.html, "ready\n");
}

#[tokio::test]
async fn pages_that_record_their_readers_work_without_memory_left() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("many words").await;
    site.drain().await;
    site.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    let pages = [
        alice.get("/search?q=words").await,
        alice.get("/important").await,
    ];
    site.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
    for page in pages {
        assert_eq!(page.status, StatusCode::OK, "{}", page.path);
    }
}

#[tokio::test]
async fn a_changed_clock_refuses_only_one_write() {
    const HOUR_MS: i64 = 3_600_000;
    let site = site_with_short_timeouts().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "whatever the time");
    site.store.set_redis_clock(HOUR_MS);
    assert_unavailable(&alice.submit(&form).await);
    eventually("the clock is read again", async || {
        alice.submit(&form).await.status == StatusCode::SEE_OTHER
    })
    .await;
    assert_eq!(alice.open("/").await.messages(), ["whatever the time"]);
}
