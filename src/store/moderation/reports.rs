//! Single steps of reports, and the reports of one reporter.

use super::{
    MAX_OPEN_REPORTS, MAX_OPEN_REPORTS_OF_ONE, MAX_OWN_REPORTS, MAX_REPORTED_BYTES,
    MAX_REPORTED_POSTS, MAX_REPORTS, calls,
    case::{FiledReport, ReportState},
};
use crate::{
    domain::{
        Decision, PostText, Report, ReportName, ReportSubject, ReportedGroup, ReportedPost,
        Reporter,
    },
    store::{Group, prelude::*},
};

/// Age up to which a note can wait for its report. No call lasts as long.
const YOUNG_NOTE_MS: u64 = 10 * 60_000;

outcomes! {
    pub enum NoteOutcome {
        /// By this call or an earlier one.
        Noted = "noted",
        /// The reporter has reported too much.
        Full = "full",
    }
}

outcomes! {
    pub enum ReportOutcome {
        /// By this call or an earlier one.
        Reported = "reported",
        /// The reporter has too many open reports about the person.
        Waiting = "waiting",
        /// There are too many open reports about the person.
        Full = "full",
        Unknown = "unknown_user",
    }
}

/// What was reported, as the reporter saw it: the field that keeps it, and its stored text.
#[derive(Debug, Clone)]
pub struct ReportedText {
    pub field: String,
    pub text: String,
}

/// A report, as its reporter sees it.
#[derive(Debug, Clone)]
pub struct OwnReport {
    pub about: UserId,
    pub filed: FiledReport,
    /// The decision that closed it.
    pub decision: Option<Decision>,
    /// The name of the reported group.
    pub group_name: Option<String>,
}

impl Store {
    /// Notes in the slot of the reporter that they report something of a person. It comes before the report, so the
    /// deletion of the reporter finds every report.
    pub async fn note_report(
        &self,
        call: &Call,
        reporter: &Actor,
        about: UserId,
        subject: ReportSubject,
    ) -> Result<NoteOutcome> {
        let note = calls::NoteReport {
            auth: keys::auth(reporter.id()),
            own_reports: keys::own_reports(reporter.id()),
            deadline_ms: call.deadline(),
            session_epoch: reporter.epoch().to_owned(),
            member: own_name(about, subject),
            max_reports: MAX_OWN_REPORTS,
        };
        self.connection.run_durably(&note).await
    }

    /// Adds a report about a person.
    pub async fn add_report(
        &self,
        call: &Call,
        (subject, name): (UserId, ReportName),
        report: &Report,
        reported: Option<ReportedText>,
    ) -> Result<ReportOutcome> {
        let (max_open, max_of_reporter) = match name.reporter {
            Reporter::Person(_) | Reporter::Shield => (MAX_OPEN_REPORTS, MAX_OPEN_REPORTS_OF_ONE),
            Reporter::Hold => (usize::MAX, usize::MAX),
        };
        let (post_name, post) = reported.map_or_else(Default::default, |one| (one.field, one.text));
        let report = calls::Report {
            user: keys::user(subject),
            case: keys::case(subject),
            reports: keys::reports(subject),
            open_reports: keys::open_reports(subject),
            closed_reports: keys::closed_reports(subject),
            reported_posts: keys::reported_posts(subject),
            deadline_ms: call.deadline(),
            name: name.to_string(),
            report: report.to_json(),
            max_open,
            max_of_reporter,
            max_kept: MAX_REPORTS,
            max_posts: MAX_REPORTED_POSTS,
            max_bytes: MAX_REPORTED_BYTES,
            post_name,
            post,
        };
        self.connection.run_durably(&report).await
    }

    /// Reads a report about a person, open or closed, without its state.
    pub async fn report(&self, subject: UserId, name: ReportName) -> Result<Option<Report>> {
        let read = redis::cmd("HGET").with((keys::reports(subject), name.to_string()));
        let text: Option<String> = self.connection.query(read).await?;
        Ok(text.and_then(|text| Report::from_json(&text)))
    }

