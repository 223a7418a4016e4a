//! The readers of a status, apart from blocks and hidden accounts. One rule, [`StatusReaders::include`], serves pages,
//! which know the conversation, and a status that is known by its header alone: before it exists, and before a person
//! is notified of it.

use futures_util::try_join;

use super::{Root, readers_of};
use crate::{
    domain::{Notification, Readers, RequiredRelation},
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
    /// followers see the conversation, and its group if only members see it. Else all members see it.
    fn of_header(status: &StatusHeader) -> Self {
        let of_others = status.readers.followed() != Some(status.author);
        let of_root = match status.readers {
            Readers::FollowersOf(_) if of_others => status.readers,
            Readers::MembersOf(_) => status.readers,
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
    pub(super) fn include(&self, viewer: Viewer, has: impl Fn(RequiredRelation) -> bool) -> bool {
        if viewer.id() == Some(self.author) {
            return true;
        }
        let is_own_reader = is_among(self.own, viewer, &has);
        let Some(of_root) = self.of_root else {
            return is_own_reader;
        };
        let is_answered = self.answered.is_some() && viewer.id() == self.answered;
        is_among(of_root, viewer, has) && (is_own_reader || is_answered)
    }
}

/// Returns whether a viewer is among these readers. `has` returns whether the viewer has a relation.
pub(super) fn is_among(
    readers: Readers,
    viewer: Viewer,
    has: impl Fn(RequiredRelation) -> bool,
) -> bool {
    match (readers, readers.required()) {
        (Readers::FollowersOf(person), _) if viewer.id() == Some(person) => true,
        (_, Some(required)) => viewer != Viewer::Anonymous && has(required),
        (Readers::Members, None) => viewer != Viewer::Anonymous,
        (_, None) => true,
    }
}

impl Store {
    /// Returns for each person whether they are among the readers of a status, without its other readers if its author
    /// is limited. One round trip for a status that only followers or members of a group see, and one for a limited
    /// author.
    pub async fn are_readers(&self, status: &StatusHeader, people: &[UserId]) -> Result<Vec<bool>> {
        let (are_readers, are_within_limit) = try_join!(
            self.are_readers_of_header(status, people),
            self.are_within_limit(status.author, people)
        )?;
        let both = are_readers.into_iter().zip(are_within_limit);
        Ok(both.map(|(one, other)| one && other).collect())
    }

    /// Returns for each person whether [`Access::is_within_limit`] holds for what this author writes. The author's row
    /// is read, or cached.
    async fn are_within_limit(&self, author: UserId, people: &[UserId]) -> Result<Vec<bool>> {
        let users = match people {
            [] => Vec::new(),
            _ => self.rows_of::<User>(&[author]).await?,
        };
        if !users.iter().flatten().any(|user| user.is_limited) {
            return Ok(vec![true; people.len()]);
        }
        let follows = self
            .have_required(RequiredRelation::Follow(author), people)
            .await?;
        let rows = people.iter().zip(follows);
        Ok(rows
            .map(|(person, follows)| follows || *person == author)
            .collect())
    }

    async fn are_readers_of_header(
        &self,
        status: &StatusHeader,
        people: &[UserId],
    ) -> Result<Vec<bool>> {
        let Some(required) = status.readers.required() else {
            return Ok(vec![true; people.len()]);
        };
        let have = self.have_required(required, people).await?;
        let readers = StatusReaders::of_header(status);
        let is_reader = |(person, has): (&UserId, bool)| {
            readers.include(Viewer::Member(*person), |one| one == required && has)
        };
        Ok(people.iter().zip(have).map(is_reader).collect())
    }

    /// Returns whether each person has a relation that readers need. One round trip.
    async fn have_required(
        &self,
        required: RequiredRelation,
        people: &[UserId],
    ) -> Result<Vec<bool>> {
        match required {
            RequiredRelation::Follow(followed) => {
                let follow = |person: &UserId| Relation::Follow(*person, followed);
                let follows: Vec<Relation> = people.iter().map(follow).collect();
                self.have_relations(&follows).await
            }
            RequiredRelation::Membership(readers) => {
                let joined = |person: &UserId| {
                    redis::cmd("ZSCORE").with((keys::memberships(person), readers.group.get()))
                };
                let joined = self
                    .connection
                    .query_each(people.iter().map(joined))
                    .await?;
                let joined: Vec<Option<f64>> = joined;
                let includes = |joined: f64| readers.include(joined as u64);
                Ok(joined
                    .into_iter()
                    .map(|one| one.is_some_and(includes))
                    .collect())
            }
        }
    }

    /// Returns those of these people who may see a status: its readers without a block between them and its author. One
    /// round trip, none without people.
    pub async fn people_who_may_see(
        &self,
        status: &StatusHeader,
        people: Vec<UserId>,
    ) -> Result<Vec<UserId>> {
        if people.is_empty() {
            return Ok(people);
        }
        let author = status.author;
        let blocks = people.iter().flat_map(|person| {
            let (person, author) = (*person, author);
            [
                Relation::Block(author, person),
                Relation::Block(person, author),
            ]
        });
        let blocks: Vec<Relation> = blocks.collect();
        let (blocks, are_readers) = try_join!(
            self.have_relations(&blocks),
            self.are_readers(status, &people)
        )?;
        let are_blocked = blocks.chunks(2).map(|blocks| blocks.contains(&true));
        let rows = people.into_iter().zip(are_readers).zip(are_blocked);
        let readers = rows.filter(|((_, is_reader), is_blocked)| *is_reader && !is_blocked);
        Ok(readers.map(|((person, _), _)| person).collect())
    }

    /// Splits the recipients of notifications about a status into those who may see it and the others. One round
    /// trip for a status that only followers or members of a group see.
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
