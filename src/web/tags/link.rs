//! The link to a tag.

use crate::{domain::FoldedTag, web::routes};

/// A tag's name and path.
#[derive(Debug)]
pub struct TagLink {
    pub tag: String,
    pub path: String,
}

impl TagLink {
    pub fn new(tag: &FoldedTag) -> Self {
        Self {
            tag: tag.to_string(),
            path: routes::tag(tag),
        }
    }
}
