//! The folded form of texts in which muted texts and searched phrases are found, and the search for many of them at once.

use super::{
    tokens::{Tag, TokenKind, tokens},
    words::Words,
};

/// Texts in the form in which others are found in them: folded words between single blanks, each text on its own
/// line, then its tags. Words have no blanks, so a pattern is found at whole words only.
#[derive(Debug, Default)]
pub struct ComparedText(Box<str>);

impl ComparedText {
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut compared = String::new();
        for text in texts {
            let (mut words, mut tags) = (Words::default(), String::new());
            for token in tokens(text) {
                words.add_token(&token);
                if let TokenKind::Tag(tag) = &token.kind {
                    tags.push_str(&tag_pattern(tag));
                }
            }
            compared.push_str(&words.joined());
            compared.push('\n');
            compared.push_str(&tags);
            compared.push('\n');
        }
        Self(compared.into())
    }

    /// Returns the number of bytes of the folded form.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the texts have this word, phrase or tag.
    pub fn has(&self, pattern: &str) -> bool {
        self.0.contains(pattern)
    }

    /// Returns whether the texts have these words in a row.
    pub fn has_words(&self, words: &Words) -> bool {
        words.is_empty() || self.has(&words.joined())
    }

    /// Returns whether the texts have these words in a row, where the last one may be the beginning of a longer word.
    pub fn has_beginning(&self, words: &Words) -> bool {
        self.has(words.joined().trim_end())
    }

    pub fn has_tag(&self, tag: &Tag) -> bool {
        self.has(&tag_pattern(tag))
    }
}

/// Returns the form of a tag in a [`ComparedText`].
pub(super) fn tag_pattern(tag: &Tag) -> String {
    format!(" #{} ", tag.folded())
}

/// Many patterns, of which all are searched in one pass over a text, however many they are.
#[derive(Debug, Default, PartialEq)]
pub struct Patterns {
    /// In the order of their texts.
    sorted: Vec<Pattern>,
}

#[derive(Debug, PartialEq)]
struct Pattern {
    text: Box<str>,
    /// Its place in the order of the caller.
    place: usize,
    /// The longest other pattern with which it begins, as an index in the sorted order.
    beginning: Option<usize>,
}

impl Patterns {
    /// Prepares patterns that begin with a blank.
    pub fn of<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Self {
        let pattern = |(place, text): (usize, &str)| Pattern {
            text: text.into(),
            place,
            beginning: None,
        };
        let mut sorted: Vec<Pattern> = patterns.into_iter().enumerate().map(pattern).collect();
        sorted.sort_by(|one, other| one.text.cmp(&other.text));
        for at in 1..sorted.len() {
            let mut before = Some(at - 1);
            while let Some(index) = before
                && !sorted[at].text.starts_with(&*sorted[index].text)
            {
                before = sorted[index].beginning;
            }
            sorted[at].beginning = before;
        }
        Self { sorted }
    }

    /// Returns the places of the patterns that a text has. Takes one search in the sorted order for each word.
    pub fn found_in(&self, text: &ComparedText) -> impl Iterator<Item = usize> {
        let text = &*text.0;
        let blanks = text.match_indices(' ');
        blanks.flat_map(move |(at, _)| self.beginnings_of(&text[at..]))
    }

    /// Returns the places of the patterns with which a text begins. Each of them is the last one that is not greater
    /// than the text, or a beginning of that one.
    fn beginnings_of(&self, text: &str) -> impl Iterator<Item = usize> {
        let behind = self
            .sorted
            .partition_point(|pattern| &*pattern.text <= text);
        let last = behind.checked_sub(1).map(|index| &self.sorted[index]);
        let chain = std::iter::successors(last, |one| Some(&self.sorted[one.beginning?]));
        let found = chain.filter(move |pattern| text.starts_with(&*pattern.text));
        found.map(|pattern| pattern.place)
    }

    /// Returns the bytes of memory.
    pub fn bytes(&self) -> usize {
        let of_pattern = |pattern: &Pattern| size_of::<Pattern>() + pattern.text.len();
        self.sorted.iter().map(of_pattern).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::compared::*;

    proptest! {
        #[test]
        fn one_pass_finds_the_patterns_that_single_searches_find(
            texts in proptest::collection::vec("( ?#?[ab]{1,2}){0,6}", 1..3),
            phrases in proptest::collection::vec("([ab]{1,2} ){1,3}", 0..12),
            tag in "#[ab]{1,2}",
        ) {
            let text = ComparedText::of(texts.iter().map(String::as_str));
            let words = phrases.iter().map(|phrase| Words::of(phrase).joined());
            let patterns: Vec<String> = words.chain([format!(" {tag} ")]).collect();
            let all = Patterns::of(patterns.iter().map(String::as_str));
            let mut found: Vec<usize> = all.found_in(&text).collect();
            found.sort_unstable();
            found.dedup();
            let has = |place: &usize| text.has(&patterns[*place]);
            let expected: Vec<usize> = (0..patterns.len()).filter(has).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
