//! Direct messages. A chat has one slot: its people, their unread counts and its messages, and one script changes them.
//! The conversations, requests and unread conversations of a person are copies in the slot of that person.

pub(super) mod pages;

use std::collections::BTreeMap;

use super::prelude::*;
use crate::domain::{
    ChatId, ChatMember, ChatMessage, ChatName, ChatText, IdempotencyKey, MemberState, MessageId,
};

script_calls! {
    ChangeChatMember = "change_chat_member"(
        chat, members, messages, hidden;
        deadline_ms: u64, member: u64, change: &'static str, value: u64, is_shown: u8
    );
    ChangeMessage = "change_message"(
        chat, members, messages, hidden;
        deadline_ms: u64, member: u64, message: u64, change: &'static str, text: String, edit_ms: u64
    );
    MirrorChat = "mirror_chat"(
        user, chats, chat_requests, unread_chats, channel;
        deadline_ms: u64, chat: String, place: &'static str, at_us: u64, unread: u64
    );
    ReadChat = "read_chat"(
        chat, members, messages, hidden;
        viewer: u64, before: String, count: usize, max_examined: usize
    );
    RenameChat = "rename_chat"(
        chat, members, messages; deadline_ms: u64, member: u64, name: String
    );
    ReserveRequest = "reserve_request"(
        sent_requests; deadline_ms: u64, chat: String, limit: usize, ttl_s: u64
    );
    SendMessage = "send_message"(
        chat, members, messages, sent_message, hidden;
        deadline_ms: u64, author: u64, text: String, digest: String, key_ttl_s: u64, max_messages: u64,
        [people: Vec<String>]
    );
}

/// Number of messages that a chat keeps. A message beyond it removes the oldest.
pub const MAX_CHAT_MESSAGES: u64 = 100_000;

/// The data of a chat from which the copies with its members follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatState {
    /// Time of the last message, in microseconds.
    pub at_us: u64,
    pub last: u64,
    pub members: BTreeMap<UserId, ChatMember>,
}

/// The copy of a chat with one of its people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatCopy {
    pub place: ChatPlace,
    /// Number of unread messages. 0 for a muted chat, and outside of the conversations.
    pub unread: u64,
}

/// The list that holds a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatPlace {
    Chats,
    Requests,
    Nowhere,
}

/// The outcome of writing a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    Sent(MessageId, ChatState),
    /// The form sent another text before.
    Conflict,
    /// The author does not belong to the chat, or it does not exist.
    NotMember,
    /// No one has accepted the first message yet.
    Waiting,
    /// Everybody else has left.
    Alone,
}

/// A change of the part of a person in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberChange {
    /// Moves a request to the conversations.
    Accept,
    Ignore,
    Leave,
    /// The account is deleted.
    Go,
    Mute,
    Unmute,
    /// They have read up to this message. Others see it or not.
    Read(u64, ReadMark),
    /// They delete everything up to this message for themselves.
    Clear(u64),
}

/// A change of a message.
#[derive(Debug, Clone, Copy)]
pub enum MessageChange<'a> {
    /// Its author deletes it for everybody.
    Delete,
    /// Its author changes its text.
    Edit(&'a ChatText),
    /// A person deletes it for themselves.
    Hide,
}

/// The outcome of a change of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageOutcome {
    /// By this call or an earlier one.
    Changed(ChatState),
    NotFound,
    /// The time for edits is over.
    TooLate,
}

/// Time in which an author can edit a message.
pub const MESSAGE_EDIT_MS: u64 = 15 * 60_000;

/// Whether others see which messages a person has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMark {
    Shown,
    Hidden,
}

outcomes! {
    pub enum ReserveOutcome {
        Reserved = "reserved",
        TooMany = "too_many",
    }
}

impl ChatState {
    /// Returns the copy of the chat with one of its people.
    pub fn copy_of(&self, member: &ChatMember) -> ChatCopy {
        let place = match member.state {
            MemberState::Open if self.last > member.cleared => ChatPlace::Chats,
            MemberState::Asked if self.last > member.cleared => ChatPlace::Requests,
            _ => ChatPlace::Nowhere,
        };
        let is_counted = place == ChatPlace::Chats && !member.is_muted;
        let unread = if is_counted { member.unread } else { 0 };
        ChatCopy { place, unread }
    }

