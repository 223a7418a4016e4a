//! The deletion of a group, in passes: its people, then its keys.

use super::calls::{ClearGroup, DeleteGroup, RecountGroup};
use crate::{
    domain::{ActingPerson, GroupId},
    store::{KeyOwner, prelude::*},
};

outcomes! {
    pub enum DeleteGroupOutcome {
        /// By this call or an earlier one.
        Deleted = "deleted",
        NotFound = "not_found",
    }
}

outcomes! {
    pub enum ClearGroupOutcome {
        Cleared = "cleared",
        InUse = "in_use",
    }
}

impl Store {
    /// Begins the deletion of a group, by its owner or the host.
    pub async fn delete_group(
        &self,
        call: &Call,
        (group, by): (GroupId, ActingPerson),
    ) -> Result<DeleteGroupOutcome> {
        let delete = DeleteGroup {
            group: keys::group(group),
            roles: keys::group_roles(group),
            deadline_ms: call.deadline(),
            actor: by.to_string(),
        };
        self.connection.run_durably(&delete).await
    }

    /// Returns up to `count` people of a group of each kind: members, people who ask, and people who are invited.
    pub async fn some_people_of_group(&self, group: GroupId, count: usize) -> Result<Vec<UserId>> {
        let last = count.saturating_sub(1);
        let some = |key: String| redis::cmd("ZRANGE").with((key, 0, last));
        let reads = [
            some(keys::group_members(group)),
            some(keys::group_requests(group)),
            some(keys::group_invited(group)),
        ];
        let (mut people, asked, invited): (Vec<u64>, Vec<u64>, Vec<u64>) =
            self.connection.query_tuple(reads).await?;
        people.extend(asked.into_iter().chain(invited));
        people.sort_unstable();
        people.dedup();
        Ok(user_ids(people))
    }

    /// Removes people from a group that is being deleted, after their copies are removed. One round trip.
    pub async fn drop_people_of_group(&self, group: GroupId, people: &[UserId]) -> Result<()> {
        if people.is_empty() {
            return Ok(());
        }
        let ids: Vec<u64> = people.iter().map(|id| id.get()).collect();
        let keys = [
            keys::group_members(group),
            keys::group_requests(group),
            keys::group_invited(group),
        ];
        let drops = keys.map(|key| redis::cmd("ZREM").with(key).with(&ids));
        self.connection.batch(drops.to_vec()).await.map(drop)
    }

    /// Removes the keys of a group that is being deleted, unless it has people. A mark stays: no group gets its id again.
    pub async fn clear_group(&self, call: &Call, group: GroupId) -> Result<ClearGroupOutcome> {
        let first = [
            Key::Group(group),
            Key::GroupMembers(group),
            Key::GroupRequests(group),
            Key::GroupInvited(group),
        ];
        let mut others = Key::all_of(&KeyOwner::Group(group));
        others.retain(|key| !first.contains(key));
        let clear = ClearGroup {
            group: keys::group(group),
            members: keys::group_members(group),
            requests: keys::group_requests(group),
            invited: keys::group_invited(group),
            others: others.iter().map(Key::name).collect(),
            deadline_ms: call.deadline(),
        };
        self.connection.run(&clear).await
    }

    /// Returns whether each of these groups exists, also if it is being deleted. The mark of a deleted one is no group. One
    /// round trip.
    pub async fn groups_exist(&self, groups: &[GroupId]) -> Result<Vec<bool>> {
        let ask = |group: &GroupId| redis::cmd("HEXISTS").with((keys::group(group), "slug"));
        self.connection.query_each(groups.iter().map(ask)).await
    }

    /// Counts the people of a group again.
    pub async fn recount_group(&self, group: GroupId) -> Result<()> {
        let recount = RecountGroup {
            group: keys::group(group),
            members: keys::group_members(group),
            requests: keys::group_requests(group),
        };
        self.connection.run(&recount).await
    }
}
