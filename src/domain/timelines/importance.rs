//! Ranking of posts by importance: one formula in whole numbers over signals that the reader can check.
//! The page `/help/importance` explains it with the numbers of this file.
//!
//! A post has [`Signals::BASE`] points. Each signal adds points by its [`SignalRule`]. The points are
//! multiplied by the author's [`AuthorPreference`] and divided by the age in days plus one. So a post
//! counts half after one day and a third after two. Of equal scores the newer post comes first.
//!
//! A repost has the signals of its original and its own age. If the reader asked to see less of the
//! reposter, that preference applies.

use std::{cmp::Reverse, fmt};

use crate::domain::AuthorPreference;

/// The value of one signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignalRule {
    pub points: u64,
    /// Maximum number of occurrences that count.
    pub counted: u64,
    /// Number of newest entries in which occurrences are searched.
    pub examined: usize,
}

impl SignalRule {
    fn of(self, number: u64) -> u64 {
        self.points * number.min(self.counted)
    }

    pub const fn most(self) -> u64 {
        self.points * self.counted
    }
}

/// The signals of a post for one reader at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Signals {
    /// Number of followed people who replied to it.
    pub replies: u64,
    /// Number of followed people who favourited it.
    pub favourites: u64,
    /// Number of the reader's recent replies to its author.
    pub replies_by_reader: u64,
    /// Number of the author's posts that the reader favourited recently.
    pub favourited: u64,
    pub age_ms: u64,
    pub author_preference: AuthorPreference,
    /// The reader's preference for the reposter. It can only lower the score.
    pub reposter_preference: AuthorPreference,
}

/// A reason for the position of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The reader asked to see more of its author.
    More,
    /// The reader asked to see less of its author.
    Less,
    /// The reader asked to see less of the reposter.
    LessOfReposter,
    /// So many followed people replied to it.
    Replies(u64),
    /// So many followed people favourited it.
    Favourites(u64),
    /// The reader replied to its author so often.
    YouReplied(u64),
    /// The reader favourited so many posts of its author.
    YouFavourited(u64),
}

/// A score in thousandths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub(in crate::domain) u64);

/// Formats as `37.3`, without anything below a tenth of a point.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 1000, self.0 % 1000 / 100)
    }
}

impl Signals {
    /// Points of every post.
    pub const BASE: u64 = 10;
    pub const REPLIES: SignalRule = SignalRule {
        points: 12,
        counted: 10,
        examined: 20,
    };
    pub const FAVOURITES: SignalRule = SignalRule {
        points: 5,
        counted: 20,
        examined: 100,
    };
    pub const REPLIES_BY_READER: SignalRule = SignalRule {
        points: 4,
        counted: 10,
        examined: 300,
    };
    pub const FAVOURITED: SignalRule = SignalRule {
        points: 2,
        counted: 10,
        examined: 300,
    };
    /// Maximum number of reasons shown with a post.
    pub const REASONS: usize = 2;
    const DAY_MS: u64 = 86_400_000;
    /// Upper limit of ages, above every age that ids can express.
    const OLDEST_MS: u64 = 1 << 42;

    /// Returns the points before preference and age.
    pub fn points(&self) -> u64 {
        let signals = self.points_by_reason().map(|(points, _)| points);
        Self::BASE + signals.iter().sum::<u64>()
    }

    /// Returns `points × preference ÷ (1 + age in days)`, rounded down to a thousandth.
    pub fn score(&self) -> Score {
        let halves = self.points() * self.effective_preference().halves();
        let aged_ms = Self::DAY_MS + self.age_ms.min(Self::OLDEST_MS);
        Score(halves * 500 * Self::DAY_MS / aged_ms)
    }

    fn effective_preference(&self) -> AuthorPreference {
        match self.reposter_preference {
            AuthorPreference::Less => AuthorPreference::Less,
            AuthorPreference::More | AuthorPreference::Normal => self.author_preference,
        }
    }

    /// Returns at most [`Signals::REASONS`] reasons for the position: the reader's preference, then the
    /// signals with most points. Empty if only base and age count.
    pub fn reasons(&self) -> Vec<Reason> {
        let asked = match (self.author_preference, self.reposter_preference) {
            (AuthorPreference::Less, _) => Some(Reason::Less),
            (_, AuthorPreference::Less) => Some(Reason::LessOfReposter),
            (AuthorPreference::More, _) => Some(Reason::More),
            (AuthorPreference::Normal, _) => None,
        };
        let mut found = self.points_by_reason().to_vec();
        found.retain(|(points, _)| *points > 0);
        found.sort_by_key(|(points, _)| Reverse(*points));
        let found = found.into_iter().map(|(_, reason)| reason);
        asked.into_iter().chain(found).take(Self::REASONS).collect()
    }

