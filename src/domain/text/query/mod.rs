//! Search queries: words, "phrases", `@author`, `#tag` and dates on one line. Parsing never fails;
//! unknown operators are words.

mod items;

use std::collections::BTreeSet;

use jiff::civil::Date;

use self::items::{Item, items};
use crate::domain::{
    ComparedText, Cursor, Login, StatusId, Tag, Term, TokenKind, UnixMs, Words, tokens,
};

#[derive(Debug, Clone, Default)]
pub struct Query {
    typed: String,
    phrases: Vec<Words>,
    /// The last phrase has no quotes. Longer words match its last word too.
    has_open_end: bool,
    tags: Vec<Tag>,
    authors: Vec<Login>,
    /// First millisecond of the period. Below: first millisecond after it.
    since_ms: Option<u64>,
    until_ms: Option<u64>,
    left_out: Option<LeftOut>,
    invalid_date: Option<String>,
}

/// The part of a query that was ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    Length,
    Parts,
}

impl Query {
    /// Maximum number of code points.
    pub const MAX_CHARACTERS: usize = 200;
    /// Maximum number of words, phrases, tags and authors.
    pub const MAX_PARTS: usize = 8;
    /// Maximum number of index terms that one query reads.
    pub const MAX_TERMS: usize = 16;

    pub fn parse(text: &str) -> Self {
        let trimmed = text.trim();
        let mut query = Self {
            typed: trimmed.chars().take(Self::MAX_CHARACTERS).collect(),
            ..Self::default()
        };
        if query.typed.len() < trimmed.len() {
            query.left_out = Some(LeftOut::Length);
        }
        for item in items(&query.typed.clone()) {
            match item {
                Item::Phrase(text) => query.add_words(&text, false),
                Item::Word(text) => query.add(&text),
            }
        }
        query
    }

    /// Returns the typed text without the ignored part.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Returns whether the query has nothing to search posts for.
    pub fn is_empty(&self) -> bool {
        self.phrases.is_empty() && self.tags.is_empty() && self.authors.is_empty()
    }

    pub fn left_out(&self) -> Option<LeftOut> {
        self.left_out
    }

    /// Returns the first date operator without a valid date, as typed. It is treated as a word.
    pub fn invalid_date(&self) -> Option<&str> {
        self.invalid_date.as_deref()
    }

    pub fn authors(&self) -> &[Login] {
        &self.authors
    }

    /// Returns at most [`Self::MAX_TERMS`] index terms: the longest, which are the most selective.
    pub fn terms(&self) -> Vec<Term> {
        let (whole, open) = self.split_open_end();
        let before = open.and_then(Words::split_beginning);
        let before = before.map(|(before, _)| before.asked());
        let phrases = whole.iter().flat_map(Words::asked);
        let tags = self.tags.iter().map(Term::of_tag);
        let terms = phrases.chain(before.into_iter().flatten()).chain(tags);
        let terms: BTreeSet<Term> = terms.collect();
        let mut terms: Vec<Term> = terms.into_iter().collect();
        terms.sort_by_key(|term| std::cmp::Reverse(term.as_str().len()));
        terms.truncate(Self::MAX_TERMS);
        terms
    }

    /// Returns the beginning that a word of a matching post has. It is itself a word.
    pub fn word_beginning(&self) -> Option<&str> {
        let (_, beginning) = self.split_open_end().1?.split_beginning()?;
        Some(beginning)
    }

    /// Returns the phrases that match whole words only, and the one that longer words match too.
    fn split_open_end(&self) -> (&[Words], Option<&Words>) {
        match self.phrases.split_last() {
            Some((last, whole)) if self.has_open_end && last.split_beginning().is_some() => {
                (whole, Some(last))
            }
            _ => (&self.phrases, None),
        }
    }

    /// Returns whether a message matches, without author and date.
    pub fn matches(&self, message: &str) -> bool {
        self.matches_folded(&ComparedText::of([message]))
    }

    /// Returns whether a folded message matches, without author and date.
    pub fn matches_folded(&self, message: &ComparedText) -> bool {
        let (whole, open) = self.split_open_end();
        let has_words = |phrase: &Words| message.has_words(phrase);
        let has_beginning = |phrase: &Words| message.has_beginning(phrase);
        whole.iter().all(has_words)
            && open.is_none_or(has_beginning)
            && self.tags.iter().all(|tag| message.has_tag(tag))
    }

