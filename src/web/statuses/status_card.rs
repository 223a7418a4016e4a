//! One status, wherever it is shown, made of a [`VisibleStatus`]. Parts that are the same for all
//! viewers at all times are cached fragments. Its age and buttons are made for each page.

use std::sync::Arc;

use askama::Template;

use crate::{
    domain::{FoldedTag, StatusId},
    store::{ReplyTo, RowVersion, User, VisibleStatus},
    web::{
        conversations::view::Answers,
        fragments::{CardHalves, Fragment, Fragments},
        importance::why::Why,
        parts::{
            avatar::avatar,
            count,
            moment::{Age, Stamp},
            visit::Visit,
        },
        polls::view::PollPart,
        reposts::{quote::Quoted, view::RepostLine},
        routes,
        tags::link::TagLink,
    },
};

use super::{
    act::Toggles,
    byline::{byline, message, permalink, stamp},
};

#[derive(Debug, Template)]
#[template(path = "statuses/_status_card.html")]
pub struct StatusCard {
    /// The shown status: for a repost without a comment, its original.
    status: VisibleStatus,
    fragments: Arc<Fragments>,
    /// The id under which it is on the page.
    pub(super) place: StatusId,
    /// The line above an original: the people who reposted it.
    pub(super) repost: Option<RepostLine>,
    /// The quoted status, below the message.
    quoted: Option<Quoted>,
    /// The followed tag that alone brought it here.
    brought_by: Option<TagLink>,
    part: Part,
    age: Age,
    /// The reasons of its rank, in the ranked home.
    why: Option<Why>,
    /// Counts of favourites, reposts and quotes; empty for zero.
    pub(in crate::web) favourites: String,
    reposts: String,
    quotes: String,
    /// Links to the people who favourited and reposted it; empty if there are none.
    pub(in crate::web) reacted_people: Vec<ReactedPeople>,
    /// `None` for visitors, who have no buttons.
    pub(super) toggles: Option<Toggles>,
    /// The page to quote it, for members.
    quote: Option<String>,
    /// The status it replies to, unless that is shown right above.
    pub(super) answering: Option<Answered>,
    /// The number of replies, unless it is zero.
    pub(in crate::web) replies: Option<String>,
    /// The reply form; `None` for visitors.
    pub(in crate::web) reply: Option<String>,
    /// The replies, if the page shows them.
    answers: Option<Box<Answers>>,
    /// The edit page, for its author while editing is possible.
    edit: Option<String>,
    /// The page to delete it, for its author.
    pub(super) delete: Option<String>,
    poll: Option<PollPart>,
    edited: Option<Edited>,
}

impl askama::filters::HtmlSafe for StatusCard {}

/// The time of the last edit, and the edit history.
#[derive(Debug)]
struct Edited {
    path: String,
    words: String,
    stamp: Stamp,
}

/// The role of a card on its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Part {
    /// One of many, or alone.
    Entry,
    /// The subject of the page, with its conversation around it.
    Subject,
    /// A reply below the status it replies to.
    Comment,
}

impl Part {
    fn is_subject(self) -> bool {
        self == Self::Subject
    }

    fn is_comment(self) -> bool {
        self == Self::Comment
    }
}

/// The number of favourites or reposts in words, and the link to the people.
#[derive(Debug)]
pub(in crate::web) struct ReactedPeople {
    pub(in crate::web) words: String,
    pub(in crate::web) path: String,
}

/// The status that a card replies to.
#[derive(Debug)]
pub(in crate::web) enum Answered {
    /// Its author's login and its path.
    Status { login: String, path: String },
    /// It was deleted.
    Gap,
}

impl StatusCard {
    #[must_use]
    pub fn new(visit: &Visit, entry: &VisibleStatus) -> Self {
        let status = entry.shown();
        Self {
            place: entry.id(),
            repost: entry.is_repost().then(|| RepostLine::new(entry)),
            quoted: status.quoted().map(|quoted| Quoted::new(visit, quoted)),
            part: Part::Entry,
            age: Age::of(status.posted(), visit.now),
            why: None,
            favourites: without_zero(status.favourite_count()),
            reposts: without_zero(status.repost_count()),
            quotes: without_zero(status.quote_count()),
            reacted_people: ReactedPeople::of(status),
            toggles: Toggles::new(visit, status),
            quote: visit.me().map(|_| routes::quote(status.id())),
            answering: status.reply_to().map(Answered::new),
            replies: match status.reply_count() {
                0 => None,
                number => Some(replies(number)),
            },
            answers: None,
            reply: visit
                .me()
                .map(|_| routes::reply(&status.author().login, status.id())),
            edit: status
                .is_editable(visit.now)
                .then(|| routes::edit_status(status.id())),
            delete: status.is_own().then(|| routes::delete_status(status.id())),
            poll: PollPart::new(visit, status),
            edited: Edited::new(visit, status),
            brought_by: None,
            status: status.clone(),
            fragments: Arc::clone(&visit.fragments),
        }
    }

