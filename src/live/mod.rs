//! The open streams of this process and the task that reads for all of them. Each message of a stream is
//! read from Redis, so a lost or repeated notice changes nothing. It knows no HTTP.

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

pub use self::{open::Event, stream::Stream, table::Full};

use crate::store::{self, Error, LiveQuery, LiveState, Store};
use open::Failing;
use table::Table;

/// Interval at which each stream reads and sends a comment, even without a notice. That checks its
/// session, finds lost notices, and keeps proxies from closing it.
pub const BETWEEN_BEATS: Duration = Duration::from_secs(25);
/// Interval between parts: the streams take turns, one part per second.
const BEAT: Duration = Duration::from_secs(1);
/// Number of concurrent reads.
const AT_A_TIME: usize = 100;
/// Number of concurrent retries, beside the others. If a part of Redis is unavailable for long, all of
/// its streams retry.
const RETRIES_AT_A_TIME: usize = 50;

/// All open streams of all threads. Clones share them.
#[derive(Clone)]
pub struct Streams(Arc<Open>);

struct Open {
    table: Mutex<Table>,
    /// Signals streams that have to read.
    waiting: Notify,
}

/// The tasks that serve the streams, for as long as the server runs.
pub struct Tasks([JoinHandle<()>; 2]);

impl Streams {
    /// Creates an empty set of streams and starts its tasks on the calling runtime. Streams use at most
    /// half of the connections, which leaves the rest to pages.
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
    /// # Errors [`Full`] if the limit is reached or the server stops.
    pub fn open(&self, glance: LiveQuery) -> Result<Stream, Full> {
        let (number, events) = self.table().open(glance)?;
        self.0.waiting.notify_one();
        Ok(Stream::new(number, events, self.clone()))
    }

    /// Ends all streams and refuses new ones.
    pub fn close(&self) {
        self.table().close();
    }

    fn end(&self, number: u64) {
        self.table().remove(number);
    }

    /// Serves the streams. A read that Redis does not answer delays no other stream.
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

    /// Passes the result of a read to its stream. A failed read is repeated at a later beat and logged
    /// once.
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
    /// Ends the tasks and their connections.
    pub fn stop(self) {
        for task in self.0 {
            task.abort();
        }
    }
}
