//! The form to post: a message with an optional warning and poll.

use std::sync::Arc;

pub use super::draft_typed::DraftTyped;
use crate::{
    domain::{Draft, IdempotencyKey, LocalPath, Poll, PollTerm, ReplyControl, Visibility},
    store::Group,
    web::{
        http::session::{pending_form::PostFields, thread_fields::ThreadFields},
        parts::prelude::*,
        reply_control::fields::ReplyControlFields,
        statuses::{
            character_counter::CharacterCounter, extras::Extras, preview::Preview,
            visibility_select::VisibilitySelect,
        },
    },
};

#[derive(Debug, Template)]
#[template(path = "statuses/_compose.html")]
pub struct ComposeForm {
    csrf_token: String,
    idempotency_key: IdempotencyKey,
    typed: Typed,
    /// A field has an error.
    wrong: bool,
    is_warning_open: bool,
    is_poll_open: bool,
    is_reply_control_open: bool,
    /// Closed parts are left out until their buttons are pressed.
    has_extras_on_demand: bool,
    /// The site has no room for posts.
    is_closed: bool,
    /// The form has a notice with a link to appeal, and cannot be sent.
    is_frozen: bool,
    warning: Field,
    options: Vec<Field>,
    several: bool,
    term: PollTerm,
    visibility: VisibilitySelect,
    reply_control: ReplyControlFields,
    unreached: String,
    previews: Vec<Preview>,
    /// The further posts of a thread.
    thread: Vec<Typed>,
    /// The last of them is new.
    has_new_post: bool,
    /// The earlier posts of its thread are published.
    continues_thread: bool,
    reply: Option<ReplyContext>,
    /// The quoted status.
    quotes: Option<StatusId>,
    /// The group that the form posts in, and no other.
    group: Option<Arc<Group>>,
    /// The page to go to after the post. Home if there is none.
    next: Option<LocalPath>,
    /// The deleted post to which this text belonged as an edit. The draft of the form is then apart from those of other
    /// new posts.
    edit_of: Option<StatusId>,
}

impl askama::filters::HtmlSafe for ComposeForm {}

/// The status that a form replies to.
#[derive(Debug, Clone)]
pub struct ReplyContext {
    pub to: StatusId,
    /// The author's name; `None` if the page does not know it.
    pub name: Option<String>,
    /// The widest visibility of a reply. In a group nothing is chosen.
    pub widest: Visibility,
}

impl ComposeForm {
    /// Returns the form with a draft. It keeps the idempotency key with which it was sent if the
    /// post may exist; otherwise it gets a new one.
    pub fn with_draft(visit: &Visit, idempotency_key: IdempotencyKey, draft: DraftTyped) -> Self {
        const OPTIONS: [(&str, &str); Poll::MAX_OPTIONS] = [
            ("option_1", "Option 1"),
            ("option_2", "Option 2"),
            ("option_3", "Option 3"),
            ("option_4", "Option 4"),
        ];
        let wrong_more = draft.more().any(|typed| typed.error.is_some());
        let option = |((name, label), typed)| Field::new(Kind::Optional, name, label, typed);
        Self {
            csrf_token: visit.csrf_token.clone(),
            idempotency_key,
            wrong: wrong_more
                || draft.message.error.is_some()
                || draft.thread.iter().any(|typed| typed.error.is_some()),
            is_warning_open: is_filled(&draft.warning),
            is_poll_open: draft.options.iter().any(is_filled),
            is_reply_control_open: draft.reply_control != ReplyControl::default(),
            has_extras_on_demand: false,
            is_closed: visit.is_posting_closed,
            is_frozen: visit.is_frozen(),
            typed: draft.message,
            warning: Field::new(Kind::Optional, "warning", "Warning", draft.warning)
                .with_hint("Readers see this line first. Message and poll are hidden behind it."),
            options: OPTIONS.into_iter().zip(draft.options).map(option).collect(),
            several: draft.several,
            term: draft.term,
            visibility: VisibilitySelect::new(draft.visibility)
                .in_group(draft.group)
                .missing(draft.is_audience_missing),
            reply_control: ReplyControlFields::new(draft.reply_control),
            unreached: draft.unreached,
            previews: Vec::new(),
            thread: draft.thread,
            has_new_post: false,
            continues_thread: false,
            reply: None,
            quotes: None,
            group: None,
            next: None,
            edit_of: draft.edit_of,
        }
    }

    /// Returns the form of a timeline at this path. Its post leads back there. `None` for visitors.
    pub fn of_timeline(visit: &Visit, path: &str) -> Option<Self> {
        let form = || {
            Self::with_draft(visit, IdempotencyKey::draw(), DraftTyped::default())
                .with_extras_on_demand()
                .returning_to(LocalPath::parse(path))
        };
        visit.me().map(|_| form())
    }

    /// Leaves out the warning, the poll and who can reply, until their buttons are pressed.
    #[must_use]
    pub fn with_extras_on_demand(self) -> Self {
        Self {
            has_extras_on_demand: true,
            ..self
        }
    }

