//! The shields of the site. Each process knows them with its copy of the settings, so they cost a post no read.

use crate::{
    domain::{BlockEntry, BlockList, Shields},
    store::prelude::*,
};

script_calls! {
    ChangeShields = "change_shields"(
        site;
        deadline_ms: u64, holds_links: &'static str, site_reports: &'static str, blocked_words: String,
        blocked_domains: String, blocked_addresses: String
    );
}

outcomes! {
    enum ShieldsChange {
        Changed = "changed",
    }
}

/// The stored fields, in the order in which they are read.
const FIELDS: [&str; 5] = [
    "holds_links",
    "site_reports",
    "blocked_words",
    "blocked_domains",
    "blocked_addresses",
];
pub(super) type StoredShields = [Option<String>; FIELDS.len()];
/// The stored field if the site reports nothing by itself.
const OFF: &str = "off";

/// Returns the command that reads the shields.
pub(super) fn read_shields() -> Cmd {
    redis::cmd("HMGET").with((keys::SITE, &FIELDS))
}

/// Decodes what [`read_shields`] returns.
pub(super) fn shields(stored: StoredShields) -> Shields {
    let [holds_links, site_reports, words, domains, addresses] = stored;
    Shields {
        holds_links: holds_links.is_some_and(|text| !text.is_empty()),
        reports_spam: site_reports.as_deref() != Some(OFF),
        words: list(words),
        domains: list(domains),
        addresses: list(addresses),
    }
}

fn list<T: BlockEntry>(stored: Option<String>) -> BlockList<T> {
    BlockList::parse(&stored.unwrap_or_default()).unwrap_or_default()
}

impl Store {
    /// Changes the shields of the site.
    pub async fn change_shields(&self, call: &Call, shields: &Shields) -> Result<()> {
        let change = ChangeShields {
            site: keys::SITE.to_owned(),
            deadline_ms: call.deadline(),
            holds_links: if shields.holds_links { "1" } else { "" },
            site_reports: if shields.reports_spam { "" } else { OFF },
            blocked_words: shields.words.lines(),
            blocked_domains: shields.domains.lines(),
            blocked_addresses: shields.addresses.lines(),
        };
        let ShieldsChange::Changed = self.connection.run_durably(&change).await?;
        self.read_site().await.map(drop)
    }
}
