//! The command line: parses it, starts the parts in order, and stops them in order: requests, tasks,
//! embedded server. It is in the library and not in `main.rs`, so that its async functions are compiled
//! once.

mod run;

use std::{process::ExitCode, sync::Arc};

use crate::{
    admin::AdminArgs,
    audit::CheckArgs,
    config::Config,
    embedded::Embedded,
    logging, output,
    seed::SeedArgs,
    status::{self, StatusArgs},
    store::{self, Store},
};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use run::{Failure, Site};

/// A social network that a community runs for itself. Every setting is a flag and an environment
/// variable. The flag wins.
#[derive(Parser)]
#[command(name = "redwing", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    config: Config,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the site and run its tasks (the default).
    Serve,
    /// Run tasks only, beside a process that serves the site.
    Work,
    /// Fill the site with demo people, or with a graph. Exits with 1 if a limit refused a part.
    Seed(SeedArgs),
    /// Rewrite Redis' append-only files now, without deleted texts, and wait for the end.
    Rewrite,
    /// Verify the data while the site is in use. Exits with 1 if an invariant does not hold.
    Check(CheckArgs),
    /// Print the health of the site, with a remedy for each warning. Exits with 1 after a warning, with 2 after a failure.
    Status(StatusArgs),
    /// Administer the site from the command line: accounts, reports, groups and settings.
    Admin(AdminArgs),
}

/// Runs the command line. Returns the exit code of the process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = parse();
    match start(cli) {
        Ok(code) => code,
        Err(failure) if output::is_closed(&failure) => ExitCode::from(output::CLOSED_EXIT_CODE),
        Err(failure) => {
            output::print_error(format_args!("redwing: {failure}"));
            ExitCode::FAILURE
        }
    }
}

/// Parses the arguments. Settings may come before or after the subcommand.
fn parse() -> Cli {
    let command = Cli::command().mut_args(|setting| setting.global(true));
    Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
}

fn start(cli: Cli) -> Result<ExitCode, Failure> {
    cli.config.validate()?;
    logging::start(&cli.config)?;
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| "another TLS provider is installed")?;
    let mut config = cli.config;
    if matches!(cli.command, Some(Command::Check(_))) {
        config.timeouts = config.timeouts.for_maintenance();
    }
    let config = Arc::new(config);
    if matches!(
        cli.command,
        Some(
            Command::Admin(_)
                | Command::Check(_)
                | Command::Rewrite
                | Command::Status(_)
                | Command::Work
        )
    ) {
        require_data(&config)?;
    }
    let embedded = Embedded::start(&config)?;
    let runtime = actix_web::rt::System::new();
    let outcome = runtime.block_on(run_command(cli.command, &config, embedded.as_ref()));
    if let Some(embedded) = embedded {
        embedded.stop();
    }
    outcome
}

/// Requires the data directory to exist. A typo must not start a new, empty site that is then found to be
/// valid.
fn require_data(config: &Config) -> Result<(), Failure> {
    let has_data = config.data_dir.join("redis/appendonlydir").is_dir();
    if has_data || config.redis_url.is_some() {
        return Ok(());
    }
    let dir = config.data_dir.display();
    Err(format!("{dir} contains no data of Redwing. Set the directory with --data-dir").into())
}

async fn run_command(
    command: Option<Command>,
    config: &Arc<Config>,
    embedded: Option<&Embedded>,
) -> Result<ExitCode, Failure> {
    let url = match (embedded, &config.redis_url) {
        (Some(embedded), _) => embedded.url(),
        (None, Some(url)) => url.reveal(),
        (None, None) => return Err("no REDIS_URL and no embedded server".into()),
    };
    let store = Store::open(url, Arc::clone(config)).map_err(describe_address_error)?;
    let site = Site {
        config,
        store: &store,
        embedded,
    };
    match command {
        None | Some(Command::Serve) => site.serve().await,
        Some(Command::Work) => site.work().await,
        Some(Command::Seed(args)) => site.seed(args).await,
        Some(Command::Check(args)) => site.check(args).await,
        Some(Command::Status(args)) => status::print(&args, &store).await,
        Some(Command::Admin(args)) => site.admin(args).await,
        Some(Command::Rewrite) => site.rewrite().await,
    }
}

/// Describes an invalid Redis address and its format, without the address, which may contain a
/// password.
fn describe_address_error(error: store::Error) -> Failure {
    match error {
        store::Error::Unexpected { what, answer } => format!(
            "{what}: {answer}. It looks like redis://:password@host:6379/0, rediss://… with TLS, or \
             redis+unix:///path/to/socket"
        )
        .into(),
        other => other.into(),
    }
}
