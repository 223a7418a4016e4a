//! Groups. A group has one slot: its texts, its people with their roles, and its log. One script decides each change, so
//! limits, bans and the one owner are exact. The slots of its people hold copies: their groups, those with posts on their
//! home, their requests and invitations, and the notices to them.

pub(super) mod calls;
pub(super) mod deletion;
pub(super) mod directory;
pub(super) mod log;
pub(super) mod members;
pub(super) mod row;

use std::sync::Arc;

use self::{
    calls::{EditGroup, FoundGroup, GroupKeys, ReadGroup},
    row::{Group, SeenGroup},
};
use super::{
    access::groups::may_find_group,
    people::calls::{CommitLogin, FreeLogin},
    prelude::*,
};
use crate::domain::{
    GroupDescription, GroupId, GroupKind, GroupName, GroupReaders, GroupRules, GroupSlug, GroupTie,
    IdempotencyKey, Joining, LoggedGroupAct, Past, ShownValues, flag,
};

/// Number of acts that the log of a group keeps.
pub const GROUP_ACTS_KEPT: usize = 500;
/// Number of former names whose words search can still hold.
const FORMER_NAMES_KEPT: usize = 10;

/// The texts and settings of a group that its owner can change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupSettings {
    pub name: GroupName,
    pub description: GroupDescription,
    pub rules: GroupRules,
    pub joining: Joining,
    pub past: Past,
    pub is_unlisted: bool,
    pub closes_replies: bool,
}

/// A new group, with the choices that never change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupDraft {
    pub slug: GroupSlug,
    pub kind: GroupKind,
    /// The readers that the founder chose. Only an announcement group has this choice.
    pub readable_by: GroupReaders,
    pub settings: GroupSettings,
}

outcomes! {
    pub enum FoundOutcome {
        /// By this call or an earlier one.
        Founded = "founded",
        /// The form founded a group with other texts, or one that was deleted or that the founder has left.
        Conflict = "conflict",
    }
}

outcomes! {
    pub enum EditGroupOutcome {
        Done = "done",
        NotFound = "not_found",
        /// Another device changed one of the fields meanwhile. Nothing is changed.
        Conflict = "conflict",
    }
}

impl GroupSettings {
    /// Returns the settings that agree with the kind of a group. Only private groups can be unlisted, and no one asks to
    /// join a group that they do not find.
    #[must_use]
    pub fn for_kind(mut self, kind: GroupKind) -> Self {
        self.is_unlisted &= kind == GroupKind::Private;
        self.closes_replies &= kind == GroupKind::Announcement;
        if self.is_unlisted || kind == GroupKind::Private && self.joining == Joining::Open {
            self.joining = match self.is_unlisted {
                true => Joining::Invitation,
                false => Joining::Request,
            };
        }
        self
    }

    /// Returns the stored fields besides the name, with their values. An empty value is no field.
    fn fields(&self) -> [(&'static str, &str); 6] {
        [
            ("description", self.description.as_str()),
            ("rules", self.rules.as_str()),
            ("joining", self.joining.as_str()),
            ("past", self.past.as_str()),
            ("unlisted", flag(self.is_unlisted)),
            ("replies_closed", flag(self.closes_replies)),
        ]
    }
}

/// Returns the stored values of [`GroupSettings::fields`], in their order.
fn stored_fields(group: &Group) -> [&str; 6] {
    [
        group.description.as_str(),
        group.rules.as_str(),
        group.joining.as_str(),
        group.past.as_str(),
        flag(group.is_unlisted),
        flag(group.closes_replies),
    ]
}

impl Store {
    /// Assigns a name in addresses to a group, which commits its founding. Returns the group that has the name.
    pub async fn commit_group_name(
        &self,
        call: &Call,
        slug: &GroupSlug,
        group: GroupId,
    ) -> Result<Option<GroupId>> {
        let commit = CommitLogin {
            login: keys::group_name(slug),
            deadline_ms: call.deadline(),
            user_id: group.get(),
        };
        let holder: String = self.connection.write_durably(commit.command()).await?;
        Ok(holder.parse().ok())
    }

    /// Frees the name of a group that does not exist.
    pub async fn free_group_name(
        &self,
        call: &Call,
        slug: &GroupSlug,
        group: GroupId,
    ) -> Result<()> {
        let free = FreeLogin {
            login: keys::group_name(slug),
            deadline_ms: call.deadline(),
            user_id: group.get(),
        };
        self.connection.run(&free).await
    }

    /// Returns the group that has a name in addresses.
    pub async fn group_named(&self, slug: &GroupSlug) -> Result<Option<GroupId>> {
        let get = redis::cmd("GET").with(keys::group_name(slug));
        let id: Option<String> = self.connection.query(get).await?;
        Ok(id.and_then(|id| id.parse().ok()))
    }

