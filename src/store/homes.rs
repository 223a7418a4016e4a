//! Single steps on timelines, homes and those of lists: delivery, removal, rebuilding, and reading a
//! slice together with what the active mark says of it.

use std::mem::discriminant;

use futures_util::{StreamExt, TryStreamExt, stream};
use redis::Value;

use super::{
    Call, Life, Result, Store,
    connection::read,
    keys,
    profiles::{older_than, status_ids},
    reading::{News, Regard},
    scripts::{self, With},
};
use crate::domain::{Arrival, Cursor, PAGE_SIZE, Provenance, Source, StatusId, Timeline, UserId};

/// How long a timeline may take to be built before somebody else begins anew.
const BUILDING_TTL_S: u64 = 60;
/// How many ids one script takes at a time.
const IDS_A_SCRIPT: usize = 500;
/// How many timelines one trip of a pass touches, so that other readers wait less than 1 ms.
const TIMELINES_A_TRIP: usize = 100;
/// To how many timelines one call of a script delivers, where all lie on one node: most of what a call
/// of its own takes for each is saved.
const DELIVERIES_A_CALL: usize = 25;
/// How many calls are under way at once: the next is put together while Redis carries one out.
const CALLS_UNDER_WAY: usize = 4;

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
    First(Regard),
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Delivered,
    Dormant,
    /// It does not belong there (any more).
    NotWanted,
    BelowFloor,
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
            (Timeline::Home(of), Look::First(regard)) => {
                self.home_slice(of, regard, before, count).await
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

    async fn home_slice(
        &self,
        of: UserId,
        regard: Regard,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<TimelineSlice> {
        type Row = (
            Option<String>,
            Vec<u64>,
            Option<String>,
            u64,
            Option<u64>,
            Option<u64>,
            Option<String>,
        );
        let read = scripts::READ_HOME
            .on([
                keys::home(of),
                keys::active(of),
                keys::reading(of),
                keys::profile(of),
                keys::arrivals(of),
            ])
            .with(older_than(before))
            .with(count)
            .with(self.mark_ttl_s())
            .with(before.map_or(0, Cursor::get))
            .with(StatusId::EPOCH_MS)
            .with(PAGE_SIZE)
            .with(regard.word());
        let (mark, ids, seen, count, oldest, page, arrival): Row =
            self.connection.query(read).await?;
        let news = seen.map(|seen| News::read(&seen, count, oldest, page));
        Ok(TimelineSlice {
            ids: status_ids(ids),
            mark: parse_mark(mark.as_deref()),
            news: news.transpose()?,
            arrival: arrival.and_then(|arrival| arrival.parse().ok()),
        })
    }

    /// Delivers a status to each of these timelines that it belongs on (see `deliver.lua`). On one node
    /// [`DELIVERIES_A_CALL`] of a kind are one call; on a cluster, where each has its slot, as many calls
    /// are one trip.
    pub async fn deliver(
        &self,
        call: &Call,
        (id, status): (StatusId, &Provenance),
        timelines: &[Timeline],
    ) -> Result<Vec<Delivery>> {
        let provenance = status.to_string();
        let deliver = |timelines: &[Timeline]| {
            let keys: Vec<Vec<String>> = timelines.iter().copied().map(keys::delivery).collect();
            let each = keys.first().map_or(0, Vec::len);
            scripts::DELIVER
                .over(&keys.concat())
                .with(call.deadline())
                .with(&provenance)
                .with(id.get())
                .with(self.config.limits.home_size)
                .with(each)
        };
        let together = if self.connection.is_cluster() {
            1
        } else {
            DELIVERIES_A_CALL
        };
        let trips: Vec<Vec<Timeline>> = timelines
            .chunk_by(|one, next| discriminant(one) == discriminant(next))
            .flat_map(|kind| kind.chunks(DELIVERIES_A_CALL).map(<[Timeline]>::to_vec))
            .collect();
        let answers: Vec<Vec<Value>> = stream::iter(trips)
            .map(|trip| {
                self.connection
                    .batch(trip.chunks(together).map(deliver).collect())
            })
            .buffered(CALLS_UNDER_WAY)
            .try_collect()
            .await?;
        let mut deliveries = Vec::with_capacity(timelines.len());
        for answer in answers.into_iter().flatten() {
            for code in read::<Vec<i64>>(answer)? {
                deliveries.push(match code {
                    1 => Delivery::Delivered,
                    0 => Delivery::Dormant,
                    -1 => Delivery::NotWanted,
                    2 => Delivery::BelowFloor,
                    code => return Err(scripts::DELIVER.undocumented(code)),
                });
            }
        }
        Ok(deliveries)
    }

    /// Takes a dead status out of each of these timelines. Gives those that became too short.
    pub async fn withdraw(&self, id: StatusId, timelines: &[Timeline]) -> Result<Vec<Timeline>> {
        let mut short = Vec::new();
        for timelines in timelines.chunks(TIMELINES_A_TRIP) {
            let withdraw = |timeline: &Timeline| self.withdrawal(*timeline, &[id]);
            let answers = self
                .connection
                .batch(timelines.iter().map(withdraw).collect());
            for (timeline, answer) in timelines.iter().zip(answers.await?) {
                match read::<i64>(answer)? {
                    0 => {}
                    1 => short.push(*timeline),
                    code => return Err(scripts::WITHDRAW.undocumented(code)),
                }
            }
        }
        Ok(short)
    }

    /// Takes a living status out of those of these timelines where it does not belong. Gives those that
    /// became too short.
    pub async fn sift_out(
        &self,
        (id, status): (StatusId, &Provenance),
        timelines: &[Timeline],
    ) -> Result<Vec<Timeline>> {
        let mut short = Vec::new();
        for timelines in timelines.chunks(TIMELINES_A_TRIP) {
            let sift = |timeline: &Timeline| {
                self.sifting(*timeline)
                    .with(status.to_string())
                    .with(id.get())
            };
            let answers = self.connection.batch(timelines.iter().map(sift).collect());
            for (timeline, answer) in timelines.iter().zip(answers.await?) {
                if left(read(answer)?)? == Left::Few {
                    short.push(*timeline);
                }
            }
        }
        Ok(short)
    }

    fn sifting(&self, of: Timeline) -> redis::Cmd {
        scripts::SIFT_TIMELINE
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
        statuses: &[(StatusId, Provenance)],
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

    /// Removes ids from a timeline: the dead, which belong nowhere.
    pub async fn remove_from_timeline(&self, of: Timeline, dead: &[StatusId]) -> Result<()> {
        let parts = dead.chunks(IDS_A_SCRIPT);
        let remove = parts.map(|part| self.withdrawal(of, part)).collect();
        self.connection.batch(remove).await.map(drop)
    }

    /// Everything that stands on a timeline.
    pub async fn timeline_ids(&self, of: Timeline) -> Result<Vec<StatusId>> {
        let [statuses, _] = keys::timeline(of);
        let all = redis::cmd("ZRANGE").with(statuses).with(0).with(-1);
        Ok(status_ids(self.connection.query::<Vec<u64>>(all).await?))
    }

    /// Takes those of these statuses out of a timeline that are dead or do not belong there.
    pub async fn sift_timeline(&self, of: Timeline, statuses: &[(StatusId, Life)]) -> Result<Left> {
        let mut how_full = Left::Enough;
        for part in in_parts(statuses) {
            let with_provenance = part.iter().flat_map(|(id, life)| match life {
                Life::Living(status) => [status.to_string(), id.to_string()],
                Life::Dead(_) | Life::Absent => [String::new(), id.to_string()],
            });
            let sift = self.sifting(of).with(with_provenance.collect::<Vec<_>>());
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
        merged: &[(StatusId, Provenance)],
    ) -> Result<bool> {
        for part in merged.chunks(IDS_A_SCRIPT) {
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
    fn withdrawal(&self, of: Timeline, dead: &[StatusId]) -> redis::Cmd {
        scripts::WITHDRAW
            .on(keys::told(keys::timeline(of), of))
            .with(self.few())
            .with(numbers(dead))
    }

    /// A timeline with fewer above its floor is refilled: half of what it holds.
    fn few(&self) -> usize {
        self.config.limits.home_size / 2
    }

    fn mark_ttl_s(&self) -> u64 {
        self.config.timeouts.dormant.as_secs()
    }
}

/// As `sift_timeline.lua` answers.
fn left(answer: i64) -> Result<Left> {
    match answer {
        0 => Ok(Left::Enough),
        1 => Ok(Left::Few),
        code => Err(scripts::SIFT_TIMELINE.undocumented(code)),
    }
}

pub(super) fn parse_mark(mark: Option<&str>) -> Mark {
    match mark {
        None => Mark::Dormant,
        Some(text) => text.parse().map_or(Mark::Building, Mark::Floor),
    }
}

/// Parts of a size that a script may take; one empty part where there is nothing.
fn in_parts<T>(statuses: &[T]) -> impl Iterator<Item = &[T]> {
    let nothing = statuses.is_empty().then_some(statuses);
    nothing.into_iter().chain(statuses.chunks(IDS_A_SCRIPT))
}

/// Provenance and id of each, as scripts take them.
fn come_from(statuses: &[(StatusId, Provenance)]) -> Vec<String> {
    let pairs = statuses.iter();
    pairs
        .flat_map(|(id, status)| [status.to_string(), id.to_string()])
        .collect()
}

fn numbers(ids: &[StatusId]) -> Vec<u64> {
    ids.iter().map(|id| id.get()).collect()
}
