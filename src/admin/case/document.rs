//! The case of a person as a JSON document.

use serde::Serialize;

use super::{
    decisions::DecisionRow,
    reported::{GroupRow, MessagesRow, PostRow},
};
use crate::{
    admin::{outcome::time, people::name_of},
    domain::{Cursor, ReportSubject, StatusId},
    store::{CaseFile, FiledReport, UnixMs},
};

/// The case of a person, with one page of the reported things.
#[derive(Debug, Serialize)]
pub(super) struct CaseDocument {
    pub(super) id: u64,
    pub(super) login: String,
    pub(super) name: String,
    pub(super) signed_up: String,
    pub(super) posts: u64,
    /// Login of the person who invited them.
    pub(super) inviter: Option<String>,
    pub(super) state: &'static str,
    pub(super) limited: bool,
    pub(super) frozen_until: Option<String>,
    pub(super) claim: Option<ClaimRow>,
    /// The number for `--seen`: the time of the last event of the case in µs.
    pub(super) seen: u64,
    /// Number of open reports. The newest 50 are in `reports`.
    pub(super) open_reports: usize,
    pub(super) reports: Vec<ReportRow>,
    pub(super) reported_posts: Vec<PostRow>,
    /// The id for `--before` of the next posts.
    pub(super) next_posts: Option<u64>,
    pub(super) reported_messages: Vec<MessagesRow>,
    pub(super) reported_groups: Vec<GroupRow>,
    /// The time for `--before-texts` of the next messages and groups.
    pub(super) next_texts: Option<u64>,
    pub(super) decisions: Vec<DecisionRow>,
}

/// The moderator who works on a case.
#[derive(Debug, Serialize)]
pub(super) struct ClaimRow {
    pub(super) by: String,
    pub(super) since: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ReportRow {
    pub(super) at: String,
    /// `@login`, or words for the site and for people who are gone.
    pub(super) reporter: String,
    /// `person`, `post`, `message` or `group`.
    pub(super) about: &'static str,
    /// The reported post.
    pub(super) post: Option<StatusId>,
    pub(super) reason: String,
    pub(super) note: String,
}

impl ReportRow {
    fn new(file: &CaseFile, filed: &FiledReport) -> Self {
        let (about, post) = match filed.name.subject {
            ReportSubject::Person => ("person", None),
            ReportSubject::Post(id) => ("post", Some(id)),
            ReportSubject::Message(..) => ("message", None),
            ReportSubject::Group(_) => ("group", None),
        };
        Self {
            at: time(UnixMs(filed.state.at_us() / 1000)),
            reporter: file.reporter(filed.name.reporter),
            about,
            post,
            reason: filed.report.reason.words().into_owned(),
            note: filed.report.note.clone(),
        }
    }
}

impl CaseDocument {
    /// Creates the document, with the states that the decisions give the account at this time.
    pub(super) fn new(file: &CaseFile, now: UnixMs) -> Self {
        let (case, user) = (&file.case, &file.user);
        let standing = case.standing_measures(now);
        let claim = case.claim(now).map(|(by, at)| ClaimRow {
            by: file.login(by),
            since: time(at),
        });
        let reports = file.reports.iter().map(|one| ReportRow::new(file, one));
        let decisions = case.decisions.iter();
        Self {
            id: user.id.get(),
            login: user.login.to_string(),
            name: user.name.clone(),
            signed_up: time(user.signup),
            posts: user.posts,
            inviter: file.inviters.first().map(|one| one.login.to_string()),
            state: name_of(&user.state),
            limited: user.is_limited,
            frozen_until: standing.frozen_until.map(time),
            claim,
            seen: case.last_us,
            open_reports: case.open().count(),
            reports: reports.collect(),
            reported_posts: PostRow::all(file),
            next_posts: file.posts.next.map(Cursor::get),
            reported_messages: MessagesRow::all(file),
            reported_groups: GroupRow::all(file),
            next_texts: file.texts.next.map(Cursor::get),
            decisions: decisions
                .map(|one| DecisionRow::new(file, one, now))
                .collect(),
        }
    }
}
