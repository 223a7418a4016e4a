//! Properties of the words of any text.

use proptest::prelude::*;

use super::{Term, Words, beginnings_of, folding::folded, terms_of};
use crate::domain::{ComparedText, Login};

/// Generates texts of several scripts, with characters that folding ignores.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        3 => "[a-zA-ZÀ-ſΆ-ώЀ-ѿא-ת\u{300}-\u{345}]{1,5}",
        2 => "[一-三ぁ-おァ-オ가-각ก-ฮ\u{E31}-\u{E3A}]{1,4}",
        2 => "[ .,:'\"#@_{}-]",
        1 => prop::sample::select(&[
            "İ", "ı", "ẞ", "ﬁ", "ǆ", "ﾊﾟ", "Ａ", "①", "½", "\u{200D}", "\u{AD}", "http://a.example/b", "#Tag",
            "@ann", "👩‍🌾", "\u{3099}", "ـ", "ᾳ",
        ][..]).prop_map(str::to_owned),
        1 => "(?s).",
    ];
    prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn folding_a_text_twice_changes_nothing(text in texts()) {
        let once = folded(&text);
        prop_assert_eq!(folded(&once), once);
    }

    #[test]
    fn the_words_of_an_ascii_text_are_those_of_any_text(texts in prop::collection::vec("[a-c0 .\n~_]{0,100}", 0..4)) {
        let (mut fast, mut general) = (Words::default(), Words::default());
        for text in texts {
            fast.add_ascii(&text);
            general.add(&text);
        }
        prop_assert_eq!(fast, general);
    }

    #[test]
    fn every_term_is_safe_in_a_key(text in texts()) {
        for term in terms_of(&text) {
            prop_assert_eq!(Term::stored(term.as_str()), Some(term));
        }
    }

    #[test]
    fn a_text_matches_each_of_its_phrases(text in texts(), from in 0_usize..20, count in 1_usize..5) {
        let words = Words::of(&text);
        let from = from.min(words.0.len());
        let to = (from + count).min(words.0.len());
        let phrase = Words(words.0[from..to].to_vec());
        let compared = ComparedText::of([text.as_str()]);
        prop_assert!(compared.has_words(&phrase));
        let typed: Vec<String> = phrase.whole_words();
        let typed = Words::of(&typed.join(" "));
        prop_assert!(compared.has_words(&typed), "{:?} of {:?}", typed, words);
        let terms = terms_of(&text);
        for asked in typed.asked() {
            prop_assert!(terms.contains(&asked), "{:?}", asked);
        }
    }

    #[test]
    fn folding_ignores_case_and_composition(text in texts()) {
        use unicode_normalization::UnicodeNormalization;
        let decomposed: String = text.nfd().collect();
        prop_assert_eq!(folded(&decomposed), folded(&text));
        // Decomposed: an iota below a letter becomes a letter of its own, before marks that came after
        // it.
        prop_assert_eq!(folded(&decomposed.to_uppercase().to_lowercase()), folded(&folded(&text).to_uppercase()));
    }

    #[test]
    fn a_person_is_indexed_by_the_prefix_of_each_word(name in texts(), login in "[a-z0-9_]{1,30}") {
        let login = Login::stored(&login).expect("a login");
        let beginnings = beginnings_of(&login, &name);
        for word in Words::of(&name).whole_words() {
            let half: String = word.chars().take(20).collect();
            prop_assert!(beginnings.iter().any(|beginning| beginning.starts_with(&half)));
        }
    }
}

#[test]
fn a_text_of_characters_that_stand_for_sentences_is_not_folded_completely() {
    let text = "\u{FDFA}".repeat(490);
    assert!(folded(&text).chars().count() <= 2 * text.len());
    assert_eq!(folded("\u{FDFA}").chars().count(), 18);
}
