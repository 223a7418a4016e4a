//! The page of the queue.

use crate::{
    domain::{Power, Role, may_act_on},
    store::{AccountRecord, CLAIM_MS, QueueEntry, QueueOf},
    web::parts::{moment::Moment, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "moderation/queue.html")]
pub struct QueuePage {
    layout: Layout,
    of: QueueOf,
    first: bool,
    entries: Vec<Line>,
    pager: Pager,
}

#[derive(Debug)]
struct Line {
    login: String,
    name: String,
    /// The page of the case. `None` if the member may not decide about the person.
    case: Option<String>,
    /// `3 reports`.
    words: String,
    at: Moment,
    /// The moderator who works on it, and since when.
    claim: Option<(String, Moment)>,
}

impl QueuePage {
    pub fn new(
        visit: &Visit,
        (of, role): (QueueOf, Role),
        (before, page): (Option<Cursor>, &Page<QueueEntry>),
        claimants: &[AccountRecord],
    ) -> Self {
        let line = |entry: &QueueEntry| {
            let person = &entry.person;
            let is_open = |at: u64| visit.now.0.abs_diff(at) < CLAIM_MS;
            let claim = entry.claim.filter(|(_, at)| is_open(at.0));
            let may_decide = may_act_on(Some(role), Power::Moderate, person.role);
            let claim = claim.and_then(|(by, at)| {
                let by = claimants.iter().find(|one| one.id == by)?;
                Some((format!("@{}", by.login), visit.moment(at)))
            });
            Line {
                login: person.login.to_string(),
                name: person.name.clone(),
                case: may_decide.then(|| routes::admin_case(&person.login)),
                words: match (of, entry.report_count) {
                    (QueueOf::Appeals, _) => "Appeal".to_owned(),
                    (QueueOf::Reports, 1) => "1 report".to_owned(),
                    (QueueOf::Reports, number) => format!("{} reports", count(number)),
                },
                at: visit.moment(entry.at),
                claim,
            }
        };
        let (title, path) = match of {
            QueueOf::Reports => ("Reports", routes::ADMIN_REPORTS),
            QueueOf::Appeals => ("Appeals", routes::ADMIN_APPEALS),
        };
        Self {
            layout: Layout::new(visit, Section::Settings, title),
            of,
            first: before.is_none(),
            entries: page.items.iter().map(line).collect(),
            pager: Pager::new(path, before, page.next).ending_with("No more entries."),
        }
    }
}
