//! The copies of chats: the conversations, requests and unread conversations of each person.

use super::{ChatState, MirrorChat, bytes::CHAT_MEMBER_BYTES, expiry::NextExpiry};
use crate::{
    domain::{ChatId, ChatMember, ChatMessage, MemberState, MessageId},
    store::prelude::*,
};

/// The copy of a chat with one of its people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatCopy {
    pub place: ChatPlace,
    /// Number of unread messages. 0 for a muted chat, and outside of the conversations.
    pub unread: u64,
    /// Bytes that the chat counts as in the quota of the person.
    pub bytes: u64,
}

/// The list that holds a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatPlace {
    Chats,
    Requests,
    Nowhere,
}

/// The scores of a chat among the conversations and requests of a person, its unread count and its bytes.
pub type StoredChatCopy = (Option<f64>, Option<f64>, Option<u64>, Option<String>);

impl ChatState {
    /// Returns the copy of the chat with one of its people.
    pub fn copy_of(&self, member: &ChatMember) -> ChatCopy {
        let place = match member.state {
            MemberState::Open if self.last > member.cleared => ChatPlace::Chats,
            // A request shows the first message only, so later ones do not bring a cleared one back.
            MemberState::Asked if member.cleared == 0 => ChatPlace::Requests,
            _ => ChatPlace::Nowhere,
        };
        let is_counted = place == ChatPlace::Chats && !member.is_muted;
        let unread = if is_counted { member.unread } else { 0 };
        // A chat with its copies counts for each person who wrote in it.
        let chat_bytes = match member.written {
            0 => 0,
            _ => CHAT_MEMBER_BYTES * self.members.len() as u64,
        };
        let bytes = match self.is_deserted() {
            true => 0,
            false => chat_bytes + member.bytes,
        };
        ChatCopy {
            place,
            unread,
            bytes,
        }
    }
}

impl ChatPlace {
    fn word(self) -> &'static str {
        match self {
            Self::Chats => "chats",
            Self::Requests => "requests",
            Self::Nowhere => "none",
        }
    }
}

impl Store {
    /// Returns the copy of a chat among the keys of each of these people: its score among the conversations and the
    /// requests, the unread count and the bytes.
    pub async fn stored_chat_copies(
        &self,
        chat: ChatId,
        people: &[UserId],
    ) -> Result<Vec<StoredChatCopy>> {
        let chat = chat.to_string();
        let reads = people.iter().map(|id| {
            [
                redis::cmd("ZSCORE").with((keys::chats(*id), &chat)),
                redis::cmd("ZSCORE").with((keys::chat_requests(*id), &chat)),
                redis::cmd("HGET").with((keys::unread_chats(*id), &chat)),
                redis::cmd("HGET").with((keys::chat_bytes(*id), &chat)),
            ]
        });
        self.connection.query_tuples(reads).await
    }

    /// Counts the unread messages of a person in a chat from the messages themselves.
    pub async fn counted_unread(
        &self,
        chat: ChatId,
        member: UserId,
        (after, last): (u64, u64),
    ) -> Result<u64> {
        const AT_ONCE: usize = 500;
        let (mut count, ids) = (0, (after + 1..=last).collect::<Vec<u64>>());
        for ids in ids.chunks(AT_ONCE) {
            let marks: Vec<String> = ids.iter().map(|id| format!("{member}:{id}")).collect();
            let (stored, hidden): (Vec<Option<String>>, Vec<bool>) = self
                .connection
                .query_tuple([
                    redis::cmd("HMGET").with((keys::chat_messages(chat), ids)),
                    redis::cmd("SMISMEMBER").with((keys::chat_hidden(chat), marks)),
                ])
                .await?;
            for ((id, stored), is_hidden) in ids.iter().zip(stored).zip(hidden) {
                let message = MessageId::new(*id).ok().zip(stored);
                let message = message.and_then(|(id, text)| ChatMessage::stored(id, &text).ok());
                let is_unread =
                    message.is_some_and(|one| one.author != member && one.text().is_some());
                count += u64::from(is_unread && !is_hidden);
            }
        }
        Ok(count)
    }

    /// Returns all unread conversations of a person.
    pub async fn unread_chat_rows(&self, of: UserId) -> Result<Vec<String>> {
        let all = redis::cmd("HKEYS").with(keys::unread_chats(of));
        self.connection.query(all).await
    }

    /// Removes a chat that does not exist from the keys of a person.
    pub async fn drop_chat_copy(&self, of: UserId, chat: &str) -> Result<()> {
        let drops = vec![
            redis::cmd("ZREM").with((keys::chats(of), chat)),
            redis::cmd("ZREM").with((keys::chat_requests(of), chat)),
            redis::cmd("HDEL").with((keys::unread_chats(of), chat)),
            redis::cmd("HDEL").with((keys::chat_bytes(of), chat)),
        ];
        self.connection.batch(drops).await.map(drop)
    }

    /// Writes the copies of a chat with all of its people, and when its next message disappears. One round trip.
    pub async fn mirror_chat(&self, call: &Call, chat: ChatId, state: &ChatState) -> Result<()> {
        let copies = state.members.iter().map(|(id, member)| {
            let ChatCopy {
                place,
                unread,
                bytes,
            } = state.copy_of(member);
            let copy = MirrorChat {
                user: keys::user(*id),
                chats: keys::chats(*id),
                chat_requests: keys::chat_requests(*id),
                unread_chats: keys::unread_chats(*id),
                channel: keys::live(*id),
                chat_bytes: keys::chat_bytes(*id),
                deadline_ms: call.deadline(),
                chat: chat.to_string(),
                place: place.word(),
                at_us: state.at_us,
                unread,
                bytes,
            };
            copy.command()
        });
        let mut writes: Vec<Cmd> = copies.collect();
        let id = chat.to_string();
        let expires = match state.is_deserted() {
            true => NextExpiry::Over,
            false => state.expires,
        };
        match expires {
            NextExpiry::Never => {}
            NextExpiry::Over => writes.push(redis::cmd("ZREM").with((keys::CHATS_EXPIRING, id))),
            NextExpiry::At(at) => {
                writes.push(set_score(keys::CHATS_EXPIRING, at.0, id));
            }
        }
        self.connection.batch(writes).await.map(drop)
    }
}
