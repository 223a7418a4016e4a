//! Who posts and replies in a group, and who sees what is posted there. A page decides by cached rows. A post is
//! decided by the group's slot, before it is written and again afterwards, so a ban and a post at the same moment
//! cannot both take effect.

use std::sync::Arc;

use futures_util::try_join;

use super::{Access, StatusRow, related_ids::RelatedIds};
use crate::{
    domain::{
        GroupId, GroupKind, GroupMembers, GroupPostRefusal, GroupPower, GroupReaders, GroupTie,
        LoggedGroupAct, Past, Readers, may_act_on_member, may_in_group,
    },
    store::{Group, SeenGroup, prelude::*},
};

/// Whether a person may post in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupPosting {
    /// A post has these readers. A reply has those of its conversation.
    Permitted(Readers),
    Refused(GroupPostRefusal),
}

/// What a person writes in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupText {
    Post,
    Reply,
}

script_calls! {
    RemoveGroupPost = "remove_group_post"(status; deadline_ms: u64, group: u64, entry: String);
}

outcomes! {
    pub enum RemovePostOutcome {
        /// By this call or an earlier one.
        Done = "done",
        /// There is no such post in this group, or the person may not remove it.
        NotFound = "not_found",
    }
}

/// The text of a removal whose act is in the log of the group.
const LOGGED: &str = "1";

impl Access {
    /// Returns whether cards of the viewer name a group: one that everyone finds, or one of the viewer's groups.
    pub fn names_group(&self, group: &Group) -> bool {
        !group.is_gone && (group.is_listed() || self.is_member_of(group.id))
    }

    /// Returns whether the group of a status lets the viewer reply: members, while replies are open. `group` is its
    /// group as it was read.
    pub fn may_reply_in_group(&self, status: &StatusRow, group: Option<&Group>) -> bool {
        let Some(id) = status.group else {
            return true;
        };
        self.is_member_of(id) && group.is_some_and(|group| !group.closes_replies)
    }
}

/// Returns the readers of a post that is written in a group at this time.
fn readers_in_group(group: &Group, now: UnixMs) -> Readers {
    match group.readable_by {
        GroupReaders::Everyone => Readers::Everyone,
        GroupReaders::Members => Readers::MembersOf(GroupMembers {
            group: group.id,
            joined_by: (group.past == Past::SinceJoining).then_some(now),
        }),
    }
}

impl SeenGroup {
    /// Returns whether the viewer may post in the group at this time.
    pub fn may_post(&self, now: UnixMs) -> bool {
        refusal(&self.group, self.tie, GroupText::Post, now).is_none()
    }
}

/// Returns whether the composer of a member offers a group. Announcements come from the owner; other moderators write
/// them on the page of the group.
fn offers_posts_to(group: &Group, person: UserId) -> bool {
    let is_open = group.kind != GroupKind::Announcement || group.owner == Some(person);
    is_open && !group.is_gone
}

/// Returns why a person may not write in a group.
fn refusal(group: &Group, tie: GroupTie, text: GroupText, now: UnixMs) -> Option<GroupPostRefusal> {
    let Some(membership) = tie.membership() else {
        return Some(GroupPostRefusal::NotMember);
    };
    if membership.muted_until > now {
        return Some(GroupPostRefusal::Muted(membership.muted_until));
    }
    let is_moderator = may_in_group(Some(membership.role), GroupPower::Moderate);
    match text {
        GroupText::Reply => group
            .closes_replies
            .then_some(GroupPostRefusal::RepliesClosed),
        GroupText::Post => (group.kind == GroupKind::Announcement && !is_moderator)
            .then_some(GroupPostRefusal::OnlyModerators),
    }
}

impl Store {
    /// Returns the groups in which a person can post, ordered by name. At most two round trips, none if cached.
    pub async fn post_groups(&self, person: UserId) -> Result<Vec<Arc<Group>>> {
        let memberships = self
            .rows_of::<RelatedIds>(&[Key::Memberships(person)])
            .await?;
        let memberships = memberships.into_iter().next().flatten().unwrap_or_default();
        let ids: Vec<GroupId> = memberships
            .ids()
            .filter_map(|id| GroupId::new(id).ok())
            .collect();
        let rows = self.rows_of::<Group>(&ids).await?;
        let rows = rows.into_iter().flatten();
        let mut groups: Vec<Arc<Group>> = rows
            .filter(|group| offers_posts_to(group, person))
            .collect();
        groups.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(groups)
    }

    /// Returns whether a person may write in a group, by what is stored now in the group's slot. One round trip.
    pub async fn group_posting(
        &self,
        by: UserId,
        id: GroupId,
        text: GroupText,
    ) -> Result<GroupPosting> {
        let (group, tie, now) = try_join!(self.group(id), self.group_tie(id, by), self.now())?;
        let Some(group) = group.filter(|group| !group.is_gone) else {
            return Ok(GroupPosting::Refused(GroupPostRefusal::NotMember));
        };
        Ok(match refusal(&group, tie, text, now) {
            Some(refusal) => GroupPosting::Refused(refusal),
            None => GroupPosting::Permitted(readers_in_group(&group, now)),
        })
    }

    /// Returns whether a person may remove a status of another person from its group. One round trip for a status in a
    /// group.
    pub async fn may_remove_from_group(
        &self,
        viewer: Viewer,
        status: &VisibleStatus,
    ) -> Result<bool> {
        let (Viewer::Member(by), Some(group)) = (viewer, status.group_id()) else {
            return Ok(false);
        };
        let person = status.author().id;
        if by == person {
            return Ok(false);
        }
        let (own, other) = try_join!(self.group_tie(group, by), self.group_tie(group, person))?;
        Ok(may_act_on_member(own.role(), other.role()))
    }

    /// Removes a post from its group, the source of truth, with the act for the log.
    pub async fn remove_group_post(
        &self,
        call: &Call,
        (group, id): (GroupId, StatusId),
        entry: &LoggedGroupAct,
    ) -> Result<RemovePostOutcome> {
        let entry = entry.to_json();
        self.set_removed(call, (group, id), entry).await
    }

    /// Notes that the act of a removal is in the log of the group.
    pub async fn note_removal_logged(
        &self,
        call: &Call,
        post: (GroupId, StatusId),
    ) -> Result<RemovePostOutcome> {
        self.set_removed(call, post, LOGGED.to_owned()).await
    }

    async fn set_removed(
        &self,
        call: &Call,
        (group, id): (GroupId, StatusId),
        entry: String,
    ) -> Result<RemovePostOutcome> {
        let remove = RemoveGroupPost {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            group: group.get(),
            entry,
        };
        self.connection.run_durably(&remove).await
    }

    /// Returns the act of a removal that may not be in the log of the group yet. One round trip.
    pub async fn unlogged_removal(&self, id: StatusId) -> Result<Option<LoggedGroupAct>> {
        let read = redis::cmd("HGET").with((keys::status(id), "removed_from_group"));
        let entry: Option<String> = self.connection.query(read).await?;
        Ok(entry.and_then(|entry| entry.parse().ok()))
    }
}
