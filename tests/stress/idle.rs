//! Idle connections: they cost little, they are closed, and they block no other client.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::{Duration, Instant},
};

use super::raw_connection::{RawConnection, parts};
use crate::support::{
    Person, Site,
    process::{Home, ORIGIN, Process, signal},
    request::client,
    waiting::{eventually, pause_for},
};

/// Returns the current or peak memory of the process in bytes, or 0 on a system that does not
/// report it.
pub fn memory_of(process: &Process, field: &str) -> u64 {
    let path = format!("/proc/{}/status", process.id());
    let status = std::fs::read_to_string(path).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    kib.unwrap_or(0) * 1024
}

/// Raises this process's limit of open files to the maximum, because each connection needs one.
pub fn raise_the_limit_of_files() {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is valid for reads and writes.
    let raised = unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit)
    };
    assert_eq!(raised, 0, "the limit of files can be raised");
}

/// Opens this many connections that each sent one request.
async fn idle(base: &str, count: usize) -> Vec<RawConnection> {
    let mut connections = Vec::with_capacity(count);
    for _ in 0..count {
        let mut connection = RawConnection::open(base).await;
        connection.get("/healthz").await;
        assert_eq!(connection.answer().await.status, 200);
        connections.push(connection);
    }
    connections
}

/// Returns the time until a page is received completely.
pub async fn time_of(person: &Person, path: &str) -> Duration {
    let since = Instant::now();
    let page = person.get(path).await;
    assert_eq!(page.status, 200, "{path}");
    since.elapsed()
}

#[tokio::test]
async fn two_thousand_idle_connections_cost_little_and_delay_no_one() {
    const CONNECTIONS: u64 = 2000;
    raise_the_limit_of_files();
    let home = Home::new();
    let site = home.serve(&["--keep-alive-ms", "60000"]);
    let alice = site.sign_up("alice").await;
    alice.post("hello").await;
    let before = memory_of(&site, "VmRSS");
    let connections = idle(&site.base, 2000).await;
    let after = memory_of(&site, "VmRSS");
    let each = after.saturating_sub(before) / CONNECTIONS;
    let times = (
        time_of(&alice, "/healthz").await,
        time_of(&alice, "/").await,
    );
    eprintln!("RSS {before} before, {after} with {CONNECTIONS} idle: {each} each; {times:?}");
    assert!(each < 40_000, "{each} bytes for each connection");
    drop(connections);
}

#[tokio::test]
async fn an_idle_connection_is_closed_after_the_keep_alive_time() {
    let site = Site::with(&["--keep-alive-ms", "300"]).await;
    let mut connections = idle(&site.base, 3).await;
    for connection in &mut connections {
        assert!(connection.ended().await.is_empty(), "without a response");
    }
}

/// The site was busy while the idle time ended and the requests arrived.
#[tokio::test]
async fn a_request_that_arrives_before_an_idle_connection_is_closed_is_answered() {
    let home = Home::new();
    let site = home.serve(&["--keep-alive-ms", "3000"]);
    let alice = site.sign_up("alice").await;
    let form = alice.open("/").await.form("/statuses");
    let (head, body) = parts(&alice, &form.set("message", "hello"));
    let mut connections = idle(&site.base, 50).await;
    signal("STOP", site.id());
    for (at, connection) in connections.iter_mut().enumerate() {
        match at % 10 {
            1 => connection.send(format!("{head}{body}")).await,
            _ => connection.get("/healthz").await,
        }
    }
    pause_for(Duration::from_millis(3500)).await;
    signal("CONT", site.id());
    for (at, connection) in connections.iter_mut().enumerate() {
        let expected = if at % 10 == 1 { 303 } else { 200 };
        assert_eq!(connection.answer().await.status, expected);
    }
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let site = Site::with(&["--request-head-ms", "300"]).await;
    RawConnection::open(&site.base).await.ended().await;
}

/// Half as many clients again as connections are allowed, and none of them leaves.
#[tokio::test]
async fn idle_connections_make_room_for_newcomers() {
    let home = Home::new();
    let site = home.serve(&["--keep-alive-ms", "600000", "--max-connections", "40"]);
    let connections = idle(&site.base, 60).await;
    let visitor = Person::at(client(), &site.base, ORIGIN);
    assert_eq!(visitor.get("/healthz").await.status, 200);
    assert_eq!(visitor.get("/").await.status, 200);
    assert!(site.log().contains("idle connections make room"));
    drop(connections);
}

#[tokio::test]
async fn silent_connections_make_room_too() {
    let home = Home::new();
    let site = home.serve(&["--request-head-ms", "600000", "--max-connections", "20"]);
    let mut connections = Vec::new();
    for _ in 0..30 {
        connections.push(RawConnection::open(&site.base).await);
    }
    let visitor = Person::at(client(), &site.base, ORIGIN);
    eventually("a newcomer is answered", async || {
        visitor.get("/").await.status == 200
    })
    .await;
}

#[tokio::test]
async fn one_address_has_a_part_of_the_connections() {
    let (one, other) = (Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3));
    let settings = [
        "--max-connections",
        "160",
        "--trusted-proxies",
        "192.0.2.1/32",
    ];
    let site = Site::with(&settings).await;
    let mut connections = Vec::new();
    for _ in 0..20 {
        let mut connection = RawConnection::open_from(one, &site.base).await;
        connection.get("/healthz").await;
        assert_eq!(connection.answer().await.status, 200);
        connections.push(connection);
    }
    RawConnection::open_from(one, &site.base)
        .await
        .ended()
        .await;
    let mut newcomer = RawConnection::open_from(other, &site.base).await;
    newcomer.get("/healthz").await;
    assert_eq!(newcomer.answer().await.status, 200);
    drop(connections);
    let again = reqwest::Client::builder().local_address(IpAddr::from(one));
    let again = again.build().expect("a client");
    let path = format!("{}/healthz", site.base);
    eventually("there is room again", async || {
        again.get(&path).send().await.is_ok()
    })
    .await;
}

#[tokio::test]
async fn a_low_limit_of_open_files_logs_a_warning() {
    let home = Home::new();
    let site = home.serve(&["--max-connections", "1000000"]);
    assert!(
        site.log().contains("REDWING_MAX_CONNECTIONS"),
        "{}",
        site.log()
    );
}
