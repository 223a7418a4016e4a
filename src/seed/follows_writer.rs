//! Runs the follows of a plan, between the posts: notifications of a person come in the order of their times.

use std::time::Duration;

use super::{
    jobs::{retry, run_all},
    members::{Member, SeededSite},
    outcome::{Outcome, Outcomes, Refusal},
    plan::PlannedFollow,
    progress::Progress,
};
use crate::{
    actions::follows::{self, Follow},
    store::{self, Actor},
};

pub(super) struct FollowsWriter<'a> {
    pub(super) site: &'a SeededSite<'a>,
    /// Missing follows, the oldest first.
    left: Vec<(&'a Member, &'a Member, Duration)>,
    progress: Progress,
    outcomes: Outcomes,
}

impl<'a> FollowsWriter<'a> {
    pub(super) fn new(planned: &'a [PlannedFollow], site: &'a SeededSite<'a>) -> Self {
        let both = planned.iter().filter_map(|edge| {
            let follower = site.member(edge.follower)?;
            Some((follower, site.member(edge.followed)?, edge.age))
        });
        let missing =
            both.filter(|(follower, followed, _)| !follower.following.contains(&followed.id));
        let left: Vec<_> = missing.collect();
        Self {
            site,
            progress: Progress::begin("follows", left.len()),
            left,
            outcomes: Outcomes::default(),
        }
    }

    /// Runs the follows that are at least this old.
    pub(super) async fn write_until(&mut self, age: Duration) -> store::Result<()> {
        let count = self
            .left
            .iter()
            .take_while(|follow| follow.2 >= age)
            .count();
        let due: Vec<_> = self.left.drain(..count).collect();
        let Self { site, progress, .. } = self;
        let follow = async |(follower, followed, age): (&Member, &Member, Duration)| {
            let outcome = follow_person(site, follower, (followed, age)).await?;
            if outcome == Outcome::Done {
                progress.step();
            }
            Ok::<_, store::Error>(outcome)
        };
        let followed = run_all(site.at_once, due, follow).await?;
        self.outcomes.extend(followed);
        Ok(())
    }

    pub(super) fn end(self) -> Outcomes {
        self.progress.end();
        self.outcomes
    }
}

async fn follow_person(
    site: &SeededSite<'_>,
    follower: &Member,
    (followed, age): (&Member, Duration),
) -> store::Result<Outcome> {
    let actor = || Actor::dated_back(follower.id, age);
    let followed = retry(|| follows::follow(site.store, actor(), followed.id)).await?;
    Ok(match followed {
        Follow::Done | Follow::Requested => Outcome::Done,
        Follow::TooMany => Outcome::Refused(Refusal::Follow),
        Follow::Oneself | Follow::Unknown => Outcome::Obsolete,
    })
}
