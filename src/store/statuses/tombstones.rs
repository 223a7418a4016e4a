//! Single steps on tombstones: deletions of statuses, the readers and the size of tombstones, and their bytes in the
//! quotas of their authors.

use futures_util::try_join;

use super::{Bury, TOMBSTONE_TTL_S, calls};
use crate::{
    domain::Readers,
    store::{prelude::*, redis::call::millis},
};

/// The tombstone of a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tombstone {
    pub author: UserId,
    /// The bytes that it counts as in the quota of its author: 0 without replies.
    pub counted_bytes: u64,
}

impl Store {
    /// Writes the outbox entry, then deletes the status, in two round trips, and in three if the author is not cached. If
    /// the outbox entry cannot be written, the status is unchanged. The tombstone in a private account is for its
    /// followers, as the status was, also when the account is public again or deleted.
    pub async fn bury_status(
        &self,
        call: &Call,
        id: StatusId,
        by: UserId,
    ) -> Result<(Bury, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let (author, now) = try_join!(self.known_user(by), self.now())?;
        let narrower = author.filter(|author| author.is_private);
        let bury = calls::BuryStatus {
            status: keys::status(id),
            favourited_by: keys::favourited_by(id),
            ballots: keys::ballots(id),
            versions: keys::versions(id),
            quotes: keys::quotes(id),
            replies: keys::replies(id),
            gaps: keys::gaps(id),
            deadline_ms: call.deadline(),
            user_id: by.get(),
            now_ms: now.0,
            tombstone_ttl_s: TOMBSTONE_TTL_S,
            new_readers: narrower.map_or_else(String::new, |author| {
                Readers::FollowersOf(author.id).to_string()
            }),
        };
        let buried = self.connection.run_durably(&bury).await?;
        Ok((buried, outbox_entry))
    }

    /// Returns the tombstone of a status, if there is one. One round trip.
    pub async fn tombstone(&self, id: StatusId) -> Result<Option<Tombstone>> {
        let fields = ["uid", "deleted", "extra_bytes"];
        let reads = [
            redis::cmd("HMGET").with((keys::status(id), &fields[..])),
            redis::cmd("EXISTS").with((keys::replies(id), keys::gaps(id))),
        ];
        type Fields = (Option<u64>, Option<u64>, Option<u64>);
        let ((author, deleted, bytes), below): (Fields, u64) =
            self.connection.query_tuple(reads).await?;
        let author = author.and_then(|author| UserId::new(author).ok());
        Ok(author
            .filter(|_| deleted.is_some())
            .map(|author| Tombstone {
                author,
                counted_bytes: bytes.filter(|_| below > 0).unwrap_or_default(),
            }))
    }

    /// Counts a tombstone in the quota of its author, or no longer.
    pub async fn count_tombstone(&self, id: StatusId, tombstone: Tombstone) -> Result<()> {
        let count = calls::CountTombstone {
            user: keys::user(tombstone.author),
            post_bytes: keys::post_bytes(tombstone.author),
            status_id: id.get(),
            bytes: tombstone.counted_bytes,
        };
        self.connection.execute(count.command()).await
    }

    /// Returns whether a status died so long ago that every call that can have read it alive is over.
    pub async fn was_deleted_before_all_calls(&self, id: StatusId) -> Result<bool> {
        let read = redis::cmd("HGET").with((keys::status(id), "deleted"));
        let deleted: Option<u64> = self.connection.query(read).await?;
        let write_deadline = millis(self.config.timeouts.write_deadline);
        let now = self.now().await?;
        Ok(deleted.is_some_and(|deleted| deleted + write_deadline < now.0))
    }

    /// Narrows those of these statuses that are tombstones of private accounts of these people. So the replies below them
    /// keep their readers after the deletion of the account. No round trip without statuses, and otherwise up to three: one
    /// for the people, and with a private account one for the authors and one for the tombstones.
    pub(in crate::store) async fn narrow_tombstones(
        &self,
        ids: &[StatusId],
        people: &[UserId],
    ) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let users = self.rows_of::<User>(people).await?;
        let private: Vec<UserId> = users
            .iter()
            .flatten()
            .filter(|user| user.is_private)
            .map(|user| user.id)
            .collect();
        if private.is_empty() {
            return Ok(());
        }
        let read = |id: &StatusId| redis::cmd("HGET").with((keys::status(*id), "uid"));
        let authors: Vec<Option<u64>> = self.connection.query_each(ids.iter().map(read)).await?;
        let narrow = ids.iter().zip(authors).filter_map(|(id, author)| {
            let author = UserId::new(author?).ok()?;
            let is_private = private.contains(&author);
            let call = calls::NarrowTombstone {
                status: keys::status(*id),
                user_id: author.get(),
                new_readers: Readers::FollowersOf(author).to_string(),
            };
            is_private.then(|| call.command())
        });
        self.connection.batch(narrow.collect()).await.map(drop)
    }

    /// Drops the fields of a tombstone that lead to copies of the status. Nothing happens to a living status.
    pub async fn shrink_tombstone(&self, id: StatusId) -> Result<()> {
        let shrink = calls::ShrinkTombstone {
            status: keys::status(id),
        };
        self.connection.execute(shrink.command()).await
    }
}
