//! The buttons under statuses, and the form around them. So a page of thirty statuses contains one form and one token.

use super::press::StatusAction;
use crate::web::parts::prelude::*;

/// The start of the form around statuses. The template that shows it also closes the form.
#[derive(Debug, Clone, Template)]
#[template(path = "statuses/_action_form.html")]
pub struct ActionForm {
    /// The class of the form.
    class: Option<&'static str>,
    csrf_token: String,
    /// The page of the buttons, to return to.
    here: String,
    /// Whether it has fields, such as polls. Then Enter in a field must not press the first button.
    has_fields: bool,
}

impl askama::filters::HtmlSafe for ActionForm {}

impl ActionForm {
    /// Returns the form for the page at the path `here`, or `None` for visitors.
    pub fn new(visit: &Visit, here: &str) -> Option<Self> {
        visit.me().map(|_| Self {
            class: None,
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            has_fields: true,
        })
    }

    /// Is around buttons only.
    pub fn without_fields(self) -> Self {
        Self {
            has_fields: false,
            ..self
        }
    }

    /// Makes it the body of a card, for a page that has another form between its cards.
    pub fn around_status_body(self) -> Self {
        Self {
            class: Some("status-body"),
            ..self
        }
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
    pub(super) action: StatusAction,
    pub(super) pressed: bool,
}

impl Toggles {
    /// Returns `None` for visitors.
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Option<Self> {
        use StatusAction as Do;
        let toggle = |pressed, set, unset| Toggle {
            action: if pressed { unset } else { set },
            pressed,
        };
        let (favourited, reposted) = (status.favourited_by_viewer(), status.reposted_by_viewer());
        let bookmarked = status.bookmarked_by_viewer();
        visit.me().map(|_| Self {
            favourite: toggle(favourited, Do::Favourite, Do::Unfavourite),
            repost: (reposted || status.may_repost())
                .then(|| toggle(reposted, Do::Repost, Do::Unrepost)),
            bookmark: toggle(bookmarked, Do::Bookmark, Do::Unbookmark),
        })
    }
}
