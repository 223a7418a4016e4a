//! The connections that are open. actix closes one that is idle after an answer or never sends its
//! first head; the watch ends what is left: heads that never end, bodies that go on after their answer,
//! clients that never read, streams whose clients have left. Where room gets scarce the longest quiet
//! ones go first, then those whose forms arrive slowest.

use std::{
    any::Any,
    collections::HashMap,
    io,
    net::{Shutdown, TcpStream},
    os::{
        fd::{AsFd, AsRawFd},
        unix::net::UnixStream,
    },
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use actix_web::{dev::Extensions, rt::net};
use tokio::{
    sync::Notify,
    time::{MissedTickBehavior, interval, sleep},
};

use crate::{
    config::Config,
    web::http::activity::{Activity, Doing},
};

/// Between two looks at all of them.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);
/// Quiet or receiving for less than this, a connection is never ended to make room.
const FRESH: Duration = Duration::from_secs(1);
/// How long it takes at most until a server that was told to stop takes no more connections.
const STOPPING: Duration = Duration::from_millis(50);

/// All that are open, over all threads. Clones are of the same.
#[derive(Clone, Default)]
pub(in crate::web) struct Connections(Arc<Open>);

#[derive(Default)]
struct Open {
    by_number: Mutex<HashMap<u64, Connection>>,
    next_number: AtomicU64,
    closed: Notify,
}

struct Connection {
    socket: Socket,
    activity: Activity,
}

/// Another handle to the socket, which outlives none of what is done to it here.
enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// What may be quiet for how long, and how many may be open before room is made.
#[derive(Clone, Copy)]
pub(in crate::web) struct Allowance {
    quiet: Duration,
    open: usize,
}

/// Takes a connection from the list when it is closed.
struct Listed {
    number: u64,
    connections: Connections,
}

impl Allowance {
    /// After an answer the next head may begin within the keep-alive time, and then takes its own.
    /// A quarter of the connections is kept free for newcomers.
    pub(in crate::web) fn of(config: &Config) -> Self {
        Self {
            quiet: config.timeouts.keep_alive + config.timeouts.request_head,
            open: config.limits.max_connections.div_ceil(4) * 3,
        }
    }
}

impl Connections {
    /// Lists a connection that was just accepted, until `data`, which is its own, is dropped.
    pub(in crate::web) fn list(
        &self,
        stream: &dyn Any,
        activity: &Activity,
        data: &mut Extensions,
    ) {
        data.insert(activity.clone());
        let socket = match Socket::of(stream) {
            Ok(socket) => socket,
            Err(error) => {
                tracing::warn!(%error, "a connection is not watched");
                return;
            }
        };
        let connection = Connection {
            socket,
            activity: activity.clone(),
        };
        let number = self.0.next_number.fetch_add(1, Ordering::Relaxed);
        self.open().insert(number, connection);
        data.insert(Listed {
            number,
            connections: self.clone(),
        });
    }

    /// Ends what is quiet for too long, again and again.
    pub(in crate::web) async fn watch(self, allowance: Allowance) {
        let mut looks = interval(BETWEEN_LOOKS);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            self.look(allowance);
        }
    }

    fn look(&self, allowance: Allowance) {
        let open = self.open();
        let surplus = open.len().saturating_sub(allowance.open);
        let (mut quiet, mut slow) = (Vec::new(), Vec::new());
        for connection in open.values() {
            match connection.activity.doing() {
                Doing::Nothing(since) => quiet.push((since, connection)),
                Doing::Receiving(since) => slow.push((since, connection)),
                Doing::Streaming(end) if connection.socket.is_left() => end.abort(),
                Doing::ReplyTo | Doing::Streaming(_) => {}
            }
        }
        let fresh = allowance.quiet.min(FRESH);
        let idle = longest(quiet, fresh);
        for (rank, (since, connection)) in idle.iter().enumerate() {
            if rank < surplus || since.elapsed() > allowance.quiet {
                connection.socket.end();
            }
        }
        let idle = idle.len().min(surplus);
        let slow = longest(slow, fresh);
        let slow = &slow[..slow.len().min(surplus - idle)];
        for (_, connection) in slow {
            connection.socket.end_reading();
        }
        if idle > 0 {
            tracing::warn!(open = open.len(), idle, "idle connections make room");
        }
        if !slow.is_empty() {
            let slow = slow.len();
            tracing::warn!(open = open.len(), slow, "slow forms make room");
        }
    }

    /// Returns when all are closed and a server that is being stopped accepts no more.
    pub(in crate::web) async fn all_closed(&self) {
        loop {
            let closed = self.0.closed.notified();
            if self.open().is_empty() {
                sleep(STOPPING).await;
                if self.open().is_empty() {
                    return;
                }
            }
            closed.await;
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Connection>> {
        self.0
            .by_number
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Those that have been so for longer than `fresh`, the longest first.
fn longest(
    mut connections: Vec<(Instant, &Connection)>,
    fresh: Duration,
) -> Vec<(Instant, &Connection)> {
    connections.retain(|(since, _)| since.elapsed() > fresh);
    connections.sort_unstable_by_key(|(since, _)| *since);
    connections
}

impl Drop for Listed {
    fn drop(&mut self) {
        let connection = self.connections.open().remove(&self.number);
        drop(connection);
        self.connections.0.closed.notify_waiters();
    }
}

impl Socket {
    fn of(stream: &dyn Any) -> io::Result<Self> {
        if let Some(stream) = stream.downcast_ref::<net::TcpStream>() {
            return Ok(Self::Tcp(stream.as_fd().try_clone_to_owned()?.into()));
        }
        if let Some(stream) = stream.downcast_ref::<net::UnixStream>() {
            return Ok(Self::Unix(stream.as_fd().try_clone_to_owned()?.into()));
        }
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Its client reads an end, and so does the thread that serves it, which then closes it.
    fn end(&self) {
        self.shut(Shutdown::Both);
    }

    /// The thread that serves it reads an end, says so to the client, and closes it.
    fn end_reading(&self) {
        self.shut(Shutdown::Read);
    }

    /// Whether its client has left. Nobody reads from it while a stream is sent, and so nobody would
    /// notice before the next thing is said.
    fn is_left(&self) -> bool {
        let socket = match self {
            Self::Tcp(stream) => stream.as_raw_fd(),
            Self::Unix(stream) => stream.as_raw_fd(),
        };
        let mut byte = 0_u8;
        let flags = libc::MSG_PEEK | libc::MSG_DONTWAIT;
        // SAFETY: one byte may be written to `byte`, and the socket is open as long as `self` is.
        let read = unsafe { libc::recv(socket, (&raw mut byte).cast(), 1, flags) };
        match read {
            0 => true,
            1.. => false,
            _ => io::Error::last_os_error().kind() != io::ErrorKind::WouldBlock,
        }
    }

    fn shut(&self, how: Shutdown) {
        let ended = match self {
            Self::Tcp(stream) => stream.shutdown(how),
            Self::Unix(stream) => stream.shutdown(how),
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection had ended by itself");
        }
    }
}
