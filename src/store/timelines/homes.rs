//! Single steps on a timeline (a home or a list): removal, rebuilding, and reading a slice with its
//! active mark.

use super::{
    calls::{
        BeginRebuild, FillRebuild, FinishRebuild, HomeWatchers, MergeTimeline, PruneTimeline,
        PrunedTimeline, ReadTimeline,
    },
    first_read::{FurtherIds, NotedDownTo},
    profiles::{down_to, older_than},
    reading::{NewPosts, ReadMode},
    sources,
};
use crate::{
    domain::{Arrival, Source},
    store::{Life, prelude::*, reposts::grouping::SharedEntries},
};

/// Seconds that a rebuild may take before another one replaces it.
const BUILDING_TTL_S: u64 = 60;
/// Commands that a script call can take: it looks up the people and each tag of a status.
const COMMANDS_PER_SCRIPT: usize = 1000;
/// Commands for a status without tags.
const COMMANDS_PER_STATUS: usize = 5;

/// State of a timeline's active mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The timeline has no recent reader, so nothing is delivered to it.
    Dormant,
    /// A rebuild is under way. Pages are merged from profiles.
    Building,
    /// Complete from this id upwards; 0: complete.
    Floor(u64),
}

/// The read that a page needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimelineRead {
    /// The first page. A visit to home is remembered down to the second last id read; the last id only
    /// shows that more follows.
    First(ReadMode),
    /// The first page, right after a round trip of this connection for the same owner, such as the read
    /// of their session. Cached values are then current.
    InSession(ReadMode),
    /// A further read for the same page. It remembers nothing, because it does not know how much the
    /// page shows.
    Further,
}

/// A part of a timeline, read in one step with its mark.
#[derive(Debug, Clone)]
pub struct TimelineSlice {
    pub ids: Vec<StatusId>,
    pub mark: Mark,
    /// `None` for a list, for a further read, and for a home that is not stored.
    pub new_posts: Option<NewPosts>,
    /// The last arrival that the first page of the home includes.
    pub arrival: Option<Arrival>,
    /// Entries that pages of this slice have read to show each original once.
    pub shared: SharedEntries,
    pub further: FurtherIds,
    pub noted: NotedDownTo,
}

