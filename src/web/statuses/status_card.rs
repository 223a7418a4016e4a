//! One status, wherever it is shown, made of a [`VisibleStatus`]. Parts that are the same for all
//! viewers at all times are cached fragments. Its age and buttons are made for each page.

use std::sync::Arc;

use super::{
    action_form::{ActionForm, Toggles},
    byline::{TimeLink, author_names, byline, message, permalink, stamp, visibility_words},
};
use crate::{
    domain::{FoldedTag, Login, Zone},
    store::{MuteReason, ReplyTo, RowVersion},
    web::{
        conversations::view::Replies,
        fragments::{CardHalves, Fragment, Fragments},
        importance::ranking_reasons::RankingReasons,
        parts::{
            avatar::Avatar,
            count_unless_zero,
            moment::{self, Age, Stamp},
            prelude::*,
        },
        polls::view::PollPart,
        reply_control::words::limit_words,
        reposts::{quote::QuotedPart, view::RepostLine},
        tags::link::TagLink,
    },
};

#[derive(Debug, Template)]
#[template(path = "statuses/_status_card.html")]
pub struct StatusCard {
    /// The shown status: for a repost without a comment, its original.
    pub(super) status: VisibleStatus,
    fragments: Arc<Fragments>,
    /// The id under which it is on the page.
    pub(super) place: StatusId,
    /// The post below it by another author, if ids do not tell the order of the page.
    pub(super) below: Option<StatusId>,
    /// The avatar of the author, which the stylesheet draws.
    avatar: Avatar,
    /// The line above an original: the people who reposted it.
    pub(super) repost: Option<RepostLine>,
    /// The quoted status, below the message.
    quoted: Option<QuotedPart>,
    /// It is pinned, and above the other posts.
    pub(super) is_pinned: bool,
    /// The name and the page of its group.
    group: Option<(String, String)>,
    /// The followed tag that alone brought it here.
    tag_reason: Option<TagLink>,
    part: CardRole,
    age: Age,
    zone: Zone,
    ranking_reasons: Option<RankingReasons>,
    /// Counts of favourites, reposts and quotes; empty for zero.
    pub favourites: String,
    reposts: String,
    quotes: String,
    /// Links to the people who favourited and reposted it; empty if there are none.
    pub reacted_people: Vec<ReactedPeople>,
    /// `None` for visitors, who have no buttons.
    pub(super) toggles: Option<Toggles>,
    /// The page to quote it, for members.
    quote: Option<String>,
    /// Who can reply, in words, unless everyone can.
    reply_limit: Option<String>,
    /// The status it replies to, unless that is shown right above.
    pub(super) replying_to: Option<ReplyingTo>,
    /// The number of replies, unless it is zero.
    pub replies: Option<String>,
    /// The number of replies beside the icon; empty for zero.
    reply_count: String,
    /// The reply form; `None` for visitors.
    pub reply: Option<String>,
    /// The replies, if the page shows them.
    nested_replies: Option<Box<Replies>>,
    /// The form around its buttons, if its page has no other form around them.
    action_form: Option<ActionForm>,
    poll: Option<PollPart>,
    edited: Option<Edited>,
    /// Why the text is behind a click.
    collapsed_because: Option<MuteReason>,
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
pub enum CardRole {
    /// One of many, or alone.
    Entry,
    /// The subject of the page, with its conversation around it.
    Subject,
    /// A reply below the status it replies to.
    Comment,
    /// A post above the subject of the page.
    Ancestor,
}

impl CardRole {
    fn is_subject(self) -> bool {
        self == Self::Subject
    }

    fn is_comment(self) -> bool {
        self == Self::Comment
    }

    /// Returns its root in microformats.
    fn root_classes(self) -> &'static str {
        match self {
            Self::Entry => "h-entry",
            Self::Subject => "h-entry subject",
            Self::Comment => "p-comment h-entry",
            Self::Ancestor => "h-cite",
        }
    }
}

/// The number of favourites or reposts in words, and the link to the people.
#[derive(Debug)]
pub struct ReactedPeople {
    pub words: String,
    pub path: String,
}

#[derive(Debug)]
pub enum ReplyingTo {
    /// Its author's login and its path.
    Status { login: String, path: String },
    /// It was deleted.
    Gap,
}

impl StatusCard {
    pub fn new(visit: &Visit, entry: &VisibleStatus) -> Self {
        let status = entry.shown();
        Self {
            place: entry.id(),
            below: None,
            avatar: Avatar::new(status.author().id, &status.author().name),
            repost: entry.is_repost().then(|| RepostLine::new(entry)),
            quoted: status.quoted().map(|quoted| QuotedPart::new(visit, quoted)),
            part: CardRole::Entry,
            age: Age::of(status.posted(), visit.now),
            zone: visit.zone.clone(),
            ranking_reasons: None,
            favourites: count_unless_zero(status.favourite_count()),
            reposts: count_unless_zero(status.repost_count()),
            quotes: count_unless_zero(status.quote_count()),
            reacted_people: ReactedPeople::of(status),
            toggles: Toggles::new(visit, status),
            quote: visit
                .me()
                .filter(|_| status.widest_quote().is_some())
                .map(|_| routes::quote(status.id())),
            reply_limit: status.reply_limit().map(limit_words),
            replying_to: status.reply_to().map(ReplyingTo::new),
            replies: replies(status.reply_count()),
            reply_count: count_unless_zero(status.reply_count()),
            nested_replies: None,
            reply: visit
                .me()
                .filter(|_| status.may_reply())
                .map(|_| routes::reply(&status.author().login, status.id())),
            action_form: None,
            poll: PollPart::new(visit, status),
            edited: Edited::new(visit, status),
            is_pinned: false,
            group: status
                .group()
                .filter(|group| !group.is_gone)
                .map(|group| (group.name.clone(), routes::group(&group.slug))),
            tag_reason: None,
            collapsed_because: None,
            status: status.clone(),
            fragments: Arc::clone(&visit.fragments),
        }
    }

