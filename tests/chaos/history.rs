//! What people did and how they were answered, and what must be true because of it. A write that
//! was not answered with success is unknown: it happened wholly or not at all, and until when it
//! can still happen is known.

use std::{
    collections::{BTreeSet, HashMap},
    time::Instant,
};

use super::{network::WRITE_DEADLINE, pages::author_of};

/// One thing that somebody does by one form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    SignUp,
    LogIn,
    LogOut,
    /// Texts are unique, so they name what they became.
    Post(String),
    Delete(String),
    Follow(String),
    Unfollow(String),
    /// An answer of that text to a post of that one.
    Answer(String, String),
    /// A star on a post of that text, and off it.
    Star(String),
    Unstar(String),
    /// For the first option of the poll with that text.
    Vote(String),
    /// Names of lists are unique too.
    MakeList(String),
    DropList(String),
    /// Puts somebody into a list.
    Enlist(String, String),
    Delist(String, String),
    /// Makes a list exclusive.
    Shut(String),
    Open(String),
}

/// How one sending of a form was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Acknowledged,
    /// With 503: it happened before the answer, or never will.
    Refused,
    /// The connection broke: it can happen until its deadline.
    Lost,
    /// There was nobody to connect to.
    Unreached,
}

/// What is known of a write, all sendings of its form together.
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

/// Whether something that can be done and undone may be so now: that one person follows another.
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

    /// A form is sent. Gives what [`Self::answered`] takes.
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

    /// Something that must not be, with what happened to all that it names.
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
        // Said at once as well: what is wrong may keep the run from its end.
        eprintln!("{told}");
        self.faults.push(told);
    }

    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// A status was seen. The same text under another id was posted twice.
    pub fn seen(&mut self, text: &str, id: u64) {
        let first = *self.ids.entry(text.to_owned()).or_insert(id);
        if first != id {
            self.fault(&format!("\"{text}\" is both {first} and {id}"), &[text]);
        }
    }

    /// Every status that was ever seen.
    pub fn ids(&self) -> Vec<(String, u64)> {
        let mut ids: Vec<_> = self.ids.clone().into_iter().collect();
        ids.sort_unstable_by_key(|(_, id)| *id);
        ids
    }

    /// Each deed once, with who did it.
    pub fn deeds(&self) -> BTreeSet<(String, Deed)> {
        let pair = |entry: &Entry| (entry.who.clone(), entry.deed.clone());
        self.entries.iter().map(pair).collect()
    }

    fn sendings<'a>(&'a self, who: &'a str, deed: &'a Deed) -> impl Iterator<Item = &'a Entry> {
        let matching = move |entry: &&Entry| entry.who == who && entry.deed == *deed;
        self.entries.iter().filter(matching)
    }

    /// Whether it was ever tried.
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

    /// Whether it was acknowledged before that moment.
    pub fn was_done(&self, who: &str, deed: &Deed, by: Instant) -> bool {
        self.sendings(who, deed)
            .any(|entry| matches!(entry.answered, Some((when, Outcome::Acknowledged)) if when < by))
    }

    /// The last text that somebody was told is posted by then, and that they did not try to delete.
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

    /// Whether its author has tried to delete a post.
    pub fn may_be_deleted(&self, text: &str) -> bool {
        self.fate(author_of(text), &Deed::Delete(text.to_owned())) != Fate::NotDone
    }

    /// Whether there may be nothing any more that something is done to.
    pub fn is_moot(&self, deed: &Deed) -> bool {
        match deed {
            Deed::Answer(_, to) | Deed::Star(to) | Deed::Unstar(to) | Deed::Vote(to) => {
                self.may_be_deleted(to)
            }
            _ => false,
        }
    }

    /// Whether somebody's star may be on a post.
    pub fn star(&self, who: &str, text: &str) -> Edge {
        let star = Deed::Star(text.to_owned());
        self.state(who, &star, &Deed::Unstar(text.to_owned()))
    }

    pub fn edge(&self, from: &str, to: &str) -> Edge {
        let to = to.to_owned();
        self.state(from, &Deed::Follow(to.clone()), &Deed::Unfollow(to))
    }

    /// Whether a list of that name may be there.
    pub fn list(&self, owner: &str, name: &str) -> Edge {
        let name = name.to_owned();
        let made = Deed::MakeList(name.clone());
        self.state(owner, &made, &Deed::DropList(name))
    }

    /// Whether somebody may stand in a list.
    pub fn list_membership(&self, owner: &str, list: &str, member: &str) -> Edge {
        let (list, member) = (list.to_owned(), member.to_owned());
        let enlisted = Deed::Enlist(list.clone(), member.clone());
        self.state(owner, &enlisted, &Deed::Delist(list, member))
    }

    /// Whether a list may be exclusive.
    pub fn shut(&self, owner: &str, list: &str) -> Edge {
        let list = list.to_owned();
        self.state(owner, &Deed::Shut(list.clone()), &Deed::Open(list))
    }

    /// Whether an exclusive list keeps somebody off the owner's home for certain.
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

    /// What may be so after all that somebody did: each does one thing at a time, so the last
    /// acknowledged deed holds, unless one that was unknown could still happen after it.
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
