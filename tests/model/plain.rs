//! The network as it should be, in plain sets.

use std::collections::{BTreeMap, BTreeSet};

use redwing::domain::{ListId, StatusId, Timeline, UserId};

#[derive(Default)]
pub struct Model {
    pub statuses: BTreeMap<StatusId, UserId>,
    /// Of those that repost another without a comment, and of those that do with one.
    pub reposts: BTreeMap<StatusId, StatusId>,
    pub quotes: BTreeMap<StatusId, StatusId>,
    /// Who does not want whose reposts.
    pub quiet: BTreeSet<(UserId, UserId)>,
    pub follows: BTreeSet<(UserId, UserId)>,
    pub lists: BTreeMap<ListId, Plain>,
    /// Posted since the worker had done all: it may not have reached everybody.
    pub under_way: BTreeSet<StatusId>,
    /// How many were ever posted, and those whose text says that it is rare.
    pub posted: usize,
    pub rare: BTreeSet<StatusId>,
    /// Deleted since then: it may still be counted.
    pub leaving: BTreeSet<StatusId>,
}

/// A list as it should be.
#[derive(Default)]
pub struct Plain {
    pub name: String,
    pub exclusive: bool,
    pub members: BTreeSet<UserId>,
}

impl Model {
    /// What a person has posted, newest first.
    pub fn profile(&self, of: UserId) -> Vec<StatusId> {
        self.all(|author| author == of)
    }

    /// What is shown of a home or a list when everything is done, newest first: of reposts of the same
    /// and their original, the newest.
    pub fn timeline(&self, timeline: Timeline) -> Vec<StatusId> {
        let mut shown = BTreeSet::new();
        let mut all = self.standing(timeline);
        all.retain(|id| shown.insert(self.shown(*id)));
        all
    }

    /// What stands there, newest first.
    pub fn standing(&self, timeline: Timeline) -> Vec<StatusId> {
        let reposted = |id| {
            let original = self.reposts.get(&id)?;
            self.statuses.get(original).copied()
        };
        let newest_first = self
            .statuses
            .iter()
            .rev()
            .map(|(id, author)| (*id, *author));
        let some = newest_first.filter(|(id, author)| {
            let (author, owner) = (*author, timeline.owner());
            let reposted = reposted(*id);
            match timeline {
                Timeline::Home(_) if author == owner => true,
                _ if reposted == Some(owner) => false,
                Timeline::Home(_) => {
                    self.follows.contains(&(owner, author))
                        && !self.is_kept_out(owner, author)
                        && !(reposted.is_some() && self.quiet.contains(&(owner, author)))
                }
                Timeline::List(list) => self.lists[&list].members.contains(&author),
            }
        });
        some.map(|(id, _)| id).collect()
    }

    /// What is shown in the place of a status.
    pub fn shown(&self, id: StatusId) -> StatusId {
        self.reposts.get(&id).copied().unwrap_or(id)
    }

    /// The repost by which somebody reposts a status without a comment.
    pub fn repost_by(&self, by: UserId, original: StatusId) -> Option<StatusId> {
        let mut theirs = self.reposts.iter();
        let found = theirs.find(|(id, of)| **of == original && self.statuses[id] == by);
        found.map(|(id, _)| *id)
    }

    /// A status goes, and what reposts it with it.
    pub fn delete(&mut self, id: StatusId) {
        if self.statuses.remove(&id).is_none() {
            return;
        }
        self.under_way.remove(&id);
        self.leaving.insert(id);
        self.reposts.remove(&id);
        self.quotes.remove(&id);
        let reposts = self.reposts.iter().chain(&self.quotes);
        let gone: Vec<StatusId> = reposts
            .filter(|(_, original)| **original == id)
            .map(|(repost, _)| *repost)
            .collect();
        gone.into_iter().for_each(|repost| self.delete(repost));
    }

    /// Whether an exclusive list keeps somebody off a home.
    fn is_kept_out(&self, of: UserId, author: UserId) -> bool {
        let mut own = self.lists.iter().filter(|(id, _)| id.owner == of);
        own.any(|(_, list)| list.exclusive && list.members.contains(&author))
    }

    /// What search finds when everything is done, newest first: by somebody or by anybody, every line
    /// or the rare ones.
    pub fn found(&self, by: Option<UserId>, rare: bool) -> Vec<StatusId> {
        let mut found = self.all(|author| by.is_none_or(|by| by == author));
        found.retain(|id| !self.reposts.contains_key(id) && (!rare || self.rare.contains(id)));
        found
    }

    fn all(&self, belongs: impl Fn(UserId) -> bool) -> Vec<StatusId> {
        let newest_first = self.statuses.iter().rev();
        let some = newest_first.filter(|(_, author)| belongs(**author));
        some.map(|(id, _)| *id).collect()
    }

    /// The largest id of all that was ever posted and may be known.
    pub fn newest(&self) -> u64 {
        let posted = self.statuses.keys().chain(&self.leaving);
        posted.map(|id| id.get()).max().unwrap_or_default()
    }

    /// The worker has done all.
    pub fn is_settled(&mut self) {
        self.under_way.clear();
        self.leaving.clear();
    }
}
