//! The buttons under statuses, and the one form that all buttons of a page submit. So a page of
//! thirty statuses contains one token.

use askama::Template;

use crate::{
    store::VisibleStatus,
    web::{parts::visit::Visit, routes},
};

/// The form of all buttons. Each button has its own action.
#[derive(Debug, Template)]
#[template(path = "statuses/_action_form.html")]
pub(in crate::web) struct Act {
    csrf_token: String,
    /// The page of the buttons, to return to.
    here: String,
}

impl askama::filters::HtmlSafe for Act {}

impl Act {
    /// Returns the form for the page at the path `here`, or `None` for visitors.
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

/// A button with its state and the action that changes it.
#[derive(Debug)]
pub(super) struct Toggle {
    pub(in crate::web) path: String,
    pub(super) pressed: bool,
}

impl Toggles {
    /// Returns `None` for visitors.
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
