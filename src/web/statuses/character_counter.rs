//! The number of characters that a text can still have.

use crate::{domain::Message, web::parts::prelude::*};

#[derive(Debug, Template)]
#[template(path = "statuses/_character_counter.html")]
pub struct CharacterCounter {
    typed: usize,
}

impl askama::filters::HtmlSafe for CharacterCounter {}

impl CharacterCounter {
    pub fn of(text: &str) -> Self {
        Self {
            typed: Message::characters(text),
        }
    }

    /// Returns the counter's text without JavaScript.
    fn label(&self) -> String {
        let limit = Message::MAX_CHARACTERS;
        match self.typed {
            0 => format!("Up to {limit} characters"),
            typed if typed > limit => format!("{} too many", typed - limit),
            typed => format!("{} left", limit - typed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::character_counter::*;

    fn counter_text(text: &str) -> String {
        CharacterCounter::of(text).label()
    }

    #[test]
    fn the_counter_counts_graphemes() {
        assert_eq!(counter_text(""), "Up to 500 characters");
        assert_eq!(counter_text("👩‍👩‍👧‍👦e\u{301}"), "498 left");
        assert_eq!(counter_text(&"x".repeat(512)), "12 too many");
    }

    #[test]
    fn the_counter_trims_like_the_server_and_the_script() {
        assert_eq!(counter_text("\u{feff} x \u{feff}"), "499 left");
        assert_eq!(counter_text("\u{85}x"), "498 left");
    }
}
