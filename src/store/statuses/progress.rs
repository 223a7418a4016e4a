//! How far a delivery in passes has come: noted by each pass in the status itself, so that it takes
//! neither a key nor a trip of its own.

use crate::{
    domain::{Audience, Reach, StatusHeader, StatusId, joined},
    store::{
        Call, Result, Store, VisibleStatus, keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
    },
};

/// What a pass finds of its status at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotePass {
    Lives,
    /// It has other tags than the pass delivered it by.
    Reworded,
    Dead,
}

/// How many followers have a status that is still being delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub reached: u64,
    pub followers: u64,
}

impl Store {
    /// Notes the score (µs) up to which followers have a status, and that all have it where the
    /// delivery goes on with lists or tags or not at all. Answers whether it still lives as it was, in
    /// the same step.
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
        match self.connection.query::<i64>(note).await? {
            1 => Ok(NotePass::Lives),
            2 => Ok(NotePass::Reworded),
            0 => Ok(NotePass::Dead),
            code => Err(scripts::NOTE_PASS.undocumented(code)),
        }
    }

    /// How far the delivery of the viewer's own status has come; `None` where it is done. The number
    /// follows from how far the passes are, so that one done twice counts once. One trip, and none
    /// where nothing is under way.
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
