//! The reported posts, messages and groups of a case, as they were and as they are.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    admin::outcome::time,
    domain::{GroupKind, PostName, PostText, ReportSubject, ReportedPost, StatusId},
    store::{CaseFile, SentText, UnixMs, VisibleStatus},
};

/// A reported post as it was when it was reported, and as it is now.
#[derive(Debug, Serialize)]
pub(super) struct PostRow {
    pub(super) id: StatusId,
    pub(super) posted: String,
    pub(super) then: VersionRow,
    /// The options of its poll.
    pub(super) options: Vec<String>,
    /// Earlier versions, oldest first: the last 5.
    pub(super) earlier: Vec<VersionRow>,
    /// `unchanged`, `edited` or `deleted`.
    pub(super) state: &'static str,
    /// The text now, if it was edited.
    pub(super) now: Option<VersionRow>,
    /// A decision hides it.
    pub(super) hidden: bool,
    /// It waits for a moderator.
    pub(super) waiting: bool,
}

/// A version of a post.
#[derive(Debug, Serialize)]
pub(super) struct VersionRow {
    pub(super) since: String,
    pub(super) warning: Option<String>,
    pub(super) message: String,
}

/// The messages that a reporter sent with a report.
#[derive(Debug, Serialize)]
pub(super) struct MessagesRow {
    pub(super) reporter: String,
    pub(super) messages: Vec<MessageRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct MessageRow {
    pub(super) author: String,
    pub(super) at: String,
    /// The report is about it.
    pub(super) reported: bool,
    pub(super) text: String,
}

/// A reported group as its reporter saw it.
#[derive(Debug, Serialize)]
pub(super) struct GroupRow {
    pub(super) reporter: String,
    /// The name in addresses, if everyone finds the group now.
    pub(super) slug: Option<String>,
    pub(super) name: String,
    pub(super) kind: GroupKind,
    pub(super) unlisted: bool,
    pub(super) owner: String,
    pub(super) members: u64,
    pub(super) description: String,
    pub(super) rules: String,
}

impl From<&PostText> for VersionRow {
    fn from(text: &PostText) -> Self {
        Self {
            since: time(UnixMs(text.since_ms)),
            warning: text.warning.clone(),
            message: text.message.clone(),
        }
    }
}

impl From<&VisibleStatus> for VersionRow {
    fn from(status: &VisibleStatus) -> Self {
        Self {
            since: time(status.edited().unwrap_or(status.posted())),
            warning: status.own_warning().map(str::to_owned),
            message: status.message().to_owned(),
        }
    }
}

impl PostRow {
    pub(super) fn all(file: &CaseFile) -> Vec<Self> {
        let now: BTreeMap<StatusId, &VisibleStatus> =
            file.statuses.iter().map(|one| (one.id(), one)).collect();
        let posts = file.posts.items.iter();
        posts
            .map(|(name, post)| Self::new(name, post, now.get(&name.status).copied()))
            .collect()
    }

    fn new(name: &PostName, post: &ReportedPost, status: Option<&VisibleStatus>) -> Self {
        let edited = status.filter(|status| status.revision() != name.revision);
        Self {
            id: name.status,
            posted: time(UnixMs(post.posted_ms)),
            then: (&post.text).into(),
            options: post.options.clone(),
            earlier: post.versions.iter().map(VersionRow::from).collect(),
            state: match (status, edited) {
                (None, _) => "deleted",
                (Some(_), Some(_)) => "edited",
                (Some(_), None) => "unchanged",
            },
            now: edited.map(VersionRow::from),
            hidden: status.is_some_and(|status| status.is_hidden_by_moderators()),
            waiting: status.is_some_and(|status| status.is_waiting()),
        }
    }
}

impl MessagesRow {
    pub(super) fn all(file: &CaseFile) -> Vec<Self> {
        let texts = file.texts.items.iter().filter_map(|(name, text)| {
            let SentText::Messages(sent) = text else {
                return None;
            };
            let messages = sent.messages.iter().map(|message| MessageRow {
                author: file.login(message.author),
                at: time(UnixMs(message.sent_ms)),
                reported: message.is_reported,
                text: message.text.clone(),
            });
            Some(Self {
                reporter: file.reporter(name.reporter),
                messages: messages.collect(),
            })
        });
        texts.collect()
    }
}

impl GroupRow {
    pub(super) fn all(file: &CaseFile) -> Vec<Self> {
        let texts = file.texts.items.iter().filter_map(|(name, text)| {
            let (SentText::Group(group), ReportSubject::Group(id)) = (text, name.subject) else {
                return None;
            };
            let listed = file.groups.iter().find(|group| group.id == id);
            Some(Self {
                reporter: file.reporter(name.reporter),
                slug: listed.map(|group| group.slug.to_string()),
                name: group.name.clone(),
                kind: group.kind,
                unlisted: group.is_unlisted,
                owner: file.login(group.owner),
                members: group.members,
                description: group.description.clone(),
                rules: group.rules.clone(),
            })
        });
        texts.collect()
    }
}
