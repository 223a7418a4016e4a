//! The reported posts, messages and groups of a case, as they were when they were reported.

use super::case::{Case, NamedReport};
use crate::{
    domain::{PostName, ReportName, ReportSubject, ReportedGroup, ReportedMessages, ReportedPost},
    store::prelude::*,
};

/// Reported posts on a page.
const SHOWN_POSTS: usize = 20;
/// Reports of messages and groups on a page.
const SHOWN_TEXTS: usize = 20;

/// The text that came with the report of a message or a group.
#[derive(Debug, Clone)]
pub enum SentText {
    Messages(ReportedMessages),
    Group(ReportedGroup),
}

impl SentText {
    /// Returns the people that it names.
    pub fn people(&self) -> Vec<UserId> {
        match self {
            Self::Messages(sent) => sent.messages.iter().map(|message| message.author).collect(),
            Self::Group(group) => vec![group.owner],
        }
    }

    fn parse(subject: ReportSubject, text: &str) -> Option<Self> {
        match subject {
            ReportSubject::Message(..) => ReportedMessages::from_json(text).map(Self::Messages),
            ReportSubject::Group(_) => ReportedGroup::from_json(text).map(Self::Group),
            ReportSubject::Person | ReportSubject::Post(_) => None,
        }
    }
}

impl Store {
    /// Returns one page of the reported posts of a person, the newest first. A page has all reported versions of its
    /// posts. Two round trips.
    pub async fn reported_posts(
        &self,
        subject: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<(PostName, ReportedPost)>> {
        let key = keys::reported_posts(subject);
        let names = redis::cmd("HKEYS").with(&key);
        let names: Vec<String> = self.connection.query(names).await?;
        let names = names.iter().filter_map(|name| name.parse().ok());
        let bound = before.map_or(u64::MAX, |cursor| cursor.get());
        let names = names.filter(|name: &PostName| name.status.get() < bound);
        let mut names: Vec<PostName> = names.collect();
        names.sort_unstable_by(|one, other| other.cmp(one));
        let mut statuses: Vec<u64> = names.iter().map(|name| name.status.get()).collect();
        statuses.dedup();
        let last = statuses.get(SHOWN_POSTS - 1).copied().unwrap_or_default();
        names.retain(|name| name.status.get() >= last);
        if names.is_empty() {
            return Ok(Page {
                items: Vec::new(),
                next: None,
            });
        }
        let fields: Vec<String> = names.iter().map(PostName::to_string).collect();
        let texts = redis::cmd("HMGET").with((&key, fields));
        let texts: Vec<Option<String>> = self.connection.query(texts).await?;
        let posts = names.into_iter().zip(texts);
        let posts = posts.filter_map(|(name, text)| Some((name, ReportedPost::from_json(&text?)?)));
        Ok(Page {
            items: posts.collect(),
            next: (statuses.len() > SHOWN_POSTS).then(|| Cursor::before(last)),
        })
    }

    /// Returns one page of the texts that came with the reports of messages and groups in a case, the newest report
    /// first. A page has all reports that one decision closed. One round trip.
    pub async fn sent_texts(
        &self,
        case: &Case,
        before: Option<Cursor>,
    ) -> Result<Page<(ReportName, SentText)>> {
        let bound = before.map_or(u64::MAX, |cursor| cursor.get());
        let reports = case.reports.iter().filter(|one| {
            let subject = one.name.subject;
            matches!(
                subject,
                ReportSubject::Message(..) | ReportSubject::Group(_)
            )
        });
        let reports = reports.filter(|one| one.state.at_us() < bound);
        let mut reports: Vec<&NamedReport> = reports.collect();
        reports.sort_by_key(|one| std::cmp::Reverse(one.state.at_us()));
        let last = reports.get(SHOWN_TEXTS - 1);
        let last = last.map_or(0, |one| one.state.at_us());
        let shown = reports.partition_point(|one| one.state.at_us() >= last);
        let next = (shown < reports.len()).then(|| Cursor::before(last));
        let names: Vec<ReportName> = reports.iter().take(shown).map(|one| one.name).collect();
        if names.is_empty() {
            let items = Vec::new();
            return Ok(Page { items, next });
        }
        let fields: Vec<String> = names.iter().map(ReportName::text_field).collect();
        let read = redis::cmd("HMGET").with((keys::reported_posts(case.subject), fields));
        let texts: Vec<Option<String>> = self.connection.query(read).await?;
        let sent = names.into_iter().zip(texts);
        let sent =
            sent.filter_map(|(name, text)| Some((name, SentText::parse(name.subject, &text?)?)));
        Ok(Page {
            items: sent.collect(),
            next,
        })
    }
}
