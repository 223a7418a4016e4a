//! A position among all messages of a person.

use std::{fmt, str::FromStr};

use super::{ChatId, MessageId, ParseError};

/// A list of conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatList {
    Chats,
    Requests,
}

/// The position at which a walk over all messages of a person continues: in a chat before a message, or with the chats
/// that have an older last message. As text: `chats.<time>` or `chats.<time>.<chat>.<message>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagePosition {
    pub list: ChatList,
    /// Time of the last message of the chat (µs). 0: the chats of the list are done.
    pub before_us: u64,
    pub within: Option<(ChatId, MessageId)>,
}

impl MessagePosition {
    /// The newest message of the newest chat.
    pub fn start(list: ChatList) -> Self {
        Self {
            list,
            before_us: u64::MAX >> 11,
            within: None,
        }
    }
}

impl fmt::Display for MessagePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = match self.list {
            ChatList::Chats => "chats",
            ChatList::Requests => "requests",
        };
        write!(f, "{list}.{}", self.before_us)?;
        match self.within {
            Some((chat, message)) => write!(f, ".{chat}.{message}"),
            None => Ok(()),
        }
    }
}

impl FromStr for MessagePosition {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let parts: Vec<&str> = text.split('.').collect();
        let (list, before, within) = match parts[..] {
            [list, before] => (list, before, None),
            [list, before, chat, message] => {
                (list, before, Some((chat.parse()?, message.parse()?)))
            }
            _ => return Err(ParseError),
        };
        let is_plain = before.bytes().all(|byte| byte.is_ascii_digit());
        let before_us: u64 = before.parse().map_err(|_| ParseError)?;
        if !is_plain || before_us > Self::start(ChatList::Chats).before_us {
            return Err(ParseError);
        }
        Ok(Self {
            list: match list {
                "chats" => ChatList::Chats,
                "requests" => ChatList::Requests,
                _ => return Err(ParseError),
            },
            before_us,
            within,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::message_position::*;

    #[test]
    fn a_position_is_read_back_and_others_are_refused() {
        let chat = "0".repeat(32);
        for text in [
            "chats.9007199254740991".to_owned(),
            "requests.5".to_owned(),
            format!("chats.5.{chat}.7"),
        ] {
            let position: MessagePosition = text.parse().expect("a position");
            assert_eq!(position.to_string(), text);
        }
        for text in [
            "",
            "5",
            "chats",
            "chats.",
            "chats.+5",
            "chats.x",
            "chats.9007199254740992",
            "posts.5",
            "chats.5.x.7",
            &format!("chats.5.{chat}"),
            &format!("chats.5.{chat}.0"),
            &format!("chats.5.{chat}.7.8"),
        ] {
            assert_eq!(text.parse::<MessagePosition>(), Err(ParseError), "{text}");
        }
    }
}
