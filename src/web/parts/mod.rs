//! Parts that pages share: layout, fields, pager, times, avatars, numbers. Each page and each part is
//! one struct with its own template. Handlers build them from a [`Visit`](visit::Visit) and the store's models. Every
//! format (times, counts, initials) is made here, so that templates hold `if` and `for` only.
//!
//! A part that is shown inside others implements `HtmlSafe`: its own template has escaped what it
//! shows, so that the page around it does not escape it again.

pub(super) mod avatar;
pub(super) mod field;
pub(super) mod layout;
pub(super) mod made;
pub(super) mod moment;
pub(super) mod notice;
pub(super) mod pager;
pub(super) mod rich_text;
pub(super) mod visit;

/// Up to how many new things are counted in words, titles and beside links: more is `99+`.
pub(super) const COUNTED_TO: u64 = 99;

/// A number of new things: `3`, or `99+`.
pub(super) fn counted(number: u64) -> String {
    match number {
        0..=COUNTED_TO => count(number),
        _ => format!("{COUNTED_TO}+"),
    }
}

/// A number as people write it: `1,234`.
pub(super) fn count(number: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
