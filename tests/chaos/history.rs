//! The history: people's actions, the answers to them, and the claims that follow. A write without
//! a success answer is unknown: it was applied completely or not at all. The deadline after which
//! it can no longer be applied is known.

use std::{
    collections::{BTreeSet, HashMap},
    time::Instant,
};

use super::{network::WRITE_DEADLINE, pages::author_of};

/// One action by one form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
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
    Star(String),
    Unstar(String),
    /// Vote for the first option of the poll with that text.
    Vote(String),
    /// List names are unique as well.
    MakeList(String),
    DropList(String),
    /// Adds a person to a list.
    Enlist(String, String),
    Delist(String, String),
    /// Makes a list exclusive.
    Shut(String),
    Open(String),
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
pub enum Fate {
    Done,
    Unknown,
    NotDone,
}

struct Entry {
    who: String,
    deed: Deed,
    sent: Instant,
    answered: Option<(Instant, Outcome)>,
}

/// Whether a reversible state may hold now, such as one person following another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub may_stand: bool,
    pub may_be_gone: bool,
}

pub struct History {
    begun: Instant,
    entries: Vec<Entry>,
    ids: HashMap<String, u64>,
    faults: Vec<String>,
}

impl History {
    pub fn new() -> Self {
        Self {
            begun: Instant::now(),
            entries: Vec::new(),
            ids: HashMap::new(),
            faults: Vec::new(),
        }
    }

    /// Records that a form is sent. Returns the number that [`Self::answered`] takes.
    pub fn sent(&mut self, who: &str, deed: &Deed) -> usize {
        self.entries.push(Entry {
            who: who.to_owned(),
            deed: deed.clone(),
            sent: Instant::now(),
            answered: None,
        });
        self.entries.len() - 1
    }

    pub fn answered(&mut self, sending: usize, outcome: Outcome) {
        self.entries[sending].answered = Some((Instant::now(), outcome));
    }

