//! The walk over all messages that a person can read, newest chat first and in each chat newest message first. The search
//! and the export of messages use it. A message index for each person would cost every message 20 writes.

use super::pages::{ChatPart, ChatView, StoredPart};
use crate::{
    domain::{ChatId, ChatList, ChatMessage, MessageId, MessagePosition},
    store::prelude::*,
};

/// Number of chats that one round trip reads, and number of messages of each.
const CHATS_AT_ONCE: usize = 10;
const MESSAGES_AT_ONCE: usize = 200;
/// Number of messages that a chat counts for, so that many short chats take few round trips.
const CHAT_COST: usize = 40;

/// A part of a walk.
#[derive(Debug)]
pub struct MessageWalk {
    /// The chats with messages that were kept, in the order of the walk. A view has only these messages.
    pub chats: Vec<ChatView>,
    /// Where the walk continues. `None` at its end.
    pub next: Option<MessagePosition>,
}

/// The limits of a part of a walk.
#[derive(Debug, Clone, Copy)]
pub struct WalkLimits {
    /// Number of messages that are read. The part ends at the next end of a round trip.
    pub examined: usize,
    /// Number of messages that are kept.
    pub kept: usize,
}

impl Store {
    /// Walks over messages of a person from a position, and keeps those that `is_kept` selects.
    pub async fn walk_messages(
        &self,
        of: UserId,
        from: MessagePosition,
        limits: WalkLimits,
        is_kept: impl Fn(&ChatMessage) -> bool,
    ) -> Result<MessageWalk> {
        let mut walk = Walk {
            at: Some(from),
            parts: Vec::new(),
            examined: 0,
            kept: 0,
            limits,
        };
        while let Some(at) = walk.at.filter(|_| !walk.is_over()) {
            match at.within {
                Some((chat, before)) => {
                    let part = part_before(Some(before));
                    let parts = self.stored_parts(of, &[chat], part).await?;
                    walk.add(at.before_us, parts.into_iter().flatten().next(), &is_kept);
                }
                None => self.walk_chats(of, &mut walk, at, &is_kept).await?,
            }
        }
        let parts = walk.parts.into_iter().map(Some).collect();
        let chats = self.seen_parts(of, parts).await?;
        Ok(MessageWalk {
            chats: chats.into_iter().flatten().collect(),
            next: walk.at,
        })
    }

    /// Walks over the newest messages of the next chats.
    async fn walk_chats(
        &self,
        of: UserId,
        walk: &mut Walk,
        at: MessagePosition,
        is_kept: &impl Fn(&ChatMessage) -> bool,
    ) -> Result<()> {
        let before = Some(Cursor::before(at.before_us));
        let rows = self.chat_rows(of, (at.list, before), CHATS_AT_ONCE).await?;
        if rows.is_empty() {
            walk.at = match at.list {
                ChatList::Chats => Some(MessagePosition::start(ChatList::Requests)),
                ChatList::Requests => None,
            };
            return Ok(());
        }
        let ids: Vec<ChatId> = rows.iter().map(|(id, _)| *id).collect();
        let parts = self.stored_parts(of, &ids, part_before(None)).await?;
        for ((_, at_us), part) in rows.into_iter().zip(parts) {
            walk.add(at_us, part, is_kept);
            // The rest of a long chat comes before the next chat.
            let is_within = walk.at.is_some_and(|at| at.within.is_some());
            if is_within || walk.is_over() {
                break;
            }
        }
        Ok(())
    }
}

fn part_before(before: Option<MessageId>) -> ChatPart {
    ChatPart {
        before,
        count: MESSAGES_AT_ONCE,
    }
}

struct Walk {
    at: Option<MessagePosition>,
    parts: Vec<StoredPart>,
    examined: usize,
    kept: usize,
    limits: WalkLimits,
}

impl Walk {
    fn is_over(&self) -> bool {
        self.examined >= self.limits.examined || self.kept >= self.limits.kept
    }

    /// Adds a part of the chat with this time of its last message, and moves behind it. `None`: the person left the chat.
    fn add(
        &mut self,
        at_us: u64,
        part: Option<StoredPart>,
        is_kept: impl Fn(&ChatMessage) -> bool,
    ) {
        let Some(at) = &mut self.at else { return };
        at.before_us = at_us;
        at.within = None;
        let Some(mut part) = part else { return };
        at.within = part.next.map(|next| (part.id, next));
        self.examined += part.messages.len() + CHAT_COST;
        let room = self.limits.kept - self.kept;
        part.messages.retain(&is_kept);
        if part.messages.len() > room {
            part.messages.truncate(room);
            at.within = part.messages.last().map(|last| (part.id, last.id));
        }
        self.kept += part.messages.len();
        match self.parts.last_mut() {
            Some(last) if last.id == part.id => last.messages.append(&mut part.messages),
            _ if part.messages.is_empty() => {}
            _ => self.parts.push(part),
        }
    }
}
