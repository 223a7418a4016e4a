//! Runs a plan by the same actions as forms do, after it found out what an earlier run has done.

use futures_util::FutureExt;

use super::{
    crew::{Crew, patiently},
    keep::keep_all,
    members::{Member, member},
    plan::{Plan, PlannedFollow},
    progress::{Progress, Throttle},
    speak::talk_all,
};
use crate::{
    actions::follows,
    store::{self, Store},
};

/// Result of a plan.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) people: Throttle,
    pub(super) follows: Throttle,
    pub(super) posts: Throttle,
    /// Favourites, bookmarks, reposts and votes.
    pub(super) presses: usize,
    /// Followed tags, lists and author preferences.
    pub(super) habits: usize,
    /// Logins that were signed up by this run.
    pub(super) created: Vec<String>,
    /// Logins of other people, which the seed does not touch.
    pub(super) strangers: Vec<String>,
    pub(super) interrupted: bool,
}

/// Creates everything that is missing.
pub(super) async fn carry_out(
    plan: Plan,
    store: &Store,
    crew: &Crew,
    password_hash: &str,
) -> store::Result<Loaded> {
    let progress = Progress::begin("people", plan.people.len());
    let found = crew
        .each(plan.people.iter().enumerate(), async |(place, person)| {
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
    let follows = follow_all(&plan.follows, store, crew, known).await?;
    let (posts, presses) = talk_all(&plan, store, crew, known).await?;
    let habits = keep_all(&plan.habits, store, crew, known).await?;
    let interrupted = crew.interrupted();
    let logins = |wanted: fn(Option<&Member>) -> bool| {
        let with = plan.people.iter().zip(&members);
        let wanted = with.filter(|(_, member)| wanted(member.as_ref()));
        wanted.map(|(person, _)| person.login.to_string()).collect()
    };
    Ok(Loaded {
        people,
        follows,
        posts,
        presses,
        habits,
        created: logins(|member| member.is_some_and(|member| member.created)),
        strangers: if interrupted {
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
    crew: &Crew,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<Throttle> {
    let missing: Vec<_> = planned
        .iter()
        .filter_map(|edge| known(edge.follower).zip(known(edge.followed)))
        .filter(|(follower, followed)| !follower.following.contains(&followed.id))
        .collect();
    let progress = Progress::begin("follows", missing.len());
    crew.each(missing, async |(follower, followed)| {
        patiently(|| follows::follow(store, follower.id, followed.id).boxed_local()).await?;
        progress.step();
        Ok(())
    })
    .await?;
    Ok(progress.end())
}
