//! Reports: of a person, a post, a message or a group. The case of the reported person is the source of truth.

use std::collections::BTreeSet;

use super::with_case;
use crate::{
    actions::{operations::note_failure, prelude::*},
    domain::{MessageId, Report, ReportName, ReportNote, ReportReason, ReportSubject, Reporter},
    store::{
        Group, NoteOutcome, ReportOutcome, ReportableMessage, ReportedText, ShownPost, UnixMs,
        reported_group,
    },
};

/// People whose old reports are removed in one step.
const EXPIRED_AT_ONCE: usize = 100;

/// The subject of a report.
#[derive(Debug, Clone, Copy)]
pub enum Reported<'a> {
    Person(UserId),
    Post(&'a VisibleStatus),
    /// A post as the reporter saw it when the form was opened.
    ShownPost(&'a ShownPost),
    /// A message, with the messages around it that the reporter chose.
    Message(&'a ReportableMessage, &'a BTreeSet<MessageId>),
    /// A group, with its owner. The report is about the owner.
    Group(&'a Group, UserId),
}

impl Reported<'_> {
    pub fn person(&self) -> UserId {
        match self {
            Self::Person(person) => *person,
            Self::Post(status) => status.author().id,
            Self::ShownPost(shown) => shown.author(),
            Self::Message(message, _) => message.author.id,
            Self::Group(_, owner) => *owner,
        }
    }

    fn subject(&self) -> ReportSubject {
        match self {
            Self::Person(_) => ReportSubject::Person,
            Self::Post(status) => ReportSubject::Post(status.id()),
            Self::ShownPost(shown) => ReportSubject::Post(shown.id()),
            Self::Message(message, _) => ReportSubject::Message(message.chat, message.id),
            Self::Group(group, _) => ReportSubject::Group(group.id),
        }
    }

    fn revision(&self) -> u64 {
        match self {
            Self::Post(status) => status.revision(),
            Self::ShownPost(shown) => shown.revision(),
            Self::Person(_) | Self::Message(..) | Self::Group(..) => 0,
        }
    }

    /// Returns the text as the reporter sees it.
    async fn text(&self, store: &Store, name: &ReportName) -> Result<Option<ReportedText>> {
        Ok(match self {
            Self::Person(_) => None,
            Self::Post(status) => Some(store.text_to_report(status).await?),
            Self::ShownPost(shown) => Some(shown.reported()),
            Self::Message(message, chosen) => Some(ReportedText {
                field: name.text_field(),
                text: message.with_chosen(chosen).to_json(),
            }),
            Self::Group(group, owner) => Some(reported_group(group, *owner, name)),
        })
    }
}

/// Outcome of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportResult {
    /// By this call or an earlier one.
    Done,
    Oneself,
    /// The reporter has reported too much.
    TooMany,
    /// The reporter has enough open reports about the person.
    Waiting,
    /// There are enough open reports about the person.
    Enough,
    Unknown,
}

/// Reports a person, a post, a message or a group. The texts are kept as the reporter sees them.
pub async fn report(
    store: &Store,
    actor: &Actor,
    reported: Reported<'_>,
    (reason, note): (ReportReason, &ReportNote),
) -> Result<ReportResult> {
    let subject = reported.person();
    if subject == actor.id() {
        return Ok(ReportResult::Oneself);
    }
    let report = Report {
        reason,
        note: note.as_str().to_owned(),
        revision: reported.revision(),
    };
    let name = ReportName {
        reporter: Reporter::Person(actor.id()),
        subject: reported.subject(),
    };
    let text = reported.text(store, &name).await?;
    let call = &store.begin().await?;
    let write = async {
        let noted = store
            .note_report(call, actor, subject, name.subject)
            .await?;
        if noted == NoteOutcome::Full {
            return Ok(ReportResult::TooMany);
        }
        let added = store.add_report(call, (subject, name), &report, text);
        Ok(match added.await? {
            ReportOutcome::Reported => ReportResult::Done,
            ReportOutcome::Waiting => ReportResult::Waiting,
            ReportOutcome::Full => ReportResult::Enough,
            ReportOutcome::Unknown => ReportResult::Unknown,
        })
    };
    with_case(store, call, subject, write).await
}

/// Removes the report of a person whose account is being deleted.
pub async fn withdraw_report(store: &Store, subject: UserId, name: ReportName) -> Result<()> {
    let call = &store.begin().await?;
    let write = store.drop_reports(call, subject, 0, Some(name));
    with_case(store, call, subject, write).await
}

/// Removes closed reports whose time is over at this time, with the posts that they kept. Returns the number of people
/// that they were about.
pub async fn drop_old_reports(store: &Store, now: UnixMs) -> Result<usize> {
    let (due, before_us) = store.due_closed_reports(now, EXPIRED_AT_ONCE).await?;
    let mut failure = Ok(());
    for subject in &due {
        let call = &store.begin().await?;
        let write = store.drop_reports(call, *subject, before_us, None);
        let dropped = with_case(store, call, *subject, write).await;
        note_failure(&mut failure, dropped)?;
    }
    failure.map(|()| due.len())
}
