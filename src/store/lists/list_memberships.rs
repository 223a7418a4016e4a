//! Single steps on list memberships: the source of truth, in the slot of the list's owner, and the removal
//! of all mirrors of a deleted list.

use super::ListOutcome;
use crate::{
    domain::{ListId, UserId},
    store::{
        Actor, Call, Relation, Result, Store, keys,
        redis::{connection::read, script_call::script_calls, scripts::With},
    },
};

script_calls! {
    ChangeMember = CHANGE_MEMBER(
        lists: String, members: String, excluded: String, home: String, active_mark: String,
        following: String, auth: String, followed_tags: String;
        deadline_ms: u64, owner_id: u64, list_number: u64, member: u64, change: i8, limit: usize,
        session_epoch: String
    );
}

/// A change of the members of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberChange {
    Add,
    Remove,
}

impl Store {
    /// Adds a member to a list or removes one.
    pub async fn change_member(
        &self,
        call: &Call,
        actor: &Actor,
        (list, member): (ListId, UserId),
        change: MemberChange,
    ) -> Result<ListOutcome> {
        let change = ChangeMember {
            lists: keys::lists(list.owner),
            members: keys::list_members(list),
            excluded: keys::excluded(list.owner),
            home: keys::home(list.owner),
            active_mark: keys::active(list.owner),
            following: keys::following(list.owner),
            auth: keys::auth(list.owner),
            followed_tags: keys::followed_tags(list.owner),
            deadline_ms: call.deadline(),
            owner_id: list.owner.get(),
            list_number: list.number.get(),
            member: member.get(),
            change: match change {
                MemberChange::Add => 1,
                MemberChange::Remove => -1,
            },
            limit: self.config.limits.max_list_members,
            session_epoch: actor.epoch().to_owned(),
        };
        let reply: String = self.connection.keep(change.command()).await?;
        ChangeMember::SCRIPT.outcome(&reply)
    }

    /// Returns whether a person is a member of an existing list.
    pub async fn is_listed(&self, list: ListId, member: UserId) -> Result<bool> {
        let reads = vec![
            redis::cmd("HEXISTS")
                .with(keys::lists(list.owner))
                .with(list.number.get()),
            Relation::list_membership(list, member).truth.score(),
        ];
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let (there, score): (bool, Option<f64>) = (read(next())?, read(next())?);
        Ok(there && score.is_some())
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
}
