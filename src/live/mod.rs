//! The open streams of this process and the task that reads for all of them. Each message of a stream is
//! read from Redis, so a lost or repeated message changes nothing. This module does not know HTTP.

mod open;
mod stream;
mod table;

use std::{sync::Arc, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use parking_lot::Mutex;
use tokio::{
    select,
    sync::{Notify, mpsc::unbounded_channel},
    task::JoinHandle,
    time::{MissedTickBehavior, interval},
};

pub use self::{open::Event, stream::Stream, table::Full};

use crate::store::{self, Error, LiveQuery, LiveState, Store};
use open::ReadFailure;
use table::Table;

/// Interval at which each stream reads and sends a comment, even without a message. That checks its
/// session, finds lost messages, and keeps proxies from closing it.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(25);
/// Interval between reads of two parts of the streams.
const PART_INTERVAL: Duration = Duration::from_secs(1);
const MAX_READS: usize = 100;
/// Number of concurrent retries, beside the others, while a part of Redis is unavailable.
const MAX_RETRIES: usize = 50;

/// All open streams of all threads. Clones share them.
#[derive(Clone)]
pub struct Streams(Arc<OpenStreams>);

struct OpenStreams {
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
        let max_streams = limits.max_streams.min(limits.max_connections.div_ceil(2));
        let (requests, receiver) = unbounded_channel();
        let streams = Self(Arc::new(OpenStreams {
            table: Mutex::new(Table::new(max_streams, limits.streams_per_person, requests)),
            waiting: Notify::new(),
        }));
        let changed = streams.clone();
        let on_change = Arc::new(move |person| {
            changed.0.table.lock().mark_changed(person);
            changed.0.waiting.notify_one();
        });
        let subscription = store.fork().subscription(receiver, on_change);
        let tasks = [
            tokio::spawn(subscription.run()),
            tokio::spawn(streams.clone().serve(store.fork())),
        ];
        (streams, Tasks(tasks))
    }

    /// Opens a stream.
    ///
    /// # Errors [`Full`] if the limit is reached or the server stops.
    pub fn open(&self, query: LiveQuery) -> Result<Stream, Full> {
        let (number, events) = self.0.table.lock().open(query)?;
        self.0.waiting.notify_one();
        let streams = self.clone();
        Ok(Stream {
            number,
            events,
            streams,
        })
    }

    /// Ends all streams and refuses new ones.
    pub fn close(&self) {
        self.0.table.lock().close();
    }

    fn remove(&self, number: u64) {
        self.0.table.lock().remove(number);
    }

    /// Serves the streams. A read that Redis does not answer delays no other stream.
    async fn serve(self, store: Store) {
        let mut ticks = interval(PART_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let parts = HEARTBEAT_INTERVAL.as_secs() / PART_INTERVAL.as_secs();
        let mut turns = (0..parts).cycle();
        let (mut reads, mut retries) = (FuturesUnordered::new(), FuturesUnordered::new());
        loop {
            while reads.len() < MAX_READS
                && let Some((number, query)) = self.0.table.lock().start_next_read()
            {
                reads.push(read_live_state(&store, number, query));
            }
            select! {
                () = self.0.waiting.notified() => {}
                Some((number, seen)) = reads.next() => self.deliver(number, seen),
                Some((number, seen)) = retries.next() => self.deliver(number, seen),
                _ = ticks.tick() => {
                    self.0.table.lock().queue_part(turns.next().unwrap_or_default(), parts);
                    while retries.len() < MAX_RETRIES
                        && let Some((number, query)) = self.0.table.lock().start_next_retry()
                    {
                        retries.push(read_live_state(&store, number, query));
                    }
                }
            }
        }
    }

    /// Passes the result of a read to its stream. A failed read is logged once and repeated later.
    fn deliver(&self, number: u64, seen: store::Result<LiveState>) {
        let error = match seen {
            Ok(state) => return self.0.table.lock().deliver(number, &state),
            Err(error) => error,
        };
        match (self.0.table.lock().fail(number), error) {
            (ReadFailure::First, error @ Error::Unexpected { .. }) => {
                tracing::error!(%error, "an open stream cannot read");
            }
            (_, error) => tracing::debug!(%error, "an open stream cannot read"),
        }
    }
}

async fn read_live_state(
    store: &Store,
    number: u64,
    query: LiveQuery,
) -> (u64, store::Result<LiveState>) {
    (number, store.read_live(&query).await)
}

impl Tasks {
    pub fn stop(self) {
        for task in self.0 {
            task.abort();
        }
    }
}
