//! The storage of people: how many bytes one person may use, and who uses most.

use crate::{
    domain::{BASE_POST_BYTES, NEWCOMER_RATE_DIVISOR},
    store::prelude::*,
};

/// Default quota of one person in bytes, if the memory limit is not known or large enough.
const POST_BYTES: u64 = 268_435_456;
const MESSAGE_BYTES: u64 = 67_108_864;
/// By default, the posts of one person take at most this share of the memory limit of a primary, and the messages a
/// quarter of it.
const POST_SHARE: u64 = 20;
const MESSAGE_SHARE: u64 = 80;
/// The smallest quota in bytes.
const MIN_QUOTA: u64 = 65_536;

/// Maximum number of accounts that one call examines: the newest.
const EXAMINED: u64 = 10_000;
/// Number of accounts per round trip.
const PER_READ: u64 = 500;

/// The storage of a person in bytes, as the quotas count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageUse {
    pub person: UserId,
    pub post_bytes: u64,
    pub message_bytes: u64,
}

impl StorageUse {
    pub fn bytes(&self) -> u64 {
        self.post_bytes + self.message_bytes
    }
}

/// The people who use most storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargestStorage {
    /// Login and storage, the largest first.
    pub people: Vec<(String, StorageUse)>,
    /// Number of accounts that were examined: the newest.
    pub examined_count: u64,
    /// Whether older accounts were left out.
    pub is_partial: bool,
}

impl Store {
    /// Returns the bytes that the posts of a person can take. One round trip, none if the state of the account is
    /// cached.
    pub async fn post_quota(&self, of: UserId) -> Result<u64> {
        let limits = &self.config.limits;
        let quota = self.quota(limits.post_bytes, POST_BYTES, POST_SHARE);
        self.lowered(of, quota).await
    }

    /// Returns the bytes that the messages of a person can take. One round trip, none if the state of the account is
    /// cached.
    pub async fn message_quota(&self, of: UserId) -> Result<u64> {
        let limits = &self.config.limits;
        let quota = self.quota(limits.message_bytes, MESSAGE_BYTES, MESSAGE_SHARE);
        self.lowered(of, quota).await
    }

    /// Returns the quota of a person. A newcomer has a tenth, because one attacker can make many accounts. So has everybody
    /// while the memory is almost used up: then the accounts of one attacker, each within its quota, cannot take the rest.
    async fn lowered(&self, person: UserId, quota: u64) -> Result<u64> {
        let is_low = self.memory_use().is_high() || self.newcomer_until(person).await?.is_some();
        Ok(match is_low {
            true => (quota / u64::from(NEWCOMER_RATE_DIVISOR)).max(MIN_QUOTA),
            false => quota,
        })
    }

    /// Returns a quota: the one that the host has set, or else at most a share of the memory limit.
    fn quota(&self, set: u64, most: u64, share: u64) -> u64 {
        match (set, self.memory.limit_bytes()) {
            (0, None) => most,
            (0, Some(limit)) => (limit / share).clamp(MIN_QUOTA, most),
            (set, _) => set,
        }
    }

    /// Returns up to `count` people who use most storage, among the newest 10,000 accounts. At most 22 round trips.
    pub async fn largest_storage(&self, count: usize) -> Result<LargestStorage> {
        let last = self.last_user().await?;
        let oldest = last.saturating_sub(EXAMINED);
        let (mut largest, mut above) = (Vec::new(), last);
        while above > oldest {
            let below = above.saturating_sub(PER_READ).max(oldest);
            let ids: Vec<UserId> = (below + 1..=above)
                .filter_map(|id| UserId::new(id).ok())
                .collect();
            largest.extend(self.storage_of(&ids).await?);
            largest.sort_by_key(|storage: &StorageUse| std::cmp::Reverse(storage.bytes()));
            largest.truncate(count);
            above = below;
        }
        largest.retain(|storage| storage.bytes() > 0);
        let ids: Vec<UserId> = largest.iter().map(|storage| storage.person).collect();
        let logins = self.logins_of(&ids).await?;
        let people = logins.into_iter().zip(largest);
        Ok(LargestStorage {
            people: people
                .filter_map(|(login, storage)| Some((login?, storage)))
                .collect(),
            examined_count: last - oldest,
            is_partial: oldest > 0,
        })
    }

    /// Returns the storage of each person. One round trip.
    async fn storage_of(&self, ids: &[UserId]) -> Result<Vec<StorageUse>> {
        let reads = ids.iter().flat_map(|id| {
            [
                redis::cmd("ZCARD").with(keys::profile(*id)),
                redis::cmd("HGET").with((keys::post_bytes(*id), "sum")),
                redis::cmd("HGET").with((keys::chat_bytes(*id), "sum")),
            ]
        });
        let numbers: Vec<Option<u64>> = self.connection.query_each(reads).await?;
        let storage = ids.iter().zip(numbers.chunks(3)).map(|(person, numbers)| {
            let number = |place: usize| numbers.get(place).copied().flatten().unwrap_or_default();
            StorageUse {
                person: *person,
                post_bytes: number(0) * BASE_POST_BYTES + number(1),
                message_bytes: number(2),
            }
        });
        Ok(storage.collect())
    }
}
