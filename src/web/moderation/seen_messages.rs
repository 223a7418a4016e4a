//! The messages that a report form showed.

use serde::{Deserialize, Serialize};

use super::signed::{self, FormOf};
use crate::{
    domain::{ChatId, ChatMessage, MessageContent, MessageId, UnixMs},
    store::ReportableMessage,
    web::{http::session::visitor::now, prelude::*},
};

#[derive(Serialize, Deserialize)]
struct SeenMessage {
    id: MessageId,
    author: UserId,
    at: u64,
    text: String,
}

impl SeenMessage {
    fn of(message: &ChatMessage) -> Option<Self> {
        Some(Self {
            id: message.id,
            author: message.author,
            at: message.at.0,
            text: message.text()?.to_owned(),
        })
    }

    /// Cuts the text until the message takes at most so many bytes.
    fn cut(mut self, most: usize) -> Self {
        while self.bytes() > most {
            let count = self.text.chars().count() * 3 / 4;
            self.text = self.text.chars().take(count).collect();
        }
        self
    }

    fn bytes(&self) -> usize {
        serde_json::to_string(self).map_or(0, |json| json.len())
    }

    fn into_message(self) -> ChatMessage {
        ChatMessage {
            id: self.id,
            author: self.author,
            at: UnixMs(self.at),
            content: MessageContent::Text {
                text: self.text,
                edited: None,
            },
        }
    }
}

/// Returns the value of the form's field: the reported message, cut if it is too long, and those nearest to it, as far as
/// they fit.
pub fn sign(reporter: &CurrentUser, reported: &ReportableMessage) -> String {
    let mut nearest: Vec<&ChatMessage> = reported.around.iter().collect();
    nearest.sort_by_key(|message| message.id.get().abs_diff(reported.id.get()));
    let mut room = signed::MAX_BYTES;
    let fits = |message: &SeenMessage| {
        let rest = room.checked_sub(message.bytes());
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    let messages = nearest.into_iter().filter_map(SeenMessage::of);
    let messages = messages.map(|message| message.cut(signed::MAX_BYTES));
    let messages: Vec<SeenMessage> = messages.take_while(fits).collect();
    let text = serde_json::to_string(&messages).unwrap_or_default();
    form(reporter, (reported.chat, reported.id)).sign(&text, now())
}

/// Returns the messages of a form. Empty if the field is not one of this reporter and message, or is older
/// than a day.
pub fn verified(
    reporter: &CurrentUser,
    reported: (ChatId, MessageId),
    field: &str,
) -> Vec<ChatMessage> {
    let form = form(reporter, reported);
    let text = form.verified(field, now()).unwrap_or_default();
    let messages: Vec<SeenMessage> = serde_json::from_str(text).unwrap_or_default();
    messages
        .into_iter()
        .map(SeenMessage::into_message)
        .collect()
}

fn form(reporter: &CurrentUser, (chat, message): (ChatId, MessageId)) -> FormOf<'_> {
    FormOf::new(reporter, &format!("{chat} {message}"))
}
