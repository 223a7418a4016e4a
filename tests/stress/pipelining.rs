//! Pipelined requests: they are answered one by one in order, take no memory meanwhile, and nothing
//! runs after the last answer.

use std::time::{Duration, Instant};

use reqwest::StatusCode;

use super::{
    idle::memory_of,
    raw_connection::{RawConnection, parts},
};
use crate::{
    live::page::{OpenPage, request_stream},
    support::{
        Person, Site,
        environment::variable,
        process::{Home, ORIGIN, Process},
        request::client,
        waiting::eventually,
    },
};

const REQUEST: &str = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
/// Time limit for noticing that the client of a stream has left: shorter than the interval between two of its beats.
const SOON: Duration = Duration::from_secs(15);

/// Requests the stream of this person's home.
async fn open_stream(connection: &mut RawConnection, person: &Person) {
    let cookies = person.cookies.header().unwrap_or_default();
    let login = &person.login;
    connection
        .send(format!(
            "GET /live?login={login} HTTP/1.1\r\nHost: x\r\nCookie: {cookies}\r\n\r\n"
        ))
        .await;
    let answer = connection.answer().await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["content-type"], "text/event-stream");
}

/// Returns the bytes of a form that posts a status. They are not sent yet.
async fn post(person: &Person, message: &str) -> String {
    let home = person.open("/").await;
    let form = home.form("/statuses").set("message", message);
    let (head, body) = parts(person, &form);
    head + &body
}

/// Checks that floods of requests hold little memory. Each client sends this many requests and
/// reads no answer, while other clients are answered.
async fn assert_floods_take_little_memory(
    site: &Process,
    connections: &mut [RawConnection],
    requests: usize,
) {
    /// Memory for a connection and its socket buffers. Queued requests would take 5,600 bytes each.
    const EACH: u64 = 500_000;
    let visitor = Person::at(client(), &site.base, ORIGIN);
    assert_eq!(visitor.get("/").await.status, StatusCode::OK);
    // A sign-up has hashed a password; its memory is free again by now.
    let before = memory_of(site, "VmHWM");
    if before == 0 {
        assert!(
            variable("CI").is_none_or(|ci| ci != "true"),
            "CI needs /proc"
        );
        eprintln!("SKIPPED: memory is not looked at without /proc");
        return;
    }
    for connection in connections.iter_mut() {
        connection.send(REQUEST.repeat(requests)).await;
    }
    for _ in 0..3 {
        assert_eq!(visitor.get("/login").await.status, StatusCode::OK);
    }
    let grown = memory_of(site, "VmHWM").saturating_sub(before);
    eprintln!(
        "{} floods: {grown} bytes more than {before}",
        connections.len()
    );
    assert!(
        grown < EACH * connections.len() as u64,
        "{grown} bytes more"
    );
}

#[tokio::test]
async fn a_flood_that_is_not_read_takes_little_memory() {
    let home = Home::new();
    let site = home.serve(&[]);
    let mut connections = Vec::new();
    for _ in 0..8 {
        connections.push(RawConnection::open(&site.base).await);
    }
    assert_floods_take_little_memory(&site, &mut connections, 7000).await;
}

#[tokio::test]
async fn a_flood_behind_an_open_stream_takes_little_memory() {
    let home = Home::new();
    let site = home.serve(&["--streams-per-person", "8"]);
    let alice = site.sign_up("alice").await;
    let mut connections = Vec::new();
    for _ in 0..8 {
        let mut connection = RawConnection::open(&site.base).await;
        open_stream(&mut connection, &alice).await;
        connections.push(connection);
    }
    assert_floods_take_little_memory(&site, &mut connections, 2000).await;
}

#[tokio::test]
async fn requests_sent_together_are_answered_in_their_order() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = post(&alice, "sent with others").await;
    let chunked = "POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\
                   3\r\na=b\r\n0\r\n\r\n";
    let all = [
        "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n",
        &form,
        "GET /@alice HTTP/1.1\r\nHost: x\r\n\r\n",
        chunked,
        "GET /nothing/here HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ]
    .concat();
    for size in [all.len(), 1000, 7] {
        let mut connection = RawConnection::open(&site.base).await;
        for piece in all.as_bytes().chunks(size) {
            connection.send(piece).await;
        }
        assert!(connection.answer().await.html.contains("User-agent"));
        assert_eq!(connection.answer().await.status, 303);
        let profile = connection.answer().await;
        assert!(profile.html.contains("sent with others"), "{size}");
        assert_eq!(connection.answer().await.status, 415);
        assert_eq!(connection.answer().await.status, 404);
        assert_eq!(connection.answer().await.status, 200);
        assert!(connection.ended().await.is_empty());
    }
    assert_eq!(alice.home_ids().await.len(), 1);
}

#[tokio::test]
async fn after_connection_close_nothing_is_done() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = post(&alice, "too late").await;
    let mut connection = RawConnection::open(&site.base).await;
    let last = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    connection.send(format!("{last}{form}")).await;
    assert_eq!(connection.answer().await.status, 200);
    assert!(connection.ended().await.is_empty());
    assert_eq!(alice.home_ids().await.len(), 0);
    // The same form is accepted on a working connection.
    let mut connection = RawConnection::open(&site.base).await;
    connection.send(&form).await;
    assert_eq!(connection.answer().await.status, 303);
    assert_eq!(alice.home_ids().await.len(), 1);
}

/// The server library reuses the heads of its responses.
#[tokio::test]
async fn a_request_over_http_1_0_ends_its_own_connection_only() {
    let site = Site::with(&["--threads", "1"]).await;
    let mut lasting = RawConnection::open(&site.base).await;
    for _ in 0..20 {
        let mut old = RawConnection::open(&site.base).await;
        old.send("GET /healthz HTTP/1.0\r\n\r\n").await;
        assert_eq!(old.answer().await.status, 200);
        assert!(old.ended().await.is_empty());
        for path in ["/", "/healthz", "/nowhere"] {
            lasting.get(path).await;
            lasting.answer().await;
        }
    }
}

#[tokio::test]
async fn behind_a_stream_nothing_is_done() {
    let site = Site::with(&["--streams-per-person", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = post(&alice, "too late").await;
    let mut connection = RawConnection::open(&site.base).await;
    open_stream(&mut connection, &alice).await;
    connection.send(&form).await;
    let _in_its_place = OpenPage::home(&alice).await;
    let rest = String::from_utf8(connection.ended().await).expect("events");
    assert!(rest.contains("crowded") && !rest.contains("HTTP/1.1"));
    assert_eq!(alice.home_ids().await.len(), 0);
}

#[tokio::test]
async fn a_client_that_leaves_its_stream_behind_a_flood_makes_room_soon() {
    let site = Site::with(&["--max-streams", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut connection = RawConnection::open(&site.base).await;
    open_stream(&mut connection, &alice).await;
    connection.send(REQUEST.repeat(2000)).await;
    assert_eq!(
        request_stream(&alice, None, None).await.status().as_u16(),
        503
    );
    let left = Instant::now();
    connection.leave().await;
    eventually("there is room again", async || {
        request_stream(&alice, None, None).await.status() == StatusCode::OK
    })
    .await;
    let took = left.elapsed();
    assert!(took < SOON, "after {took:?}");
}

#[tokio::test]
async fn a_client_that_sends_endlessly_behind_its_stream_is_ended() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut connection = RawConnection::open(&site.base).await;
    open_stream(&mut connection, &alice).await;
    connection
        .ended_by_repeating(REQUEST.repeat(100).as_bytes())
        .await;
}