    pub(super) fn with_ranking_reasons(self, reasons: RankingReasons) -> Self {
        Self {
            ranking_reasons: Some(reasons),
            ..self
        }
    }

    /// Says that it is pinned.
    pub(super) fn pinned(self) -> Self {
        Self {
            is_pinned: true,
            ..self
        }
    }

    /// Adds the tag that brought it.
    pub(super) fn add_tag_reason(&mut self, tag: &FoldedTag) {
        self.tag_reason = Some(TagLink::new(tag));
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
        CardHalves::new(before, after, author_names(card.author()))
    }

    pub fn id(&self) -> StatusId {
        self.status.id()
    }

    pub fn only_to_read(self) -> Self {
        Self {
            toggles: None,
            quote: None,
            reacted_people: Vec::new(),
            replies: None,
            reply: None,
            ..self
        }
    }

    /// Puts the text behind a click if timelines of the viewer leave it out: in conversations.
    pub fn collapsed_if_muted(self) -> Self {
        Self {
            collapsed_because: self.status.mute_reason().cloned(),
            ..self
        }
    }

    /// Sets the role. A reply right below its parent does not name the parent, nor the rule of the conversation.
    pub fn with_part(self, part: CardRole) -> Self {
        if part.is_comment() {
            return Self {
                replying_to: None,
                part,
                ..self.in_conversation()
            };
        }
        Self { part, ..self }
    }

    /// Leaves out the rule of the conversation, which its first post says.
    pub fn in_conversation(self) -> Self {
        let limit = self.status.reply_limit();
        let is_own = limit.is_some_and(|limit| !limit.is_of_conversation);
        Self {
            reply_limit: self.reply_limit.filter(|_| is_own),
            ..self
        }
    }

    /// Replaces the number of replies by that of those which the viewer sees, if it is known.
    pub fn with_reply_count(self, seen: Option<u64>) -> Self {
        let Some(seen) = seen else {
            return self;
        };
        Self {
            replies: replies(seen),
            reply_count: count_unless_zero(seen),
            ..self
        }
    }

    /// Puts its buttons into a form of their own.
    pub fn with_action_form(self, form: Option<ActionForm>) -> Self {
        Self {
            action_form: form.map(ActionForm::around_status_body),
            ..self
        }
    }

    pub fn with_replies(self, replies: Option<Replies>) -> Self {
        Self {
            nested_replies: replies.map(Box::new),
            ..self
        }
    }

    pub fn permalink(&self) -> String {
        permalink(&self.status)
    }

    /// Returns the page of its menu that names the status below it.
    fn menu_above_another(&self) -> Option<String> {
        let below = self.below?;
        Some(routes::status_menu_above(self.place, below))
    }

    fn time_link(&self) -> TimeLink {
        TimeLink::new(&self.status, self.stamp(), self.age)
    }

    pub fn profile(&self) -> String {
        routes::profile(&self.author().login)
    }

    pub fn author(&self) -> &User {
        self.status.author()
    }

    fn byline(&self) -> Fragment {
        byline(&self.fragments, self.author())
    }

    fn stamp(&self) -> Fragment {
        stamp(&self.fragments, self.cached_row(), self.status.posted())
    }

    /// Returns the full time, which the page of a status shows.
    fn full_time(&self) -> String {
        moment::full(self.status.posted(), &self.zone)
    }

    fn visibility_words(&self) -> Option<(&'static str, &'static str)> {
        visibility_words(&self.status)
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

impl ReplyingTo {
    fn new(reply_to: &ReplyTo) -> Self {
        match reply_to {
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
        let some = |number, noun: &str, path: fn(&Login, StatusId) -> String| {
            let words = match number {
                0 => return None,
                1 => format!("1 {noun}"),
                number => format!("{} {noun}s", count(number)),
            };
            let path = path(login, status.id());
            Some(Self { words, path })
        };
        let favours = some(status.favourite_count(), "favourite", routes::favourited_by);
        let reposts = some(status.repost_count(), "repost", routes::reposters);
        favours.into_iter().chain(reposts).collect()
    }
}

/// Returns `1 reply`, `1,234 replies`. `None` for zero.
fn replies(number: u64) -> Option<String> {
    match number {
        0 => None,
        1 => Some("1 reply".to_owned()),
        number => Some(format!("{} replies", count(number))),
    }
}
