//! Open connections. actix closes connections that are idle after a response or never send a first request head. The
//! watch ends the others: heads that never end, bodies that continue after their response, clients that never read,
//! streams whose clients have left. When connections run short, it first ends the longest idle ones, then those with
//! the slowest forms. When the response buffers take too much memory, it ends the connections whose clients have read
//! nothing for longest. One network has at most a part of the connections.

use std::{
    any::Any,
    collections::HashMap,
    io,
    os::fd::{AsFd, OwnedFd},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use actix_web::{dev::Extensions, rt::net};
use ipnet::IpNet;
use parking_lot::Mutex;
use rustix::{
    io::Errno,
    net::{RecvFlags, Shutdown, recv, shutdown},
};
use tokio::{
    sync::Notify,
    time::{MissedTickBehavior, interval, sleep},
};

use crate::{
    config::Config,
    store::Network,
    web::http::{
        activity::{Activity, ConnectionUse, ResponseBuffers},
        network_counts::NetworkCounts,
    },
};

/// Time between two checks of all connections.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);
/// A connection that is idle or receiving for less than this is never ended to make room.
const FRESH: Duration = Duration::from_secs(1);
/// Time after which a client that takes no further piece of a long response loses its connection.
const SENDING: Duration = Duration::from_secs(60);
/// Upper bound of the time until a stopping server accepts no more connections.
const STOPPING: Duration = Duration::from_millis(50);

/// All open connections of all threads. Clones share them.
#[derive(Clone)]
pub struct Connections(Arc<OpenConnections>);

struct OpenConnections {
    by_number: Mutex<HashMap<u64, Connection>>,
    /// The open connections of each network that is limited.
    of_networks: NetworkCounts,
    trusted_proxies: Vec<IpNet>,
    next_number: AtomicU64,
    closed: Notify,
    buffers: ResponseBuffers,
}

struct Connection {
    /// A second handle to the socket.
    socket: OwnedFd,
    activity: Activity,
}

/// How long a connection may be idle, and how many may be open before room is made.
#[derive(Clone, Copy)]
pub struct Allowance {
    quiet: Duration,
    open: usize,
}

/// Removes a connection from the list when it is closed.
struct Listed {
    number: u64,
    network: Option<Network>,
    connections: Connections,
}

impl Allowance {
    /// After a response, the next head may begin within the keep-alive time, and then has its own
    /// time limit. A quarter of the connections is reserved for new clients.
    pub fn of(config: &Config) -> Self {
        Self {
            quiet: config.timeouts.keep_alive + config.timeouts.request_head,
            open: config.limits.max_connections.div_ceil(4) * 3,
        }
    }
}

impl Connections {
    pub fn new(config: &Config) -> Self {
        Self(Arc::new(OpenConnections {
            by_number: Mutex::default(),
            of_networks: NetworkCounts::eighth_of(config.limits.max_connections),
            trusted_proxies: config.trusted_proxies.clone(),
            next_number: AtomicU64::default(),
            closed: Notify::new(),
            buffers: ResponseBuffers::default(),
        }))
    }

    /// Lists an accepted connection until `data`, which belongs to it, is dropped. If its network has too many, it is
    /// ended.
    pub fn list(&self, stream: &dyn Any, activity: &Activity, data: &mut Extensions) {
        data.insert(activity.clone());
        let socket = match handle_of(stream) {
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
        let network = self.0.limited_network(stream);
        if network.is_some_and(|it| !self.0.of_networks.add(it, 1)) {
            connection.end();
            return;
        }
        let number = self.0.next_number.fetch_add(1, Ordering::Relaxed);
        self.0.by_number.lock().insert(number, connection);
        data.insert(Listed {
            number,
            network,
            connections: self.clone(),
        });
    }

    /// Returns the bytes of the response buffers of all connections.
    pub fn buffers(&self) -> &ResponseBuffers {
        &self.0.buffers
    }

    /// Ends connections that are idle for too long, at intervals, and connections with large buffers when these are too
    /// many.
    pub async fn watch(self, allowance: Allowance) {
        let mut looks = interval(BETWEEN_LOOKS);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = looks.tick() => self.look(allowance),
                () = self.0.buffers.too_many() => self.free_buffers(),
            }
        }
    }

    /// Ends idle connections and those whose clients do not read, until the bytes of their buffers are few: first those
    /// whose clients have taken nothing for longest. Their bytes count no longer, because the serving threads free them
    /// soon.
    fn free_buffers(&self) {
        let open = self.0.by_number.lock();
        let mut excess = self.0.buffers.excess();
        let idle = open.values();
        let idle = idle.filter_map(|one| Some((one.activity.idle_buffer()?, one)));
        let mut idle: Vec<((Instant, u64), &Connection)> = idle.collect();
        idle.sort_unstable_by_key(|((last_taken, _), _)| *last_taken);
        let mut ended = 0;
        for ((_, bytes), connection) in idle {
            if excess == 0 {
                break;
            }
            connection.end();
            connection.activity.forget_buffer();
            excess = excess.saturating_sub(bytes);
            ended += 1;
        }
        if ended > 0 {
            let open = open.len();
            tracing::warn!(open, ended, "connections with large buffers make room");
        }
    }

    fn look(&self, allowance: Allowance) {
        let open = self.0.by_number.lock();
        let surplus = open.len().saturating_sub(allowance.open);
        let (mut quiet, mut slow) = (Vec::new(), Vec::new());
        for connection in open.values() {
            match connection.activity.current_use() {
                ConnectionUse::Idle(since) => quiet.push((since, connection)),
                ConnectionUse::Receiving(since) => slow.push((since, connection)),
                ConnectionUse::Streaming(end) if connection.is_left() => end.abort(),
                ConnectionUse::Sending(since) if since.elapsed() > SENDING => connection.end(),
                ConnectionUse::Responding
                | ConnectionUse::Streaming(_)
                | ConnectionUse::Sending(_) => {}
            }
        }
        let fresh = allowance.quiet.min(FRESH);
        let idle = longest(quiet, fresh);
        for (rank, (since, connection)) in idle.iter().enumerate() {
            if rank < surplus || since.elapsed() > allowance.quiet {
                connection.end();
            }
        }
        let idle = idle.len().min(surplus);
        let slow = longest(slow, fresh);
        let slow = &slow[..slow.len().min(surplus - idle)];
        for (_, connection) in slow {
            connection.end_reading();
        }
        if idle > 0 {
            tracing::warn!(open = open.len(), idle, "idle connections make room");
        }
        if !slow.is_empty() {
            let slow = slow.len();
            tracing::warn!(open = open.len(), slow, "slow forms make room");
        }
    }

    /// Returns when all connections are closed and a stopping server accepts no more.
    pub async fn all_closed(&self) {
        loop {
            let closed = self.0.closed.notified();
            if self.0.by_number.lock().is_empty() {
                sleep(STOPPING).await;
                if self.0.by_number.lock().is_empty() {
                    return;
                }
            }
            closed.await;
        }
    }
}

