//! The expected state of the network, in plain sets.

use std::collections::{BTreeMap, BTreeSet};

use redwing::domain::{
    Ballot, Collection, ListId, Notification, NotificationKind, Poll, StatusId, Timeline, UserId,
};

use super::{
    notifications::NotificationLog,
    search::DAY,
    steps::{SearchTerm, TAGS},
};
use crate::support::crowd::id_on;

#[derive(Default)]
pub struct Model {
    pub statuses: BTreeMap<StatusId, UserId>,
    /// Polls of living statuses.
    pub polls: BTreeMap<StatusId, ExpectedPoll>,
    /// Versions of each living status, the current one last.
    pub texts: BTreeMap<StatusId, Vec<StatusText>>,
    /// Saved statuses of each person, in the order of saving.
    pub saved: BTreeMap<(UserId, Collection), Vec<StatusId>>,
    /// Notifications of each person.
    pub logs: BTreeMap<UserId, NotificationLog>,
    /// Originals of plain reposts.
    pub reposts: BTreeMap<StatusId, StatusId>,
    /// For each quote: the author of the quoted status, deleted or not.
    pub quotes: BTreeMap<StatusId, UserId>,
    /// Pairs of a reader and a followed person with hidden reposts.
    pub hidden_reposts: BTreeSet<(UserId, UserId)>,
    /// For each reply, deleted or not: its parent and the parent's author.
    pub answers: BTreeMap<StatusId, (StatusId, UserId)>,
    /// Tags and mentioned people of each status.
    pub tags: BTreeMap<StatusId, BTreeSet<usize>>,
    pub mentions: BTreeMap<StatusId, UserId>,
    pub follows: BTreeSet<(UserId, UserId)>,
    pub tag_follows: BTreeSet<(UserId, usize)>,
    pub lists: BTreeMap<ListId, ExpectedList>,
    /// Statuses in the group, deleted or not.
    pub in_group: BTreeSet<StatusId>,
    /// Members of the group, and whether its posts come to their home.
    pub members: BTreeMap<UserId, bool>,
    /// Posts since the worker was last idle. They may not have reached every timeline.
    pub under_way: BTreeSet<StatusId>,
    /// Number of statuses ever posted.
    pub posted: usize,
    /// Statuses deleted since then. They may still be counted.
    pub leaving: BTreeSet<StatusId>,
}

/// Text as its author wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusText {
    pub message: String,
    /// Whether the text is behind a warning.
    pub warned: bool,
}

impl StatusText {
    pub fn plain(message: &str) -> Self {
        Self {
            message: message.to_owned(),
            warned: false,
        }
    }
}

/// Poll and its votes.
pub struct ExpectedPoll {
    pub poll: Poll,
    pub ballots: BTreeMap<UserId, Ballot>,
    pub ended: bool,
}

/// Expected state of a list.
#[derive(Default)]
pub struct ExpectedList {
    pub name: String,
    pub exclusive: bool,
    pub members: BTreeSet<UserId>,
}

impl Model {
    /// Returns a person's statuses, newest first.
    pub fn profile(&self, of: UserId) -> Vec<StatusId> {
        self.statuses_where(|_, author| author == of)
    }

    /// Returns a person's statuses without replies, newest first.
    pub fn posts(&self, of: UserId) -> Vec<StatusId> {
        self.statuses_where(|id, author| author == of && !self.answers.contains_key(&id))
    }

    /// Returns the statuses below a status, with their depth and whether each is living. `widths`
    /// limits the replies shown per level; at a width of one a reply is shown only if it is the
    /// only one. A deleted status is included if a status below it is living.
    pub fn descendants(&self, of: StatusId, widths: &[usize]) -> Vec<(usize, StatusId, bool)> {
        let Some((width, further)) = widths.split_first() else {
            return Vec::new();
        };
        let to_it = self.answers.iter().filter(|(_, (to, _))| *to == of);
        let ids = to_it.map(|(id, _)| *id);
        let living: Vec<StatusId> = ids.filter(|id| self.has_living_part(*id)).collect();
        let shown = match width {
            1 if living.len() > 1 => 0,
            width => living.len().min(*width),
        };
        let mut turns = Vec::new();
        for id in living.into_iter().take(shown) {
            turns.push((widths.len(), id, self.statuses.contains_key(&id)));
            turns.extend(self.descendants(id, further));
        }
        turns
    }

