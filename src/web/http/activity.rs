//! The current activity of a connection, and its count of answered requests. The connection watch
//! and the gate read it.

use std::{sync::Arc, task::Waker, time::Instant};

use futures_util::{
    Stream,
    stream::{AbortHandle, Abortable, abortable},
};
use parking_lot::Mutex;

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
    pub fn begun() -> Self {
        Self(Arc::new(Mutex::new(State {
            current_use: ConnectionUse::Idle(Instant::now()),
            answered: 0,
            over: false,
            waiting: None,
        })))
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
        let activity = Activity::begun();
        let opened = quiet_since(&activity).expect("nothing was asked yet");
        let request = activity.request();
        assert!(matches!(activity.current_use(), ConnectionUse::Responding));
        drop(request);
        assert!(quiet_since(&activity).is_some_and(|since| since >= opened));
    }

    #[test]
    fn a_stream_outlives_its_request_and_is_idle_after_its_end() {
        let activity = Activity::begun();
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
        let activity = Activity::begun();
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
        let activity = Activity::begun();
        let _request = activity.request();
        let body = activity.body();
        assert!(matches!(
            activity.current_use(),
            ConnectionUse::Receiving(_)
        ));
        drop(body);
        assert!(matches!(activity.current_use(), ConnectionUse::Responding));
    }
}
