//! Progress of a delivery in passes. Each pass notes it in the status, so it needs no key and no round
//! trip of its own.

use crate::{
    domain::{Audience, Reach, StatusHeader, StatusId, joined},
    store::{
        Call, Result, Store, VisibleStatus, keys,
        redis::{
            connection::read,
            reply::outcomes,
            scripts::{self, With},
        },
    },
};

outcomes! {
    /// State of the status at the end of a pass.
    pub enum NotePass {
        Lives = "OK",
        /// Its tags differ from those that the pass delivered it by.
        Reworded = "tags_changed",
        Dead = "deleted",
    }
}

/// Number of followers that a status has reached while its delivery goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub reached: u64,
    pub followers: u64,
}

impl Store {
    /// Notes the score (µs) of the last follower who has the status. Notes that all have it once the
    /// delivery goes on with lists or tags, or ends. Returns in the same step whether the status is
    /// still as the pass delivered it.
    pub async fn note_pass(
        &self,
        call: &Call,
        (id, status): (StatusId, &StatusHeader),
        next: Option<Reach>,
    ) -> Result<NotePass> {
        let followers = next.filter(|next| next.audience == Audience::Followers);
        let note = scripts::NOTE_PASS
            .on([keys::status(id)])
            .with(call.deadline())
            .with(followers.map_or(0, |next| next.after))
            .with(joined(&status.tags));
        let reply: String = self.connection.query(note).await?;
        scripts::NOTE_PASS.outcome(&reply)
    }

    /// Returns the progress of the viewer's own status, or `None` if its delivery is complete. The
    /// number follows from the cursor of the passes, so a pass done twice counts once. One round trip,
    /// none if nothing is under way.
    pub async fn progress(&self, status: &VisibleStatus) -> Result<Option<Progress>> {
        let Some(delivered) = status.row.delivered_to.filter(|_| status.own) else {
            return Ok(None);
        };
        let followers = || keys::followers(status.author.id);
        let count = redis::cmd("ZCOUNT")
            .with(followers())
            .with("-inf")
            .with(delivered);
        let all = redis::cmd("ZCARD").with(followers());
        let mut answers = self.connection.batch(vec![count, all]).await?.into_iter();
        let mut next = || read::<u64>(answers.next().unwrap_or_default());
        Ok(Some(Progress {
            reached: next()?,
            followers: next()?,
        }))
    }
}
