//! The plan of a seed: people, follows, and posts in order. The same input gives the same plan.

use std::{collections::HashSet, time::Duration};

use sha2::{Digest, Sha256};

use crate::domain::{
    AuthorPreference, Ballot, Bio, ChatName, ChatText, DisplayName, FoldedTag, IdempotencyKey,
    ListName, Login, Message, Poll, Warning,
};
use crate::store::GroupDraft;

/// A planned community. People are named by their index in `people`.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) people: Vec<PlannedPerson>,
    pub(super) follows: Vec<PlannedFollow>,
    /// Rounds of posts, which may be sent concurrently: each person posts at most once in a round.
    pub(super) rounds: Vec<Vec<PlannedPost>>,
    /// Buttons pressed under posts.
    pub(super) presses: Vec<PlannedPress>,
    /// Settings, written after all posts.
    pub(super) settings: Vec<PlannedSetting>,
    pub(super) chats: Vec<PlannedChat>,
    pub(super) groups: Vec<PlannedGroup>,
}

/// A group with its people.
#[derive(Debug)]
pub(super) struct PlannedGroup {
    pub(super) draft: GroupDraft,
    pub(super) owner: usize,
    pub(super) moderators: Vec<usize>,
    pub(super) members: Vec<usize>,
    /// Authors and texts, which differ, oldest first. They are among the rounds once they are dated.
    pub(super) posts: Vec<(usize, Message)>,
}

/// A conversation of messages.
#[derive(Debug)]
pub(super) struct PlannedChat {
    /// The first person begins it, and the others follow them.
    pub(super) people: Vec<usize>,
    pub(super) name: Option<ChatName>,
    /// Authors and texts, which differ, oldest first.
    pub(super) messages: Vec<(usize, ChatText)>,
}

#[derive(Debug)]
pub(super) struct PlannedPerson {
    pub(super) login: Login,
    pub(super) name: DisplayName,
    pub(super) bio: Bio,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlannedFollow {
    pub(super) follower: usize,
    pub(super) followed: usize,
    /// Only the follows of the demo are dated back.
    pub(super) age: Duration,
}

impl PlannedFollow {
    pub(super) fn new(follower: usize, followed: usize) -> Self {
        Self {
            follower,
            followed,
            age: Duration::ZERO,
        }
    }
}

#[derive(Debug)]
pub(super) struct PlannedPost {
    /// Unique in the plan.
    pub(super) number: usize,
    pub(super) author: usize,
    pub(super) message: Message,
    /// Text with a typo, before its author edits it to `message`.
    pub(super) typo: Option<Message>,
    pub(super) warning: Option<Warning>,
    pub(super) poll: Option<Poll>,
    pub(super) reference: Option<Reference>,
    /// The place of its group in the plan.
    pub(super) group: Option<usize>,
    /// Time since it was written. Only the posts of the demo are dated back.
    pub(super) age: Duration,
}

/// A reference to a post of an earlier round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reference {
    ReplyTo(usize),
    QuoteOf(usize),
}

impl Reference {
    pub(super) fn number(self) -> usize {
        match self {
            Self::ReplyTo(number) | Self::QuoteOf(number) => number,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlannedPress {
    pub(super) person: usize,
    /// The number of the post.
    pub(super) post: usize,
    pub(super) button: Button,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Button {
    Favourite,
    Bookmark,
    Repost,
    Vote(Ballot),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlannedSetting {
    pub(super) person: usize,
    pub(super) setting: Setting,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Tag(FoldedTag),
    /// A list, its members, and whether it keeps them off home.
    List(ListName, Vec<usize>, bool),
    AuthorPreference(usize, AuthorPreference),
}

impl Plan {
    /// Creates a plan of people who only post.
    pub(super) fn new(
        people: Vec<PlannedPerson>,
        follows: Vec<PlannedFollow>,
        rounds: Vec<Vec<PlannedPost>>,
    ) -> Self {
        Self {
            people,
            follows,
            rounds,
            presses: Vec::new(),
            settings: Vec::new(),
            chats: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Keeps only the first posts.
    pub(super) fn limit_posts(&mut self, most: usize) {
        let mut left = most;
        for round in &mut self.rounds {
            round.truncate(left);
            left -= round.len();
        }
        self.rounds.retain(|round| !round.is_empty());
    }

    pub(super) fn posts(&self) -> usize {
        self.rounds.iter().map(Vec::len).sum()
    }

    /// Returns the followers of each person.
    pub(super) fn followers(&self) -> Vec<Vec<usize>> {
        self.neighbours(|edge| (edge.followed, edge.follower))
    }

    /// Returns the people that each person follows.
    pub(super) fn followed(&self) -> Vec<Vec<usize>> {
        self.neighbours(|edge| (edge.follower, edge.followed))
    }

    fn neighbours(&self, edge: fn(&PlannedFollow) -> (usize, usize)) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.people.len()];
        for (person, neighbour) in self.follows.iter().map(edge) {
            neighbours[person].push(neighbour);
        }
        neighbours
    }

    /// Returns the first of the most followed people, for the hint after the seed.
    pub(super) fn most_followed(&self) -> usize {
        let followers = self.followers();
        let people = (0..followers.len()).rev();
        let most_followed = people.max_by_key(|place| followers[*place].len());
        most_followed.unwrap_or(0)
    }
}

impl PlannedPost {
    pub(super) fn new(number: usize, author: usize, message: Message) -> Self {
        Self {
            number,
            author,
            message,
            typo: None,
            warning: None,
            poll: None,
            reference: None,
            group: None,
            age: Duration::ZERO,
        }
    }
}

/// Arranges threads in rounds: one post per thread, and each person once per round.
pub(super) fn arrange_in_rounds(threads: Vec<Vec<PlannedPost>>) -> Vec<Vec<PlannedPost>> {
    let threads = threads.into_iter();
    let mut threads: Vec<_> = threads
        .map(|thread| thread.into_iter().peekable())
        .collect();
    let mut rounds = Vec::new();
    loop {
        let mut authors = HashSet::new();
        let next = threads
            .iter_mut()
            .filter_map(|thread| thread.next_if(|post| authors.insert(post.author)));
        let round: Vec<PlannedPost> = next.collect();
        if round.is_empty() {
            return rounds;
        }
        rounds.push(round);
    }
}

/// Returns a number that these words determine.
pub(super) fn digest(words: &[&str]) -> u128 {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.len().to_be_bytes());
        hash.update(word);
    }
    let digest = hash.finalize();
    let first = digest.iter().take(16);
    first.fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Returns the idempotency key of a seeded item, equal in every run.
pub(super) fn idempotency_key(words: &[&str]) -> IdempotencyKey {
    IdempotencyKey::of(digest(words))
}

#[cfg(test)]
mod tests {
    use super::super::plan::*;

    #[test]
    fn idempotency_keys_depend_on_word_boundaries() {
        let key = || idempotency_key(&["post", "robin", "hello"]);
        assert_eq!(key(), key());
        assert_ne!(idempotency_key(&["ab", "c"]), idempotency_key(&["a", "bc"]));
    }

    #[test]
    fn a_limit_retains_the_first_posts() {
        let post = |author| PlannedPost::new(0, author, Message::parse("hello").expect("valid"));
        let both = || vec![post(0), post(1)];
        let rounds = vec![both(), both(), vec![post(0)]];
        let mut plan = Plan::new(vec![], vec![], rounds);
        plan.limit_posts(3);
        assert_eq!(plan.posts(), 3);
        assert_eq!(plan.rounds.len(), 2);
    }
}
