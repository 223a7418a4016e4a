//! The open streams of this process: whose they are, what their pages have been told, and the one task
//! that looks for all of them. What a stream says is read anew each time, so that a message that was
//! lost, or came twice, changes nothing. Knows no HTTP.

mod stream;
mod table;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    select,
    sync::{Notify, mpsc::unbounded_channel},
    task::JoinHandle,
    time::{MissedTickBehavior, interval, sleep},
};

pub use stream::{Event, Stream};

use crate::store::{Error, Glance, Store};
use table::Table;

/// Each stream looks, and sends a comment, this often even where nothing is said: so its session is
/// looked at, what got lost is found, and no proxy takes it for dead.
pub const BETWEEN_BEATS: Duration = Duration::from_secs(25);
/// The streams take turns, one part of them each second.
const BEAT: Duration = Duration::from_secs(1);
/// Before streams look again where Redis did not answer.
const AWAY: Duration = Duration::from_secs(1);
/// How many streams look at a time.
const AT_A_TIME: usize = 100;

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
    pub fn open(&self, glance: Glance) -> Result<Stream, Full> {
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

    async fn serve(self, store: Store) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let parts = BETWEEN_BEATS.as_secs() / BEAT.as_secs();
        for part in (0..parts).cycle() {
            loop {
                select! {
                    () = self.0.waiting.notified() => self.look(&store).await,
                    _ = beats.tick() => break,
                }
            }
            self.table().beat(part, parts);
            self.look(&store).await;
        }
    }

    /// Looks for every stream that waits. Where Redis is away, they wait on.
    async fn look(&self, store: &Store) {
        loop {
            let (numbers, glances) = self.table().take(AT_A_TIME);
            if numbers.is_empty() {
                return;
            }
            match store.glance(&glances).await {
                Ok(glimpses) => self.table().tell(&numbers, glimpses),
                // Something is wrong with what one of them reads: the others shall see all the same.
                Err(Error::Unexpected { .. }) if numbers.len() > 1 => {
                    self.look_one_by_one(store, numbers, &glances).await;
                }
                Err(error @ Error::Unexpected { .. }) => {
                    tracing::error!(%error, "an open stream cannot look, and ends");
                    numbers.into_iter().for_each(|number| self.end(number));
                }
                Err(error) => {
                    tracing::debug!(%error, "open streams cannot look");
                    self.table().put_back(numbers);
                    sleep(AWAY).await;
                    self.0.waiting.notify_one();
                    return;
                }
            }
        }
    }

    async fn look_one_by_one(&self, store: &Store, numbers: Vec<u64>, glances: &[Glance]) {
        for (number, glance) in numbers.into_iter().zip(glances) {
            match store.glance(std::slice::from_ref(glance)).await {
                Ok(glimpses) => self.table().tell(&[number], glimpses),
                Err(error) => {
                    tracing::error!(%error, "an open stream cannot look, and ends");
                    self.end(number);
                }
            }
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tasks {
    /// Ends them, with the connections that they hold.
    pub fn stop(self) {
        for task in self.0 {
            task.abort();
        }
    }
}
