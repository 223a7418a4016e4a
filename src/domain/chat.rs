//! Conversations of direct messages. Code and keys call them chats, because a conversation is a thread of statuses.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    MessageId, ParseError, UnixMs, UserId,
    hex::{hex, is_hex},
    ids::serde_as_text,
    joined,
};

/// Maximum number of people in a chat, with the person who began it.
pub const MAX_CHAT_MEMBERS: usize = 20;

/// The id of a chat. It follows from its people: the first 128 bits of the SHA-256 of their ids, ascending and
/// separated by blanks. So the same people have one chat, and no index leads from people to chats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{_0:032x}")]
pub struct ChatId(u128);

impl ChatId {
    /// Returns the chat of these people, in any order.
    #[must_use]
    pub fn of(people: &[UserId]) -> Self {
        let mut people = people.to_vec();
        people.sort_unstable();
        people.dedup();
        let digest = Sha256::digest(joined(&people));
        let id = u128::from_str_radix(&hex(&digest[..16]), 16);
        Self(id.expect("16 bytes are 32 hexadecimal digits"))
    }

    /// Returns a number that spreads chats over partitions.
    pub fn number(self) -> u64 {
        self.0 as u64
    }
}

impl FromStr for ChatId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if !is_hex(text, 32) {
            return Err(ParseError);
        }
        u128::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| ParseError)
    }
}

serde_as_text!(ChatId);

/// The part of a person in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemberState {
    /// The chat is among their conversations.
    Open,
    /// It is among their requests.
    Asked,
    /// They ignore the request. No one else learns of it.
    Ignored,
    Left,
    /// Their account was deleted.
    Gone,
}

impl MemberState {
    const ALL: [Self; 5] = [
        Self::Open,
        Self::Asked,
        Self::Ignored,
        Self::Left,
        Self::Gone,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Asked => "asked",
            Self::Ignored => "ignored",
            Self::Left => "left",
            Self::Gone => "gone",
        }
    }

    /// Returns whether the person can read the chat.
    pub fn may_read(self) -> bool {
        matches!(self, Self::Open | Self::Asked | Self::Ignored)
    }
}

/// A person in a chat, as `chat:{c}:members` stores them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatMember {
    pub state: MemberState,
    /// The last message that they have read. 0: none.
    pub seen: u64,
    /// Number of messages of others after it.
    pub unread: u64,
    /// The last message that they deleted for themselves with all before it. 0: none.
    pub cleared: u64,
    pub is_muted: bool,
    /// Number of messages that they wrote.
    pub written: u64,
    /// Bytes that their messages and events in the chat count as.
    pub bytes: u64,
}

impl FromStr for ChatMember {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut parts = text.split(' ');
        let state = parts.next().ok_or(ParseError)?;
        let mut number = || -> Result<u64, ParseError> {
            let part = parts.next().ok_or(ParseError)?;
            part.parse().map_err(|_| ParseError)
        };
        let member = Self {
            state: MemberState::ALL
                .into_iter()
                .find(|one| one.as_str() == state)
                .ok_or(ParseError)?,
            seen: number()?,
            unread: number()?,
            cleared: number()?,
            is_muted: number()? == 1,
            written: number()?,
            // A row that an earlier version wrote has none. `redwing check` counts them.
            bytes: match parts.next() {
                None => 0,
                Some(bytes) => bytes.parse().map_err(|_| ParseError)?,
            },
        };
        match parts.next() {
            None => Ok(member),
            Some(_) => Err(ParseError),
        }
    }
}

impl fmt::Display for ChatMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            state,
            seen,
            unread,
            cleared,
            is_muted,
            written,
            bytes,
        } = self;
        let (state, muted) = (state.as_str(), u8::from(*is_muted));
        write!(
            f,
            "{state} {seen} {unread} {cleared} {muted} {written} {bytes}"
        )
    }
}

/// The content of a message, or an event in the chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageContent {
    Text {
        text: String,
        /// Time of the last edit.
        edited: Option<UnixMs>,
    },
    /// Its author deleted it for everybody.
    Deleted,
    /// The chat has this name from here on. Empty: none.
    Renamed(String),
    /// From here on, new messages disappear after this time. `None`: they stay.
    Expiry(Option<MessageExpiry>),
    /// Its author left.
    Left,
}

/// Time after which a new message of a chat disappears, in days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::Display)]
pub struct MessageExpiry(u64);

impl MessageExpiry {
    /// The times that people can choose.
    pub const ALL: [Self; 4] = [Self(1), Self(7), Self(30), Self(90)];

    pub fn days(self) -> u64 {
        self.0
    }

    /// Parses the time of a form or of a stored chat. Empty: messages stay.
    pub fn parse(text: &str) -> Result<Option<Self>, ParseError> {
        if text.is_empty() {
            return Ok(None);
        }
        let found = Self::ALL.into_iter().find(|one| one.to_string() == text);
        found.map(Some).ok_or(ParseError)
    }
}

