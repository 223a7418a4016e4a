//! Folding: the form in which words are compared, without distinctions that readers ignore.

use unicase::UniCase;
use unicode_normalization::UnicodeNormalization;

use crate::domain::text::tokens::characters::{is_mark, is_unseen};

/// A character can mean a whole sentence: U+FDFA has three bytes, and 18 letters in normal form. A text of many such
/// characters is folded up to this number of letters for each of its bytes. Usual texts have at most half as many.
const MOST_PER_BYTE: usize = 2;
/// A text of fewer bytes is folded as if it had as many.
const SHORT: usize = 64;

/// Returns a text in normal form KC, without case (full folding), invisible characters and marks that
/// people omit when typing: all marks on Latin and Greek letters, Hebrew and Arabic points, stress marks
/// and the dots of `ё` in Cyrillic.
pub(super) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let most = MOST_PER_BYTE * text.len().max(SHORT);
    let seen: String = text.nfkd().filter(|c| !is_nothing(*c)).take(most).collect();
    let cased = UniCase::unicode(seen).to_folded_case();
    let (mut letter, mut plain) = (' ', String::with_capacity(cased.len()));
    for c in cased.nfkd().filter(|c| !is_nothing(*c)) {
        if is_mark(c) {
            if !is_left_out(letter, c) {
                plain.push(c);
            }
            continue;
        }
        letter = c;
        match without_stroke(c) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(c),
        }
    }
    plain.nfc().collect()
}

/// Returns whether it is invisible, or tatweel, which only stretches Arabic words.
fn is_nothing(c: char) -> bool {
    is_unseen(c) || c == 'ـ'
}

fn is_left_out(letter: char, mark: char) -> bool {
    match letter {
        'a'..='z' | '\u{C0}'..='\u{24F}' | '\u{250}'..='\u{2AF}' | '\u{1E00}'..='\u{1EFF}' => true,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => true,
        '\u{400}'..='\u{52F}' => {
            matches!(mark, '\u{300}' | '\u{301}') || (letter, mark) == ('е', '\u{308}')
        }
        _ => {
            matches!(mark, '\u{591}'..='\u{5C7}' | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{652}' | '\u{670}')
        }
    }
}

/// Replaces Latin letters with a mark that is no character of its own.
fn without_stroke(c: char) -> Option<&'static str> {
    Some(match c {
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ł' => "l",
        'ŧ' => "t",
        'þ' => "th",
        _ => return None,
    })
}
