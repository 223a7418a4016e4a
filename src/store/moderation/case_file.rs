//! The file of a case: everything that the moderators and the host read about a person.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    case::{Case, FiledReport, NamedReport},
    reported::SentText,
};
use crate::{
    domain::{ActingPerson, GroupId, PostName, ReportName, ReportedPost, Reporter},
    store::{AccountRecord, Group, prelude::*},
};

/// Open reports that a file has. All are counted and closed.
const SHOWN_REPORTS: usize = 50;

/// The case of a person, with one page of the reported things.
#[derive(Debug)]
pub struct CaseFile {
    /// The reported person.
    pub user: User,
    pub case: Case,
    /// The newest open reports, the newest first: at most 50.
    pub reports: Vec<FiledReport>,
    /// The reported posts from `before`.
    pub before: Option<Cursor>,
    pub posts: Page<(PostName, ReportedPost)>,
    /// The texts that came with the reports of messages and groups from `before_texts`.
    pub before_texts: Option<Cursor>,
    pub texts: Page<(ReportName, SentText)>,
    /// The reported groups that everyone finds.
    pub groups: Vec<Arc<Group>>,
    /// Reporters, authors of messages, owners of groups, moderators and the claimant.
    pub people: Vec<AccountRecord>,
    /// The reported posts that exist.
    pub statuses: Vec<VisibleStatus>,
    /// The inviter of the person, then the inviter of that one, and so on.
    pub inviters: Vec<AccountRecord>,
}

impl CaseFile {
    /// Returns `@login` of a person, or words for a person who is gone.
    pub fn login(&self, id: UserId) -> String {
        let person = self.people.iter().find(|person| person.id == id);
        person.map_or_else(
            || "a person who is gone".to_owned(),
            |person| format!("@{}", person.login),
        )
    }

    /// Returns the name of a reporter.
    pub fn reporter(&self, reporter: Reporter) -> String {
        match reporter {
            Reporter::Person(id) => self.login(id),
            Reporter::Hold | Reporter::Shield => "The site".to_owned(),
        }
    }

    /// Returns the name of the person who decided or answered.
    pub fn actor(&self, by: ActingPerson) -> String {
        match by {
            ActingPerson::Host => "The host".to_owned(),
            ActingPerson::Person(id) => self.login(id),
        }
    }
}

impl Store {
    /// Reads the case of a person, with the reported posts and the reported texts from these places on. The caller has
    /// checked that the reader may decide about the person.
    ///
    /// # Errors
    /// If Redis could not be reached.
    pub async fn case_file(
        &self,
        user: &User,
        (before, before_texts): (Option<Cursor>, Option<Cursor>),
    ) -> Result<CaseFile> {
        let (case, inviters, posts) = futures_util::try_join!(
            self.case(user.id),
            self.inviters_of(user.id),
            self.reported_posts(user.id, before)
        )?;
        let shown: Vec<_> = case.open().take(SHOWN_REPORTS).collect();
        let shown: Vec<_> = shown.iter().map(|(_, report)| **report).collect();
        let texts = self.sent_texts(&case, before_texts).await?;
        let groups = texts.items.iter().filter_map(|(name, _)| name.group());
        let groups: Vec<GroupId> = groups.collect();
        let people = named_people(&case, &shown, &texts.items);
        let mut statuses: Vec<StatusId> = posts.items.iter().map(|(name, _)| name.status).collect();
        statuses.dedup();
        // The author sees every post that still exists. Only reported ones are read.
        let author = Viewer::Member(user.id);
        let (reports, people, statuses, groups) = futures_util::try_join!(
            self.filed_reports(user.id, &shown),
            self.account_records(&people),
            self.visible(author, &statuses),
            self.listed_of(&groups)
        )?;
        Ok(CaseFile {
            user: user.clone(),
            case,
            reports,
            before,
            posts,
            before_texts,
            texts,
            groups,
            people,
            statuses,
            inviters,
        })
    }
}

/// Returns the people that a file names: reporters, authors of messages, owners of groups, and moderators.
fn named_people(
    case: &Case,
    shown: &[NamedReport],
    texts: &[(ReportName, SentText)],
) -> Vec<UserId> {
    let of_texts = texts.iter().flat_map(|(name, text)| {
        let people = text.people().into_iter();
        people.chain(name.reporter.person())
    });
    let reporters = shown.iter().filter_map(|one| one.name.reporter.person());
    let people: BTreeSet<UserId> = reporters.chain(of_texts).chain(case.moderators()).collect();
    people.into_iter().collect()
}
