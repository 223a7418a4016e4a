//! Reporting posts, people and groups, the queue of reports, decisions about people, and appeals.

pub(super) mod branch;
mod branch_view;
mod case_view;
pub(super) mod cases;
mod decision_form;
pub(super) mod decisions;
mod decisions_view;
mod own_reports_view;
mod queue_view;
pub(super) mod queues;
mod report_view;
mod reportable;
mod reported_view;
pub(super) mod reports;
mod seen_messages;
mod shown_post;
mod signed;

use super::parts::visit::Visit;

/// Returns the rules of the site, which are the reasons of reports and decisions.
fn rules(visit: &Visit) -> Vec<String> {
    let rules = visit.site.rules().iter();
    rules.map(|rule| rule.text.clone()).collect()
}
