//! The form of a decision about a person.

use super::{report_view::ReasonChoice, rules};
use crate::{
    domain::{Explanation, Login, Measure, ReportReason, Warning},
    web::{
        http::session::{pending_form::PendingForm, visitor::Visitor},
        parts::prelude::*,
    },
};

const DAY_MS: u64 = 86_400_000;
/// The durations of a freeze that the form offers, in days.
const DAYS: [u64; 5] = [1, 3, 7, 14, 30];
/// The actions that a form offers if it is about a post.
const HIDE_POST: &str = "hide_post";
const ADD_WARNING: &str = "add_warning";
const APPROVE_POST: &str = "approve_post";
pub(super) const FREEZE: &str = "freeze";
const ABOUT_POSTS: [&str; 3] = [HIDE_POST, ADD_WARNING, APPROVE_POST];
/// The actions with their labels.
const MEASURES: [(&str, &str); 9] = [
    (
        "dismiss",
        "Dismiss: no rule was broken. Posts that wait are shown",
    ),
    (APPROVE_POST, "Approve the post: everybody can see it"),
    ("note", "Leave a note for the moderators"),
    ("warn", "Warn the person"),
    (HIDE_POST, "Hide the post from everybody but its author"),
    (ADD_WARNING, "Show the post behind the warning below"),
    ("limit", "Limit: only followers see what the person writes"),
    (FREEZE, "Freeze: the person can read, not write"),
    ("suspend", "Suspend the account"),
];

/// The fields of a decision as they were typed.
#[derive(Debug, Clone, Default, Hash, serde::Deserialize)]
#[serde(default)]
pub struct DecisionFields {
    pub measure: String,
    pub reason: String,
    pub explanation: String,
    /// The days of a freeze.
    pub days: String,
    /// The warning before a post.
    pub warning: String,
    /// The id of the post that the decision is about; empty if it is about the person.
    pub post: String,
    /// The revision of the case, and the newest report, that the moderator sees.
    pub revision: u64,
    pub seen: u64,
}

/// A valid form.
#[derive(Debug)]
pub struct Parsed {
    pub measure: Measure,
    pub reason: ReportReason,
    pub explanation: Explanation,
}

impl DecisionFields {
    /// Returns the fields of an empty form about a post.
    pub fn about(post: StatusId) -> Self {
        Self {
            post: post.to_string(),
            ..Self::default()
        }
    }

    /// Returns the form that the moderator typed before the log-in, if it is about a person with such a login.
    pub fn before(visitor: &Visitor, is_about: impl Fn(&Login) -> bool) -> Option<Self> {
        visitor.restore(|form| match form {
            PendingForm::Decision {
                login,
                measure,
                reason,
                explanation,
                days,
                warning,
                post,
                revision,
            } if Login::stored(&login).is_some_and(|login| is_about(&login)) => Some(Self {
                measure,
                reason,
                explanation,
                days,
                warning,
                post,
                revision,
                ..Self::default()
            }),
            _ => None,
        })
    }

    /// Returns the form to be shown again after the log-in.
    pub fn pending(&self, about: &Login) -> PendingForm {
        let fields = self.clone();
        PendingForm::Decision {
            login: about.to_string(),
            measure: fields.measure,
            reason: fields.reason,
            explanation: fields.explanation,
            days: fields.days,
            warning: fields.warning,
            post: fields.post,
            revision: fields.revision,
        }
    }

    /// Removes what was typed before the log-in for a decision about this person, and about the same post if it is about
    /// one.
    pub fn forget_before(&self, visitor: &Visitor, about: &User) {
        visitor.forget_pending_form(|form| match form {
            PendingForm::Decision { login, post, .. } => {
                let login = Login::stored(login);
                login.is_some_and(|login| about.has_had(&login)) && *post == self.post
            }
            _ => false,
        });
    }

    /// Returns the cursor from which the reported posts of a case begin with the post of this form. `None` if the form
    /// is about the person.
    pub fn cursor_at_own_post(&self) -> Option<Cursor> {
        let post: StatusId = self.post.parse().ok()?;
        Some(Cursor::before(post.get() + 1))
    }

    pub fn parse(&self, visit: &Visit) -> Option<Parsed> {
        Some(Parsed {
            measure: self.parse_measure(visit).ok()?,
            reason: self.parse_reason(visit).ok()?,
            explanation: self.parse_explanation().ok()?,
        })
    }

