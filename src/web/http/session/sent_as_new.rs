//! Edits of deleted things that wait for a log-in. Each comes back in the form of a new thing. The idempotency
//! key of that form follows from the edit, so the form is recognized when it is sent.

use super::{
    pending_form::{GroupFields, PendingForm},
    visitor::Visitor,
};
use crate::domain::{ChatId, GroupSlug, IdempotencyKey, ListNumber, MessageId, StatusId, flag};

/// Returns the key of the form of a new post with the text of an edit of a deleted one.
pub fn post_key(id: StatusId) -> IdempotencyKey {
    IdempotencyKey::of_words(&["edit of a deleted post", &id.to_string()])
}

/// Returns the key of the form of a new list with the name of a deleted one.
pub fn list_key(list: ListNumber) -> IdempotencyKey {
    IdempotencyKey::of_words(&["edit of a deleted list", &list.to_string()])
}

/// Returns the key of the form of a new message with the text of an edit of a deleted one.
pub fn message_key(chat: ChatId, id: MessageId) -> IdempotencyKey {
    let (chat, id) = (chat.to_string(), id.to_string());
    IdempotencyKey::of_words(&["edit of a deleted message", &chat, &id])
}

/// Returns the key of the form of a new group with the settings of a deleted one. Other settings have another key, so
/// that the second of two forms is not taken for the first. A later group with this address has its own keys, because its
/// form shows other values.
pub fn group_key(slug: &GroupSlug, settings: &GroupFields) -> IdempotencyKey {
    IdempotencyKey::of_words(&[
        "settings of a deleted group",
        slug.as_str(),
        &settings.shown,
        &settings.name,
        &settings.description,
        &settings.rules,
        &settings.kind,
        &settings.joining,
        &settings.past,
        flag(settings.unlisted.is_some()),
        flag(settings.replies_closed.is_some()),
    ])
}

impl PendingForm {
    /// Returns the key of the form of a new thing in which an edit comes back. `None` for other forms.
    fn key_as_new(&self) -> Option<IdempotencyKey> {
        match self {
            Self::Edit { status, .. } => Some(post_key(*status)),
            Self::EditedList { list, .. } => Some(list_key(*list)),
            Self::EditedMessage { chat, id, .. } => Some(message_key(*chat, *id)),
            Self::GroupSettings { group, fields } => Some(group_key(group, fields)),
            _ => None,
        }
    }
}

impl Visitor {
    /// Forgets the pending edit if the form with this key is the one in which it came back. Its text is then in the
    /// sent form, and in the answer if that is an error.
    pub fn forget_edit_sent_as_new(&self, sent_key: &str) {
        let is_sent = |form: &PendingForm| {
            let key = form.key_as_new();
            key.is_some_and(|key| key.as_str() == sent_key)
        };
        self.forget_pending_form(is_sent);
    }
}
