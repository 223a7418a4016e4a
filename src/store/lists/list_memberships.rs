//! Single steps on list memberships: the source of truth in the slot of the list's owner, the mirror in
//! the member's slot.

use super::edited;
use crate::{
    domain::{ListId, Thing, UserId},
    store::{
        Actor, Call, EditList, Error, Mirror, OutboxEntry, Result, Store,
        follows::Mirrored,
        keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
    },
};

impl Store {
    /// Writes the outbox entry, then adds a member, in two round trips.
    pub async fn add_member(
        &self,
        call: &Call,
        actor: &Actor,
        list: ListId,
        member: UserId,
    ) -> Result<(EditList, OutboxEntry)> {
        let outbox_entry = self
            .add_outbox_entry(&Thing::ListMembership(list, member))
            .await?;
        let add = scripts::ADD_MEMBER
            .on([
                keys::lists(list.owner),
                keys::list_members(list),
                keys::excluded(list.owner),
                keys::home(list.owner),
                keys::active(list.owner),
                keys::following(list.owner),
                keys::auth(list.owner),
                keys::followed_tags(list.owner),
            ])
            .with(call.deadline())
            .with(list.owner.get())
            .with(list.number.get())
            .with(member.get())
            .with(self.config.limits.max_list_members)
            .with(actor.epoch());
        let answer = self.connection.keep::<i64>(add).await?;
        self.edited(&scripts::ADD_MEMBER, answer, outbox_entry)
            .await
    }

    /// Writes the outbox entry, then removes a member, in two round trips.
    pub async fn remove_member(
        &self,
        call: &Call,
        actor: &Actor,
        list: ListId,
        member: UserId,
    ) -> Result<(EditList, OutboxEntry)> {
        let outbox_entry = self
            .add_outbox_entry(&Thing::ListMembership(list, member))
            .await?;
        let remove = scripts::REMOVE_MEMBER
            .on([
                keys::lists(list.owner),
                keys::list_members(list),
                keys::excluded(list.owner),
                keys::home(list.owner),
                keys::active(list.owner),
                keys::following(list.owner),
                keys::auth(list.owner),
                keys::followed_tags(list.owner),
            ])
            .with(call.deadline())
            .with(list.owner.get())
            .with(list.number.get())
            .with(member.get())
            .with(actor.epoch());
        let answer = self.connection.keep::<i64>(remove).await?;
        self.edited(&scripts::REMOVE_MEMBER, answer, outbox_entry)
            .await
    }

    /// Returns whether a person is a member of an existing list.
    pub async fn is_listed(&self, list: ListId, member: UserId) -> Result<bool> {
        let reads = vec![
            redis::cmd("HEXISTS")
                .with(keys::lists(list.owner))
                .with(list.number.get()),
            redis::cmd("ZSCORE")
                .with(keys::list_members(list))
                .with(member.get()),
        ];
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let (there, score): (bool, Option<f64>) = (read(next())?, read(next())?);
        Ok(there && score.is_some())
    }

    /// Writes the member's side and reads their newest `count` statuses in the same step.
    pub async fn mirror_list_membership(
        &self,
        call: &Call,
        list: ListId,
        member: UserId,
        count: usize,
    ) -> Result<Mirror> {
        let mirror = scripts::MIRROR_EDGE
            .on([
                keys::list_memberships(member),
                keys::user(member),
                keys::profile(member),
                keys::received_replies(member),
            ])
            .with(call.deadline())
            .with(list.to_string())
            .with(count)
            .with("");
        Ok(self.connection.query::<Mirrored>(mirror).await?.into())
    }

    /// Removes the member's side.
    pub async fn unmirror_list_membership(
        &self,
        call: &Call,
        list: ListId,
        member: UserId,
    ) -> Result<()> {
        let unmirror = scripts::UNMIRROR_EDGE
            .on([keys::list_memberships(member), keys::user(member)])
            .with(call.deadline())
            .with(list.to_string())
            .with("");
        self.connection.query::<i64>(unmirror).await.map(drop)
    }

    /// Removes a deleted list from the memberships of these people. One round trip.
    pub async fn unlist_all(&self, list: ListId, members: &[UserId]) -> Result<()> {
        let unlist = |member: &UserId| {
            redis::cmd("ZREM")
                .with(keys::list_memberships(*member))
                .with(list.to_string())
        };
        let commands = members.iter().map(unlist).collect();
        self.connection.batch(commands).await.map(drop)
    }

    /// Removes the outbox entry if nothing was written.
    async fn edited(
        &self,
        script: &scripts::Script,
        answer: i64,
        outbox_entry: OutboxEntry,
    ) -> Result<(EditList, OutboxEntry)> {
        match edited(script, answer) {
            Err(Error::Ended) => self.ended(outbox_entry).await,
            outcome => Ok((outcome?, outbox_entry)),
        }
    }
}
