//! Rules for every text that people type: no invisible controls, no piles of marks, not blank, counted
//! as people count. Messages, names and bios use them.

pub(super) mod compared;
pub(super) mod markdown;
pub(super) mod message;
pub(super) mod muted;
pub(super) mod names;
pub(super) mod query;
pub(super) mod tokens;
pub(super) mod words;

use unicode_segmentation::UnicodeSegmentation;

/// Code points in one character. The longest in use, a Tibetan stack or a family of emoji, take
/// 11; beyond that, marks are piled up to run over other people's lines.
const MAX_CODE_POINTS_PER_CHARACTER: usize = 16;

/// The black flag, before which alone tag characters mean something: 🏴󠁧󠁢󠁳󠁣󠁴󠁿.
const BLACK_FLAG: char = '\u{1F3F4}';

/// An error of a text, worded for its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("Write something first.")]
    Blank,
    #[error("Enter a name.")]
    Nameless,
    #[error("Enter a word, a phrase or a #tag.")]
    Wordless,
    #[error("At most {max} characters; this has {is}.")]
    TooLong { max: usize, is: usize },
    #[error("This is longer than {max} bytes.")]
    TooManyBytes { max: usize },
    #[error("This contains an invisible control character.")]
    Control,
    #[error("One character has more than {max} combining marks.")]
    Stacked { max: usize },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// In characters as people count them: extended grapheme clusters.
    pub(super) characters: usize,
    pub(super) bytes: usize,
}

/// Declares a text type with its limits.
macro_rules! text_type {
    ($(#[$attribute:meta])* $name:ident, $characters:literal characters, $bytes:literal bytes) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq, derive_more::Display)]
        pub struct $name(String);

        impl $name {
            pub const MAX_CHARACTERS: usize = $characters;
            pub const MAX_BYTES: usize = $bytes;
            const LIMITS: $crate::domain::text::Limits = $crate::domain::text::Limits {
                characters: $characters,
                bytes: $bytes,
            };

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    };
}
pub(super) use text_type;

/// A text with more bytes than this many times the limit is refused before anything takes time for each of its
/// characters.
const FAR_TOO_LONG: usize = 4;

impl Limits {
    /// Refuses texts that are far too long. The number of characters in the error can then be too high.
    pub(super) fn check_roughly(self, text: &str) -> Result<(), TextError> {
        match text.len() > FAR_TOO_LONG * self.bytes {
            true => Err(TextError::TooLong {
                max: self.characters,
                is: text.chars().count(),
            }),
            false => Ok(()),
        }
    }

    /// Returns the number of characters, at least roughly if the text is far too long.
    pub(super) fn count(self, text: &str) -> usize {
        match self.check_roughly(text) {
            Ok(()) => text.graphemes(true).count(),
            Err(_) => text.chars().count(),
        }
    }

    /// Refuses texts that are too long or contain hidden characters.
    pub(super) fn check(self, text: &str) -> Result<(), TextError> {
        self.check_roughly(text)?;
        let mut is = 0;
        for character in text.graphemes(true) {
            is += 1;
            check_character(character)?;
        }
        if is > self.characters {
            return Err(TextError::TooLong {
                max: self.characters,
                is,
            });
        }
        if text.len() > self.bytes {
            return Err(TextError::TooManyBytes { max: self.bytes });
        }
        Ok(())
    }
}

fn check_character(character: &str) -> Result<(), TextError> {
    if character.chars().any(is_refused) {
        return Err(TextError::Control);
    }
    if character.chars().any(is_tag) && !character.starts_with(BLACK_FLAG) {
        return Err(TextError::Control);
    }
    if character.chars().count() > MAX_CODE_POINTS_PER_CHARACTER {
        return Err(TextError::Stacked {
            max: MAX_CODE_POINTS_PER_CHARACTER - 1,
        });
    }
    Ok(())
}

/// Trims the white space that JavaScript's `trim()` removes, so that browser and server count alike.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Returns whether JavaScript treats it as white space. Rust includes the refused U+0085.
pub(super) fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{FEFF}'
}

/// Returns whether the text leaves no visible trace on a page.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| is_space(c) || is_invisible(c))
}

/// Replaces all line ends by `\n` and tabs by blanks.
pub(super) fn plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .map(|c| match c {
            '\r' | '\u{B}' | '\u{C}' | '\u{2028}' | '\u{2029}' => '\n',
            '\t' => ' ',
            other => other,
        })
        .collect()
}

