//! A page of a timeline: its statuses and the way on.

use askama::Template;

use crate::{
    domain::{Cursor, Page},
    store::VisibleStatus,
};

use super::{StatusCard, Visit, pager::Pager};

#[derive(Debug, Template)]
#[template(path = "statuses/_feed.html")]
pub(super) struct Feed {
    /// The heading, for those who hear the page.
    pub(super) name: String,
    pub(super) statuses: Vec<StatusCard>,
    pub(super) pager: Pager,
}

impl Feed {
    /// The page of the timeline at `path` that began at `before`.
    pub(super) fn new(
        visit: &Visit,
        name: impl Into<String>,
        path: &str,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        Self {
            name: name.into(),
            statuses: page
                .items
                .iter()
                .map(|status| StatusCard::new(visit, status))
                .collect(),
            pager: Pager::new(path, before, page.next),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.statuses.is_empty()
    }
}
