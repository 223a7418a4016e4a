//! What a connection does at the moment: what the watch over connections goes by.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use futures_util::{
    Stream,
    stream::{AbortHandle, Abortable, abortable},
};

/// Of one connection. Clones are of the same.
#[derive(Clone)]
pub struct Activity(Arc<Mutex<Doing>>);

#[derive(Debug, Clone)]
pub enum Doing {
    /// No request is under way, since then.
    Nothing(Instant),
    /// The body of a form arrives, since then.
    Receiving(Instant),
    /// A request is answered.
    Answering,
    /// A stream is sent, which may be quiet for as long as it likes. Its handle ends it.
    Streaming(AbortHandle),
}

/// A request under way, until this is dropped.
pub(super) struct UnderWay(Activity);

/// A body that arrives, until this is dropped.
pub(super) struct Arriving(Activity);

/// A stream that is sent, until this is dropped: it outlasts its request.
pub(super) struct Streaming(Activity);

impl Activity {
    /// A connection that was just opened.
    #[must_use]
    pub fn begun() -> Self {
        Self(Arc::new(Mutex::new(Doing::Nothing(Instant::now()))))
    }

    #[must_use]
    pub fn doing(&self) -> Doing {
        self.state().clone()
    }

    /// A request has arrived. A connection answers them one after the other.
    pub(super) fn request(&self) -> UnderWay {
        *self.state() = Doing::Answering;
        UnderWay(self.clone())
    }

    /// The body of the request under way is waited for.
    pub(super) fn body(&self) -> Arriving {
        *self.state() = Doing::Receiving(Instant::now());
        Arriving(self.clone())
    }

    /// The answer to the request under way is a stream.
    pub(super) fn stream<S: Stream>(&self, sent: S) -> (Abortable<S>, Streaming) {
        let (sent, end) = abortable(sent);
        *self.state() = Doing::Streaming(end);
        (sent, Streaming(self.clone()))
    }

    fn state(&self) -> MutexGuard<'_, Doing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if !matches!(*state, Doing::Streaming(_)) {
            *state = Doing::Nothing(Instant::now());
        }
    }
}

impl Drop for Streaming {
    fn drop(&mut self) {
        *self.0.state() = Doing::Nothing(Instant::now());
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        *self.0.state() = Doing::Answering;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet_since(activity: &Activity) -> Option<Instant> {
        match activity.doing() {
            Doing::Nothing(since) => Some(since),
            Doing::Receiving(_) | Doing::Answering | Doing::Streaming(_) => None,
        }
    }

    #[test]
    fn a_connection_is_quiet_from_its_last_answer_on() {
        let activity = Activity::begun();
        let opened = quiet_since(&activity).expect("nothing was asked yet");
        let request = activity.request();
        assert!(matches!(activity.doing(), Doing::Answering));
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
        assert!(matches!(activity.doing(), Doing::Answering));
    }
}