outcomes! {
    /// Fill level of a timeline after a removal.
    pub enum Left {
        Enough = "enough",
        /// Few entries are left above a floor.
        Few = "short",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// The owner visited and there was no mark.
    Visit,
    /// A repair: the timeline holds wrong entries. The owner may not have visited.
    Wrong,
    /// A task: too few entries were left above the floor. It may have been refilled since.
    Short,
}

impl Store {
    /// Returns up to `count` ids older than the cursor, with the mark and, for a home, the new posts, in
    /// one step. Reading keeps the timeline active.
    pub async fn slice(
        &self,
        of: Timeline,
        look: TimelineRead,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<TimelineSlice> {
        match (of, look) {
            (Timeline::Home(of), TimelineRead::First(read_mode)) => {
                self.visited_home(of, read_mode, before, count).await
            }
            (Timeline::Home(of), TimelineRead::InSession(read_mode)) => {
                match self.cached_home(of, before, count).await? {
                    Some(kept) => Ok(kept),
                    None => self.visited_home(of, read_mode, before, count).await,
                }
            }
            (Timeline::Home(_), TimelineRead::Further) | (Timeline::List(_), _) => {
                self.plain_slice(of, before, count).await
            }
        }
    }

    async fn plain_slice(
        &self,
        of: Timeline,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<TimelineSlice> {
        let read = ReadTimeline {
            timeline: keys::timeline(of),
            active_mark: keys::active_mark(of),
            from_score: older_than(before),
            id_count: count,
            mark_ttl_s: self.mark_ttl_s(),
        };
        let (mark, ids): (Option<String>, Vec<u64>) = self.connection.query(read.command()).await?;
        Ok(TimelineSlice {
            ids: status_ids(ids),
            mark: parse_mark(mark.as_deref()),
            new_posts: None,
            arrival: None,
            shared: SharedEntries::default(),
            further: FurtherIds::default(),
            noted: NotedDownTo::default(),
        })
    }

    /// Merges those of these statuses that belong on the timeline. `floor` is set if older statuses of
    /// their source, a person or a tag, were not read.
    pub async fn merge_timeline(
        &self,
        call: &Call,
        of: Timeline,
        source: Source<'_>,
        statuses: &[(StatusId, StatusHeader)],
        floor: Option<StatusId>,
    ) -> Result<()> {
        for part in in_parts(statuses, |(_, status)| Some(status)) {
            let merge = MergeTimeline {
                keys: sources::timeline_with_sources(of),
                deadline_ms: call.deadline(),
                timeline_size: self.config.limits.home_size,
                source: source.to_string(),
                new_floor: floor.map_or(0, StatusId::get),
                statuses: headers_and_ids_of(part),
            };
            self.connection.execute(merge.command()).await?;
        }
        Ok(())
    }

    pub async fn timeline_ids(&self, of: Timeline) -> Result<Vec<StatusId>> {
        let all = all_members(keys::timeline(of));
        Ok(status_ids(self.connection.query::<Vec<u64>>(all).await?))
    }

    /// Returns the entries from an id upwards, newest first.
    pub async fn timeline_ids_down_to(
        &self,
        of: Timeline,
        oldest: StatusId,
    ) -> Result<Vec<StatusId>> {
        let newer = down_to(keys::timeline(of), None, oldest);
        Ok(status_ids(self.connection.query::<Vec<u64>>(newer).await?))
    }

    /// Removes those of these statuses that are dead or do not belong on the timeline.
    pub async fn prune_timeline(
        &self,
        of: Timeline,
        statuses: &[(StatusId, Life)],
    ) -> Result<Left> {
        let mut fill_level = Left::Enough;
        let parts = in_parts(statuses, |(_, life)| match life {
            Life::Living(status) => Some(status),
            Life::Dead(_) | Life::Absent => None,
        });
        for part in parts {
            let headers_and_ids = part.iter().map(|(id, life)| match life {
                Life::Living(status) => (status.to_string(), id.get()),
                Life::Dead(_) | Life::Absent => (String::new(), id.get()),
            });
            let prune = PruneTimeline {
                timeline: PrunedTimeline::of(of),
                few: self.few(),
                statuses: headers_and_ids.collect(),
            };
            fill_level = self.connection.run(&prune).await?;
        }
        Ok(fill_level)
    }

    /// Empties a timeline and marks it as being rebuilt by `token`. Returns `false` if it is not to be
    /// rebuilt.
    pub async fn begin_rebuild(&self, of: Timeline, token: &str, why: Begin) -> Result<bool> {
        let (owner, owner_field) = match of {
            Timeline::Home(owner) => (keys::user(owner), "login".to_owned()),
            Timeline::List(list) => (keys::lists(list.owner), list.number.to_string()),
        };
        let begin = BeginRebuild {
            timeline: keys::timeline(of),
            active_mark: keys::active_mark(of),
            owner,
            watchers: HomeWatchers::of(of),
            token: token.to_owned(),
            building_ttl_s: BUILDING_TTL_S,
            reason: match why {
                Begin::Visit => "visit",
                Begin::Wrong => "wrong",
                Begin::Short => "short",
            },
            owner_field,
            few: self.few(),
        };
        self.connection
            .succeeds(&begin, ["begun", "not_needed"])
            .await
    }

    /// Adds merged entries. Returns `false` if the token is no longer valid.
    pub async fn fill_rebuild(
        &self,
        of: Timeline,
        token: &str,
        merged: &[(StatusId, StatusHeader)],
    ) -> Result<bool> {
        for part in in_parts(merged, |(_, status)| Some(status)) {
            let fill = FillRebuild {
                keys: sources::timeline_with_sources(of),
                token: token.to_owned(),
                timeline_size: self.config.limits.home_size,
                statuses: headers_and_ids_of(part),
            };
            let outcomes = ["added", "superseded"];
            if !self.connection.succeeds(&fill, outcomes).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sets the floor: the timeline is complete from there. Returns `false` if the token is no longer
    /// valid.
    pub async fn finish_rebuild(&self, of: Timeline, token: &str, floor: u64) -> Result<bool> {
        let finish = FinishRebuild {
            timeline: keys::timeline(of),
            active_mark: keys::active_mark(of),
            watchers: HomeWatchers::of(of),
            token: token.to_owned(),
            merge_floor: floor,
            mark_ttl_s: self.mark_ttl_s(),
            few: self.few(),
        };
        self.connection
            .succeeds(&finish, ["finished", "superseded"])
            .await
    }

    /// Returns the number of entries below which a timeline is refilled: half of its size.
    pub(super) fn few(&self) -> usize {
        self.config.limits.home_size / 2
    }

    pub(super) fn mark_ttl_s(&self) -> u64 {
        self.config.timeouts.dormant.as_secs()
    }
}

pub fn parse_mark(mark: Option<&str>) -> Mark {
    match mark {
        None => Mark::Dormant,
        Some(text) => text.parse().map_or(Mark::Building, Mark::Floor),
    }
}

/// Splits into parts that one script call can take. Returns one empty part if there is nothing.
fn in_parts<T>(statuses: &[T], header: impl Fn(&T) -> Option<&StatusHeader>) -> Vec<&[T]> {
    let mut parts = Vec::new();
    let (mut first, mut commands) = (0, 0);
    for (at, status) in statuses.iter().enumerate() {
        let tag_count = header(status).map_or(0, |header| header.tags.len());
        let more = COMMANDS_PER_STATUS + tag_count;
        if commands + more > COMMANDS_PER_SCRIPT {
            parts.push(&statuses[first..at]);
            (first, commands) = (at, 0);
        }
        commands += more;
    }
    parts.push(&statuses[first..]);
    parts
}

/// Formats header and id of each status as scripts take them.
fn headers_and_ids_of(statuses: &[(StatusId, StatusHeader)]) -> Vec<(String, u64)> {
    let format = |(id, status): &(StatusId, StatusHeader)| (status.to_string(), id.get());
    statuses.iter().map(format).collect()
}

#[cfg(test)]
mod tests {
    use super::super::homes::*;

    #[test]
    fn a_script_call_takes_fewer_statuses_the_more_tags_they_have() {
        let author = UserId::new(1).expect("in range");
        let tag = |number: usize| FoldedTag::stored(&format!("tag{number}")).expect("a tag");
        let status = |tags: usize| StatusHeader {
            tags: (0..tags).map(tag).collect(),
            ..StatusHeader::of(author)
        };
        let sizes = |statuses: &[StatusHeader]| -> Vec<usize> {
            in_parts(statuses, |status| Some(status))
                .into_iter()
                .map(<[_]>::len)
                .collect()
        };
        assert_eq!(sizes(&[]), [0]);
        assert_eq!(sizes(&vec![status(0); 450]), [200, 200, 50]);
        assert_eq!(sizes(&vec![status(20); 90]), [40, 40, 10]);
        let mixed = [vec![status(0); 196], vec![status(20); 2]].concat();
        assert_eq!(sizes(&mixed), [196, 2]);
    }
}
