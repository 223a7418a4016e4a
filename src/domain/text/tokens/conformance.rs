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
                .expect("a difference begins with !");
            let (why, found) = differs.split_once(':').expect("a difference has a reason");
            (why, unescaped(found.trim()))
        });
        Self {
            name,
            text: unescaped(text.strip_prefix("  ").expect("a text is indented")),
            theirs: unescaped(
                theirs
                    .unwrap_or_else(|| panic!("{name}: nothing expected"))
                    .trim(),
            ),
            ours,
        }
    }

    /// Returns the tokens of one kind in the format of the table.
    fn found(&self, kind: Kind) -> String {
        let found: Vec<&str> = tokens(&self.text)
            .filter(|token| kind.is(&token.kind))
            .map(|token| kind.value(token.text))
            .collect();
        let whole = kind.value(&self.text);
        match (self.theirs.as_str(), &found[..]) {
            ("(whole)" | "(not whole)", [one]) if *one == whole => "(whole)".to_owned(),
            ("(whole)" | "(not whole)", _) => "(not whole)".to_owned(),
            _ => found.join(" "),
        }
    }

    /// Returns the length of the text where the table has its weight, and whether it can be posted.
    fn length(&self) -> String {
        let valid = match Message::parse(&self.text) {
            Ok(_) => "valid",
            Err(_) => "not valid",
        };
        match self.theirs.as_str() {
            "valid" | "not valid" => valid.to_owned(),
            _ => format!("{} {valid}", Message::characters(&self.text)),
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Mention,
    Tag,
    Url,
}

impl Kind {
    fn is(self, kind: &TokenKind) -> bool {
        matches!(
            (self, kind),
            (Self::Mention, TokenKind::Mention(_))
                | (Self::Tag, TokenKind::Tag(_))
                | (Self::Url, TokenKind::Url)
        )
    }

    /// Returns a mention or tag without its sign, like the data.
    fn value(self, text: &str) -> &str {
        match self {
            Self::Url => text,
            Self::Mention | Self::Tag => text.trim_start_matches(['@', '＠', '#', '＃']),
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
            let (code, rest) = piece
                .strip_prefix("u{")
                .and_then(|piece| piece.split_once('}'))
                .expect("an escape is \\n or \\u{…}");
            let code = u32::from_str_radix(code, 16).expect("a code point in hex");
            plain.push(char::from_u32(code).expect("a character"));
            plain.push_str(rest);
        }
    }
    plain
}

fn cases(table: &str) -> impl Iterator<Item = Case<'_>> {
    table
        .split("\n\n")
        .filter(|block| !block.starts_with('#'))
        .map(Case::parse)
}

/// Checks every case of a table, that each marked difference is real, and that the docs give its reason.
fn conforms(table: &str, find: impl Fn(&Case<'_>) -> String) {
    let mut wrong = Vec::new();
    for case in cases(table) {
        let found = find(&case);
        let due = case.ours.as_ref().map_or(&case.theirs, |(_, ours)| ours);
        if found != *due {
            wrong.push(format!(
                "{}: {:?}\n   due {due}\n found {found}",
                case.name, case.text
            ));
        }
        let Some((why, ours)) = &case.ours else {
            continue;
        };
        if *ours == case.theirs || !DOCS.contains(&format!("//! - **{why}**")) {
            wrong.push(format!("{}: no difference with a reason: {why}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mentions_conform_to_twitter_text() {
    conforms(MENTIONS, |case| case.found(Kind::Mention));
}

#[test]
fn tags_conform_to_twitter_text() {
    conforms(TAGS, |case| case.found(Kind::Tag));
}

#[test]
fn urls_conform_to_twitter_text() {
    conforms(URLS, |case| case.found(Kind::Url));
}

#[test]
fn lengths_conform_to_twitter_text_except_for_listed_cases() {
    conforms(LENGTHS, |case| case.length());
    assert_eq!(cases(LENGTHS).count(), 52);
}

#[test]
fn every_documented_difference_has_a_test_case() {
    let reasons = DOCS
        .lines()
        .filter_map(|line| line.strip_prefix("//! - **")?.split_once("**"))
        .map(|(why, _)| why);
    for why in reasons {
        let mark = format!("  ! {why}:");
        let shown = [MENTIONS, TAGS, URLS, LENGTHS]
            .iter()
            .any(|table| table.contains(&mark));
        assert!(shown, "no case shows the difference {why}");
    }
}
