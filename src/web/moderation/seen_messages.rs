//! The messages that a report form showed. The form sends them back with a signature, so an edit or a deletion while
//! the form is open does not change the report.

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use crate::{
    domain::{ChatId, ChatMessage, MessageContent, MessageId, UnixMs, hex},
    store::ReportableMessage,
    web::{
        http::{keys::mac, session::visitor::now},
        prelude::*,
    },
};

/// Maximum bytes of the JSON of the messages in a form. In the form each byte can take three.
const MAX_BYTES: usize = 18_000;
/// Time for which a form can be sent with the messages that it showed.
const VALID_MS: u64 = 24 * 60 * 60 * 1000;
const SIGNATURE_DIGITS: usize = 64;

#[derive(Serialize, Deserialize)]
struct Seen {
    at: u64,
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
    let mut room = MAX_BYTES;
    let fits = |message: &SeenMessage| {
        let bytes = serde_json::to_string(message).map_or(usize::MAX, |json| json.len());
        let rest = room.checked_sub(bytes);
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    let messages = nearest.into_iter().filter_map(SeenMessage::of);
    let seen = Seen {
        at: now().0,
        messages: messages.take_while(fits).collect(),
    };
    let json = serde_json::to_string(&seen).unwrap_or_default();
    signature(reporter, (reported.chat, reported.id), &json) + &json
}

/// Returns the messages of a form. Empty if the field is not one of this reporter and message, or is older
/// than a day.
pub fn verified(
    reporter: &CurrentUser,
    reported: (ChatId, MessageId),
    field: &str,
) -> Vec<ChatMessage> {
    let seen = field.split_at_checked(SIGNATURE_DIGITS);
    let seen = seen.filter(|(signed, json)| {
        let expected = signature(reporter, reported, json);
        expected.as_bytes().ct_eq(signed.as_bytes()).into()
    });
    let seen = seen.and_then(|(_, json)| serde_json::from_str::<Seen>(json).ok());
    let oldest = now().0.saturating_sub(VALID_MS);
    let seen = seen.filter(|seen| seen.at >= oldest);
    let messages = seen.map_or_else(Vec::new, |seen| seen.messages);
    messages
        .into_iter()
        .map(SeenMessage::into_message)
        .collect()
}

fn signature(reporter: &CurrentUser, (chat, message): (ChatId, MessageId), json: &str) -> String {
    let context = format!("{} {chat} {message} ", reporter.id);
    let parts = [context.as_bytes(), json.as_bytes()];
    hex(&mac(&reporter.visitor.app().site.keys.report, &parts))
}
