//! The pages "About" and "Privacy".

use crate::{domain::SiteText, store::prelude::*};

script_calls! {
    ChangeSiteTexts = "change_site_texts"(site; deadline_ms: u64, about: String, privacy: String);
}

outcomes! {
    enum TextsChange {
        Changed = "changed",
    }
}

/// The pages of the owner about the site, in Markdown. Each can be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteTexts {
    pub about: String,
    pub privacy: String,
}

impl Store {
    /// Reads the pages "About" and "Privacy", in Markdown. A page that the owner did not write is empty.
    pub async fn site_texts(&self) -> Result<SiteTexts> {
        let read = redis::cmd("HMGET").with((keys::SITE, "about", "privacy"));
        let (about, privacy): (Option<String>, Option<String>) =
            self.connection.query(read).await?;
        Ok(SiteTexts {
            about: about.unwrap_or_default(),
            privacy: privacy.unwrap_or_default(),
        })
    }

    /// Changes the pages "About" and "Privacy".
    pub async fn change_site_texts(
        &self,
        call: &Call,
        about: &SiteText,
        privacy: &SiteText,
    ) -> Result<()> {
        let change = ChangeSiteTexts {
            site: keys::SITE.to_owned(),
            deadline_ms: call.deadline(),
            about: about.as_str().to_owned(),
            privacy: privacy.as_str().to_owned(),
        };
        let TextsChange::Changed = self.connection.run_durably(&change).await?;
        self.read_site().await.map(drop)
    }
}
