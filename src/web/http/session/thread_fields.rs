//! The further posts of a thread in the form to post.

use serde::{Deserialize, Serialize};

/// The texts after the first post, in their order. A field is present if the form has its box.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ThreadFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_3: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_4: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_5: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_6: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_7: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_8: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_9: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_10: Option<String>,
}

impl ThreadFields {
    /// Maximum number of posts after the first one.
    pub const MAX_POSTS: usize = 9;

    /// Returns the texts of the boxes that the form has.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let all: [&Option<String>; Self::MAX_POSTS] = [
            &self.post_2,
            &self.post_3,
            &self.post_4,
            &self.post_5,
            &self.post_6,
            &self.post_7,
            &self.post_8,
            &self.post_9,
            &self.post_10,
        ];
        all.into_iter().filter_map(Option::as_deref)
    }
}
