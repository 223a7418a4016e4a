//! The form to post.

use askama::Template;

use crate::{
    domain::{Message, Nonce, StatusId},
    web::routes,
};

use super::{Typed, Visit};

#[derive(Debug, Template)]
#[template(path = "statuses/_compose.html")]
pub struct ComposeForm {
    csrf_token: String,
    nonce: Nonce,
    typed: Typed,
    reply: Option<Reply>,
    /// What it comments on.
    quotes: Option<StatusId>,
}

/// What a form answers.
#[derive(Debug, Clone)]
pub struct Reply {
    pub to: StatusId,
    /// Who wrote that; `None` where the page does not know.
    pub name: Option<String>,
}

impl ComposeForm {
    /// The form with a text given back. The nonce is the one it was sent with, where it may have
    /// become a status without the person knowing, and a new one where it surely did not.
    #[must_use]
    pub fn retyped(visit: &Visit, nonce: Nonce, message: Typed) -> Self {
        Self {
            csrf_token: visit.csrf_token.clone(),
            nonce,
            typed: message,
            reply: None,
            quotes: None,
        }
    }

    /// The same form for an answer.
    #[must_use]
    pub fn replying(self, reply: Option<Reply>) -> Self {
        Self { reply, ..self }
    }

    fn label(&self) -> String {
        match &self.reply {
            None if self.quotes.is_some() => "What do you say about it?".to_owned(),
            None => "What is on your mind?".to_owned(),
            Some(Reply { name: None, .. }) => "Your reply".to_owned(),
            Some(Reply {
                name: Some(name), ..
            }) => format!("Your reply to {name}"),
        }
    }

    /// The same for a comment on a status.
    #[must_use]
    pub fn quoting(self, id: StatusId) -> Self {
        let quotes = Some(id);
        Self { quotes, ..self }
    }

    fn action(&self) -> String {
        self.quotes
            .map_or_else(|| routes::STATUSES.to_owned(), routes::quote)
    }

    pub(super) fn has_error(&self) -> bool {
        self.typed.error.is_some()
    }

    fn limit(&self) -> usize {
        Message::MAX_CHARACTERS
    }

    /// What the counter says without JavaScript.
    fn room(&self) -> String {
        let limit = Message::MAX_CHARACTERS;
        let typed = Message::characters(&self.typed.text);
        match typed {
            0 => format!("Up to {limit} characters"),
            _ if typed > limit => format!("{} too many", typed - limit),
            _ => format!("{} left", limit - typed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(text: &str) -> String {
        let form = ComposeForm {
            csrf_token: String::new(),
            nonce: Nonce::draw(),
            typed: Typed::text(text),
            reply: None,
            quotes: None,
        };
        form.room()
    }

    #[test]
    fn the_counter_counts_what_a_person_sees() {
        assert_eq!(room(""), "Up to 500 characters");
        assert_eq!(room("👩‍👩‍👧‍👦e\u{301}"), "498 left");
        assert_eq!(room(&"x".repeat(512)), "12 too many");
    }

    #[test]
    fn the_counter_counts_what_the_server_and_the_script_count() {
        assert_eq!(room("\u{feff} x \u{feff}"), "499 left");
        assert_eq!(room("\u{85}x"), "498 left");
    }
}
