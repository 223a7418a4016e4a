//! The cached first page of a home. A reader who returns within a minute mostly gets the same page. The connection
//! caches it, and Redis invalidates it when a key that it was read from changes.

use std::{
    mem::size_of,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    calls::ReadHome,
    first_read::{FurtherIds, NotedDownTo},
    homes::parse_mark,
    profiles::older_than,
};
use crate::store::{
    NewPosts, ReadMode, TimelineSlice, cache::recording::note_expiry, prelude::*,
    reposts::grouping::SharedEntries,
};

/// Maximum bytes of the seen ranges: scripts keep 24 of them.
const SEEN_BYTES: usize = 24 * size_of::<[u64; 2]>();

/// A reply of `read_home.lua` about a first page, with the time until which it stays the same.
struct CachedHome {
    slice: TimelineSlice,
    /// Number of ids requested.
    count: usize,
    until: Instant,
}

impl CachedHome {
    fn bytes(&self) -> usize {
        let ids = size_of_val(&self.slice.ids[..]) + self.slice.further.bytes();
        size_of::<Self>() + ids + SEEN_BYTES + SharedEntries::MAX_BYTES
    }
}

/// The reply of `read_home.lua`: mark, ids, seen ranges, number of new posts, the oldest of them, the
/// cursor of its page, validity (ms), last arrival.
type Answer = (
    Option<String>,
    String,
    Option<String>,
    u64,
    Option<u64>,
    Option<u64>,
    u64,
    Option<String>,
);

impl Store {
    /// Returns the cached reply of [`Store::visited_home`], if it is less than a minute old and nothing
    /// changed. It is at least as new as this connection's last round trip.
    pub(super) async fn cached_home(
        &self,
        of: UserId,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<Option<TimelineSlice>> {
        if before.is_some() {
            return Ok(None);
        }
        let cached = self.current_value::<CachedHome>(&Key::Home(of)).await?;
        let is_valid =
            |cached: &Arc<CachedHome>| cached.count == count && Instant::now() < cached.until;
        Ok(cached.filter(is_valid).map(|cached| {
            note_expiry(cached.until);
            cached.slice.clone()
        }))
    }

    /// Returns up to `count` ids of a home older than the cursor, with its mark and its new_posts, and records
    /// which statuses the page shows. One round trip.
    pub(in crate::store) async fn visited_home(
        &self,
        of: UserId,
        read_mode: ReadMode,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<TimelineSlice> {
        let read = self.read_home(of, read_mode, before, count);
        let slice = |answer| slice(answer, count);
        if before.is_some() {
            return Ok(slice(self.connection.query(read).await?)?.0);
        }
        let to_cache = |(slice, lifetime): &(TimelineSlice, Duration), start| {
            if lifetime.is_zero() {
                return None;
            }
            let home = CachedHome {
                slice: slice.clone(),
                count,
                until: start + *lifetime,
            };
            note_expiry(home.until);
            let bytes = home.bytes();
            Some((home, bytes))
        };
        let parsed = self.read_through_cache(Key::Home(of), read, slice, to_cache);
        Ok(parsed.await?.0)
    }

    fn read_home(
        &self,
        of: UserId,
        read_mode: ReadMode,
        before: Option<Cursor>,
        count: usize,
    ) -> Cmd {
        let read = ReadHome {
            home: keys::home(of),
            active_mark: keys::active(of),
            reading: keys::reading(of),
            profile: keys::profile(of),
            arrivals: keys::arrivals(of),
            from_score: older_than(before),
            id_count: count,
            further_count: FurtherIds::COUNT,
            mark_ttl_s: self.mark_ttl_s(),
            began_before: before.map_or(0, Cursor::get),
            epoch_ms: StatusId::EPOCH_MS,
            page_size: PAGE_SIZE,
            mode: read_mode.word(),
        };
        read.command()
    }
}

/// Decodes the reply to a read of so many ids, and its validity.
fn slice(answer: Value, id_count: usize) -> Result<(TimelineSlice, Duration)> {
    let (mark, ids, seen, count, oldest, page, holds_ms, arrival): Answer = read(answer)?;
    let new_posts = seen.map(|seen| NewPosts::read(&seen, count, oldest, page));
    let ids = ids.split(' ').filter_map(|id| id.parse().ok());
    let (ids, further) = FurtherIds::split(status_ids(ids), id_count);
    let slice = TimelineSlice {
        ids,
        mark: parse_mark(mark.as_deref()),
        new_posts: new_posts.transpose()?,
        arrival: arrival.and_then(|arrival| arrival.parse().ok()),
        shared: SharedEntries::default(),
        further,
        noted: NotedDownTo::default(),
    };
    Ok((slice, Duration::from_millis(holds_ms)))
}
