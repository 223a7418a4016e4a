//! The acts of the people who run a site, as the log of the administration holds them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::{Entrance, GroupSlug, Measure, ParseError, ReportReason, Role, UserId};

/// The person who acts. Stored outside JSON as `host` or as the user id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, derive_more::Display)]
#[serde(rename_all = "snake_case")]
pub enum ActingPerson {
    /// The host, by `redwing admin`.
    #[display("host")]
    Host,
    #[display("{_0}")]
    Person(UserId),
}

impl FromStr for ActingPerson {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "host" => Ok(Self::Host),
            id => id.parse().map(Self::Person).map_err(|_| ParseError),
        }
    }
}

/// An act. Texts in it have bounds, so an entry takes at most a few kilobytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// A role was given to a person, or taken from them.
    SetRole {
        person: UserId,
        role: Option<Role>,
    },
    /// A link was made that sets a new password of a person.
    MakeResetLink {
        person: UserId,
    },
    /// An account was suspended, for this reason.
    Suspend {
        person: UserId,
        reason: String,
    },
    /// A suspension was ended.
    Restore {
        person: UserId,
    },
    /// The deletion of an account was begun.
    Delete {
        person: UserId,
    },
    /// The site got this name and this entrance. `None` until someone has chosen an entrance.
    ChangeSite {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entrance: Option<Entrance>,
    },
    /// The rules of the site were changed, to this number of rules.
    ChangeRules {
        count: usize,
    },
    /// The pages "About" and "Privacy" were changed.
    ChangeSiteTexts,
    /// The shields of the site were changed to these settings and numbers of blocked words, domains and addresses.
    ChangeShields {
        holds_links: bool,
        reports_spam: bool,
        words: usize,
        domains: usize,
        addresses: usize,
    },
    /// The public page of the numbers of decisions was opened or closed.
    ChangePublicLog {
        is_public: bool,
    },
    /// A person who asked to join was let in.
    LetIn {
        person: UserId,
    },
    /// The request of a person to join was refused. The reason can be empty.
    RefuseApplicant {
        person: UserId,
        reason: String,
    },
    /// The limits of the new account of a person were ended.
    Vouch {
        person: UserId,
    },
    MakeInvitation,
    RevokeInvitation,
    /// A decision about a person. `grounds` are the reason and the explanation in one text; empty for a note.
    Decide {
        person: UserId,
        measure: Measure,
        reason: ReportReason,
        grounds: String,
    },
    /// A decision was taken back. Entries of older versions have no reason.
    EndDecision {
        person: UserId,
        measure: Measure,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<ReportReason>,
    },
    AnswerAppeal {
        person: UserId,
        is_granted: bool,
    },
    /// The deletion of a group was begun.
    DeleteGroup {
        slug: GroupSlug,
    },
}

impl Act {
    /// Returns the person that it is about.
    pub fn person(&self) -> Option<UserId> {
        match self {
            Self::SetRole { person, .. }
            | Self::MakeResetLink { person }
            | Self::Suspend { person, .. }
            | Self::Restore { person }
            | Self::Delete { person }
            | Self::Decide { person, .. }
            | Self::EndDecision { person, .. }
            | Self::AnswerAppeal { person, .. }
            | Self::LetIn { person }
            | Self::Vouch { person }
            | Self::RefuseApplicant { person, .. } => Some(*person),
            Self::ChangeSite { .. }
            | Self::ChangeRules { .. }
            | Self::ChangeSiteTexts
            | Self::ChangeShields { .. }
            | Self::ChangePublicLog { .. }
            | Self::MakeInvitation
            | Self::RevokeInvitation
            | Self::DeleteGroup { .. } => None,
        }
    }

