//! The private Redis (or Valkey) of a site that names none: a child process on a unix socket in the
//! data directory, started again when it dies and stopped last. Every Redwing process on the same
//! data directory shares one: the first owns it, the others attach and take over when it goes.

mod binary;
mod child;
mod diagnosis;
mod error;
mod place;
mod supervisor;

use std::{sync::mpsc, thread, time::Duration};

pub use error::Error;
use place::Place;
use supervisor::Supervisor;

use crate::config::Config;

/// The longest that the child may take to end: it writes what it has and closes its files.
const STOP_LIMIT: Duration = Duration::from_secs(30);

/// The embedded server, running or being started again.
pub struct Embedded {
    supervisor: Supervisor,
    url: String,
    /// Never gets a message: it is disconnected when the supervising thread has ended.
    ended: mpsc::Receiver<()>,
}

impl Embedded {
    /// Starts the server, or attaches to that of another Redwing on the same data directory, and
    /// returns once it answers. `None` where the settings name a Redis.
    ///
    /// The child lives no longer than the thread that starts it, which is one of its own: this may
    /// be called from anywhere that may block.
    ///
    /// # Errors
    /// What stands in the way of a server that answers, with the remedy.
    pub fn start(config: &Config) -> Result<Option<Self>, Error> {
        if config.redis_url.is_some() {
            return Ok(None);
        }
        let place = Place::prepare(&config.data_dir)?;
        let url = place.url();
        let supervisor = Supervisor::new(place, config.redis_server.clone());
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

    /// Where it answers, in the form of a `REDIS_URL`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Resolves when the server has died too often and is not started again.
    pub async fn given_up(&self) {
        self.supervisor.given_up().await;
    }

    /// Ends the server, if this process owns it, and waits until everything is on disk.
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
