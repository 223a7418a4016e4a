//! Progress of a delivery in passes. Each pass notes it in the status, so it needs no key and no round
//! trip of its own.

use super::calls::NotePass;
use crate::{
    domain::{Audience, FanOutProgress, joined},
    store::prelude::*,
};

outcomes! {
    pub enum PassOutcome {
        Noted = "OK",
        /// The tags or readers of the status differ from those that the pass delivered it by.
        HeaderChanged = "header_changed",
        Deleted = "deleted",
    }
}

/// Number of followers, or members of its group, that a status has reached while its delivery goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub reached: u64,
    pub followers: u64,
}

impl Store {
    /// Notes the score (µs) of the last follower, or member of its group, who has the status. Notes that all have it once
    /// the delivery goes on with lists or tags, or ends. Checks in the same step that the status exists with
    /// the same tags and readers.
    pub async fn note_pass(
        &self,
        call: &Call,
        (id, status): (StatusId, &StatusHeader),
        next: Option<FanOutProgress>,
    ) -> Result<PassOutcome> {
        let people = [Audience::Followers, Audience::Group];
        let followers = next.filter(|next| people.contains(&next.audience));
        let note = NotePass {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            delivered_to: followers.map_or(0, |next| next.after),
            tags: joined(&status.tags),
            readers: status
                .readers
                .field()
                .map_or_else(String::new, |(_, text)| text),
        };
        self.connection.run(&note).await
    }

    /// Returns the progress of the viewer's own status, or `None` if its delivery is complete. The
    /// number follows from the cursor of the passes, so a pass done twice counts once. One round trip,
    /// none if nothing is under way.
    pub async fn progress(&self, status: &VisibleStatus) -> Result<Option<Progress>> {
        let Some(delivered) = status.row.delivered_to.filter(|_| status.own) else {
            return Ok(None);
        };
        let followers = || match status.row.group {
            Some(group) => keys::group_home(group),
            None => keys::followers(status.author.id),
        };
        let count = redis::cmd("ZCOUNT").with((followers(), "-inf", delivered));
        let all = redis::cmd("ZCARD").with(followers());
        let (reached, followers) = self.connection.query_tuple([count, all]).await?;
        Ok(Some(Progress { reached, followers }))
    }
}
