//! twitter-text's public conformance data, with the differences of this site.

use super::{TokenKind, tokens};
use crate::domain::Message;

const MENTIONS: &str = include_str!("../../../../tests/tokens/mentions.txt");
const TAGS: &str = include_str!("../../../../tests/tokens/tags.txt");
const URLS: &str = include_str!("../../../../tests/tokens/urls.txt");
const LENGTHS: &str = include_str!("../../../../tests/tokens/lengths.txt");
const DOCS: &str = include_str!("mod.rs");

/// One text of a table, with its expected values.
struct Case<'a> {
    name: &'a str,
    text: String,
    /// The result of twitter-text.
    theirs: String,
    /// The different result of this site, with the keyword of its reason in the docs.
    ours: Option<(&'a str, String)>,
}

impl<'a> Case<'a> {
    fn parse(block: &'a str) -> Self {
        let mut lines = block.lines();
        let name = lines.next().expect("a case has a name");
        let text = lines.next().expect("a case has a text");
        let theirs = lines.next().and_then(|line| line.strip_prefix("  ="));
        let ours = lines.next().map(|line| {
            let differs = line
                .strip_prefix("  ! ")
                .and_then(|line| line.split_once(':'));
            let (why, found) = differs.expect("a difference begins with ! and has a reason");
            (why, unescaped(found.trim()))
        });
        Self {
            name,
            text: unescaped(text.strip_prefix("  ").expect("a text is indented")),
            theirs: unescaped(theirs.expect("a case has an expected value").trim()),
            ours,
        }
    }

    /// Returns the tokens of one kind in the format of the table, without their signs.
    fn found(&self, is_wanted: fn(&TokenKind) -> bool) -> String {
        let signs = ['@', '＠', '#', '＃'];
        let found = tokens(&self.text).filter(|token| is_wanted(&token.kind));
        let found: Vec<&str> = found
            .map(|token| token.text.trim_start_matches(signs))
            .collect();
        let whole = self.text.trim_start_matches(signs);
        match (self.theirs.as_str(), &found[..]) {
            ("(whole)" | "(not whole)", [one]) if *one == whole => "(whole)".to_owned(),
            ("(whole)" | "(not whole)", _) => "(not whole)".to_owned(),
            _ => found.join(" "),
        }
    }

    /// Returns the length of the text where the table has its weight, and whether it can be posted.
    fn length(&self) -> String {
        let is_valid = Message::parse(&self.text).is_ok();
        let valid = if is_valid { "valid" } else { "not valid" };
        match self.theirs.as_str() {
            "valid" | "not valid" => valid.to_owned(),
            _ => format!("{} {valid}", Message::characters(&self.text)),
        }
    }
}

/// Decodes `\n`, `\\` and `\u{…}`.
fn unescaped(text: &str) -> String {
    let mut pieces = text.split('\\');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        if let Some(rest) = piece.strip_prefix('n') {
            plain = plain + "\n" + rest;
        } else {
            let code = piece
                .strip_prefix("u{")
                .and_then(|piece| piece.split_once('}'));
            let (code, rest) = code.expect("an escape is \\n or \\u{…}");
            let code = u32::from_str_radix(code, 16).expect("a code point in hex");
            plain.push(char::from_u32(code).expect("a character"));
            plain.push_str(rest);
        }
    }
    plain
}

fn cases(table: &str) -> impl Iterator<Item = Case<'_>> {
    let blocks = table.split("\n\n");
    blocks
        .filter(|block| !block.starts_with('#'))
        .map(Case::parse)
}

/// Checks every case of a table, that each marked difference is real, and that the docs give its reason.
fn conforms(table: &str, find: impl Fn(&Case<'_>) -> String) {
    let mut wrong = Vec::new();
    for case in cases(table) {
        let found = find(&case);
        let due = case.ours.as_ref().map_or(&case.theirs, |(_, ours)| ours);
        let Case { name, text, .. } = &case;
        if found != *due {
            wrong.push(format!("{name}: {text:?}\n   due {due}\n found {found}"));
        }
        if let Some((why, ours)) = &case.ours
            && (*ours == case.theirs || !DOCS.contains(&format!("//! - **{why}**")))
        {
            wrong.push(format!("{name}: no difference with a reason: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mentions_conform_to_twitter_text() {
    conforms(MENTIONS, |case| {
        case.found(|kind| matches!(kind, TokenKind::Mention(_)))
    });
}

#[test]
fn tags_conform_to_twitter_text() {
    conforms(TAGS, |case| {
        case.found(|kind| matches!(kind, TokenKind::Tag(_)))
    });
}

#[test]
fn urls_conform_to_twitter_text() {
    conforms(URLS, |case| case.found(|kind| *kind == TokenKind::Url));
}

#[test]
fn lengths_conform_to_twitter_text_except_for_listed_cases() {
    conforms(LENGTHS, |case| case.length());
    assert_eq!(cases(LENGTHS).count(), 52);
}

#[test]
fn every_documented_difference_has_a_test_case() {
    let marks = DOCS
        .lines()
        .filter_map(|line| line.strip_prefix("//! - **")?.split_once("**"));
    let tables = [MENTIONS, TAGS, URLS, LENGTHS].concat();
    for (why, _) in marks {
        assert!(
            tables.contains(&format!("  ! {why}:")),
            "no case shows the difference {why}"
        );
    }
}