/// A message as `chat:{c}:messages` stores it: `<author> <time in ms> <mark>`, a line end, and the text. The mark is
/// `-`, the time of an edit, or the kind of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatMessage {
    pub id: MessageId,
    pub author: UserId,
    pub at: UnixMs,
    pub content: MessageContent,
}

impl ChatMessage {
    /// Parses a stored message.
    pub fn stored(id: MessageId, stored: &str) -> Result<Self, ParseError> {
        let (head, text) = stored.split_once('\n').ok_or(ParseError)?;
        let mut parts = head.splitn(3, ' ');
        let mut part = || parts.next().ok_or(ParseError);
        let (author, at, mark) = (part()?.parse()?, part()?, part()?);
        let ms = |text: &str| text.parse().map(UnixMs).map_err(|_| ParseError);
        let text = text.to_owned();
        Ok(Self {
            id,
            author,
            at: ms(at)?,
            content: match mark {
                "-" => MessageContent::Text { text, edited: None },
                "deleted" => MessageContent::Deleted,
                "renamed" => MessageContent::Renamed(text),
                "expiry" => MessageContent::Expiry(MessageExpiry::parse(&text)?),
                "left" => MessageContent::Left,
                edited => MessageContent::Text {
                    text,
                    edited: Some(ms(edited)?),
                },
            },
        })
    }

    /// Returns the text of a message that was not deleted.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            MessageContent::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the revision of the text: the time of the last edit, or 0.
    pub fn revision(&self) -> u64 {
        match &self.content {
            MessageContent::Text { edited, .. } => edited.map_or(0, |edited| edited.0),
            _ => 0,
        }
    }
}

/// The people who may begin a chat with a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Correspondents {
    #[default]
    Everyone,
    /// People that the person follows.
    Followed,
    NoOne,
}

impl Correspondents {
    pub const ALL: [Self; 3] = [Self::Everyone, Self::Followed, Self::NoOne];

    /// Returns the choice as it is stored and as forms send it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Everyone => "everyone",
            Self::Followed => "followed",
            Self::NoOne => "no_one",
        }
    }

    pub fn stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

impl fmt::Display for Correspondents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::chat::*;

    fn person(number: u64) -> UserId {
        UserId::new(number).expect("in range")
    }

    fn message(stored: &str) -> Option<ChatMessage> {
        let id = MessageId::new(7).expect("in range");
        ChatMessage::stored(id, stored).ok()
    }

    #[test]
    fn the_id_of_a_chat_follows_from_its_people_in_any_order() {
        let one = ChatId::of(&[person(1), person(23)]);
        assert_eq!(one, ChatId::of(&[person(23), person(1), person(1)]));
        assert_ne!(one, ChatId::of(&[person(12), person(3)]));
        assert_ne!(one, ChatId::of(&[person(1), person(2), person(3)]));
        // Stored data depends on it.
        assert_eq!(one.to_string(), "2cb22e62a1ec9ade314e55dddc60d3c1");
    }

    #[test]
    fn a_stored_message_is_read_back_and_others_are_refused() {
        let stored = message("3 1800000000000 -\nHello\nthere").expect("a message");
        assert_eq!(
            (stored.author, stored.at),
            (person(3), UnixMs(1_800_000_000_000))
        );
        assert_eq!(stored.text(), Some("Hello\nthere"));
        let edited = message("3 5 9\nHello").expect("a message");
        let text = "Hello".to_owned();
        let at = Some(UnixMs(9));
        assert_eq!(edited.content, MessageContent::Text { text, edited: at });
        assert_eq!(
            message("3 5 deleted\n").expect("one").content,
            MessageContent::Deleted
        );
        let week = MessageExpiry::parse("7").expect("a time");
        assert_eq!(
            message("3 5 expiry\n7").expect("one").content,
            MessageContent::Expiry(week)
        );
        for malformed in [
            "",
            "3 5 -",
            "3 5\nx",
            "x 5 -\nx",
            "3 x -\nx",
            "3 5 what\nx",
            "3 5 expiry\n8",
        ] {
            assert_eq!(message(malformed), None, "{malformed:?}");
        }
    }

    #[test]
    fn a_malformed_member_is_refused() {
        for text in [
            "",
            "open",
            "open 1 2 3 0",
            "open 1 2 3 0 1 x",
            "open 1 2 3 0 1 1 1",
            "closed 1 2 3 0 1",
            "open x 2 3 0 1",
        ] {
            assert_eq!(text.parse::<ChatMember>(), Err(ParseError), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_member_is_read_back_whole(
            state in 0..5_usize, seen: u32, unread: u32, cleared: u32, is_muted: bool, written: u32,
            bytes: u32
        ) {
            let member = ChatMember {
                state: MemberState::ALL[state],
                seen: seen.into(),
                unread: unread.into(),
                cleared: cleared.into(),
                is_muted,
                written: written.into(),
                bytes: bytes.into(),
            };
            prop_assert_eq!(member.to_string().parse(), Ok(member));
        }
    }
}
