//! Reports of people and of posts: the reason, the report, and the post as it was when it was reported.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::domain::{ParseError, StatusId, UserId};

/// The reason of a report or of a decision.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportReason {
    Spam,
    Harassment,
    Illegal,
    /// A rule of the site, with the text that it had then.
    Rule(String),
    SomethingElse,
}

impl ReportReason {
    /// The prefix of a rule in a form.
    const RULE: &str = "rule:";

    /// Returns the reasons that a form offers: the rules of the site, or the usual ones if it has none.
    pub fn offered(rules: &[String]) -> Vec<Self> {
        let mut offered: Vec<Self> = match rules.is_empty() {
            true => vec![Self::Spam, Self::Harassment, Self::Illegal],
            false => rules.iter().cloned().map(Self::Rule).collect(),
        };
        offered.push(Self::SomethingElse);
        offered
    }

    /// Returns the reason of a form, if the form offers it.
    pub fn chosen(text: &str, rules: &[String]) -> Option<Self> {
        let mut offered = Self::offered(rules).into_iter();
        offered.find(|reason| reason.value() == text)
    }

    /// Returns the value in a form.
    pub fn value(&self) -> String {
        match self {
            Self::Spam => "spam".to_owned(),
            Self::Harassment => "harassment".to_owned(),
            Self::Illegal => "illegal".to_owned(),
            Self::Rule(rule) => format!("{}{rule}", Self::RULE),
            Self::SomethingElse => "something_else".to_owned(),
        }
    }

    pub fn words(&self) -> &str {
        match self {
            Self::Spam => "Spam",
            Self::Harassment => "Harassment",
            Self::Illegal => "Illegal content",
            Self::Rule(rule) => rule,
            Self::SomethingElse => "Something else",
        }
    }
}

/// The reporter and the subject of a report: a post, or the person as a whole. Text in Redis: `<user id>:<status id, or
/// 0>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{reporter}:{}", status.map_or(0, StatusId::get))]
pub struct ReportName {
    pub reporter: UserId,
    pub status: Option<StatusId>,
}

impl FromStr for ReportName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (reporter, status) = text.split_once(':').ok_or(ParseError)?;
        let reporter = reporter.parse().map_err(|_| ParseError)?;
        let status = match status {
            "0" => None,
            id => Some(id.parse().map_err(|_| ParseError)?),
        };
        Ok(Self { reporter, status })
    }
}

/// A report without its name, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub reason: ReportReason,
    /// The words of the reporter. Empty if there are none.
    pub note: String,
    /// The revision of the post that the reporter saw. 0 without a post.
    pub revision: u64,
}

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

/// Declares that a type is stored as JSON.
macro_rules! stored_as_json {
    ($($type:ty),+) => {$(
        impl $type {
            pub fn to_json(&self) -> String {
                serde_json::to_string(self).expect("it is always JSON")
            }

            /// Reads the stored text. `None` if it has another form.
            pub fn from_json(text: &str) -> Option<Self> {
                serde_json::from_str(text).ok()
            }
        }
    )+};
}
pub(super) use stored_as_json;

stored_as_json!(Report, ReportedPost);

#[cfg(test)]
mod tests {
    use super::super::report::*;

    #[test]
    fn the_rules_of_the_site_are_its_reasons() {
        let values = |rules: &[String]| -> Vec<String> {
            ReportReason::offered(rules)
                .iter()
                .map(ReportReason::value)
                .collect()
        };
        assert_eq!(
            values(&[]),
            ["spam", "harassment", "illegal", "something_else"]
        );
        let rules = ["Be kind.".to_owned()];
        assert_eq!(values(&rules), ["rule:Be kind.", "something_else"]);
        let kind = ReportReason::Rule("Be kind.".to_owned());
        assert_eq!(ReportReason::chosen("rule:Be kind.", &rules), Some(kind));
        assert_eq!(ReportReason::chosen("rule:Pay me.", &rules), None);
        assert_eq!(ReportReason::chosen("spam", &rules), None);
        assert_eq!(ReportReason::chosen("spam", &[]), Some(ReportReason::Spam));
    }

    #[test]
    fn reports_and_posts_keep_their_stored_text() {
        let rule = ReportReason::Rule("Be kind.".to_owned());
        let report = Report {
            reason: rule,
            note: "again".to_owned(),
            revision: 2,
        };
        let json = r#"{"reason":{"rule":"Be kind."},"note":"again","revision":2}"#;
        assert_eq!(report.to_json(), json);
        assert_eq!(Report::from_json(json), Some(report));
        for text in ["7:0", "7:4096"] {
            let name: ReportName = text.parse().expect("a name");
            assert_eq!(name.to_string(), text);
        }
        let name: PostName = "4096:3".parse().expect("a name");
        assert_eq!(name.to_string(), "4096:3");
        for text in ["7", "x:1", "7:x", ":"] {
            assert!(text.parse::<ReportName>().is_err(), "{text}");
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
    }
}