    /// Returns whether a time is in the period of the query.
    pub fn includes(&self, at: UnixMs) -> bool {
        let is_after = self.since_ms.is_none_or(|since| since <= at.0);
        is_after && self.until_ms.is_none_or(|until| at.0 < until)
    }

    /// Returns the exclusive upper bound of ids.
    pub fn until(&self) -> Option<Cursor> {
        self.until_ms.map(|ms| Cursor::before(first_id(ms)))
    }

    /// Returns the smallest matching id.
    pub fn since(&self) -> u64 {
        self.since_ms.map_or(0, first_id)
    }

    /// Returns the prefixes for a search of people. Empty if the query can only mean posts.
    pub fn beginnings(&self) -> Vec<String> {
        let dated = self.since_ms.is_some() || self.until_ms.is_some();
        if dated || !self.tags.is_empty() {
            return Vec::new();
        }
        let authors = self.authors.iter().map(|login| Words::of(login.as_str()));
        let words = self.phrases.iter().cloned().chain(authors);
        words.flat_map(|words| words.whole_words()).collect()
    }

    fn add(&mut self, text: &str) {
        if let Some((name, value)) = text.split_once([':', '：']) {
            let date = || first_ms(value);
            match name.to_ascii_lowercase().as_str() {
                "from" => {
                    if let Some(login) = Login::stored(value.trim_start_matches(['@', '＠'])) {
                        return self.add_part(|query| query.authors.push(login));
                    }
                }
                "before" if date().is_some() => {
                    return self.until_ms = min_bound(self.until_ms, date());
                }
                "after" if date().is_some() => return self.since_ms = self.since_ms.max(date()),
                "before" | "after" => {
                    self.invalid_date.get_or_insert_with(|| text.to_owned());
                }
                _ => {}
            }
        }
        for token in tokens(text) {
            match token.kind {
                TokenKind::Mention(login) => self.add_part(|query| query.authors.push(login)),
                TokenKind::Tag(tag) => self.add_part(|query| query.tags.push(tag)),
                TokenKind::Text | TokenKind::Url => self.add_words(token.text, true),
            }
        }
    }

    fn add_words(&mut self, text: &str, has_open_end: bool) {
        let words = Words::of(text);
        if !words.is_empty() {
            self.add_part(|query| {
                query.phrases.push(words);
                query.has_open_end = has_open_end;
            });
        }
    }

    fn add_part(&mut self, add: impl FnOnce(&mut Self)) {
        if self.phrases.len() + self.tags.len() + self.authors.len() < Self::MAX_PARTS {
            add(self);
        } else {
            self.left_out = Some(LeftOut::Parts);
        }
    }
}

fn min_bound(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

/// Returns the first millisecond of a day, month or year (UTC): `2026-05-17`, `2026-05`, `2026`.
fn first_ms(text: &str) -> Option<u64> {
    let full = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        10 => text.to_owned(),
        _ => return None,
    };
    let date: Date = full.parse().ok()?;
    let start = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    u64::try_from(start.timestamp().as_millisecond()).ok()
}

