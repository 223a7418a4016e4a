//! Single steps on home timelines: delivery, removal, rebuilding, and reading a slice together
//! with what the active mark says of it.

use super::{
    Call, Result, Store,
    connection::read,
    keys,
    profiles::{older_than, status_ids},
    reading::News,
    scripts::{self, With},
};
use crate::domain::{Cursor, PAGE_SIZE, StatusId, UserId};

/// How long a home may take to be built before somebody else begins anew.
const BUILDING_TTL_S: u64 = 60;
/// How many ids one script takes at a time.
const IDS_A_SCRIPT: usize = 500;
/// How many timelines one trip of a pass touches, so that other readers wait less than 1 ms.
const TIMELINES_A_TRIP: usize = 100;

/// What the active mark of a home says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Nobody reads this home, and nothing is delivered to it.
    Dormant,
    /// It is being built: read by merging profiles.
    Building,
    /// Complete from this id upwards; 0: complete.
    Floor(u64),
}

/// A part of a home, read in one step with its mark.
#[derive(Debug, Clone)]
pub struct HomeSlice {
    pub ids: Vec<StatusId>,
    pub mark: Mark,
    /// `None` where the home is not there to be asked.
    pub news: Option<News>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Delivered,
    Dormant,
    NotFollowing,
    BelowFloor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forget {
    Done,
    /// The reader follows the author again.
    Follows,
    /// Fewer than 500 are left above a floor.
    Rebuild,
}

/// Who wants a home rebuilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// Its owner came and found no mark.
    Visit,
    /// A task: nobody may have come since.
    Queued,
}

