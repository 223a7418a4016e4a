//! The history: people's actions, the answers to them, and the claims that follow. A write without
//! a success answer is unknown: it was applied completely or not at all. The deadline after which
//! it can no longer be applied is known.

use std::{
    collections::{BTreeSet, HashMap},
    time::{Duration, Instant},
};

use super::{
    groups::group_of,
    network::{COPY_DELAY, WRITE_DEADLINE},
    pages::author_of,
};

/// One action by one form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    SignUp,
    LogIn,
    LogOut,
    /// Texts are unique, so a text identifies its status.
    Post(String),
    Delete(String),
    Follow(String),
    Unfollow(String),
    /// A reply with the first text to the post with the second text.
    Answer(String, String),
    /// Favourite of the post with that text, and its removal.
    Favourite(String),
    Unfavourite(String),
    /// Vote for the first option of the poll with that text.
    Vote(String),
    /// List names are unique as well.
    CreateList(String),
    DeleteList(String),
    /// Adds a person to a list.
    AddMember(String, String),
    RemoveMember(String, String),
    /// Makes a list exclusive.
    MakeExclusive(String),
    MakeOpen(String),
    /// A message to a person. Texts are unique here too.
    Message(String, String),
    DeleteMessage(String, String),
    /// Accepts the request of a person.
    AcceptMessages(String),
    FoundGroup(String),
    JoinGroup(String),
    LeaveGroup(String),
    /// A post in a group. Its text names the group.
    PostInGroup(String, String),
    /// An action of a private account or its guest, see [`super::privacy`].
    OfPair(String),
}

/// Outcome of sending a form once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Acknowledged,
    /// Answered with 503: the write was applied before the answer, or never will be.
    Refused,
    /// The connection broke: the write can be applied until its deadline.
    Lost,
    /// The connection was refused.
    Unreached,
}

/// Knowledge about a write from all sendings of its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteState {
    Done,
    Unknown,
    NotDone,
}

struct Entry {
    who: String,
    action: Action,
    sent: Instant,
    answered: Option<(Instant, Outcome)>,
}

/// Whether a reversible state may hold now, such as one person following another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PossibleState {
    pub may_hold: bool,
    pub may_not_hold: bool,
}

pub struct History {
    begun: Instant,
    entries: Vec<Entry>,
    ids: HashMap<String, u64>,
    /// When each disruption began and ended.
    disruptions: Vec<(Instant, Option<Instant>)>,
    faults: Vec<String>,
}

impl History {
    pub fn new() -> Self {
        Self {
            begun: Instant::now(),
            entries: Vec::new(),
            ids: HashMap::new(),
            disruptions: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Records that a form is sent. Returns the number that [`Self::answered`] takes.
    pub fn sent(&mut self, who: &str, action: &Action) -> usize {
        self.entries.push(Entry {
            who: who.to_owned(),
            action: action.clone(),
            sent: Instant::now(),
            answered: None,
        });
        self.entries.len() - 1
    }

    pub fn answered(&mut self, sending: usize, outcome: Outcome) {
        self.entries[sending].answered = Some((Instant::now(), outcome));
    }

    pub fn disruption_begins(&mut self) {
        self.disruptions.push((Instant::now(), None));
    }

    pub fn disruption_ends(&mut self) {
        if let Some((_, end)) = self.disruptions.last_mut() {
            *end = Some(Instant::now());
        }
    }

    /// Records a violation, with the history of everything that it names.
    pub fn fault(&mut self, claim: &str, about: &[&str]) {
        let concerned = |entry: &&Entry| {
            let shown = format!("{} {:?}", entry.who, entry.action);
            about.iter().all(|name| shown.contains(name))
        };
        let mut message = format!("{claim}\n  at {:?}\n", self.begun.elapsed());
        for entry in self.entries.iter().filter(concerned) {
            let (sent, answered) = (entry.sent - self.begun, entry.answered);
            let answered =
                answered.map(|(when, outcome)| format!("{outcome:?} at {:?}", when - self.begun));
            message += &format!(
                "  {} {:?} sent at {sent:?}: {answered:?}\n",
                entry.who, entry.action
            );
        }
        // Printed at once too, because the fault may keep the run from ending.
        eprintln!("{message}");
        self.faults.push(message);
    }

    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Records that a status was seen. The same text under another id is a duplicate post.
    pub fn seen(&mut self, text: &str, id: u64) {
        let first = *self.ids.entry(text.to_owned()).or_insert(id);
        if first != id {
            self.fault(&format!("\"{text}\" is both {first} and {id}"), &[text]);
        }
    }

    /// Returns every status outside of groups that was ever seen.
    pub fn ids(&self) -> Vec<(String, u64)> {
        let ids = self.ids.clone().into_iter();
        let mut ids: Vec<_> = ids.filter(|(text, _)| group_of(text).is_none()).collect();
        ids.sort_unstable_by_key(|(_, id)| *id);
        ids
    }

    /// Returns each action once, with the person who did it.
    pub fn actions(&self) -> BTreeSet<(String, Action)> {
        let pair = |entry: &Entry| (entry.who.clone(), entry.action.clone());
        self.entries.iter().map(pair).collect()
    }

    fn sendings<'a>(&'a self, who: &'a str, action: &'a Action) -> impl Iterator<Item = &'a Entry> {
        let matching = move |entry: &&Entry| entry.who == who && entry.action == *action;
        self.entries.iter().filter(matching)
    }

