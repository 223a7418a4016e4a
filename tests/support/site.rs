//! The production server, started in this process on a separate port with a temporary Redis. No
//! worker runs beside it: a test drains the queue when needed, by the worker's own step.

use std::{
    net::SocketAddr,
    ops::{Deref, DerefMut},
    sync::Arc,
    thread,
};

use redwing::{actions::passwords::Hasher, config::Config, store::Store, web::server};
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::{core::Core, leftovers, pool::Redis};

/// The tests sign up thousands of people, so their password hashes take little memory and time.
const CHEAP_HASH_BYTES: u32 = 262_144;
/// The default of the setting. Such a hash takes longer than a few round trips.
pub const USUAL_HASH: [&str; 2] = ["--hash-memory-bytes", "19922944"];

/// Generous limits and few threads, so that untested features do not interfere.
const SETTINGS: [[&str; 2]; 23] = [
    SIGN_UP,
    ["--listen", "127.0.0.1:0"],
    ["--workers", "0"],
    ["--threads", "2"],
    ["--hash-memory-bytes", "262144"],
    ["--sign-ups-per-hour", "100000"],
    ["--log-ins-per-quarter", "100000"],
    ["--posts-per-hour", "100000"],
    ["--everybody-per-hour", "100000"],
    ["--messages-per-hour", "100000"],
    ["--follows-per-hour", "100000"],
    ["--saves-per-hour", "100000"],
    ["--searches-per-hour", "100000"],
    ["--important-per-hour", "100000"],
    ["--page-seconds-per-minute", "0"],
    ["--redis-connect-ms", "2000"],
    ["--redis-response-ms", "10000"],
    ["--write-deadline-ms", "20000"],
    ["--outbox-delay-ms", "90000"],
    ["--request-ms", "30000"],
    ["--request-head-ms", "60000"],
    ["--keep-alive-ms", "60000"],
    ["--shutdown-ms", "1000"],
];

/// Everybody signs up, also where the public URL is not that of this machine.
const SIGN_UP: [&str; 2] = ["--sign-up", "open"];

/// Core with a server in front of it.
pub struct Site {
    core: Core,
    /// Address of the server.
    pub base: String,
    /// Origin of the public URL: the site's origin in the view of browsers.
    pub origin: String,
    /// Link that sets the site up.
    pub set_up_link: String,
    /// Address of the metrics, if they are served.
    pub metrics: Option<SocketAddr>,
    /// Dropping it ends the server's thread.
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

/// Returns a hasher of passwords as the sites here use it, with a queue of this length.
pub fn cheap_hasher(waiting: usize) -> Hasher {
    Hasher::new(CHEAP_HASH_BYTES, 0, waiting)
}

impl Site {
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    /// Starts a site with additional settings, which override those of all sites here.
    pub async fn with(settings: &[&str]) -> Self {
        Self::on(Redis::start(), settings).await
    }

    /// Starts a site whose entrance is that of the settings, or of its owner.
    pub async fn with_own_entrance(settings: &[&str]) -> Self {
        Self::start_with(Redis::start(), settings, true).await
    }

    /// Starts a site on this Redis.
    pub async fn on(redis: Redis, settings: &[&str]) -> Self {
        Self::start_with(redis, settings, false).await
    }

    async fn start_with(redis: Redis, settings: &[&str], has_own_entrance: bool) -> Self {
        let data = leftovers::directory("redwing-");
        let directory = data.path().to_str().expect("temporary paths are text");
        let usual = SETTINGS
            .iter()
            .filter(|[name, _]| !settings.contains(name))
            .filter(|pair| !has_own_entrance || **pair != SIGN_UP)
            .flatten();
        let words: Vec<&str> = usual
            .copied()
            .chain(["--data-dir", directory])
            .chain(settings.iter().copied())
            .collect();
        let core = Core::on(redis, &words);
        let config = Arc::new(core.store.config().clone());
        let origin = config.public_url.origin().ascii_serialization();
        let (started, running) = serve(config, core.store.fork()).await;
        let Started {
            base,
            metrics,
            set_up_link,
        } = started;
        Self {
            core,
            base,
            set_up_link,
            origin,
            metrics,
            _running: running,
            _data: data,
        }
    }

    /// Starts a site with this public URL, as if behind a proxy.
    pub async fn at(public_url: &str) -> Self {
        Self::with(&["--public-url", public_url]).await
    }
}

/// What a started server says about itself.
pub(super) struct Started {
    pub(super) base: String,
    pub(super) metrics: Option<SocketAddr>,
    pub(super) set_up_link: String,
}

/// Runs the server on a separate thread, as a process would.
pub(super) async fn serve(config: Arc<Config>, store: Store) -> (Started, oneshot::Sender<()>) {
    let (say_addresses, addresses) = oneshot::channel();
    let (running, ended) = oneshot::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.expect("a runtime can be built").block_on(async {
            let server = server::start(config, &store).expect("the site starts");
            let addresses = Started {
                base: server.address.to_string(),
                metrics: server.metrics_address,
                set_up_link: server.set_up_link.clone(),
            };
            say_addresses
                .send(addresses)
                .unwrap_or_else(|_| panic!("the test waits for the tasks"));
            // An error means that the sender was dropped: the test has ended.
            let _: Result<(), _> = ended.await;
            server.stop().await;
        });
    });
    (addresses.await.expect("the site starts"), running)
}