/// Returns whether a character is refused: controls, characters that change the direction of surrounding
/// text, and characters for internal use of programs. Joiners, direction marks and variation selectors
/// are allowed, because Persian, Hebrew and emoji need them.
fn is_refused(c: char) -> bool {
    let space = matches!(c, '\t' | '\n' | '\u{B}' | '\u{C}' | '\r');
    let noncharacter = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    (c.is_control() && !space)
        || noncharacter
        || matches!(c,
            '\u{202A}'..='\u{202E}' // embeddings and overrides of direction
            | '\u{2066}'..='\u{2069}' // isolates
            | '\u{206A}'..='\u{206F}' // deprecated format characters
            | '\u{FFF9}'..='\u{FFFB}' // interlinear annotations
            | '\u{E0001}') // language tag
}

/// Returns whether it is an invisible tag letter, which could hide text.
fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0020}'..='\u{E007F}')
}

/// Returns whether it has no visible form, besides white space.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}'
        | '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' // fillers of Hangul
        | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{206F}'
        | '\u{2800}' // Braille without a dot
        | '\u{FE00}'..='\u{FE0F}' | '\u{1D159}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns whether a text has characters of a script that is written from right to left, as Arabic and Hebrew. A
/// browser then decides about the direction of the text (`dir=auto`).
pub fn is_right_to_left(text: &str) -> bool {
    text.chars().any(|character| {
        matches!(character,
            '\u{590}'..='\u{8FF}'
            | '\u{FB1D}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFF}'
            | '\u{10800}'..='\u{10FFF}'
            | '\u{1E800}'..='\u{1EFFF}')
    })
}

#[cfg(test)]
mod tests {
    use super::super::text::*;

    const ROOMY: Limits = limits(100, 1000);

    const fn limits(characters: usize, bytes: usize) -> Limits {
        Limits { characters, bytes }
    }

    #[test]
    fn a_grapheme_counts_as_one_character() {
        let one = limits(1, 1000);
        for character in "a é e\u{301} 👨‍👩‍👧‍👦 🇳🇿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👩🏻‍❤️‍💋‍👩🏻 각 क्षि \r\n".split(' ')
        {
            assert_eq!(one.check(character), Ok(()), "{character:?}");
        }
    }

    #[test]
    fn a_length_error_contains_the_length() {
        let few = limits(3, 5);
        assert_eq!(few.check("abcd"), Err(TextError::TooLong { max: 3, is: 4 }));
        assert_eq!(few.check("ééé"), Err(TextError::TooManyBytes { max: 5 }));
    }

    #[test]
    fn control_and_direction_characters_are_refused() {
        let hidden = "\0\u{7}\u{1B}\u{7F}\u{85}\u{202A}\u{202E}\u{2066}\u{2069}\u{206A}\
            \u{FFF9}\u{FFFF}\u{FDD0}\u{10FFFE}\u{E0001}\u{E0041}";
        for c in hidden.chars() {
            let refusal = ROOMY.check(&format!("a{c}b"));
            assert_eq!(refusal, Err(TextError::Control), "{c:?}");
        }
    }

    #[test]
    fn joiners_direction_marks_and_selectors_are_allowed() {
        for text in "می‌خواهم|\u{200F}שלום|❤️|a\u{200B}b|co\u{AD}operate".split('|')
        {
            assert_eq!(ROOMY.check(text), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn excessive_combining_marks_are_refused() {
        let tower = format!("Z{}", "\u{301}".repeat(MAX_CODE_POINTS_PER_CHARACTER));
        let refusal = ROOMY.check(&tower);
        assert!(matches!(refusal, Err(TextError::Stacked { .. })));
        for stack in ["ཧྐྵྨླྺྼྻྂ", "Z̤͔ͧ̑̓", "র্ধ্ব"] {
            assert_eq!(ROOMY.check(stack), Ok(()), "{stack:?}");
        }
    }

    #[test]
    fn invisible_text_is_blank() {
        for blank in
            "| \n\t|\u{3000}|\u{200B}\u{200D}|\u{3164}|\u{2800}|\u{FEFF}|\u{FE0F}".split('|')
        {
            assert!(is_blank(blank), "{blank:?}");
        }
        assert!(!is_blank(" . "));
    }

    #[test]
    fn arabic_and_hebrew_names_are_right_to_left() {
        for name in ["نادية حداد", "Nadia Haddad نادية", "שלום"] {
            assert!(is_right_to_left(name), "{name}");
        }
        for name in ["Nadia Haddad", "Zoë", "林美 Mei Lin", "Ирина", ""] {
            assert!(!is_right_to_left(name), "{name}");
        }
    }

    #[test]
    fn all_line_ends_become_a_line_feed() {
        assert_eq!(plain_lines("a\r\nb\rc\u{2028}d\te\n"), "a\nb\nc\nd e\n");
    }
}
