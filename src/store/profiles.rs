//! Reading of ids from profiles, of whose statuses a timeline is made, and of whom they go to: what
//! merging, paging and fan-out are made of.

use std::collections::HashSet;

use super::{Result, Store, connection::read, keys, scripts::With};
use crate::domain::{
    Audience, Cursor, FoldedTag, ProfileView, Provenance, Reach, Sources, StatusId, Timeline,
    UserId,
};

impl Store {
    /// The newest `count` ids of that view of a profile, older than the cursor.
    pub(super) async fn profile_ids(
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

    /// What a timeline is made of. One trip.
    pub async fn sources(&self, timeline: Timeline) -> Result<Sources> {
        let all = |key: String| redis::cmd("ZRANGE").with(key).with(0).with(-1);
        let reads = match timeline {
            Timeline::List(list) => vec![all(keys::list_members(list))],
            Timeline::Home(owner) => vec![
                all(keys::following(owner)),
                all(keys::excluded(owner)),
                all(keys::quiet(owner)),
                all(keys::tags(owner)),
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
            quiet: people(members()?),
            tags: members()?
                .iter()
                .filter_map(|tag| FoldedTag::stored(tag))
                .collect(),
        })
    }

    /// The next timelines that a status goes to, oldest listener first, and where to go on: `None`
    /// where these are the last of the last audience. Scores are unique, so an exclusive one
    /// neither repeats nor skips (the book's inclusive one loops for ever where 1000 followers share
    /// a score).
    pub async fn timelines_from(
        &self,
        of: &Provenance,
        from: Reach,
        count: usize,
    ) -> Result<(Vec<Timeline>, Option<Reach>)> {
        let mut timelines = Vec::new();
        let mut reach = Some(from);
        while let Some(at) = reach
            && timelines.len() < count
        {
            let missing = count - timelines.len();
            let rows = self.audience_after(of, at, missing).await?;
            let full = rows.last().filter(|_| rows.len() == missing);
            reach = full.map_or_else(
                || at.next_audience(of),
                |(_, score)| {
                    Some(Reach {
                        after: *score as u64,
                        ..at
                    })
                },
            );
            timelines.extend(rows.iter().filter_map(|(name, _)| match at.audience {
                Audience::Followers | Audience::Tag(_) => name.parse().ok().map(Timeline::Home),
                Audience::Listed => name.parse().ok().map(Timeline::List),
            }));
        }
        Ok((timelines, reach))
    }

    /// The members of an audience after a score, in the order of scores, with those.
    async fn audience_after(
        &self,
        of: &Provenance,
        from: Reach,
        count: usize,
    ) -> Result<Vec<(String, f64)>> {
        let audience = match from.audience {
            Audience::Followers => keys::followers(of.author),
            Audience::Listed => keys::listed(of.author),
            Audience::Tag(tag) => match of.tags_served().nth(tag.into()) {
                Some(tag) => keys::interested(tag),
                None => return Ok(Vec::new()),
            },
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
        self.connection.query(range).await
    }
}

/// ZRANGE of the newest members of a timeline older than the cursor. The score is the negated id.
pub(super) fn older(timeline: String, before: Option<Cursor>, count: usize) -> redis::Cmd {
    redis::cmd("ZRANGE")
        .with(timeline)
        .with(older_than(before))
        .with("+inf")
        .with("BYSCORE")
        .with("LIMIT")
        .with(0)
        .with(count)
}

/// The exclusive score from which a timeline goes on.
pub(super) fn older_than(before: Option<Cursor>) -> String {
    before.map_or_else(|| "-inf".to_owned(), |cursor| format!("(-{}", cursor.get()))
}

/// Members of a ZSET that this store wrote are ids; anything else there is nobody's.
pub(super) fn status_ids(numbers: impl IntoIterator<Item = u64>) -> Vec<StatusId> {
    numbers
        .into_iter()
        .filter_map(|number| StatusId::new(number).ok())
        .collect()
}

pub(super) fn user_ids(numbers: impl IntoIterator<Item = u64>) -> Vec<UserId> {
    numbers
        .into_iter()
        .filter_map(|number| UserId::new(number).ok())
        .collect()
}
