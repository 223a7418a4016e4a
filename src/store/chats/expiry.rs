//! Messages that disappear. Each has its time in the slot of its chat, and `chats:expiring` says which chats are due.

use super::{ChatState, ExpireMessages, state_of, word_of};
use crate::{domain::ChatId, store::prelude::*};

/// When the next message of a chat disappears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextExpiry {
    /// No message of the chat ever had an expiry.
    Never,
    /// All messages that had one are gone.
    Over,
    /// At this time or later.
    At(UnixMs),
}

impl NextExpiry {
    pub(super) fn parse(stored: &str) -> Self {
        match stored.parse() {
            Err(_) => Self::Never,
            Ok(0) => Self::Over,
            Ok(at) => Self::At(UnixMs(at)),
        }
    }
}

impl Store {
    /// Removes up to `count` messages of a chat that are expired at this time.
    pub async fn expire_messages(
        &self,
        call: &Call,
        chat: ChatId,
        now: UnixMs,
        count: usize,
    ) -> Result<ChatState> {
        let expire = ExpireMessages {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            hidden: keys::chat_hidden(chat),
            expiring: keys::chat_expiring(chat),
            deadline_ms: call.deadline(),
            max_messages: count,
            now_ms: now.0,
        };
        let (word, rest) = word_of(self.connection.write_durably(expire.command()).await?)?;
        match word.as_str() {
            "expired" => state_of(rest),
            _ => Err(ExpireMessages::SCRIPT.undocumented(word)),
        }
    }

    /// Returns when a chat is due in the schedule of messages that disappear.
    pub async fn scheduled_expiry(&self, chat: ChatId) -> Result<Option<u64>> {
        let score = redis::cmd("ZSCORE").with((keys::CHATS_EXPIRING, chat.to_string()));
        let score: Option<f64> = self.connection.query(score).await?;
        Ok(score.map(|score| score as u64))
    }

    /// Returns the first time at which a message of a chat disappears, from the messages themselves.
    pub async fn first_expiry(&self, chat: ChatId) -> Result<Option<u64>> {
        let first = redis::cmd("ZRANGE").with((keys::chat_expiring(chat), 0, 0, "WITHSCORES"));
        let first: Vec<(String, f64)> = self.connection.query(first).await?;
        Ok(first.first().map(|(_, at)| *at as u64))
    }

    /// Returns up to `count` chats with messages that are expired at this time.
    pub async fn due_chats(&self, now: UnixMs, count: usize) -> Result<Vec<ChatId>> {
        let due = range_by_score(keys::CHATS_EXPIRING, "-inf", now.0, count);
        let due: Vec<String> = self.connection.query(due).await?;
        Ok(due.iter().filter_map(|chat| chat.parse().ok()).collect())
    }
}
