//! The bytes of a person's posts, in the slot of the person: `post_bytes:{uid}` and the profile. Each post
//! counts as [`BASE_POST_BYTES`], and larger ones as more. A tombstone with replies counts as what it takes. Posts that are being written hold a reservation.

use std::collections::BTreeMap;

use super::calls;
use crate::{
    domain::BASE_POST_BYTES,
    store::{prelude::*, redis::scan::ScanPosition},
};

/// Number of entries per read.
const ROWS: usize = 1000;
/// Maximum number of attempts to count while posts are being written.
const ATTEMPTS: usize = 5;

outcomes! {
    enum Reserve {
        Reserved = "reserved",
        OverQuota = "over_quota",
    }
}

outcomes! {
    enum SetSum {
        Set = "set",
        Outdated = "outdated",
    }
}

/// The entries of a key of the quota that name posts or chats, by field, and the sum if it did not change meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedBytes {
    pub entries: BTreeMap<String, String>,
    pub sum: Option<u64>,
}

impl CountedBytes {
    /// Returns the sum of the valid entries.
    pub fn actual_sum(&self) -> u64 {
        let bytes = self.entries.values().map(|bytes| bytes.parse::<u64>());
        bytes.flatten().sum()
    }
}

impl Store {
    /// Returns the bytes that a person's posts count as. One round trip.
    pub async fn post_bytes(&self, of: UserId) -> Result<u64> {
        let reads = [
            redis::cmd("ZCARD").with(keys::profile(of)),
            redis::cmd("HGET").with((keys::post_bytes(of), "sum")),
        ];
        let (posts, sum): (u64, Option<u64>) = self.connection.query_tuple(reads).await?;
        Ok(posts * BASE_POST_BYTES + sum.unwrap_or_default())
    }

    /// Reserves room for an edit of a person's status, which then counts as at most so many bytes beyond the
    /// base. Fails with [`Error::OverQuota`] if there is no room.
    pub async fn reserve_edit(&self, by: UserId, id: StatusId, extra_bytes: u64) -> Result<()> {
        let reserve = calls::ReserveEdit {
            profile: keys::profile(by),
            post_bytes: keys::post_bytes(by),
            status_id: id.get(),
            extra_bytes,
            base_bytes: BASE_POST_BYTES,
            quota_bytes: self.post_quota(by).await?,
        };
        let reply: String = self.connection.query(reserve.command()).await?;
        match calls::ReserveEdit::SCRIPT.outcome(&reply)? {
            Reserve::Reserved => Ok(()),
            Reserve::OverQuota => Err(Error::OverQuota),
        }
    }

    /// Returns the bytes beyond the base that each of these statuses counts as with its author. One round
    /// trip.
    pub async fn counted_bytes(
        &self,
        statuses: &[(StatusId, UserId)],
    ) -> Result<Vec<Option<String>>> {
        let counted = |(id, author): &(StatusId, UserId)| {
            redis::cmd("HGET").with((keys::post_bytes(*author), id.get()))
        };
        let reads = statuses.iter().map(counted);
        self.connection.query_each(reads).await
    }

    /// Returns what is counted in a key of the quota: of a person's posts or messages. It reads 1000 entries at a
    /// time.
    pub async fn counted_in(&self, key: &Key) -> Result<CountedBytes> {
        let before = self.stored_sum(key).await?;
        let (mut entries, mut position) = (BTreeMap::new(), ScanPosition::default());
        let name = key.name();
        loop {
            let rows = self
                .connection
                .scan_entries("HSCAN", &name, &mut position, ROWS);
            let (rows, is_complete): (Vec<(String, String)>, bool) = rows.await?;
            let is_entry = |(field, _): &(String, String)| field != "sum" && field != "reserved";
            entries.extend(rows.into_iter().filter(is_entry));
            if is_complete {
                break;
            }
        }
        let sum = self.stored_sum(key).await?;
        let sum = Some(sum)
            .filter(|sum| *sum == before)
            .map(|sum| sum.parse().unwrap_or(u64::MAX));
        Ok(CountedBytes { entries, sum })
    }

    /// Returns the stored sum, '0' if there is none.
    async fn stored_sum(&self, key: &Key) -> Result<String> {
        let get = redis::cmd("HGET").with((key.name(), "sum"));
        let sum: Option<String> = self.connection.query(get).await?;
        Ok(sum.unwrap_or_else(|| "0".to_owned()))
    }

    /// Removes a wrong entry of a key of the quota, if any, and stores the sum of the others. Does nothing while posts
    /// or messages are being written all the time.
    pub async fn recount_bytes(&self, key: &Key, wrong: Option<&str>) -> Result<()> {
        if let Some(field) = wrong {
            let remove = redis::cmd("HDEL").with((key.name(), field));
            self.connection.execute(remove).await?;
        }
        for _ in 0..ATTEMPTS {
            let found_sum = self.stored_sum(key).await?;
            let counted = self.counted_in(key).await?;
            if counted.sum.is_none() {
                continue;
            }
            let set = calls::SetCountedBytes {
                counted: key.name(),
                found_sum,
                sum: counted.actual_sum(),
            };
            let reply: String = self.connection.query(set.command()).await?;
            if calls::SetCountedBytes::SCRIPT.outcome::<SetSum>(&reply)? == SetSum::Set {
                return Ok(());
            }
        }
        Ok(())
    }
}
