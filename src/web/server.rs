//! Starts the server from config and store: pages on one listener and optionally metrics on
//! another. Tests start the same server on port 0.

use std::{
    fmt, fs, io,
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
};

use actix_web::{
    App, HttpServer,
    dev::{Server as Running, ServerHandle},
    middleware::from_fn,
    rt,
    web::{self, Data},
};
use tokio::task::JoinHandle;

use super::http::{
    connections::{Allowance, Connections},
    listener::Listener,
};
use crate::{
    actions::passwords::Hasher,
    config::{Config, Listen},
    live::{self, ReadLimits, Streams},
    memory::give_back_at_rest,
    store::Store,
    web::{
        AppState, Site,
        http::{admission::Admission, body::Bodies, metrics, request::pass},
        routes,
        table::table,
    },
};

/// The address that a server listens on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListenAddress {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "http://{address}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

pub struct Server {
    pub address: ListenAddress,
    /// The link that sets a new site up.
    pub set_up_link: String,
    /// The address of the metrics listener, if metrics are served.
    pub metrics_address: Option<SocketAddr>,
    pages: RunningServer,
    connections: Connections,
    watch: JoinHandle<()>,
    /// Returns the freed memory of the calling thread. Threads that render pages do this
    /// themselves.
    rest: JoinHandle<()>,
    streams: Streams,
    live: live::Tasks,
    metrics: Option<Metrics>,
}

struct RunningServer {
    handle: ServerHandle,
    running: JoinHandle<io::Result<()>>,
}

struct Metrics {
    part: RunningServer,
    upkeep: JoinHandle<()>,
}

/// Binds and serves in the caller's runtime. The caller handles signals. Fails if the address is taken, or
/// like [`Site::new`].
pub fn start(config: Arc<Config>, store: &Store) -> io::Result<Server> {
    let site = Arc::new(Site::new(Arc::clone(&config))?);
    super::http::open_files::raise_limit(&config);
    let metrics = config.metrics_listen.map(serve_metrics).transpose()?;
    let (metrics_address, metrics) = metrics.unzip();
    let connections = Connections::new(&config);
    let (streams, live) = Streams::start(store, limits_of_reads(&site));
    let set_up = routes::set_up(&site.keys.set_up_token());
    let set_up_link = config
        .public_url
        .join(&set_up)
        .map_or(set_up, |link| link.to_string());
    let pages = serve_pages(&config, store, site, connections.clone(), streams.clone());
    let (running, address) = pages?;
    let profile = store.clone();
    tokio::spawn(async move {
        if let Err(error) = profile.site().await {
            tracing::debug!(%error, "the settings of the site were not read");
        }
    });
    let watch = connections.clone().watch(Allowance::of(&config));
    let paged = store.clone();
    Ok(Server {
        address,
        set_up_link,
        metrics_address,
        pages: RunningServer::spawn(running),
        connections,
        watch: tokio::spawn(watch),
        rest: tokio::spawn(give_back_at_rest(move || paged.last_page())),
        streams,
        live,
        metrics,
    })
}

impl Server {
    /// Returns when the server has stopped or failed.
    pub async fn wait(&mut self) -> io::Result<()> {
        (&mut self.pages.running).await.map_err(io::Error::other)?
    }

    /// Accepts no more connections, ends the streams, and waits for the requests in progress, at
    /// most for the shutdown time-out.
    pub async fn stop(self) {
        self.streams.close();
        self.live.stop();
        // actix checks only once a second whether connections are left. If none is left, its
        // threads end by themselves afterwards.
        tokio::select! {
            () = self.pages.handle.stop(true) => {}
            () = self.connections.all_closed() => {}
        }
        self.watch.abort();
        self.rest.abort();
        if let Some(metrics) = self.metrics {
            metrics.upkeep.abort();
            metrics.part.handle.stop(false).await;
        }
        if let ListenAddress::Unix(path) = &self.address
            && let Err(error) = fs::remove_file(path)
        {
            tracing::debug!(%error, "socket not removed");
        }
    }
}

impl RunningServer {
    fn spawn(server: Running) -> Self {
        Self {
            handle: server.handle(),
            running: tokio::spawn(server),
        }
    }
}

fn serve_pages(
    config: &Arc<Config>,
    store: &Store,
    site: Arc<Site>,
    connections: Connections,
    streams: Streams,
) -> io::Result<(Running, ListenAddress)> {
    let (listener, address) = bind(&config.listen)?;
    site.warn_of_the_network();
    let hasher = Hasher::new(
        config.limits.hash_memory_bytes,
        config.limits.concurrent_hashes,
        config.limits.waiting_hashes,
    );
    let limits = &config.limits;
    let admission = Admission::new(limits.max_requests, limits.waiting_hashes);
    let bodies = Bodies::new(config.limits.max_arriving_bytes);
    let store = store.clone();
    let app = move || {
        let state = AppState {
            store: store.fork(),
            hasher: hasher.clone(),
            admission: admission.clone(),
            bodies: bodies.clone(),
            streams: streams.clone(),
            site: Arc::clone(&site),
        };
        let state = Data::new(state);
        let pages = state.store.clone();
        rt::spawn(give_back_at_rest(move || pages.last_page()));
        App::new()
            .app_data(state.clone())
            .configure(table(&state))
            .wrap(from_fn(pass))
    };
    Ok((
        super::http::listener::serve(listener, config, connections, app)?,
        address,
    ))
}

/// Returns the limits of the reads for live streams: they use the shares of pages.
fn limits_of_reads(site: &Arc<Site>) -> ReadLimits {
    let (waits, charges) = (Arc::clone(site), Arc::clone(site));
    ReadLimits {
        wait: Box::new(move |reader| waits.fair_shares.stream_wait(reader)),
        charge: Box::new(move |reader, used| charges.fair_shares.charge_streams(reader, used)),
    }
}

fn bind(listen: &Listen) -> io::Result<(Listener, ListenAddress)> {
    match listen {
        Listen::Tcp(address) => {
            let listener = TcpListener::bind(address)
                .map_err(|error| name_address(&error, address, "REDWING_LISTEN"))?;
            let address = ListenAddress::Tcp(listener.local_addr()?);
            Ok((Listener::Tcp(listener), address))
        }
        Listen::Unix(path) => {
            let listener = super::http::socket::bind(path)
                .map_err(|error| name_address(&error, path.display(), "REDWING_LISTEN"))?;
            Ok((Listener::Unix(listener), ListenAddress::Unix(path.clone())))
        }
    }
}

fn serve_metrics(address: SocketAddr) -> io::Result<(SocketAddr, Metrics)> {
    let recorder = metrics::recorder();
    let shown = recorder.clone();
    let listener = TcpListener::bind(address)
        .map_err(|error| name_address(&error, address, "REDWING_METRICS_LISTEN"))?;
    let address = listener.local_addr()?;
    let server = HttpServer::new(move || {
        App::new()
            .app_data(Data::new(shown.clone()))
            .route("/metrics", web::get().to(metrics::show))
    })
    .workers(1)
    .disable_signals()
    .listen(listener)?;
    let upkeep = tokio::spawn(async move {
        let mut ticks = tokio::time::interval(metrics::UPKEEP);
        loop {
            ticks.tick().await;
            recorder.run_upkeep();
        }
    });
    Ok((
        address,
        Metrics {
            part: RunningServer::spawn(server.run()),
            upkeep,
        },
    ))
}

/// Adds to the error the address and the setting that changes it.
fn name_address(error: &io::Error, address: impl fmt::Display, setting: &str) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot listen on {address}: {error}. Set {setting} to listen elsewhere"),
    )
}
