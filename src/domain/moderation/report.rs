//! Reports of people, posts, messages and groups: the reason, and the report.

use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::domain::{
    ChatId, GroupId, MessageId, ParseError, StatusId, UserId, text::markdown::plain_line,
};

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
    /// Of the site: a post waits, because its author is new and it has a link.
    NewAccountLink,
    /// Of the site: several new accounts posted one text.
    CopiedText,
    /// Of the site: an account mentioned many people.
    MassMentions,
    /// Of the site: many accounts were made from one network.
    SignUpBurst,
}

impl ReportReason {
    /// The prefix of a rule in a form.
    const RULE: &str = "rule:";

    /// The reasons that are no rules of a site, in the order of pages.
    pub const PLAIN: [Self; 8] = [
        Self::Spam,
        Self::Harassment,
        Self::Illegal,
        Self::SomethingElse,
        Self::NewAccountLink,
        Self::CopiedText,
        Self::MassMentions,
        Self::SignUpBurst,
    ];

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

    /// Returns the value in a form and in the numbers of decisions.
    pub fn value(&self) -> String {
        match self {
            Self::Spam => "spam".to_owned(),
            Self::Harassment => "harassment".to_owned(),
            Self::Illegal => "illegal".to_owned(),
            Self::Rule(rule) => format!("{}{rule}", Self::RULE),
            Self::SomethingElse => "something_else".to_owned(),
            Self::NewAccountLink => "new_account_link".to_owned(),
            Self::CopiedText => "copied_text".to_owned(),
            Self::MassMentions => "mass_mentions".to_owned(),
            Self::SignUpBurst => "sign_up_burst".to_owned(),
        }
    }

    /// Returns the reason with this value.
    pub fn of_value(text: &str) -> Option<Self> {
        if let Some(rule) = text.strip_prefix(Self::RULE) {
            return Some(Self::Rule(rule.to_owned()));
        }
        let mut plain = Self::PLAIN.iter();
        plain.find(|reason| reason.value() == text).cloned()
    }

    /// Returns the reason for people, on one line. The Markdown of a rule becomes plain text.
    pub fn words(&self) -> Cow<'_, str> {
        let words = match self {
            Self::Rule(rule) => return plain_line(rule).into(),
            Self::Spam => "Spam",
            Self::Harassment => "Harassment",
            Self::Illegal => "Illegal content",
            Self::SomethingElse => "Something else",
            Self::NewAccountLink => "Link of a new account",
            Self::CopiedText => "Copies of one text",
            Self::MassMentions => "Mass mentions",
            Self::SignUpBurst => "Burst of sign-ups",
        };
        words.into()
    }
}

/// What a report is about. Text in Redis: `0`, `<status id>`, `<chat id>.<message id>`, or `group.<group id>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportSubject {
    /// The person as a whole.
    Person,
    Post(StatusId),
    Message(ChatId, MessageId),
    /// A group. The report is about its owner.
    Group(GroupId),
}

impl ReportSubject {
    /// The text before the id of a group.
    const GROUP: &str = "group";
}

impl fmt::Display for ReportSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person => write!(f, "0"),
            Self::Post(id) => write!(f, "{id}"),
            Self::Message(chat, message) => write!(f, "{chat}.{message}"),
            Self::Group(group) => write!(f, "{}.{group}", Self::GROUP),
        }
    }
}

impl FromStr for ReportSubject {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.split_once('.') {
            Some((Self::GROUP, group)) => group.parse().map(Self::Group),
            Some((chat, message)) => Ok(Self::Message(chat.parse()?, message.parse()?)),
            None if text == "0" => Ok(Self::Person),
            None => text.parse().map(Self::Post),
        }
    }
}

/// The origin of a report. Text in Redis: `<user id>`, `hold` or `shield`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
pub enum Reporter {
    #[display("{_0}")]
    Person(UserId),
    /// The site, about a post that waits for a moderator.
    #[display("hold")]
    Hold,
    /// The site, by a shield against spam.
    #[display("shield")]
    Shield,
}

impl Reporter {
    pub fn person(self) -> Option<UserId> {
        match self {
            Self::Person(id) => Some(id),
            Self::Hold | Self::Shield => None,
        }
    }
}

impl FromStr for Reporter {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "hold" => Ok(Self::Hold),
            "shield" => Ok(Self::Shield),
            id => id.parse().map(Self::Person).map_err(|_| ParseError),
        }
    }
}

/// The reporter and the subject of a report. Text in Redis: `<reporter>:<subject>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{reporter}:{subject}")]
pub struct ReportName {
    pub reporter: Reporter,
    pub subject: ReportSubject,
}

impl ReportName {
    /// Returns the post that waits for a moderator, if the report says that.
    pub fn held_post(&self) -> Option<StatusId> {
        match (self.reporter, self.subject) {
            (Reporter::Hold, ReportSubject::Post(id)) => Some(id),
            _ => None,
        }
    }

    /// Returns the reported group.
    pub fn group(&self) -> Option<GroupId> {
        match self.subject {
            ReportSubject::Group(group) => Some(group),
            _ => None,
        }
    }

    /// Returns the field of the text that came with the report of a message or a group. Each reporter has one.
    pub fn text_field(&self) -> String {
        format!("{}:{}", self.subject, self.reporter)
    }
}

impl FromStr for ReportName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (reporter, subject) = text.split_once(':').ok_or(ParseError)?;
        let (reporter, subject) = (reporter.parse()?, subject.parse()?);
        Ok(Self { reporter, subject })
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

stored_as_json!(Report);

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
        let all = ReportReason::PLAIN
            .into_iter()
            .chain(ReportReason::offered(&rules));
        for reason in all {
            assert_eq!(ReportReason::of_value(&reason.value()), Some(reason));
        }
        assert_eq!(ReportReason::of_value("fraud"), None);
    }

    #[test]
    fn reports_keep_their_stored_text() {
        let rule = ReportReason::Rule("Be kind.".to_owned());
        let report = Report {
            reason: rule,
            note: "again".to_owned(),
            revision: 2,
        };
        let json = r#"{"reason":{"rule":"Be kind."},"note":"again","revision":2}"#;
        assert_eq!(report.to_json(), json);
        assert_eq!(Report::from_json(json), Some(report));
        let message = "7:0123456789abcdef0123456789abcdef.12";
        for text in [
            "7:0",
            "7:4096",
            "hold:4096",
            "shield:0",
            message,
            "7:group.9",
        ] {
            let name: ReportName = text.parse().expect("a name");
            assert_eq!(name.to_string(), text);
        }
        let name: ReportName = message.parse().expect("a name");
        let field = "0123456789abcdef0123456789abcdef.12:7";
        assert_eq!(name.text_field(), field);
        for text in [
            "7:1.2",
            "7:0123456789abcdef0123456789abcdef.",
            "7:group.",
            "7:group.x",
        ] {
            assert!(text.parse::<ReportName>().is_err(), "{text}");
        }
        for text in ["7", "x:1", "7:x", ":"] {
            assert!(text.parse::<ReportName>().is_err(), "{text}");
        }
    }
}