    fn parse_measure(&self, visit: &Visit) -> Result<Measure, &'static str> {
        Ok(match self.measure.as_str() {
            "dismiss" => Measure::Dismiss,
            "note" => Measure::Note,
            "warn" => Measure::Warn,
            HIDE_POST => Measure::HidePost {
                status: self.parse_post()?,
            },
            APPROVE_POST => Measure::ApprovePost {
                status: self.parse_post()?,
            },
            ADD_WARNING => Measure::AddWarning {
                status: self.parse_post()?,
                warning: self.parse_warning()?,
            },
            "limit" => Measure::Limit,
            FREEZE => {
                let days = self.days.parse::<u64>().ok();
                let days = days.filter(|days| Measure::FREEZE_DAYS.contains(days));
                let days = days.ok_or("Choose the days below.")?;
                Measure::Freeze {
                    until_ms: visit.now.0.saturating_add(days * DAY_MS),
                }
            }
            "suspend" => Measure::Suspend,
            _ => return Err("Choose an action."),
        })
    }

    fn parse_post(&self) -> Result<StatusId, &'static str> {
        self.post.parse().map_err(|_| "Choose a post above.")
    }

    fn parse_warning(&self) -> Result<String, &'static str> {
        match Warning::parse(&self.warning) {
            Ok(Some(warning)) => Ok(warning.as_str().to_owned()),
            Ok(None) => Err("Write the warning below."),
            Err(_) => Err("The warning is too long."),
        }
    }

    /// Returns the reason. An approval always has the reason `NewAccountLink`.
    fn parse_reason(&self, visit: &Visit) -> Result<ReportReason, &'static str> {
        if self.measure == APPROVE_POST {
            return Ok(ReportReason::NewAccountLink);
        }
        ReportReason::chosen(&self.reason, &rules(visit)).ok_or("Choose a reason.")
    }

    fn parse_explanation(&self) -> Result<Explanation, String> {
        let explanation = Explanation::parse(&self.explanation);
        let explanation = explanation.map_err(|error| error.to_string())?;
        let needs_words = self.measure == "note" || self.reason == "something_else";
        let is_favourable = ["dismiss", APPROVE_POST].contains(&self.measure.as_str());
        match needs_words && !is_favourable && explanation.as_str().is_empty() {
            true => Err("Write an explanation.".to_owned()),
            false => Ok(explanation),
        }
    }

    /// Returns a text, with its error if the form was sent.
    fn typed(&self, text: &str, error: Option<String>) -> Typed {
        match error.filter(|_| self.is_sent()) {
            Some(error) => Typed::wrong(text, error),
            None => Typed::text(text),
        }
    }

    fn is_sent(&self) -> bool {
        !self.measure.is_empty() || !self.reason.is_empty()
    }
}

#[derive(Debug, Template)]
#[template(path = "moderation/_decision_form.html")]
pub struct DecisionForm {
    csrf_token: String,
    action: String,
    pub errors: ErrorSummary,
    fields: DecisionFields,
    measures: Vec<(&'static str, &'static str)>,
    measure: Field,
    details: DecisionDetails,
}

impl askama::filters::HtmlSafe for DecisionForm {}

/// The fields of a decision below its action.
#[derive(Debug, Template)]
#[template(path = "moderation/_decision_details.html")]
pub struct DecisionDetails {
    reasons: Vec<ReasonChoice>,
    pub reason: Field,
    days: [u64; 5],
    chosen_days: String,
    /// If the form is about a post.
    warning: Option<Field>,
    pub explanation: Field,
}

impl askama::filters::HtmlSafe for DecisionDetails {}

impl DecisionDetails {
    pub fn new(visit: &Visit, fields: &DecisionFields, hint: &'static str) -> Self {
        let reason = fields.parse_reason(visit).err().map(str::to_owned);
        let reason = fields.typed(&fields.reason, reason);
        let explanation = fields.typed(&fields.explanation, fields.parse_explanation().err());
        Self {
            reasons: ReasonChoice::all(visit, &fields.reason),
            reason: Field::new(Kind::Other, "reason", "Reason", reason),
            days: DAYS,
            chosen_days: fields.days.clone(),
            warning: (!fields.post.is_empty()).then(|| {
                let typed = Typed::text(&fields.warning);
                Field::new(Kind::Optional, "warning", "Warning before the post", typed)
                    .with_hint("Up to 100 characters.")
            }),
            explanation: Field::new(Kind::Optional, "explanation", "Explanation", explanation)
                .with_hint(hint),
        }
    }
}

impl DecisionForm {
    /// Why a decision about an earlier state of the case was not saved.
    pub const OUTDATED: &str =
        "Someone decided about this person meanwhile. Read the case again before you decide.";

    /// Says that the case was decided about meanwhile.
    #[must_use]
    pub fn outdated(mut self) -> Self {
        self.measure.typed.error = Some(Self::OUTDATED.to_owned());
        let details = &self.details;
        self.errors = ErrorSummary::of([&self.measure, &details.reason, &details.explanation]);
        self
    }

    pub fn new(visit: &Visit, login: &Login, fields: DecisionFields) -> Self {
        let measure = fields.parse_measure(visit).err().map(str::to_owned);
        let measure = fields.typed(&fields.measure, measure);
        let measure = Field::new(Kind::Other, "measure", "Action", measure);
        let hint = "Up to 500 characters. The person reads it. A note is for moderators only.";
        let details = DecisionDetails::new(visit, &fields, hint);
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::decide(login),
            errors: ErrorSummary::of([&measure, &details.reason, &details.explanation]),
            measures: MEASURES
                .into_iter()
                .filter(|(value, _)| !fields.post.is_empty() || !ABOUT_POSTS.contains(value))
                .collect(),
            measure,
            details,
            fields,
        }
    }
}