    /// Adds the reasons of its rank.
    pub(super) fn because(self, why: Why) -> Self {
        Self {
            why: Some(why),
            ..self
        }
    }

    /// Adds the tag that brought it.
    pub(super) fn brought_by(&mut self, tag: &FoldedTag) {
        self.brought_by = Some(TagLink::new(tag));
    }

    /// Renders the card and splits it around its age.
    pub(super) fn around_its_age(self) -> CardHalves {
        let card = Self {
            age: Age::Later,
            ..self
        };
        let html = card.render().expect("writing to memory does not fail");
        let (before, after) = html
            .split_once(Age::LATER)
            .expect("a card says its age once");
        CardHalves::new(before, after, &card.author().name)
    }

    pub(in crate::web) fn id(&self) -> StatusId {
        self.status.id()
    }

    /// Removes all buttons.
    pub(super) fn only_to_read(self) -> Self {
        Self {
            edit: None,
            delete: None,
            toggles: None,
            quote: None,
            reacted_people: Vec::new(),
            replies: None,
            reply: None,
            ..self
        }
    }

    /// Sets the role. A reply right below its parent does not name the parent.
    pub(in crate::web) fn with_part(self, part: Part) -> Self {
        Self {
            answering: self.answering.filter(|_| part != Part::Comment),
            part,
            ..self
        }
    }

    /// Adds the replies.
    pub(in crate::web) fn with_answers(self, answers: Option<Answers>) -> Self {
        Self {
            answers: answers.map(Box::new),
            ..self
        }
    }

    pub(in crate::web) fn permalink(&self) -> String {
        permalink(&self.status)
    }

    pub(in crate::web) fn profile(&self) -> String {
        routes::profile(&self.author().login)
    }

    pub(in crate::web) fn author(&self) -> &User {
        self.status.author()
    }

    fn avatar(&self) -> Fragment {
        avatar(&self.fragments, self.author())
    }

    fn byline(&self) -> Fragment {
        byline(&self.fragments, self.author())
    }

    fn stamp(&self) -> Fragment {
        stamp(&self.fragments, self.cached_row(), self.status.posted())
    }

    fn message(&self) -> Fragment {
        message(&self.fragments, self.cached_row(), self.status.message())
    }

    /// Returns the row for cached fragments. `None` if the whole card will be cached.
    fn cached_row(&self) -> Option<RowVersion> {
        let row = self.status.row_version();
        row.filter(|_| !matches!(self.age, Age::Later))
    }
}

impl Edited {
    fn new(visit: &Visit, status: &VisibleStatus) -> Option<Self> {
        status.edited().map(|edited| Self {
            path: routes::versions(&status.author().login, status.id()),
            words: Age::of(edited, visit.now).ago(),
            stamp: Stamp::of(edited),
        })
    }
}

impl Answered {
    fn new(answering: &ReplyTo) -> Self {
        match answering {
            ReplyTo::Status(id, author) => Self::Status {
                login: author.login.to_string(),
                path: routes::status(&author.login, *id),
            },
            ReplyTo::Gap => Self::Gap,
        }
    }
}

impl ReactedPeople {
    fn of(status: &VisibleStatus) -> Vec<Self> {
        let login = &status.author().login;
        let some = |number, noun: &str, path| {
            let words = match number {
                0 => return None,
                1 => format!("1 {noun}"),
                number => format!("{} {noun}s", count(number)),
            };
            Some(Self { words, path })
        };
        let favours = routes::favourited_by(login, status.id());
        let reposts = routes::reposters(login, status.id());
        let favours = some(status.favourite_count(), "favourite", favours);
        let reposts = some(status.repost_count(), "repost", reposts);
        favours.into_iter().chain(reposts).collect()
    }
}

/// Returns `1 reply`, `1,234 replies`.
fn replies(number: u64) -> String {
    match number {
        1 => "1 reply".to_owned(),
        number => format!("{} replies", count(number)),
    }
}

fn without_zero(number: u64) -> String {
    match number {
        0 => String::new(),
        number => count(number),
    }
}
