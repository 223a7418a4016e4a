//! Single steps on a timeline (a home or a list): removal, rebuilding, and reading a slice with its
//! active mark.

use super::{
    profiles::{down_to, older_than, status_ids},
    reading::{News, ReadMode},
};
use crate::{
    domain::{Arrival, Cursor, Source, StatusHeader, StatusId, Timeline},
    store::{
        Call, Life, Result, Store, keys,
        redis::{
            reply::outcomes,
            scripts::{self, With},
        },
    },
};

/// Seconds that a rebuild may take before another one replaces it.
const BUILDING_TTL_S: u64 = 60;
/// Number of ids per script call.
const IDS_PER_SCRIPT: usize = 500;
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
pub enum Look {
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
    pub news: Option<News>,
    /// The last arrival that the first page of the home includes.
    pub arrival: Option<Arrival>,
}

outcomes! {
    /// Fill level of a timeline after a removal.
    pub enum Left {
        Enough = "enough",
        /// Few entries are left above a floor.
        Few = "short",
    }
}

/// Reason for a rebuild.
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
        look: Look,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<TimelineSlice> {
        match (of, look) {
            (Timeline::Home(of), Look::First(read_mode)) => {
                self.visited_home(of, read_mode, before, count).await
            }
            (Timeline::Home(of), Look::InSession(read_mode)) => {
                match self.cached_home(of, before, count) {
                    Some(kept) => Ok(kept),
                    None => self.visited_home(of, read_mode, before, count).await,
                }
            }
            (Timeline::Home(_), Look::Further) | (Timeline::List(_), _) => {
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
        let read = scripts::READ_TIMELINE
            .on(keys::timeline(of))
            .with(older_than(before))
            .with(count)
            .with(self.mark_ttl_s());
        let (mark, ids): (Option<String>, Vec<u64>) = self.connection.query(read).await?;
        Ok(TimelineSlice {
            ids: status_ids(ids),
            mark: parse_mark(mark.as_deref()),
            news: None,
            arrival: None,
        })
    }

    /// Builds the command that removes statuses that do not belong on a timeline. The caller adds header
    /// and id of each.
    pub(super) fn pruning(&self, of: Timeline) -> redis::Cmd {
        scripts::PRUNE_TIMELINE
            .on(keys::with_channel(keys::timeline_with_sources(of), of))
            .with(self.few())
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
        for part in in_parts(statuses) {
            let merge = scripts::MERGE_TIMELINE
                .on(keys::timeline_with_sources(of))
                .with(call.deadline())
                .with(self.config.limits.home_size)
                .with(source.to_string())
                .with(floor.map_or(0, StatusId::get))
                .with(headers_and_ids_of(part));
            self.connection.query::<String>(merge).await?;
        }
        Ok(())
    }

    /// Returns all entries of a timeline.
    pub async fn timeline_ids(&self, of: Timeline) -> Result<Vec<StatusId>> {
        let [statuses, _] = keys::timeline(of);
        let all = redis::cmd("ZRANGE").with(statuses).with(0).with(-1);
        Ok(status_ids(self.connection.query::<Vec<u64>>(all).await?))
    }

    /// Returns the entries from an id upwards, newest first.
    pub async fn timeline_ids_down_to(
        &self,
        of: Timeline,
        oldest: StatusId,
    ) -> Result<Vec<StatusId>> {
        let [statuses, _] = keys::timeline(of);
        let newer = down_to(statuses, None, oldest);
        Ok(status_ids(self.connection.query::<Vec<u64>>(newer).await?))
    }

    /// Removes those of these statuses that are dead or do not belong on the timeline.
    pub async fn prune_timeline(
        &self,
        of: Timeline,
        statuses: &[(StatusId, Life)],
    ) -> Result<Left> {
        let mut how_full = Left::Enough;
        for part in in_parts(statuses) {
            let headers_and_ids = part.iter().flat_map(|(id, life)| match life {
                Life::Living(status) => [status.to_string(), id.to_string()],
                Life::Dead(_) | Life::Absent => [String::new(), id.to_string()],
            });
            let prune = self.pruning(of).with(headers_and_ids.collect::<Vec<_>>());
            let reply: String = self.connection.query(prune).await?;
            how_full = scripts::PRUNE_TIMELINE.outcome(&reply)?;
        }
        Ok(how_full)
    }

    /// Empties a timeline and marks it as being rebuilt by `token`. Returns `false` if it is not to be
    /// rebuilt.
    pub async fn begin_rebuild(&self, of: Timeline, token: &str, why: Begin) -> Result<bool> {
        let [statuses, mark] = keys::timeline(of);
        let (existence, field) = match of {
            Timeline::Home(owner) => (keys::user(owner), "login".to_owned()),
            Timeline::List(list) => (keys::lists(list.owner), list.number.to_string()),
        };
        let begin = scripts::BEGIN_REBUILD
            .on(keys::with_channel([statuses, mark, existence], of))
            .with(token)
            .with(BUILDING_TTL_S)
            .with(match why {
                Begin::Visit => "visit",
                Begin::Wrong => "wrong",
                Begin::Short => "short",
            })
            .with(field)
            .with(self.few());
        let reply: String = self.connection.query(begin).await?;
        scripts::BEGIN_REBUILD.succeeded(&reply, ["begun", "not_needed"])
    }

    /// Adds merged entries. Returns `false` if the token is no longer valid.
    pub async fn fill_rebuild(
        &self,
        of: Timeline,
        token: &str,
        merged: &[(StatusId, StatusHeader)],
    ) -> Result<bool> {
        for part in merged.chunks(IDS_PER_SCRIPT) {
            let fill = scripts::FILL_REBUILD
                .on(keys::timeline_with_sources(of))
                .with(token)
                .with(self.config.limits.home_size)
                .with(headers_and_ids_of(part));
            let reply: String = self.connection.query(fill).await?;
            if !scripts::FILL_REBUILD.succeeded(&reply, ["added", "superseded"])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sets the floor: the timeline is complete from there. Returns `false` if the token is no longer
    /// valid.
    pub async fn finish_rebuild(&self, of: Timeline, token: &str, floor: u64) -> Result<bool> {
        let finish = scripts::FINISH_REBUILD
            .on(keys::with_channel(keys::timeline(of), of))
            .with(token)
            .with(floor)
            .with(self.mark_ttl_s())
            .with(self.few());
        let reply: String = self.connection.query(finish).await?;
        scripts::FINISH_REBUILD.succeeded(&reply, ["finished", "superseded"])
    }

    /// Builds the command that removes dead statuses from a timeline and notifies its watchers.
    pub(super) fn withdrawal(&self, of: Timeline, dead: &[StatusId]) -> redis::Cmd {
        scripts::WITHDRAW
            .on(keys::with_channel(keys::timeline(of), of))
            .with(self.few())
            .with(numbers(dead))
    }

    /// Returns the number of entries below which a timeline is refilled: half of its size.
    fn few(&self) -> usize {
        self.config.limits.home_size / 2
    }

    pub(super) fn mark_ttl_s(&self) -> u64 {
        self.config.timeouts.dormant.as_secs()
    }
}

pub(in crate::store) fn parse_mark(mark: Option<&str>) -> Mark {
    match mark {
        None => Mark::Dormant,
        Some(text) => text.parse().map_or(Mark::Building, Mark::Floor),
    }
}

/// Splits into parts that one script call can take. Yields one empty part if there is nothing.
fn in_parts<T>(statuses: &[T]) -> impl Iterator<Item = &[T]> {
    let nothing = statuses.is_empty().then_some(statuses);
    nothing.into_iter().chain(statuses.chunks(IDS_PER_SCRIPT))
}

/// Formats header and id of each status as scripts take them.
fn headers_and_ids_of(statuses: &[(StatusId, StatusHeader)]) -> Vec<String> {
    let pairs = statuses.iter();
    pairs
        .flat_map(|(id, status)| [status.to_string(), id.to_string()])
        .collect()
}

fn numbers(ids: &[StatusId]) -> Vec<u64> {
    ids.iter().map(|id| id.get()).collect()
}
