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
mod tests;
