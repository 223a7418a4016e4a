//! What a connection does at the moment, and how many requests it has answered: what the watch over
//! connections and the gate before its requests go by.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
    time::Instant,
};

use futures_util::{
    Stream,
    stream::{AbortHandle, Abortable, abortable},
};

/// Of one connection. Clones are of the same.
#[derive(Clone)]
pub struct Activity(Arc<Mutex<State>>);

struct State {
    doing: Doing,
    /// Whose handlers have ended.
    answered: u64,
    /// An answer said that it is the last one.
    over: bool,
    /// Who waits for an answer.
    waiting: Option<Waker>,
}

#[derive(Debug, Clone)]
pub enum Doing {
    /// No request is under way, since then.
    Nothing(Instant),
    /// The body of a form arrives, since then.
    Receiving(Instant),
    /// A request is answered.
    ReplyTo,
    /// A stream is sent, which may be quiet for as long as it likes. Its handle ends it.
    Streaming(AbortHandle),
}

/// What a connection is to hear after what it has heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// One more request.
    Request,
    /// Nothing ever: it is closed after its last answer.
    Nothing,
}

/// A request under way, until this is dropped.
pub struct UnderWay(Activity);

/// A body that arrives, until this is dropped.
pub(in crate::web) struct Arriving(Activity);

/// A stream that is sent, until this is dropped: it outlasts its request.
pub(in crate::web) struct Streaming(Activity);

impl Activity {
    /// A connection that was just opened.
    #[must_use]
    pub fn begun() -> Self {
        Self(Arc::new(Mutex::new(State {
            doing: Doing::Nothing(Instant::now()),
            answered: 0,
            over: false,
            waiting: None,
        })))
    }

    #[must_use]
    pub fn doing(&self) -> Doing {
        self.state().doing.clone()
    }

    /// What comes after so many requests; `None` while not all of them are answered.
    #[must_use]
    pub fn next(&self, heard: u64) -> Option<Next> {
        let state = self.state();
        match state.over {
            true => Some(Next::Nothing),
            false => (state.answered >= heard).then_some(Next::Request),
        }
    }

    /// Wakes the connection's task when the request under way is answered.
    pub fn wake_after_answer(&self, task: &Waker) {
        self.state().waiting = Some(task.clone());
    }

    /// The answer to the request under way is the last one.
    pub fn close(&self) {
        self.state().over = true;
    }

    /// A request has arrived. A connection answers them one after the other.
    #[must_use]
    pub fn request(&self) -> UnderWay {
        self.state().doing = Doing::ReplyTo;
        UnderWay(self.clone())
    }

    /// The body of the request under way is waited for.
    pub(in crate::web) fn body(&self) -> Arriving {
        self.state().doing = Doing::Receiving(Instant::now());
        Arriving(self.clone())
    }

    /// The answer to the request under way is a stream.
    pub(in crate::web) fn stream<S: Stream>(&self, sent: S) -> (Abortable<S>, Streaming) {
        let (sent, end) = abortable(sent);
        self.state().doing = Doing::Streaming(end);
        (sent, Streaming(self.clone()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if !matches!(state.doing, Doing::Streaming(_)) {
            state.doing = Doing::Nothing(Instant::now());
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
        self.0.state().doing = Doing::Nothing(Instant::now());
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.0.state().doing = Doing::ReplyTo;
    }
}

#[cfg(test)]
mod tests {
    use super::super::activity::*;

    fn quiet_since(activity: &Activity) -> Option<Instant> {
        match activity.doing() {
            Doing::Nothing(since) => Some(since),
            Doing::Receiving(_) | Doing::ReplyTo | Doing::Streaming(_) => None,
        }
    }

    #[test]
    fn a_connection_is_quiet_from_its_last_answer_on() {
        let activity = Activity::begun();
        let opened = quiet_since(&activity).expect("nothing was asked yet");
        let request = activity.request();
        assert!(matches!(activity.doing(), Doing::ReplyTo));
        drop(request);
        assert!(quiet_since(&activity).is_some_and(|since| since >= opened));
    }

    #[test]
    fn a_stream_goes_on_after_its_request_and_is_quiet_from_its_end_on() {
        let activity = Activity::begun();
        let request = activity.request();
        let (_sent, stream) = activity.stream(futures_util::stream::pending::<()>());
        drop(request);
        assert!(matches!(activity.doing(), Doing::Streaming(_)));
        drop(stream);
        assert!(quiet_since(&activity).is_some());
    }

    #[test]
    fn a_request_is_answered_once_its_body_is_there() {
        let activity = Activity::begun();
        let _request = activity.request();
        let body = activity.body();
        assert!(matches!(activity.doing(), Doing::Receiving(_)));
        drop(body);
        assert!(matches!(activity.doing(), Doing::ReplyTo));
    }
}
