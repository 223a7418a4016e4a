//! A form that was sent after its session had ended. It is preserved while the visitor logs in.

use serde::{Deserialize, Serialize};

pub use super::{group_fields::GroupFields, thread_fields::ThreadFields};

use crate::domain::{
    ChatId, GroupId, GroupSlug, ListNumber, MessageId, MuteTerm, PeopleFile, Repliers,
    ReplyControl, StatusId, Visibility,
};

/// The fields of a typed post, without the idempotency key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PostFields {
    pub message: String,
    pub warning: String,
    pub option_1: String,
    pub option_2: String,
    pub option_3: String,
    pub option_4: String,
    /// Present if the box is checked.
    pub several: Option<String>,
    /// How long the poll is open.
    pub hours: String,
    /// Who can see the post, or the group to post it in: `group:` and its id. [`PostFields::NOT_CHOSEN`] if the author
    /// has to choose.
    pub visibility: String,
    /// Who can reply to it. Forms without it let everyone reply.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub repliers: String,
    /// Present if the box is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quoting_closed: Option<String>,
    /// The id of the deleted post to which this text belonged as an edit; empty for other posts.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub edit_of: String,
    #[serde(flatten)]
    pub thread: ThreadFields,
}

/// A form that waits for a log-in. Its text is stored in the session, and in a field of the log-in form that is named
/// [`PendingForm::FIELD`]. The field [`PendingForm::OWNER`] has the id of the member who opened the form. No session of
/// another account gets the form, so people who share a browser do not send each other's texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum PendingForm {
    Post(PostFields),
    Reply {
        reply_to: StatusId,
        #[serde(flatten)]
        post: PostFields,
    },
    /// An edit, with the revision that it changes.
    Edit {
        status: StatusId,
        message: String,
        warning: String,
        revision: u64,
        #[serde(default)]
        visibility: String,
    },
    Profile {
        name: String,
        bio: String,
        /// The digests of the values with which the form was made.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        shown: String,
    },
    NewList {
        name: String,
    },
    EditedList {
        list: ListNumber,
        name: String,
        exclusive: bool,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        shown: String,
    },
    ListMember {
        list: ListNumber,
        login: String,
    },
    /// A file of people to import.
    PeopleFile {
        file: PeopleFile,
        lines: String,
    },
    /// A direct message in a conversation.
    Message {
        chat: ChatId,
        message: String,
    },
    /// An edit of a direct message, with the revision that it changes.
    EditedMessage {
        chat: ChatId,
        id: MessageId,
        message: String,
        revision: u64,
    },
    /// A direct message to these logins.
    NewMessage {
        people: String,
        message: String,
    },
    /// A group to found.
    NewGroup(GroupFields),
    GroupSettings {
        group: GroupSlug,
        #[serde(flatten)]
        fields: GroupFields,
    },
    /// A person of a group: an invitation by login, or an act with a note.
    GroupPerson {
        group: GroupSlug,
        login: String,
        note: String,
    },
    /// A word, phrase or tag to mute.
    MutedText {
        text: String,
        term: MuteTerm,
    },
    /// A note to the author of a post that is removed from its group.
    RemovedPost {
        status: StatusId,
        note: String,
    },
    /// A report of anything but a message, with the path of its page.
    Report {
        page: String,
        reason: String,
        note: String,
    },
    /// An appeal against the decision with this number.
    Appeal {
        number: u64,
        appeal: String,
    },
    /// A decision of a moderator about the person with this login, with the revision of the case that it was made for.
    /// Its page shows the newest state of the case.
    Decision {
        login: String,
        measure: String,
        reason: String,
        explanation: String,
        days: String,
        warning: String,
        post: String,
        #[serde(default)]
        revision: u64,
    },
}

impl PendingForm {
    pub const FIELD: &str = "pending_form";
    pub const OWNER: &str = "form_owner";

    /// Largest form that is preserved, as JSON. The longest valid post takes about 12 KB, and a thread of ten posts of
    /// 500 Chinese characters 16 KB.
    const MAX_JSON_BYTES: usize = 24 * 1024;
    /// Largest form, as JSON, that a session stores while Redis has little memory left.
    const SHORT_JSON_BYTES: usize = 1024;