    /// Returns the ancestors of a status, from the first down, and whether each is living.
    pub fn ancestors(&self, id: StatusId) -> Vec<(StatusId, bool)> {
        let mut above = Vec::new();
        let mut at = id;
        while let Some((to, _)) = self.answers.get(&at) {
            above.push((*to, self.statuses.contains_key(to)));
            at = *to;
        }
        above.reverse();
        above
    }

    fn has_living_part(&self, id: StatusId) -> bool {
        let mut below = self.answers.iter().filter(|(_, (to, _))| *to == id);
        self.statuses.contains_key(&id) || below.any(|(id, _)| self.has_living_part(*id))
    }

    /// Returns the number of living replies to a status.
    pub fn reply_count(&self, to: StatusId) -> u64 {
        let living = self
            .answers
            .iter()
            .filter(|(id, _)| self.statuses.contains_key(id));
        living.filter(|(_, (answered, _))| *answered == to).count() as u64
    }

    /// Returns whether the author of the replied-to status is one of these people, the status's own
    /// author or the reader. It is true for a status that is no reply.
    fn replies_to_known(
        &self,
        id: StatusId,
        reader: UserId,
        is_source: impl Fn(UserId) -> bool,
    ) -> bool {
        self.answers.get(&id).is_none_or(|(_, to)| {
            *to == reader || self.statuses.get(&id) == Some(to) || is_source(*to)
        })
    }

    /// Returns the statuses with a tag, newest first.
    pub fn tagged(&self, tag: usize) -> Vec<StatusId> {
        self.statuses_where(|id, _| self.has_tag(id, tag))
    }

    /// Returns the posts in the group, newest first.
    pub fn group_posts(&self) -> Vec<StatusId> {
        self.statuses_where(|id, _| self.in_group.contains(&id) && !self.answers.contains_key(&id))
    }

    /// Returns statuses by others that mention a person, newest first.
    pub fn mentions(&self, of: UserId) -> Vec<StatusId> {
        self.statuses_where(|id, author| author != of && self.mentions.get(&id) == Some(&of))
    }

    /// Returns the visible part of a home or list after all work is done, newest first. Of an
    /// original and its reposts only the newest is included.
    pub fn timeline(&self, timeline: Timeline) -> Vec<StatusId> {
        self.without_repeats(self.timeline_entries(timeline))
    }

    /// Returns all entries of a timeline, newest first.
    pub fn timeline_entries(&self, timeline: Timeline) -> Vec<StatusId> {
        let owner = timeline.owner();
        let is_news = |id: StatusId| self.original_author(id) != Some(owner);
        match timeline {
            Timeline::Home(of) => {
                let follows = |author| self.follows.contains(&(of, author));
                self.statuses_where(|id, author| {
                    let mut tags = self.tag_follows.iter().filter(|(who, _)| *who == of);
                    let hidden = self.reposts.contains_key(&id)
                        && self.hidden_reposts.contains(&(of, author));
                    let by_author = follows(author) && self.replies_to_known(id, of, follows);
                    let by_author = by_author && is_news(id) && !hidden;
                    let wanted = match self.in_group.contains(&id) {
                        true => {
                            let is_on_home = self.members.get(&of) == Some(&true);
                            is_on_home && !self.answers.contains_key(&id)
                        }
                        false => by_author || tags.any(|(_, tag)| self.has_tag(id, *tag)),
                    };
                    author == of || wanted && !self.is_off_home(of, author)
                })
            }
            Timeline::List(list) => {
                let is_member = |author| self.lists[&list].members.contains(&author);
                self.statuses_where(|id, author| {
                    let is_listed = is_member(author) && !self.in_group.contains(&id);
                    is_listed && is_news(id) && self.replies_to_known(id, owner, is_member)
                })
            }
        }
    }

    /// Returns the author of the original of a plain repost.
    fn original_author(&self, id: StatusId) -> Option<UserId> {
        let original = self.reposts.get(&id)?;
        self.statuses.get(original).copied()
    }

    /// Returns the status that is shown for a status: the original of a plain repost.
    pub fn shown_status(&self, id: StatusId) -> StatusId {
        self.reposts.get(&id).copied().unwrap_or(id)
    }

    /// Returns the plain repost of a status by a person.
    pub fn repost_by(&self, by: UserId, original: StatusId) -> Option<StatusId> {
        let mut theirs = self.reposts.iter();
        let found = theirs.find(|(id, of)| **of == original && self.statuses[id] == by);
        found.map(|(id, _)| *id)
    }

