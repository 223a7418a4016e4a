//! The open streams of this process: whose they are, what their pages have been told, and the one task
//! that looks for all of them. What a stream says is read anew each time, so that a message that was
//! lost, or came twice, changes nothing. Knows no HTTP.

mod open;
mod stream;
mod table;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::{
    select,
    sync::{Notify, mpsc::unbounded_channel},
    task::JoinHandle,
    time::{MissedTickBehavior, interval},
};

pub use stream::{Event, Stream};

use crate::store::{self, Error, LiveQuery, LiveState, Store};
use open::Failing;
use table::Table;

/// Each stream looks, and sends a comment, this often even where nothing is said: so its session is
/// looked at, what got lost is found, and no proxy takes it for dead.
pub const BETWEEN_BEATS: Duration = Duration::from_secs(25);
/// The streams take turns, one part of them each second.
const BEAT: Duration = Duration::from_secs(1);
/// How many streams look at a time.
const AT_A_TIME: usize = 100;
/// How many of those look again, beside the others, whose last look failed: where a part of Redis is
/// away for long, all of its streams do.
const RETRIES_AT_A_TIME: usize = 50;

/// All that are open, over all threads. Clones are of the same.
#[derive(Clone)]
pub struct Streams(Arc<Open>);

struct Open {
    table: Mutex<Table>,
    /// There are streams that have not looked since something was said.
    waiting: Notify,
}

/// There is no place for another stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// The tasks behind the streams, for as long as the server runs.
pub struct Tasks([JoinHandle<()>; 2]);

impl Streams {
    /// No streams yet, and the tasks that serve those to come, on the runtime that calls. They hold at
    /// most half of the connections, so that pages find theirs.
    #[must_use]
    pub fn start(store: &Store) -> (Self, Tasks) {
        let limits = &store.config().limits;
        let most = limits.max_streams.min(limits.max_connections.div_ceil(2));
        let (wishes, wished) = unbounded_channel();
        let streams = Self(Arc::new(Open {
            table: Mutex::new(Table::new(most, limits.streams_per_person, wishes)),
            waiting: Notify::new(),
        }));
        let told = streams.clone();
        let told = Arc::new(move |person| {
            told.table().mark(person);
            told.0.waiting.notify_one();
        });
        let subscription = store.fork().subscription(wished, told);
        let tasks = [
            tokio::spawn(subscription.run()),
            tokio::spawn(streams.clone().serve(store.fork())),
        ];
        (streams, Tasks(tasks))
    }

    /// Opens a stream.
    ///
    /// # Errors
    /// [`Full`] where as many are open as may be, and when the server stops.
    pub fn open(&self, glance: LiveQuery) -> Result<Stream, Full> {
        let (number, events) = self.table().open(glance)?;
        self.0.waiting.notify_one();
        Ok(Stream::new(number, events, self.clone()))
    }

    /// Ends all of them, and lets no other begin.
    pub fn close(&self) {
        self.table().close();
    }

    fn end(&self, number: u64) {
        self.table().remove(number);
    }

    /// Waits for no single look: one that Redis does not answer holds up no other and no beat.
    async fn serve(self, store: Store) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let parts = BETWEEN_BEATS.as_secs() / BEAT.as_secs();
        let mut turns = (0..parts).cycle();
        let (mut looks, mut retries) = (FuturesUnordered::new(), FuturesUnordered::new());
        loop {
            while looks.len() < AT_A_TIME
                && let Some((number, glance)) = self.table().take()
            {
                looks.push(look(&store, number, glance));
            }
            select! {
                () = self.0.waiting.notified() => {}
                Some((number, seen)) = looks.next() => self.tell(number, seen),
                Some((number, seen)) = retries.next() => self.tell(number, seen),
                _ = beats.tick() => {
                    self.table().beat(turns.next().unwrap_or_default(), parts);
                    while retries.len() < RETRIES_AT_A_TIME
                        && let Some((number, glance)) = self.table().take_failed()
                    {
                        retries.push(look(&store, number, glance));
                    }
                }
            }
        }
    }

    /// Tells a page what its stream saw. Where that is not known, it looks again at one of the next
    /// beats; the log has that once.
    fn tell(&self, number: u64, seen: store::Result<LiveState>) {
        let error = match seen {
            Ok(live_state_of) => return self.table().tell(number, &live_state_of),
            Err(error) => error,
        };
        match (self.table().fail(number), error) {
            (Failing::Since, error @ Error::Unexpected { .. }) => {
                tracing::error!(%error, "an open stream cannot look");
            }
            (_, error) => tracing::debug!(%error, "an open stream cannot look"),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn look(store: &Store, number: u64, glance: LiveQuery) -> (u64, store::Result<LiveState>) {
    (number, store.glance(&glance).await)
}

impl Tasks {
    /// Ends them, with the connections that they hold.
    pub fn stop(self) {
        for task in self.0 {
            task.abort();
        }
    }
}
