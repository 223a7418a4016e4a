//! The calls of the scripts of groups.

use crate::{
    domain::GroupId,
    store::{
        prelude::*,
        redis::script_call::{key_groups, script_calls},
    },
};

key_groups! {
    /// The keys of a group from which the ties of its people follow.
    GroupKeys(
        group: String, members: String, roles: String, home: String, notified: String, muted: String, banned: String,
        requests: String, invited: String, inviters: String
    );

    /// The same with the log.
    LoggedGroupKeys(tied: GroupKeys, log: String);
}

impl GroupKeys {
    pub fn of(group: GroupId) -> Self {
        Self {
            group: keys::group(group),
            members: keys::group_members(group),
            roles: keys::group_roles(group),
            home: keys::group_home(group),
            notified: keys::group_notified(group),
            muted: keys::group_muted(group),
            banned: keys::group_banned(group),
            requests: keys::group_requests(group),
            invited: keys::group_invited(group),
            inviters: keys::group_inviters(group),
        }
    }
}

impl LoggedGroupKeys {
    pub fn of(group: GroupId) -> Self {
        Self {
            tied: GroupKeys::of(group),
            log: keys::group_log(group),
        }
    }
}

script_calls! {
    AddGroupNotice = "add_group_notice"(
        user, group_notices; deadline_ms: u64, notice: String, at_us: u64, max_notices: usize
    );
    ChangeMembership = "change_membership"(
        [keys: LoggedGroupKeys];
        deadline_ms: u64, person: u64, change: &'static str, delivery: &'static str, max_members: usize,
        max_requests: usize, max_acts: usize, token: String, tie_to_undo: String, age_ms: u64
    );
    ClearGroup = "clear_group"(
        group, members, requests, invited, [others: Vec<String>]; deadline_ms: u64
    );
    DeleteGroup = "delete_group"(group, roles; deadline_ms: u64, actor: String);
    EditGroup = "edit_group"(
        group, roles, log;
        deadline_ms: u64, actor: u64, name: String, expected_name: String, entry: String, max_acts: usize,
        max_former: usize, [fields: Vec<String>]
    );
    FoundGroup = "found_group"(
        group, members, roles, home, notified, log;
        deadline_ms: u64, founder: u64, slug: String, digest: String, entry: String, age_ms: u64,
        [fields: Vec<String>]
    );
    ListGroup = "list_group"(
        groups_listed; deadline_ms: u64, group: u64, active_us: u64, mode: &'static str
    );
    LogGroupAct = "log_group_act"(group, log; deadline_ms: u64, entry: String, max_acts: usize);
    ManageMember = "manage_member"(
        [keys: LoggedGroupKeys];
        deadline_ms: u64, actor: u64, person: u64, change: &'static str, until_ms: u64, entry: String,
        max_members: usize, max_invitations: usize, max_moderators: usize, max_bans: usize, max_acts: usize,
        removable_ms: u64, age_ms: u64
    );
    MarkNoticed = "mark_noticed"(group; deadline_ms: u64, at_us: u64);
    RaiseActivity = "raise_activity"(group; deadline_ms: u64, active_us: u64, least_us: u64);
    MirrorMembership = "mirror_membership"(
        user, memberships, home_groups, asked_groups, group_invitations, arrivals, channel;
        deadline_ms: u64, group: String, state: &'static str, at_us: u64, is_home: u8, max_groups: usize,
        max_waiting: usize
    );
    RecountGroup = "recount_group"(group, members, requests;);
    ReadGroup = "read_group"([keys: GroupKeys]; person: String, [fields: Vec<String>]);
}
