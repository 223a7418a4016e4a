//! Slow, endless and oversized requests: each is refused or ended within its timeout, and no other
//! user notices.

use super::raw_connection::{RawConnection, parts};
use crate::support::{Person, Site};

/// Starts a site with short timeouts for incomplete requests.
async fn site_with_short_timeouts() -> Site {
    Site::with(&[
        "--request-head-ms",
        "1500",
        "--request-ms",
        "3000",
        "--keep-alive-ms",
        "1500",
        "--max-form-bytes",
        "4096",
    ])
    .await
}

/// Checks that the site answers other users.
async fn assert_answers(site: &Site) {
    let visitor = Person::visitor(site);
    for path in ["/healthz", "/"] {
        assert_eq!(visitor.get(path).await.status, 200, "{path}");
    }
}

const FORM: &str =
    "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n";

/// Returns a KiB of a chunked body.
fn chunk() -> Vec<u8> {
    format!("400\r\n{}\r\n", "x".repeat(1024)).into_bytes()
}

#[tokio::test]
async fn a_head_that_trickles_is_ended() {
    let site = site_with_short_timeouts().await;
    let mut connection = RawConnection::open(&site.base).await;
    connection
        .send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        .await;
    assert_answers(&site).await;
    connection.ended_by_repeating(b"x").await;
}

/// The timeout of the server library applies only to the first head of a connection.
#[tokio::test]
async fn a_second_head_that_never_ends_is_ended_too() {
    let site = site_with_short_timeouts().await;
    let mut connection = RawConnection::open(&site.base).await;
    connection.get("/healthz").await;
    assert_eq!(connection.answer().await.status, 200);
    connection
        .send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        .await;
    assert_answers(&site).await;
    connection.ended().await;
}

#[tokio::test]
async fn a_trickling_body_is_refused_and_ended() {
    let site = site_with_short_timeouts().await;
    let mut connection = RawConnection::open(&site.base).await;
    connection
        .send(format!("{FORM}Content-Length: 4000\r\n\r\n"))
        .await;
    assert_answers(&site).await;
    connection.ended_by_repeating(b"x").await;
}

#[tokio::test]
async fn a_chunked_body_that_never_ends_is_refused_at_the_limit_and_ended() {
    let site = site_with_short_timeouts().await;
    let mut connection = RawConnection::open(&site.base).await;
    connection
        .send(format!("{FORM}Transfer-Encoding: chunked\r\n\r\n"))
        .await;
    for _ in 0..5 {
        connection.send(chunk()).await;
    }
    assert_eq!(connection.answer().await.status, 413);
    assert_answers(&site).await;
    connection.ended_by_repeating(&chunk()).await;
}

#[tokio::test]
async fn a_body_declared_too_large_is_refused_before_it_comes() {
    let site = site_with_short_timeouts().await;
    let mut connection = RawConnection::open(&site.base).await;
    connection
        .send(format!("{FORM}Content-Length: 100000000000\r\n\r\n"))
        .await;
    assert_eq!(connection.answer().await.status, 413);
    connection.ended_by_repeating(&chunk()).await;
}

#[tokio::test]
async fn a_client_that_never_reads_is_ended() {
    let site = site_with_short_timeouts().await;
    let style = Person::visitor(&site)
        .open("/")
        .await
        .attributes("link[rel=stylesheet]", "href")
        .remove(0);
    let mut connection = RawConnection::open(&site.base).await;
    connection.get(&style).await;
    let again = format!("GET {style} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(64);
    connection.ended_by_repeating(again.as_bytes()).await;
    assert_answers(&site).await;
}

#[tokio::test]
async fn too_many_headers_are_refused() {
    let site = site_with_short_timeouts().await;
    let mut connection = RawConnection::open(&site.base).await;
    let headers: String = (0..200)
        .map(|number| format!("X-{number}: y\r\n"))
        .collect();
    connection
        .send(format!("GET / HTTP/1.1\r\nHost: x\r\n{headers}\r\n"))
        .await;
    assert_eq!(connection.answer().await.status, 431);
    connection.ended().await;
    assert_answers(&site).await;
}

#[tokio::test]
async fn headers_of_more_than_32_kib_are_refused_on_every_route() {
    let site = Site::start().await;
    for path in ["/", "/login", "/static/none.css", "/healthz"] {
        for (bytes, is_refused) in [(32_000, false), (33_000, true)] {
            let mut connection = RawConnection::open(&site.base).await;
            let large = "y".repeat(bytes);
            connection
                .send(format!(
                    "GET {path} HTTP/1.1\r\nHost: x\r\nX-Large: {large}\r\n\r\n"
                ))
                .await;
            let answer = connection.answer().await;
            let status = answer.status;
            assert_eq!(status == 431, is_refused, "{path} {bytes}: {status}");
            if is_refused {
                let html = answer.html;
                assert!(html.contains("Delete the cookies of this site"), "{html}");
                assert!(answer.headers.contains_key("content-security-policy"));
            }
        }
    }
    assert_answers(&site).await;
}

#[tokio::test]
async fn a_head_without_end_is_refused_at_128_kib() {
    let site = Site::start().await;
    let mut connection = RawConnection::open(&site.base).await;
    connection
        .send(format!(
            "GET / HTTP/1.1\r\nHost: x\r\nX-Large: {}",
            "y".repeat(131_072)
        ))
        .await;
    assert_eq!(connection.answer().await.status, 431);
    assert_answers(&site).await;
}

#[tokio::test]
async fn a_flood_of_pipelined_requests_delays_no_one_and_is_answered() {
    const REQUESTS: usize = 3000;
    let site = Site::start().await;
    let mut connection = RawConnection::open(&site.base).await;
    connection
        .send("GET /login HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500))
        .await;
    assert_answers(&site).await;
    for _ in 0..500 {
        assert_eq!(connection.answer().await.status, 200);
    }
    connection
        .send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".repeat(REQUESTS))
        .await;
    for _ in 0..REQUESTS {
        assert_eq!(connection.answer().await.status, 200);
    }
}

#[tokio::test]
async fn a_client_that_leaves_before_the_answer_harms_nothing() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for message in ["one", "two", "three"] {
        let form = alice
            .open("/")
            .await
            .form("/statuses")
            .set("message", message);
        let (head, body) = parts(&alice, &form);
        let mut connection = RawConnection::open(&site.base).await;
        connection.send(head + &body).await;
        drop(connection);
        // Sending the form again creates no second status, whether or not the first attempt was
        // applied.
        alice.submit_accepted(&form).await;
    }
    assert_eq!(alice.home_ids().await.len(), 3);
    site.drain().await;
    site.assert_sound().await;
}
