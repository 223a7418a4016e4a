//! The actions of the site, called without HTTP, for data that would take too many forms.

use std::sync::Arc;

use clap::Parser;
use redwing::{config::Config, store::Store};
use tokio::runtime::{Builder, Runtime};

use super::{redis::Outcome, site::Site};

/// Limits that the data of the bench exceeds. They do not change how it is written.
const LIMITS: [&str; 3] = [
    "--new-account-days=0",
    "--group-age-days=0",
    "--message-requests-per-day=1000",
];

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    config: Config,
}

/// The store of a site, with a runtime for its actions.
pub struct Actions {
    pub store: Store,
    runtime: Runtime,
}

impl Actions {
    pub fn on(site: &Site) -> Outcome<Self> {
        let words = ["bench"].into_iter().chain(LIMITS);
        let config = Arc::new(CommandLine::try_parse_from(words)?.config);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let store = runtime.block_on(async { Store::open(&site.redis_url(), config) })?;
        Ok(Self { store, runtime })
    }

    pub fn run<T>(&self, action: impl Future<Output = redwing::store::Result<T>>) -> Outcome<T> {
        Ok(self.runtime.block_on(action)?)
    }
}
