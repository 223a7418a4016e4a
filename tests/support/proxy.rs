//! A proxy between the site and its Redis that fails on demand: it delays, cuts, holds back and
//! drops requests, and loses or holds back answers.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixListener, UnixStream},
    sync::watch,
    task::JoinHandle,
};

use super::{leftovers, waiting::eventually};

/// Upper bound for the bytes that a round trip of the tests sends or receives at once. Memory of a buffer is used only as
/// far as bytes arrive.
const CHUNK_BYTES: usize = 1 << 20;

/// Treatment of a chunk that the site sends: one round trip, or the part of it that was read at
/// once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The chunk arrives this much later.
    Delay(Duration),
    /// The chunk is dropped, and the connection is closed.
    Cut,
    /// The chunk arrives; the answer is dropped, and the connection is closed.
    LoseAnswer,
    /// The chunk arrives; the answer is dropped, and the connection stays silent.
    Mute,
    /// The chunk is dropped, and the connection stays silent.
    Swallow,
    /// The chunk waits in the proxy and arrives when the fault ends, whether or not the site still
    /// waits.
    Hold,
    /// The chunk arrives; later answers of Redis wait, and arrive together when the fault ends.
    HoldAnswer,
}

/// The chunks that the fault strikes, counted over all connections since the fault was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Always,
    /// The n-th chunk and all later ones.
    From(usize),
    /// Only the n-th chunk.
    Only(usize),
}

pub struct Proxy {
    dir: TempDir,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

struct Shared {
    redis: PathBuf,
    plan: Mutex<Plan>,
    /// Notifies held chunks, and connections that must end, of a change.
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Plan {
    fault: Option<(Fault, When)>,
    /// Only chunks that contain these bytes count.
    naming: Vec<u8>,
    seen: usize,
    struck: usize,
    /// Number of chunks that wait, or that Redis has not answered since.
    held: usize,
    /// Connections older than this one are silent.
    deaf_before: usize,
    connections: usize,
}

impl Proxy {
    /// Starts a proxy in front of the Redis at that socket, in the runtime of the test.
    pub fn start(redis: &Path) -> Self {
        let dir = leftovers::directory("redwing-");
        let listener = UnixListener::bind(dir.path().join("proxy.sock")).expect("the path is free");
        let shared = Arc::new(Shared {
            redis: redis.to_owned(),
            plan: Mutex::default(),
            changed: watch::Sender::new(()),
        });
        let listening = tokio::spawn(listen(listener, Arc::clone(&shared)));
        Self {
            dir,
            shared,
            listening,
        }
    }

    /// Returns a value for `REDIS_URL`.
    pub fn url(&self) -> String {
        let socket = self.dir.path().join("proxy.sock");
        format!("redis+unix://{}", socket.display())
    }

    /// Starts a fault on all chunks.
    pub fn fail(&self, fault: Fault) {
        self.strike(fault, When::Always, "");
    }

    /// Starts a fault on chunks that contain `naming`: a command, an argument, or an empty text.
    pub fn strike(&self, fault: Fault, when: When, naming: &str) {
        let mut plan = self.shared.plan();
        plan.fault = Some((fault, when));
        plan.naming = naming.as_bytes().to_vec();
        (plan.seen, plan.struck) = (0, 0);
    }

    /// Ends the fault and delivers held chunks. Returns the number of struck chunks.
    pub fn pass(&self) -> usize {
        let mut plan = self.shared.plan();
        plan.fault = None;
        plan.naming.clear();
        plan.seen = 0;
        let struck = plan.struck;
        drop(plan);
        self.shared.changed.send_replace(());
        struck
    }

    /// Delivers the held chunk, and holds the next one that counts.
    pub fn hold_next(&self) {
        let mut plan = self.shared.plan();
        plan.fault = Some((Fault::Hold, When::Only(1)));
        plan.seen = 0;
        drop(plan);
        self.shared.changed.send_replace(());
    }

    /// Waits until at least one chunk is held.
    pub async fn holds(&self) {
        eventually("a chunk is held", async || self.shared.plan().held > 0).await;
    }

