//! Reads of ids from profiles and of the audiences of a status. Merging, paging and fan-out use them.

use std::collections::HashSet;

use crate::{
    domain::{Audience, FanOutProgress, GroupId, ProfileView},
    store::{NewSource, prelude::*},
};

/// The next timelines of a fan-out.
#[derive(Debug, Clone)]
pub struct FanOutBatch {
    pub timelines: Vec<Timeline>,
    /// The position behind each of them.
    positions: Vec<FanOutProgress>,
    /// The position behind all of them. `None` after the last audience.
    pub next: Option<FanOutProgress>,
}

impl FanOutBatch {
    /// Returns the position to continue from after the first so many timelines were served. At least one
    /// was, or there was none to serve.
    pub fn position_after(&self, served_count: usize) -> Option<FanOutProgress> {
        if served_count == self.timelines.len() {
            return self.next;
        }
        let last = served_count.saturating_sub(1);
        self.positions.get(last).copied()
    }
}

impl Store {
    /// The newest `count` ids of that view of a profile, older than the cursor.
    pub async fn profile_ids(
        &self,
        of: UserId,
        view: ProfileView,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<Vec<StatusId>> {
        let statuses = match view {
            ProfileView::Posts => keys::posts(of),
            ProfileView::PostsAndReplies => keys::profile(of),
        };
        let ids: Vec<u64> = self
            .connection
            .query(older(statuses, before, count))
            .await?;
        Ok(status_ids(ids))
    }

    /// Returns the newest posts of a group, as many as a home has. One round trip.
    pub async fn newest_of_group(&self, group: GroupId) -> Result<NewSource> {
        let timeline = keys::group_timeline(group);
        let count = redis::cmd("ZCARD").with(&timeline);
        let newest = older(timeline, None, self.config.limits.home_size);
        let (posts, newest): (usize, Vec<u64>) =
            self.connection.query_tuple([count, newest]).await?;
        Ok(NewSource {
            audience: 0,
            newest: status_ids(newest),
            posts,
            answered: Vec::new(),
            older_answered: None,
        })
    }

    /// Returns the next members of a group who are notified of posts, with the times (µs) since which they are, oldest
    /// first. One round trip.
    pub async fn notified_members(
        &self,
        group: GroupId,
        after: u64,
        count: usize,
    ) -> Result<Vec<(UserId, u64)>> {
        let notified = keys::group_notified(group);
        let members = range_by_score(notified, format!("({after}"), "+inf", count);
        let members: Vec<(String, f64)> = self.connection.query(members.with("WITHSCORES")).await?;
        let member = |(id, since): (String, f64)| Some((id.parse().ok()?, since as u64));
        Ok(members.into_iter().filter_map(member).collect())
    }

    /// Returns the next timelines that a status goes to, each by its first audience, oldest relation first, and the
    /// position to continue from. The pass reads at most `count` members. Scores are unique, so an exclusive score
    /// neither repeats nor skips. The book's inclusive score loops for ever if 1000 followers share one. At the start of
    /// an audience the following ones are read in the same round trip: one for a small fan-out, two at the end of a
    /// large one.
    pub async fn timelines_from(
        &self,
        (id, of): (StatusId, &StatusHeader),
        from: FanOutProgress,
        count: usize,
    ) -> Result<FanOutBatch> {
        let from = from.among_audiences(of);
        let (mut reached, mut reach) = (Vec::new(), Some(from));
        while let Some(at) = reach
            && reached.len() < count
        {
            let ahead = std::iter::successors(reach, |reach| reach.next_audience(of));
            let hop: Vec<FanOutProgress> = match at.after {
                0 => ahead.collect(),
                _ => vec![at],
            };
            let missing = count - reached.len();
            let reads = hop.iter().map(|at| audience_after(of, *at, missing));
            let Some(reads) = reads.collect() else {
                reach = None;
                break;
            };
            let answers = self.connection.batch(reads).await?;
            for (at, answer) in hop.into_iter().zip(answers) {
                let mut rows: Vec<(String, f64)> = read(answer)?;
                rows.truncate(count - reached.len());
                let position = |score: f64| FanOutProgress {
                    after: score as u64,
                    ..at
                };
                let last = rows.last().map(|(_, score)| position(*score));
                let full = last.filter(|_| reached.len() + rows.len() == count);
                reached.extend(rows.iter().filter_map(|(name, score)| {
                    Some((at.audience.timeline(name)?, position(*score)))
                }));
                reach = full.or_else(|| at.next_audience(of));
                if full.is_some() {
                    break;
                }
            }
        }
        let reached = self.without_repeats((id, of), from, reached).await?;
        let (timelines, positions) = reached.into_iter().unzip();
        Ok(FanOutBatch {
            timelines,
            positions,
            next: reach,
        })
    }

    /// Removes homes that an earlier audience of the fan-out reaches, so that a home with several tags of a status is
    /// served once. Only a member since before the status was drawn was certainly reached by an earlier pass. One round
    /// trip for each audience of earlier passes, none for other statuses than those with tags.
    async fn without_repeats(
        &self,
        (id, of): (StatusId, &StatusHeader),
        from: FanOutProgress,
        mut reached: Vec<(Timeline, FanOutProgress)>,
    ) -> Result<Vec<(Timeline, FanOutProgress)>> {
        let passed = from.passed_audiences(of);
        for passed in passed.filter(|passed| *passed != Audience::Listed) {
            let is_later = |at: &FanOutProgress| {
                matches!(at.audience, Audience::Tag(_)) && at.audience > passed
            };
            let later = reached.iter().filter(|(_, at)| is_later(at));
            let owners: Vec<u64> = later.map(|(timeline, _)| timeline.owner().get()).collect();
            let Some(audience) = audience_key(of, passed).filter(|_| !owners.is_empty()) else {
                continue;
            };
            let found = scores(audience, owners);
            let found: Vec<Option<f64>> = self.connection.query(found).await?;
            let mut found = found.into_iter();
            let is_new = |since: f64| since as u64 >= id.drawn_us();
            reached.retain(|(_, at)| !is_later(at) || found.next().flatten().is_none_or(is_new));
        }
        let mut timelines = HashSet::new();
        reached.retain(|(timeline, _)| timelines.insert(*timeline));
        Ok(reached)
    }
}

/// Builds the ZRANGE of an audience's members after a score, with scores. `None` for a tag that the
/// status no longer has, and for the group of a status without one.
fn audience_after(of: &StatusHeader, from: FanOutProgress, count: usize) -> Option<Cmd> {
    let audience = audience_key(of, from.audience)?;
    let after = format!("({}", from.after);
    Some(range_by_score(audience, after, "+inf", count).with("WITHSCORES"))
}

/// Returns the ZSET of an audience. `None` as for [`audience_after`].
fn audience_key(of: &StatusHeader, audience: Audience) -> Option<String> {
    Some(match audience {
        Audience::Followers => keys::followers(of.author),
        Audience::Listed => keys::list_memberships(of.author),
        Audience::Tag(tag) => keys::tag_followers(of.tags_served().nth(tag.into())?),
        Audience::Group => keys::group_home(of.group?),
    })
}

/// ZRANGE of the newest members of a timeline older than the cursor. The score is the negated id.
pub fn older(timeline: String, before: Option<Cursor>, count: usize) -> Cmd {
    if before.is_none() && count > 0 {
        return redis::cmd("ZRANGE").with((timeline, 0, count - 1));
    }
    range_by_score(timeline, older_than(before), "+inf", count)
}

/// Builds the read of the ids on a timeline before the cursor, down to a status, newest first.
pub fn down_to(timeline: String, before: Option<Cursor>, oldest: StatusId) -> Cmd {
    redis::cmd("ZRANGE").with((
        timeline,
        older_than(before),
        format!("-{oldest}"),
        "BYSCORE",
    ))
}

/// Returns the exclusive score that a timeline continues from.
pub(super) fn older_than(before: Option<Cursor>) -> String {
    before.map_or_else(|| "-inf".to_owned(), |cursor| format!("(-{}", cursor.get()))
}

impl Store {
    /// Returns for each of these ids whether it is a living status of an author. One command, whatever their number.
    pub async fn are_by(&self, author: UserId, ids: &[StatusId]) -> Result<Vec<bool>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let found = scores(keys::profile(author), ids.iter().map(|id| id.get()));
        let found: Vec<Option<f64>> = self.connection.query(found).await?;
        Ok(found.iter().map(Option::is_some).collect())
    }
}

/// Converts the members of a ZSET to ids. Other members are not written by this store and are ignored.
pub fn status_ids(numbers: impl IntoIterator<Item = u64>) -> Vec<StatusId> {
    numbers
        .into_iter()
        .filter_map(|number| StatusId::new(number).ok())
        .collect()
}

pub fn user_ids(numbers: impl IntoIterator<Item = u64>) -> Vec<UserId> {
    numbers
        .into_iter()
        .filter_map(|number| UserId::new(number).ok())
        .collect()
}
