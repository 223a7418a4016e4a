//! Where an answer stands in its conversation: what it answers, and what is above that.

use std::{fmt, str::FromStr};

use super::{ParseIdError, StatusId, StatusRef};

/// What is above an answer: the status that the conversation began with and the nearest that lead to
/// it, so that a page reads both in one trip, however deep it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    pub root: StatusId,
    /// How many statuses are above it.
    pub depth: u64,
    /// The nearest of them, nearest first: all, or [`Thread::NEAREST`].
    pub above: Vec<StatusId>,
}

impl Thread {
    /// How many of those above an answer it names itself.
    pub const NEAREST: usize = 20;

    /// Of an answer to that status, which may be an answer itself.
    #[must_use]
    pub fn below(answered: StatusId, thread: Option<&Self>) -> Self {
        let above = thread.map_or(&[][..], |thread| &thread.above);
        let nearest = [answered].into_iter().chain(above.iter().copied());
        Self {
            root: thread.map_or(answered, |thread| thread.root),
            depth: thread.map_or(1, |thread| thread.depth + 1),
            above: nearest.take(Self::NEAREST).collect(),
        }
    }

    /// The same of what is answered; `None` where that answers nothing. One less of those that it
    /// names is known.
    #[must_use]
    pub fn of_answered(&self) -> Option<Self> {
        (self.depth > 1).then(|| Self {
            root: self.root,
            depth: self.depth - 1,
            above: self.above.iter().skip(1).copied().collect(),
        })
    }

    /// Those that a page shows, in the order in which they were written: the first status, and the
    /// nearest.
    #[must_use]
    pub fn shown(&self) -> Vec<StatusId> {
        let root = (!self.above.contains(&self.root)).then_some(self.root);
        root.into_iter()
            .chain(self.above.iter().rev().copied())
            .collect()
    }

    /// How many stand between the first status and the nearest that are named.
    #[must_use]
    pub fn between(&self) -> u64 {
        self.depth.saturating_sub(self.shown().len() as u64)
    }
}

/// As a status keeps it: root, depth, and the nearest with commas between.
impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let above: Vec<String> = self.above.iter().map(StatusId::to_string).collect();
        write!(f, "{} {} {}", self.root, self.depth, above.join(","))
    }
}

impl FromStr for Thread {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let mut parts = text.splitn(3, ' ');
        let mut part = || parts.next().ok_or(ParseIdError);
        Ok(Self {
            root: part()?.parse()?,
            depth: part()?.parse().map_err(|_| ParseIdError)?,
            above: part()?
                .split(',')
                .map(str::parse)
                .collect::<Result<_, _>>()?,
        })
    }
}

/// What makes a status an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub to: StatusRef,
    pub thread: Thread,
}

impl Answer {
    /// The fields of the status that say so, by name.
    #[must_use]
    pub fn fields(&self) -> [(&'static str, String); 2] {
        [
            ("answers", self.to.to_string()),
            ("thread", self.thread.to_string()),
        ]
    }
}

/// How an answer stands under what it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// It lives.
    Answer,
    /// It was deleted, and others answer it: it stays as a gap, so that those keep their place.
    Gap,
    /// It was deleted, and nothing is below it; or it answers something else.
    Nowhere,
}

#[cfg(test)]
mod tests {
    use super::super::thread::*;

    fn id(number: u64) -> StatusId {
        StatusId::new(number).expect("in range")
    }

    /// Of an answer that so many statuses are above, numbered from the first.
    fn chain(depth: u64) -> Thread {
        let first = Thread::below(id(1), None);
        (2..=depth).fold(first, |thread, at| Thread::below(id(at), Some(&thread)))
    }

    #[test]
    fn an_answer_knows_the_first_status_and_the_nearest_above_it() {
        assert_eq!(chain(1).to_string(), "1 1 1");
        assert_eq!(chain(3).to_string(), "1 3 3,2,1");
        let deep = chain(1000);
        assert_eq!((deep.root, deep.depth), (id(1), 1000));
        assert_eq!(deep.above.first(), Some(&id(1000)));
        assert_eq!(deep.above.len(), Thread::NEAREST);
    }

    #[test]
    fn those_in_between_are_counted() {
        assert_eq!(
            [1, 20, 21, 22, 1000].map(|depth| chain(depth).between()),
            [0, 0, 0, 1, 979]
        );
    }

    #[test]
    fn what_is_above_the_answered_follows_from_the_answer() {
        assert_eq!(chain(1).of_answered(), None);
        assert_eq!(chain(3).of_answered(), Some(chain(2)));
        let deep = chain(30).of_answered().expect("an answer");
        assert_eq!((deep.depth, deep.above.len()), (29, 19));
        assert_eq!(deep.between(), 9);
    }

    #[test]
    fn a_thread_is_read_as_it_was_written() {
        for depth in [1, 2, 25] {
            assert_eq!(chain(depth).to_string().parse(), Ok(chain(depth)));
        }
        for text in ["", "1", "1 1", "1 1 ", "1 x 1", "1 1 1,", "a 1 1"] {
            assert_eq!(text.parse::<Thread>(), Err(ParseIdError), "{text:?}");
        }
    }
}
