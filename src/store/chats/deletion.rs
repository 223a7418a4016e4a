//! The deletion of a chat that everybody has left, and the chats of a person whose account is deleted.

use super::{ChatState, DeleteChat};
use crate::{
    domain::{ChatId, ChatMember, MemberState},
    store::{FoundKey, prelude::*, redis::scan::ScanPosition},
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

    /// Returns the chats among these keys to which one of these people belongs or belonged, with that person. They also
    /// are those that no list shows: ignored requests, cleared conversations, and chats that the person left. One round
    /// trip.
    pub async fn chats_among(
        &self,
        found: &[FoundKey],
        people: &[UserId],
    ) -> Result<Vec<(ChatId, UserId)>> {
        let chats = found.iter().filter_map(|found| match found.key {
            Some(Key::ChatMembers(chat)) => Some(chat),
            _ => None,
        });
        let chats: Vec<ChatId> = chats.collect();
        let ids: Vec<u64> = people.iter().map(|person| person.get()).collect();
        let read =
            |chat: &ChatId| redis::cmd("HMGET").with((keys::chat_members(*chat), ids.as_slice()));
        let rows: Vec<Vec<Option<String>>> =
            self.connection.query_each(chats.iter().map(read)).await?;
        let belongs = |row: &Option<String>| {
            let member = row.as_ref().and_then(|row| row.parse::<ChatMember>().ok());
            member.is_some_and(|member| member.state != MemberState::Gone)
        };
        let mut found = Vec::new();
        for (chat, rows) in chats.into_iter().zip(rows) {
            let members = people.iter().zip(rows).filter(|(_, row)| belongs(row));
            found.extend(members.map(|(person, _)| (chat, *person)));
        }
        Ok(found)
    }

    /// Removes the marks of the messages of a chat that these people deleted for themselves. It reads all marks.
    pub async fn drop_hidden_marks(&self, chat: ChatId, people: &[UserId]) -> Result<()> {
        const AT_ONCE: usize = 1000;
        let key = keys::chat_hidden(chat);
        let is_theirs = |mark: &String| {
            let person = mark
                .split(':')
                .next()
                .and_then(|id| id.parse::<UserId>().ok());
            person.is_some_and(|person| people.contains(&person))
        };
        let mut position = ScanPosition::default();
        loop {
            let marks = self
                .connection
                .scan_entries("SSCAN", &key, &mut position, AT_ONCE);
            let (mut marks, is_complete): (Vec<String>, bool) = marks.await?;
            marks.retain(is_theirs);
            if !marks.is_empty() {
                let remove = redis::cmd("SREM").with(&key).with(marks);
                self.connection.query::<i64>(remove).await?;
            }
            if is_complete {
                return Ok(());
            }
        }
    }
}
