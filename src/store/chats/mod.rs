//! Direct messages. A chat has one slot: its people, their unread counts and its messages, and one script changes them.
//! The conversations, requests and unread conversations of a person are copies in the slot of that person.

pub(super) mod bytes;
pub(super) mod copies;
pub(super) mod deletion;
pub(super) mod expiry;
pub(super) mod pages;
pub(super) mod reports;
pub(super) mod requests;
pub(super) mod walk;

use std::collections::BTreeMap;

use self::{bytes::MessageRoom, expiry::NextExpiry};
use super::prelude::*;
use crate::domain::{
    ChatId, ChatMember, ChatName, ChatText, IdempotencyKey, MemberState, MessageExpiry, MessageId,
};

script_calls! {
    ChangeChat = "change_chat"(
        chat, members, messages;
        deadline_ms: u64, member: u64, field: &'static str, event: &'static str, value: String,
        room_bytes: u64, age_ms: u64
    );
    ChangeChatMember = "change_chat_member"(
        chat, members, messages, hidden;
        deadline_ms: u64, member: u64, change: &'static str, value: i64, is_shown: u8
    );
    ChangeMessage = "change_message"(
        chat, members, messages, hidden;
        deadline_ms: u64, member: u64, message: u64, change: &'static str, text: String, revision: u64,
        edit_ms: u64, room_bytes: u64
    );
    DeleteChat = "delete_chat"(chat, members, messages, hidden, expiring; deadline_ms: u64);
    ExpireMessages = "expire_messages"(
        chat, members, messages, hidden, expiring; deadline_ms: u64, max_messages: usize, now_ms: u64
    );
    MirrorChat = "mirror_chat"(
        user, chats, chat_requests, unread_chats, channel, chat_bytes;
        deadline_ms: u64, chat: String, place: &'static str, at_us: u64, unread: u64, bytes: u64
    );
    ReadChat = "read_chat"(
        chat, members, messages, hidden, expiring;
        viewer: u64, before: String, count: usize, max_examined: usize, max_bytes: usize
    );
    ReserveRequest = "reserve_request"(
        sent_requests, request_claims;
        deadline_ms: u64, chat: String, limit: usize, day_s: u64, ttl_s: u64, [strangers: Vec<u64>]
    );
    SendMessage = "send_message"(
        chat, members, messages, sent_message, hidden, expiring;
        deadline_ms: u64, author: u64, text: String, digest: String, key_ttl_s: u64, max_messages: u64,
        room_bytes: u64, age_ms: u64, [people: Vec<String>]
    );
}

/// Number of messages that a chat keeps. A message beyond it removes the oldest one of the person who wrote the most
/// there, so no one displaces the messages of others by many of their own.
pub const MAX_CHAT_MESSAGES: u64 = 100_000;

/// The data of a chat from which the copies with its members follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatState {
    /// Time of the last message, in microseconds.
    pub at_us: u64,
    pub last: u64,
    pub expires: NextExpiry,
    pub members: BTreeMap<UserId, ChatMember>,
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
    /// The messages of the author take as many bytes as one person can have.
    OverQuota,
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
    /// A repair counts their unread messages again.
    Recount,
    /// A repair corrects the bytes of their messages by this difference.
    CorrectBytes(i64),
}

/// A change of a chat for all of its people. `None` removes the value.
#[derive(Debug, Clone, Copy)]
pub enum ChatChange<'a> {
    Name(Option<&'a ChatName>),
    /// Time after which new messages disappear.
    Expiry(Option<MessageExpiry>),
}

/// The outcome of a change of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatOutcome {
    Changed(ChatState),
    NotMember,
    /// No one else has accepted the chat.
    Waiting,
    /// The messages of the member take as many bytes as one person can have.
    OverQuota,
}

/// A change of a message.
#[derive(Debug, Clone, Copy)]
pub enum MessageChange<'a> {
    /// Its author deletes it for everybody.
    Delete,
    /// Its author changes the text of this revision.
    Edit { text: &'a ChatText, revision: u64 },
    /// A person deletes it for themselves.
    Hide,
}

