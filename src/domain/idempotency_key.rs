//! Idempotency keys of forms: sending a form twice creates one thing.

use sha2::{Digest, Sha256};

use super::hex::{hex, is_hex};

/// A key of 32 lower-case hexadecimal digits, drawn when the form is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    pub fn draw() -> Self {
        Self::of(rand::random())
    }

    /// Returns the key of a number, for programs that must repeat the same key.
    pub fn of(number: u128) -> Self {
        Self(format!("{number:032x}"))
    }

    /// Returns a key that differs for different words.
    pub fn of_words(words: &[&str]) -> Self {
        let mut digest = Sha256::new();
        for word in words {
            digest.update(format!("{} {word} ", word.len()));
        }
        Self(hex(&digest.finalize()[..16]))
    }

    /// Returns the key of the next post in a thread. The same form gives the same keys.
    #[must_use]
    pub fn following(&self) -> Self {
        Self::of_words(&["next post", &self.0])
    }

    /// Returns the key of the form that answers a refused one with this key. All answers to one form have the same key,
    /// so sending two of them creates one thing. Returns a random key if the text is none.
    pub fn after_refusal_of(sent: &str) -> Self {
        match Self::parse(sent) {
            Some(sent) => Self::of_words(&["sent again", &sent.0]),
            None => Self::draw(),
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        is_hex(text, 32).then(|| Self(text.to_owned()))
    }

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
    fn different_words_have_different_keys() {
        let key = IdempotencyKey::of_words;
        assert_eq!(key(&["a", "b"]), key(&["a", "b"]));
        assert_ne!(key(&["a", "b"]), key(&["ab", ""]));
        assert_ne!(key(&["a", "b"]), key(&["b", "a"]));
        let key = key(&["a"]);
        assert_eq!(IdempotencyKey::parse(key.as_str()), Some(key));
    }

    #[test]
    fn all_answers_to_a_refused_form_have_the_same_key() {
        let after = |number| IdempotencyKey::after_refusal_of(IdempotencyKey::of(number).as_str());
        assert_eq!(after(7), after(7));
        assert_ne!(after(7), after(8));
        assert_ne!(after(7), IdempotencyKey::of(7));
        assert_ne!(after(7), IdempotencyKey::of(7).following());
        let random = || IdempotencyKey::after_refusal_of("no key");
        assert_ne!(random(), random());
    }

    #[test]
    fn a_malformed_idempotency_key_is_refused() {
        let key = IdempotencyKey::of(7);
        assert_eq!(IdempotencyKey::parse(key.as_str()), Some(key.clone()));
        assert_eq!(IdempotencyKey::parse("7"), None);
        for (digit, count) in [("", 0), ("A", 32), ("g", 32), ("a", 33), ("é", 16)] {
            let text = digit.repeat(count);
            assert_eq!(IdempotencyKey::parse(&text), None, "{text}");
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