    /// Records a violation, with the history of everything that it names.
    pub fn fault(&mut self, claim: &str, about: &[&str]) {
        let concerned = |entry: &&Entry| {
            let shown = format!("{} {:?}", entry.who, entry.deed);
            about.iter().all(|name| shown.contains(name))
        };
        let mut told = format!("{claim}\n  at {:?}\n", self.begun.elapsed());
        for entry in self.entries.iter().filter(concerned) {
            let (sent, answered) = (entry.sent - self.begun, entry.answered);
            let answered =
                answered.map(|(when, outcome)| format!("{outcome:?} at {:?}", when - self.begun));
            told += &format!(
                "  {} {:?} sent at {sent:?}: {answered:?}\n",
                entry.who, entry.deed
            );
        }
        // Printed at once too, because the fault may keep the run from ending.
        eprintln!("{told}");
        self.faults.push(told);
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

    /// Returns every status that was ever seen.
    pub fn ids(&self) -> Vec<(String, u64)> {
        let mut ids: Vec<_> = self.ids.clone().into_iter().collect();
        ids.sort_unstable_by_key(|(_, id)| *id);
        ids
    }

    /// Returns each action once, with the person who did it.
    pub fn deeds(&self) -> BTreeSet<(String, Deed)> {
        let pair = |entry: &Entry| (entry.who.clone(), entry.deed.clone());
        self.entries.iter().map(pair).collect()
    }

    fn sendings<'a>(&'a self, who: &'a str, deed: &'a Deed) -> impl Iterator<Item = &'a Entry> {
        let matching = move |entry: &&Entry| entry.who == who && entry.deed == *deed;
        self.entries.iter().filter(matching)
    }

    /// Returns whether the action was ever tried.
    pub fn was_sent(&self, who: &str, deed: &Deed) -> bool {
        self.sendings(who, deed).next().is_some()
    }

    pub fn fate(&self, who: &str, deed: &Deed) -> Fate {
        let mut fate = Fate::NotDone;
        for entry in self.sendings(who, deed) {
            match entry.answered {
                Some((_, Outcome::Acknowledged)) => return Fate::Done,
                Some((_, Outcome::Unreached)) => {}
                Some((_, Outcome::Refused | Outcome::Lost)) | None => fate = Fate::Unknown,
            }
        }
        fate
    }

    /// Returns whether the action was acknowledged before that moment.
    pub fn was_done(&self, who: &str, deed: &Deed, by: Instant) -> bool {
        self.sendings(who, deed)
            .any(|entry| matches!(entry.answered, Some((when, Outcome::Acknowledged)) if when < by))
    }

    /// Returns the last text that was acknowledged by then and that the author has not tried to
    /// delete.
    pub fn newest_standing(&self, author: &str, by: Instant) -> Option<String> {
        self.entries.iter().rev().find_map(|entry| {
            let Deed::Post(text) = &entry.deed else {
                return None;
            };
            let stands = entry.who == author
                && self.was_done(author, &entry.deed, by)
                && self.fate(author, &Deed::Delete(text.clone())) == Fate::NotDone;
            stands.then(|| text.clone())
        })
    }

    /// Returns whether the author has tried to delete a post.
    pub fn may_be_deleted(&self, text: &str) -> bool {
        self.fate(author_of(text), &Deed::Delete(text.to_owned())) != Fate::NotDone
    }

    /// Returns whether the object of an action may no longer exist.
    pub fn is_moot(&self, deed: &Deed) -> bool {
        match deed {
            Deed::Answer(_, to) | Deed::Star(to) | Deed::Unstar(to) | Deed::Vote(to) => {
                self.may_be_deleted(to)
            }
            _ => false,
        }
    }

    /// Returns whether a person's favourite may be on a post.
    pub fn star(&self, who: &str, text: &str) -> Edge {
        let star = Deed::Star(text.to_owned());
        self.state(who, &star, &Deed::Unstar(text.to_owned()))
    }

    pub fn edge(&self, from: &str, to: &str) -> Edge {
        let to = to.to_owned();
        self.state(from, &Deed::Follow(to.clone()), &Deed::Unfollow(to))
    }

    /// Returns whether a list with that name may exist.
    pub fn list(&self, owner: &str, name: &str) -> Edge {
        let name = name.to_owned();
        let made = Deed::MakeList(name.clone());
        self.state(owner, &made, &Deed::DropList(name))
    }

    /// Returns whether a person may be in a list.
    pub fn list_membership(&self, owner: &str, list: &str, member: &str) -> Edge {
        let (list, member) = (list.to_owned(), member.to_owned());
        let enlisted = Deed::Enlist(list.clone(), member.clone());
        self.state(owner, &enlisted, &Deed::Delist(list, member))
    }

    /// Returns whether a list may be exclusive.
    pub fn shut(&self, owner: &str, list: &str) -> Edge {
        let list = list.to_owned();
        self.state(owner, &Deed::Shut(list.clone()), &Deed::Open(list))
    }

    /// Returns whether an exclusive list certainly keeps a person off the owner's home.
    pub fn is_kept_out(&self, owner: &str, member: &str) -> bool {
        let made = self.entries.iter().filter(|entry| entry.who == owner);
        made.filter_map(|entry| match &entry.deed {
            Deed::MakeList(name) => Some(name),
            _ => None,
        })
        .any(|name| {
            let states = [
                self.list(owner, name),
                self.shut(owner, name),
                self.list_membership(owner, name, member),
            ];
            states.iter().all(|state| !state.may_be_gone)
        })
    }

    /// Returns the possible state after all actions of a person. A person does one thing at a time,
    /// so the last acknowledged action holds, unless an unknown one could still be applied after
    /// it.
    fn state(&self, who: &str, done: &Deed, retracted: &Deed) -> Edge {
        let mut possible = vec![(false, self.begun)];
        for entry in self.entries.iter().filter(|entry| entry.who == who) {
            let is_so = entry.deed == *done;
            if !is_so && entry.deed != *retracted {
                continue;
            }
            match entry.answered {
                Some((_, Outcome::Unreached)) => {}
                Some((when, Outcome::Acknowledged)) => {
                    possible.retain(|(_, until)| *until > entry.sent);
                    possible.push((is_so, when));
                }
                Some((when, Outcome::Refused)) => possible.push((is_so, when)),
                Some((when, Outcome::Lost)) => possible.push((is_so, when + WRITE_DEADLINE)),
                None => possible.push((is_so, entry.sent + 10 * WRITE_DEADLINE)),
            }
        }
        Edge {
            may_stand: possible.iter().any(|(is_so, _)| *is_so),
            may_be_gone: possible.iter().any(|(is_so, _)| !*is_so),
        }
    }
}
