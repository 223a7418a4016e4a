//! One status, wherever it is shown. Made of a [`VisibleStatus`] and of nothing else. What is the same
//! for every viewer at every time is made once and kept beside the status and its author; how long
//! ago it was, and what its viewer can do about it, is made for each page.

use askama::Template;

use crate::{
    domain::{FoldedTag, StatusId},
    store::{Halves, ReplyTo, Shown, User, VisibleStatus},
    web::{
        conversations::view::{Answers, replies},
        importance::why::Why,
        parts::{
            avatar::avatar,
            count,
            made::Made,
            moment::{Age, Stamp},
            rich_text::RichText,
            visit::Visit,
        },
        polls::view::PollPart,
        reposts::{quote::Quoted, view::RepostLine},
        routes,
        tags::view::TagLink,
    },
};

use super::act::Toggles;

#[derive(Debug, Template)]
#[template(path = "statuses/_status_card.html")]
pub struct StatusCard {
    /// What stands there: of a repost without a comment its original.
    status: VisibleStatus,
    /// By which id it stands there.
    pub(super) place: StatusId,
    /// Above the original: who reposts it.
    pub(super) repost: Option<RepostLine>,
    /// Below the message: what it comments on.
    quoted: Option<Quoted>,
    /// The tag that brought it here, where nothing else did.
    brought_by: Option<TagLink>,
    part: Part,
    age: Age,
    /// Why it stands where it does, where that is not its age.
    why: Option<Why>,
    /// How many favour, repost and quote it, without a zero.
    pub(in crate::web) favourites: String,
    reposts: String,
    quotes: String,
    /// Who favours it and who reposts it, if anybody does.
    pub(in crate::web) reacted_people: Vec<ReactedPeople>,
    /// `None` where there is nothing to press: for visitors.
    pub(super) toggles: Option<Toggles>,
    /// Where a member comments on it.
    quote: Option<String>,
    /// What it answers, where that does not stand above it.
    pub(super) answering: Option<Answered>,
    /// How many answer it, if anybody does.
    pub(in crate::web) replies: Option<String>,
    /// Where it is answered; `None` for visitors.
    pub(in crate::web) reply: Option<String>,
    /// What answers it, where a page shows that too.
    answers: Option<Box<Answers>>,
    /// Where its author corrects it, while they may; `None` for everyone else.
    edit: Option<String>,
    /// Where its author is asked whether to delete it; `None` for everyone else.
    pub(super) delete: Option<String>,
    poll: Option<PollPart>,
    edited: Option<Edited>,
}

impl askama::filters::HtmlSafe for StatusCard {}

/// When a status was corrected last, and where its versions are.
#[derive(Debug)]
struct Edited {
    path: String,
    words: String,
    stamp: Stamp,
}

/// Which part a card has on its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Part {
    /// One of many, or alone.
    Entry,
    /// What the page is about, with a conversation around it.
    Subject,
    /// An answer below what it answers.
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

/// How many favour or repost a status, in words, and where they are listed.
#[derive(Debug)]
pub(in crate::web) struct ReactedPeople {
    pub(in crate::web) words: String,
    pub(in crate::web) path: String,
}

/// What a status answers, as its card says it.
#[derive(Debug)]
pub(in crate::web) enum Answered {
    /// Whose it is, and where it stands.
    Status { login: String, path: String },
    /// It was deleted.
    Gap,
}

/// Who wrote a status.
#[derive(Debug, Template)]
#[template(path = "statuses/_byline.html")]
pub(super) struct Byline<'a> {
    author: &'a str,
    login: &'a str,
    profile: String,
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
        }
    }

    /// The same with the reason why it stands there.
    pub(super) fn because(self, why: Why) -> Self {
        Self {
            why: Some(why),
            ..self
        }
    }

    /// Says that a tag brought it.
    pub(super) fn brought_by(&mut self, tag: &FoldedTag) {
        self.brought_by = Some(TagLink::new(tag));
    }

    /// The same, before and behind its age.
    pub(super) fn around_its_age(self) -> Halves {
        let card = Self {
            age: Age::Later,
            ..self
        };
        let card = card.render().expect("writing to memory does not fail");
        let (before, behind) = card
            .split_once(Age::LATER)
            .expect("a card says its age once");
        Halves::new(before, behind)
    }

    pub(in crate::web) fn id(&self) -> StatusId {
        self.status.id()
    }

    /// The same with nothing to press.
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

    /// The same in a conversation. Where what it answers stands right above it, it does not say so.
    pub(in crate::web) fn with_part(self, part: Part) -> Self {
        Self {
            answering: self.answering.filter(|_| part != Part::Comment),
            part,
            ..self
        }
    }

    /// The same with what answers it.
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

    fn avatar(&self) -> Made<'_> {
        avatar(self.author())
    }

    fn byline(&self) -> Made<'_> {
        byline(self.author())
    }

    fn stamp(&self) -> Made<'_> {
        let kept = self.status.shown_time();
        self.part(kept, || Stamp::of(self.status.posted()))
    }

    fn message(&self) -> Made<'_> {
        let kept = self.status.shown_message();
        self.part(kept, || RichText::new(self.status.message()))
    }

    /// A part that is kept, unless the whole card will be.
    fn part<'a, T: Template>(&self, kept: &'a Shown, part: impl FnOnce() -> T) -> Made<'a> {
        match self.age {
            Age::Later => Made::once(&part()),
            _ => Made::of(kept, part),
        }
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

/// Where a status stands on its page: that of an answer has others above it.
pub(in crate::web) fn permalink(status: &VisibleStatus) -> String {
    let path = routes::status(&status.author().login, status.id());
    match status.reply_to() {
        None => path,
        Some(_) => routes::status_on(&path, status.id()),
    }
}

/// Who wrote a status, as it is kept beside its author.
pub(in crate::web) fn byline(author: &User) -> Made<'_> {
    Made::of(&author.shown_byline, || Byline {
        author: &author.name,
        login: author.login.as_str(),
        profile: routes::profile(&author.login),
    })
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

fn without_zero(number: u64) -> String {
    match number {
        0 => String::new(),
        number => count(number),
    }
}
