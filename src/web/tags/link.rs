//! The link to a tag.

use crate::{domain::FoldedTag, web::routes};

/// A tag's name and path.
#[derive(Debug)]
pub(in crate::web) struct TagLink {
    pub(in crate::web) tag: String,
    pub(in crate::web) path: String,
}

impl TagLink {
    pub(in crate::web) fn new(tag: &FoldedTag) -> Self {
        Self {
            tag: tag.to_string(),
            path: routes::tag(tag),
        }
    }
}
