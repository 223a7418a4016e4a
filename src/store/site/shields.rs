//! The shields of the site. Each process knows them with its copy of the settings, so they cost a post no read.

use super::fields::{are_reports_made, has_text};
use crate::{
    domain::{BlockEntry, BlockList, Shields},
    store::prelude::*,
};

/// The stored fields, in the order in which they are read.
const FIELDS: [&str; 5] = [
    "holds_links",
    "site_reports",
    "blocked_words",
    "blocked_domains",
    "blocked_addresses",
];
pub(super) type StoredShields = [Option<String>; FIELDS.len()];
/// Returns the command that reads the shields.
pub(super) fn read_shields() -> Cmd {
    redis::cmd("HMGET").with((keys::SITE, &FIELDS))
}

/// Decodes what [`read_shields`] returns.
pub(super) fn shields(stored: StoredShields) -> Shields {
    let [holds_links, site_reports, words, domains, addresses] = stored;
    Shields {
        holds_links: has_text(holds_links.as_deref()),
        reports_spam: are_reports_made(site_reports.as_deref()),
        words: list(words),
        domains: list(domains),
        addresses: list(addresses),
    }
}

fn list<T: BlockEntry>(stored: Option<String>) -> BlockList<T> {
    BlockList::parse(&stored.unwrap_or_default()).unwrap_or_default()
}
