//! Classes of characters that tokens consist of, in any script.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup},
};

fn is_of(c: char, kinds: GeneralCategoryGroup) -> bool {
    kinds.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

pub(super) fn is_letter(c: char) -> bool {
    is_of(c, GeneralCategoryGroup::Letter)
}

/// Returns whether it is a combining mark or variation selector: a part of the previous character.
pub(in crate::domain) fn is_mark(c: char) -> bool {
    is_of(c, GeneralCategoryGroup::Mark)
}

pub(super) fn is_digit(c: char) -> bool {
    is_of(c, GeneralCategoryGroup::DecimalNumber)
}

/// Returns whether it is a letter, a mark or a number of any kind, such as `½`.
pub(in crate::domain) fn is_alphanumeric(c: char) -> bool {
    const ALPHANUMERIC: GeneralCategoryGroup = GeneralCategoryGroup::Letter
        .union(GeneralCategoryGroup::Mark)
        .union(GeneralCategoryGroup::Number);
    is_of(c, ALPHANUMERIC)
}

/// Returns whether it is a sign that is neither letter nor punctuation, such as emoji.
pub(super) fn is_symbol(c: char) -> bool {
    is_of(c, GeneralCategoryGroup::Symbol)
}

pub(super) fn is_dash(c: char) -> bool {
    is_of(c, GeneralCategoryGroup::DashPunctuation)
}

/// Returns whether it is a joiner, which shapes letters and combines emoji.
pub(super) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// Returns whether it has no visible form: joiners, selectors and fillers.
pub(in crate::domain) fn is_unseen(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Returns whether it turns the previous sign into an emoji, and so ends no word: variation selectors
/// and the keycap frame.
pub(super) fn makes_emoji(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{20E3}')
}

/// Returns whether its script sets no space between a word and the next, as with Korean particles. The
/// text before such a letter may end there.
pub(in crate::domain) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' // Burmese, Khmer
        | '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' // Hangul
        | '\u{3005}'..='\u{3007}' | '\u{3031}'..='\u{3035}' | '\u{303B}' | '\u{303C}'
        | '\u{3041}'..='\u{31FF}' // Kana, Bopomofo, older Hangul
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' // Han
        | '\u{FF66}'..='\u{FFDC}' // their narrow forms
        | '\u{1AFF0}'..='\u{1B16F}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns whether it is part of a word of a script with spaces. No mention begins after it.
pub(super) fn is_word(c: char) -> bool {
    (is_alphanumeric(c) || is_joiner(c)) && !is_unspaced(c) && !makes_emoji(c)
}

/// Returns the character before a position.
pub(super) fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// Returns the character at a position.
pub(super) fn after(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}
