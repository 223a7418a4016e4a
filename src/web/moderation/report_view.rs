//! The form that reports a post, a message or a person, and the page of the member's own reports.

use std::collections::BTreeSet;

use super::rules;
use crate::{
    domain::{ChatMessage, Decision, Measure, MessageId, ReportNote, ReportReason, ReportSubject},
    store::{AccountRecord, OwnReport, ReportState, ReportableMessage},
    web::{
        blocks::view::BlockForm,
        messages::words::author_name,
        mutes::view::MuteForm,
        parts::{moment::Moment, prelude::*},
        statuses::status_card::StatusCard,
    },
};

/// The subject of a report.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    Post(&'a VisibleStatus),
    Message(&'a ReportableMessage),
    Person(&'a User),
}

impl Subject<'_> {
    fn person(&self) -> &User {
        match self {
            Self::Post(status) => status.author(),
            Self::Message(message) => &message.author,
            Self::Person(user) => user,
        }
    }

    fn action(&self) -> String {
        match self {
            Self::Post(status) => routes::report_post(status.id()),
            Self::Message(message) => routes::report_message(message.chat, message.id),
            Self::Person(user) => routes::report_person(&user.login),
        }
    }
}

/// The fields of a report as they were typed.
#[derive(Debug, Clone, Default)]
pub struct TypedReport {
    pub reason: String,
    pub note: String,
    /// The messages that are sent with a reported one.
    pub chosen: BTreeSet<MessageId>,
    /// The messages that the form showed, signed. Empty unless it is about a message.
    pub seen: String,
    pub is_sent: bool,
}

impl TypedReport {
    /// The prefix of the field of a chosen message, before its number.
    pub const MESSAGE: &'static str = "message_";
}

#[derive(Debug, Template)]
#[template(path = "moderation/_report_form.html")]
pub struct ReportForm {
    csrf_token: String,
    action: String,
    errors: ErrorSummary,
    reason: Field,
    choices: Vec<ReasonChoice>,
    note: Field,
    /// The messages around a reported one.
    around: Vec<MessageChoice>,
    /// The chosen ones, if they are not shown.
    chosen: BTreeSet<MessageId>,
    seen: String,
}

/// A message that can be sent with a reported one.
#[derive(Debug)]
struct MessageChoice {
    id: MessageId,
    author: String,
    text: String,
    at: Moment,
    is_chosen: bool,
}

impl askama::filters::HtmlSafe for ReportForm {}

/// A reason in a form.
#[derive(Debug)]
pub struct ReasonChoice {
    pub value: String,
    pub words: String,
    pub is_chosen: bool,
}

impl ReasonChoice {
    pub fn all(visit: &Visit, chosen: &str) -> Vec<Self> {
        let choice = |reason: ReportReason| Self {
            value: reason.value(),
            words: reason.words().to_owned(),
            is_chosen: reason.value() == chosen,
        };
        let offered = ReportReason::offered(&rules(visit)).into_iter();
        offered.map(choice).collect()
    }
}

impl ReportForm {
    pub fn new(visit: &Visit, action: String, typed: &TypedReport) -> Self {
        let choices = ReasonChoice::all(visit, &typed.reason);
        let is_chosen = choices.iter().any(|choice| choice.is_chosen);
        let reason = match typed.is_sent && !is_chosen {
            true => Typed::wrong(typed.reason.clone(), "Choose a reason."),
            false => Typed::text(typed.reason.clone()),
        };
        let reason = Field::new(Kind::Other, "reason", "Reason", reason);
        let note = Typed::checked(typed.note.clone(), &ReportNote::parse(&typed.note));
        let note = Field::new(Kind::Paragraph, "note", "Note (optional)", note)
            .with_hint("Up to 500 characters. The moderators read it.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            action,
            errors: ErrorSummary::of([&reason, &note]),
            reason,
            choices,
            note,
            around: Vec::new(),
            chosen: typed.chosen.clone(),
            seen: typed.seen.clone(),
        }
    }

