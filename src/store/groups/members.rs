//! The people of a group: single steps on their ties, the copies in the slots of the people, and
//! reads of both.

use std::{collections::HashMap, sync::Arc};

use super::{
    GROUP_ACTS_KEPT,
    calls::{ChangeMembership, LoggedGroupKeys, ManageMember, MirrorMembership},
    row::Group,
};
use crate::{
    domain::{Delivery, GroupAct, GroupId, GroupRole, GroupTie, LoggedGroupAct},
    store::prelude::*,
};

/// Number of people who can ask to join a group at a time, and number of groups that a person can ask. As many
/// invitations wait for a person.
pub const MAX_GROUP_REQUESTS: usize = 1000;
pub const MAX_WAITING_GROUPS: usize = 50;
/// Number of invitations of a group without an answer.
pub const MAX_GROUP_INVITATIONS: usize = 200;
/// Number of moderators of a group, beside the owner.
pub const MAX_GROUP_MODERATORS: usize = 20;
/// Number of people that a group bans.
pub const MAX_GROUP_BANS: usize = 10_000;

/// A change of the tie of a person to a group, by that person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnChange {
    /// They join, or ask to join.
    Join,
    Withdraw,
    Decline,
    Leave,
    Deliver(Delivery),
    /// The account is deleted. Another member inherits the group of an owner, and a mute ends.
    Go,
    /// This tie is refused afterwards. Like `Go`, but a mute stays. If there is another tie by now, nothing changes.
    Undo(GroupTie),
}

outcomes! {
    pub enum OwnOutcome {
        /// By this call or an earlier one.
        Done = "done",
        NotFound = "not_found",
        Banned = "banned",
        /// People need an invitation.
        Closed = "closed",
        Full = "full",
        /// Too many people ask to join.
        TooMany = "too_many",
        /// The owner cannot leave.
        Owner = "owner",
        /// The last member is gone, so the deletion of the group has begun.
        Deserted = "deserted",
    }
}

outcomes! {
    pub enum ManageOutcome {
        /// By this call or an earlier one.
        Done = "done",
        /// There is no such group, or the actor has not the power.
        NotFound = "not_found",
        /// There is nothing to change, for example because the request was withdrawn.
        Unchanged = "unchanged",
        Full = "full",
        TooMany = "too_many",
        Banned = "banned",
        /// The person does not accept invitations from the actor.
        NotAccepted = "not_accepted",
        /// The person has the maximum number of groups or invitations.
        PersonFull = "person_full",
    }
}

outcomes! {
    pub enum MirrorTieOutcome {
        Done = "done",
        /// The person has the maximum number of groups.
        TooMany = "too_many",
        /// The account was deleted.
        Deleted = "deleted",
    }
}

/// The groups of a person.
#[derive(Debug, Clone, Default)]
pub struct OwnGroups {
    pub memberships: Vec<Arc<Group>>,
    pub invitations: Vec<Arc<Group>>,
    pub asked: Vec<Arc<Group>>,
}

impl OwnChange {
    /// Returns the word and the delivery of the script.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Join => ("join", ""),
            Self::Withdraw => ("withdraw", ""),
            Self::Decline => ("decline", ""),
            Self::Leave => ("leave", ""),
            Self::Deliver(delivery) => ("deliver", delivery.as_str()),
            Self::Go => ("go", ""),
            Self::Undo(_) => ("undo", ""),
        }
    }

    /// Returns the text of the tie that is taken back.
    fn tie_to_undo(self) -> String {
        match self {
            Self::Undo(tie) => tie.to_string(),
            _ => String::new(),
        }
    }
}

/// Returns the word of the script for an act on a person, and the end of a mute. `None` for other acts.
fn managing_words(act: &GroupAct) -> Option<(&'static str, u64)> {
    let word = match act {
        GroupAct::Accept(_) => "accept",
        GroupAct::Refuse(_) => "refuse",
        GroupAct::Invite(_) => "invite",
        GroupAct::WithdrawInvitation(_) => "uninvite",
        GroupAct::SetRole(_, GroupRole::Moderator) => "promote",
        GroupAct::SetRole(_, GroupRole::Member) => "demote",
        GroupAct::Remove(_) => "remove",
        GroupAct::Ban(_) => "ban",
        GroupAct::Unban(_) => "unban",
        GroupAct::Mute(_, until) => return Some(("mute", until.0)),
        GroupAct::Unmute(_) => "unmute",
        GroupAct::OfferOwnership(_) => "offer",
        GroupAct::WithdrawOffer(_) => "withdraw_offer",
        GroupAct::TakeOver(_) => "take_over",
        GroupAct::SetRole(_, GroupRole::Owner)
        | GroupAct::Found
        | GroupAct::ChangeSettings
        | GroupAct::RemovePost(..) => return None,
    };
    Some((word, 0))
}

impl Store {
    /// Returns whether a person can belong to another group.
    pub async fn has_room_for_group(&self, person: UserId) -> Result<bool> {
        let count = redis::cmd("ZCARD").with(keys::memberships(person));
        let count: usize = self.connection.query(count).await?;
        Ok(count < self.config.limits.max_groups)
    }