    /// Founds a group, the source of truth.
    pub async fn create_group(
        &self,
        call: &Call,
        (group, founder): (GroupId, &Actor),
        draft: &GroupDraft,
        entry: &LoggedGroupAct,
    ) -> Result<FoundOutcome> {
        let settings = draft.settings.clone().for_kind(draft.kind);
        let permanent = [
            ("name", settings.name.as_str()),
            ("kind", draft.kind.as_str()),
            ("readers", draft.kind.readers(draft.readable_by).as_str()),
        ];
        let fields = settings.fields().into_iter().chain(permanent);
        let fields = words_of_fields(fields.filter(|(_, value)| !value.is_empty()));
        let words: Vec<&str> = fields.iter().map(String::as_str).collect();
        let found = FoundGroup {
            group: keys::group(group),
            members: keys::group_members(group),
            roles: keys::group_roles(group),
            home: keys::group_home(group),
            notified: keys::group_notified(group),
            log: keys::group_log(group),
            deadline_ms: call.deadline(),
            founder: founder.id().get(),
            slug: draft.slug.to_string(),
            digest: IdempotencyKey::of_words(&words).as_str().to_owned(),
            entry: entry.to_json(),
            age_ms: founder.age_ms(),
            fields,
        };
        self.connection.run_durably(&found).await
    }

    /// Changes the texts and settings of a group that the sender of the form changed, if they are still those of this
    /// row.
    pub async fn edit_group(
        &self,
        call: &Call,
        (row, actor): (&Group, UserId),
        (settings, shown): (&GroupSettings, &ShownValues),
        entry: &LoggedGroupAct,
    ) -> Result<EditGroupOutcome> {
        let is_changed = |(field, value): &(&'static str, &str)| !shown.is_unchanged(field, value);
        let name = Some(("name", settings.name.as_str())).filter(is_changed);
        let fields = settings.fields().into_iter().zip(stored_fields(row));
        let fields = fields.filter(|(field, _)| is_changed(field));
        let fields = fields.flat_map(|((field, value), stored)| {
            [field.to_owned(), expected(Some(stored)), value.to_owned()]
        });
        let edit = EditGroup {
            group: keys::group(row.id),
            roles: keys::group_roles(row.id),
            log: keys::group_log(row.id),
            deadline_ms: call.deadline(),
            actor: actor.get(),
            name: name.map_or("", |(_, name)| name).to_owned(),
            expected_name: expected(Some(&row.name)),
            entry: entry.to_json(),
            max_acts: GROUP_ACTS_KEPT,
            max_former: FORMER_NAMES_KEPT,
            fields: fields.collect(),
        };
        self.connection.run_durably(&edit).await
    }

    /// Returns the group with a name in addresses, if the viewer finds it. Two round trips, also for a group that does not
    /// exist.
    pub async fn find_group(
        &self,
        viewer: Viewer,
        slug: Option<&GroupSlug>,
    ) -> Result<Option<SeenGroup>> {
        let id = match slug {
            Some(slug) => self.group_named(slug).await?,
            None => None,
        };
        let id = id.unwrap_or(GroupId::NONE);
        let Some(seen) = self.seen_group(viewer, id).await? else {
            return Ok(None);
        };
        Ok(Some(seen).filter(|seen| may_find_group(&seen.group, seen.tie)))
    }

    /// Returns a group with the tie of the viewer. One round trip.
    async fn seen_group(&self, viewer: Viewer, id: GroupId) -> Result<Option<SeenGroup>> {
        let read_both = ReadGroup {
            keys: GroupKeys::of(id),
            person: viewer.id().map_or_else(String::new, |id| id.to_string()),
            fields: Group::FIELDS.map(str::to_owned).to_vec(),
        };
        let (fields, tie): (Vec<Option<String>>, String) =
            self.connection.query(read_both.command()).await?;
        let tie = tie
            .parse()
            .map_err(|_| ReadGroup::SCRIPT.undocumented(&tie))?;
        let group = Group::of_fields(id, fields)?.map(Arc::new);
        Ok(group.map(|group| SeenGroup { group, tie, viewer }))
    }

    /// Returns a group, also one that is being deleted.
    pub async fn group(&self, id: GroupId) -> Result<Option<Group>> {
        Group::parse(&id, self.connection.query(Group::command(&id)).await?)
    }

    /// Returns the tie of a person to a group. One round trip.
    pub async fn group_tie(&self, group: GroupId, person: UserId) -> Result<GroupTie> {
        let seen = self.seen_group(Viewer::Member(person), group).await?;
        Ok(seen.map_or(GroupTie::None, |seen| seen.tie))
    }
}

/// Returns fields and values in turn, as the scripts of groups take them.
fn words_of_fields<'a>(fields: impl Iterator<Item = (&'static str, &'a str)>) -> Vec<String> {
    let words = fields.flat_map(|(field, value)| [field, value]);
    words.map(str::to_owned).collect()
}
