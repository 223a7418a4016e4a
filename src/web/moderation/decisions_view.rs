//! The page of the decisions about the member.

use crate::{
    domain::{Appeal, Measure},
    store::{RecordedDecision, UnixMs},
    web::parts::{moment::Moment, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "moderation/decisions.html")]
pub struct DecisionsPage {
    layout: Layout,
    /// The page to return to: the settings, or the page of a suspended account.
    above: (&'static str, &'static str),
    decisions: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    words: &'static str,
    /// The post that it is about.
    post: Option<String>,
    grounds: String,
    at: Moment,
    /// The state of the decision in words.
    state: Option<String>,
    appeal: Option<String>,
    answer: Option<String>,
    form: Option<AppealForm>,
}

#[derive(Debug, Template)]
#[template(path = "moderation/_appeal_form.html")]
pub struct AppealForm {
    csrf_token: String,
    number: u64,
    errors: ErrorSummary,
    appeal: Field,
}

impl askama::filters::HtmlSafe for AppealForm {}

impl AppealForm {
    pub fn new(visit: &Visit, number: u64, typed: Typed) -> Self {
        const { assert!(Appeal::MAX_CHARACTERS == 1000, "the hint says so") }
        let appeal = Field::new(Kind::Paragraph, "appeal", "Appeal", typed)
            .with_hint("Up to 1,000 characters. You can appeal once.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            number,
            errors: ErrorSummary::of([&appeal]),
            appeal,
        }
    }
}

impl DecisionsPage {
    /// Creates the page. `typed` is the text of an appeal with its error if it has one, and the decision that it is about.
    pub fn new(
        visit: &Visit,
        is_hidden: bool,
        decisions: &[RecordedDecision],
        typed: Option<(u64, Typed)>,
    ) -> Self {
        let told = decisions.iter();
        let told = told.filter(|one| one.decision.measure.is_told());
        let layout = Layout::new(visit, Section::Settings, "Decisions about you");
        let is_wrong = typed
            .as_ref()
            .is_some_and(|(_, typed)| typed.error.is_some());
        let layout = layout.wrong_if(is_wrong);
        // Fields have their name as their id, so a page has one form.
        let form_of = match &typed {
            Some((number, _)) => Some(*number),
            None => decisions
                .iter()
                .find(|one| one.is_appealable(visit.now))
                .map(|one| one.number),
        };
        let typed = typed.map(|(_, typed)| typed).unwrap_or_default();
        let line = |one: &RecordedDecision| {
            let has_form = form_of == Some(one.number) && one.is_appealable(visit.now);
            Line {
                form: has_form.then(|| AppealForm::new(visit, one.number, typed.clone())),
                ..line(visit, one)
            }
        };
        Self {
            layout: match is_hidden {
                true => layout.without_navigation(),
                false => layout,
            },
            above: match is_hidden {
                true => (routes::ACCOUNT, "Your account"),
                false => (routes::SETTINGS, "Settings"),
            },
            decisions: told.map(line).collect(),
        }
    }
}

fn line(visit: &Visit, one: &RecordedDecision) -> Line {
    let state = match (&one.decision.measure, one.ended) {
        (_, Some(_)) => Some("This decision was taken back.".to_owned()),
        (Measure::Freeze { until_ms }, None) => {
            let until = visit.moment(UnixMs(*until_ms));
            Some(format!("Until {}.", until.full))
        }
        (Measure::HidePost { .. }, None) => Some("Only you see it.".to_owned()),
        (Measure::AddWarning { warning, .. }, None) => Some(format!("The warning is: {warning}")),
        _ => None,
    };
    let answer = one.answer.as_ref().map(|(_, answer)| {
        let verb = match answer.is_granted {
            true => "Your appeal was granted.",
            false => "Your appeal was refused.",
        };
        format!("{verb} {}", answer.explanation)
            .trim_end()
            .to_owned()
    });
    Line {
        words: words(&one.decision.measure),
        post: one.decision.measure.post().map(routes::status_by_id),
        grounds: one.decision.grounds(),
        at: visit.moment(one.at()),
        state,
        appeal: one.appeal.as_ref().map(|(_, text)| text.clone()),
        answer,
        form: None,
    }
}

/// Returns a measure in words for its person.
fn words(measure: &Measure) -> &'static str {
    match measure {
        Measure::Dismiss | Measure::Note | Measure::ApprovePost { .. } => "",
        Measure::Warn => "The moderators warned you.",
        Measure::HidePost { .. } => "The moderators hid a post of yours.",
        Measure::AddWarning { .. } => "The moderators put a post of yours behind a warning.",
        Measure::Limit => {
            "The moderators limited your account: only your followers see what you write."
        }
        Measure::Freeze { .. } => "The moderators froze your account: you can read, but not write.",
        Measure::Suspend => "The moderators suspended your account.",
    }
}
