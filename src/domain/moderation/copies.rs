//! Texts that count as copies of each other.

use sha2::{Digest, Sha256};

use crate::domain::{TokenKind, hex, text::words::Words, tokens};

/// Letters and numbers that a text must have for a copy to be more than a greeting.
const LEAST_WORDS: usize = 4;

/// Returns the digest that copies of a text have in common. Case, signs, blanks and mentions make no difference. `None`
/// for a short text without a link.
pub fn copy_digest(text: &str) -> Option<String> {
    let (mut compared, mut has_link) = (String::new(), false);
    for token in tokens(text) {
        match token.kind {
            TokenKind::Mention(_) => compared.push(' '),
            kind => {
                has_link |= kind == TokenKind::Url;
                compared.push_str(token.text);
            }
        }
    }
    let words = Words::of(&compared).joined();
    let word_count = words.split_whitespace().count();
    (has_link || word_count >= LEAST_WORDS).then(|| hex(&Sha256::digest(words.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::super::copies::*;

    #[test]
    fn copies_differ_in_case_signs_and_mentions_only() {
        let digest = copy_digest("Buy cheap boats now @ann");
        assert!(digest.is_some());
        for copy in [
            "BUY cheap,  boats now! @bob @carol",
            "@dave buy cheap boats now",
        ] {
            assert_eq!(copy_digest(copy), digest, "{copy}");
        }
        assert_ne!(copy_digest("Buy cheap boats later"), digest);
        for short in ["Good morning @ann", "Happy new year"] {
            assert_eq!(copy_digest(short), None, "{short}");
        }
        assert!(copy_digest("see https://a.example").is_some());
    }
}