    /// Decodes what `chat_state` of the prelude returns.
    fn parse(answer: Value) -> Result<Self> {
        let (at_us, last, members): (u64, u64, BTreeMap<String, String>) = read(answer)?;
        Ok(Self {
            at_us,
            last,
            members: chat_members(members)?,
        })
    }
}

impl MemberChange {
    /// Returns the word and the value of the script, and whether open pages of others show the change.
    fn words(self) -> (&'static str, u64, bool) {
        match self {
            Self::Accept => ("accept", 0, true),
            Self::Ignore => ("ignore", 0, false),
            Self::Leave => ("leave", 0, true),
            Self::Go => ("go", 0, true),
            Self::Mute => ("mute", 0, false),
            Self::Unmute => ("unmute", 0, false),
            Self::Read(message, mark) => ("read", message, mark == ReadMark::Shown),
            Self::Clear(message) => ("clear", message, false),
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
    /// Adds a message to a chat, the source of truth. `people` are those of a chat that may be new, with the author.
    pub async fn send_message(
        &self,
        call: &Call,
        (chat, author): (ChatId, UserId),
        (text, key): (&ChatText, &IdempotencyKey),
        people: &[(UserId, MemberState)],
    ) -> Result<SendOutcome> {
        let person =
            |(id, state): &(UserId, MemberState)| [id.to_string(), state.as_str().to_owned()];
        let send = SendMessage {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            sent_message: keys::message_of_form(chat, author, key),
            hidden: keys::chat_hidden(chat),
            deadline_ms: call.deadline(),
            author: author.get(),
            text: text.as_str().to_owned(),
            digest: IdempotencyKey::of_words(&[text.as_str()])
                .as_str()
                .to_owned(),
            key_ttl_s: keys::IDEMPOTENCY_KEY_TTL_S,
            max_messages: MAX_CHAT_MESSAGES,
            people: people.iter().flat_map(person).collect(),
        };
        let reply: Vec<Value> = self.connection.write_durably(send.command()).await?;
        let mut reply = reply.into_iter();
        let mut next = || reply.next().unwrap_or_default();
        let word: String = read(next())?;
        Ok(match word.as_str() {
            "sent" => {
                let number: String = read(next())?;
                let undocumented = || SendMessage::SCRIPT.undocumented(&number);
                let number = number.parse().map_err(|_| undocumented())?;
                SendOutcome::Sent(number, ChatState::parse(next())?)
            }
            "conflict" => SendOutcome::Conflict,
            "not_member" => SendOutcome::NotMember,
            "waiting" => SendOutcome::Waiting,
            "alone" => SendOutcome::Alone,
            _ => return Err(SendMessage::SCRIPT.undocumented(word)),
        })
    }

    /// Changes the part of a person in a chat. `None` if they do not belong to it.
    pub async fn change_chat_member(
        &self,
        call: &Call,
        (chat, member): (ChatId, UserId),
        change: MemberChange,
    ) -> Result<Option<ChatState>> {
        let (word, value, is_shown) = change.words();
        let change = ChangeChatMember {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            hidden: keys::chat_hidden(chat),
            deadline_ms: call.deadline(),
            member: member.get(),
            change: word,
            value,
            is_shown: u8::from(is_shown),
        };
        let reply: Vec<Value> = self.connection.write_durably(change.command()).await?;
        let mut reply = reply.into_iter();
        let mut next = || reply.next().unwrap_or_default();
        let word: String = read(next())?;
        match word.as_str() {
            "changed" => ChatState::parse(next()).map(Some),
            "not_member" => Ok(None),
            _ => Err(ChangeChatMember::SCRIPT.undocumented(word)),
        }
    }

    /// Changes a message.
    pub async fn change_message(
        &self,
        call: &Call,
        (chat, member): (ChatId, UserId),
        message: MessageId,
        change: MessageChange<'_>,
    ) -> Result<MessageOutcome> {
        let (word, text) = match change {
            MessageChange::Delete => ("delete", ""),
            MessageChange::Edit(text) => ("edit", text.as_str()),
            MessageChange::Hide => ("hide", ""),
        };
        let change = ChangeMessage {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            hidden: keys::chat_hidden(chat),
            deadline_ms: call.deadline(),
            member: member.get(),
            message: message.get(),
            change: word,
            text: text.to_owned(),
            edit_ms: MESSAGE_EDIT_MS,
        };
        let reply: Vec<Value> = self.connection.write_durably(change.command()).await?;
        let mut reply = reply.into_iter();
        let mut next = || reply.next().unwrap_or_default();
        let word: String = read(next())?;
        match word.as_str() {
            "changed" => ChatState::parse(next()).map(MessageOutcome::Changed),
            "not_found" => Ok(MessageOutcome::NotFound),
            "too_late" => Ok(MessageOutcome::TooLate),
            _ => Err(ChangeMessage::SCRIPT.undocumented(word)),
        }
    }

    /// Changes the name of a chat. `None` if the person does not belong to it.
    pub async fn rename_chat(
        &self,
        call: &Call,
        (chat, member): (ChatId, UserId),
        name: Option<&ChatName>,
    ) -> Result<Option<ChatState>> {
        let rename = RenameChat {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            deadline_ms: call.deadline(),
            member: member.get(),
            name: name.map_or("", ChatName::as_str).to_owned(),
        };
        let reply: Vec<Value> = self.connection.write_durably(rename.command()).await?;
        let mut reply = reply.into_iter();
        let mut next = || reply.next().unwrap_or_default();
        let word: String = read(next())?;
        match word.as_str() {
            "renamed" => ChatState::parse(next()).map(Some),
            "not_member" => Ok(None),
            _ => Err(RenameChat::SCRIPT.undocumented(word)),
        }
    }

    /// Returns the place, the score and the unread count of a chat among the keys of each of these people.
    pub async fn stored_chat_copies(
        &self,
        chat: ChatId,
        people: &[UserId],
    ) -> Result<Vec<(Option<f64>, Option<f64>, Option<u64>)>> {
        let chat = chat.to_string();
        let reads = people.iter().map(|id| {
            [
                redis::cmd("ZSCORE").with((keys::chats(*id), &chat)),
                redis::cmd("ZSCORE").with((keys::chat_requests(*id), &chat)),
                redis::cmd("HGET").with((keys::unread_chats(*id), &chat)),
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
        ];
        self.connection.batch(drops).await.map(drop)
    }

    /// Writes the copies of a chat with all of its people. One round trip.
    pub async fn mirror_chat(&self, call: &Call, chat: ChatId, state: &ChatState) -> Result<()> {
        let copies = state.members.iter().map(|(id, member)| {
            let ChatCopy { place, unread } = state.copy_of(member);
            let copy = MirrorChat {
                user: keys::user(*id),
                chats: keys::chats(*id),
                chat_requests: keys::chat_requests(*id),
                unread_chats: keys::unread_chats(*id),
                channel: keys::live(*id),
                deadline_ms: call.deadline(),
                chat: chat.to_string(),
                place: place.word(),
                at_us: state.at_us,
                unread,
            };
            copy.command()
        });
        self.connection.batch(copies.collect()).await.map(drop)
    }

    /// Returns the data of a chat from which its copies follow. Without people it does not exist.
    pub async fn chat_state(&self, chat: ChatId) -> Result<ChatState> {
        // In this order: a message that is sent in between is missing in the first and found in the next read.
        let reads = vec![
            redis::cmd("HMGET").with((keys::chat(chat), "at", "last")),
            redis::cmd("HGETALL").with(keys::chat_members(chat)),
        ];
        let mut answers = self.connection.chain(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let (at_us, last): (Option<u64>, Option<u64>) = read(next())?;
        Ok(ChatState {
            at_us: at_us.unwrap_or_default(),
            last: last.unwrap_or_default(),
            members: chat_members(read(next())?)?,
        })
    }

    /// Counts a request of a person to strangers against the limit of a day.
    pub async fn reserve_request(
        &self,
        call: &Call,
        from: UserId,
        chat: ChatId,
    ) -> Result<ReserveOutcome> {
        let reserve = ReserveRequest {
            sent_requests: keys::sent_requests(from),
            deadline_ms: call.deadline(),
            chat: chat.to_string(),
            limit: self.config.limits.message_requests_per_day,
            ttl_s: keys::DAY_S,
        };
        self.connection.run(&reserve).await
    }
}

/// Parses the people of a chat.
fn chat_members(rows: BTreeMap<String, String>) -> Result<BTreeMap<UserId, ChatMember>> {
    let member = |(id, row): (String, String)| {
        let unreadable = || Error::Unexpected {
            what: "a member of a chat",
            answer: format!("{id}: {row}"),
        };
        let member = id.parse().ok().zip(row.parse().ok());
        member.ok_or_else(unreadable)
    };
    rows.into_iter().map(member).collect()
}