    /// Returns the act as the end of a sentence, with the login of the person that it is about.
    pub fn words(&self, person: &str) -> String {
        match self {
            Self::SetRole {
                role: Some(role), ..
            } => format!("made {person} {role}"),
            Self::SetRole { role: None, .. } => format!("took the role from {person}"),
            Self::MakeResetLink { .. } => {
                format!("made a link that sets a new password for {person}")
            }
            Self::Suspend { reason, .. } => format!("suspended {person}: {reason}"),
            Self::Restore { .. } => format!("ended the suspension of {person}"),
            Self::Delete { .. } => format!("deleted the account of {person}"),
            Self::ChangeSite {
                name,
                entrance: Some(entrance),
            } => format!("named the site “{name}” and set its entrance to “{entrance}”"),
            Self::ChangeSite {
                name,
                entrance: None,
            } => format!("named the site “{name}”"),
            Self::ChangeRules { count: 0 } => "removed the rules of the site".to_owned(),
            Self::ChangeRules { count: 1 } => "changed the rules of the site: 1 rule".to_owned(),
            Self::ChangeRules { count } => format!("changed the rules of the site: {count} rules"),
            Self::ChangeSiteTexts => "changed the pages about the site".to_owned(),
            Self::ChangeShields {
                holds_links,
                reports_spam,
                words,
                domains,
                addresses,
            } => {
                let links = if *holds_links { "wait" } else { "do not wait" };
                let reports = if *reports_spam {
                    "reports"
                } else {
                    "does not report"
                };
                format!(
                    "changed the shields: links of new accounts {links}, the site {reports} spam, \
                     blocked words: {words}, domains: {domains}, addresses: {addresses}"
                )
            }
            Self::ChangePublicLog { is_public: true } => {
                "published the numbers of decisions".to_owned()
            }
            Self::ChangePublicLog { .. } => {
                "stopped publishing the numbers of decisions".to_owned()
            }
            Self::LetIn { .. } => format!("let {person} in"),
            Self::Vouch { .. } => format!("vouched for {person}"),
            Self::RefuseApplicant { reason, .. } if reason.is_empty() => {
                format!("refused the request of {person} to join")
            }
            Self::RefuseApplicant { reason, .. } => {
                format!("refused the request of {person} to join: {reason}")
            }
            Self::MakeInvitation => "made an invitation".to_owned(),
            Self::RevokeInvitation => "revoked an invitation".to_owned(),
            Self::Decide {
                measure, grounds, ..
            } => words_of_decision(measure, person, grounds),
            Self::EndDecision { measure, .. } => words_of_ending(measure, person),
            Self::AnswerAppeal {
                is_granted: true, ..
            } => format!("granted the appeal of {person}"),
            Self::AnswerAppeal { .. } => format!("refused the appeal of {person}"),
            Self::DeleteGroup { slug } => format!("deleted the group {slug}"),
        }
    }
}

fn words_of_decision(measure: &Measure, person: &str, grounds: &str) -> String {
    let act = match measure {
        Measure::Note => return format!("left a note about {person}"),
        Measure::Dismiss => format!("dismissed the reports about {person}"),
        Measure::Warn => format!("warned {person}"),
        Measure::HidePost { status } => format!("hid the post {status} of {person}"),
        Measure::ApprovePost { status } => format!("approved the post {status} of {person}"),
        Measure::AddWarning { status, warning } => {
            format!("put the post {status} of {person} behind the warning \"{warning}\"")
        }
        Measure::Limit => format!("limited {person}"),
        Measure::Freeze { .. } => format!("froze {person}"),
        Measure::Suspend => format!("suspended {person}"),
    };
    format!("{act}: {grounds}")
}

fn words_of_ending(measure: &Measure, person: &str) -> String {
    match measure {
        Measure::Dismiss | Measure::Note | Measure::ApprovePost { .. } => {
            format!("took a note about {person} back")
        }
        Measure::Warn => format!("took the warning of {person} back"),
        Measure::HidePost { status } => format!("showed the post {status} of {person} again"),
        Measure::AddWarning { status, .. } => {
            format!("removed the warning before the post {status} of {person}")
        }
        Measure::Limit => format!("ended the limit of {person}"),
        Measure::Freeze { .. } => format!("ended the freeze of {person}"),
        Measure::Suspend => format!("ended the suspension of {person}"),
    }
}

/// An entry of the log, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedAct {
    pub by: ActingPerson,
    pub act: Act,
    /// Differs between equal acts, and is equal in a repeated call.
    pub token: String,
}

impl LoggedAct {
    pub fn new(by: ActingPerson, act: Act) -> Self {
        let token = format!("{:016x}", rand::random::<u64>());
        Self { by, act, token }
    }

    /// Creates the entry of an event of the case of a person, which has one entry however often it is written.
    pub fn of_event(by: ActingPerson, act: Act, event_us: u64) -> Self {
        let token = format!("{event_us}");
        Self { by, act, token }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an act is always JSON")
    }
}

impl FromStr for LoggedAct {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        serde_json::from_str(text).map_err(|_| ParseError)
    }
}

#[cfg(test)]
mod tests {
    use super::super::act::*;