    /// Returns which of these reports about people exist, open or closed. One round trip.
    pub async fn are_reported(&self, reports: &[(UserId, ReportName)]) -> Result<Vec<bool>> {
        let reads = reports.iter().map(|(subject, name)| {
            redis::cmd("HEXISTS").with((keys::reports(*subject), name.to_string()))
        });
        self.connection.query_each(reads).await
    }

    /// Returns the number of posts of a person that wait for a moderator.
    pub async fn waiting_post_count(&self, person: UserId) -> Result<usize> {
        let read = redis::cmd("ZRANGE").with((keys::open_reports(person), 0, -1));
        let names: Vec<String> = self.connection.query(read).await?;
        let names = names.iter().filter_map(|name| name.parse().ok());
        Ok(names
            .filter(|name: &ReportName| name.held_post().is_some())
            .count())
    }

    /// Removes the reports about a person that were closed before a time, and this one in any state.
    pub async fn drop_reports(
        &self,
        call: &Call,
        subject: UserId,
        closed_before_us: u64,
        name: Option<ReportName>,
    ) -> Result<()> {
        let drop = calls::DropReports {
            case: keys::case(subject),
            reports: keys::reports(subject),
            open_reports: keys::open_reports(subject),
            closed_reports: keys::closed_reports(subject),
            reported_posts: keys::reported_posts(subject),
            deadline_ms: call.deadline(),
            closed_before_us,
            name: name.map_or_else(String::new, |name| name.to_string()),
        };
        self.connection.run_durably(&drop).await
    }

