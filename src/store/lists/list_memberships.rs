//! Single steps on list memberships: the source of truth, in the slot of the list's owner, and the removal
//! of all mirrors of a deleted list.

use super::{ListOutcome, calls};
use crate::store::prelude::*;

impl Store {
    pub async fn add_member(
        &self,
        call: &Call,
        actor: &Actor,
        (list, member): (ListId, UserId),
    ) -> Result<ListOutcome> {
        let add = calls::AddMember {
            lists: keys::lists(list.owner),
            members: keys::list_members(list),
            excluded: keys::excluded(list.owner),
            home: keys::home(list.owner),
            active_mark: keys::active(list.owner),
            following: keys::following(list.owner),
            auth: keys::auth(list.owner),
            followed_tags: keys::followed_tags(list.owner),
            home_groups: keys::home_groups(list.owner),
            blocked: keys::blocked(list.owner),
            blocked_by: keys::blocked_by(list.owner),
            deadline_ms: call.deadline(),
            owner_id: list.owner.get(),
            list_number: list.number.get(),
            member: member.get(),
            limit: self.config.limits.max_list_members,
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&add).await
    }

    pub async fn remove_member(
        &self,
        call: &Call,
        actor: &Actor,
        (list, member): (ListId, UserId),
    ) -> Result<ListOutcome> {
        let [block, block_member, block_score] = actor.block_words();
        let remove = calls::RemoveMember {
            lists: keys::lists(list.owner),
            members: keys::list_members(list),
            excluded: keys::excluded(list.owner),
            home: keys::home(list.owner),
            active_mark: keys::active(list.owner),
            following: keys::following(list.owner),
            auth: keys::auth(list.owner),
            followed_tags: keys::followed_tags(list.owner),
            home_groups: keys::home_groups(list.owner),
            block,
            deadline_ms: call.deadline(),
            owner_id: list.owner.get(),
            list_number: list.number.get(),
            member: member.get(),
            session_epoch: actor.epoch().to_owned(),
            block_member,
            block_score,
        };
        self.connection.run_durably(&remove).await
    }

    pub async fn is_listed(&self, list: ListId, member: UserId) -> Result<bool> {
        let reads = [
            redis::cmd("HEXISTS").with((keys::lists(list.owner), list.number.get())),
            Place::new(Key::ListMembers(list), member).score(),
        ];
        let (there, score): (bool, Option<f64>) = self.connection.query_tuple(reads).await?;
        Ok(there && score.is_some())
    }

    /// Removes a deleted list from the memberships of these people. One round trip.
    pub async fn unlist_all(&self, list: ListId, members: &[UserId]) -> Result<()> {
        let unlist = |member: &UserId| {
            redis::cmd("ZREM").with((keys::list_memberships(*member), list.to_string()))
        };
        let commands = members.iter().map(unlist).collect();
        self.connection.batch(commands).await.map(drop)
    }
}
