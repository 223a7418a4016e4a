//! Votes in polls: one person's vote, and the counts of all votes.

use crate::domain::Poll;

/// One person's vote: at least one option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ballot(u8);

impl Ballot {
    /// Creates a vote for these options, counted from 0. `None` without an option, or with an option
    /// beyond those that a poll can have.
    pub fn of(options: &[usize]) -> Option<Self> {
        if options.iter().any(|option| *option >= Poll::MAX_OPTIONS) {
            return None;
        }
        let bits = options.iter().fold(0, |bits, option| bits | 1 << option);
        Self::stored(bits)
    }

    /// Parses a stored vote: the sum of 1, 2, 4 and 8, one for each chosen option.
    pub fn stored(bits: u64) -> Option<Self> {
        let bits = u8::try_from(bits).ok()?;
        (bits > 0 && bits < 1 << Poll::MAX_OPTIONS).then_some(Self(bits))
    }

    pub fn bits(self) -> u8 {
        self.0
    }

    pub fn includes(self, option: usize) -> bool {
        option < Poll::MAX_OPTIONS && self.0 & 1 << option != 0
    }

    pub(in crate::domain) fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether all chosen options are among the first `options`.
    pub(in crate::domain) fn is_within(self, options: usize) -> bool {
        u32::from(self.0) < 1 << options
    }
}

/// The number of voters, and the votes for each option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    pub people: u64,
    /// In the order of the options.
    pub votes: Vec<u64>,
}

impl Tally {
    /// Returns the counts of a poll without votes.
    pub fn none(options: usize) -> Self {
        Self {
            people: 0,
            votes: vec![0; options],
        }
    }

    /// Parses stored counts, separated by single blanks.
    pub fn stored(text: &str, options: usize) -> Option<Self> {
        let numbers: Result<Vec<u64>, _> = text.split(' ').map(str::parse).collect();
        let mut votes = numbers.ok()?;
        (votes.len() == options + 1).then(|| Self {
            people: votes.remove(0),
            votes,
        })
    }

    /// Returns the rounded percentage of voters who chose the option.
    pub fn percent(&self, option: usize) -> u64 {
        let votes = self.votes.get(option).copied().unwrap_or_default();
        (100 * votes + self.people / 2)
            .checked_div(self.people)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ballot::*;

    #[test]
    fn a_ballot_contains_only_valid_option_numbers() {
        let ballot = Ballot::of(&[3, 0, 3]).expect("a ballot");
        assert_eq!(ballot.bits(), 9);
        assert_eq!(
            [0, 1, 3, 9].map(|at| ballot.includes(at)),
            [true, false, true, false]
        );
        assert_eq!(Ballot::of(&[]), None);
        assert_eq!(Ballot::of(&[4]), None);
        assert_eq!([0, 16, 300].map(Ballot::stored), [None; 3]);
    }

    #[test]
    fn a_tally_has_one_count_per_option() {
        let tally = Tally::stored("3 1 2", 2).expect("a tally");
        assert_eq!((tally.people, &tally.votes[..]), (3, &[1, 2][..]));
        assert_eq!([0, 1, 2].map(|at| tally.percent(at)), [33, 67, 0]);
        assert_eq!(Tally::none(2).percent(0), 0);
        for text in ["", "3", "3 1", "3 1 2 4", "3 1 x"] {
            assert_eq!(Tally::stored(text, 2), None, "{text:?}");
        }
    }
}