    /// Returns one page of the reports of a person, newest first. Reports that are no longer kept are left out, and
    /// forgotten. A note comes before its report, so a young note without one can belong to a report that is being
    /// sent.
    pub async fn own_reports(
        &self,
        reporter: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<OwnReport>> {
        let from = before.map_or_else(|| "+inf".to_owned(), |cursor| format!("({}", cursor.get()));
        let range = range_by_score(keys::own_reports(reporter), from, "-inf", PAGE_SIZE + 1);
        let range = range.with(("REV", "WITHSCORES"));
        let mut rows: Vec<(String, f64)> = self.connection.query(range).await?;
        let has_more = rows.len() > PAGE_SIZE;
        rows.truncate(PAGE_SIZE);
        let last = rows.last().map(|(_, score)| Cursor::before(*score as u64));
        let (mut items, mut gone) = (Vec::new(), Vec::new());
        let rows = rows
            .iter()
            .filter_map(|(member, score)| Some((parse_own_name(member)?, *score as u64)));
        let (named, noted): (Vec<(UserId, ReportSubject)>, Vec<u64>) = rows.unzip();
        let reports = named.iter().zip(self.filed(reporter, &named).await?);
        for ((about, filed), noted_us) in reports.zip(noted) {
            match filed {
                Some(filed) => items.push((about.0, filed)),
                None => gone.push(noted_us),
            }
        }
        self.forget_notes(reporter, &gone).await?;
        Ok(Page {
            items: self.with_decisions(items).await?,
            next: last.filter(|_| has_more),
        })
    }

    /// Removes the notes of these times (µs), except for young ones. A person who reports again meanwhile renews the
    /// time of the note, so the new note stays.
    async fn forget_notes(&self, reporter: UserId, noted: &[u64]) -> Result<()> {
        if noted.is_empty() {
            return Ok(());
        }
        let old_us = self.now().await?.0.saturating_sub(YOUNG_NOTE_MS) * 1000;
        let old = noted.iter().filter(|noted_us| **noted_us < old_us);
        let removals = old.map(|noted_us| {
            redis::cmd("ZREMRANGEBYSCORE").with((keys::own_reports(reporter), *noted_us, *noted_us))
        });
        self.connection.batch(removals.collect()).await.map(drop)
    }

    /// Reads these reports of a reporter. One round trip.
    async fn filed(
        &self,
        reporter: UserId,
        named: &[(UserId, ReportSubject)],
    ) -> Result<Vec<Option<FiledReport>>> {
        type Row = (Option<String>, Option<f64>, Option<f64>);
        let name = |subject: ReportSubject| ReportName {
            reporter: Reporter::Person(reporter),
            subject,
        };
        let reads = named.iter().map(|(about, subject)| {
            let name = name(*subject).to_string();
            [
                redis::cmd("HGET").with((keys::reports(*about), &name)),
                redis::cmd("ZSCORE").with((keys::open_reports(*about), &name)),
                redis::cmd("ZSCORE").with((keys::closed_reports(*about), &name)),
            ]
        });
        let answers = self.connection.batch(reads.flatten().collect()).await?;
        let rows = answers.chunks_exact(3).zip(named);
        rows.map(|(answers, (_, subject))| {
            let [report, open, closed] = answers else {
                return Ok(None);
            };
            let (report, open, closed): Row = (
                read(report.clone())?,
                read(open.clone())?,
                read(closed.clone())?,
            );
            let state = match (open, closed) {
                (Some(at), _) => ReportState::Open { at_us: at as u64 },
                (None, Some(number)) => ReportState::Closed {
                    decision: number as u64,
                },
                (None, None) => return Ok(None),
            };
            let report = report.and_then(|report| Report::from_json(&report));
            Ok(report.map(|report| FiledReport {
                name: name(*subject),
                report,
                state,
            }))
        })
        .collect()
    }

    /// Adds the decisions that closed these reports, and the names of the reported groups. One round trip.
    async fn with_decisions(&self, filed: Vec<(UserId, FiledReport)>) -> Result<Vec<OwnReport>> {
        let number = |filed: &FiledReport| match filed.state {
            ReportState::Closed { decision } => decision,
            ReportState::Open { .. } => 0,
        };
        let reads = filed
            .iter()
            .map(|(about, one)| redis::cmd("HGET").with((keys::decisions(*about), number(one))));
        let groups = filed.iter().filter(|(_, one)| one.name.group().is_some());
        let groups = groups.map(|(about, one)| {
            redis::cmd("HGET").with((keys::reported_posts(*about), one.name.text_field()))
        });
        let reads = reads.chain(groups);
        let mut decisions: Vec<Option<String>> = self.connection.query_each(reads).await?;
        let mut groups = decisions.split_off(filed.len()).into_iter();
        let reports = filed.into_iter().zip(decisions);
        Ok(reports
            .map(|((about, filed), decision)| OwnReport {
                about,
                decision: decision.and_then(|text| Decision::from_json(&text)),
                group_name: filed
                    .name
                    .group()
                    .and_then(|_| ReportedGroup::from_json(&groups.next()??))
                    .map(|group| group.name),
                filed,
            })
            .collect())
    }
}

/// Returns a post as its reader sees it, with its earlier versions.
pub fn reported_post(status: &VisibleStatus, earlier: &[super::super::Version]) -> ReportedPost {
    let versions = earlier
        .iter()
        .rev()
        .take(ReportedPost::MAX_VERSIONS)
        .rev()
        .map(|version| PostText {
            message: version.message.clone(),
            warning: version.warning.clone(),
            since_ms: version.since.0,
        });
    let poll = status.poll().map(|(poll, _)| {
        let options = poll.options().iter();
        options.map(|option| option.as_str().to_owned()).collect()
    });
    ReportedPost {
        text: PostText {
            message: status.message().to_owned(),
            warning: status.own_warning().map(str::to_owned),
            since_ms: status.edited().unwrap_or(status.posted()).0,
        },
        posted_ms: status.posted().0,
        options: poll.unwrap_or_default(),
        versions: versions.collect(),
    }
}

/// A group as its reporter sees it.
pub fn reported_group(group: &Group, owner: UserId, name: &ReportName) -> ReportedText {
    let text = ReportedGroup {
        name: group.name.clone(),
        description: group.description.clone(),
        rules: group.rules.clone(),
        kind: group.kind,
        is_unlisted: group.is_unlisted,
        owner,
        members: group.members,
    };
    ReportedText {
        field: name.text_field(),
        text: text.to_json(),
    }
}

/// The name of a report in the slot of its reporter.
fn own_name(about: UserId, subject: ReportSubject) -> String {
    let reporter = Reporter::Person(about);
    ReportName { reporter, subject }.to_string()
}

/// Reads the person and the subject of a report in the slot of its reporter.
pub fn parse_own_name(member: &str) -> Option<(UserId, ReportSubject)> {
    let name: ReportName = member.parse().ok()?;
    Some((name.reporter.person()?, name.subject))
}
