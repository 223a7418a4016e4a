//! Reads of ids from profiles, of the sources of a timeline, and of the audiences of a status. Merging,
//! paging and fan-out use them.

use std::collections::HashSet;

use crate::{
    domain::{
        Audience, Cursor, FoldedTag, ProfileView, Reach, Sources, StatusHeader, StatusId, Timeline,
        UserId,
    },
    store::{
        Result, Store, keys,
        redis::{connection::read, scripts::With},
    },
};

impl Store {
    /// The newest `count` ids of that view of a profile, older than the cursor.
    pub(in crate::store) async fn profile_ids(
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

    /// Returns the sources of a timeline. One round trip.
    pub async fn sources(&self, timeline: Timeline) -> Result<Sources> {
        let all = |key: String| redis::cmd("ZRANGE").with(key).with(0).with(-1);
        let reads = match timeline {
            Timeline::List(list) => vec![all(keys::list_members(list))],
            Timeline::Home(owner) => vec![
                all(keys::following(owner)),
                all(keys::excluded(owner)),
                all(keys::hidden_reposts(owner)),
                all(keys::followed_tags(owner)),
            ],
        };
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut members = || match answers.next() {
            Some(answer) => read::<Vec<String>>(answer),
            None => Ok(Vec::new()),
        };
        let people = |members: Vec<String>| {
            let ids = members.iter().filter_map(|id| id.parse().ok());
            ids.collect::<HashSet<UserId>>()
        };
        Ok(Sources {
            timeline,
            people: people(members()?),
            excluded: people(members()?),
            hidden_reposts: people(members()?),
            tags: members()?
                .iter()
                .filter_map(|tag| FoldedTag::stored(tag))
                .collect(),
        })
    }

    /// Returns the next timelines that a status goes to, oldest relation first, and the position to
    /// continue from. The position is `None` after the last audience. Scores are unique, so an exclusive
    /// score neither repeats nor skips. The book's inclusive score loops for ever if 1000 followers
    /// share one. At the start of an audience the following ones are read in the same round trip: one
    /// for a small fan-out, two at the end of a large one.
    pub async fn timelines_from(
        &self,
        of: &StatusHeader,
        from: Reach,
        count: usize,
    ) -> Result<(Vec<Timeline>, Option<Reach>)> {
        let mut timelines = Vec::new();
        let mut reach = Some(from);
        while let Some(at) = reach
            && timelines.len() < count
        {
            let ahead = std::iter::successors(reach, |reach| reach.next_audience(of));
            let hop: Vec<Reach> = match at.after {
                0 => ahead.collect(),
                _ => vec![at],
            };
            let missing = count - timelines.len();
            let reads = hop.iter().map(|at| audience_after(of, *at, missing));
            let Some(reads) = reads.collect() else {
                return Ok((timelines, None));
            };
            let answers = self.connection.batch(reads).await?;
            for (at, answer) in hop.into_iter().zip(answers) {
                let mut rows: Vec<(String, f64)> = read(answer)?;
                rows.truncate(count - timelines.len());
                let last = rows.last().map(|(_, score)| *score as u64);
                let full = last.filter(|_| timelines.len() + rows.len() == count);
                timelines.extend(
                    rows.iter()
                        .filter_map(|(name, _)| at.audience.timeline(name)),
                );
                reach = match full {
                    Some(after) => Some(Reach { after, ..at }),
                    None => at.next_audience(of),
                };
                if full.is_some() {
                    break;
                }
            }
        }
        Ok((timelines, reach))
    }
}

/// Builds the ZRANGE of an audience's members after a score, with scores. `None` for a tag that the
/// status no longer has.
fn audience_after(of: &StatusHeader, from: Reach, count: usize) -> Option<redis::Cmd> {
    let audience = match from.audience {
        Audience::Followers => keys::followers(of.author),
        Audience::Listed => keys::list_memberships(of.author),
        Audience::Tag(tag) => keys::tag_followers(of.tags_served().nth(tag.into())?),
    };
    let range = redis::cmd("ZRANGE")
        .with(audience)
        .with(format!("({}", from.after))
        .with("+inf")
        .with("BYSCORE")
        .with("LIMIT")
        .with(0)
        .with(count)
        .with("WITHSCORES");
    Some(range)
}

/// ZRANGE of the newest members of a timeline older than the cursor. The score is the negated id.
pub(in crate::store) fn older(
    timeline: String,
    before: Option<Cursor>,
    count: usize,
) -> redis::Cmd {
    let range = redis::cmd("ZRANGE").with(timeline);
    if before.is_none() && count > 0 {
        return range.with(0).with(count - 1);
    }
    range
        .with(older_than(before))
        .with("+inf")
        .with("BYSCORE")
        .with("LIMIT")
        .with(0)
        .with(count)
}

/// What stands on a timeline before the cursor down to a status, newest first.
pub(in crate::store) fn down_to(
    timeline: String,
    before: Option<Cursor>,
    oldest: StatusId,
) -> redis::Cmd {
    redis::cmd("ZRANGE")
        .with(timeline)
        .with(older_than(before))
        .with(format!("-{oldest}"))
        .with("BYSCORE")
}

/// Returns the exclusive score that a timeline continues from.
pub(super) fn older_than(before: Option<Cursor>) -> String {
    before.map_or_else(|| "-inf".to_owned(), |cursor| format!("(-{}", cursor.get()))
}

/// Members of a ZSET that this store wrote are ids; anything else there is nobody's.
pub(in crate::store) fn status_ids(numbers: impl IntoIterator<Item = u64>) -> Vec<StatusId> {
    numbers
        .into_iter()
        .filter_map(|number| StatusId::new(number).ok())
        .collect()
}

pub(in crate::store) fn user_ids(numbers: impl IntoIterator<Item = u64>) -> Vec<UserId> {
    numbers
        .into_iter()
        .filter_map(|number| UserId::new(number).ok())
        .collect()
}
