//! The readers of a status, apart from blocks and hidden accounts. One rule, [`StatusReaders::include`], serves pages,
//! which know the conversation, and a status that is known by its header alone: before it exists, and before a person
//! is notified of it.

use super::{Root, readers_of};
use crate::{
    domain::{Notification, Readers},
    store::{prelude::*, statuses::status_row::StatusRow},
};

type Recipients = Vec<(UserId, Notification)>;

/// What decides who may see a status.
#[derive(Debug)]
pub(super) struct StatusReaders {
    author: UserId,
    own: Readers,
    /// The readers of the first status of the conversation, for a reply.
    of_root: Option<Readers>,
    /// The author of the status that it replies to.
    answered: Option<UserId>,
}

impl StatusReaders {
    /// Returns the readers of a status with the account of its author and with its conversation.
    pub(super) fn new(status: &StatusRow, author: &User, root: Root) -> Self {
        Self {
            author: status.author,
            own: readers_of(status, author),
            of_root: match root {
                Root::Known(readers) => Some(readers),
                Root::Itself | Root::Gone => None,
            },
            answered: status.reply_to.map(|parent| parent.author),
        }
    }

    /// Returns the readers of a status by its header. The header of a reply names the first author if only their
    /// followers see the conversation. Else all members see it.
    fn of_header(status: &StatusHeader) -> Self {
        let of_others = status.readers.followed() != Some(status.author);
        let of_root = match status.readers {
            Readers::FollowersOf(_) if of_others => status.readers,
            _ => Readers::Everyone,
        };
        Self {
            author: status.author,
            own: status.readers,
            of_root: status.reply_to.map(|_| of_root),
            answered: status.reply_to.map(|parent| parent.author),
        }
    }

    /// Returns whether a viewer is a reader. Authors see all of their own statuses. A reply is never visible to more
    /// people than the first status of its conversation, and a conversation that is narrowed later widens no reply. The
    /// person replied to sees it.
    pub(super) fn include(&self, viewer: Viewer, follows: impl Fn(UserId) -> bool) -> bool {
        if viewer.id() == Some(self.author) {
            return true;
        }
        let is_own_reader = is_among(self.own, viewer, &follows);
        let Some(of_root) = self.of_root else {
            return is_own_reader;
        };
        let is_answered = self.answered.is_some() && viewer.id() == self.answered;
        is_among(of_root, viewer, follows) && (is_own_reader || is_answered)
    }
}

/// Returns whether a viewer is among these readers.
pub(super) fn is_among(readers: Readers, viewer: Viewer, follows: impl Fn(UserId) -> bool) -> bool {
    match readers {
        Readers::Everyone => true,
        Readers::Members => viewer != Viewer::Anonymous,
        Readers::FollowersOf(person) => viewer.id() == Some(person) || follows(person),
    }
}

impl Store {
    /// Returns for each person whether they are among the readers of a status. One round trip for a status that only
    /// followers see.
    pub async fn are_readers(&self, status: &StatusHeader, people: &[UserId]) -> Result<Vec<bool>> {
        let Some(followed) = status.readers.followed() else {
            return Ok(vec![true; people.len()]);
        };
        let follows = people
            .iter()
            .map(|person| Relation::Follow(*person, followed));
        let follows = self.have_relations(&follows.collect::<Vec<_>>()).await?;
        let readers = StatusReaders::of_header(status);
        let is_reader = |(person, follows): (&UserId, bool)| {
            readers.include(Viewer::Member(*person), |of| of == followed && follows)
        };
        Ok(people.iter().zip(follows).map(is_reader).collect())
    }

    /// Splits the recipients of notifications about a status into those who may see it and the others. One round
    /// trip for a status that only followers see.
    pub async fn split_by_readers(
        &self,
        status: &StatusHeader,
        recipients: Recipients,
    ) -> Result<(Recipients, Recipients)> {
        let people: Vec<UserId> = recipients.iter().map(|(person, _)| *person).collect();
        let are_readers = self.are_readers(status, &people).await?;
        let (mut readers, mut others) = (Recipients::new(), Recipients::new());
        for (recipient, is_reader) in recipients.into_iter().zip(are_readers) {
            match is_reader {
                true => readers.push(recipient),
                false => others.push(recipient),
            }
        }
        Ok((readers, others))
    }
}
