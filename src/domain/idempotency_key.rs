//! Idempotency keys of forms: sending a form twice creates one thing.

/// A key of 32 lower-case hexadecimal digits, drawn when the form is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    #[must_use]
    pub fn draw() -> Self {
        Self::of(rand::random())
    }

    /// Returns the key of a number, for programs that must repeat the same key.
    #[must_use]
    pub fn of(number: u128) -> Self {
        Self(format!("{number:032x}"))
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let valid =
            text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        valid.then(|| Self(text.to_owned()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::idempotency_key::*;

    #[test]
    fn two_random_keys_differ() {
        assert_ne!(IdempotencyKey::draw(), IdempotencyKey::draw());
    }

    #[test]
    fn a_malformed_idempotency_key_is_refused() {
        assert_eq!(
            IdempotencyKey::parse(IdempotencyKey::of(7).as_str()),
            Some(IdempotencyKey::of(7))
        );
        for text in [
            "",
            "7",
            &"A".repeat(32),
            &"g".repeat(32),
            &"a".repeat(33),
            &"é".repeat(16),
        ] {
            assert_eq!(IdempotencyKey::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn each_number_has_its_own_idempotency_key(a: u128, b: u128) {
            prop_assert_eq!(IdempotencyKey::of(a) == IdempotencyKey::of(b), a == b);
            prop_assert_eq!(IdempotencyKey::parse(IdempotencyKey::of(a).as_str()), Some(IdempotencyKey::of(a)));
        }
    }
}
