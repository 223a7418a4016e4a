//! The words of a text, as search compares them, and their index terms.
//!
//! A script with spaces has words of letters, marks and numbers. Scripts without spaces (Chinese,
//! Japanese, Thai, Lao, Khmer, Burmese), and Korean, where particles follow without a space, have runs
//! of characters. Each character of a run is a word; the index has every character and every pair of
//! neighbours. Most pairs are rare, so pairs share a fixed number of terms. All texts are folded first
//! (`words/folding.rs`). The scheme of a web address is left out. Takes linear time.
//!
//! The index has a limited number of terms of one text. Words behind them do not find the text.

mod folding;
#[cfg(test)]
mod properties;

use std::collections::BTreeSet;

use self::folding::folded;
use super::tokens::{
    Tag, Token, TokenKind,
    characters::{is_alphanumeric, is_mark, is_unspaced},
    tokens,
};
use crate::domain::Login;

/// Maximum number of code points of a word. Longer words are cut, so that no key is long.
const MAX_WORD_CHARACTERS: usize = 40;

/// Number of terms that all pairs of characters share. A key for a rare pair would take ten times as much
/// memory as its entry.
const SHARED_TERMS: u64 = 16_384;

/// Maximum number of terms of words and tags that the index has of one text: the first ones. Each may be
/// a new key. No text of usual words has so many in 500 characters.
pub const MAX_WORD_TERMS: usize = 128;
/// Maximum number of terms of characters and pairs that the index has of one text: the first ones. A text
/// of 500 characters has 999, unless a character as people count them consists of many letters.
pub const MAX_RUN_TERMS: usize = 1000;

/// Number of characters of the beginnings under which search lists longer words.
const BEGINNING_CHARACTERS: usize = 3;

/// An index term: a word, `#` with a folded tag, a character of a run, or `~` with the number of a term
/// that pairs share. It needs no quotes in a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(String);

impl Term {
    /// Parses the term of a key. `None` if it is not a term.
    pub fn stored(text: &str) -> Option<Self> {
        let word = text.strip_prefix('#').unwrap_or(text);
        let plain =
            |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, '{' | '}' | ':');
        let fits = !word.is_empty() && text.len() <= Tag::MAX_BYTES + 1;
        (fits && word.chars().all(plain)).then(|| Self(text.to_owned()))
    }

    /// Returns the term of a tag. Its words have terms of their own.
    pub fn of_tag(tag: &Tag) -> Self {
        Self(format!("#{}", tag.folded()))
    }

    /// Returns the term of a pair of characters, or of a character with marks. Others have it too, so a
    /// search verifies the texts.
    fn shared(text: &str) -> Self {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(format!("~{:x}", (hash ^ (hash >> 32)) % SHARED_TERMS))
    }

    /// Returns a term that no text has.
    pub fn absent() -> Self {
        Self("~".to_owned())
    }

    /// Returns the term of a word in its folded form.
    pub fn of_word(word: &str) -> Self {
        Self(word.to_owned())
    }

    /// Returns the beginning under which search lists the word, so that a query for a beginning finds it. `None` for
    /// tags, short words and scripts without spaces.
    pub fn beginning(&self) -> Option<Self> {
        if self.0.starts_with('#') || self.is_of_run() {
            return None;
        }
        let (end, _) = self.0.char_indices().nth(BEGINNING_CHARACTERS)?;
        Some(Self(self.0[..end].to_owned()))
    }

    /// Returns whether several pairs share it.
    pub fn is_shared(&self) -> bool {
        self.0.starts_with('~')
    }

    /// Returns whether it belongs to a script without spaces. The number of such terms is fixed.
    fn is_of_run(&self) -> bool {
        self.is_shared() || self.0.chars().next().is_some_and(is_unspaced)
    }

    /// Returns an upper bound of the bytes that the index of a post takes for it. A word may be the first
    /// of its key.
    pub fn index_bytes(&self) -> usize {
        match self.is_of_run() {
            true => 16,
            false => 120 + self.0.len(),
        }
    }

    /// Returns whether data of version 1 has it as a term of its own, and data of version 2 shares it.
    pub fn was_unshared(&self) -> bool {
        !self.is_shared() && self.is_of_run() && self.0.chars().nth(1).is_some()
    }

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

