//! How important a post is to a reader: one formula over signals that the reader can check, in whole
//! numbers, and the order that follows from it. The page `/help/importance` tells the same in words,
//! with the numbers that stand here.
//!
//! A post has [`Signals::BASE`] points, and for each signal so many more as its [`Rule`] says. The
//! points are multiplied by the author's [`AuthorPreference`] and divided by one more than its age in days:
//! after a day a post counts half, after two days a third. Of equal scores the newer post comes first.
//!
//! A repost has the signals of its original and the age of itself. Where the reader asked for less of
//! whoever reposted it, that is its weight.

use std::{cmp::Reverse, fmt};

use crate::domain::AuthorPreference;

/// What one signal is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Points for each.
    pub points: u64,
    /// How many are counted.
    pub counted: u64,
    /// Among how many of the newest they are looked for.
    pub examined: usize,
}

impl Rule {
    fn of(self, number: u64) -> u64 {
        self.points * number.min(self.counted)
    }

    /// What it adds at most.
    #[must_use]
    pub const fn most(self) -> u64 {
        self.points * self.counted
    }
}

/// What is known of a post and its author, for one reader at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Signals {
    /// How many people whom the reader follows answered it.
    pub answers: u64,
    /// How many of them favour it.
    pub favourites: u64,
    /// How often the reader answered its author lately.
    pub answered: u64,
    /// How many posts of its author the reader favoured lately.
    pub favourited: u64,
    /// In milliseconds.
    pub age_ms: u64,
    /// What the reader asked for of its author.
    pub weight: AuthorPreference,
    /// The same of whoever reposted it, which can only lower it.
    pub of_reposter: AuthorPreference,
}

/// Why a post stands where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The reader asked for more of its author.
    More,
    /// The reader asked for less.
    Less,
    /// The reader asked for less of whoever reposted it.
    LessOfReposter,
    /// So many people whom the reader follows answered it.
    Answers(u64),
    /// So many of them favour it.
    Favourites(u64),
    /// The reader answered its author so often.
    Answered(u64),
    /// The reader favoured so many posts of its author.
    Favoured(u64),
}

/// Thousandths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub(in crate::domain) u64);

/// `37.3`: what is below a tenth of a point is not shown.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 1000, self.0 % 1000 / 100)
    }
}

impl Signals {
    /// The points of every post.
    pub const BASE: u64 = 10;
    pub const ANSWERS: Rule = Rule {
        points: 12,
        counted: 10,
        examined: 20,
    };
    pub const FAVOURITES: Rule = Rule {
        points: 5,
        counted: 20,
        examined: 100,
    };
    pub const ANSWERED: Rule = Rule {
        points: 4,
        counted: 10,
        examined: 300,
    };
    pub const FAVOURITED: Rule = Rule {
        points: 2,
        counted: 10,
        examined: 300,
    };
    /// How many reasons a post is shown with, at most.
    pub const REASONS: usize = 2;
    /// A day, in milliseconds.
    const DAY_MS: u64 = 86_400_000;
    /// Ages are held against this: more than ids can have.
    const OLDEST_MS: u64 = 1 << 42;

    /// Points before weight and age.
    #[must_use]
    pub fn points(&self) -> u64 {
        let signals: u64 = self.each().iter().map(|(points, _)| points).sum();
        Self::BASE + signals
    }

    /// `points × weight ÷ (1 + age in days)`, rounded down to a thousandth.
    #[must_use]
    pub fn score(&self) -> Score {
        let halves = self.points() * self.effective_preference().halves();
        let aged_ms = Self::DAY_MS + self.age_ms.min(Self::OLDEST_MS);
        Score(halves * 500 * Self::DAY_MS / aged_ms)
    }

    fn effective_preference(&self) -> AuthorPreference {
        match self.of_reposter {
            AuthorPreference::Less => AuthorPreference::Less,
            AuthorPreference::More | AuthorPreference::Normal => self.weight,
        }
    }

    /// Why it stands there: what the reader asked for, then what adds most points;
    /// [`Signals::REASONS`] at most, and none where it has nothing but its base and its age.
    #[must_use]
    pub fn reasons(&self) -> Vec<Reason> {
        let asked = match (self.weight, self.of_reposter) {
            (AuthorPreference::Less, _) => Some(Reason::Less),
            (_, AuthorPreference::Less) => Some(Reason::LessOfReposter),
            (AuthorPreference::More, _) => Some(Reason::More),
            (AuthorPreference::Normal, _) => None,
        };
        let mut found = self.each().to_vec();
        found.retain(|(points, _)| *points > 0);
        found.sort_by_key(|(points, _)| Reverse(*points));
        let found = found.into_iter().map(|(_, reason)| reason);
        asked.into_iter().chain(found).take(Self::REASONS).collect()
    }

    /// What each signal adds.
    fn each(&self) -> [(u64, Reason); 4] {
        [
            (
                Self::ANSWERS.of(self.answers),
                Reason::Answers(self.answers),
            ),
            (
                Self::FAVOURITES.of(self.favourites),
                Reason::Favourites(self.favourites),
            ),
            (
                Self::ANSWERED.of(self.answered),
                Reason::Answered(self.answered),
            ),
            (
                Self::FAVOURITED.of(self.favourited),
                Reason::Favoured(self.favourited),
            ),
        ]
    }
}

