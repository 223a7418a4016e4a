//! Single steps on a timeline, a home or a list's: removal, rebuilding, and reading a slice together
//! with what the active mark says of it.

use super::{
    profiles::{down_to, older_than, status_ids},
    reading::{News, ReadMode},
};
use crate::{
    domain::{Arrival, Cursor, Source, StatusHeader, StatusId, Timeline},
    store::{
        Call, Life, Result, Store, keys,
        redis::scripts::{self, With},
    },
};

/// How long a timeline may take to be built before somebody else begins anew.
const BUILDING_TTL_S: u64 = 60;
/// How many ids one script takes at a time.
const IDS_PER_SCRIPT: usize = 500;
/// What the active mark of a timeline says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Nobody reads this timeline, and nothing is delivered to it.
    Dormant,
    /// It is being built: read by merging profiles.
    Building,
    /// Complete from this id upwards; 0: complete.
    Floor(u64),
}

/// Which look at a timeline a page takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// What a home shows at a visit is remembered: all down to the last but one of what is read, which
    /// only says that there is more.
    First(ReadMode),
    /// The same where a trip of this connection has just been made for its owner, such as that for their
    /// session: what was kept since then will do.
    InSession(ReadMode),
    /// Nothing is remembered: a page that reads on does not know how much of it it shows.
    Further,
}

/// A part of a timeline, read in one step with its mark.
#[derive(Debug, Clone)]
pub struct TimelineSlice {
    pub ids: Vec<StatusId>,
    pub mark: Mark,
    /// `None` of a list and of a further look, and where the home is not there to be asked.
    pub news: Option<News>,
    /// The last arrival that the home's first page is up to.
    pub arrival: Option<Arrival>,
}

/// How full a timeline is after something was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    Enough,
    /// Few are left above a floor.
    Few,
}

/// Who wants a timeline rebuilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// Its owner came and found no mark.
    Visit,
    /// A repair: it holds what it should not. Nobody may have come since.
    Wrong,
    /// A task: too few were left above its floor. It may have been refilled since.
    Short,
}

impl Store {
    /// Up to `count` ids of a timeline older than the cursor, with its mark and, of a home, what is
    /// new on it, read in one step. Reading keeps it active.
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
                match self.kept_home(of, before, count) {
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

    /// What takes statuses out of a timeline that do not belong there: provenance and id of each are added.
    pub(super) fn pruning(&self, of: Timeline) -> redis::Cmd {
        scripts::PRUNE_TIMELINE
            .on(keys::told(keys::timeline_with_sources(of), of))
            .with(self.few())
    }

    /// Merges those of these statuses into a timeline that belong there. `floor` is set where older
    /// ones of their source, a person or a tag, were not read.
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
                .with(come_from(part));
            self.connection.query::<i64>(merge).await?;
        }
        Ok(())
    }

    /// Everything that stands on a timeline.
    pub async fn timeline_ids(&self, of: Timeline) -> Result<Vec<StatusId>> {
        let [statuses, _] = keys::timeline(of);
        let all = redis::cmd("ZRANGE").with(statuses).with(0).with(-1);
        Ok(status_ids(self.connection.query::<Vec<u64>>(all).await?))
    }

    /// What stands on a timeline from there upwards, newest first.
    pub async fn timeline_ids_down_to(
        &self,
        of: Timeline,
        oldest: StatusId,
    ) -> Result<Vec<StatusId>> {
        let [statuses, _] = keys::timeline(of);
        let newer = down_to(statuses, None, oldest);
        Ok(status_ids(self.connection.query::<Vec<u64>>(newer).await?))
    }

    /// Takes those of these statuses out of a timeline that are dead or do not belong there.
    pub async fn prune_timeline(
        &self,
        of: Timeline,
        statuses: &[(StatusId, Life)],
    ) -> Result<Left> {
        let mut how_full = Left::Enough;
        for part in in_parts(statuses) {
            let with_provenance = part.iter().flat_map(|(id, life)| match life {
                Life::Living(status) => [status.to_string(), id.to_string()],
                Life::Dead(_) | Life::Absent => [String::new(), id.to_string()],
            });
            let sift = self.pruning(of).with(with_provenance.collect::<Vec<_>>());
            how_full = left(self.connection.query(sift).await?)?;
        }
        Ok(how_full)
    }

    /// Empties a timeline and marks it as being built by `token`. `false` where it is not to be.
    pub async fn begin_rebuild(&self, of: Timeline, token: &str, why: Begin) -> Result<bool> {
        let [statuses, mark] = keys::timeline(of);
        let (existence, field) = match of {
            Timeline::Home(owner) => (keys::user(owner), "login".to_owned()),
            Timeline::List(list) => (keys::lists(list.owner), list.number.to_string()),
        };
        let begin = scripts::BEGIN_REBUILD
            .on(keys::told([statuses, mark, existence], of))
            .with(token)
            .with(BUILDING_TTL_S)
            .with(match why {
                Begin::Visit => "visit",
                Begin::Wrong => "wrong",
                Begin::Short => "short",
            })
            .with(field)
            .with(self.few());
        Ok(self.connection.query::<i64>(begin).await? == 1)
    }

    /// Adds what was merged. `false` where the token is over.
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
                .with(come_from(part));
            if self.connection.query::<i64>(fill).await? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Names the floor: the timeline is complete from there. `false` where the token is over.
    pub async fn finish_rebuild(&self, of: Timeline, token: &str, floor: u64) -> Result<bool> {
        let finish = scripts::FINISH_REBUILD
            .on(keys::told(keys::timeline(of), of))
            .with(token)
            .with(floor)
            .with(self.mark_ttl_s())
            .with(self.few());
        Ok(self.connection.query::<i64>(finish).await? == 1)
    }

    /// Takes the dead out of a timeline, and tells whoever watches it.
    pub(super) fn withdrawal(&self, of: Timeline, dead: &[StatusId]) -> redis::Cmd {
        scripts::WITHDRAW
            .on(keys::told(keys::timeline(of), of))
            .with(self.few())
            .with(numbers(dead))
    }

    /// A timeline with fewer above its floor is refilled: half of what it holds.
    fn few(&self) -> usize {
        self.config.limits.home_size / 2
    }

    pub(super) fn mark_ttl_s(&self) -> u64 {
        self.config.timeouts.dormant.as_secs()
    }
}

/// As `prune_timeline.lua` answers.
pub(in crate::store) fn left(answer: i64) -> Result<Left> {
    match answer {
        0 => Ok(Left::Enough),
        1 => Ok(Left::Few),
        code => Err(scripts::PRUNE_TIMELINE.undocumented(code)),
    }
}

pub(in crate::store) fn parse_mark(mark: Option<&str>) -> Mark {
    match mark {
        None => Mark::Dormant,
        Some(text) => text.parse().map_or(Mark::Building, Mark::Floor),
    }
}

/// Parts of a size that a script may take; one empty part where there is nothing.
fn in_parts<T>(statuses: &[T]) -> impl Iterator<Item = &[T]> {
    let nothing = statuses.is_empty().then_some(statuses);
    nothing.into_iter().chain(statuses.chunks(IDS_PER_SCRIPT))
}

/// Provenance and id of each, as scripts take them.
fn come_from(statuses: &[(StatusId, StatusHeader)]) -> Vec<String> {
    let pairs = statuses.iter();
    pairs
        .flat_map(|(id, status)| [status.to_string(), id.to_string()])
        .collect()
}

fn numbers(ids: &[StatusId]) -> Vec<u64> {
    ids.iter().map(|id| id.get()).collect()
}
