//! A gate between a socket and the HTTP library. The library reads ahead and stores every request
//! it finds. The gate passes on one request at a time: the next one when the previous response is
//! being written, and none after the last. It also ends idle connections. The library would look at its timer
//! before it looks at the socket, so it would drop a request that has arrived.

use std::{
    io,
    mem::{MaybeUninit, take},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use actix_codec::{AsyncRead, AsyncWrite, Decoder, ReadBuf};
use actix_http::{
    ServiceConfig,
    h1::{Codec, Message, MessageType},
};
use actix_web::{
    rt::time::{Instant, Sleep, sleep_until},
    web::BytesMut,
};

use crate::web::http::activity::{Activity, ConnectionUse, Next, ResponseBuffers};

/// The size of one read, in bytes, and so the upper bound of held bytes.
const READ: usize = 8 * 1024;
/// How many bytes a client may send after its last request. They are read to notice that the client
/// leaves.
const UNHEARD: usize = 64 * 1024;
/// How many bytes of one head may be parsed. An incomplete head is parsed again with each piece that arrives, so a head
/// in tiny pieces would take much processor time.
const MAX_PARSED: usize = 2 * 1024 * 1024;

/// Time from the end of the idle time to the last look at the socket.
const LAST_LOOK: Duration = Duration::from_millis(10);

/// A socket that passes on one request at a time.
pub(super) struct Gate<T> {
    socket: T,
    activity: Activity,
    state: State,
    /// Finds the ends of requests, like the library's own codec.
    codec: Codec,
    /// Bytes that were passed on but are not decoded yet: an incomplete head.
    partial: BytesMut,
    /// Bytes of the arriving head that were parsed, all times together.
    parsed: usize,
    /// The head of the arriving request is complete.
    has_head: bool,
    /// Bytes that arrived too early.
    held: BytesMut,
    /// How many complete requests were passed on.
    requests: u64,
    /// How many bytes arrived after the last request.
    unheard: usize,
    /// The client does not read its responses.
    stuck: bool,
    /// The most bytes that the library had to write at once.
    largest: usize,
    /// How long the connection may be idle after a response.
    keep_alive: Duration,
    /// Ends that time. Set while a response was written and nothing has arrived since.
    end_of_idle: Option<Pin<Box<Sleep>>>,
    /// The time has ended, and the runtime looks at the socket once more. A read of a socket that it has not looked at
    /// is pending although a request has arrived.
    is_last_look: bool,
    /// Bytes were written since the last flush.
    has_written: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A request may arrive, or is arriving.
    Open,
    /// A complete request was passed on and has no response yet.
    Shut,
    /// The last request was passed on.
    Over,
    /// The input is not a request: the library responds with an error and closes.
    Refused,
}

impl<T: AsyncRead + Unpin> Gate<T> {
    /// Creates the gate of a new connection, which may be idle for this time after a response.
    pub fn new(
        socket: T,
        config: ServiceConfig,
        keep_alive: Duration,
        buffers: ResponseBuffers,
    ) -> Self {
        Self {
            socket,
            activity: Activity::begun(buffers),
            state: State::Open,
            codec: Codec::new(config),
            partial: BytesMut::new(),
            parsed: 0,
            has_head: false,
            held: BytesMut::new(),
            requests: 0,
            unheard: 0,
            stuck: false,
            largest: 0,
            keep_alive,
            end_of_idle: None,
            is_last_look: false,
            has_written: false,
        }
    }

    pub fn socket(&self) -> &T {
        &self.socket
    }

    pub(super) fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Reads the next bytes to hold. Ready with `false` at end of file.
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<io::Result<bool>> {
        let mut room = [MaybeUninit::uninit(); READ];
        let mut read = ReadBuf::uninit(&mut room);
        ready!(Pin::new(&mut self.socket).poll_read(context, &mut read))?;
        self.held.extend_from_slice(read.filled());
        self.end_of_idle = None;
        Poll::Ready(Ok(!read.filled().is_empty()))
    }

    /// Passes on bytes of the request that is arriving. Ready without bytes at end of file.
    fn poll_request(
        &mut self,
        context: &mut Context<'_>,
        passed: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.parsed > MAX_PARSED {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        if self.held.is_empty() {
            ready!(self.poll_fill(context))?;
        }
        let came = self.held.len().min(passed.remaining());
        let belongs = self.follow(came);
        passed.put_slice(&self.held.split_to(belongs));
        if self.held.is_empty() {
            self.held = BytesMut::new();
        }
        Poll::Ready(Ok(()))
    }

    /// Returns how many of the bytes belong to the request that is arriving.
    fn follow(&mut self, came: usize) -> usize {
        self.partial.extend_from_slice(&self.held[..came]);
        if !self.has_head {
            self.parsed += self.partial.len();
        }
        loop {
            let whole = match self.codec.decode(&mut self.partial) {
                Ok(Some(Message::Item(_head))) => {
                    self.has_head = true;
                    self.codec.message_type() == MessageType::None
                }
                Ok(Some(Message::Chunk(chunk))) => chunk.is_none(),
                Ok(None) => {
                    if self.partial.is_empty() {
                        self.partial = BytesMut::new();
                    }
                    return came;
                }
                Err(_) => {
                    self.state = State::Refused;
                    return came;
                }
            };
            if whole {
                (self.parsed, self.has_head) = (0, false);
                self.requests += 1;
                let stays = self.codec.keep_alive();
                self.state = if stays { State::Shut } else { State::Over };
                return came.saturating_sub(take(&mut self.partial).len());
            }
        }
    }

    /// Ready when the next request may arrive; ready with `false` when the client has left.
    fn poll_open(&mut self, context: &mut Context<'_>) -> Poll<io::Result<bool>> {
        match self.activity.next(self.requests) {
            Some(Next::Nothing) => self.state = State::Over,
            Some(Next::Request) if !self.stuck => self.state = State::Open,
            _ if self.held.is_empty() => return self.poll_fill(context),
            _ => {
                self.activity.wake_after_answer(context.waker());
                return Poll::Pending;
            }
        }
        Poll::Ready(Ok(true))
    }

    /// Passes on the next bytes. Ready without bytes at end of file.
    fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        passed: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            match self.state {
                State::Open => return self.poll_request(context, passed),
                State::Shut => {
                    if !ready!(self.poll_open(context))? {
                        return Poll::Ready(Ok(()));
                    }
                }
                State::Over => return self.poll_end(context),
                State::Refused => return Pin::new(&mut self.socket).poll_read(context, passed),
            }
        }
    }

    /// Returns whether the connection was idle for too long, and nothing arrived until the last look.
    fn is_idle_for_too_long(&mut self, context: &mut Context<'_>) -> bool {
        let Some(end) = &mut self.end_of_idle else {
            return false;
        };
        if end.as_mut().poll(context).is_pending() {
            return false;
        }
        self.is_last_look = !self.is_last_look;
        if self.is_last_look {
            let mut end = Box::pin(sleep_until(Instant::now() + LAST_LOOK));
            if end.as_mut().poll(context).is_ready() {
                context.waker().wake_by_ref();
            }
            self.end_of_idle = Some(end);
            return false;
        }
        self.end_of_idle = None;
        matches!(self.activity.current_use(), ConnectionUse::Idle(_))
    }

    /// Reads and discards the rest until end of file.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            self.unheard += take(&mut self.held).len();
            if self.unheard > UNHEARD {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
            if !ready!(self.poll_fill(context))? {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Gate<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        passed: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let gate = self.get_mut();
        let next = gate.poll_next(context, passed);
        match next.is_pending() && gate.is_idle_for_too_long(context) {
            true => Poll::Ready(Ok(())),
            false => next,
        }
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Gate<T> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        answer: &[u8],
    ) -> Poll<io::Result<usize>> {
        let gate = self.get_mut();
        if answer.len() > gate.largest {
            gate.largest = answer.len();
            gate.activity.note_buffer(answer.len());
        }
        let written = Pin::new(&mut gate.socket).poll_write(context, answer);
        match &written {
            Poll::Pending => gate.stuck = true,
            Poll::Ready(Ok(_)) => gate.activity.note_taken(),
            Poll::Ready(Err(_)) => {}
        }
        gate.has_written = true;
        written
    }

    /// The library flushes when all its output is written.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let gate = self.get_mut();
        if take(&mut gate.stuck) {
            context.waker().wake_by_ref();
        }
        if take(&mut gate.has_written) {
            let mut end = Box::pin(sleep_until(Instant::now() + gate.keep_alive));
            if end.as_mut().poll(context).is_ready() {
                context.waker().wake_by_ref();
            }
            gate.end_of_idle = Some(end);
            gate.is_last_look = false;
        }
        Pin::new(&mut gate.socket).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, task::Waker, time::Duration};

    use futures_util::poll;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
        task::unconstrained,
    };

    use super::super::gate::*;

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
}
