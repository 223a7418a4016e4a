//! Ids as types, so that an id of a person never passes for an id of a status.

use std::{
    collections::{HashMap, HashSet},
    num::NonZeroU64,
    str::FromStr,
};

use foldhash::fast::RandomState;
use sha2::{Digest, Sha256};

use super::IdempotencyKey;

/// The largest integer that a double, and so a Redis score, holds exactly: 2^53 - 1.
const MAX: u64 = (1 << 53) - 1;

/// A map with ids as keys, with a fast hasher that is seeded at random.
pub type IdMap<K, V> = HashMap<K, V, RandomState>;
/// A set of ids with the same hasher.
pub type IdSet<K> = HashSet<K, RandomState>;

/// The text does not have the stored form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("malformed")]
pub struct ParseError;

/// Lets serde read a type from the text that a function parses.
macro_rules! deserialize_text {
    ($name:ty, $parse:expr) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
                let parse: fn(&str) -> Option<Self> = $parse;
                parse(&text).ok_or_else(|| serde::de::Error::custom("malformed"))
            }
        }
    };
}
pub(super) use deserialize_text;

/// Lets serde read and write a type as the text that it parses and displays.
macro_rules! serde_as_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        $crate::domain::ids::deserialize_text!($name, |text| text.parse().ok());
    };
}
pub(super) use serde_as_text;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display
        )]
        pub struct $name(NonZeroU64);

        impl $name {
            /// Creates an id from a number between 1 and 2^53 - 1.
            pub fn new(number: u64) -> Result<Self, ParseError> {
                match NonZeroU64::new(number) {
                    Some(number) if number.get() <= MAX => Ok(Self(number)),
                    _ => Err(ParseError),
                }
            }

            pub fn get(self) -> u64 {
                self.0.get()
            }
        }

        impl FromStr for $name {
            type Err = ParseError;

            /// Parses a plain decimal number.
            fn from_str(text: &str) -> Result<Self, ParseError> {
                let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
                if !plain {
                    return Err(ParseError);
                }
                Self::new(text.parse().map_err(|_| ParseError)?)
            }
        }

        serde_as_text!($name);
    };
}

id! {
    /// A person. A counter assigns the ids; none is used again.
    UserId
}

id! {
    /// A status: milliseconds since [`StatusId::EPOCH_MS`], shifted by 12 bits, plus 12 random bits. A
    /// newer status of the same author always has a larger id.
    StatusId
}

id! {
    /// The number of a message in its chat. The first is 1, and a later message has a larger one.
    MessageId
}

id! {
    /// The number of a list among its owner's lists. None is used again.
    ListNumber
}

id! {
    /// A group. The id follows from the form that founded it, so that the form founds one group however often it is
    /// sent.
    GroupId
}

/// A named list: its owner and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{owner}:{number}")]
pub struct ListId {
    pub owner: UserId,
    pub number: ListNumber,
}

impl FromStr for ListId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (owner, number) = text.split_once(':').ok_or(ParseError)?;
        Ok(Self {
            owner: owner.parse()?,
            number: number.parse()?,
        })
    }
}

serde_as_text!(ListId);

impl UserId {
    /// An id that is never assigned. Reads for it find nothing.
    pub const NOBODY: Self = Self(NonZeroU64::MAX);
}

impl GroupId {
    /// An id that is never assigned. Reads for it find nothing.
    pub const NONE: Self = Self(NonZeroU64::MAX);

    /// Returns the id of the group that a person founds with a form: the first 53 bits of a SHA-256. Its words differ from
    /// those of earlier releases, which left no mark of a deleted group, so no form leads to such a group.
    #[must_use]
    pub fn of_form(founder: UserId, key: &IdempotencyKey) -> Self {
        let digest = Sha256::digest(format!("group by form {founder} {}", key.as_str()));
        let first = digest
            .iter()
            .take(8)
            .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        Self(NonZeroU64::new(first >> 11).unwrap_or(NonZeroU64::MIN))
    }
}

impl StatusId {
    /// 2026-01-01T00:00:00Z in milliseconds since 1970: the start of status ids.
    pub const EPOCH_MS: u64 = 1_767_225_600_000;
    /// Number of random low bits of an id.
    pub const RANDOM_BITS: u32 = 12;

    /// Returns the time at which it was drawn, in microseconds since 1970, exact to the millisecond.
    pub fn drawn_us(self) -> u64 {
        (Self::EPOCH_MS + (self.get() >> Self::RANDOM_BITS)) * 1000
    }

    /// Returns the id with this score. The score of an id is its negation, so the newest comes first.
    pub fn of_score(score: f64) -> Option<Self> {
        let whole = score.fract() == 0.0 && -(MAX as f64) <= score && score < 0.0;
        Self::new(whole.then_some(-score as u64)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ids::*;

    #[test]
    fn only_a_negated_id_is_a_valid_score() {
        let id = StatusId::new(MAX).expect("in range");
        assert_eq!(StatusId::of_score(-(MAX as f64)), Some(id));
        for score in [0.0, 7.0, -0.5, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(StatusId::of_score(score), None, "{score}");
        }
    }

    #[test]
    fn a_status_id_contains_its_creation_time() {
        let id = StatusId::new((7 << StatusId::RANDOM_BITS) + 5).expect("in range");
        assert_eq!(id.drawn_us(), (StatusId::EPOCH_MS + 7) * 1000);
    }

    #[test]
    fn a_form_founds_one_group_and_another_form_another() {
        let person = UserId::new(7).expect("in range");
        let key = |text: &str| IdempotencyKey::of_words(&[text]);
        let group = GroupId::of_form(person, &key("a"));
        assert_eq!(group, GroupId::of_form(person, &key("a")));
        assert_ne!(group, GroupId::of_form(person, &key("b")));
        let other = UserId::new(8).expect("in range");
        assert_ne!(group, GroupId::of_form(other, &key("a")));
        assert_eq!(GroupId::new(group.get()), Ok(group));
    }

    #[test]
    fn an_id_deserializes_from_text() {
        let id: UserId = serde_json::from_str("\"7\"").expect("an id");
        assert_eq!(id.get(), 7);
        assert!(serde_json::from_str::<UserId>("\"x\"").is_err());
    }

    proptest! {
        #[test]
        fn an_id_round_trips_through_text(number in 1..=MAX) {
            let id = StatusId::new(number).expect("in range");
            prop_assert_eq!(id.to_string().parse(), Ok(id));
            prop_assert_eq!(id.get(), number);
        }

        #[test]
        fn ids_and_scores_sort_by_number(a in 1..=MAX, b in 1..=MAX) {
            let (x, y) = (StatusId::new(a).expect("in range"), StatusId::new(b).expect("in range"));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            let scores = (a as f64, b as f64);
            prop_assert_eq!(scores.0 < scores.1, a < b);
        }

        #[test]
        fn parsing_an_id_never_panics(text in "(?s).{0,24}") {
            if let Ok(id) = text.parse::<UserId>() {
                prop_assert_eq!(id.to_string(), text);
            }
        }
    }
}
