//! The walk over all messages that a person can read, newest chat first and in each chat newest message first. The search
//! and the export of messages use it. A message index for each person would cost every message 20 writes.

use std::{
    collections::{HashSet, VecDeque},
    sync::atomic::Ordering,
};

use super::pages::{ChatPart, ChatView, StoredPart};
use crate::{
    domain::{ChatId, ChatList, ChatMessage, MessageId, MessagePosition},
    store::{FoldingBudget, prelude::*},
};

/// Number of chats whose newest messages one round trip reads, and number of messages of each part of a chat.
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

/// The limits of a part of a walk. It ends with the part of a chat that reaches one of them.
#[derive(Debug, Clone, Copy)]
pub struct WalkLimits {
    /// Number of messages that are examined, also those that the person does not see.
    pub examined: usize,
    /// Number of bytes of messages that are read.
    pub bytes: usize,
    /// Number of bytes of messages that are folded, before and after folding.
    pub folded: usize,
    /// Number of messages that are kept.
    pub kept: usize,
}

impl Store {
    /// Walks over messages of a person from a position, and keeps those that `is_kept` selects. It folds texts by the
    /// budget. It leaves out the chats in `skipped`, except for the rest of the one that the position is in.
    pub async fn walk_messages(
        &self,
        of: UserId,
        from: MessagePosition,
        skipped: &HashSet<ChatId>,
        limits: WalkLimits,
        is_kept: impl Fn(&ChatMessage, &mut FoldingBudget) -> bool,
    ) -> Result<MessageWalk> {
        let mut walk = Walk {
            at: Some(from),
            newest: VecDeque::new(),
            parts: Vec::new(),
            examined: 0,
            bytes: 0,
            kept: 0,
            folding: FoldingBudget::of(limits.folded),
            limits,
        };
        while let Some(at) = walk.at.filter(|_| !walk.is_over()) {
            match at.within {
                Some((chat, before)) => {
                    let part = part_before(Some(before));
                    let parts = self.stored_parts(of, &[chat], part).await?;
                    let part = parts.into_iter().flatten().next();
                    walk.add(at.before_us, part, &is_kept).await;
                }
                None => match walk.newest.pop_front() {
                    Some((at_us, part)) => walk.add(at_us, part, &is_kept).await,
                    None => self.read_next_chats(of, &mut walk, at, skipped).await?,
                },
            }
            // A part takes processor time also without folded texts.
            tokio::task::yield_now().await;
        }
        let folded = walk.folding.folded() as u64;
        self.folded_bytes.fetch_add(folded, Ordering::Relaxed);
        let parts = walk.parts.into_iter().map(Some).collect();
        let chats = self.seen_parts(of, parts).await?;
        Ok(MessageWalk {
            chats: chats.into_iter().flatten().collect(),
            next: walk.at,
        })
    }

    /// Reads the newest messages of the next chats.
    async fn read_next_chats(
        &self,
        of: UserId,
        walk: &mut Walk,
        at: MessagePosition,
        skipped: &HashSet<ChatId>,
    ) -> Result<()> {
        let before = Some(Cursor::before(at.before_us));
        let mut rows = self.chat_rows(of, (at.list, before), CHATS_AT_ONCE).await?;
        let Some((_, last_us)) = rows.last().copied() else {
            walk.at = match at.list {
                ChatList::Chats => Some(MessagePosition::start(ChatList::Requests)),
                ChatList::Requests => None,
            };
            return Ok(());
        };
        let found = rows.len();
        rows.retain(|(id, _)| !skipped.contains(id));
        walk.examined += found - rows.len();
        if rows.is_empty() {
            walk.at = Some(MessagePosition {
                before_us: last_us,
                ..at
            });
            return Ok(());
        }
        let ids: Vec<ChatId> = rows.iter().map(|(id, _)| *id).collect();
        let parts = self.stored_parts(of, &ids, part_before(None)).await?;
        let times = rows.into_iter().map(|(_, at_us)| at_us);
        walk.newest = times.zip(parts).collect();
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
    /// The newest messages of the next chats, with the times of their last messages. They wait while the rest of a long
    /// chat is read, so that no message is read twice.
    newest: VecDeque<(u64, Option<StoredPart>)>,
    parts: Vec<StoredPart>,
    examined: usize,
    bytes: usize,
    kept: usize,
    folding: FoldingBudget,
    limits: WalkLimits,
}

impl Walk {
    fn is_over(&self) -> bool {
        self.examined >= self.limits.examined
            || self.bytes >= self.limits.bytes
            || self.kept >= self.limits.kept
            || self.folding.is_used_up()
    }

    /// Adds a part of the chat with this time of its last message, and moves behind it. `None`: the person left the chat.
    async fn add(
        &mut self,
        at_us: u64,
        part: Option<StoredPart>,
        is_kept: impl Fn(&ChatMessage, &mut FoldingBudget) -> bool,
    ) {
        let Some(at) = &mut self.at else { return };
        at.before_us = at_us;
        at.within = None;
        let Some(mut part) = part else { return };
        at.within = part.next.map(|next| (part.id, next));
        self.examined += part.examined + CHAT_COST;
        self.bytes += part.bytes;
        let mut kept = Vec::new();
        let mut last = None;
        for message in std::mem::take(&mut part.messages) {
            let is_full = self.kept == self.limits.kept || self.folding.is_used_up();
            if let (true, Some(last)) = (is_full, last) {
                at.within = Some((part.id, last));
                break;
            }
            last = Some(message.id);
            if is_kept(&message, &mut self.folding) {
                self.kept += 1;
                kept.push(message);
            }
            self.folding.yield_after_portion().await;
        }
        part.messages = kept;
        match self.parts.last_mut() {
            Some(last) if last.id == part.id => last.messages.append(&mut part.messages),
            _ if part.messages.is_empty() => {}
            _ => self.parts.push(part),
        }
    }
}