/// The outcome of a change of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageOutcome {
    /// By this call or an earlier one.
    Changed(ChatState),
    NotFound,
    /// Another edit changed the message since the form was made.
    Outdated,
    /// The time for edits is over.
    TooLate,
    /// The actor cannot write in the chat any more.
    Refused,
    /// The messages of the author take as many bytes as one person can have.
    OverQuota,
}

/// Time in which an author can edit a message.
pub const MESSAGE_EDIT_MS: u64 = 15 * 60_000;

/// Whether others see which messages a person has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMark {
    Shown,
    Hidden,
}

impl ChatState {
    /// Decodes what `chat_state` of the prelude returns.
    fn parse(answer: Value) -> Result<Self> {
        let (at_us, last, expires, members): (u64, u64, String, BTreeMap<String, String>) =
            read(answer)?;
        Ok(Self {
            at_us,
            last,
            expires: NextExpiry::parse(&expires),
            members: chat_members(members)?,
        })
    }
}

impl ChatChange<'_> {
    /// Returns the field, the event and the value of the script.
    fn words(self) -> (&'static str, &'static str, String) {
        match self {
            Self::Name(name) => {
                let name = name.map_or("", ChatName::as_str);
                ("name", "renamed", name.to_owned())
            }
            Self::Expiry(expiry) => {
                let days = expiry.map_or_else(String::new, |expiry| expiry.to_string());
                ("expiry_days", "expiry", days)
            }
        }
    }
}

impl MemberChange {
    /// Returns the word and the value of the script, and whether open pages of others show the change.
    fn words(self) -> (&'static str, i64, bool) {
        match self {
            Self::Accept => ("accept", 0, true),
            Self::Ignore => ("ignore", 0, false),
            Self::Leave => ("leave", 0, true),
            Self::Go => ("go", 0, true),
            Self::Mute => ("mute", 0, false),
            Self::Unmute => ("unmute", 0, false),
            Self::Read(message, mark) => ("read", position(message), mark == ReadMark::Shown),
            Self::Clear(message) => ("clear", position(message), false),
            Self::Recount => ("recount", 0, false),
            Self::CorrectBytes(difference) => ("correct_bytes", difference, false),
        }
    }
}

/// Returns a message number as the value of a change. A number beyond the last message means the last one.
fn position(message: u64) -> i64 {
    i64::try_from(message).unwrap_or(i64::MAX)
}

