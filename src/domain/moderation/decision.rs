//! Decisions of moderators about a person, and the appeals against them.

use serde::{Deserialize, Serialize};

use super::report::stored_as_json;
use crate::domain::{ActingPerson, ReportReason, StatusId};

/// What a decision does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Closes the reports and does nothing else.
    Dismiss,
    /// Leaves a note for the other moderators. The reports stay open.
    Note,
    Warn,
    /// Hides a post of the person from everybody else.
    HidePost {
        status: StatusId,
    },
    /// Shows a post that waits for a moderator.
    ApprovePost {
        status: StatusId,
    },
    /// Shows a post of the person behind a warning.
    AddWarning {
        status: StatusId,
        warning: String,
    },
    /// Shows what the person writes to their followers alone.
    Limit,
    /// Lets the person read and not write until this time.
    Freeze {
        until_ms: u64,
    },
    Suspend,
}

impl Measure {
    /// The days that a freeze can last.
    pub const FREEZE_DAYS: std::ops::RangeInclusive<u64> = 1..=30;

    pub fn name(&self) -> &'static str {
        match self {
            Self::Dismiss => "dismiss",
            Self::Note => "note",
            Self::Warn => "warn",
            Self::HidePost { .. } => "hide_post",
            Self::ApprovePost { .. } => "approve_post",
            Self::AddWarning { .. } => "add_warning",
            Self::Limit => "limit",
            Self::Freeze { .. } => "freeze",
            Self::Suspend => "suspend",
        }
    }

    /// Returns the post that it is about.
    pub fn post(&self) -> Option<StatusId> {
        match self {
            Self::HidePost { status }
            | Self::ApprovePost { status }
            | Self::AddWarning { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Returns the value that the script takes: the end of a freeze.
    pub fn value(&self) -> String {
        match self {
            Self::Freeze { until_ms } => until_ms.to_string(),
            _ => String::new(),
        }
    }

    /// Returns whether the person is told.
    pub fn is_told(&self) -> bool {
        !matches!(self, Self::Dismiss | Self::Note | Self::ApprovePost { .. })
    }

    /// Returns whether the decision can be taken back.
    pub fn is_undoable(&self) -> bool {
        self.is_told()
    }

    /// Returns whether the person can appeal.
    pub fn is_appealable(&self) -> bool {
        self.is_state()
    }

    /// Returns whether it is a state of the account, which can end at any time. Others can be taken back for
    /// [`Decision::UNDO_MS`].
    pub fn is_state(&self) -> bool {
        matches!(self, Self::Limit | Self::Freeze { .. } | Self::Suspend)
    }

    /// Returns the measure after the name of the moderator.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Dismiss => "dismissed the reports",
            Self::Note => "left a note",
            Self::Warn => "warned the person",
            Self::HidePost { .. } => "hid a post",
            Self::ApprovePost { .. } => "approved a post",
            Self::AddWarning { .. } => "put a post behind a warning",
            Self::Limit => "limited the account",
            Self::Freeze { .. } => "froze the account",
            Self::Suspend => "suspended the account",
        }
    }
}

/// A decision, as it is stored. Its number is its time in µs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub by: ActingPerson,
    pub measure: Measure,
    pub reason: ReportReason,
    /// The words for the person. Of a note: the note.
    pub explanation: String,
}

impl Decision {
    /// Time for which a decision can be taken back.
    pub const UNDO_MS: u64 = 30 * 86_400_000;

    /// Returns the reason and the explanation in one text.
    pub fn grounds(&self) -> String {
        match (&self.reason, self.explanation.as_str()) {
            (reason, "") => reason.words().into_owned(),
            (ReportReason::SomethingElse, explanation) => explanation.to_owned(),
            (reason, explanation) => format!("{}: {explanation}", reason.words()),
        }
    }
}

/// The end of a decision that was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    pub by: ActingPerson,
}

/// The answer to an appeal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppealAnswer {
    /// Stored as `host` or as the user id.
    #[serde(with = "as_text")]
    pub by: ActingPerson,
    /// The decision was taken back.
    pub is_granted: bool,
    /// The words for the person. Empty if there are none.
    pub explanation: String,
}

