//! The tags of the demo's posts, from a text file beside this one.

use std::collections::HashSet;

use super::random::random_fraction;

/// One topic per line: tag | words. A post with one of the words is about the topic. The first topic counts.
const TOPICS: &str = include_str!("texts/topics.txt");

/// Share of the posts about a topic that have its tag.
const TAG_SHARE: f64 = 0.7;

/// Returns the tags of all topics.
pub(super) fn tags() -> Vec<&'static str> {
    topics().map(|(tag, _)| tag).collect()
}

/// Returns the tag of a text, if it is about a topic. Some texts about a topic have no tag.
pub(super) fn tag_of(text: &str) -> Option<&'static str> {
    let words: HashSet<String> = words_of(text).collect();
    let is_about = |(_, topic): &(&str, &str)| {
        let mut topic = topic.split(' ');
        topic.any(|word| words.contains(&word.to_lowercase()))
    };
    let (tag, _) = topics().find(is_about)?;
    (random_fraction(&["tagged", text]) <= TAG_SHARE).then_some(tag)
}

fn topics() -> impl Iterator<Item = (&'static str, &'static str)> {
    let parts = TOPICS.lines().map(|line| line.split_once(" | "));
    parts.map(|parts| parts.expect("a line of topics.txt has a tag and words"))
}

/// Returns the words of a text in lower case, without punctuation around them.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let is_outside =
        |character: char| character.is_ascii_punctuation() || "“”‘’…".contains(character);
    let words = text.split_whitespace();
    words.map(move |word| word.trim_matches(is_outside).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::topics::*;

    #[test]
    fn a_text_has_the_tag_of_a_word_in_it_or_none() {
        for number in 0..20 {
            let of = |words: &str| tag_of(&format!("{number} {words}"));
            assert_eq!(of("the beekeeper heard nothing"), None);
            assert!(of("“Bees!” she said").is_none_or(|tag| tag == "bees"));
            assert!(of("water 6.1 °C. Cold").is_none_or(|tag| tag == "coldwater"));
        }
        let tagged = (0..100).filter(|number| tag_of(&format!("a hive {number}")).is_some());
        assert!((50..90).contains(&tagged.count()));
    }

    #[test]
    fn every_topic_has_words_and_its_own_tag() {
        let tags = tags();
        let distinct: HashSet<&str> = tags.iter().copied().collect();
        assert_eq!(distinct.len(), tags.len());
        let plain = |tag: &&str| tag.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(tags.iter().all(plain));
        assert!(topics().all(|(_, words)| !words.is_empty()));
    }
}