    /// Returns whether the action was ever tried.
    pub fn was_sent(&self, who: &str, action: &Action) -> bool {
        self.sendings(who, action).next().is_some()
    }

    pub fn write_state(&self, who: &str, action: &Action) -> WriteState {
        let mut write_state = WriteState::NotDone;
        for entry in self.sendings(who, action) {
            match entry.answered {
                Some((_, Outcome::Acknowledged)) => return WriteState::Done,
                Some((_, Outcome::Unreached)) => {}
                Some((_, Outcome::Refused | Outcome::Lost)) | None => {
                    write_state = WriteState::Unknown
                }
            }
        }
        write_state
    }

    /// Returns whether the action was acknowledged before that moment.
    pub fn was_done(&self, who: &str, action: &Action, by: Instant) -> bool {
        self.sendings(who, action)
            .any(|entry| matches!(entry.answered, Some((when, Outcome::Acknowledged)) if when < by))
    }

    /// Returns whether the copies of an action were certainly written by then. If a disruption began before its answer
    /// and had not ended when the form was sent, an outbox entry writes them within [`COPY_DELAY`].
    fn was_copied(&self, who: &str, action: &Action, by: Instant) -> bool {
        self.sendings(who, action).any(|entry| {
            let Some((answered, Outcome::Acknowledged)) = entry.answered else {
                return false;
            };
            let is_disrupted = self
                .disruptions
                .iter()
                .any(|(begin, end)| *begin < answered && end.is_none_or(|end| end > entry.sent));
            let delay = if is_disrupted {
                COPY_DELAY
            } else {
                Duration::ZERO
            };
            answered + delay < by
        })
    }

    /// Returns the last text that was on the profile by then, and that the author has not tried to delete.
    pub fn newest_living_text(&self, author: &str, by: Instant) -> Option<String> {
        self.entries.iter().rev().find_map(|entry| {
            let Action::Post(text) = &entry.action else {
                return None;
            };
            let is_present = entry.who == author
                && self.was_copied(author, &entry.action, by)
                && self.write_state(author, &Action::Delete(text.clone())) == WriteState::NotDone;
            is_present.then(|| text.clone())
        })
    }

    /// Returns whether the author has tried to delete a post.
    pub fn may_be_deleted(&self, text: &str) -> bool {
        self.write_state(author_of(text), &Action::Delete(text.to_owned())) != WriteState::NotDone
    }

    /// Returns whether the object of an action may no longer exist.
    pub fn may_lack_object(&self, action: &Action) -> bool {
        match action {
            Action::Answer(_, to)
            | Action::Favourite(to)
            | Action::Unfavourite(to)
            | Action::Vote(to) => self.may_be_deleted(to),
            // An earlier message without an answer may have become the one that waits for an answer.
            Action::Message(..) => true,
            // An earlier form that left the group may have been applied late.
            Action::PostInGroup(slug, text) => {
                self.group_membership(author_of(text), slug).may_not_hold
            }
            _ => false,
        }
    }

    /// Returns whether a person's favourite may be on a post.
    pub fn favourite(&self, who: &str, text: &str) -> PossibleState {
        let favourite = Action::Favourite(text.to_owned());
        let removal = Action::Unfavourite(text.to_owned());
        self.state(who, &favourite, &removal, Instant::now())
    }

    pub fn edge(&self, from: &str, to: &str) -> PossibleState {
        self.edge_by(from, to, Instant::now())
    }

    /// Returns whether statuses of `to` may be on the home of `from`. If Redis fails after the source of truth
    /// changed, an outbox entry changes the home within [`COPY_DELAY`].
    pub fn may_be_on_home(&self, from: &str, to: &str) -> bool {
        self.edge_by(from, to, before(COPY_DELAY)).may_hold
    }

    fn edge_by(&self, from: &str, to: &str, by: Instant) -> PossibleState {
        let to = to.to_owned();
        self.state(from, &Action::Follow(to.clone()), &Action::Unfollow(to), by)
    }

