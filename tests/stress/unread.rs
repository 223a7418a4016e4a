//! Responses that their clients do not read: they take little memory, and clients that read are served.

use super::{
    idle::{memory_of, raise_the_limit_of_files},
    raw_connection::RawConnection,
};
use crate::support::{
    Person, process::Home, process::ORIGIN, request::client, waiting::eventually,
};

const CONNECTIONS: usize = 1500;
/// Requests on each. The systems hold the first responses.
const REQUESTS: usize = 3;
/// The limit of the response buffers of a process, and the memory that a connection takes besides.
const BUFFER_BYTES: u64 = 32 * 1024 * 1024;
const BYTES_OF_CONNECTION: u64 = 40_000;
/// The memory of the requests in progress. Tests beside this one delay the end of connections, so more are in progress
/// then. All three together allow 118,554,432 bytes. Without a limit, buffers and connections would take 152,000,000.
const PROGRESS_BYTES: u64 = 25_000_000;

#[tokio::test]
async fn unread_responses_take_a_limited_memory_and_readers_are_served() {
    raise_the_limit_of_files();
    let home = Home::new();
    // No share of a network bounds the requests.
    let requests = ["--max-requests", "100000"];
    let posts = ["--keep-alive-ms", "60000", "--posts-per-hour", "1000000"];
    let site = home.serve(&[&requests[..], &posts].concat());
    let alice = site.sign_up("alice").await;
    for number in 0..30 {
        alice.post(&format!("{number} {}", "日".repeat(490))).await;
    }
    let visitor = Person::at(client(), &site.base, ORIGIN);
    let page_bytes = visitor.get("/@alice").await.html.len();
    assert!(page_bytes > 50_000, "{page_bytes}");
    let before = memory_of(&site, "VmHWM");
    let mut connections = Vec::new();
    for number in 0..CONNECTIONS {
        let mut connection = RawConnection::open_with_little_room(&site.base).await;
        for _ in 0..REQUESTS {
            connection.get("/@alice").await;
        }
        connections.push(connection);
        if number % 100 == 99 {
            assert_eq!(visitor.get("/@alice").await.html.len(), page_bytes);
        }
    }
    let warning = "connections with large buffers make room";
    eventually("connections are ended", async || {
        site.log().contains(warning)
    })
    .await;
    assert_eq!(visitor.get("/@alice").await.html.len(), page_bytes);
    let grown = memory_of(&site, "VmHWM").saturating_sub(before);
    eprintln!("{CONNECTIONS} unread pages of {page_bytes} bytes: {grown} bytes more than {before}");
    let most = BUFFER_BYTES + PROGRESS_BYTES + BYTES_OF_CONNECTION * CONNECTIONS as u64;
    assert!(grown < most, "{grown} bytes more");
    // The first one is ended; the last one still gets its page.
    let first = connections.remove(0).ended().await.len();
    assert!(first < REQUESTS * page_bytes, "{first}");
    let last = connections.pop().expect("the last").answer().await;
    assert_eq!(last.html.len(), page_bytes);
}
