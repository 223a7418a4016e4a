//! The words of a text, as search compares them, and their index terms.
//!
//! A script with spaces has words of letters, marks and numbers. Scripts without spaces (Chinese,
//! Japanese, Thai, Lao, Khmer, Burmese), and Korean, where particles follow without a space, have runs
//! of characters. Each character of a run is a word; the index has every character and every pair of
//! neighbours. All texts are folded first (`words/folding.rs`). The scheme of a web address is left out.
//! Takes linear time.

mod folding;
#[cfg(test)]
mod properties;

use std::collections::BTreeSet;

use self::folding::folded;
use super::tokens::{
    Tag, TokenKind,
    characters::{is_alphanumeric, is_mark, is_unspaced},
    tokens,
};
use crate::domain::Login;

/// Maximum number of code points of a word. Longer words are cut, so that no key is long.
const MAX_WORD_CHARACTERS: usize = 40;

/// An index term: a word, a pair of characters, or `#` with a folded tag. It needs no quoting in a Redis
/// key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(String);

impl Term {
    /// Parses the term of a key. `None` if it is not a term.
    #[must_use]
    pub fn stored(text: &str) -> Option<Self> {
        let word = text.strip_prefix('#').unwrap_or(text);
        let plain =
            |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, '{' | '}' | ':');
        let fits = !word.is_empty() && text.len() <= Tag::MAX_BYTES + 1;
        (fits && word.chars().all(plain)).then(|| Self(text.to_owned()))
    }

    /// Returns the term of a tag. Its words have terms of their own.
    #[must_use]
    pub fn of_tag(tag: &Tag) -> Self {
        Self(format!("#{}", tag.folded()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The folded words of a message or of a phrase in a query, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words(Vec<Word>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    text: String,
    stands: Stands,
}

/// The relation of a word to the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// A word of a script with spaces.
    Alone,
    /// The first character of a run without spaces.
    First,
    /// A further character of the run.
    Next,
}

impl Words {
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        for token in tokens(text) {
            let text = match token.kind {
                TokenKind::Url => token.text.split_once("://").map_or("", |(_, rest)| rest),
                _ => token.text,
            };
            words.add(&folded(text));
        }
        words
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the text has these words in this order, without gaps. An empty phrase is in every
    /// text.
    #[must_use]
    pub fn are_in(&self, others: &Self) -> bool {
        let same = |here: &[Word]| here.iter().zip(&self.0).all(|(a, b)| a.text == b.text);
        self.is_empty() || others.0.windows(self.0.len()).any(same)
    }

    /// Returns terms that every text with these words has: few and selective ones.
    #[must_use]
    pub fn asked(&self) -> BTreeSet<Term> {
        let mut asked = BTreeSet::new();
        for (at, word) in self.0.iter().enumerate() {
            match (word.stands, self.pair(at)) {
                (_, Some(pair)) => asked.insert(pair),
                (Stands::Next, None) => continue,
                (Stands::Alone | Stands::First, None) => asked.insert(Term(word.text.clone())),
            };
        }
        asked
    }

    /// Returns each word, and each run as a whole, as people type names.
    pub(super) fn whole_words(&self) -> Vec<String> {
        let mut whole_words: Vec<String> = Vec::new();
        for word in &self.0 {
            match (word.stands, whole_words.last_mut()) {
                (Stands::Next, Some(run)) => run.push_str(&word.text),
                _ => whole_words.push(word.text.clone()),
            }
        }
        whole_words
    }

    fn terms(&self) -> impl Iterator<Item = Term> {
        let words = self.0.iter().map(|word| Term(word.text.clone()));
        words.chain((0..self.0.len()).filter_map(|at| self.pair(at)))
    }

    /// Returns the term of the character at this index and the next one, if both are in one run.
    fn pair(&self, at: usize) -> Option<Term> {
        let next = self.0.get(at + 1)?;
        let run = next.stands == Stands::Next;
        run.then(|| Term([self.0[at].text.as_str(), &next.text].concat()))
    }

    fn add(&mut self, folded: &str) {
        let mut open = false;
        for c in folded.chars() {
            let joins = open && (is_mark(c) || self.goes_on_with(c));
            match self.0.last_mut() {
                _ if !is_alphanumeric(c) => open = false,
                Some(word) if joins => {
                    if word.text.chars().count() < MAX_WORD_CHARACTERS {
                        word.text.push(c);
                    }
                }
                last => {
                    let run = last.is_some_and(|last| last.stands != Stands::Alone);
                    let stands = match is_unspaced(c) {
                        false => Stands::Alone,
                        true if open && run => Stands::Next,
                        true => Stands::First,
                    };
                    let text = c.to_string();
                    self.0.push(Word { text, stands });
                    open = true;
                }
            }
        }
    }

    /// Returns whether the character continues the last word, which ends right before it.
    fn goes_on_with(&self, c: char) -> bool {
        let alone = self
            .0
            .last()
            .is_some_and(|word| word.stands == Stands::Alone);
        alone && !is_unspaced(c)
    }
}

/// Returns the index terms of a message.
#[must_use]
pub fn terms_of(message: &str) -> BTreeSet<Term> {
    let tags = tokens(message).filter_map(|token| match token.kind {
        TokenKind::Tag(tag) => Some(Term::of_tag(&tag)),
        _ => None,
    });
    Words::of(message).terms().chain(tags).collect()
}

/// Returns the words of login and name. Their beginnings find the person. In a run without spaces, a
/// word may start at each character.
#[must_use]
pub fn beginnings_of(login: &Login, name: &str) -> BTreeSet<String> {
    let mut beginnings = BTreeSet::new();
    for words in [login.as_str().to_owned(), name.to_owned()].map(|text| Words::of(&text)) {
        for (at, word) in words.0.iter().enumerate() {
            let behind = words.0[at + 1..].iter();
            let run = behind.take_while(|next| next.stands == Stands::Next);
            let letters = run.fold(word.text.clone(), |run, next| run + &next.text);
            beginnings.insert(letters.chars().take(MAX_WORD_CHARACTERS).collect());
        }
    }
    beginnings
}

#[cfg(test)]
mod tests {
    use super::super::words::*;

    fn terms(text: &str) -> Vec<String> {
        terms_of(text).into_iter().map(|term| term.0).collect()
    }

    fn contains_phrase(phrase: &str, text: &str) -> bool {
        Words::of(phrase).are_in(&Words::of(text))
    }

    #[test]
    fn words_match_without_case_and_without_latin_diacritics() {
        assert_eq!(
            terms("Crème BRÛLÉE, naïve Åse!"),
            ["ase", "brulee", "creme", "naive"]
        );
        assert_eq!(
            terms("Straße Øresund Łódź ﬁne ½"),
            ["1", "2", "fine", "lodz", "oresund", "strasse"]
        );
        assert!(contains_phrase("ΟΔΟΣ", "η οδός μας"));
        assert!(contains_phrase("ещё", "ЕЩЕ раз") && !contains_phrase("мой", "мои"));
    }

    #[test]
    fn a_script_without_spaces_is_indexed_by_pairs() {
        assert_eq!(terms("東京都"), ["京", "京都", "東", "東京", "都"]);
        let asked = |text: &str| {
            Words::of(text)
                .asked()
                .into_iter()
                .map(|term| term.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(asked("東京都"), ["京都", "東京"]);
        assert_eq!(asked("猫"), ["猫"]);
        assert!(contains_phrase("京都", "東京都に行く"));
        assert!(!contains_phrase("京東", "東京都"));
        assert!(contains_phrase("ｶﾀｶﾅ", "カタカナ"));
        assert!(contains_phrase("ภาษา", "ฉันพูดภาษาไทย"));
    }

    #[test]
    fn a_phrase_matches_consecutive_words() {
        assert!(contains_phrase(
            "blackbird nests",
            "A red-winged Blackbird: nests here"
        ));
        assert!(!contains_phrase("nests blackbird", "A Blackbird nests"));
        assert!(!contains_phrase("bird nests", "A blackbird nests"));
        assert!(contains_phrase("don't", "I DON’T know"));
    }

    #[test]
    fn tags_mentions_and_urls_match_by_their_words() {
        assert_eq!(
            terms("#Rust @Ann https://example.org/a"),
            ["#rust", "a", "ann", "example", "org", "rust"]
        );
        assert!(contains_phrase(
            "https://example.org/a",
            "see http://example.org/a now"
        ));
    }

    #[test]
    fn people_are_indexed_by_each_word_of_login_and_name() {
        let login = Login::stored("Robin_W").unwrap();
        let found: Vec<String> = beginnings_of(&login, "Zoë 山田太郎").into_iter().collect();
        assert_eq!(
            found,
            ["robin", "w", "zoe", "太郎", "山田太郎", "田太郎", "郎"]
        );
    }

    #[test]
    fn long_words_are_truncated_and_unsafe_terms_refused() {
        let [term] = &terms(&"x".repeat(300))[..] else {
            panic!()
        };
        assert_eq!(term.len(), MAX_WORD_CHARACTERS);
        for text in ["", "#", "a}b", "a b", "a:b", "a\n"] {
            assert_eq!(Term::stored(text), None, "{text:?}");
        }
    }
}
