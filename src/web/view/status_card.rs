//! One status, wherever it is shown. Made of a [`VisibleStatus`] and of nothing else.

use askama::Template;

use crate::{store::VisibleStatus, web::routes};

use super::{Moment, Visit, avatar::Avatar, rich_text::RichText};

#[derive(Debug, Template)]
#[template(path = "statuses/_status_card.html")]
pub struct StatusCard {
    pub(super) id: String,
    pub(super) permalink: String,
    pub(super) author: String,
    pub(super) login: String,
    pub(super) profile: String,
    pub(super) avatar: Avatar,
    pub(super) message: RichText,
    pub(super) posted: Moment,
    /// Where its author is asked whether to delete it; `None` for everyone else.
    pub(super) delete: Option<String>,
}

impl StatusCard {
    #[must_use]
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Self {
        let author = status.author();
        Self {
            id: status.id().to_string(),
            permalink: routes::status(&author.login, status.id()),
            author: author.name.clone(),
            login: author.login.to_string(),
            profile: routes::profile(&author.login),
            avatar: Avatar::new(&author.login, &author.name),
            message: RichText::new(status.message()),
            posted: Moment::new(status.posted(), visit.now),
            delete: status.own().then(|| routes::delete_status(status.id())),
        }
    }
}