    /// Deletes a status together with its reposts.
    pub fn delete(&mut self, id: StatusId) {
        let Some(by) = self.statuses.remove(&id) else {
            return;
        };
        if let Some(original) = self.reposts.remove(&id)
            && let Some(author) = self.statuses.get(&original)
        {
            let kind = NotificationKind::Repost(original);
            let log = self.logs.entry(*author).or_default();
            log.withdraw(Notification { kind, by });
        }
        for log in self.logs.values_mut() {
            log.remove_where(|notification| notification.kind.status() == Some(id));
        }
        for saved in self.saved.values_mut() {
            saved.retain(|saved| *saved != id);
        }
        self.under_way.remove(&id);
        self.leaving.insert(id);
        self.polls.remove(&id);
        self.texts.remove(&id);
        self.quotes.remove(&id);
        let gone: Vec<StatusId> = self
            .reposts
            .iter()
            .filter(|(_, original)| **original == id)
            .map(|(repost, _)| *repost)
            .collect();
        gone.into_iter().for_each(|repost| self.delete(repost));
    }

    fn has_tag(&self, id: StatusId, tag: usize) -> bool {
        self.tags.get(&id).is_some_and(|tags| tags.contains(&tag))
    }

    /// Returns whether an exclusive list keeps an author off a home.
    fn is_off_home(&self, of: UserId, author: UserId) -> bool {
        let mut own = self.lists.iter().filter(|(id, _)| id.owner == of);
        own.any(|(_, list)| list.exclusive && list.members.contains(&author))
    }

    /// Returns the search results after all work is done, newest first, by one author or by anyone.
    pub fn search_results(&self, by: Option<UserId>, wanted: SearchTerm) -> Vec<StatusId> {
        let mut found = self.statuses_where(|_, author| by.is_none_or(|by| by == author));
        found.retain(|id| {
            let said = self.texts.get(id).and_then(|texts| texts.last());
            let content = |words: &str| said.is_some_and(|said| said.message.contains(words));
            match wanted {
                SearchTerm::Line => content("line"),
                SearchTerm::Rare => content("a rare line"),
                SearchTerm::Tag(tag) => content(&format!("#{}", TAGS[tag])),
                SearchTerm::Before => content("line") && *id < id_on(DAY.1, 0),
                SearchTerm::Since => content("line") && *id >= id_on(DAY.1, 0),
            }
        });
        found
    }

    /// Returns the n-th newest of all statuses, modulo their number.
    pub fn nth(&self, nth: usize) -> Option<StatusId> {
        let place = nth % self.statuses.len().max(1);
        self.statuses.keys().rev().nth(place).copied()
    }

    /// Returns the saved statuses of a person, the last saved first.
    pub fn saved(&self, of: UserId, collection: Collection) -> Vec<StatusId> {
        let saved = self.saved.get(&(of, collection));
        saved.map_or_else(Vec::new, |saved| saved.iter().rev().copied().collect())
    }

    /// Returns the people who favourited a status.
    pub fn favourited_by(&self, id: StatusId) -> BTreeSet<UserId> {
        let favourites = self.saved.iter().filter(|((_, collection), saved)| {
            *collection == Collection::Favourites && saved.contains(&id)
        });
        favourites.map(|((who, _), _)| *who).collect()
    }

    /// Keeps the first of an original and its reposts.
    pub fn without_repeats(&self, mut ids: Vec<StatusId>) -> Vec<StatusId> {
        let mut shown = BTreeSet::new();
        ids.retain(|id| shown.insert(self.shown_status(*id)));
        ids
    }

    fn statuses_where(&self, belongs: impl Fn(StatusId, UserId) -> bool) -> Vec<StatusId> {
        let newest_first = self.statuses.iter().rev();
        let some = newest_first.filter(|(id, author)| belongs(**id, **author));
        some.map(|(id, _)| *id).collect()
    }

    /// Returns the largest id of any status that may be known.
    pub fn newest(&self) -> u64 {
        let posted = self.statuses.keys().chain(&self.leaving);
        posted.map(|id| id.get()).max().unwrap_or_default()
    }

    /// Records that the worker has done everything.
    pub fn mark_idle(&mut self) {
        self.under_way.clear();
        self.leaving.clear();
    }
}
