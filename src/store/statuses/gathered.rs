//! The statuses and people that were read for one page: which others they refer to, and what of them the viewer sees.

use std::{iter, sync::Arc};

use foldhash::fast::RandomState;

use super::status_row::StatusRow;
use crate::{
    domain::{GroupId, IdMap, IdSet, Repliers},
    store::{
        Group, MuteReason, Original, ReplyLimit, ReplyTo,
        access::{Access, Root, readers_of},
        prelude::*,
        visible_status::ViewerMarks,
    },
};

/// The statuses and people read for one page.
pub(super) struct Gathered {
    pub(super) access: Access,
    pub(super) rows: IdMap<StatusId, Arc<StatusRow>>,
    /// Statuses that were read, also those that do not exist.
    pub(super) read: IdSet<StatusId>,
    pub(super) users: IdMap<UserId, Arc<User>>,
    /// People who were read, also those who do not exist.
    pub(super) asked_users: IdSet<UserId>,
    /// Groups that were read. `None` for one that does not exist.
    pub(super) groups: IdMap<GroupId, Option<Arc<Group>>>,
    pub(super) viewer_marks: IdMap<StatusId, ViewerMarks>,
    /// Statuses with originals or replied-to statuses that are still to be read.
    pub(super) next_level: Vec<StatusId>,
}

impl Gathered {
    /// Returns an empty collection with room for `count` statuses.
    pub(super) fn new(access: Access, count: usize) -> Self {
        Self {
            access,
            rows: IdMap::with_capacity_and_hasher(count, RandomState::default()),
            read: IdSet::with_capacity_and_hasher(count, RandomState::default()),
            users: IdMap::with_capacity_and_hasher(count, RandomState::default()),
            asked_users: IdSet::default(),
            groups: IdMap::default(),
            viewer_marks: IdMap::default(),
            next_level: Vec::new(),
        }
    }

    pub(super) fn add_rows(&mut self, ids: &[StatusId], rows: Vec<Option<Arc<StatusRow>>>) {
        let living = ids.iter().zip(rows);
        let living = living.filter_map(|(id, row)| Some((*id, row?)));
        self.rows.extend(living);
    }

    /// Returns whether no status read so far refers to another one.
    pub(super) fn is_alone(&self) -> bool {
        let about = |row: &Arc<StatusRow>| [row.repost_of, row.quote_of, row.reply_to];
        !self
            .rows
            .values()
            .flat_map(about)
            .any(|about| about.is_some())
    }

    /// Returns the status that the buttons below this one act on: the original of a repost, else itself.
    pub(super) fn acted_on(&self, id: StatusId) -> Option<StatusId> {
        let row = self.rows.get(&id).filter(|row| !row.is_dead)?;
        Some(row.repost_of.map_or(id, |original| original.status))
    }

    /// Returns those of these statuses that have a poll.
    pub(super) fn polls_among(&self, ids: &[StatusId]) -> Vec<StatusId> {
        let has_poll = |id: &&StatusId| self.rows.get(*id).is_some_and(|row| row.poll.is_some());
        ids.iter().filter(has_poll).copied().collect()
    }

    /// Adds the next level of originals to read. A reposted status appears in full, with the status that
    /// it quotes. A quoted status appears alone.
    pub(super) fn add_next_originals(&mut self) {
        let reposted = |id: &StatusId| Some(self.rows.get(id)?.repost_of?.status);
        self.next_level = self.next_level.iter().filter_map(reposted).collect();
    }

    pub(super) fn add_users(&mut self, users: Vec<Option<Arc<User>>>) {
        let there = users.into_iter().flatten();
        self.users.extend(there.map(|user| (user.id, user)));
    }

    /// Returns the referenced statuses that were not read yet.
    pub(super) fn missing(&self) -> Vec<StatusRef> {
        let row = |id: &StatusId| self.rows.get(id);
        let around = self.next_level.iter().filter_map(row);
        let around = around.flat_map(|row| [row.repost_of, row.quote_of, row.reply_to]);
        let mut missing: Vec<StatusRef> = around
            .flatten()
            .filter(|origin| !self.rows.contains_key(&origin.status))
            .collect();
        missing.sort_unstable_by_key(|origin| origin.status);
        missing.dedup();
        missing
    }

    /// Returns the first statuses of conversations that were not read yet.
    pub(super) fn missing_roots(&self) -> impl Iterator<Item = StatusId> {
        let roots = self.rows.values().filter_map(|row| row.root);
        roots.filter(|root| !self.read.contains(root))
    }

