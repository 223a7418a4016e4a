use std::{pin::pin, task::Waker, time::Duration};

use futures_util::poll;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
    task::unconstrained,
};

use super::*;

const GET: &str = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

struct Client {
    wire: DuplexStream,
    gate: Gate<DuplexStream>,
}

impl Client {
    /// Creates a client whose connection to the gate buffers this many bytes.
    fn with_room(bytes: usize) -> Self {
        Self::with(bytes, Duration::from_secs(5))
    }

    fn with(bytes: usize, keep_alive: Duration) -> Self {
        let (wire, socket) = duplex(bytes);
        let patience = Duration::from_secs(5);
        let config = ServiceConfig::new(patience.into(), patience, Duration::ZERO, false, None);
        let gate = Gate::new(socket, config, keep_alive, ResponseBuffers::default());
        Self { wire, gate }
    }

    async fn say(&mut self, words: &str) {
        let said = self.wire.write_all(words.as_bytes()).await;
        said.expect("there is room for it");
    }

    /// Returns the bytes that the gate passes on now.
    fn passed(&mut self) -> String {
        let mut passed = Vec::new();
        while let Poll::Ready(read) = self.read(&mut passed) {
            assert_ne!(read.expect("it is read"), 0, "the client is there");
        }
        String::from_utf8(passed).expect("text")
    }

    fn read(&mut self, passed: &mut Vec<u8>) -> Poll<io::Result<usize>> {
        let read = pin!(unconstrained(self.gate.read_buf(passed)));
        read.poll(&mut Context::from_waker(Waker::noop()))
    }

    fn answer(&self) {
        drop(self.gate.activity().request());
    }
}

#[actix_web::test]
async fn a_request_is_passed_on_after_the_previous_response() {
    let mut client = Client::with_room(1 << 20);
    client.say(&GET.repeat(7000)).await;
    for _ in 0..3000 {
        assert_eq!(client.passed(), GET);
        assert_eq!(client.passed(), "");
        client.answer();
    }
    assert!(client.gate.held.len() <= READ);
}

#[actix_web::test]
async fn a_body_is_passed_on_with_its_request() {
    let declared = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    let chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\
                   3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
    for form in [declared, chunked] {
        for size in 1..form.len() {
            let mut client = Client::with_room(1 << 20);
            let (begin, rest) = form.split_at(size);
            client.say(begin).await;
            assert_eq!(client.passed(), begin);
            client.say(rest).await;
            client.say(GET).await;
            assert_eq!(client.passed(), rest);
            client.answer();
            assert_eq!(client.passed(), GET);
        }
    }
}

#[actix_web::test]
async fn an_early_response_passes_on_the_rest_of_the_body_and_the_next_request() {
    let mut client = Client::with_room(1 << 20);
    let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n";
    client.say(head).await;
    assert_eq!(client.passed(), head);
    client.answer();
    client.say(&format!("hello{GET}")).await;
    assert_eq!(client.passed(), format!("hello{GET}"));
}

#[actix_web::test]
async fn after_the_last_request_only_the_end_of_file_is_passed_on() {
    for asked in [true, false] {
        let mut client = Client::with_room(1 << 20);
        let last = if asked {
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        } else {
            GET
        };
        client.say(&format!("{last}{GET}")).await;
        assert_eq!(client.passed(), last);
        if !asked {
            client.gate.activity().close();
        }
        client.answer();
        assert_eq!(client.passed(), "");
        client.say(GET).await;
        assert_eq!(client.passed(), "");
        client.wire.shutdown().await.expect("it is open");
        let end = client
            .read(&mut Vec::new())
            .map(|read| read.expect("an end"));
        assert_eq!(end, Poll::Ready(0));
    }
}

#[actix_web::test]
async fn an_idle_connection_ends_only_if_no_request_has_arrived() {
    let mut client = Client::with(1 << 20, Duration::from_millis(1));
    for _ in 0..2 {
        client.say(GET).await;
        assert_eq!(client.passed(), GET);
        client.answer();
        client.gate.write_all(b"x").await.expect("there is room");
        client.gate.flush().await.expect("it is open");
        let end = client.gate.end_of_idle.as_mut();
        end.expect("the idle time has begun").await;
    }
    let end = client.gate.read(&mut [0; 8]).await;
    assert_eq!(end.expect("it is read"), 0);
}

#[actix_web::test]
async fn a_response_under_way_is_not_idle() {
    let mut client = Client::with(1 << 20, Duration::from_millis(1));
    client.say(GET).await;
    assert_eq!(client.passed(), GET);
    let _request = client.gate.activity().request();
    client.gate.write_all(b"x").await.expect("there is room");
    client.gate.flush().await.expect("it is open");
    let end = client.gate.end_of_idle.as_mut();
    end.expect("the time is set").await;
    assert_eq!(client.passed(), "");
}

#[actix_web::test]
async fn excess_input_after_the_last_request_is_an_error() {
    let mut client = Client::with_room(1 << 20);
    client.say("GET / HTTP/1.0\r\n\r\n").await;
    client.passed();
    client.say(&"x".repeat(UNHEARD + 1)).await;
    assert!(matches!(client.read(&mut Vec::new()), Poll::Ready(Err(_))));
}

#[actix_web::test]
async fn a_head_in_tiny_pieces_ends_the_connection() {
    let mut client = Client::with_room(1 << 20);
    // A usual head may come letter by letter, and a body may come in any pieces.
    let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n";
    for letter in [post, &"x".repeat(9000)].concat().chars() {
        client.say(&letter.to_string()).await;
        client.passed();
    }
    client.answer();
    client.say("GET / HTTP/1.1\r\nHost: x\r\nCookie: ").await;
    client.passed();
    let mut sent = 0;
    loop {
        client.say("x").await;
        sent += 1;
        match client.read(&mut Vec::new()) {
            Poll::Ready(Ok(_)) => assert!(sent < 3000, "the head is still read"),
            Poll::Ready(Err(_)) => break,
            Poll::Pending => {}
        }
    }
    assert!(sent > 1500, "{sent}");
}

#[actix_web::test]
async fn malformed_input_is_passed_on() {
    let mut client = Client::with_room(1 << 20);
    client.say("\0\u{1}\r\n\r\n").await;
    assert_eq!(client.passed(), "\0\u{1}\r\n\r\n");
    client.say("more").await;
    assert_eq!(client.passed(), "more");
}

#[actix_web::test]
async fn a_client_that_reads_no_response_sends_no_further_request() {
    let mut client = Client::with_room(64);
    client.say(GET).await;
    client.passed();
    let answer = [b'x'; 65];
    assert!(poll!(Box::pin(client.gate.write_all(&answer))).is_pending());
    client.answer();
    client.say(GET).await;
    assert_eq!(client.passed(), "");
    client.wire.read_exact(&mut [0; 64]).await.expect("read");
    client.gate.write_all(b"x").await.expect("there is room");
    client.gate.flush().await.expect("it is open");
    assert_eq!(client.passed(), GET);
}
