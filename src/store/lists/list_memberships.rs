//! Single steps on who stands in which list: the truth in the slot of the list's owner, its mirror in
//! the slot of whoever stands in it.

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
    /// Reminds, then puts a person into a list. A reminder that could not be left leaves the truth
    /// alone, so this takes two trips.
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
                keys::tags(list.owner),
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

    /// Reminds, then takes a person out of a list. A reminder that could not be left leaves the
    /// truth alone, so this takes two trips.
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
                keys::tags(list.owner),
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

    /// Whether somebody stands in a list that is there.
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

    /// Writes the member's side of a listing, and reads their newest `count` statuses in the same
    /// step.
    pub async fn mirror_list_membership(
        &self,
        call: &Call,
        list: ListId,
        member: UserId,
        count: usize,
    ) -> Result<Mirror> {
        let mirror = scripts::MIRROR_EDGE
            .on([
                keys::listed(member),
                keys::user(member),
                keys::profile(member),
                keys::answered(member),
            ])
            .with(call.deadline())
            .with(list.to_string())
            .with(count)
            .with("");
        Ok(self.connection.query::<Mirrored>(mirror).await?.into())
    }

    /// Removes the member's side of a listing.
    pub async fn unmirror_list_membership(
        &self,
        call: &Call,
        list: ListId,
        member: UserId,
    ) -> Result<()> {
        let unmirror = scripts::UNMIRROR_EDGE
            .on([keys::listed(member), keys::user(member)])
            .with(call.deadline())
            .with(list.to_string())
            .with("");
        self.connection.query::<i64>(unmirror).await.map(drop)
    }

    /// Takes a list that is gone out of those that these people stand in. One trip.
    pub async fn unlist_all(&self, list: ListId, members: &[UserId]) -> Result<()> {
        let unlist = |member: &UserId| {
            redis::cmd("ZREM")
                .with(keys::listed(*member))
                .with(list.to_string())
        };
        let commands = members.iter().map(unlist).collect();
        self.connection.batch(commands).await.map(drop)
    }

    /// Where nothing was written there is nothing to be reminded of.
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