    /// Returns the groups of statuses that were not read yet.
    pub(super) fn missing_groups(&self) -> Vec<GroupId> {
        let groups = self.rows.values().filter_map(|row| row.group);
        let mut missing: Vec<GroupId> = groups
            .filter(|group| !self.groups.contains_key(group))
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Returns the people whose followers alone see gathered statuses, and about whom the viewer's follows are
    /// not known yet. A first status that is read later can add one. `authors` are people who are read now, and
    /// whose accounts may be private.
    pub(super) fn missing_follows(&self, authors: &[UserId]) -> Vec<UserId> {
        let viewer = self.access.viewer().id();
        let followed = self.rows.values().filter_map(|row| row.readers.followed());
        let private = self.users.values().filter(|user| user.is_for_followers());
        let mut missing: Vec<UserId> = followed
            .chain(private.map(|user| user.id))
            .chain(authors.iter().copied())
            .filter(|person| viewer.is_some_and(|viewer| viewer != *person))
            .filter(|person| self.access.follows(*person).is_none())
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Returns whether the decision about a gathered status still needs a read.
    pub(super) fn is_incomplete(&self) -> bool {
        self.missing_roots().next().is_some()
            || self.missing_authors_of_roots().next().is_some()
            || !self.missing_groups().is_empty()
            || !self.missing_follows(&[]).is_empty()
            || !self.missing_followers(iter::empty()).is_empty()
    }

    /// Returns the authors of the first statuses of replies. Their rules are not known before those are read.
    pub(super) fn authors_of_roots(&self) -> impl Iterator<Item = UserId> {
        self.rows.values().filter_map(|row| row.root_author)
    }

    /// Returns these people, and the authors who let only the people reply that they follow, if it is not known yet
    /// whether they follow the viewer.
    pub(super) fn missing_followers(&self, people: impl Iterator<Item = UserId>) -> Vec<UserId> {
        let Some(viewer) = self.access.viewer().id() else {
            return Vec::new();
        };
        let rows = self.rows.values();
        let decides = |row: &&Arc<StatusRow>| row.reply_control.repliers == Repliers::Followed;
        let mut missing: Vec<UserId> = people
            .chain(rows.filter(decides).map(|row| row.author))
            .filter(|person| *person != viewer)
            .filter(|person| self.access.is_followed_by(*person).is_none())
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Returns the authors of first statuses, also of deleted ones, that were not read yet. Whether their accounts
    /// are private decides about the replies.
    pub(super) fn missing_authors_of_roots(&self) -> impl Iterator<Item = UserId> {
        let roots = self
            .rows
            .values()
            .filter_map(|row| self.rows.get(&row.root?));
        let authors = roots.map(|root| root.author);
        authors.filter(|author| !self.asked_users.contains(author))
    }

    /// Returns the authors of these and of all gathered statuses that were not read yet.
    pub(super) fn missing_authors(&self, others: &[StatusRef]) -> Vec<UserId> {
        let living = self.rows.values().filter(|row| !row.is_dead);
        let authors = living.map(|row| row.author);
        let answered = self.next_level.iter();
        let answered = answered.filter_map(|id| self.rows.get(id)?.reply_to);
        let mut missing: Vec<UserId> = authors
            .chain(answered.map(|origin| origin.author))
            .chain(others.iter().map(|origin| origin.author))
            .chain(self.missing_authors_of_roots())
            .chain(self.rows.values().filter_map(|row| row.root_author))
            .filter(|author| !self.users.contains_key(author))
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Returns a status with its author if the viewer may see it. Everything that leaves this collection
    /// passes here.
    pub(super) fn seen(&self, id: StatusId) -> Option<(&Arc<StatusRow>, &Arc<User>)> {
        let row = self.rows.get(&id)?;
        let author = self.users.get(&row.author)?;
        let may_see = self.access.may_see(row, author, self.root(row));
        may_see.then_some((row, author))
    }

    pub(super) fn root(&self, row: &StatusRow) -> Root {
        let Some(id) = row.root else {
            return Root::Itself;
        };
        self.rows.get(&id).map_or(Root::Gone, |root| {
            let author = self.users.get(&root.author);
            Root::Known(author.map_or(root.readers, |author| readers_of(root, author)))
        })
    }

    /// Returns the first status of the conversation of a reply, also a deleted one.
    pub(super) fn first_row(&self, reply: &StatusRow) -> Option<&StatusRow> {
        self.rows.get(&reply.root?).map(|row| &**row)
    }

    /// Returns the rule that limits who can reply to a status: its own, or else that of its conversation. If only the
    /// conversation refuses the viewer, it is that one.
    pub(super) fn reply_limit(&self, row: &StatusRow, author: &Arc<User>) -> Option<ReplyLimit> {
        let is_limited = |row: &&StatusRow| row.reply_control.repliers != Repliers::Everyone;
        let own = Some(row).filter(is_limited);
        let first = self.first_row(row).filter(is_limited);
        let is_decided_by_first = own.is_none_or(|own| self.access.is_replier(own));
        Some(match (own, first) {
            (_, Some(first)) if is_decided_by_first => ReplyLimit {
                repliers: first.reply_control.repliers,
                author: row.root.and_then(|id| Some(Arc::clone(self.seen(id)?.1))),
                is_of_conversation: true,
            },
            (own, _) => ReplyLimit {
                repliers: own?.reply_control.repliers,
                author: Some(Arc::clone(author)),
                is_of_conversation: false,
            },
        })
    }

    /// Returns the rows of an entry, its original and the status quoted there whose texts decide about the entry and
    /// are not folded yet.
    pub(super) fn unfolded_rows(
        &self,
        id: StatusId,
    ) -> impl Iterator<Item = (StatusId, &StatusRow)> {
        let row = |id: StatusId| self.rows.get(&id);
        let original = row(id).and_then(|row| row.repost_of).map(|of| of.status);
        let quoted = row(original.unwrap_or(id)).and_then(|row| row.quote_of);
        let ids = [Some(id), original, quoted.map(|of| of.status)];
        let rows = ids.into_iter().flatten();
        let rows = rows.filter_map(|id| Some((id, &**self.seen(id)?.0)));
        rows.filter(|(_, row)| self.access.compares_texts_of(row) && !row.is_folded())
    }

    /// Builds the entries of these statuses that the viewer sees.
    pub(super) fn entries(&self, ids: &[StatusId]) -> Vec<VisibleStatus> {
        let mut entries = Vec::with_capacity(ids.len());
        entries.extend(ids.iter().filter_map(|id| self.entry(*id)));
        entries
    }

    /// Builds a timeline entry. A repost carries its original in full.
    pub(super) fn entry(&self, id: StatusId) -> Option<VisibleStatus> {
        match self.seen(id)?.0.repost_of {
            None => self.in_full(id),
            Some(original) => {
                let (original, repost) = (self.in_full(original.status)?, self.by_itself(id)?);
                Some(VisibleStatus {
                    mute_reason: MuteReason::of_repost(&repost, &original),
                    original: Some(Original::Status(Arc::new(original))),
                    ..repost
                })
            }
        }
    }

    /// Builds a status with the status that it quotes.
    pub(super) fn in_full(&self, id: StatusId) -> Option<VisibleStatus> {
        let row = self.seen(id)?.0;
        let original = match row.quote_of {
            None => row.is_detached.then_some(Original::Detached),
            Some(quoted) => Some(self.quoted(quoted)),
        };
        let status = self.by_itself(id)?;
        Some(VisibleStatus {
            mute_reason: MuteReason::of_quote(&status, original.as_ref()),
            original,
            ..status
        })
    }

    pub(super) fn quoted(&self, quoted: StatusRef) -> Original {
        let status = self.by_itself(quoted.status).map(Arc::new);
        status.map_or(Original::Gap, Original::Status)
    }

    pub(super) fn by_itself(&self, id: StatusId) -> Option<VisibleStatus> {
        let (row, author) = self.seen(id)?;
        let root = self.root(row);
        let first = self.first_row(row);
        let group = row.group.and_then(|group| self.groups.get(&group)?.clone());
        let may_reply_in_group = self.access.may_reply_in_group(row, group.as_deref());
        Some(VisibleStatus {
            may_reply: may_reply_in_group && self.access.may_reply(row, first),
            is_closed_by_group: !may_reply_in_group,
            group: group.filter(|group| self.access.names_group(group)),
            reply_limit: self.reply_limit(row, author),
            may_hide: self.access.may_hide(row, first),
            may_detach: self.access.may_detach(row),
            visibility: self.access.visibility(row, author, root),
            followed: self.access.followed(row, author, root),
            may_repost: self.access.may_repost(row, author, root),
            may_quote: self.access.may_quote(row, author, root),
            id,
            author: Arc::clone(author),
            row: Arc::clone(row),
            own: self.access.is_viewer(row.author),
            mute_reason: self.access.mute_reason(row),
            is_conversation_muted: self.access.is_conversation_muted(row.root.unwrap_or(id)),
            viewer_marks: self.viewer_marks.get(&id).copied().unwrap_or_default(),
            answering: row.reply_to.map(|origin| self.answering(origin)),
            original: None,
            others: 0,
        })
    }

    pub(super) fn answering(&self, origin: StatusRef) -> ReplyTo {
        match self.seen(origin.status) {
            Some((_, author)) => ReplyTo::Status(origin.status, Arc::clone(author)),
            None => ReplyTo::Gap,
        }
    }
}