impl Store {
    /// Adds a message to a chat, the source of truth. `people` are those of a chat that may be new, with the author.
    pub async fn send_message(
        &self,
        call: &Call,
        (chat, author): (ChatId, &Actor),
        (text, key, room): (&ChatText, &IdempotencyKey, MessageRoom),
        people: &[(UserId, MemberState)],
    ) -> Result<SendOutcome> {
        let person =
            |(id, state): &(UserId, MemberState)| [id.to_string(), state.as_str().to_owned()];
        let send = SendMessage {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            sent_message: keys::message_of_form(chat, author.id(), key),
            hidden: keys::chat_hidden(chat),
            expiring: keys::chat_expiring(chat),
            deadline_ms: call.deadline(),
            author: author.id().get(),
            text: text.as_str().to_owned(),
            digest: IdempotencyKey::of_words(&[text.as_str()])
                .as_str()
                .to_owned(),
            key_ttl_s: keys::IDEMPOTENCY_KEY_TTL_S,
            max_messages: MAX_CHAT_MESSAGES,
            room_bytes: room.bytes(),
            age_ms: author.age_ms(),
            people: people.iter().flat_map(person).collect(),
        };
        let (word, mut rest) = word_of(self.connection.write_durably(send.command()).await?)?;
        Ok(match word.as_str() {
            "sent" => {
                let number: String = read(rest.next().unwrap_or_default())?;
                let undocumented = || SendMessage::SCRIPT.undocumented(&number);
                let number = number.parse().map_err(|_| undocumented())?;
                SendOutcome::Sent(number, state_of(rest)?)
            }
            "conflict" => SendOutcome::Conflict,
            "not_member" => SendOutcome::NotMember,
            "waiting" => SendOutcome::Waiting,
            "alone" => SendOutcome::Alone,
            "over_quota" => SendOutcome::OverQuota,
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
        let mut reached = None;
        loop {
            let state = self.change_chat_member_once(call, (chat, member), change);
            let state = state.await?;
            let MemberChange::Clear(until) = change else {
                return Ok(state);
            };
            // One call clears a limited number of messages between many others.
            let before = reached;
            reached = state
                .as_ref()
                .and_then(|state| Some(state.members.get(&member)?.cleared));
            if reached == before || reached >= Some(until) {
                return Ok(state);
            }
        }
    }

    async fn change_chat_member_once(
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
        let (word, rest) = word_of(self.connection.write_durably(change.command()).await?)?;
        match word.as_str() {
            "changed" => state_of(rest).map(Some),
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
        (change, room): (MessageChange<'_>, MessageRoom),
    ) -> Result<MessageOutcome> {
        let (word, text, revision) = match change {
            MessageChange::Delete => ("delete", "", 0),
            MessageChange::Edit { text, revision } => ("edit", text.as_str(), revision),
            MessageChange::Hide => ("hide", "", 0),
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
            revision,
            edit_ms: MESSAGE_EDIT_MS,
            room_bytes: room.bytes(),
        };
        let (word, rest) = word_of(self.connection.write_durably(change.command()).await?)?;
        match word.as_str() {
            "changed" => state_of(rest).map(MessageOutcome::Changed),
            "not_found" => Ok(MessageOutcome::NotFound),
            "outdated" => Ok(MessageOutcome::Outdated),
            "too_late" => Ok(MessageOutcome::TooLate),
            "over_quota" => Ok(MessageOutcome::OverQuota),
            _ => Err(ChangeMessage::SCRIPT.undocumented(word)),
        }
    }

    /// Changes a chat for all of its people.
    pub async fn change_chat(
        &self,
        call: &Call,
        (chat, member): (ChatId, &Actor),
        (change, room): (ChatChange<'_>, MessageRoom),
    ) -> Result<ChatOutcome> {
        let (field, event, value) = change.words();
        let change = ChangeChat {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            deadline_ms: call.deadline(),
            member: member.id().get(),
            field,
            event,
            value,
            room_bytes: room.bytes(),
            age_ms: member.age_ms(),
        };
        let (word, rest) = word_of(self.connection.write_durably(change.command()).await?)?;
        match word.as_str() {
            "changed" => state_of(rest).map(ChatOutcome::Changed),
            "not_member" => Ok(ChatOutcome::NotMember),
            "waiting" => Ok(ChatOutcome::Waiting),
            "over_quota" => Ok(ChatOutcome::OverQuota),
            _ => Err(ChangeChat::SCRIPT.undocumented(word)),
        }
    }

    /// Returns the data of a chat from which its copies follow. Without people it does not exist.
    pub async fn chat_state(&self, chat: ChatId) -> Result<ChatState> {
        // In this order: a message that is sent in between is missing in the first and found in the next read.
        let reads = vec![
            redis::cmd("HMGET").with((keys::chat(chat), "at", "last", "expires")),
            redis::cmd("HGETALL").with(keys::chat_members(chat)),
        ];
        let mut answers = self.connection.chain(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let (at_us, last, expires): (Option<u64>, Option<u64>, Option<String>) = read(next())?;
        Ok(ChatState {
            at_us: at_us.unwrap_or_default(),
            last: last.unwrap_or_default(),
            expires: NextExpiry::parse(&expires.unwrap_or_default()),
            members: chat_members(read(next())?)?,
        })
    }
}

/// Returns the word of a script's reply, and the rest.
fn word_of(reply: Vec<Value>) -> Result<(String, std::vec::IntoIter<Value>)> {
    let mut reply = reply.into_iter();
    let word = read(reply.next().unwrap_or_default())?;
    Ok((word, reply))
}

/// Decodes the state of a chat at the end of a reply.
fn state_of(mut rest: std::vec::IntoIter<Value>) -> Result<ChatState> {
    ChatState::parse(rest.next().unwrap_or_default())
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
