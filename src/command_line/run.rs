//! The subcommands, from settings and store to their end.

use std::{error::Error, future, io, process::ExitCode, sync::Arc, time::Duration};

use crate::{
    admin::{self, AdminArgs},
    audit::{self, CheckArgs, scrub},
    config::Config,
    embedded::Embedded,
    output,
    seed::{self, SeedArgs},
    store::{self, DataVersionError, Store},
    web::server,
    worker::{self, rewrites, site_days},
};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};

/// An error of a command, worded for the operator.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// Pause between attempts to reach Redis at start.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The parts that every subcommand uses.
pub(crate) struct Site<'a> {
    pub(crate) config: &'a Arc<Config>,
    pub(crate) store: &'a Store,
    pub(crate) embedded: Option<&'a Embedded>,
}

impl Site<'_> {
    /// Serves the site and runs tasks.
    pub(crate) async fn serve(&self) -> Result<ExitCode, Failure> {
        let mut stop_signal = StopSignal::listen()?;
        let redis_check = self.check_redis_if_available().await?;
        let redis_check_done = redis_check == RedisCheck::Done;
        let mut server = server::start(Arc::clone(self.config), self.store).map_err(add_remedy)?;
        let mut workers = Workers::start(self.store, self.config.workers);
        output::announce(format_args!(
            "Redwing is at {} (Ctrl-C stops it)",
            server.address
        ));
        if redis_check_done {
            self.greet_owner(&server.set_up_link).await;
        }
        let outcome = tokio::select! {
            () = stop_signal.recv() => Ok(ExitCode::SUCCESS),
            failure = self.wait_for_lost_redis(redis_check) => Err(failure),
            failure = workers.wait_for_end() => Err(failure),
            ended = server.wait() => Err(ended.err().map_or_else(|| "the server ended".into(), Failure::from)),
        };
        tracing::info!("stopping");
        server.stop().await;
        workers.stop(self.config.timeouts.shutdown).await;
        outcome
    }

    /// Logs the link that sets the site up, while it has no account. The person who opens it is the owner.
    async fn greet_owner(&self, link: &str) {
        let is_new = async {
            let site = self.store.site().await?;
            Ok::<_, store::Error>(site.owner.is_none() && self.store.last_user().await? == 0)
        };
        match is_new.await {
            Ok(true) => {
                tracing::info!(
                    "This site has no account yet. Open this link once to set it up: {link}"
                );
            }
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "it is unknown whether the site is set up"),
        }
    }

    pub(crate) async fn work(&self) -> Result<ExitCode, Failure> {
        let mut stop_signal = StopSignal::listen()?;
        let redis_check = self.check_redis_if_available().await?;
        let mut workers = Workers::start(self.store, self.config.workers.max(1));
        output::announce("Redwing runs tasks (Ctrl-C stops it)");
        let outcome = tokio::select! {
            () = stop_signal.recv() => Ok(ExitCode::SUCCESS),
            failure = self.wait_for_lost_redis(redis_check) => Err(failure),
            failure = workers.wait_for_end() => Err(failure),
        };
        workers.stop(self.config.timeouts.shutdown).await;
        outcome
    }

    pub(crate) async fn seed(&self, args: SeedArgs) -> Result<ExitCode, Failure> {
        let mut stop_signal = StopSignal::listen()?;
        self.check_redis().await?;
        // The embedded server begins no rewrite by itself. They end with this function.
        let mut rewriting = JoinSet::new();
        let (_stop, stopped) = watch::channel(false);
        if self.embedded.is_some() {
            rewriting.spawn(rewrites::run(self.store.fork(), stopped));
        }
        tokio::select! {
            summary = seed::run(args, self.store) => {
                let summary = summary?;
                output::print_line(&summary)?;
                Ok(exit_code(!summary.has_refusals()))
            }
            () = stop_signal.recv() => {
                output::print_error("Stopped. Run the same command again to continue. It creates no duplicates.");
                Ok(ExitCode::FAILURE)
            }
        }
    }

    pub(crate) async fn check(&self, args: CheckArgs) -> Result<ExitCode, Failure> {
        self.check_data(args).await.map_err(|failure| {
            match failure.downcast_ref::<store::Error>() {
                Some(error) if error.is_outage() => self.advise_to_repeat(error),
                _ => failure,
            }
        })
    }

    /// Returns the failure of a check for which Redis was too slow or away.
    fn advise_to_repeat(&self, error: &store::Error) -> Failure {
        let waited = self.config.timeouts.redis_response.as_secs_f32();
        format!(
            "{error}. The check waits {waited} s for each answer. Run it again when the machine is less busy, or raise \
             REDWING_REDIS_RESPONSE_MS"
        )
        .into()
    }

    async fn check_data(&self, args: CheckArgs) -> Result<ExitCode, Failure> {
        self.prepare_data().await?;
        let Some(scope) = args.scope(self.store).await? else {
            let login = args.user.as_ref().map(ToString::to_string);
            return Err(format!("no one has the login {}", login.unwrap_or_default()).into());
        };
        let report = audit::perform(self.store, scope, args.repair()).await?;
        if args.json {
            output::print_document(&report)?;
        } else {
            output::print_line(&report)?;
        }
        Ok(exit_code(report.is_clean()))
    }

    pub(crate) async fn admin(&self, args: AdminArgs) -> Result<ExitCode, Failure> {
        self.prepare_data().await?;
        admin::run(args, self.store).await?;
        Ok(ExitCode::SUCCESS)
    }

    pub(crate) async fn rewrite(&self) -> Result<ExitCode, Failure> {
        self.check_redis().await?;
        self.store.rewrite_files().await?;
        output::print_line("The append-only files were rewritten. They hold no deleted texts.")?;
        Ok(ExitCode::SUCCESS)
    }

    async fn check_redis(&self) -> Result<(), Failure> {
        self.require_durability().await?;
        self.prepare_data().await
    }

    /// Refuses data that this binary does not know, and migrates older data.
    async fn prepare_data(&self) -> Result<(), Failure> {
        let prepared = self.store.prepare_data(store::DATA_VERSION).await;
        prepared.map_err(|refusal| match refusal {
            DataVersionError::Store(error) => error.into(),
            refusal => refusal.into(),
        })
    }

    /// Refuses a Redis that may lose data, unless the settings allow it.
    async fn require_durability(&self) -> Result<(), Failure> {
        let warnings = self.store.durability_warnings().await?;
        if warnings.is_empty() {
            return Ok(());
        }
        let loss = format!("this Redis may lose data: {}", warnings.join("; "));
        if self.config.allow_lossy_redis {
            tracing::warn!("{loss}");
            return Ok(());
        }
        let remedy = "Set `appendonly yes` and `maxmemory-policy noeviction` there, or allow it with \
                      --allow-lossy-redis";
        Err(format!("{loss}. {remedy}").into())
    }

    /// Checks a Redis that is available. One that is unavailable at start is checked later.
    async fn check_redis_if_available(&self) -> Result<RedisCheck, Failure> {
        match self.check_redis().await {
            Ok(()) => Ok(RedisCheck::Done),
            Err(failure) if is_unavailable(&failure) => {
                tracing::warn!("{failure}; pages show an error until it is available");
                self.store.hold_writes();
                Ok(RedisCheck::Pending)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Resolves when no usable Redis is left.
    async fn wait_for_lost_redis(&self, redis_check: RedisCheck) -> Failure {
        tokio::select! {
            failure = self.wait_for_late_refusal(redis_check) => failure,
            () = self.wait_for_lost_embedded_server() => "the embedded server is lost".into(),
        }
    }

    async fn wait_for_late_refusal(&self, redis_check: RedisCheck) -> Failure {
        if redis_check == RedisCheck::Done {
            future::pending::<()>().await;
        }
        loop {
            match self.check_redis().await {
                Ok(()) => future::pending().await,
                Err(failure) if is_unavailable(&failure) => sleep(RETRY_INTERVAL).await,
                Err(failure) => return failure,
            }
        }
    }

    async fn wait_for_lost_embedded_server(&self) {
        match self.embedded {
            Some(embedded) => embedded.given_up().await,
            None => future::pending().await,
        }
    }
}

fn exit_code(succeeded: bool) -> ExitCode {
    match succeeded {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn add_remedy(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("{error}. Stop what listens there, or set REDWING_LISTEN").into()
        }
        _ => error.into(),
    }
}

/// Whether Redis was checked at the start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RedisCheck {
    Done,
    Pending,
}

fn is_unavailable(failure: &Failure) -> bool {
    matches!(
        failure.downcast_ref(),
        Some(store::Error::Unavailable(_) | store::Error::Full)
    )
}

/// The signal to stop: SIGTERM or Ctrl-C.
struct StopSignal {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignal {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The workers of this process, its rewrites and its scrub, each with its own connection.
struct Workers {
    stop: watch::Sender<bool>,
    running: JoinSet<()>,
}

impl Workers {
    fn start(store: &Store, count: usize) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut running: JoinSet<()> = (0..count)
            .map(|_| worker::run(store.fork(), stopped.clone()))
            .collect();
        running.spawn(rewrites::run(store.fork(), stopped.clone()));
        running.spawn(site_days::run(store.fork(), stopped.clone()));
        if scrub::is_wanted(store) {
            running.spawn(scrub::run(store.fork(), stopped));
        }
        Self { stop, running }
    }

    /// Returns when a worker ended without a signal. The process would then deliver nothing.
    async fn wait_for_end(&mut self) -> Failure {
        match self.running.join_next().await {
            Some(_) => "a worker ended because of an internal error".into(),
            None => future::pending().await,
        }
    }

    /// Waits for running tasks. A task that takes longer than `limit` is left to another worker.
    async fn stop(self, limit: Duration) {
        self.stop.send_replace(true);
        if timeout(limit, self.running.join_all()).await.is_err() {
            tracing::warn!("a task takes too long to finish. Another worker repeats it");
        }
    }
}
