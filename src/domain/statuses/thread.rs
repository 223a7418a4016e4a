//! The position of a reply in its conversation: its parent and further ancestors.

use std::{fmt, str::FromStr};

use crate::domain::{GroupId, ParseError, Readers, StatusId, StatusRef, UserId, Visibility};

/// The ancestors of a reply: the first status of the conversation and the nearest ones. A page reads
/// both in one round trip at any depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    pub root: StatusId,
    /// Number of ancestors.
    pub depth: u64,
    /// The nearest ancestors, nearest first: all, or [`Thread::NEAREST`].
    pub above: Vec<StatusId>,
}

impl Thread {
    /// Maximum number of ancestors that a reply stores.
    pub const NEAREST: usize = 20;

    /// Returns the thread of a reply to a status, which may be a reply itself.
    pub fn below(parent: StatusId, thread: Option<&Self>) -> Self {
        let above = thread.map_or(&[][..], |thread| &thread.above);
        let nearest = [parent].into_iter().chain(above.iter().copied());
        Self {
            root: thread.map_or(parent, |thread| thread.root),
            depth: thread.map_or(1, |thread| thread.depth + 1),
            above: nearest.take(Self::NEAREST).collect(),
        }
    }

    /// Returns the thread of the parent, with one fewer known ancestor. `None` if that is no reply.
    pub fn of_parent(&self) -> Option<Self> {
        (self.depth > 1).then(|| Self {
            root: self.root,
            depth: self.depth - 1,
            above: self.above.iter().skip(1).copied().collect(),
        })
    }

    /// Returns the ancestors that a page shows, oldest first: the first status, and the nearest.
    pub fn shown(&self) -> Vec<StatusId> {
        let root = (!self.above.contains(&self.root)).then_some(self.root);
        root.into_iter()
            .chain(self.above.iter().rev().copied())
            .collect()
    }

    /// Returns the number of ancestors between the first status and the stored ones.
    pub fn between(&self) -> u64 {
        self.depth.saturating_sub(self.shown().len() as u64)
    }
}

/// Formats as stored: root, depth, and the nearest ancestors separated by commas.
impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let above: Vec<String> = self.above.iter().map(StatusId::to_string).collect();
        write!(f, "{} {} {}", self.root, self.depth, above.join(","))
    }
}

impl FromStr for Thread {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut parts = text.splitn(3, ' ');
        let mut part = || parts.next().ok_or(ParseError);
        Ok(Self {
            root: part()?.parse()?,
            depth: part()?.parse().map_err(|_| ParseError)?,
            above: part()?
                .split(',')
                .map(str::parse)
                .collect::<Result<_, _>>()?,
        })
    }
}

/// The data that makes a status a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyTarget {
    pub to: StatusRef,
    pub thread: Thread,
    /// The author of the first status. Whether their account is private decides about the replies.
    pub root_author: UserId,
    /// The widest visibility that the reply can have.
    pub widest: Visibility,
    /// The author of the first status, if only their followers see the conversation.
    pub followed: Option<UserId>,
    /// Whether the status and the first one let the person reply.
    pub may_reply: bool,
    /// The group of the conversation.
    pub group: Option<GroupId>,
    /// The stored readers of the status. A reply to what only members of a group see has the same.
    pub own_readers: Readers,
}

impl ReplyTarget {
    /// Returns the stored fields, by name.
    pub fn fields(&self) -> [(&'static str, String); 3] {
        [
            ("reply_to", self.to.to_string()),
            ("thread", self.thread.to_string()),
            ("root_author", self.root_author.to_string()),
        ]
    }

    /// Returns the readers of a reply by this author, who chose this visibility.
    pub fn readers(&self, author: UserId, chosen: Visibility) -> Readers {
        if self.own_readers.of_group().is_some() {
            return self.own_readers;
        }
        Readers::of(chosen.min(self.widest), self.followed.unwrap_or(author))
    }
}

/// The position of a reply under its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyPosition {
    /// It is alive.
    Reply,
    /// It was deleted and has replies. It stays as a gap, so that those keep their place.
    Gap,
    /// It was deleted without replies, or it replies to another status.
    Nowhere,
}

#[cfg(test)]
mod tests {
    use super::super::thread::*;

    fn id(number: u64) -> StatusId {
        StatusId::new(number).expect("in range")
    }

    /// Creates the thread of a reply with this number of ancestors, numbered from the first.
    fn chain(depth: u64) -> Thread {
        let first = Thread::below(id(1), None);
        (2..=depth).fold(first, |thread, at| Thread::below(id(at), Some(&thread)))
    }

    #[test]
    fn a_thread_contains_the_root_and_the_nearest_ancestors() {
        assert_eq!(chain(1).to_string(), "1 1 1");
        assert_eq!(chain(3).to_string(), "1 3 3,2,1");
        let deep = chain(1000);
        assert_eq!((deep.root, deep.depth), (id(1), 1000));
        assert_eq!(deep.above.first(), Some(&id(1000)));
        assert_eq!(deep.above.len(), Thread::NEAREST);
    }

    #[test]
    fn a_thread_counts_the_omitted_ancestors() {
        assert_eq!(
            [1, 20, 21, 22, 1000].map(|depth| chain(depth).between()),
            [0, 0, 0, 1, 979]
        );
    }

    #[test]
    fn the_thread_of_the_parent_is_derived_from_the_reply() {
        assert_eq!(chain(1).of_parent(), None);
        assert_eq!(chain(3).of_parent(), Some(chain(2)));
        let deep = chain(30).of_parent().expect("a reply");
        assert_eq!((deep.depth, deep.above.len()), (29, 19));
        assert_eq!(deep.between(), 9);
    }

    #[test]
    fn a_thread_round_trips_through_text() {
        for depth in [1, 2, 25] {
            assert_eq!(chain(depth).to_string().parse(), Ok(chain(depth)));
        }
    }
}
