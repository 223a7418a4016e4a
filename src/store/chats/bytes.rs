//! The bytes of a person's messages, against the quota of one person. Each chat counts them for each of its people,
//! in its own slot. `chat_bytes:{uid}` is the copy with their sum, in the slot of the person.

use std::collections::BTreeMap;

use futures_util::try_join;

use super::ChatState;
use crate::{domain::ChatId, store::prelude::*};

/// Bytes that a message or an event counts as, beside its stored text: its entry in the HASH of the chat.
/// `chat_entry_bytes` of the prelude is the same number.
const ENTRY_BYTES: u64 = 128;
/// Bytes that a chat counts as for each of its people: the member and the copies in the slot of the person.
pub(super) const CHAT_MEMBER_BYTES: u64 = 256;
/// Number of messages per read.
const MESSAGES: u64 = 500;

/// Bytes that a person can still write. Messages that are written at the same moment do not see each other, so they
/// can take more together: the limit of messages per hour bounds that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageRoom(u64);

impl MessageRoom {
    /// The room of a change that adds no bytes.
    pub const NONE: Self = Self(0);

    /// Takes the bytes of a chat from it in which the person has not written yet.
    #[must_use]
    pub fn without_chat_of(self, people: usize) -> Self {
        Self(self.0.saturating_sub(CHAT_MEMBER_BYTES * people as u64))
    }

    pub(super) fn bytes(self) -> u64 {
        self.0
    }
}

impl ChatState {
    /// Returns the room of a person for their next message in the chat.
    pub fn room_of(&self, author: UserId, room: MessageRoom) -> MessageRoom {
        match self.members.get(&author) {
            Some(own) if own.written > 0 => room,
            _ => room.without_chat_of(self.members.len()),
        }
    }
}

impl Store {
    /// Returns the bytes that a person's messages count as. One round trip.
    pub async fn message_bytes(&self, of: UserId) -> Result<u64> {
        let sum = redis::cmd("HGET").with((keys::chat_bytes(of), "sum"));
        let sum: Option<u64> = self.connection.query(sum).await?;
        Ok(sum.unwrap_or_default())
    }

    /// Returns the bytes that a person can still write. One round trip.
    pub async fn message_room(&self, of: UserId) -> Result<MessageRoom> {
        let (used, quota) = try_join!(self.message_bytes(of), self.message_quota(of))?;
        Ok(MessageRoom(quota.saturating_sub(used)))
    }

    /// Counts the bytes of the messages of a chat by author, from the messages themselves.
    pub async fn counted_chat_bytes(
        &self,
        chat: ChatId,
        last: u64,
    ) -> Result<BTreeMap<UserId, u64>> {
        let first = redis::cmd("HGET").with((keys::chat(chat), "first"));
        let first: Option<u64> = self.connection.query(first).await?;
        let mut counted = BTreeMap::new();
        let mut from = first.unwrap_or(1);
        while from <= last {
            let to = last.min(from + MESSAGES - 1);
            let ids: Vec<u64> = (from..=to).collect();
            let read = redis::cmd("HMGET").with((keys::chat_messages(chat), ids));
            let stored: Vec<Option<String>> = self.connection.query(read).await?;
            for stored in stored.into_iter().flatten() {
                let author = stored.split(' ').next().and_then(|id| id.parse().ok());
                if let Some(author) = author {
                    *counted.entry(author).or_default() += ENTRY_BYTES + stored.len() as u64;
                }
            }
            from = to + 1;
        }
        Ok(counted)
    }
}
