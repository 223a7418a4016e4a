//! The messages that a report form showed.

use serde::{Deserialize, Serialize};

use super::signed;
use crate::{
    domain::{ChatId, ChatMessage, MessageContent, MessageId, UnixMs},
    store::ReportableMessage,
    web::prelude::*,
};

#[derive(Serialize, Deserialize)]
struct Seen {
    messages: Vec<SeenMessage>,
}

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

/// Returns the value of the form's field: the reported message and those nearest to it, as far as they fit.
pub fn sign(reporter: &CurrentUser, reported: &ReportableMessage) -> String {
    let mut nearest: Vec<&ChatMessage> = reported.around.iter().collect();
    nearest.sort_by_key(|message| message.id.get().abs_diff(reported.id.get()));
    let mut room = signed::MAX_BYTES;
    let fits = |message: &SeenMessage| {
        let bytes = serde_json::to_string(message).map_or(usize::MAX, |json| json.len());
        let rest = room.checked_sub(bytes);
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    let messages = nearest.into_iter().filter_map(SeenMessage::of);
    let messages = messages.take_while(fits).collect();
    let subject = subject((reported.chat, reported.id));
    signed::sign(reporter, &subject, Seen { messages })
}

/// Returns the messages of a form. Empty if the field is not one of this reporter and message, or is older
/// than a day.
pub fn verified(
    reporter: &CurrentUser,
    reported: (ChatId, MessageId),
    field: &str,
) -> Vec<ChatMessage> {
    let seen: Option<Seen> = signed::verified(reporter, &subject(reported), field);
    let messages = seen.map_or_else(Vec::new, |seen| seen.messages);
    messages
        .into_iter()
        .map(SeenMessage::into_message)
        .collect()
}

fn subject((chat, message): (ChatId, MessageId)) -> String {
    format!("{chat} {message}")
}
