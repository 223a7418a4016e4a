//! The pages "About" and "Privacy".

use crate::store::prelude::*;

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
}
