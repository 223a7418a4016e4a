//! Properties of the tokens of any text.

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::{Tag, TokenKind, tokens};
use crate::domain::Message;

/// Generates texts full of token characters, of several scripts, marks, joiners and separators.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        4 => "[@#＠＃ ./:_-]",
        2 => "[a-zA-Z0-9]{1,4}",
        2 => prop::sample::select(&[
            "http://", "https://", "HTTP://", "a.example", "bücher.example", "日本", "한국", "слово",
            "می‌خواهم", "e\u{301}", "\u{301}", "\u{200D}", "👩‍🌾", "✌️", "1️⃣", "🏽", "。", "」", "’",
            "xn--", "[::1]", "127.0.0.1", ":80", "\n", "\u{3000}", "&", "RT",
        ][..]).prop_map(str::to_owned),
        1 => "[()\\[\\]?!,;=%+~'\"<>]",
        1 => "(?s).",
    ];
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

/// Generates tags with characters that lookups ignore.
fn tags() -> impl Strategy<Value = Tag> {
    "[a-zA-ZÀ-ſǄ-ǌΑ-ώΐΰἀ-ῼА-яԱ-և가-갛アー漢ßẞŉﬃİıſKÅ\u{300}-\u{345}\u{5B0}-\u{5BC}ש\u{FB2A}-\u{FB36}क़\u{958}\u{93C}\u{200C}\u{200D}\u{FE0F}0-9_·]{1,20}"
        .prop_filter_map("a tag", |text| Tag::parse(&text))
}

/// Returns all tokens except text, with their positions.
fn marked(text: &str, offset: usize) -> Vec<(usize, TokenKind)> {
    let marked = tokens(text).filter(|token| token.kind != TokenKind::Text);
    marked
        .map(|token| (offset + token.span.start, token.kind))
        .collect()
}

