//! One status, wherever it is shown. Made of a [`VisibleStatus`] and of nothing else.

use askama::Template;

use crate::{store::VisibleStatus, web::routes};

use super::{Moment, Visit, act::Toggles, avatar::Avatar, count, rich_text::RichText};

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
    /// How many favour it, without a zero.
    pub(super) favourites: String,
    /// Who favours it, if anybody does.
    pub(super) favourers: Option<Favourers>,
    /// `None` where there is nothing to press: for visitors.
    pub(super) toggles: Option<Toggles>,
    /// Where its author is asked whether to delete it; `None` for everyone else.
    pub(super) delete: Option<String>,
}

/// How many favour a status, in words, and where they are listed.
#[derive(Debug)]
pub(super) struct Favourers {
    pub(super) words: String,
    pub(super) path: String,
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
            favourites: match status.favourites() {
                0 => String::new(),
                number => count(number),
            },
            favourers: Favourers::new(status),
            toggles: Toggles::new(visit, status),
            delete: status.own().then(|| routes::delete_status(status.id())),
        }
    }
}

impl Favourers {
    fn new(status: &VisibleStatus) -> Option<Self> {
        let words = match status.favourites() {
            0 => return None,
            1 => "1 favourite".to_owned(),
            number => format!("{} favourites", count(number)),
        };
        let path = routes::favourers(&status.author().login, status.id());
        Some(Self { words, path })
    }
}
