//! The decisions of a case.

use serde::Serialize;

use crate::{
    admin::outcome::time,
    domain::{Measure, StatusId},
    store::{CaseFile, RecordedDecision, UnixMs},
};

#[derive(Debug, Serialize)]
pub(super) struct DecisionRow {
    /// The number for `undo` and `answer`: its time in µs.
    pub(super) number: u64,
    pub(super) at: String,
    /// `@login`, `The host`, or words for a person who is gone.
    pub(super) by: String,
    pub(super) measure: &'static str,
    /// The measure in words, after the name.
    #[serde(skip)]
    pub(super) words: &'static str,
    /// The post that it is about.
    pub(super) post: Option<StatusId>,
    /// The warning before that post.
    pub(super) warning: Option<String>,
    /// The end of a freeze.
    pub(super) until: Option<String>,
    /// The reason and the explanation in one text.
    pub(super) grounds: String,
    pub(super) ended: Option<EndRow>,
    pub(super) appeal: Option<AppealRow>,
    pub(super) answer: Option<AnswerRow>,
    pub(super) awaits_answer: bool,
    /// It can be taken back now.
    pub(super) undoable: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct EndRow {
    pub(super) at: String,
    pub(super) by: String,
}

#[derive(Debug, Serialize)]
pub(super) struct AppealRow {
    pub(super) at: String,
    pub(super) text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct AnswerRow {
    pub(super) at: String,
    pub(super) by: String,
    pub(super) granted: bool,
    pub(super) explanation: String,
}

impl DecisionRow {
    pub(super) fn new(file: &CaseFile, one: &RecordedDecision, now: UnixMs) -> Self {
        let at = |at_us: u64| time(UnixMs(at_us / 1000));
        let measure = &one.decision.measure;
        Self {
            number: one.number,
            at: at(one.number),
            by: file.actor(one.decision.by),
            measure: measure.name(),
            words: measure.words(),
            post: measure.post(),
            warning: match measure {
                Measure::AddWarning { warning, .. } => Some(warning.clone()),
                _ => None,
            },
            until: match measure {
                Measure::Freeze { until_ms } => Some(time(UnixMs(*until_ms))),
                _ => None,
            },
            grounds: one.decision.grounds(),
            ended: one.ended.map(|(at_us, ending)| EndRow {
                at: at(at_us),
                by: file.actor(ending.by),
            }),
            appeal: one.appeal.as_ref().map(|(at_us, text)| AppealRow {
                at: at(*at_us),
                text: text.clone(),
            }),
            answer: one.answer.as_ref().map(|(at_us, answer)| AnswerRow {
                at: at(*at_us),
                by: file.actor(answer.by),
                granted: answer.is_granted,
                explanation: answer.explanation.clone(),
            }),
            awaits_answer: one.awaits_answer(),
            undoable: one.is_undoable(now),
        }
    }
}
