//! A proxy in front of a node of a cluster. The node seems to have another clock, or to be slow: the replies to TIME are
//! changed or delayed. Everything else passes.

use std::{
    io,
    net::Ipv4Addr,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    task::JoinHandle,
};

/// Upper bound for the bytes that are passed on at once.
const CHUNK_BYTES: usize = 1 << 16;
/// Beginning of a reply to TIME: two texts, and the first has ten characters.
const TIME: &[u8] = b"*2\r\n$10\r\n";
const DIGITS: usize = 10;

pub struct ClockProxy {
    port: u16,
    changes: Arc<Changes>,
    listening: JoinHandle<()>,
}

#[derive(Default)]
struct Changes {
    ahead_s: AtomicI64,
    late_ms: AtomicU64,
}

impl ClockProxy {
    /// Starts a proxy in front of the node at that address, in the runtime of the test.
    pub async fn start(node: String) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("a port is free");
        let port = listener.local_addr().expect("it listens").port();
        let changes = Arc::<Changes>::default();
        let listening = tokio::spawn(listen(listener, node, Arc::clone(&changes)));
        Self {
            port,
            changes,
            listening,
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Sets the clock ahead by so many seconds, or back.
    pub fn set_ahead(&self, seconds: i64) {
        self.changes.ahead_s.store(seconds, Ordering::Relaxed);
    }

    /// Delays each reply to TIME by so many ms.
    pub fn delay(&self, ms: u64) {
        self.changes.late_ms.store(ms, Ordering::Relaxed);
    }
}

impl Drop for ClockProxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, node: String, changes: Arc<Changes>) {
    while let Ok((client, _)) = listener.accept().await {
        let (node, changes) = (node.clone(), Arc::clone(&changes));
        // An error closes one side of the connection; then the other side is closed too.
        tokio::spawn(async move { carry(client, &node, &changes).await });
    }
}

async fn carry(client: TcpStream, node: &str, changes: &Changes) -> io::Result<()> {
    let node = TcpStream::connect(node).await?;
    client.set_nodelay(true)?;
    node.set_nodelay(true)?;
    let (mut from_client, to_client) = client.into_split();
    let (from_node, mut to_node) = node.into_split();
    tokio::select! {
        sent = tokio::io::copy(&mut from_client, &mut to_node) => sent.map(drop),
        answered = answer(from_node, to_client, changes) => answered,
    }
}

async fn answer(
    mut from_node: OwnedReadHalf,
    mut to_client: OwnedWriteHalf,
    changes: &Changes,
) -> io::Result<()> {
    let mut chunk = Vec::with_capacity(CHUNK_BYTES);
    loop {
        chunk.clear();
        if from_node.read_buf(&mut chunk).await? == 0 {
            return Ok(());
        }
        let times = times_in(&chunk);
        if !times.is_empty() {
            let late = changes.late_ms.load(Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(late)).await;
        }
        for seconds in times {
            let digits = String::from_utf8_lossy(&chunk[seconds.clone()]).into_owned();
            let time: i64 = digits.parse().expect("a number");
            let changed = time + changes.ahead_s.load(Ordering::Relaxed);
            chunk[seconds].copy_from_slice(changed.to_string().as_bytes());
        }
        to_client.write_all(&chunk).await?;
    }
}

/// Returns where the seconds of each reply to TIME are in a chunk. Commands that were sent together have their replies in
/// one chunk.
fn times_in(chunk: &[u8]) -> Vec<Range<usize>> {
    let parts = chunk.windows(TIME.len()).enumerate();
    let begins = parts.filter_map(|(at, part)| (part == TIME).then_some(at + TIME.len()));
    let seconds = begins.map(|begin| begin..begin + DIGITS);
    let is_number = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit);
    seconds
        .filter(|seconds| chunk.get(seconds.clone()).is_some_and(is_number))
        .collect()
}