    fn points_by_reason(&self) -> [(u64, Reason); 4] {
        let signal =
            |rule: SignalRule, number, reason: fn(u64) -> Reason| (rule.of(number), reason(number));
        [
            signal(Self::REPLIES, self.replies, Reason::Replies),
            signal(Self::FAVOURITES, self.favourites, Reason::Favourites),
            signal(
                Self::REPLIES_BY_READER,
                self.replies_by_reader,
                Reason::YouReplied,
            ),
            signal(Self::FAVOURITED, self.favourited, Reason::YouFavourited),
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
    fn the_score_multiplies_points_by_weight_and_divides_by_age() {
        let rich = Signals {
            replies: 3,
            favourites: 2,
            replies_by_reader: 1,
            favourited: 4,
            ..plain()
        };
        let aged = |hours, signals| Signals {
            age_ms: hours * HOUR_MS,
            ..signals
        };
        let with_preference = |author_preference, signals| Signals {
            author_preference,
            ..signals
        };
        let rich_yesterday = with_preference(AuthorPreference::More, aged(24, rich));
        for (signals, score) in [
            (plain(), 10_000),
            (rich, 10_000 + 36_000 + 10_000 + 4_000 + 8_000),
            (aged(24, plain()), 5_000),
            (aged(48, plain()), 3_333),
            (aged(12, plain()), 6_666),
            (with_preference(AuthorPreference::More, plain()), 20_000),
            (with_preference(AuthorPreference::Less, plain()), 5_000),
            (rich_yesterday, 68_000),
        ] {
            assert_eq!(signals.score(), Score(score), "{signals:?}");
        }
        assert_eq!(aged(12, plain()).score().to_string(), "6.6");
    }

    #[test]
    fn the_reposters_preference_never_raises_the_score() {
        for author_preference in AuthorPreference::ALL {
            let by_itself = Signals {
                author_preference,
                ..plain()
            };
            let reposted = |reposter_preference| Signals {
                reposter_preference,
                ..by_itself
            };
            for kept in [AuthorPreference::More, AuthorPreference::Normal] {
                assert_eq!(reposted(kept).score(), by_itself.score());
                assert_eq!(reposted(kept).reasons(), by_itself.reasons());
            }
            let lowered = reposted(AuthorPreference::Less);
            assert_eq!(lowered.score(), Score(5_000));
            let reason = match author_preference {
                AuthorPreference::Less => Reason::Less,
                AuthorPreference::More | AuthorPreference::Normal => Reason::LessOfReposter,
            };
            assert_eq!(lowered.reasons(), [reason]);
        }
    }

    #[test]
    fn each_signal_is_capped() {
        let many = Signals {
            replies: u64::MAX,
            favourites: u64::MAX,
            replies_by_reader: u64::MAX,
            favourited: u64::MAX,
            age_ms: u64::MAX,
            author_preference: AuthorPreference::More,
            reposter_preference: AuthorPreference::More,
        };
        let rules = [
            Signals::REPLIES,
            Signals::FAVOURITES,
            Signals::REPLIES_BY_READER,
            Signals::FAVOURITED,
        ];
        let most: u64 = rules.into_iter().map(SignalRule::most).sum();
        assert_eq!((many.points(), most), (Signals::BASE + most, 280));
        let is_possible = |rule: &SignalRule| rule.counted <= rule.examined as u64;
        assert!(rules.iter().all(is_possible));
        assert!(many.score() < plain().score());
    }

    #[test]
    fn reasons_list_the_preference_before_the_largest_signals() {
        let signals = Signals {
            replies: 1,
            favourites: 3,
            replies_by_reader: 2,
            favourited: 9,
            ..plain()
        };
        let largest = Reason::YouFavourited(9);
        for (author_preference, reasons) in [
            (AuthorPreference::Normal, [largest, Reason::Favourites(3)]),
            (AuthorPreference::More, [Reason::More, largest]),
            (AuthorPreference::Less, [Reason::Less, largest]),
        ] {
            let with_preference = Signals {
                author_preference,
                ..signals
            };
            assert_eq!(with_preference.reasons(), reasons);
        }
        assert_eq!(plain().reasons(), []);
    }

    prop_compose! {
        pub fn signals()(
            [replies, favourites, replies_by_reader, favourited] in [0..30_u64, 0..30, 0..30, 0..30],
            age_ms in 0..300 * HOUR_MS,
            author_preference in prop::sample::select(&AuthorPreference::ALL[..]),
        ) -> Signals {
            Signals {
                replies,
                favourites,
                replies_by_reader,
                favourited,
                age_ms,
                author_preference,
                ..plain()
            }
        }
    }

    proptest! {
        #[test]
        fn a_larger_signal_never_lowers_the_score(signals in signals(), more in 1..5_u64) {
            let score = signals.score();
            for (raised, before, rule) in [
                (Signals { replies: signals.replies + more, ..signals }, signals.replies, Signals::REPLIES),
                (Signals { favourites: signals.favourites + more, ..signals }, signals.favourites, Signals::FAVOURITES),
                (Signals { replies_by_reader: signals.replies_by_reader + more, ..signals }, signals.replies_by_reader, Signals::REPLIES_BY_READER),
                (Signals { favourited: signals.favourited + more, ..signals }, signals.favourited, Signals::FAVOURITED),
            ] {
                prop_assert!(raised.score() >= score);
                prop_assert_eq!(raised.score() > score, before < rule.counted, "{:?}", raised);
            }
        }

        #[test]
        fn age_lowers_the_score_and_weight_orders_it(signals in signals(), later in HOUR_MS..90 * HOUR_MS) {
            let older = Signals { age_ms: signals.age_ms + later, ..signals };
            prop_assert!(older.score() < signals.score());
            let [more, normal, less] = AuthorPreference::ALL.map(|author_preference| Signals { author_preference, ..signals }.score());
            prop_assert!(more > normal && normal > less);
        }
    }
}
