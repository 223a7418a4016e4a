//! The open streams of this process and the task that reads for all of them. Each message of a stream is
//! read from Redis, so a lost or repeated message changes nothing. This module does not know HTTP. The web layer counts
//! the processor time of the reads together with that of pages ([`ReadLimits`]).

mod open;
mod person;
mod stream;
mod table;

use std::{net::IpAddr, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use parking_lot::Mutex;
use tokio::{
    select,
    sync::{Notify, mpsc::unbounded_channel},
    task::JoinHandle,
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};

pub use self::{open::Event, stream::Stream, table::Refusal};

use crate::{
    domain::{StatusId, UserId},
    processor_time::measure,
    store::{self, Error, LiveQuery, LiveState, Network, Store},
};
use person::ReadFailure;
use table::{Client, SharedRead, StreamLimits, Table};

/// Interval at which the streams of each person are read and send a comment, even without a message. That checks
/// their sessions, finds lost messages, and keeps proxies from closing the streams. The read comes later while the share
/// of processor time is used up.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(25);
/// Interval between reads of two parts of the streams.
const PART_INTERVAL: Duration = Duration::from_secs(1);
/// Shortest time between two reads for one person. Limits the reads that frequent events cause.
const READ_INTERVAL: Duration = Duration::from_millis(500);
const MAX_READS: usize = 100;
/// Number of concurrent retries, beside the others, while a part of Redis is unavailable.
const MAX_RETRIES: usize = 50;

/// The person that a read is for, and the network of each stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    pub person: UserId,
    pub networks: Vec<Network>,
}

type Charge = dyn Fn(&Reader, Duration) + Send + Sync;

/// The limit of the processor time of reads.
pub struct ReadLimits {
    /// Returns how long the next read for these streams waits.
    pub wait: Box<dyn Fn(&Reader) -> Duration + Send + Sync>,
    /// Charges the time of a read.
    pub charge: Box<Charge>,
}

/// All open streams of all threads. Clones share them.
#[derive(Clone)]
pub struct Streams(Arc<OpenStreams>);

struct OpenStreams {
    table: Mutex<Table>,
    read_limits: Arc<ReadLimits>,
    /// Signals streams that have to read.
    waiting: Notify,
}

/// The tasks that serve the streams, for as long as the server runs.
pub struct Tasks([JoinHandle<()>; 2]);

impl Streams {
    /// Creates an empty set of streams and starts its tasks on the calling runtime. Streams use at most
    /// half of the connections, which leaves the rest to pages.
    #[must_use]
    pub fn start(store: &Store, read_limits: ReadLimits) -> (Self, Tasks) {
        let limits = &store.config().limits;
        let stream_limits = StreamLimits {
            max_streams: limits.max_streams.min(limits.max_connections.div_ceil(2)),
            max_per_person: limits.streams_per_person,
            max_per_address: limits.streams_per_address,
            read_interval: READ_INTERVAL,
        };
        let (requests, receiver) = unbounded_channel();
        let read_limits = Arc::new(read_limits);
        let table = Table::new(stream_limits, Arc::clone(&read_limits), requests);
        let streams = Self(Arc::new(OpenStreams {
            table: Mutex::new(table),
            read_limits,
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

    /// Opens a stream of a client at this address.
    ///
    /// # Errors [`Refusal`] if a limit is reached or the server stops.
    pub fn open(&self, query: LiveQuery, from: IpAddr) -> Result<Stream, Refusal> {
        let (number, events) = self.0.table.lock().open(query, Client::at(from))?;
        self.0.waiting.notify_one();
        let streams = self.clone();
        Ok(Stream {
            number,
            events,
            streams,
        })
    }

    /// Requests a read for the streams in this process whose pages show replies to this status. Other processes read at
    /// their next heartbeat.
    pub fn note_reply(&self, to: StatusId) {
        self.0.table.lock().mark_reply(to);
        self.0.waiting.notify_one();
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
                && let Some(read) = self.0.table.lock().start_next_read()
            {
                reads.push(self.read_live_state(&store, read));
            }
            let next_delayed = self.0.table.lock().next_delayed();
            select! {
                () = self.0.waiting.notified() => {}
                Some(done) = reads.next() => self.deliver(done),
                Some(done) = retries.next() => self.deliver(done),
                () = sleep_until(next_delayed.unwrap_or_else(Instant::now)), if next_delayed.is_some() => {
                    self.0.table.lock().queue_delayed(Instant::now());
                }
                _ = ticks.tick() => {
                    self.0.table.lock().queue_part(turns.next().unwrap_or_default(), parts);
                    while retries.len() < MAX_RETRIES
                        && let Some(read) = self.0.table.lock().start_next_retry()
                    {
                        retries.push(self.read_live_state(&store, read));
                    }
                }
            }
        }
    }

    /// Reads for the streams of a person, and charges the processor time.
    async fn read_live_state(
        &self,
        store: &Store,
        read: SharedRead,
    ) -> (SharedRead, store::Result<Vec<LiveState>>) {
        let reading = store.read_live(read.reader.person, &read.queries);
        let (states, used) = measure(reading).await;
        (self.0.read_limits.charge)(&read.reader, used);
        (read, states)
    }

    /// Passes the result of a read to its streams. A failed read is logged once and repeated later.
    fn deliver(&self, (read, seen): (SharedRead, store::Result<Vec<LiveState>>)) {
        let SharedRead {
            reader, numbers, ..
        } = read;
        let person = reader.person;
        let error = match seen {
            Ok(states) => return self.0.table.lock().deliver(person, &numbers, &states),
            Err(error) => error,
        };
        match (self.0.table.lock().fail(person), error) {
            (ReadFailure::First, error @ Error::Unexpected { .. }) => {
                tracing::error!(%error, "the open streams of a person cannot be read");
            }
            (_, error) => tracing::debug!(%error, "the open streams of a person cannot be read"),
        }
    }
}

impl Tasks {
    pub fn stop(self) {
        for task in self.0 {
            task.abort();
        }
    }
}