impl Word {
    /// Returns the term of the word alone. Any character can have any marks, so characters with marks
    /// share the terms of pairs.
    fn term(&self) -> Term {
        match self.stands {
            Stands::First | Stands::Next if self.text.chars().nth(1).is_some() => {
                Term::shared(&self.text)
            }
            _ => Term(self.text.clone()),
        }
    }
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
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        for token in tokens(text) {
            words.add_token(&token);
        }
        words
    }

    /// Adds the words of a token behind the others.
    pub(super) fn add_token(&mut self, token: &Token<'_>) {
        let text = match token.kind {
            TokenKind::Url => token.text.split_once("://").map_or("", |(_, rest)| rest),
            _ => token.text,
        };
        let folded = folded(text);
        match folded.is_ascii() {
            true => self.add_ascii(&folded),
            false => self.add(&folded),
        }
    }

    /// Adds the words of a folded text as [`Self::add`] does, without checking the rules of other scripts.
    fn add_ascii(&mut self, folded: &str) {
        let words = folded.split(|c: char| !c.is_ascii_alphanumeric());
        let word = |word: &str| Word {
            text: word[..word.len().min(MAX_WORD_CHARACTERS)].to_owned(),
            stands: Stands::Alone,
        };
        self.0
            .extend(words.filter(|word| !word.is_empty()).map(word));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the words with a blank before and after each. A word has no blank.
    pub fn joined(&self) -> String {
        let mut joined = String::from(" ");
        for word in &self.0 {
            joined.push_str(&word.text);
            joined.push(' ');
        }
        joined
    }

    /// Returns the words before the last one, and the last one, if it can be the beginning of a longer word.
    pub fn split_beginning(&self) -> Option<(Self, &str)> {
        let (last, before) = self.0.split_last()?;
        let count = last.text.chars().count();
        let is_beginning = last.stands == Stands::Alone
            && (BEGINNING_CHARACTERS..MAX_WORD_CHARACTERS).contains(&count);
        is_beginning.then(|| (Self(before.to_vec()), last.text.as_str()))
    }

    /// Returns terms that every text with these words has: few and selective ones.
    pub fn asked(&self) -> BTreeSet<Term> {
        let mut asked = BTreeSet::new();
        for (at, word) in self.0.iter().enumerate() {
            let pair = self.pair(at);
            // One pair is not selective, because others share its term. Several together are.
            let is_in_short_run = match word.stands {
                Stands::Alone => true,
                Stands::First => pair.is_none() || self.pair(at + 1).is_none(),
                Stands::Next => pair.is_none() && self.is_first(at.checked_sub(1)),
            };
            if is_in_short_run {
                asked.insert(word.term());
            }
            asked.extend(pair);
        }
        asked
    }

    /// Returns whether a run begins at this index.
    fn is_first(&self, at: Option<usize>) -> bool {
        let word = at.and_then(|at| self.0.get(at));
        word.is_some_and(|word| word.stands == Stands::First)
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
        let terms = |(at, word): (usize, &Word)| [Some(word.term()), self.pair(at)];
        self.0.iter().enumerate().flat_map(terms).flatten()
    }

    /// Returns the term of the character at this index and the next one, if both are in one run.
    fn pair(&self, at: usize) -> Option<Term> {
        let next = self.0.get(at + 1)?;
        let run = next.stands == Stands::Next;
        run.then(|| Term::shared(&[self.0[at].text.as_str(), &next.text].concat()))
    }

    fn add(&mut self, folded: &str) {
        let mut open = false;
        for c in folded.chars() {
            let joins = open && (is_mark(c) || self.goes_on_with(c));
            match self.0.last_mut() {
                _ if !is_alphanumeric(c) => open = false,
                Some(word) if joins => {
                    // Counts only if there are enough bytes for so many characters.
                    let is_short = word.text.len() < MAX_WORD_CHARACTERS
                        || word.text.chars().count() < MAX_WORD_CHARACTERS;
                    if is_short {
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
        let last = self.0.last();
        last.is_some_and(|word| word.stands == Stands::Alone) && !is_unspaced(c)
    }
}

/// Returns the terms that the index has of a text: the first ones of each kind.
pub fn terms_of(text: &str) -> BTreeSet<Term> {
    let (mut of_words, mut of_runs) = (BTreeSet::new(), BTreeSet::new());
    for term in terms_in_order(text) {
        let (terms, max_count) = match term.is_of_run() {
            false => (&mut of_words, MAX_WORD_TERMS),
            true => (&mut of_runs, MAX_RUN_TERMS),
        };
        if terms.len() < max_count {
            terms.insert(term);
        }
    }
    of_words.append(&mut of_runs);
    of_words
}

/// Returns all terms of a text. The index of data of version 1 can have each of them.
pub fn all_terms_of(text: &str) -> BTreeSet<Term> {
    terms_in_order(text).into_iter().collect()
}

/// Returns the terms of a text in its order, a tag before its words.
fn terms_in_order(text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    for token in tokens(text) {
        if let TokenKind::Tag(tag) = &token.kind {
            terms.push(Term::of_tag(tag));
        }
        let mut words = Words::default();
        words.add_token(&token);
        terms.extend(words.terms());
    }
    terms
}

/// Returns the words of login and name. Their beginnings find the person.
pub fn beginnings_of(login: &Login, name: &str) -> BTreeSet<String> {
    let mut beginnings = beginnings_of_text(login.as_str());
    beginnings.extend(beginnings_of_text(name));
    beginnings
}

/// Returns the words of a name. In a run without spaces, a word may start at each character.
pub fn beginnings_of_text(name: &str) -> BTreeSet<String> {
    let words = Words::of(name);
    let mut beginnings = BTreeSet::new();
    for (at, word) in words.0.iter().enumerate() {
        let behind = words.0[at + 1..].iter();
        let run = behind.take_while(|next| next.stands == Stands::Next);
        let letters = run.fold(word.text.clone(), |run, next| run + &next.text);
        beginnings.insert(letters.chars().take(MAX_WORD_CHARACTERS).collect());
    }
    beginnings
}

#[cfg(test)]
mod tests {
    use super::super::{compared::ComparedText, words::*};

    fn has(text: &str, phrase: &str) -> bool {
        ComparedText::of([text]).has_words(&Words::of(phrase))
    }

    fn terms(text: &str) -> String {
        let terms: Vec<String> = terms_of(text).into_iter().map(|term| term.0).collect();
        terms.join(" ")
    }

    #[test]
    fn a_text_is_indexed_by_its_folded_words_pairs_and_tags() {
        for (text, expected) in [
            ("Crème BRÛLÉE, naïve Åse!", "ase brulee creme naive"),
            ("Straße Øresund Łódź ﬁne ½", "1 2 fine lodz oresund strasse"),
            ("東京都", "~295e ~715 京 東 都"),
            (
                "#Rust @Ann https://example.org/a",
                "#rust a ann example org rust",
            ),
        ] {
            assert_eq!(terms(text), expected);
        }
        let asked = |text| -> Vec<String> {
            let asked = Words::of(text).asked();
            asked.into_iter().map(|term| term.0).collect()
        };
        assert_eq!(asked("東京都"), ["~295e", "~715"]);
        assert_eq!(asked("東京"), ["~295e", "京", "東"]);
        assert_eq!(asked("猫"), ["猫"]);
    }

    #[test]
    fn words_of_more_than_three_letters_are_listed_under_the_first_three() {
        for (text, beginning) in [
            ("garlic", Some("gar")),
            (
                "\u{44d}\u{43a}\u{43e}\u{43d}",
                Some("\u{44d}\u{43a}\u{43e}"),
            ),
            ("gar", None),
            ("#garlic", None),
            ("~295e", None),
            ("\u{6771}\u{4eac}\u{90fd}\u{5e02}", None),
        ] {
            let term = Term::stored(text).expect("a term");
            let found = term.beginning();
            assert_eq!(found.as_ref().map(Term::as_str), beginning, "{text}");
        }
        let beginning = |text| {
            let words = Words::of(text);
            words.split_beginning().map(|(_, last)| last.to_owned())
        };
        assert_eq!(beginning("red GAR"), Some("gar".to_owned()));
        for text in [
            "",
            "ga",
            "don't",
            "\u{6771}\u{4eac}\u{90fd}",
            &"x".repeat(60),
        ] {
            assert_eq!(beginning(text), None, "{text}");
        }
    }

    #[test]
    fn pairs_share_a_fixed_number_of_terms() {
        let shared = (0..100_000).map(|number: u32| Term::shared(&number.to_string()));
        let shared: BTreeSet<Term> = shared.collect();
        assert!((SHARED_TERMS / 2..=SHARED_TERMS).contains(&(shared.len() as u64)));
        assert!(shared.iter().all(Term::is_shared));
        for (text, was_unshared) in [
            ("東京", true),
            ("กี", true),
            ("東", false),
            ("#東京", false),
            ("~295e", false),
            ("kettle", false),
        ] {
            let term = Term::stored(text).expect("a term");
            assert_eq!(term.was_unshared(), was_unshared, "{text}");
        }
    }

    #[test]
    fn the_index_has_the_first_words_tags_characters_and_pairs_of_a_text() {
        let words: Vec<String> = (1..=250).map(|number| format!("w{number}")).collect();
        let terms = terms_of(&words.join(" "));
        let first: BTreeSet<Term> = words[..MAX_WORD_TERMS].iter().cloned().map(Term).collect();
        assert_eq!(terms, first);
        assert_eq!(all_terms_of(&words.join(" ")).len(), 250);
        let tags: Vec<String> = words.iter().map(|word| format!("#{word}")).collect();
        let terms = terms_of(&tags.join(" "));
        let expected = (1..=64).flat_map(|number| [format!("#w{number}"), format!("w{number}")]);
        assert_eq!(terms, expected.map(Term).collect());
        let run: String = ('一'..).take(2000).collect();
        let terms = terms_of(&run);
        assert_eq!(terms.len(), MAX_RUN_TERMS);
        assert!(terms.contains(&Term("一".to_owned())));
        assert_eq!(
            terms_of("กี ก็")
                .iter()
                .filter(|term| term.is_shared())
                .count(),
            2
        );
    }

    #[test]
    fn a_phrase_matches_consecutive_words_without_case_and_latin_diacritics() {
        for (phrase, text) in [
            ("ΟΔΟΣ", "η οδός μας"),
            ("ещё", "ЕЩЕ раз"),
            ("京都", "東京都に行く"),
            ("ｶﾀｶﾅ", "カタカナ"),
            ("ภาษา", "ฉันพูดภาษาไทย"),
            ("blackbird nests", "A red-winged Blackbird: nests here"),
            ("don't", "I DON’T know"),
            ("https://example.org/a", "see http://example.org/a now"),
        ] {
            assert!(has(text, phrase), "{phrase}");
        }
        for (phrase, text) in [
            ("мой", "мои"),
            ("京東", "東京都"),
            ("nests blackbird", "A Blackbird nests"),
            ("bird nests", "A blackbird nests"),
        ] {
            assert!(!has(text, phrase), "{phrase}");
        }
    }

    #[test]
    fn people_are_indexed_by_each_word_of_login_and_name() {
        let login = Login::stored("Robin_W").unwrap();
        let found: Vec<String> = beginnings_of(&login, "Zoë 山田太郎").into_iter().collect();
        assert_eq!(found.join(" "), "robin w zoe 太郎 山田太郎 田太郎 郎");
    }

    #[test]
    fn long_words_are_truncated_and_unsafe_terms_refused() {
        assert_eq!(terms(&"x".repeat(300)), "x".repeat(MAX_WORD_CHARACTERS));
        for text in ["", "#", "a}b", "a b", "a:b", "a\n"] {
            assert_eq!(Term::stored(text), None, "{text:?}");
        }
    }
}
