//! The deletion of a chat that everybody has left, and the chats of a person whose account is deleted.

use super::{ChatState, DeleteChat};
use crate::{
    domain::{ChatId, ChatMember, MemberState},
    store::{FoundKey, prelude::*},
};

outcomes! {
    pub enum DeleteChatOutcome {
        Deleted = "deleted",
        InUse = "in_use",
    }
}

impl ChatState {
    /// Returns whether everybody has left the chat. Then it is deleted.
    pub fn is_deserted(&self) -> bool {
        let has_left = |state| matches!(state, MemberState::Left | MemberState::Gone);
        !self.members.is_empty() && self.members.values().all(|one| has_left(one.state))
    }
}

impl Store {
    /// Deletes a chat with all its keys, unless someone belongs to it. Its copies are removed before.
    pub async fn delete_chat(&self, call: &Call, chat: ChatId) -> Result<DeleteChatOutcome> {
        let delete = DeleteChat {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            hidden: keys::chat_hidden(chat),
            expiring: keys::chat_expiring(chat),
            deadline_ms: call.deadline(),
        };
        self.connection.run(&delete).await
    }

    /// Returns the chats among these keys to which a person belongs or belonged, also those that no list of theirs shows:
    /// ignored requests, cleared conversations, and chats that they left. One round trip.
    pub async fn chats_among(&self, found: &[FoundKey], person: UserId) -> Result<Vec<ChatId>> {
        let chats = found.iter().filter_map(|found| match found.key {
            Some(Key::ChatMembers(chat)) => Some(chat),
            _ => None,
        });
        let chats: Vec<ChatId> = chats.collect();
        let read =
            |chat: &ChatId| redis::cmd("HGET").with((keys::chat_members(*chat), person.get()));
        let rows: Vec<Option<String>> = self.connection.query_each(chats.iter().map(read)).await?;
        let belongs = |row: &Option<String>| {
            let member = row.as_ref().and_then(|row| row.parse::<ChatMember>().ok());
            member.is_some_and(|member| member.state != MemberState::Gone)
        };
        let rows = chats.into_iter().zip(rows);
        Ok(rows
            .filter_map(|(chat, row)| belongs(&row).then_some(chat))
            .collect())
    }

    /// Removes the marks of the messages of a chat that a person deleted for themselves.
    pub async fn drop_hidden_marks(&self, chat: ChatId, person: UserId) -> Result<()> {
        const AT_ONCE: usize = 1000;
        let key = keys::chat_hidden(chat);
        let mut cursor = 0;
        loop {
            let scan = redis::cmd("SSCAN").with((&key, cursor));
            let scan = scan.with(("MATCH", format!("{person}:*"), "COUNT", AT_ONCE));
            let (next, marks): (u64, Vec<String>) = self.connection.query(scan).await?;
            if !marks.is_empty() {
                let remove = redis::cmd("SREM").with(&key).with(marks);
                self.connection.query::<i64>(remove).await?;
            }
            if next == 0 {
                return Ok(());
            }
            cursor = next;
        }
    }
}