#[cfg(test)]
pub(in crate::domain) mod tests {
    use proptest::prelude::*;

    use super::super::importance::*;

    const HOUR_MS: u64 = 3_600_000;

    fn plain() -> Signals {
        Signals::default()
    }

    #[test]
    fn the_score_is_points_by_weight_through_age() {
        let rich = Signals {
            answers: 3,
            favourites: 2,
            answered: 1,
            favourited: 4,
            ..plain()
        };
        let aged = |hours, signals| Signals {
            age_ms: hours * HOUR_MS,
            ..signals
        };
        let with_preference = |weight, signals| Signals { weight, ..signals };
        for (signals, score) in [
            (plain(), 10_000),
            (rich, 10_000 + 36_000 + 10_000 + 4_000 + 8_000),
            (aged(24, plain()), 5_000),
            (aged(48, plain()), 3_333),
            (aged(12, plain()), 6_666),
            (with_preference(AuthorPreference::More, plain()), 20_000),
            (with_preference(AuthorPreference::Less, plain()), 5_000),
            (
                with_preference(AuthorPreference::More, aged(24, rich)),
                68_000,
            ),
        ] {
            assert_eq!(signals.score(), Score(score), "{signals:?}");
        }
        assert_eq!(aged(12, plain()).score().to_string(), "6.6");
    }

    #[test]
    fn whoever_reposts_can_only_lower_it() {
        for weight in AuthorPreference::ALL {
            let by_itself = Signals { weight, ..plain() };
            let reposted = |of_reposter| Signals {
                of_reposter,
                ..by_itself
            };
            for kept in [AuthorPreference::More, AuthorPreference::Normal] {
                assert_eq!(reposted(kept).score(), by_itself.score());
                assert_eq!(reposted(kept).reasons(), by_itself.reasons());
            }
            let lowered = reposted(AuthorPreference::Less);
            assert_eq!(lowered.score(), Score(5_000));
            let reason = match weight {
                AuthorPreference::Less => Reason::Less,
                AuthorPreference::More | AuthorPreference::Normal => Reason::LessOfReposter,
            };
            assert_eq!(lowered.reasons(), [reason]);
        }
    }

    #[test]
    fn each_signal_counts_up_to_its_limit() {
        let many = Signals {
            answers: u64::MAX,
            favourites: u64::MAX,
            answered: u64::MAX,
            favourited: u64::MAX,
            age_ms: u64::MAX,
            weight: AuthorPreference::More,
            of_reposter: AuthorPreference::More,
        };
        let rules = [
            Signals::ANSWERS,
            Signals::FAVOURITES,
            Signals::ANSWERED,
            Signals::FAVOURITED,
        ];
        let most: u64 = rules.into_iter().map(Rule::most).sum();
        assert_eq!((many.points(), most), (Signals::BASE + most, 280));
        assert!(
            rules
                .iter()
                .all(|rule| rule.counted <= rule.examined as u64)
        );
        assert!(many.score() < plain().score());
    }

    #[test]
    fn reasons_are_what_was_asked_for_and_then_what_adds_most() {
        let signals = Signals {
            answers: 1,
            favourites: 3,
            answered: 2,
            favourited: 9,
            ..plain()
        };
        let with = |weight| Signals { weight, ..signals }.reasons();
        assert_eq!(
            with(AuthorPreference::Normal),
            [Reason::Favoured(9), Reason::Favourites(3)]
        );
        assert_eq!(
            with(AuthorPreference::More),
            [Reason::More, Reason::Favoured(9)]
        );
        assert_eq!(
            with(AuthorPreference::Less),
            [Reason::Less, Reason::Favoured(9)]
        );
        assert_eq!(plain().reasons(), []);
    }

    pub fn signals() -> impl Strategy<Value = Signals> {
        let few = || 0..30_u64;
        let weight = prop::sample::select(AuthorPreference::ALL.to_vec());
        (few(), few(), few(), few(), 0..300 * HOUR_MS, weight).prop_map(
            |(answers, favourites, answered, favourited, age_ms, weight)| Signals {
                answers,
                favourites,
                answered,
                favourited,
                age_ms,
                weight,
                ..plain()
            },
        )
    }

    proptest! {
        #[test]
        fn more_of_a_signal_never_lowers(signals in signals(), more in 1..5_u64) {
            let score = signals.score();
            for (raised, before, rule) in [
                (Signals { answers: signals.answers + more, ..signals }, signals.answers, Signals::ANSWERS),
                (Signals { favourites: signals.favourites + more, ..signals }, signals.favourites, Signals::FAVOURITES),
                (Signals { answered: signals.answered + more, ..signals }, signals.answered, Signals::ANSWERED),
                (Signals { favourited: signals.favourited + more, ..signals }, signals.favourited, Signals::FAVOURITED),
            ] {
                prop_assert!(raised.score() >= score);
                prop_assert_eq!(raised.score() > score, before < rule.counted, "{:?}", raised);
            }
        }

        #[test]
        fn age_lowers_and_weight_orders(signals in signals(), later in HOUR_MS..90 * HOUR_MS) {
            let older = Signals { age_ms: signals.age_ms + later, ..signals };
            prop_assert!(older.score() < signals.score());
            let [more, normal, less] = AuthorPreference::ALL.map(|weight| Signals { weight, ..signals }.score());
            prop_assert!(more > normal && normal > less);
        }
    }
}
