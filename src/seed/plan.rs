//! What a seed is going to make: people, who follows whom, and posts in the order in which they
//! appear. Every part of it is the same each time it is drawn up from the same input.

use sha2::{Digest, Sha256};

use crate::domain::{Bio, DisplayName, Login, Message, Nonce};

/// A community on paper. People are named by their place in `people`.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) people: Vec<PlannedPerson>,
    pub(super) follows: Vec<PlannedFollow>,
    /// One round after another. Within a round nobody posts twice, so its posts may go out at the
    /// same time and each person's still appear in order.
    pub(super) rounds: Vec<Vec<PlannedPost>>,
    /// Who favours what, and who reposts what, when all is said.
    pub(super) favourites: Vec<PlannedPress>,
    pub(super) reposts: Vec<PlannedPress>,
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
    /// The number of a post of an earlier round.
    pub(super) answers: Option<usize>,
}

/// A button of a post that somebody presses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlannedPress {
    pub(super) person: usize,
    /// The number of the post.
    pub(super) post: usize,
}

impl Plan {
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
pub(super) fn nonce(words: &[&str]) -> Nonce {
    Nonce::of(digest(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_differ_where_words_are_cut_otherwise() {
        assert_eq!(
            nonce(&["post", "robin", "hello"]),
            nonce(&["post", "robin", "hello"])
        );
        assert_ne!(nonce(&["ab", "c"]), nonce(&["a", "bc"]));
    }

    #[test]
    fn a_limit_keeps_the_first_posts() {
        let post = |author| PlannedPost {
            number: 0,
            author,
            message: Message::parse("hello").expect("valid"),
            answers: None,
        };
        let mut plan = Plan {
            people: vec![],
            follows: vec![],
            rounds: vec![
                vec![post(0), post(1)],
                vec![post(0), post(1)],
                vec![post(0)],
            ],
            favourites: vec![],
            reposts: vec![],
        };
        plan.limit_posts(3);
        assert_eq!(plan.posts(), 3);
        assert_eq!(plan.rounds.len(), 2);
    }
}
