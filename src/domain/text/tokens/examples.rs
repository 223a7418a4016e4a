//! Texts and their tokens, one rule at a time.

use crate::domain::text::tokens::*;

/// Returns all tokens except text, as written.
fn marked(text: &str) -> Vec<&str> {
    let marked = tokens(text).filter(|token| token.kind != TokenKind::Text);
    marked.map(|token| token.text).collect()
}

fn folded(text: &str) -> String {
    Tag::parse(text).expect("a tag").folded().to_string()
}

#[test]
fn a_text_is_split_into_tokens() {
    let pieces: Vec<_> = tokens("See ＠Ann, #Größe: https://a.example/(b).").collect();
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text).collect();
    assert_eq!(
        texts.join("|"),
        "See |＠Ann|, |#Größe|: |https://a.example/(b)|."
    );
    let ann = TokenKind::Mention(Login::stored("Ann").expect("a login"));
    let size = TokenKind::Tag(Tag::parse("Größe").expect("a tag"));
    for (piece, kind) in [(1, ann), (3, size), (5, TokenKind::Url)] {
        assert_eq!(pieces[piece].kind, kind);
        assert_eq!(pieces[piece - 1].kind, TokenKind::Text);
        assert_eq!(pieces[piece + 1].kind, TokenKind::Text);
    }
    assert_eq!(pieces[3].span, 12..20);
    assert_eq!(tokens("").count(), 0);
}

#[test]
fn urls_exclude_sentence_punctuation() {
    for case in [
        "See https://example.org/a_(b)?c=d#e. → https://example.org/a_(b)?c=d#e",
        "\"HTTPS://EXAMPLE.ORG\"! → HTTPS://EXAMPLE.ORG",
        "https://bücher.example/straße… → https://bücher.example/straße",
        "「http://a.example/路」。 → http://a.example/路",
        "[http://a.example/x[1]], → http://a.example/x[1]",
        "http://a.example/Redis入門を → http://a.example/Redis",
        "https://fr.a.example/L’Équipe’ → https://fr.a.example/L’Équipe",
        "http://127.0.0.1:8080/?q=%C3%A9& → http://127.0.0.1:8080/?q=%C3%A9&",
        "http://[::1]:80/, → http://[::1]:80/",
        "http://a.example#top → http://a.example#top",
    ] {
        let (text, address) = case.split_once(" → ").expect("a text and an address");
        assert_eq!(marked(text), [address], "{text}");
    }
}

#[test]
fn other_text_is_not_a_url() {
    for text in "javascript:alert(1) javascript://x.example/%0aalert(1) ftp://example.org/ \
        data:text/html,x example.org example.org/@someone#there someone@example.org http:// \
        http://localhost http://a.example\u{301}/ https://bank.example@evil.example/ \
        https://bank.example:80@evil.example/ https://bank.example:secret@evil.example/ \
        http://a.example:99999/ //example.org"
        .split(' ')
    {
        assert_eq!(marked(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn mentions_are_delimited_in_any_script() {
    assert_eq!(
        marked("سلام @sara، 你好@li你好。👩‍🌾@ann✌️@bob"),
        ["@sara", "@li", "@ann", "@bob"]
    );
    let mentions = marked("(@a) \"@b\" @c's «@d» @e… @f/@g");
    assert_eq!(mentions.join(" "), "@a @b @c @d @e @f @g");
    for text in "слово@ann cafe\u{301}@ann @ann\u{301} @annß @ann1\u{FE0F}\u{20E3} \
        @ann@example.org o'neil+@example.org 田中@example.org @abcdefghijklmnopqrstuvwxyz12345 @ @é"
        .split(' ')
    {
        assert_eq!(marked(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn a_tag_never_splits_emoji_or_combining_marks() {
    let tags = marked("1️⃣#one 🏽#two #three🎉 #H2O!");
    assert_eq!(tags, ["#one", "#two", "#three", "#H2O"]);
    for text in "#\u{FE0F}\u{20E3}a #\u{301}a #\u{200D}a #\u{3164} #🎉 #1️⃣ a&#x".split(' ') {
        assert_eq!(marked(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn a_folded_tag_ignores_case_composition_and_invisible_characters() {
    assert_eq!(folded("Straße"), folded("STRASSE"));
    assert_eq!(folded("ΌΣΟΣ"), folded("όσος"));
    assert_eq!(folded("CAFE\u{301}"), "café");
    assert_eq!(folded("α\u{323}\u{345}"), folded("Α\u{323}Ι"));
    assert_eq!(folded("می\u{200C}خواهم"), folded("میخواهم"));
    assert_eq!(folded("葛\u{E0100}城"), folded("葛城"));
    assert_ne!(folded("ｈａｓｈ"), folded("hash"));
}

#[test]
fn a_tag_beyond_the_limit_is_not_a_tag() {
    let long = "é".repeat(Tag::MAX_CHARACTERS);
    assert_eq!(marked(&format!("#{long}")).len(), 1);
    assert_eq!(marked(&format!("#{long}é")).len(), 0);
    assert!(Tag::parse(&"漢".repeat(Tag::MAX_CHARACTERS)).is_some());
    assert!(Tag::parse(&"𠀡\u{301}".repeat(80)).is_none());
}
