//! The reported posts, messages and groups as they were when they were reported.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::report::stored_as_json;
use crate::domain::{GroupKind, ParseError, StatusId, UserId};

/// The name of a reported post: its id and its revision. Text in Redis: `<status id>:<revision>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PostName {
    pub status: StatusId,
    pub revision: u64,
}

impl fmt::Display for PostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.status, self.revision)
    }
}

impl FromStr for PostName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (status, revision) = text.split_once(':').ok_or(ParseError)?;
        Ok(Self {
            status: status.parse().map_err(|_| ParseError)?,
            revision: revision.parse().map_err(|_| ParseError)?,
        })
    }
}

/// A post as it was when it was reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedPost {
    pub text: PostText,
    pub posted_ms: u64,
    /// The options of its poll.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Earlier versions, oldest first: the last [`ReportedPost::MAX_VERSIONS`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<PostText>,
}

/// The words of a version of a post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostText {
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// The time since which it was shown.
    pub since_ms: u64,
}

impl ReportedPost {
    pub const MAX_VERSIONS: usize = 5;
}

/// A reported message with the messages around it that the reporter chose, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedMessages {
    pub messages: Vec<ReportedMessage>,
}

/// A message as the reporter sees it. Nothing else of its conversation is part of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedMessage {
    pub author: UserId,
    pub text: String,
    pub sent_ms: u64,
    /// The report is about it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_reported: bool,
}

/// A group as its reporter sees it. No post and no other member of it is part of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedGroup {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    pub kind: GroupKind,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unlisted: bool,
    pub owner: UserId,
    pub members: u64,
}

stored_as_json!(ReportedPost, ReportedMessages, ReportedGroup);

#[cfg(test)]
mod tests {
    use super::super::reported::*;

    #[test]
    fn reported_things_keep_their_stored_text() {
        let name: PostName = "4096:3".parse().expect("a name");
        assert_eq!(name.to_string(), "4096:3");
        for text in [
            "7",
            "x:1",
            "7:x",
            ":",
            "0123456789abcdef0123456789abcdef.12:7",
            "group.9:7",
        ] {
            assert!(text.parse::<PostName>().is_err(), "{text}");
        }
        let post = ReportedPost {
            text: PostText {
                message: "buy".to_owned(),
                warning: None,
                since_ms: 5,
            },
            posted_ms: 5,
            options: Vec::new(),
            versions: Vec::new(),
        };
        let json = r#"{"text":{"message":"buy","since_ms":5},"posted_ms":5}"#;
        assert_eq!(post.to_json(), json);
        assert_eq!(ReportedPost::from_json(json), Some(post));
        let author = UserId::new(7).expect("in range");
        let message = |text: &str, is_reported| ReportedMessage {
            author,
            text: text.to_owned(),
            sent_ms: 5,
            is_reported,
        };
        let messages = ReportedMessages {
            messages: vec![message("buy", true), message("no", false)],
        };
        let json = r#"{"messages":[{"author":"7","text":"buy","sent_ms":5,"is_reported":true},{"author":"7","text":"no","sent_ms":5}]}"#;
        assert_eq!(messages.to_json(), json);
        assert_eq!(ReportedMessages::from_json(json), Some(messages));
        let group = ReportedGroup {
            name: "Buyers".to_owned(),
            description: String::new(),
            rules: String::new(),
            kind: GroupKind::Private,
            is_unlisted: true,
            owner: author,
            members: 3,
        };
        let json =
            r#"{"name":"Buyers","kind":"private","is_unlisted":true,"owner":"7","members":3}"#;
        assert_eq!(group.to_json(), json);
        assert_eq!(ReportedGroup::from_json(json), Some(group));
    }
}