    /// Opens the part of the pressed button.
    #[must_use]
    pub fn opening(self, extras: Extras) -> Self {
        Self {
            is_warning_open: self.is_warning_open || extras == Extras::Warning,
            is_poll_open: self.is_poll_open || extras == Extras::Poll,
            is_reply_control_open: self.is_reply_control_open || extras == Extras::Replies,
            has_new_post: extras == Extras::Thread,
            ..self
        }
    }

    /// Shows the posts as others will see them.
    #[must_use]
    pub fn previewing(self, drafts: &[Draft]) -> Self {
        Self {
            previews: drafts.iter().map(Preview::of).collect(),
            ..self
        }
    }

    /// Has the rest of a thread, as replies to its last published post. `None` if that was deleted: the rest is then a
    /// thread of its own.
    #[must_use]
    pub fn continuing(self, last: Option<StatusId>) -> Self {
        let form = match last {
            Some(last) => self.replying_again(last),
            None => self,
        };
        Self {
            continues_thread: true,
            ..form
        }
    }

    /// Has a reply to this status that was sent before.
    #[must_use]
    pub fn replying_again(self, to: StatusId) -> Self {
        let widest = self.visibility.widest_again();
        let name = None;
        self.replying(Some(ReplyContext { to, name, widest }))
    }

    /// Returns whether the form leaves out its extras. A frozen account sees them, because it cannot open them.
    fn is_short(&self) -> bool {
        let is_open = self.is_warning_open || self.is_poll_open || self.is_reply_control_open;
        self.has_extras_on_demand && !is_open && self.thread.is_empty() && !self.is_frozen
    }

    /// Returns whether a further post can be added.
    fn has_room(&self) -> bool {
        self.quotes.is_none() && self.thread.len() < ThreadFields::MAX_POSTS
    }

    /// Offers to post in one of these groups.
    #[must_use]
    pub fn with_groups(self, groups: Vec<Arc<Group>>) -> Self {
        Self {
            visibility: self.visibility.with_groups(groups),
            ..self
        }
    }

    /// Posts in this group, whose page has the form.
    #[must_use]
    pub fn posting_in(self, group: Arc<Group>) -> Self {
        Self {
            visibility: self.visibility.up_to(Visibility::Group),
            next: LocalPath::parse(&routes::group(&group.slug)),
            group: Some(group),
            ..self
        }
    }

    /// Offers nothing wider than this.
    #[must_use]
    pub fn up_to(self, widest: Visibility) -> Self {
        Self {
            visibility: self.visibility.up_to(widest),
            ..self
        }
    }

    /// Goes to this page after the post.
    #[must_use]
    pub fn returning_to(self, next: Option<LocalPath>) -> Self {
        Self { next, ..self }
    }

    #[must_use]
    pub fn replying(self, reply: Option<ReplyContext>) -> Self {
        let widest = reply.as_ref().map(|reply| reply.widest);
        Self {
            reply,
            visibility: self.visibility.up_to(widest.unwrap_or_default()),
            ..self
        }
    }

    /// Offers first the visibility that the author chose, and nothing wider than their account.
    #[must_use]
    pub fn by(self, author: Option<&User>) -> Self {
        let Some(author) = author else { return self };
        let visibility = self.visibility.remembering(author.visibility());
        Self {
            visibility: visibility.up_to(author.widest()),
            ..self
        }
    }

    fn label(&self) -> String {
        match &self.reply {
            _ if self.continues_thread => "The rest of your thread".to_owned(),
            None if self.quotes.is_some() => "Add your comment".to_owned(),
            None => match &self.group {
                Some(group) => format!("Post to {}", group.name),
                None => "What's on your mind?".to_owned(),
            },
            Some(ReplyContext { name: None, .. }) => "Your reply".to_owned(),
            Some(ReplyContext {
                name: Some(name), ..
            }) => format!("Your reply to {name}"),
        }
    }

    #[must_use]
    pub fn quoting(self, id: StatusId, widest: Visibility) -> Self {
        Self {
            quotes: Some(id),
            visibility: self.visibility.up_to(widest),
            ..self
        }
    }

    fn action(&self) -> String {
        self.quotes
            .map_or_else(|| routes::STATUSES.to_owned(), routes::quote)
    }

    /// Returns the deleted post to which the text belonged as an edit.
    pub fn edit_of(&self) -> Option<StatusId> {
        self.edit_of
    }

    pub fn is_reply(&self) -> bool {
        self.reply.is_some()
    }

    pub fn has_error(&self) -> bool {
        self.wrong
    }

    fn character_counter(&self) -> CharacterCounter {
        CharacterCounter::of(&self.typed.text)
    }
}

/// Returns whether a field has a text or an error, so that its part of the form is open.
fn is_filled(typed: &Typed) -> bool {
    !typed.text.is_empty() || typed.error.is_some()
}
