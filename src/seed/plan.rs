//! What a seed is going to make: people, who follows whom, and posts in the order in which they
//! appear. Every part of it is the same each time it is drawn up from the same input.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::domain::{
    AuthorPreference, Ballot, Bio, DisplayName, FoldedTag, IdempotencyKey, ListName, Login,
    Message, Poll, Warning,
};

/// A community on paper. People are named by their place in `people`.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) people: Vec<PlannedPerson>,
    pub(super) follows: Vec<PlannedFollow>,
    /// One round after another. Within a round nobody posts twice, so its posts may go out at the
    /// same time and each person's still appear in order.
    pub(super) rounds: Vec<Vec<PlannedPost>>,
    /// The buttons that people press under posts.
    pub(super) presses: Vec<PlannedPress>,
    /// When all is said.
    pub(super) habits: Vec<PlannedHabit>,
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
}

#[derive(Debug)]
pub(super) struct PlannedPost {
    /// No other post of the plan has it.
    pub(super) number: usize,
    pub(super) author: usize,
    pub(super) message: Message,
    /// What it says until its author corrects it to `message`.
    pub(super) slip: Option<Message>,
    pub(super) warning: Option<Warning>,
    pub(super) poll: Option<Poll>,
    pub(super) about: Option<About>,
}

/// The number of a post of an earlier round that another one is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Answers(usize),
    Quotes(usize),
}

impl About {
    pub(super) fn number(self) -> usize {
        match self {
            Self::Answers(number) | Self::Quotes(number) => number,
        }
    }
}

/// A button of a post that somebody presses.
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

/// What somebody has for themselves.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlannedHabit {
    pub(super) person: usize,
    pub(super) habit: Habit,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Habit {
    /// A tag they follow.
    Tag(FoldedTag),
    /// A list and who stands in it.
    List(ListName, Vec<usize>),
    /// How much they ask for of somebody whom they follow.
    AuthorPreference(usize, AuthorPreference),
}

impl Plan {
    /// People who post and do nothing else.
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
            habits: Vec::new(),
        }
    }

    /// Keeps the first posts only.
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

    /// Who follows each.
    pub(super) fn followers(&self) -> Vec<Vec<usize>> {
        let mut followers = vec![Vec::new(); self.people.len()];
        for edge in &self.follows {
            followers[edge.followed].push(edge.follower);
        }
        followers
    }

    /// Whom each follows.
    pub(super) fn followed(&self) -> Vec<Vec<usize>> {
        let mut followed = vec![Vec::new(); self.people.len()];
        for edge in &self.follows {
            followed[edge.follower].push(edge.followed);
        }
        followed
    }

    /// The one whom most follow, the first of several: as whom to look at it.
    pub(super) fn guide(&self) -> usize {
        let followers = self.followers();
        let most = (0..followers.len()).rev();
        most.max_by_key(|place| followers[*place].len())
            .unwrap_or(0)
    }
}

impl PlannedPost {
    /// Plain words.
    pub(super) fn new(number: usize, author: usize, message: Message) -> Self {
        Self {
            number,
            author,
            message,
            slip: None,
            warning: None,
            poll: None,
            about: None,
        }
    }
}

/// Threads in rounds: of each thread one post, and nobody twice in one round.
pub(super) fn in_rounds(threads: Vec<Vec<PlannedPost>>) -> Vec<Vec<PlannedPost>> {
    let mut threads: Vec<_> = threads
        .into_iter()
        .map(|thread| thread.into_iter().peekable())
        .collect();
    let mut rounds = Vec::new();
    loop {
        let mut speak = HashSet::new();
        let next = threads
            .iter_mut()
            .filter_map(|thread| thread.next_if(|answer| speak.insert(answer.author)));
        let round: Vec<PlannedPost> = next.collect();
        if round.is_empty() {
            return rounds;
        }
        rounds.push(round);
    }
}

/// A number that these words always give, and no others.
pub(super) fn digest(words: &[&str]) -> u128 {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.len().to_be_bytes());
        hash.update(word);
    }
    let digest = hash.finalize();
    digest
        .iter()
        .take(16)
        .fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// The nonce of something that a seed makes: the same in every run.
pub(super) fn idempotency_key(words: &[&str]) -> IdempotencyKey {
    IdempotencyKey::of(digest(words))
}

#[cfg(test)]
mod tests {
    use super::super::plan::*;

    #[test]
    fn nonces_differ_where_words_are_cut_otherwise() {
        assert_eq!(
            idempotency_key(&["post", "robin", "hello"]),
            idempotency_key(&["post", "robin", "hello"])
        );
        assert_ne!(idempotency_key(&["ab", "c"]), idempotency_key(&["a", "bc"]));
    }

    #[test]
    fn a_limit_keeps_the_first_posts() {
        let post = |author| PlannedPost::new(0, author, Message::parse("hello").expect("valid"));
        let rounds = vec![
            vec![post(0), post(1)],
            vec![post(0), post(1)],
            vec![post(0)],
        ];
        let mut plan = Plan::new(vec![], vec![], rounds);
        plan.limit_posts(3);
        assert_eq!(plan.posts(), 3);
        assert_eq!(plan.rounds.len(), 2);
    }
}
