//! The network as it should be, in plain sets.

use std::collections::{BTreeMap, BTreeSet};

use redwing::domain::{ListId, StatusId, Timeline, UserId};

#[derive(Default)]
pub struct Model {
    pub statuses: BTreeMap<StatusId, UserId>,
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

    /// What stands on a home or a list when everything is done, newest first.
    pub fn timeline(&self, timeline: Timeline) -> Vec<StatusId> {
        match timeline {
            Timeline::Home(of) => {
                let follows = |author| self.follows.contains(&(of, author));
                self.all(|author| author == of || follows(author) && !self.is_kept_out(of, author))
            }
            Timeline::List(list) => self.all(|author| self.lists[&list].members.contains(&author)),
        }
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
        found.retain(|id| !rare || self.rare.contains(id));
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
