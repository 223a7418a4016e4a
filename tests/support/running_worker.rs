//! A worker that runs in this process until it is stopped.

use redwing::{store::Store, worker};
use tokio::{sync::watch, task::JoinHandle};

pub struct RunningWorker {
    stop: watch::Sender<bool>,
    running: JoinHandle<()>,
}

impl RunningWorker {
    pub fn start(store: &Store) -> Self {
        let (stop, stopped) = watch::channel(false);
        let running = tokio::spawn(worker::run(store.fork(), stopped));
        Self { stop, running }
    }

    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.running.await.expect("the worker ends successfully");
    }
}
