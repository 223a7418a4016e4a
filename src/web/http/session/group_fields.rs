//! The fields of a group, as its forms and sessions have them.

use serde::{Deserialize, Serialize};

/// The fields of a group, to found it or to change its settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GroupFields {
    pub name: String,
    /// Its name in addresses. The settings have none.
    pub slug: String,
    pub description: String,
    pub rules: String,
    pub kind: String,
    /// The readers of announcements.
    pub readable_by: String,
    pub joining: String,
    pub past: String,
    /// Present if the box is checked.
    pub unlisted: Option<String>,
    pub replies_closed: Option<String>,
    /// The digests of the values with which the form of the settings was made.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub shown: String,
}

impl GroupFields {
    pub(super) fn texts(&self) -> [&str; 4] {
        [&self.name, &self.slug, &self.description, &self.rules]
    }
}