proptest! {
    #[test]
    fn joined_tokens_equal_the_text(text in texts()) {
        let mut at = 0;
        let mut last = None;
        for token in tokens(&text) {
            prop_assert_eq!(token.span.start, at);
            prop_assert_eq!(&text[token.span.clone()], token.text);
            prop_assert!(!token.text.is_empty());
            let both = last == Some(TokenKind::Text) && token.kind == TokenKind::Text;
            prop_assert!(!both, "two pieces of text at {}", at);
            at = token.span.end;
            last = Some(token.kind);
        }
        prop_assert_eq!(at, text.len());
    }

    #[test]
    fn text_after_white_space_does_not_change_a_token(text in texts()) {
        let mut parts = Vec::new();
        let mut start = 0;
        for piece in text.split_inclusive(char::is_whitespace) {
            parts.extend(marked(piece, start));
            start += piece.len();
        }
        prop_assert_eq!(marked(&text, 0), parts);
    }

    #[test]
    fn a_url_has_a_web_scheme_a_host_and_no_user(text in texts()) {
        for token in tokens(&text).filter(|token| token.kind == TokenKind::Url) {
            let url = url::Url::parse(token.text).expect("a URL");
            prop_assert!(matches!(url.scheme(), "http" | "https"));
            prop_assert!(url.has_host() && url.username().is_empty() && url.password().is_none());
            let stray = |c: char| c.is_whitespace() || "\"<>\\^`{}".contains(c);
            prop_assert!(!token.text.contains(stray));
        }
    }

    #[test]
    fn a_mention_is_an_at_sign_and_a_login(text in texts()) {
        for token in tokens(&text) {
            if let TokenKind::Mention(login) = token.kind {
                let name = token.text.strip_prefix(['@', '＠']);
                prop_assert_eq!(name, Some(login.as_str()));
            }
        }
    }

    #[test]
    fn a_url_contains_no_mention_or_tag(
        scheme in "(https?://)?",
        host in "[a-z]{1,9}\\.(example|org)",
        path in "/[a-z/#?=&@_.-]{0,20}@[a-z]{1,9}[a-z/#?=&@_.-]{0,9}",
    ) {
        let text = format!("{scheme}{host}{path}");
        for token in tokens(&text) {
            prop_assert!(!matches!(token.kind, TokenKind::Mention(_) | TokenKind::Tag(_)), "{}", text);
        }
    }

    #[test]
    fn an_email_address_contains_no_mention(
        before in "([a-z]{1,9} )?[(,:]?",
        name in "[a-zA-Z0-9éש田][a-z0-9.+/=?^`|}~'-]{0,9}",
        host in "[a-z0-9]{1,9}(\\.[a-z]{2,9}){1,2}",
    ) {
        let text = format!("{before}{name}@{host}");
        for token in tokens(&text) {
            prop_assert!(!matches!(token.kind, TokenKind::Mention(_)), "{}", text);
        }
    }

    #[test]
    fn a_tag_round_trips_through_a_path(tag in tags()) {
        prop_assert_eq!(Tag::parse(tag.as_str()), Some(tag.clone()));
        let text = format!("#{tag} {tag}");
        prop_assert_eq!(marked(&text, 0), [(0, TokenKind::Tag(tag))]);
    }

    #[test]
    fn folding_a_tag_twice_changes_nothing(tag in tags()) {
        let folded = tag.folded();
        prop_assert_eq!(Tag::parse(folded.as_str()).map(|tag| tag.folded()), Some(folded));
    }

    #[test]
    fn a_tag_folds_equally_for_all_compositions_and_cases(tag in tags()) {
        let parsed = |text: String| Tag::parse(&text).map(|tag| tag.folded());
        let composed = parsed(tag.as_str().nfc().collect());
        prop_assert_eq!(&composed, &Some(tag.folded()));
        prop_assert_eq!(&parsed(tag.as_str().nfd().collect()), &composed);
        let upper = tag.as_str().to_uppercase();
        prop_assert_eq!(parsed(upper.to_lowercase()), parsed(upper));
    }

    #[test]
    fn a_tag_is_safe_in_paths_and_keys(text in texts()) {
        for token in tokens(&text) {
            if let TokenKind::Tag(tag) = token.kind {
                for form in [tag.as_str(), tag.folded().as_str()] {
                    let plain = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '_';
                    prop_assert!(form.chars().all(plain) && !form.contains(char::is_whitespace));
                    prop_assert!(!form.is_empty() && form.len() <= Tag::MAX_BYTES);
                    prop_assert!(form.graphemes(true).count() <= Tag::MAX_CHARACTERS);
                }
            }
        }
    }
}

/// Covers every letter, mark and digit of Unicode, which generated tags cannot do.
#[test]
fn folding_is_stable_for_every_tag_character() {
    for tag in ('\u{80}'..=char::MAX).filter_map(|c| Tag::parse(&format!("a{c}b"))) {
        let folded = tag.folded();
        for text in [folded.to_string(), tag.as_str().nfd().collect()] {
            let parsed = Tag::parse(&text).map(|tag| tag.folded());
            assert_eq!(parsed.as_ref(), Some(&folded), "{tag}");
        }
    }
}

/// At 16 times a message's length, a quadratic tokenizer would take minutes for these texts.
#[test]
fn tokenizing_takes_linear_time() {
    let length = 16 * Message::MAX_BYTES;
    for piece in "a @ # ☃ [ .@ #a a. -a a@ #@ é http:// http://a.bc http://a.bc/( http://a.bc/[( \
        a.bc/( a.bc/ http://a.bc:99999/ http://[a http://a.bc: http://a.bc/. http://a.bc/([)] 日. \
        http://日.日/日 \u{200D} e\u{301}"
        .split(' ')
    {
        for start in ["", "http://a.bc/"] {
            let text = start.to_owned() + &piece.repeat(length / piece.len());
            let total: usize = tokens(&text).map(|token| token.text.len()).sum();
            assert_eq!(total, text.len());
        }
    }
}
