//! The order of posts by importance, and its pages.

use std::{cmp::Reverse, str::FromStr};

use crate::domain::{ParseError, Reason, Score, Signals, StatusId};

/// A position in the order: greater ones come first. No two posts share one. Its text in an address is
/// `<thousandths of a point>.<status id>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{}.{id}", score.0)]
pub struct Rank {
    pub score: Score,
    pub id: StatusId,
}

/// The cursor of a page: the order as of a moment, after a position. The position includes the score, so
/// it stays valid if its status is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Further {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    pub behind: Rank,
}

impl Further {
    /// Returns `None` if no status could have been posted by that time.
    pub fn new(at_ms: u64, behind: Rank) -> Option<Self> {
        let latest_ms = StatusId::EPOCH_MS + (1 << (53 - StatusId::RANDOM_BITS)) - 1;
        let possible = (StatusId::EPOCH_MS..=latest_ms).contains(&at_ms);
        possible.then_some(Self { at_ms, behind })
    }
}

impl FromStr for Rank {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (score, id) = text.split_once('.').ok_or(ParseError)?;
        let digits = score.bytes().all(|byte| byte.is_ascii_digit());
        let score = score.parse().ok().filter(|_| digits);
        Ok(Self {
            score: score.map(Score).ok_or(ParseError)?,
            id: id.parse()?,
        })
    }
}

/// A post with its position.
#[derive(Debug, Clone)]
pub struct Ranked<T> {
    pub item: T,
    pub rank: Rank,
    pub reasons: Vec<Reason>,
}

impl<T> Ranked<T> {
    pub fn of(id: StatusId, signals: &Signals, item: T) -> Self {
        let score = signals.score();
        Self {
            item,
            rank: Rank { score, id },
            reasons: signals.reasons(),
        }
    }
}

/// Returns the `size` most important posts after a position, and the last position if more posts follow.
pub fn most_important<T>(
    mut posts: Vec<Ranked<T>>,
    behind: Option<Rank>,
    size: usize,
) -> (Vec<Ranked<T>>, Option<Rank>) {
    posts.retain(|post| behind.is_none_or(|behind| post.rank < behind));
    posts.sort_by_key(|post| Reverse(post.rank));
    let more = posts.len() > size;
    posts.truncate(size);
    let last = posts.last().filter(|_| more).map(|post| post.rank);
    (posts, last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{importance::tests::signals, ranking::*};

    #[test]
    fn the_text_of_a_rank_is_its_score_and_its_id() {
        let rank: Rank = "37333.4096".parse().expect("a rank");
        assert_eq!((rank.score, rank.id.get()), (Score(37_333), 4096));
    }

    #[test]
    fn a_further_page_requires_a_valid_time() {
        let behind = "5.5".parse().expect("a place");
        let further = |at_ms| Further::new(at_ms, behind).is_some();
        assert!(further(StatusId::EPOCH_MS) && further(StatusId::EPOCH_MS + (1 << 41) - 1));
        assert!(!further(0) && !further(StatusId::EPOCH_MS + (1 << 41)) && !further(u64::MAX));
    }

    proptest! {
        #[test]
        fn consecutive_pages_form_the_complete_ranking(all in prop::collection::vec(signals(), 0..80), size in 1..20_usize) {
            let posts: Vec<Ranked<usize>> = (1..).zip(&all).enumerate().map(|(item, (id, signals))| {
                Ranked::of(StatusId::new(id).expect("in range"), signals, item)
            }).collect();
            let (whole, _) = most_important(posts.clone(), None, usize::MAX);
            let (mut paged, mut behind) = (Vec::new(), None);
            loop {
                let (page, last) = most_important(posts.clone(), behind, size);
                prop_assert!(last.is_none() || page.len() == size);
                paged.extend(page);
                behind = last;
                if behind.is_none() { break }
            }
            let places = |posts: &[Ranked<usize>]| posts.iter().map(|post| post.rank).collect::<Vec<_>>();
            prop_assert_eq!(places(&paged), places(&whole));
            prop_assert_eq!(whole.len(), all.len());
            prop_assert!(places(&whole).is_sorted_by(|above, below| above > below));
        }
    }
}