impl Store {
    /// Up to `count` ids of a home older than the cursor, its mark and what is new on it, read in
    /// one step. A reader's visit keeps the home active, and what it shows is remembered: all from
    /// where the page `began` down to the last but one of these, which only says that there is more.
    pub async fn home_slice(
        &self,
        of: UserId,
        began: Option<Cursor>,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<HomeSlice> {
        type Row = (
            Option<String>,
            Vec<u64>,
            Option<String>,
            u64,
            Option<u64>,
            Option<u64>,
        );
        let read = scripts::READ_HOME
            .on([
                keys::home(of),
                keys::active(of),
                keys::reading(of),
                keys::profile(of),
            ])
            .with(older_than(before))
            .with(count)
            .with(self.mark_ttl_s())
            .with(began.map_or(0, Cursor::get))
            .with(StatusId::EPOCH_MS)
            .with(PAGE_SIZE);
        let (mark, ids, seen, count, oldest, page): Row = self.connection.query(read).await?;
        let news = seen.map(|seen| News::read(&seen, count, oldest, page));
        Ok(HomeSlice {
            ids: status_ids(ids),
            mark: parse_mark(mark.as_deref()),
            news: news.transpose()?,
        })
    }

    /// Delivers a status to each reader's home that it belongs to (see `deliver.lua`).
    pub async fn deliver(
        &self,
        call: &Call,
        author: UserId,
        id: StatusId,
        readers: &[UserId],
    ) -> Result<Vec<Delivery>> {
        let mut deliveries = Vec::with_capacity(readers.len());
        for readers in readers.chunks(TIMELINES_A_TRIP) {
            let commands = readers.iter().map(|reader| {
                scripts::DELIVER
                    .on([
                        keys::home(*reader),
                        keys::following(*reader),
                        keys::active(*reader),
                        keys::reading(*reader),
                    ])
                    .with(call.deadline())
                    .with(author.get())
                    .with(id.get())
                    .with(self.config.limits.home_size)
            });
            for answer in self.connection.batch(commands.collect()).await? {
                deliveries.push(match read::<i64>(answer)? {
                    1 => Delivery::Delivered,
                    0 => Delivery::Dormant,
                    -1 => Delivery::NotFollowing,
                    2 => Delivery::BelowFloor,
                    code => return Err(scripts::DELIVER.undocumented(code)),
                });
            }
        }
        Ok(deliveries)
    }

    /// Takes a dead status out of each reader's home.
    pub async fn withdraw(&self, id: StatusId, readers: &[UserId]) -> Result<()> {
        for readers in readers.chunks(TIMELINES_A_TRIP) {
            let remove =
                |reader: &UserId| redis::cmd("ZREM").with(keys::home(*reader)).with(id.get());
            self.connection
                .batch(readers.iter().map(remove).collect())
                .await?;
        }
        Ok(())
    }

    /// Merges statuses of one author into a home. `floor` is set where older ones were not read.
    pub async fn merge_home(
        &self,
        call: &Call,
        of: UserId,
        author: UserId,
        ids: &[StatusId],
        floor: Option<StatusId>,
    ) -> Result<()> {
        for part in in_parts(ids) {
            let merge = scripts::MERGE_HOME
                .on([keys::home(of), keys::following(of), keys::active(of)])
                .with(call.deadline())
                .with(author.get())
                .with(self.config.limits.home_size)
                .with(floor.map_or(0, StatusId::get))
                .with(numbers(part));
            self.connection.query::<i64>(merge).await?;
        }
        Ok(())
    }

    /// Removes ids from a home: the dead, which belong nowhere.
    pub async fn remove_from_home(&self, of: UserId, dead: &[StatusId]) -> Result<()> {
        if dead.is_empty() {
            return Ok(());
        }
        let remove = redis::cmd("ZREM").with(keys::home(of)).with(numbers(dead));
        self.connection.query::<i64>(remove).await.map(drop)
    }

    /// Everything that stands in a home.
    pub async fn home_ids(&self, of: UserId) -> Result<Vec<StatusId>> {
        let all = redis::cmd("ZRANGE").with(keys::home(of)).with(0).with(-1);
        Ok(status_ids(self.connection.query::<Vec<u64>>(all).await?))
    }

    /// Takes an author's statuses out of the home of somebody who does not follow them.
    pub async fn forget_author(
        &self,
        of: UserId,
        author: UserId,
        ids: &[StatusId],
    ) -> Result<Forget> {
        let mut outcome = Forget::Done;
        for part in in_parts(ids) {
            let forget = scripts::FORGET_AUTHOR
                .on([keys::home(of), keys::following(of), keys::active(of)])
                .with(author.get())
                .with(numbers(part));
            outcome = match self.connection.query::<i64>(forget).await? {
                0 => Forget::Done,
                1 => Forget::Rebuild,
                -1 => return Ok(Forget::Follows),
                code => return Err(scripts::FORGET_AUTHOR.undocumented(code)),
            };
        }
        Ok(outcome)
    }

    /// Empties a home and marks it as being built by `token`. `false` where it is not to be.
    pub async fn begin_rebuild(&self, of: UserId, token: &str, why: Begin) -> Result<bool> {
        let begin = scripts::BEGIN_REBUILD
            .on([keys::home(of), keys::active(of)])
            .with(token)
            .with(BUILDING_TTL_S)
            .with(match why {
                Begin::Visit => "visit",
                Begin::Queued => "queued",
            });
        Ok(self.connection.query::<i64>(begin).await? == 1)
    }

    /// Adds what was merged. `false` where the token is over.
    pub async fn fill_rebuild(
        &self,
        of: UserId,
        token: &str,
        merged: &[(StatusId, UserId)],
    ) -> Result<bool> {
        for part in merged.chunks(IDS_A_SCRIPT) {
            let pairs: Vec<u64> = part
                .iter()
                .flat_map(|(id, author)| [author.get(), id.get()])
                .collect();
            let fill = scripts::FILL_REBUILD
                .on([keys::home(of), keys::active(of), keys::following(of)])
                .with(token)
                .with(of.get())
                .with(self.config.limits.home_size)
                .with(pairs);
            if self.connection.query::<i64>(fill).await? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes the dead and names the floor: the home is complete from there. `false` where the
    /// token is over.
    pub async fn finish_rebuild(
        &self,
        of: UserId,
        token: &str,
        floor: u64,
        dead: &[StatusId],
    ) -> Result<bool> {
        let finish = scripts::FINISH_REBUILD
            .on([keys::home(of), keys::active(of)])
            .with(token)
            .with(floor)
            .with(self.mark_ttl_s())
            .with(numbers(dead));
        Ok(self.connection.query::<i64>(finish).await? == 1)
    }

    fn mark_ttl_s(&self) -> u64 {
        self.config.timeouts.dormant.as_secs()
    }
}

pub(super) fn parse_mark(mark: Option<&str>) -> Mark {
    match mark {
        None => Mark::Dormant,
        Some(text) => text.parse().map_or(Mark::Building, Mark::Floor),
    }
}

/// Parts of a size that a script may take; one empty part where there is nothing.
fn in_parts(ids: &[StatusId]) -> impl Iterator<Item = &[StatusId]> {
    let nothing = ids.is_empty().then_some(ids);
    nothing.into_iter().chain(ids.chunks(IDS_A_SCRIPT))
}

fn numbers(ids: &[StatusId]) -> Vec<u64> {
    ids.iter().map(|id| id.get()).collect()
}