/// Returns the smallest id that can be drawn at or after this millisecond.
fn first_id(ms: u64) -> u64 {
    ms.saturating_sub(StatusId::EPOCH_MS) << StatusId::RANDOM_BITS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::query::*;

    fn logins(query: &Query) -> Vec<&str> {
        query.authors().iter().map(Login::as_str).collect()
    }

    fn terms(text: &str) -> String {
        let terms = Query::parse(text).terms();
        let terms: Vec<&str> = terms.iter().map(Term::as_str).collect();
        terms.join(" ")
    }

    #[test]
    fn a_query_distinguishes_words_phrases_authors_and_tags() {
        let query = Query::parse(r#"  nests "Red wing" @Ann from:@bob From:eve #Birds, "#);
        assert_eq!(logins(&query), ["Ann", "bob", "eve"]);
        assert!(query.matches("The red wing nests #birds"));
        assert!(!query.matches("The red wing nests, birds"));
        assert!(!query.matches("A wing, red, nests #birds"));
        assert_eq!(terms(r#"nests "Red wing" #Birds"#), "#birds nests wing red");
    }

    #[test]
    fn the_last_word_without_quotes_matches_longer_words() {
        for (typed, beginning) in [
            ("gar", Some("gar")),
            ("fresh gar", Some("gar")),
            ("from:ann #food Gar", Some("gar")),
            ("red-win", Some("win")),
            ("gar @ann after:2026", Some("gar")),
            ("gar \"fresh\"", None),
            ("\"gar\"", None),
            ("ga", None),
            ("\u{6771}\u{4eac}\u{90fd}", None),
        ] {
            let query = Query::parse(typed);
            assert_eq!(query.word_beginning(), beginning, "{typed}");
        }
        let query = Query::parse("fresh gar");
        assert!(query.matches("Fresh garlic") && query.matches("gar, fresh"));
        assert!(!query.matches("freshly cut garlic") && !query.matches("fresh sugar"));
        assert_eq!(terms("fresh gar"), "fresh");
        let query = Query::parse("red-win");
        assert!(query.matches("a red window") && !query.matches("a window, red"));
        assert!(!Query::parse("\"gar\"").matches("garlic"));
    }

    #[test]
    fn a_query_includes_the_after_date_and_excludes_the_before_date() {
        let query = Query::parse("rain after:2026-05-01 before:2026-05-02");
        let day = 86_400_000_u64 << StatusId::RANDOM_BITS;
        assert_eq!(query.until().map(Cursor::get), Some(query.since() + day));
        let months = Query::parse("rain after:2026-05 after:2026 before:2026-06 before:2027");
        assert_eq!(months.since(), query.since());
        let end = query.since() + 31 * day;
        assert_eq!(months.until().map(Cursor::get), Some(end));
        assert_eq!(Query::parse("after:1970-01-01").since(), 0);
        let first_ms = 1_777_593_600_000_i64;
        for (ms, is_in) in [
            (-1, false),
            (0, true),
            (86_399_999, true),
            (86_400_000, false),
        ] {
            let at = UnixMs((first_ms + ms) as u64);
            assert_eq!(query.includes(at), is_in, "{ms}");
        }
    }

    #[test]
    fn an_invalid_operator_is_searched_as_a_word() {
        for (text, expected) in [
            ("before:tomorrow", "before"),
            ("from:nobody!", "from"),
            ("after:2026-13-01", "after 2026 01 13"),
            ("\"open", "open"),
            ("“curly quotes” 「引用」", "quotes curly ~1480 引 用"),
        ] {
            assert_eq!(terms(text), expected);
        }
        let invalid_date = |text| Query::parse(text).invalid_date().map(str::to_owned);
        let dates = "river After:21.11.2026 before:2026-13";
        assert_eq!(invalid_date(dates).as_deref(), Some("After:21.11.2026"));
        for understood in ["\"after:lunch\"", "after:2026", "before lunch", "at:lunch"] {
            assert_eq!(invalid_date(understood), None);
        }
        for nothing in ["", "   ", "\"\"", "!?…", "after:2026-01-01"] {
            assert!(Query::parse(nothing).is_empty(), "{nothing:?}");
        }
    }

    #[test]
    fn a_query_reports_terms_beyond_the_limit() {
        assert_eq!(Query::parse("a b c d e f g h").left_out(), None);
        let many = Query::parse("a b c d e f g h i");
        assert_eq!(many.left_out(), Some(LeftOut::Parts));
        assert!(many.matches("a b c d e f g h"));
        let long = Query::parse(&"x".repeat(201));
        assert_eq!(long.left_out(), Some(LeftOut::Length));
        assert_eq!(long.typed().len(), Query::MAX_CHARACTERS);
    }

    #[test]
    fn people_are_searched_only_by_words() {
        let beginnings = Query::parse("Zoë @Rob_x 山田").beginnings();
        assert_eq!(beginnings, ["zoe", "山田", "rob", "x"]);
        assert!(Query::parse("zoe #birds").beginnings().is_empty());
        assert!(Query::parse("zoe before:2027").beginnings().is_empty());
    }

    proptest! {
        #[test]
        fn every_query_respects_the_limits(text in "(?s).{0,300}") {
            let query = Query::parse(&text);
            prop_assert!(query.terms().len() <= Query::MAX_TERMS);
            prop_assert!(query.typed().chars().count() <= Query::MAX_CHARACTERS);
            let again = Query::parse(query.typed());
            prop_assert_eq!(again.terms(), query.terms());
        }

        #[test]
        fn a_message_matches_its_own_text(text in "[a-zA-Zé日本ก ,.]{1,60}") {
            let query = Query::parse(&format!("\"{text}\""));
            prop_assert!(query.matches(&text));
            let terms = crate::domain::terms_of(&text);
            prop_assert!(query.terms().iter().all(|term| terms.contains(term)));
        }
    }
}