    /// Returns the typed texts that are not blank.
    pub fn texts(&self) -> Vec<&str> {
        let texts: &[&str] = match self {
            Self::Post(post) | Self::Reply { post, .. } => &post.texts(),
            Self::Edit {
                message, warning, ..
            } => &[warning, message],
            Self::Profile { name, bio, .. } => &[name, bio],
            Self::NewList { name } | Self::EditedList { name, .. } => &[name],
            Self::ListMember { login, .. } => &[login],
            Self::MutedText { text, .. } => &[text],
            Self::RemovedPost { note, .. } => &[note],
            Self::Message { message, .. } | Self::EditedMessage { message, .. } => &[message],
            Self::NewMessage { people, message } => &[people, message],
            Self::PeopleFile { lines, .. } => &[lines],
            Self::NewGroup(fields) | Self::GroupSettings { fields, .. } => &fields.texts(),
            Self::GroupPerson { login, note, .. } => &[login, note],
            Self::Report { note, .. } => &[note],
            Self::Appeal { appeal, .. } => &[appeal],
            Self::Decision {
                explanation,
                warning,
                ..
            } => &[explanation, warning],
        };
        let typed = texts.iter().filter(|text| !text.trim().is_empty());
        typed.copied().collect()
    }

    /// Returns whether nothing was typed or chosen.
    pub fn is_blank(&self) -> bool {
        let chosen: &[&str] = match self {
            Self::Report { reason, .. } => &[reason],
            Self::Decision {
                measure, reason, ..
            } => &[measure, reason],
            _ => &[],
        };
        self.texts().is_empty() && chosen.iter().all(|choice| choice.is_empty())
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a form is always JSON")
    }

    /// Returns whether a session stores the form also while Redis has little memory left.
    pub fn is_short(&self) -> bool {
        self.to_json().len() <= Self::SHORT_JSON_BYTES
    }

    /// Parses a form. `None` if the text is not one, or longer than any form that can be sent: each session
    /// stores it, and sessions are stored with full memory too.
    pub fn from_json(text: &str) -> Option<Self> {
        let fits = text.len() <= Self::MAX_JSON_BYTES;
        fits.then(|| serde_json::from_str(text).ok()).flatten()
    }
}

impl PostFields {
    /// The text before the id of a group in the field `visibility`.
    pub const IN_GROUP: &str = "group:";
    /// The field `visibility` of a form that can only be sent after its author has chosen who can see the post.
    pub const NOT_CHOSEN: &str = "not-chosen";

    /// Returns whether the author has yet to choose who can see the post. A form that names no readers leaves them to
    /// its conversation. An unknown choice is none, so it publishes nothing.
    pub fn is_audience_missing(&self) -> bool {
        let is_known = Visibility::stored(&self.visibility).is_some() || self.group().is_some();
        !self.visibility.is_empty() && !is_known
    }

    /// Returns the options of the poll as they were typed.
    pub fn options(&self) -> [&str; 4] {
        [
            &self.option_1,
            &self.option_2,
            &self.option_3,
            &self.option_4,
        ]
    }

    /// Returns who can reply to the post and quote it. An unknown choice lets no one reply.
    pub fn reply_control(&self) -> ReplyControl {
        let repliers = match self.repliers.as_str() {
            "" => Repliers::default(),
            chosen => Repliers::stored(chosen).unwrap_or(Repliers::NoOne),
        };
        ReplyControl {
            repliers,
            is_quoting_closed: self.quoting_closed.is_some(),
        }
    }

    /// Returns the group to post it in.
    pub fn group(&self) -> Option<GroupId> {
        self.visibility.strip_prefix(Self::IN_GROUP)?.parse().ok()
    }

    fn texts(&self) -> Vec<&str> {
        let mut texts = vec![self.warning.as_str(), &self.message];
        texts.extend(self.options());
        texts.extend(self.thread.texts());
        texts
    }
}

#[cfg(test)]
mod tests;
