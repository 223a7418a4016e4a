//! The private Redis (or Valkey) of a site without a configured one: a child process on a unix socket in
//! the data directory. It is restarted when it dies and stopped last. All Redwing processes on one data
//! directory share it: the first owns it, the others attach and take over when the owner ends.

mod binary;
mod child;
mod diagnosis;
mod error;
mod output;
mod place;
mod supervisor;
mod zeros;

use std::{path::Path, sync::mpsc, thread, time::Duration};

pub use error::Error;
use place::Place;
use supervisor::{FULL_DISK_PAUSE, Supervisor};

use crate::{config::Config, memory::machine_bytes};

/// Share of the machine's memory that the server takes at most. The rest is for Redwing, and for the copies
/// that the server makes while it rewrites its append-only file.
const MEMORY_SHARE: u64 = 2;
/// Time limit for the child to end: it writes its data and closes its files.
const STOP_LIMIT: Duration = Duration::from_secs(30);

/// The embedded server, running or restarting.
pub struct Embedded {
    supervisor: Supervisor,
    url: String,
    /// Disconnected when the supervising thread ends. It carries no messages.
    ended: mpsc::Receiver<()>,
}

impl Embedded {
    /// Starts the server, or attaches to that of another Redwing on the same data directory. Returns
    /// once it answers, and waits for space on a full disk. `None` if the settings name a Redis.
    ///
    /// The child lives as long as the thread that starts it, which is its own. This function may be
    /// called from anywhere that may block.
    ///
    /// # Errors The reason why no server answers, with the remedy.
    pub fn start(config: &Config) -> Result<Option<Self>, Error> {
        if config.redis_url.is_some() {
            return Ok(None);
        }
        let place = prepare_place(&config.data_dir)?;
        let url = place.url();
        let program = config.redis_server.clone();
        let supervisor = Supervisor::new(place, program, max_memory_bytes(config));
        let (alive, ended) = mpsc::channel();
        let (ready, started) = mpsc::sync_channel(0);
        thread::Builder::new()
            .name("embedded".into())
            .spawn({
                let supervisor = supervisor.clone();
                move || {
                    let _alive = alive;
                    supervisor.run(&ready);
                }
            })
            .map_err(Error::Thread)?;
        started.recv().unwrap_or(Err(Error::Stopped))?;
        Ok(Some(Self {
            supervisor,
            url,
            ended,
        }))
    }

    /// Returns its address in the form of a `REDIS_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Resolves when the server has died too often and is not started again.
    pub async fn given_up(&self) {
        self.supervisor.given_up().await;
    }

    /// Ends the server if this process owns it, and waits until everything is on disk.
    pub fn stop(self) {
        if !self.supervisor.stop() {
            return;
        }
        if self.ended.recv_timeout(STOP_LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
            tracing::error!("the embedded server does not end; killing it");
            self.supervisor.kill();
        }
    }
}

/// Creates the directories and the locks. Waits while the disk has no space for them.
#[expect(
    clippy::disallowed_methods,
    reason = "no runtime thread and no supervisor exist yet"
)]
fn prepare_place(data_dir: &Path) -> Result<Place, Error> {
    let prepare = || {
        let place = Place::prepare(data_dir)?;
        place.owner_lock()?;
        place.server_lock()?;
        Ok::<_, Error>(place)
    };
    loop {
        match prepare() {
            Err(error) if error.is_full_disk() => {
                tracing::error!("{error}. Make room: Redwing waits, and starts when it can write");
                thread::sleep(FULL_DISK_PAUSE);
            }
            outcome => return outcome,
        }
    }
}

/// Returns the memory limit of the server. 0: none, because the memory of the machine is unknown.
fn max_memory_bytes(config: &Config) -> u64 {
    match config.limits.embedded_redis_bytes {
        0 => machine_bytes().unwrap_or(0) / MEMORY_SHARE,
        bytes => bytes,
    }
}
