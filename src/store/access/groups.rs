//! Who finds a group, who reads it, and who can do what in it. All decisions follow from the group and from the tie of
//! the viewer.

use std::{collections::HashMap, sync::Arc};

use super::related_ids::RelatedIds;
use crate::{
    domain::{
        GroupId, GroupPower, GroupReaders, GroupTie, NotificationKind,
        may_act_on_member as may_act_on_role, may_in_group,
    },
    store::{Group, SeenGroup, prelude::*},
};

/// Returns whether a person finds a group: on its page, in lists of groups, and in notifications. An unlisted group exists
/// only for its people. A banned person is none of them.
pub(in crate::store) fn may_find_group(group: &Group, tie: GroupTie) -> bool {
    let is_known = !matches!(tie, GroupTie::None | GroupTie::Banned);
    !group.is_gone && (is_known || !group.is_unlisted)
}

/// Returns whether a person reads the posts of a group.
pub(in crate::store) fn may_read_group(group: &Group, is_member: bool) -> bool {
    is_member || group.readable_by == GroupReaders::Everyone
}

impl SeenGroup {
    /// Returns whether the viewer reads the posts.
    pub fn may_read(&self) -> bool {
        may_read_group(&self.group, self.tie.membership().is_some())
    }

    /// Returns whether the viewer sees the list of members: members do, and everyone who is logged in if everyone reads
    /// the group.
    pub fn may_see_members(&self) -> bool {
        self.tie.membership().is_some() || self.viewer.id().is_some() && self.may_read()
    }

    /// Returns whether the viewer may use a power. The reading check comes first: only members have powers.
    pub fn may(&self, power: GroupPower) -> bool {
        self.may_read() && may_in_group(self.tie.role(), power)
    }

    /// Returns whether the viewer may remove, mute or ban a person with this tie.
    pub fn may_act_on(&self, other: GroupTie) -> bool {
        self.may_read() && may_act_on_role(self.tie.role(), other.role())
    }
}

impl Store {
    /// Returns the groups of these notifications, as far as the reader still belongs to them or is invited. One round trip
    /// if there are any and they are not cached.
    pub(in crate::store) async fn notified_groups(
        &self,
        reader: UserId,
        kinds: impl Iterator<Item = NotificationKind>,
    ) -> Result<HashMap<NotificationKind, Arc<Group>>> {
        let kinds = kinds.filter_map(|kind| Some((kind, kind.group()?)));
        let kinds: Vec<(NotificationKind, GroupId)> = kinds.collect();
        if kinds.is_empty() {
            return Ok(HashMap::new());
        }
        let ids: Vec<GroupId> = kinds.iter().map(|(_, group)| *group).collect();
        let related = [Key::Memberships(reader), Key::GroupInvitations(reader)];
        let (groups, related) = self
            .rows_of_both::<Group, RelatedIds>(&ids, &related)
            .await?;
        let mut related = related.into_iter();
        let mut next = || related.next().flatten().unwrap_or_default();
        let (memberships, invitations) = (next(), next());
        let found = kinds
            .into_iter()
            .zip(groups)
            .filter_map(|((kind, id), group)| {
                let is_current = match kind {
                    NotificationKind::GroupInvitation(_) => invitations.has(id.get()),
                    _ => memberships.has(id.get()),
                };
                let group = group.filter(|group| is_current && !group.is_gone)?;
                Some((kind, group))
            });
        Ok(found.collect())
    }
}
