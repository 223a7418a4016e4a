//! The current activity of a connection, and its count of answered requests. The connection watch
//! and the gate read it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::Waker,
    time::Instant,
};

use futures_util::{
    Stream,
    stream::{AbortHandle, Abortable, abortable},
};
use parking_lot::Mutex;
use tokio::sync::Notify;

/// Bytes of the response buffers of all connections of this process. The buffer of a connection grows to its largest
/// response, about 60,000 bytes for a long page, and the server library keeps it until the connection ends.
const MAX_BUFFER_BYTES: u64 = 32 * 1024 * 1024;

/// The size of a response buffer that each connection has from its begin, in bytes. It does not count.
const FIRST_BUFFER: usize = 8 * 1024;

/// The bytes of the response buffers of all connections. Clones share them.
#[derive(Clone, Default)]
pub struct ResponseBuffers(Arc<AllBuffers>);

#[derive(Default)]
struct AllBuffers {
    bytes: AtomicU64,
    too_many: Notify,
}

impl ResponseBuffers {
    fn replace(&self, before: u64, now: u64) {
        let all = &self.0.bytes;
        if now <= before {
            all.fetch_sub(before - now, Ordering::Relaxed);
        } else if all.fetch_add(now - before, Ordering::Relaxed) + now - before > MAX_BUFFER_BYTES {
            self.0.too_many.notify_one();
        }
    }

    /// Returns when there are too many bytes.
    pub async fn too_many(&self) {
        self.0.too_many.notified().await;
    }

    /// Returns how many bytes have to go if there are too many: a quarter more, so that the next look is not due at once.
    pub fn excess(&self) -> u64 {
        match self.0.bytes.load(Ordering::Relaxed) {
            bytes if bytes > MAX_BUFFER_BYTES => bytes - MAX_BUFFER_BYTES / 4 * 3,
            _ => 0,
        }
    }
}

/// The activity of one connection. Clones share it.
#[derive(Clone)]
pub struct Activity(Arc<Mutex<State>>);

struct State {
    current_use: ConnectionUse,
    /// How many requests have been handled.
    answered: u64,
    /// The last response of this connection was sent.
    over: bool,
    /// The task that waits for a response.
    waiting: Option<Waker>,
    /// The bytes of the response buffer.
    buffer: u64,
    /// The time at which the client took bytes of a response last.
    last_taken: Instant,
    buffers: ResponseBuffers,
}

impl State {
    fn set_buffer(&mut self, bytes: u64) {
        self.buffers.replace(self.buffer, bytes);
        self.buffer = bytes;
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.set_buffer(0);
    }
}

#[derive(Debug, Clone)]
pub enum ConnectionUse {
    /// No request is in progress, since this time.
    Idle(Instant),
    /// The body of a form is arriving, since this time.
    Receiving(Instant),
    Responding,
    /// A stream is being sent, which may be silent for any time. The handle ends it.
    Streaming(AbortHandle),
    /// A long response is being sent, since the time of its last piece.
    Sending(Instant),
}

/// The gate's next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// One more request.
    Request,
    /// Nothing: the connection closes after its last response.
    Nothing,
}

/// A request in progress, until dropped.
pub struct UnderWay(Activity);

/// A long response that is being sent, until dropped. It outlives its request.
pub struct Sending(Activity);

/// A body that is arriving, until dropped.
pub struct Arriving(Activity);

/// A stream that is being sent, until dropped. It outlives its request.
pub struct Streaming(Activity);

impl Activity {
    pub fn begun(buffers: ResponseBuffers) -> Self {
        Self(Arc::new(Mutex::new(State {
            current_use: ConnectionUse::Idle(Instant::now()),
            answered: 0,
            over: false,
            waiting: None,
            buffer: 0,
            last_taken: Instant::now(),
            buffers,
        })))
    }

    /// Notes the bytes of a response that are in the buffer.
    pub fn note_buffer(&self, bytes: usize) {
        let mut state = self.0.lock();
        if bytes > FIRST_BUFFER && bytes as u64 > state.buffer {
            state.set_buffer(bytes as u64);
        }
    }

    /// Notes that the client has taken bytes of a response.
    pub fn note_taken(&self) {
        self.0.lock().last_taken = Instant::now();
    }

    /// Returns the bytes of the response buffer, and the time at which the client took some last. `None` if the connection
    /// has a request in progress, or a stream.
    pub fn idle_buffer(&self) -> Option<(Instant, u64)> {
        let state = self.0.lock();
        let is_idle = matches!(
            state.current_use,
            ConnectionUse::Idle(_) | ConnectionUse::Sending(_)
        );
        (is_idle && state.buffer > 0).then_some((state.last_taken, state.buffer))
    }

    /// Counts the response buffer no longer: the connection was ended, or has a stream, whose number is limited.
    pub fn forget_buffer(&self) {
        self.0.lock().set_buffer(0);
    }

    #[must_use]
    pub fn current_use(&self) -> ConnectionUse {
        self.0.lock().current_use.clone()
    }

    /// Returns what may come after this many requests, or `None` while some have no response.
    pub fn next(&self, heard: u64) -> Option<Next> {
        let state = self.0.lock();
        match state.over {
            true => Some(Next::Nothing),
            false => (state.answered >= heard).then_some(Next::Request),
        }
    }

