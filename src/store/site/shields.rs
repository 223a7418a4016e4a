//! The shields of the site. Each process knows them with its copy of the settings, so they cost a post no read.

use crate::{domain::Shields, store::prelude::*};

script_calls! {
    ChangeShields = "change_shields"(site; deadline_ms: u64, holds_links: &'static str);
}

outcomes! {
    enum ShieldsChange {
        Changed = "changed",
    }
}

/// The stored fields, in the order in which they are read.
const FIELDS: &[&str] = &["holds_links"];

/// Returns the command that reads the shields.
pub(super) fn read_shields() -> Cmd {
    redis::cmd("HMGET").with((keys::SITE, FIELDS))
}

/// Decodes what [`read_shields`] returns.
pub(super) fn shields([holds_links]: [Option<String>; 1]) -> Shields {
    Shields {
        holds_links: holds_links.is_some_and(|text| !text.is_empty()),
    }
}

impl Store {
    /// Changes the shields of the site.
    pub async fn change_shields(&self, call: &Call, shields: &Shields) -> Result<()> {
        let change = ChangeShields {
            site: keys::SITE.to_owned(),
            deadline_ms: call.deadline(),
            holds_links: if shields.holds_links { "1" } else { "" },
        };
        let ShieldsChange::Changed = self.connection.run_durably(&change).await?;
        self.read_site().await.map(drop)
    }
}
