//! Many forms that arrive slowly: their total memory is bounded, they block no other client, and
//! they leave nothing behind.

use super::{
    idle::{memory_of, raise_the_limit_of_files},
    raw_connection::RawConnection,
};
use crate::support::{
    Person,
    environment::variable,
    process::{Home, ORIGIN, Process},
    request::client,
    waiting::eventually,
};

/// Returns the start of a form that a client never completes.
fn unfinished(bytes: usize) -> String {
    format!(
        "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{}",
        bytes + 1,
        "x".repeat(bytes)
    )
}

/// Opens this many clients that each send all but the end of a form.
async fn slow_forms(site: &Process, count: usize, bytes: usize) -> Vec<RawConnection> {
    let form = unfinished(bytes);
    let mut connections = Vec::with_capacity(count);
    for _ in 0..count {
        let mut connection = RawConnection::open(&site.base).await;
        connection.send(&form).await;
        connections.push(connection);
    }
    connections
}

fn visitor(site: &Process) -> Person {
    Person::at(client(), &site.base, ORIGIN)
}

#[tokio::test]
async fn slow_forms_on_every_connection_make_room_the_slowest_first() {
    const CONNECTIONS: usize = 40;
    let home = Home::new();
    let site = home.serve(&["--max-connections", "40", "--request-ms", "600000"]);
    let mut connections = slow_forms(&site, CONNECTIONS, 100).await;
    let visitor = visitor(&site);
    for path in ["/healthz", "/", "/login"] {
        assert_eq!(visitor.get(path).await.status, 200, "{path}");
    }
    assert!(site.log().contains("slow forms make room"));
    let response = connections[0].answer().await;
    assert_eq!(response.status, 408, "{}", response.html);
    connections[0].ended().await;
}

/// Twice as many clients as connections are allowed: each that leaves makes room for the next slow
/// one.
#[tokio::test]
async fn slow_forms_that_wait_for_a_connection_block_no_other_client() {
    let home = Home::new();
    let site = home.serve(&["--max-connections", "40", "--request-ms", "600000"]);
    let connections = slow_forms(&site, 80, 100).await;
    assert_eq!(visitor(&site).get("/healthz").await.status, 200);
    drop(connections);
}

#[tokio::test]
async fn a_form_beyond_the_memory_for_forms_is_refused_at_once() {
    let home = Home::new();
    let site = home.serve(&["--max-arriving-bytes", "65536", "--request-ms", "600000"]);
    let visitor = visitor(&site);
    let log_in = visitor.open("/login").await.form("/login");
    let holding = slow_forms(&site, 1, 65_535).await;
    eventually("the memory is taken", async || {
        visitor.submit(&log_in).await.status == 503
    })
    .await;
    let mut beyond = slow_forms(&site, 1, 100).await;
    let response = beyond[0].answer().await;
    assert_eq!(response.status, 503);
    assert_eq!(response.headers["retry-after"], "5");
    for path in ["/healthz", "/", "/login"] {
        assert_eq!(visitor.get(path).await.status, 200, "{path}");
    }
    drop(holding);
    eventually("the memory is free again", async || {
        visitor.submit(&log_in).await.status == 422
    })
    .await;
}

#[tokio::test]
async fn a_thousand_slow_forms_take_bounded_memory() {
    const FORMS: usize = 1000;
    const ROOM: u64 = 4 * 1024 * 1024;
    /// Memory per connection, including the read-ahead buffer of the server library. Measured: 50
    /// to 70 KB.
    const EACH: u64 = 100_000;
    raise_the_limit_of_files();
    let home = Home::new();
    let site = home.serve(&["--max-arriving-bytes", "4194304", "--request-ms", "600000"]);
    let visitor = visitor(&site);
    assert_eq!(visitor.get("/login").await.status, 200);
    let before = memory_of(&site, "VmRSS");
    if before == 0 {
        assert!(
            variable("CI").is_none_or(|ci| ci != "true"),
            "CI needs /proc"
        );
        eprintln!("SKIPPED: memory is not looked at without /proc");
        return;
    }
    let connections = slow_forms(&site, FORMS, 60_000).await;
    assert_eq!(visitor.get("/healthz").await.status, 200);
    assert_eq!(visitor.get("/").await.status, 200);
    let grown = memory_of(&site, "VmHWM").saturating_sub(before);
    eprintln!("{FORMS} slow forms of 60,000 bytes: {grown} bytes more than {before} at most");
    assert!(grown < ROOM + EACH * FORMS as u64, "{grown} bytes more");
    drop(connections);
}