/// Returns whether the host or a moderator may answer an appeal against a decision. If there are several moderators, the
/// one who decided may not answer.
pub fn may_answer_appeal(
    decided_by: ActingPerson,
    by: ActingPerson,
    moderator_count: usize,
) -> bool {
    decided_by != by || moderator_count < 2
}

/// Stores an [`ActingPerson`] as its text.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::ActingPerson;

    pub(super) fn serialize<S: Serializer>(by: &ActingPerson, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(by)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<ActingPerson, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| D::Error::custom("malformed"))
    }
}

stored_as_json!(Decision, Ending, AppealAnswer);

#[cfg(test)]
mod tests {
    use super::super::decision::*;
    use crate::domain::UserId;

    fn decision(measure: Measure) -> Decision {
        Decision {
            by: ActingPerson::Host,
            measure,
            reason: ReportReason::Spam,
            explanation: "Again.".to_owned(),
        }
    }

    fn hide_post() -> Measure {
        let status = StatusId::new(8192).expect("in range");
        Measure::HidePost { status }
    }

    fn approve_post() -> Measure {
        let status = StatusId::new(8192).expect("in range");
        Measure::ApprovePost { status }
    }

    fn add_warning() -> Measure {
        Measure::AddWarning {
            status: StatusId::new(8192).expect("in range"),
            warning: "Spiders".to_owned(),
        }
    }

    #[test]
    fn every_measure_has_its_stored_text() {
        let measures = [
            ("\"dismiss\"", Measure::Dismiss),
            ("\"note\"", Measure::Note),
            ("\"warn\"", Measure::Warn),
            (r#"{"hide_post":{"status":"8192"}}"#, hide_post()),
            (r#"{"approve_post":{"status":"8192"}}"#, approve_post()),
            (
                r#"{"add_warning":{"status":"8192","warning":"Spiders"}}"#,
                add_warning(),
            ),
            ("\"limit\"", Measure::Limit),
            (
                r#"{"freeze":{"until_ms":5}}"#,
                Measure::Freeze { until_ms: 5 },
            ),
            ("\"suspend\"", Measure::Suspend),
        ];
        for (text, measure) in measures {
            let json = format!(
                r#"{{"by":"host","measure":{text},"reason":"spam","explanation":"Again."}}"#
            );
            let decision = decision(measure);
            assert_eq!(decision.to_json(), json);
            assert_eq!(Decision::from_json(&json), Some(decision));
        }
    }

    #[test]
    fn where_there_are_several_moderators_another_one_answers() {
        let [one, other] =
            [7, 8].map(|id| ActingPerson::Person(UserId::new(id).expect("in range")));
        for (moderators, of_the_same) in [(0, true), (1, true), (2, false), (3, false)] {
            for by in [one, ActingPerson::Host] {
                assert_eq!(may_answer_appeal(by, by, moderators), of_the_same);
                assert!(may_answer_appeal(by, other, moderators));
            }
            assert!(may_answer_appeal(ActingPerson::Host, one, moderators));
            assert!(may_answer_appeal(one, ActingPerson::Host, moderators));
        }
    }

    #[test]
    fn an_answer_is_stored_with_the_id_of_a_moderator_or_for_the_host() {
        let moderator = ActingPerson::Person(UserId::new(7).expect("in range"));
        for (by, text) in [(moderator, "7"), (ActingPerson::Host, "host")] {
            let answer = AppealAnswer {
                by,
                is_granted: true,
                explanation: "Sorry.".to_owned(),
            };
            let json = format!(r#"{{"by":"{text}","is_granted":true,"explanation":"Sorry."}}"#);
            assert_eq!(answer.to_json(), json);
            assert_eq!(AppealAnswer::from_json(&json), Some(answer));
        }
        let wrong = r#"{"by":"me","is_granted":true,"explanation":""}"#;
        assert_eq!(AppealAnswer::from_json(wrong), None);
    }

    #[test]
    fn the_grounds_name_the_reason_and_the_explanation() {
        let spam = decision(Measure::Warn);
        assert_eq!(spam.grounds(), "Spam: Again.");
        let other = Decision {
            reason: ReportReason::SomethingElse,
            ..spam.clone()
        };
        assert_eq!(other.grounds(), "Again.");
        let short = Decision {
            explanation: String::new(),
            ..spam
        };
        assert_eq!(short.grounds(), "Spam");
    }
}
