//! Runs a plan by the same actions as forms, after it found the results of an earlier run.

use futures_util::FutureExt;

use super::{
    job_runner::{JobRunner, retry},
    members::{Member, member},
    plan::{Plan, PlannedFollow},
    posts_writer::write_posts,
    progress::{Completed, Progress},
    settings_writer::write_settings,
};
use crate::{
    actions::follows,
    store::{self, Store},
};

/// Result of a plan.
#[derive(Debug)]
pub(super) struct SeedResult {
    pub(super) people: Completed,
    pub(super) follows: Completed,
    pub(super) posts: Completed,
    /// Favourites, bookmarks, reposts and votes.
    pub(super) presses: usize,
    /// Followed tags, lists and author preferences.
    pub(super) settings: usize,
    /// Logins that were signed up by this run.
    pub(super) created: Vec<String>,
    /// Logins of other people, which the seed does not touch.
    pub(super) foreign_logins: Vec<String>,
    pub(super) interrupted: bool,
}

/// Creates everything that is missing.
pub(super) async fn run_plan(
    plan: Plan,
    store: &Store,
    runner: &JobRunner,
    password_hash: &str,
) -> store::Result<SeedResult> {
    let progress = Progress::begin("people", plan.people.len());
    let found = runner
        .run_all(plan.people.iter().enumerate(), async |(place, person)| {
            let member = member(store, place, person, password_hash).await;
            progress.step();
            member
        })
        .await?;
    let people = progress.end();

    let mut members: Vec<Option<Member>> = plan.people.iter().map(|_| None).collect();
    for member in found.into_iter().flatten() {
        let place = member.place;
        members[place] = Some(member);
    }
    let known = |place: usize| members[place].as_ref();
    let follows = follow_all(&plan.follows, store, runner, known).await?;
    let (posts, presses) = write_posts(&plan, store, runner, known).await?;
    let settings = write_settings(&plan.settings, store, runner, known).await?;
    let interrupted = runner.is_interrupted();
    let logins = |wanted: fn(Option<&Member>) -> bool| {
        let with = plan.people.iter().zip(&members);
        let wanted = with.filter(|(_, member)| wanted(member.as_ref()));
        wanted.map(|(person, _)| person.login.to_string()).collect()
    };
    Ok(SeedResult {
        people,
        follows,
        posts,
        presses,
        settings,
        created: logins(|member| member.is_some_and(|member| member.created)),
        foreign_logins: if interrupted {
            Vec::new()
        } else {
            logins(|member| member.is_none())
        },
        interrupted,
    })
}

async fn follow_all<'a>(
    planned: &[PlannedFollow],
    store: &Store,
    runner: &JobRunner,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<Completed> {
    let missing: Vec<_> = planned
        .iter()
        .filter_map(|edge| known(edge.follower).zip(known(edge.followed)))
        .filter(|(follower, followed)| !follower.following.contains(&followed.id))
        .collect();
    let progress = Progress::begin("follows", missing.len());
    runner
        .run_all(missing, async |(follower, followed)| {
            retry(|| follows::follow(store, follower.id, followed.id).boxed_local()).await?;
            progress.step();
            Ok(())
        })
        .await?;
    Ok(progress.end())
}
