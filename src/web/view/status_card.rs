//! One status, wherever it is shown. Made of a [`VisibleStatus`] and of nothing else. What is the same
//! for every viewer at every time is made once and kept beside the status and its author; how long
//! ago it was, and what its viewer can do about it, is made for each page.

use askama::Template;

use crate::{
    store::{User, VisibleStatus},
    web::routes,
};

use super::{
    Visit,
    act::Toggles,
    avatar::Avatar,
    count,
    made::Made,
    moment::{Age, Stamp},
    rich_text::RichText,
    why::Why,
};

#[derive(Debug, Template)]
#[template(path = "statuses/_status_card.html")]
pub struct StatusCard {
    status: VisibleStatus,
    age: Age,
    /// Why it stands where it does, where that is not its age.
    why: Option<Why>,
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

/// Who wrote a status.
#[derive(Debug, Template)]
#[template(path = "statuses/_byline.html")]
struct Byline<'a> {
    author: &'a str,
    login: &'a str,
    profile: String,
}

impl StatusCard {
    #[must_use]
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Self {
        Self {
            age: Age::of(status.posted(), visit.now),
            why: None,
            favourites: match status.favourites() {
                0 => String::new(),
                number => count(number),
            },
            favourers: Favourers::new(status),
            toggles: Toggles::new(visit, status),
            delete: status.own().then(|| routes::delete_status(status.id())),
            status: status.clone(),
        }
    }

    /// The same with the reason why it stands there.
    pub(super) fn because(self, why: Why) -> Self {
        Self {
            why: Some(why),
            ..self
        }
    }

    /// The same with nothing to press.
    pub(super) fn only_to_read(self) -> Self {
        Self {
            delete: None,
            toggles: None,
            favourers: None,
            ..self
        }
    }

    pub(super) fn permalink(&self) -> String {
        routes::status(&self.author().login, self.status.id())
    }

    pub(super) fn profile(&self) -> String {
        routes::profile(&self.author().login)
    }

    pub(super) fn author(&self) -> &User {
        self.status.author()
    }

    fn avatar(&self) -> Made<'_> {
        let User { login, name, .. } = self.author();
        Made::of(&self.author().shown_avatar, || Avatar::new(login, name))
    }

    fn byline(&self) -> Made<'_> {
        Made::of(&self.author().shown_byline, || Byline {
            author: &self.author().name,
            login: self.author().login.as_str(),
            profile: self.profile(),
        })
    }

    fn stamp(&self) -> Made<'_> {
        Made::of(self.status.shown_time(), || Stamp::of(self.status.posted()))
    }

    fn message(&self) -> Made<'_> {
        let message = self.status.message();
        Made::of(self.status.shown_message(), || RichText::new(message))
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