    /// Waits until Redis has answered every held chunk.
    pub async fn delivered(&self) {
        eventually("held chunks have arrived", async || {
            self.shared.plan().held == 0
        })
        .await;
    }

    /// Returns the number of chunks that the fault has struck.
    pub fn struck(&self) -> usize {
        self.shared.plan().struck
    }

    /// Returns the number of chunks since the last call to [`Self::pass`] or [`Self::strike`].
    pub fn seen(&self) -> usize {
        self.shared.plan().seen
    }

    /// Silences existing connections, as behind a router that forgot them. New connections work.
    pub fn forget_connections(&self) {
        let mut plan = self.shared.plan();
        plan.deaf_before = plan.connections;
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Shared {
    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plan {
    fn order(&mut self, connection: usize, chunk: &[u8]) -> Option<Fault> {
        if connection < self.deaf_before {
            return Some(Fault::Swallow);
        }
        if !holds(chunk, &self.naming) {
            return None;
        }
        self.seen += 1;
        let (fault, when) = self.fault?;
        let strikes = match when {
            When::Always => true,
            When::From(n) => self.seen >= n,
            When::Only(n) => self.seen == n,
        };
        self.struck += usize::from(strikes);
        strikes.then_some(fault)
    }
}

fn holds(chunk: &[u8], words: &[u8]) -> bool {
    words.is_empty() || chunk.windows(words.len()).any(|window| window == words)
}

async fn listen(listener: UnixListener, shared: Arc<Shared>) {
    while let Ok((site, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        // An error closes one side of the connection; then the other side is closed too.
        tokio::spawn(async move { carry(site, &shared).await });
    }
}

async fn carry(mut site: UnixStream, shared: &Shared) -> io::Result<()> {
    let mut redis = UnixStream::connect(&shared.redis).await?;
    let number = {
        let mut plan = shared.plan();
        plan.connections += 1;
        plan.connections - 1
    };
    let buffer = || Vec::with_capacity(CHUNK_BYTES);
    let (mut sent, mut answered) = (buffer(), buffer());
    loop {
        sent.clear();
        answered.clear();
        tokio::select! {
            length = site.read_buf(&mut sent) => length?,
            length = redis.read_buf(&mut answered) => match length? {
                0 => return Ok(()),
                _ => {
                    site.write_all(&answered).await?;
                    continue;
                }
            },
        };
        let chunk = &sent[..];
        if chunk.is_empty() {
            return Ok(());
        }
        let mut changed = shared.changed.subscribe();
        let order = shared.plan().order(number, chunk);
        match order {
            None => redis.write_all(chunk).await?,
            Some(Fault::Delay(time)) => {
                tokio::time::sleep(time).await;
                redis.write_all(chunk).await?;
            }
            Some(Fault::Cut) => return Ok(()),
            Some(Fault::LoseAnswer) => {
                redis.write_all(chunk).await?;
                let _lost = redis.read_buf(&mut answered).await?;
                return Ok(());
            }
            Some(Fault::Mute) => {
                redis.write_all(chunk).await?;
                let _lost = redis.read_buf(&mut answered).await?;
                return silence(&mut site, &mut sent).await;
            }
            Some(Fault::Swallow) => return silence(&mut site, &mut sent).await,
            Some(fault @ (Fault::Hold | Fault::HoldAnswer)) => {
                if fault == Fault::HoldAnswer {
                    redis.write_all(chunk).await?;
                    redis.readable().await?;
                }
                shared.plan().held += 1;
                // An error means that the proxy has ended; then nothing arrives.
                if changed.changed().await.is_err() {
                    return Ok(());
                }
                if fault == Fault::Hold {
                    redis.write_all(chunk).await?;
                }
                redis.read_buf(&mut answered).await?;
                shared.plan().held -= 1;
                site.write_all(&answered).await?;
            }
        }
    }
}

/// Reads everything and answers nothing, until the site closes the connection.
async fn silence(site: &mut UnixStream, sent: &mut Vec<u8>) -> io::Result<()> {
    loop {
        sent.clear();
        if site.read_buf(sent).await? == 0 {
            return Ok(());
        }
    }
}
