//! Runs a plan by the same actions as forms, after it found the results of an earlier run.

use super::{
    chats::writer::write_chats,
    follows_writer::FollowsWriter,
    groups::writer::write_groups,
    jobs::run_all,
    members::{Member, SeededSite, member},
    outcome::Outcomes,
    plan::Plan,
    posts_writer::write_posts,
    progress::{Completed, Progress},
    settings_writer::write_settings,
};
use crate::store::{self, Store};

#[derive(Debug)]
pub(super) struct SeedResult {
    pub(super) people: Completed,
    pub(super) followed: Outcomes,
    pub(super) posts: Completed,
    /// Favourites, bookmarks, reposts and votes.
    pub(super) presses: Outcomes,
    /// Followed tags, lists and author preferences.
    pub(super) settings: Outcomes,
    pub(super) messages: Outcomes,
    /// Logins that were signed up by this run.
    pub(super) created: Vec<String>,
    /// Logins of other people, which the seed does not touch.
    pub(super) foreign_logins: Vec<String>,
}

impl SeedResult {
    /// Returns the outcomes of all parts that a limit can refuse.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = &Outcomes> {
        [&self.followed, &self.presses, &self.settings].into_iter()
    }
}

/// Creates everything that is missing.
pub(super) async fn run_plan(
    plan: Plan,
    store: &Store,
    at_once: usize,
    password_hash: &str,
) -> store::Result<SeedResult> {
    let progress = Progress::begin("people", plan.people.len());
    let find = async |(place, person)| {
        let member = member(store, person, password_hash).await;
        progress.step();
        Ok::<_, store::Error>((place, member?))
    };
    let found = run_all(at_once, plan.people.iter().enumerate(), find).await?;
    let people = progress.end();

    let mut members: Vec<Option<Member>> = plan.people.iter().map(|_| None).collect();
    for (place, member) in found {
        members[place] = member;
    }
    let site = SeededSite {
        store,
        at_once,
        members,
    };
    let mut follows = FollowsWriter::new(&plan.follows, &site);
    let groups = write_groups(&plan.groups, &site).await?;
    let (posts, presses) = write_posts(&plan, &groups, &mut follows).await?;
    let followed = follows.end();
    let settings = write_settings(&plan.settings, &site).await?;
    let messages = write_chats(&plan.chats, &site).await?;
    let logins = |wanted: fn(Option<&Member>) -> bool| {
        let with = plan.people.iter().zip(&site.members);
        let wanted = with.filter(|(_, member)| wanted(member.as_ref()));
        wanted.map(|(person, _)| person.login.to_string()).collect()
    };
    Ok(SeedResult {
        people,
        followed,
        posts,
        presses,
        settings,
        messages,
        created: logins(|member| member.is_some_and(|member| member.created)),
        foreign_logins: logins(|member| member.is_none()),
    })
}
