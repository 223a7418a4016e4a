//! The production server, started in this process on a port of its own with a throwaway Redis.
//! No worker runs beside it: a test drains the queue when it wants to, by the worker's own step.

use std::{
    net::SocketAddr,
    ops::{Deref, DerefMut},
    sync::Arc,
    thread,
};

use redwing::{config::Config, store::Store, web::server};
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::{core::Core, leftovers, pool::Redis};

/// Generous limits, few threads: what a test does not look at must not get in its way.
const SETTINGS: [[&str; 2]; 18] = [
    ["--listen", "127.0.0.1:0"],
    ["--workers", "0"],
    ["--threads", "2"],
    ["--sign-ups-per-hour", "100000"],
    ["--log-ins-per-quarter", "100000"],
    ["--posts-per-hour", "100000"],
    ["--follows-per-hour", "100000"],
    ["--saves-per-hour", "100000"],
    ["--searches-per-hour", "100000"],
    ["--important-per-hour", "100000"],
    ["--redis-connect-ms", "2000"],
    ["--redis-response-ms", "10000"],
    ["--write-deadline-ms", "20000"],
    ["--outbox-delay-ms", "30000"],
    ["--request-ms", "30000"],
    ["--request-head-ms", "60000"],
    ["--keep-alive-ms", "60000"],
    ["--shutdown-ms", "1000"],
];

/// A core with the server in front of it.
pub struct Site {
    core: Core,
    /// Where the server listens.
    pub base: String,
    /// The origin of the public URL: what browsers take the site's origin for.
    pub origin: String,
    /// Where its metrics are, if they are served.
    pub metrics: Option<SocketAddr>,
    /// Ends the server's thread when it is dropped.
    _running: oneshot::Sender<()>,
    _data: TempDir,
}

impl Deref for Site {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl DerefMut for Site {
    fn deref_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl Site {
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    /// A site with settings of its own, which go before those of all sites here.
    pub async fn with(settings: &[&str]) -> Self {
        Self::on(Redis::start(), settings).await
    }

    /// A site on a Redis of its own.
    pub async fn on(redis: Redis, settings: &[&str]) -> Self {
        let data = leftovers::directory("redwing-");
        let directory = data.path().to_str().expect("temporary paths are text");
        let usual = SETTINGS
            .iter()
            .filter(|[name, _]| !settings.contains(name))
            .flatten();
        let words: Vec<&str> = usual
            .copied()
            .chain(["--data-dir", directory])
            .chain(settings.iter().copied())
            .collect();
        let core = Core::on(redis, &words);
        let config = Arc::new(core.store.config().clone());
        let origin = config.public_url.origin().ascii_serialization();
        let (base, metrics, running) = serve(config, core.store.fork()).await;
        Self {
            core,
            base,
            origin,
            metrics,
            _running: running,
            _data: data,
        }
    }

    /// A site that people reach at a public URL, as if through a proxy.
    pub async fn at(public_url: &str) -> Self {
        Self::with(&["--public-url", public_url]).await
    }
}

/// Runs the server on a thread of its own, as a process would; gives where it and its metrics listen.
pub(super) async fn serve(
    config: Arc<Config>,
    store: Store,
) -> (String, Option<SocketAddr>, oneshot::Sender<()>) {
    let (say_addresses, addresses) = oneshot::channel();
    let (running, ended) = oneshot::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.expect("a runtime can be built").block_on(async {
            let server = server::start(config, &store).expect("the site starts");
            let addresses = (server.address.to_string(), server.metrics_address);
            say_addresses
                .send(addresses)
                .expect("the test waits for them");
            // An error is the sender that was dropped: the test has ended.
            let _: Result<(), _> = ended.await;
            server.stop().await;
        });
    });
    let (base, metrics) = addresses.await.expect("the site starts");
    (base, metrics, running)
}
