//! What a member can do about a status: buttons under each, and the one form of a page that all
//! of them send. So a page of thirty statuses carries one token.

use askama::Template;

use crate::{
    store::VisibleStatus,
    web::{parts::visit::Visit, routes},
};

/// The form that the buttons name as theirs; each says itself where it goes.
#[derive(Debug, Template)]
#[template(path = "statuses/_act.html")]
pub(in crate::web) struct Act {
    csrf_token: String,
    /// Where the buttons stand, to come back to.
    here: String,
}

impl askama::filters::HtmlSafe for Act {}

impl Act {
    /// For the page at the path `here`; a visitor has no buttons.
    pub(in crate::web) fn new(visit: &Visit, here: &str) -> Option<Self> {
        visit.me().map(|_| Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
        })
    }
}

/// The buttons under a status.
#[derive(Debug)]
pub(super) struct Toggles {
    pub(super) favourite: Toggle,
    pub(super) repost: Toggle,
    pub(super) bookmark: Toggle,
}

/// A button that is pressed or not, and where it goes to be the other.
#[derive(Debug)]
pub(super) struct Toggle {
    pub(in crate::web) path: String,
    pub(super) pressed: bool,
}

impl Toggles {
    /// `None` for a visitor.
    pub(in crate::web) fn new(visit: &Visit, status: &VisibleStatus) -> Option<Self> {
        let id = status.id();
        let (favourite, repost, bookmark) = (
            if status.favourited_by_viewer() {
                routes::unfavourite(id)
            } else {
                routes::favourite(id)
            },
            if status.reposted_by_viewer() {
                routes::unrepost(id)
            } else {
                routes::repost(id)
            },
            if status.bookmarked_by_viewer() {
                routes::unbookmark(id)
            } else {
                routes::bookmark(id)
            },
        );
        visit.me().map(|_| Self {
            favourite: Toggle {
                path: favourite,
                pressed: status.favourited_by_viewer(),
            },
            repost: Toggle {
                path: repost,
                pressed: status.reposted_by_viewer(),
            },
            bookmark: Toggle {
                path: bookmark,
                pressed: status.bookmarked_by_viewer(),
            },
        })
    }
}