impl OpenConnections {
    /// Returns the network of the client, if it is limited. A proxy connects for many clients, also one on this machine
    /// that is not configured.
    fn limited_network(&self, stream: &dyn Any) -> Option<Network> {
        let peer = stream.downcast_ref::<net::TcpStream>()?.peer_addr().ok()?;
        let address = peer.ip().to_canonical();
        let trusted = &self.trusted_proxies;
        let is_proxy = match trusted.is_empty() {
            true => address.is_loopback(),
            false => trusted.iter().any(|network| network.contains(&address)),
        };
        (!is_proxy).then(|| Network::of(address))
    }
}

/// Returns the connections in this state for longer than `fresh`, the longest first.
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
        let open = &self.connections.0;
        let connection = open.by_number.lock().remove(&self.number);
        drop(connection);
        if let Some(network) = self.network {
            open.of_networks.remove(network, 1);
        }
        self.connections.0.closed.notify_waiters();
    }
}

/// Returns a second handle to a connection's socket.
fn handle_of(stream: &dyn Any) -> io::Result<OwnedFd> {
    let tcp = stream.downcast_ref::<net::TcpStream>().map(AsFd::as_fd);
    let unix = stream.downcast_ref::<net::UnixStream>().map(AsFd::as_fd);
    match tcp.or(unix) {
        Some(socket) => socket.try_clone_to_owned(),
        None => Err(io::ErrorKind::Unsupported.into()),
    }
}

impl Connection {
    /// Ends both directions: the client and the serving thread read end of file, and the thread
    /// closes the socket.
    fn end(&self) {
        self.shut(Shutdown::Both);
    }

    /// Ends reading: the serving thread reads end of file, responds with an error, and closes the
    /// socket.
    fn end_reading(&self) {
        self.shut(Shutdown::Read);
    }

    fn shut(&self, how: Shutdown) {
        if let Err(error) = shutdown(&self.socket, how) {
            tracing::debug!(%error, "a connection had ended by itself");
        }
    }

    /// Returns whether the client has left. During a stream the server does not read from the
    /// socket, so it would otherwise notice only at the next event.
    fn is_left(&self) -> bool {
        let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        match recv(&self.socket, &mut [0_u8], flags) {
            Ok((_, received)) => received == 0,
            Err(error) => error != Errno::WOULDBLOCK,
        }
    }
}