    /// Returns whether a person may be a member of a group.
    pub fn group_membership(&self, who: &str, slug: &str) -> PossibleState {
        self.group_membership_by(who, slug, Instant::now())
    }

    /// Returns whether posts of a group may be on the home of a person.
    pub fn may_have_group_on_home(&self, who: &str, slug: &str) -> bool {
        self.group_membership_by(who, slug, before(COPY_DELAY))
            .may_hold
    }

    fn group_membership_by(&self, who: &str, slug: &str, by: Instant) -> PossibleState {
        let (join, leave) = (
            Action::JoinGroup(slug.to_owned()),
            Action::LeaveGroup(slug.to_owned()),
        );
        self.state(who, &join, &leave, by)
    }

    /// Returns whether a list with that name may exist.
    pub fn list(&self, owner: &str, name: &str) -> PossibleState {
        self.list_by(owner, name, Instant::now())
    }

    fn list_by(&self, owner: &str, name: &str, by: Instant) -> PossibleState {
        let name = name.to_owned();
        let made = Action::CreateList(name.clone());
        self.state(owner, &made, &Action::DeleteList(name), by)
    }

    /// Returns whether a person may be in a list.
    pub fn list_membership(&self, owner: &str, list: &str, member: &str) -> PossibleState {
        self.list_membership_by(owner, list, member, Instant::now())
    }

    /// Returns whether statuses of a person may be on the timeline of a list, which may be as late as a home.
    pub fn may_be_on_list(&self, owner: &str, list: &str, member: &str) -> bool {
        self.list_membership_by(owner, list, member, before(COPY_DELAY))
            .may_hold
    }

    fn list_membership_by(
        &self,
        owner: &str,
        list: &str,
        member: &str,
        by: Instant,
    ) -> PossibleState {
        let (list, member) = (list.to_owned(), member.to_owned());
        let enlisted = Action::AddMember(list.clone(), member.clone());
        self.state(owner, &enlisted, &Action::RemoveMember(list, member), by)
    }

    /// Returns whether a list may be exclusive.
    pub fn is_exclusive(&self, owner: &str, list: &str) -> PossibleState {
        self.is_exclusive_by(owner, list, Instant::now())
    }

    fn is_exclusive_by(&self, owner: &str, list: &str, by: Instant) -> PossibleState {
        let list = list.to_owned();
        let made = Action::MakeExclusive(list.clone());
        self.state(owner, &made, &Action::MakeOpen(list), by)
    }

    /// Returns whether an exclusive list certainly keeps a person off the owner's home, at the latest
    /// [`COPY_DELAY`] after it was changed.
    pub fn is_off_home(&self, owner: &str, member: &str) -> bool {
        let by = before(COPY_DELAY);
        let made = self.entries.iter().filter(|entry| entry.who == owner);
        made.filter_map(|entry| match &entry.action {
            Action::CreateList(name) => Some(name),
            _ => None,
        })
        .any(|name| {
            let states = [
                self.list_by(owner, name, by),
                self.is_exclusive_by(owner, name, by),
                self.list_membership_by(owner, name, member, by),
            ];
            states.iter().all(|state| !state.may_not_hold)
        })
    }

    /// Returns the possible state after all actions of a person. A person does one thing at a time,
    /// so the last acknowledged action holds, unless an unknown one could still be applied after
    /// it. Actions that were acknowledged after `by` need not be visible yet.
    fn state(&self, who: &str, done: &Action, retracted: &Action, by: Instant) -> PossibleState {
        let mut possible = vec![(false, self.begun)];
        for entry in self.entries.iter().filter(|entry| entry.who == who) {
            let is_so = entry.action == *done;
            if !is_so && entry.action != *retracted {
                continue;
            }
            match entry.answered {
                Some((_, Outcome::Unreached)) => {}
                Some((when, Outcome::Acknowledged)) if when > by => possible.push((is_so, when)),
                Some((when, Outcome::Acknowledged)) => {
                    possible.retain(|(_, until)| *until > entry.sent);
                    possible.push((is_so, when));
                }
                Some((when, Outcome::Refused)) => possible.push((is_so, when)),
                Some((when, Outcome::Lost)) => possible.push((is_so, when + WRITE_DEADLINE)),
                None => possible.push((is_so, entry.sent + 10 * WRITE_DEADLINE)),
            }
        }
        PossibleState {
            may_hold: possible.iter().any(|(is_so, _)| *is_so),
            may_not_hold: possible.iter().any(|(is_so, _)| !*is_so),
        }
    }
}

fn before(delay: Duration) -> Instant {
    let now = Instant::now();
    now.checked_sub(delay).unwrap_or(now)
}
