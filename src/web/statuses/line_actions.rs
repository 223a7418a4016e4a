//! The buttons under the line of a notification about a post: reply, favourite, and the menu with the rest.

use super::action_form::{Toggle, Toggles};
use crate::web::parts::prelude::*;

#[derive(Debug, Template)]
#[template(path = "statuses/_line_actions.html")]
pub struct LineActions {
    id: StatusId,
    /// The reply form on the page of the post; `None` if the reader may not reply.
    reply: Option<String>,
    favourite: Toggle,
}

impl askama::filters::HtmlSafe for LineActions {}

impl LineActions {
    /// Returns the buttons of the current member.
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Option<Self> {
        let toggles = Toggles::new(visit, status)?;
        let reply = routes::reply(&status.author().login, status.id());
        Some(Self {
            id: status.id(),
            reply: status.may_reply().then_some(reply),
            favourite: toggles.favourite,
        })
    }
}
