//! Parts that pages share: layout, fields, pager, times, avatars, numbers. Each page and each part is
//! one struct with its own template. Handlers build them from a [`Visit`](visit::Visit) and the
//! store's models. All formats (times, counts, initials) are made here, so that templates contain
//! only `if` and `for`.
//!
//! A part inside other parts implements `HtmlSafe`: its own template has escaped its text, so that
//! the page around it does not escape it again.

pub mod avatar;
pub mod button_form;
pub mod field;
pub mod layout;
pub mod markdown;
pub mod moment;
pub mod notice;
pub mod pager;
pub mod prelude;
pub mod rich_text;
pub mod theme;
pub mod visit;

/// New items are counted up to this number in texts, titles and links; more is `99+`.
pub const MAX_SHOWN_COUNT: u64 = 99;

/// Returns a number of new items: `3`, or `99+`.
pub fn capped_count(number: u64) -> String {
    match number {
        0..=MAX_SHOWN_COUNT => count(number),
        _ => format!("{MAX_SHOWN_COUNT}+"),
    }
}

/// Returns a text in quotation marks, as the end of a sentence. A text that ends with a full stop gets no second one.
pub fn quote_at_end(text: &str) -> String {
    let is_ended = text.ends_with(['.', '!', '?', '…', '。', '！', '？']);
    format!("“{text}”{}", if is_ended { "" } else { "." })
}

/// Returns a number with separators: `1,234`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number with separators, or nothing for zero.
pub fn count_unless_zero(number: u64) -> String {
    match number {
        0 => String::new(),
        number => count(number),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, quote_at_end};

    #[test]
    fn a_quote_at_the_end_has_one_full_stop() {
        for (text, quoted) in [
            ("Be kind", "“Be kind”."),
            ("Be kind.", "“Be kind.”"),
            ("Why?", "“Why?”"),
            ("", "“”."),
        ] {
            assert_eq!(quote_at_end(text), quoted);
        }
    }

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