    /// Every act, with its stored text and its words.
    #[expect(clippy::too_many_lines, reason = "it is a table of all acts")]
    fn acts() -> Vec<(&'static str, Act, &'static str)> {
        let person = UserId::new(7).expect("in range");
        let set = |role| Act::SetRole { person, role };
        vec![
            (
                r#"{"set_role":{"person":"7","role":"moderator"}}"#,
                set(Some(Role::Moderator)),
                "made @ada moderator",
            ),
            (
                r#"{"set_role":{"person":"7","role":null}}"#,
                set(None),
                "took the role from @ada",
            ),
            (
                r#"{"make_reset_link":{"person":"7"}}"#,
                Act::MakeResetLink { person },
                "made a link that sets a new password for @ada",
            ),
            (
                r#"{"suspend":{"person":"7","reason":"Spam."}}"#,
                Act::Suspend {
                    person,
                    reason: "Spam.".to_owned(),
                },
                "suspended @ada: Spam.",
            ),
            (
                r#"{"restore":{"person":"7"}}"#,
                Act::Restore { person },
                "ended the suspension of @ada",
            ),
            (
                r#"{"delete":{"person":"7"}}"#,
                Act::Delete { person },
                "deleted the account of @ada",
            ),
            (
                r#"{"change_site":{"name":"Harbour","entrance":"open"}}"#,
                Act::ChangeSite {
                    name: "Harbour".to_owned(),
                    entrance: Some(Entrance::Open),
                },
                "named the site “Harbour” and set its entrance to “open”",
            ),
            (
                r#"{"change_site":{"name":"Harbour"}}"#,
                Act::ChangeSite {
                    name: "Harbour".to_owned(),
                    entrance: None,
                },
                "named the site “Harbour”",
            ),
            (
                r#"{"change_rules":{"count":3}}"#,
                Act::ChangeRules { count: 3 },
                "changed the rules of the site: 3 rules",
            ),
            (
                r#""change_site_texts""#,
                Act::ChangeSiteTexts,
                "changed the pages about the site",
            ),
            (
                r#"{"change_shields":{"holds_links":true,"reports_spam":false,"words":2,"domains":1,"addresses":0}}"#,
                Act::ChangeShields {
                    holds_links: true,
                    reports_spam: false,
                    words: 2,
                    domains: 1,
                    addresses: 0,
                },
                "changed the shields: links of new accounts wait, the site does not report spam, \
                 blocked words: 2, domains: 1, addresses: 0",
            ),
            (
                r#"{"change_public_log":{"is_public":true}}"#,
                Act::ChangePublicLog { is_public: true },
                "published the numbers of decisions",
            ),
            (
                r#"{"let_in":{"person":"7"}}"#,
                Act::LetIn { person },
                "let @ada in",
            ),
            (
                r#"{"vouch":{"person":"7"}}"#,
                Act::Vouch { person },
                "vouched for @ada",
            ),
            (
                r#"{"refuse_applicant":{"person":"7","reason":"No boat."}}"#,
                Act::RefuseApplicant {
                    person,
                    reason: "No boat.".to_owned(),
                },
                "refused the request of @ada to join: No boat.",
            ),
            (
                r#""make_invitation""#,
                Act::MakeInvitation,
                "made an invitation",
            ),
            (
                r#""revoke_invitation""#,
                Act::RevokeInvitation,
                "revoked an invitation",
            ),
            (
                r#"{"decide":{"person":"7","measure":"suspend","reason":"spam","grounds":"Spam"}}"#,
                Act::Decide {
                    person,
                    measure: Measure::Suspend,
                    reason: ReportReason::Spam,
                    grounds: "Spam".to_owned(),
                },
                "suspended @ada: Spam",
            ),
            (
                r#"{"end_decision":{"person":"7","measure":"suspend"}}"#,
                Act::EndDecision {
                    person,
                    measure: Measure::Suspend,
                    reason: None,
                },
                "ended the suspension of @ada",
            ),
            (
                r#"{"end_decision":{"person":"7","measure":"warn","reason":"spam"}}"#,
                Act::EndDecision {
                    person,
                    measure: Measure::Warn,
                    reason: Some(ReportReason::Spam),
                },
                "took the warning of @ada back",
            ),
            (
                r#"{"answer_appeal":{"person":"7","is_granted":true}}"#,
                Act::AnswerAppeal {
                    person,
                    is_granted: true,
                },
                "granted the appeal of @ada",
            ),
            (
                r#"{"delete_group":{"slug":"boats"}}"#,
                Act::DeleteGroup {
                    slug: GroupSlug::parse("boats").expect("valid"),
                },
                "deleted the group boats",
            ),
        ]
    }

    #[test]
    fn every_act_has_its_stored_text_and_its_words() {
        for (text, act, words) in acts() {
            assert_eq!(serde_json::to_string(&act).expect("JSON"), text);
            assert_eq!(act.words("@ada"), words);
            let by = ActingPerson::Person(UserId::new(8).expect("in range"));
            let logged = LoggedAct::new(by, act);
            assert_eq!(logged.to_json().parse::<LoggedAct>().ok(), Some(logged));
        }
    }
}