    /// Changes the tie of a person to a group, the source of truth.
    pub async fn change_membership(
        &self,
        call: &Call,
        (group, actor): (GroupId, &Actor),
        change: OwnChange,
    ) -> Result<OwnOutcome> {
        let (word, delivery) = change.words();
        let tie_to_undo = change.tie_to_undo();
        let change = ChangeMembership {
            keys: LoggedGroupKeys::of(group),
            deadline_ms: call.deadline(),
            person: actor.id().get(),
            change: word,
            delivery,
            max_members: self.config.limits.max_group_members,
            max_requests: MAX_GROUP_REQUESTS,
            max_acts: GROUP_ACTS_KEPT,
            token: format!("{:016x}", rand::random::<u64>()),
            tie_to_undo,
            age_ms: actor.age_ms(),
        };
        self.connection.run_durably(&change).await
    }

    /// Does an act on a person, the source of truth, and adds it to the log. The age dates the act back.
    pub async fn manage_member(
        &self,
        call: &Call,
        (group, person): (GroupId, UserId),
        (entry, age_ms): (&LoggedGroupAct, u64),
    ) -> Result<ManageOutcome> {
        let Some((change, until_ms)) = managing_words(&entry.act) else {
            return Ok(ManageOutcome::NotFound);
        };
        let manage = ManageMember {
            keys: LoggedGroupKeys::of(group),
            deadline_ms: call.deadline(),
            actor: entry.by.get(),
            person: person.get(),
            change,
            until_ms,
            entry: entry.to_json(),
            max_members: self.config.limits.max_group_members,
            max_invitations: MAX_GROUP_INVITATIONS,
            max_moderators: MAX_GROUP_MODERATORS,
            max_bans: MAX_GROUP_BANS,
            max_acts: GROUP_ACTS_KEPT,
            removable_ms: match entry.act {
                GroupAct::Mute(..) => self.removable_until().await.0,
                _ => 0,
            },
            age_ms,
        };
        self.connection.run_durably(&manage).await
    }

    /// Writes the copy of a tie in the slot of the person.
    pub async fn mirror_membership(
        &self,
        call: &Call,
        (group, person): (GroupId, UserId),
        tie: GroupTie,
    ) -> Result<MirrorTieOutcome> {
        self.connection
            .run(&self.mirror_of(call, (group, person), tie))
            .await
    }

    /// Removes the copies of a group that is being deleted from the slots of these people. One round trip.
    pub async fn unmirror_memberships(
        &self,
        call: &Call,
        group: GroupId,
        people: &[UserId],
    ) -> Result<()> {
        let unmirror = |person: &UserId| {
            let unmirror = self.mirror_of(call, (group, *person), GroupTie::None);
            unmirror.command()
        };
        let commands = people.iter().map(unmirror).collect();
        self.connection.batch(commands).await.map(drop)
    }

    fn mirror_of(
        &self,
        call: &Call,
        (group, person): (GroupId, UserId),
        tie: GroupTie,
    ) -> MirrorMembership {
        let (state, at_us) = match tie {
            GroupTie::None | GroupTie::Banned => ("none", 0),
            GroupTie::Asked { at_us } => ("asked", at_us),
            GroupTie::Invited { at_us, .. } => ("invited", at_us),
            GroupTie::Member(membership) => ("member", membership.joined_us),
        };
        let delivery = tie.membership().map(|membership| membership.delivery);
        MirrorMembership {
            user: keys::user(person),
            memberships: keys::memberships(person),
            home_groups: keys::home_groups(person),
            asked_groups: keys::asked_groups(person),
            group_invitations: keys::group_invitations(person),
            arrivals: keys::arrivals(person),
            channel: keys::live(person),
            deadline_ms: call.deadline(),
            group: group.to_string(),
            state,
            at_us,
            is_home: u8::from(delivery.is_some_and(|delivery| delivery != Delivery::Page)),
            max_groups: self.config.limits.max_groups,
            max_waiting: MAX_WAITING_GROUPS,
        }
    }

    /// Returns the people with a role in a group: the owner and the moderators. One round trip.
    pub async fn group_roles(&self, group: GroupId) -> Result<HashMap<UserId, GroupRole>> {
        let all = redis::cmd("HGETALL").with(keys::group_roles(group));
        let rows: Vec<(String, String)> = self.connection.query(all).await?;
        let role = |(id, role): (String, String)| Some((id.parse().ok()?, role.parse().ok()?));
        Ok(rows.into_iter().filter_map(role).collect())
    }

    /// Returns the groups of a person, all of which they find. Two round trips.
    pub async fn own_groups(&self, of: UserId) -> Result<OwnGroups> {
        let all = |key: String| redis::cmd("ZREVRANGE").with((key, 0, -1));
        let reads = [
            all(keys::memberships(of)),
            all(keys::group_invitations(of)),
            all(keys::asked_groups(of)),
        ];
        let (memberships, invitations, asked): (Vec<u64>, Vec<u64>, Vec<u64>) =
            self.connection.query_tuple(reads).await?;
        let counts = [memberships.len(), invitations.len(), asked.len()];
        let ids = memberships.into_iter().chain(invitations).chain(asked);
        let ids: Vec<GroupId> = ids.filter_map(|id| GroupId::new(id).ok()).collect();
        let mut rows = self.rows_of::<Group>(&ids).await?.into_iter();
        let mut next = |count: usize| {
            let some: Vec<Option<Arc<Group>>> = rows.by_ref().take(count).collect();
            let is_there = |group: &Arc<Group>| !group.is_gone;
            some.into_iter().flatten().filter(is_there).collect()
        };
        let [memberships, invitations, asked] = counts.map(&mut next);
        Ok(OwnGroups {
            memberships,
            invitations,
            asked,
        })
    }
}