    /// Offers to send the messages around a reported one with it.
    fn with_messages(mut self, visit: &Visit, reported: &ReportableMessage) -> Self {
        let chosen = std::mem::take(&mut self.chosen);
        let choice = |message: &ChatMessage| MessageChoice {
            id: message.id,
            author: author_name(&reported.view, message.author),
            text: message.text().unwrap_or_default().to_owned(),
            at: visit.moment(message.at),
            is_chosen: chosen.contains(&message.id),
        };
        let others = reported.around.iter().filter(|one| one.id != reported.id);
        self.around = others.map(choice).collect();
        self
    }
}

#[derive(Debug, Template)]
#[template(path = "moderation/report.html")]
pub struct ReportPage {
    layout: Layout,
    login: String,
    profile: String,
    form: ReportForm,
    /// The reported post.
    status: Option<StatusCard>,
    /// The text of the reported message.
    message: Option<String>,
    mute_form: MuteForm,
    block_form: BlockForm,
}

impl ReportPage {
    pub fn new(visit: &Visit, subject: Subject<'_>, typed: &TypedReport) -> Self {
        let person = subject.person();
        let form = ReportForm::new(visit, subject.action(), typed);
        let form = match subject {
            Subject::Message(message) => form.with_messages(visit, message),
            Subject::Post(_) | Subject::Person(_) => form,
        };
        let title = match subject {
            Subject::Post(_) => format!("Report a post by @{}", person.login),
            Subject::Message(_) => format!("Report a message by @{}", person.login),
            Subject::Person(_) => format!("Report @{}", person.login),
        };
        Self {
            layout: Layout::new(visit, Section::Elsewhere, title).wrong_if(form.errors.has_some()),
            login: person.login.to_string(),
            profile: routes::profile(&person.login),
            form,
            status: match subject {
                Subject::Post(status) => Some(StatusCard::new(visit, status).only_to_read()),
                Subject::Message(_) | Subject::Person(_) => None,
            },
            message: match subject {
                Subject::Message(message) => Some(message.text().to_owned()),
                Subject::Post(_) | Subject::Person(_) => None,
            },
            mute_form: MuteForm::new(visit, &routes::profile(&person.login), person),
            block_form: BlockForm::new(visit, person),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "moderation/own_reports.html")]
pub struct OwnReportsPage {
    layout: Layout,
    first: bool,
    reports: Vec<OwnReportLine>,
    pager: Pager,
}

#[derive(Debug)]
struct OwnReportLine {
    /// "a post by @ada", "a message by @ada", or "@ada".
    about: String,
    reason: String,
    note: String,
    outcome: &'static str,
    at: Option<Moment>,
}

impl OwnReportsPage {
    pub fn new(
        visit: &Visit,
        before: Option<Cursor>,
        page: &Page<OwnReport>,
        people: &[AccountRecord],
    ) -> Self {
        let line = |report: &OwnReport| {
            let person = people.iter().find(|person| person.id == report.about);
            let login = person.map_or_else(
                || "a person who is gone".to_owned(),
                |person| format!("@{}", person.login),
            );
            OwnReportLine {
                about: match report.filed.name.subject {
                    ReportSubject::Post(_) => format!("a post by {login}"),
                    ReportSubject::Message(..) => format!("a message by {login}"),
                    ReportSubject::Person => login,
                },
                reason: report.filed.report.reason.words().to_owned(),
                note: report.filed.report.note.clone(),
                outcome: outcome(report.filed.state, report.decision.as_ref()),
                at: match report.filed.state {
                    ReportState::Open { .. } => None,
                    ReportState::Closed { decision } => {
                        let at = crate::store::UnixMs(decision / 1000);
                        Some(visit.moment(at))
                    }
                },
            }
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Your reports"),
            first: before.is_none(),
            reports: page.items.iter().map(line).collect(),
            pager: Pager::new(routes::SETTINGS_REPORTS, before, page.next)
                .ending_with("No more reports."),
        }
    }
}

/// Returns the outcome of a report for its reporter.
fn outcome(state: ReportState, decision: Option<&Decision>) -> &'static str {
    match (state, decision.map(|decision| &decision.measure)) {
        (ReportState::Open { .. }, _) => "Received. The moderators have not decided yet.",
        (_, Some(Measure::Dismiss)) => {
            "Decided: it does not break a rule. You can mute or block the person."
        }
        (_, _) => "Decided: the moderators acted on it. Thank you.",
    }
}
