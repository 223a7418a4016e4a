//! The bytes that a post counts as against its author's quota. They are an upper bound of its data in
//! Redis, with its entries in the search index, without its copies on the homes of followers.

use crate::domain::{Draft, EditState, Warning, tags_of, terms_of, tokens};

/// Bytes that every post counts as, however short it is. Only bytes beyond these are stored for each post.
pub const BASE_POST_BYTES: u64 = 2048;

/// Bytes of the fields, the profile entries, the own home and the idempotency key of a post without a text.
const EMPTY_POST_BYTES: usize = 900;
/// Bytes of a tag: the tag may be new, and has an index, the people who used it and a rank.
const TAG_BYTES: usize = 500;
/// Bytes of a mention: the entry in the index of the person and the notification.
const MENTION_BYTES: usize = 300;

/// Returns the bytes beyond [`BASE_POST_BYTES`] that a draft counts as.
pub fn extra_bytes_of(draft: &Draft) -> u64 {
    let poll_bytes = draft.poll.as_ref().map_or(0, |poll| poll.to_string().len());
    let bytes = bytes_of(draft.message.as_str(), draft.warning.as_ref()) + poll_bytes as i64;
    u64::try_from(bytes).unwrap_or_default()
}

/// Returns the bytes beyond [`BASE_POST_BYTES`] that the text of an edit counts as. They are negative for a
/// short text. The earlier versions and the poll come on top.
pub fn bytes_of_edit(edit: &EditState) -> i64 {
    bytes_of(edit.message.as_str(), edit.warning.as_ref())
}

fn bytes_of(message: &str, warning: Option<&Warning>) -> i64 {
    let terms = terms_of(message);
    let index_bytes: usize = terms.iter().map(|term| term.index_bytes()).sum();
    let mentions = tokens(message).filter(|token| token.kind.clone().mention().is_some());
    let mention_count = mentions.count().min(Draft::MAX_MENTIONED);
    let bytes = EMPTY_POST_BYTES
        + message.len()
        + warning.map_or(0, |warning| warning.as_str().len())
        + tags_of(message).len() * TAG_BYTES
        + mention_count * MENTION_BYTES
        + index_bytes;
    bytes as i64 - BASE_POST_BYTES as i64
}

#[cfg(test)]
mod tests {
    use super::super::post_bytes::*;
    use crate::domain::Message;

    fn extra_bytes(text: &str) -> u64 {
        let message = Message::parse(text).expect("a message");
        extra_bytes_of(&Draft::from(&message))
    }

    #[test]
    fn a_short_post_counts_as_the_base_and_a_post_of_rare_words_as_more() {
        assert_eq!(extra_bytes("Good morning, lake!"), 0);
        let words: Vec<String> = (0..100).map(|number| format!("w{number}")).collect();
        assert!(extra_bytes(&words.join(" ")) > 10_000);
        let characters: String = ('一'..).take(500).collect();
        assert!((14_000..20_000).contains(&extra_bytes(&characters)));
        let tags: Vec<String> = (0..20).map(|number| format!("#t{number}")).collect();
        assert!(extra_bytes(&tags.join(" ")) > 12_000);
    }

    #[test]
    fn no_post_counts_as_more_than_100_kb() {
        for (count, marks) in [(250, 6), (125, 14)] {
            let marks = "\u{301}".repeat(marks);
            let words: Vec<String> = (0..count)
                .map(|n| format!("{}{marks}", char::from_u32(0x4e00 + n).unwrap()))
                .collect();
            assert!(extra_bytes(&words.join(" ")) < 100_000, "{count}");
        }
    }
}
