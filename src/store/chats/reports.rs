//! Messages for reports, as their reporter sees them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::pages::{ChatPart, ChatView};
use crate::{
    domain::{ChatId, ChatMessage, MessageId, ReportedMessage, ReportedMessages},
    store::prelude::*,
};

/// Number of messages before and after a reported one that its reporter can send with it.
const MESSAGES_BEFORE: usize = 10;
const MESSAGES_AFTER: u64 = 5;

/// A message of another person that the viewer can report.
#[derive(Debug, Clone)]
pub struct ReportableMessage {
    pub chat: ChatId,
    pub id: MessageId,
    pub author: Arc<User>,
    /// The texts that the reporter can send: the message and those around it, oldest first.
    pub around: Vec<ChatMessage>,
    /// The other people of the chat.
    pub view: ChatView,
}

impl ReportableMessage {
    pub fn text(&self) -> &str {
        let mut texts = self.around.iter().filter(|one| one.id == self.id);
        texts.next().and_then(ChatMessage::text).unwrap_or_default()
    }

    /// Returns the message and the chosen ones of those around it.
    pub fn with_chosen(&self, chosen: &BTreeSet<MessageId>) -> ReportedMessages {
        let is_sent =
            |message: &&ChatMessage| message.id == self.id || chosen.contains(&message.id);
        let sent = self.around.iter().filter(is_sent);
        let message = |message: &ChatMessage| ReportedMessage {
            author: message.author,
            text: message.text().unwrap_or_default().to_owned(),
            sent_ms: message.at.0,
            is_reported: message.id == self.id,
        };
        ReportedMessages {
            messages: sent.map(message).collect(),
        }
    }
}

impl Store {
    /// Returns a message of another person, if the viewer can read and report it. Messages that a form showed to the
    /// viewer replace those of now. One from before the sign-up of its author does not count: a backup without that
    /// author was restored, and a newer account has the id. Two round trips.
    pub async fn message_to_report(
        &self,
        viewer: UserId,
        (chat, id): (ChatId, MessageId),
        seen: Vec<ChatMessage>,
    ) -> Result<Option<ReportableMessage>> {
        let part = ChatPart {
            before: MessageId::new(id.get() + MESSAGES_AFTER + 1).ok(),
            count: MESSAGES_BEFORE + 1 + MESSAGES_AFTER as usize,
        };
        let Some(view) = self.chat(viewer, chat, part).await? else {
            return Ok(None);
        };
        let is_by_account = |message: &ChatMessage| {
            let person = view.person(message.author);
            let author = person.and_then(|person| person.user.as_ref());
            author.is_none_or(|author| message.at >= author.signup)
        };
        let seen = seen.into_iter().filter(is_by_account);
        let messages = view.messages.iter().cloned().chain(seen);
        let texts = messages.filter(|message| message.text().is_some());
        let around: BTreeMap<MessageId, ChatMessage> =
            texts.map(|message| (message.id, message)).collect();
        let around: Vec<ChatMessage> = around.into_values().collect();
        let message = around.iter().find(|message| message.id == id);
        let person = message.and_then(|message| view.person(message.author));
        let author = person.and_then(|person| person.user.clone());
        Ok(author.map(|author| ReportableMessage {
            chat,
            id,
            author,
            around,
            view,
        }))
    }
}