    /// Wakes the connection's task when the current request has its response.
    pub fn wake_after_answer(&self, task: &Waker) {
        self.0.lock().waiting = Some(task.clone());
    }

    /// Marks the response to the current request as the last.
    pub fn close(&self) {
        self.0.lock().over = true;
    }

    /// Marks the arrival of a request. A connection handles its requests one after another.
    #[must_use]
    pub fn request(&self) -> UnderWay {
        self.0.lock().current_use = ConnectionUse::Responding;
        UnderWay(self.clone())
    }

    pub fn body(&self) -> Arriving {
        self.0.lock().current_use = ConnectionUse::Receiving(Instant::now());
        Arriving(self.clone())
    }

    #[must_use]
    pub fn send(&self) -> Sending {
        self.0.lock().current_use = ConnectionUse::Sending(Instant::now());
        Sending(self.clone())
    }

    pub fn stream<S: Stream>(&self, sent: S) -> (Abortable<S>, Streaming) {
        let (sent, end) = abortable(sent);
        self.forget_buffer();
        self.0.lock().current_use = ConnectionUse::Streaming(end);
        (sent, Streaming(self.clone()))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.0.0.lock();
        let outlives = matches!(
            state.current_use,
            ConnectionUse::Streaming(_) | ConnectionUse::Sending(_)
        );
        if !outlives {
            state.current_use = ConnectionUse::Idle(Instant::now());
        }
        state.answered += 1;
        let waiting = state.waiting.take();
        drop(state);
        if let Some(waiting) = waiting {
            waiting.wake();
        }
    }
}

impl Drop for Streaming {
    fn drop(&mut self) {
        self.0.0.lock().current_use = ConnectionUse::Idle(Instant::now());
    }
}

impl Sending {
    /// Notes that the client has taken another piece.
    pub fn note_piece(&self) {
        self.0.0.lock().current_use = ConnectionUse::Sending(Instant::now());
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.0.lock().current_use = ConnectionUse::Idle(Instant::now());
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.0.0.lock().current_use = ConnectionUse::Responding;
    }
}

#[cfg(test)]
mod tests {
    use super::super::activity::*;

    fn quiet_since(activity: &Activity) -> Option<Instant> {
        match activity.current_use() {
            ConnectionUse::Idle(since) => Some(since),
            ConnectionUse::Receiving(_)
            | ConnectionUse::Responding
            | ConnectionUse::Streaming(_)
            | ConnectionUse::Sending(_) => None,
        }
    }

    #[test]
    fn a_connection_is_idle_after_its_last_response() {
        let activity = Activity::begun(ResponseBuffers::default());
        let opened = quiet_since(&activity).expect("nothing was asked yet");
        let request = activity.request();
        assert!(matches!(activity.current_use(), ConnectionUse::Responding));
        drop(request);
        assert!(quiet_since(&activity).is_some_and(|since| since >= opened));
    }

    #[test]
    fn a_stream_outlives_its_request_and_is_idle_after_its_end() {
        let activity = Activity::begun(ResponseBuffers::default());
        let request = activity.request();
        let (_sent, stream) = activity.stream(futures_util::stream::pending::<()>());
        drop(request);
        assert!(matches!(
            activity.current_use(),
            ConnectionUse::Streaming(_)
        ));
        drop(stream);
        assert!(quiet_since(&activity).is_some());
    }

    #[test]
    fn a_long_response_outlives_its_request_and_is_idle_after_its_end() {
        let activity = Activity::begun(ResponseBuffers::default());
        let request = activity.request();
        let sending = activity.send();
        drop(request);
        sending.note_piece();
        assert!(matches!(activity.current_use(), ConnectionUse::Sending(_)));
        drop(sending);
        assert!(quiet_since(&activity).is_some());
    }

    #[test]
    fn a_request_waits_for_its_body_before_the_response() {
        let activity = Activity::begun(ResponseBuffers::default());
        let _request = activity.request();
        let body = activity.body();
        assert!(matches!(
            activity.current_use(),
            ConnectionUse::Receiving(_)
        ));
        drop(body);
        assert!(matches!(activity.current_use(), ConnectionUse::Responding));
    }

    #[test]
    fn the_largest_response_of_a_connection_counts_until_it_ends_or_has_a_stream() {
        let all = ResponseBuffers::default();
        let bytes = || all.0.bytes.load(Ordering::Relaxed);
        let one = Activity::begun(all.clone());
        let other = Activity::begun(all.clone());
        one.note_buffer(FIRST_BUFFER);
        assert_eq!(bytes(), 0);
        one.note_buffer(MAX_BUFFER_BYTES as usize);
        other.note_buffer(10_000);
        other.note_buffer(9_000);
        assert_eq!(all.excess(), MAX_BUFFER_BYTES / 4 + 10_000);
        let taken = other.idle_buffer().expect("it is idle").0;
        other.note_taken();
        assert!(other.idle_buffer().is_some_and(|(last, _)| last >= taken));
        let request = other.request();
        assert_eq!(other.idle_buffer(), None);
        let _stream = other.stream(futures_util::stream::pending::<()>());
        drop(request);
        assert_eq!((bytes(), all.excess()), (MAX_BUFFER_BYTES, 0));
        one.forget_buffer();
        drop(one);
        assert_eq!(bytes(), 0);
    }
}
