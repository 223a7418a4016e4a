//! The buttons under statuses, and the one form that all buttons of a page submit. So a page of
//! thirty statuses contains one token.

use crate::web::parts::prelude::*;

/// The form of all buttons. Each button has its own action.
#[derive(Debug, Template)]
#[template(path = "statuses/_action_form.html")]
pub struct ActionForm {
    csrf_token: String,
    /// The page of the buttons, to return to.
    here: String,
}

impl askama::filters::HtmlSafe for ActionForm {}

impl ActionForm {
    /// Returns the form for the page at the path `here`, or `None` for visitors.
    pub fn new(visit: &Visit, here: &str) -> Option<Self> {
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
    /// `None` if the viewer may not repost the status.
    pub(super) repost: Option<Toggle>,
    pub(super) bookmark: Toggle,
}

/// A button with its state and the action that changes it.
#[derive(Debug)]
pub(super) struct Toggle {
    pub path: String,
    pub(super) pressed: bool,
}

impl Toggles {
    /// Returns `None` for visitors.
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Option<Self> {
        let toggle = |pressed, set: fn(StatusId) -> String, unset: fn(StatusId) -> String| {
            let path = if pressed { unset } else { set };
            Toggle {
                path: path(status.id()),
                pressed,
            }
        };
        let (favourited, reposted) = (status.favourited_by_viewer(), status.reposted_by_viewer());
        let bookmarked = status.bookmarked_by_viewer();
        visit.me().map(|_| Self {
            favourite: toggle(favourited, routes::favourite, routes::unfavourite),
            repost: (reposted || status.may_repost())
                .then(|| toggle(reposted, routes::repost, routes::unrepost)),
            bookmark: toggle(bookmarked, routes::bookmark, routes::unbookmark),
        })
    }
}
