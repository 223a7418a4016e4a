//! The page of the member's own reports, with their outcomes.

use crate::{
    domain::{Decision, Measure, ReportSubject},
    store::{AccountRecord, OwnReport, ReportState, UnixMs},
    web::parts::{moment::Moment, prelude::*},
};

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
    /// "a post by @ada", "a message by @ada", "@ada", or "the group “Birds”".
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
                    // The owner is not named, because the reporter may not find them.
                    ReportSubject::Group(_) => match &report.group_name {
                        Some(name) => format!("the group “{name}”"),
                        None => "a group".to_owned(),
                    },
                },
                reason: report.filed.report.reason.words().into_owned(),
                note: report.filed.report.note.clone(),
                outcome: outcome(report.filed.state, report.decision.as_ref()),
                at: match report.filed.state {
                    ReportState::Open { .. } => None,
                    ReportState::Closed { decision } => {
                        let at = UnixMs(decision / 1000);
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
