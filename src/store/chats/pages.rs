//! Reads of chats for their people: one conversation, and the lists of conversations and requests.

use std::{collections::BTreeMap, sync::Arc};

use super::{ReadChat, chat_members};
use crate::{
    domain::{
        ChatId, ChatList, ChatMember, ChatMessage, MAX_CHAT_MEMBERS, MemberState, MessageExpiry,
        MessageId,
    },
    store::{
        access::{AskedPeople, is_hidden},
        prelude::*,
    },
};

/// Number of messages that are examined for a page. Those that a person deleted for themselves leave gaps.
const MAX_EXAMINED: usize = 1000;
/// Number of messages that are examined for each shown one, so a list of conversations stays cheap.
const EXAMINED_PER_MESSAGE: usize = 100;

/// Number of bytes of messages that one round trip reads. The chats of a round trip share them, and at most three
/// messages of each exceed its share.
const ROUND_TRIP_BYTES: usize = 256 * 1024;

/// A part of a chat, as one of its people sees it.
#[derive(Debug, Clone)]
pub struct ChatView {
    pub id: ChatId,
    /// Its last message, also if the viewer does not see it.
    pub last: u64,
    pub version: u64,
    pub name: Option<String>,
    /// Time after which new messages disappear.
    pub expiry: Option<MessageExpiry>,
    /// The viewer's part.
    pub own: ChatMember,
    pub people: Vec<ChatPerson>,
    /// Newest first.
    pub messages: Vec<ChatMessage>,
    /// The message before which the next part begins. `None` at the beginning of the chat.
    pub next: Option<MessageId>,
}

/// Another person of a chat.
#[derive(Debug, Clone)]
pub struct ChatPerson {
    pub id: UserId,
    pub member: ChatMember,
    /// `None` if the account was deleted, suspended or deactivated.
    pub user: Option<Arc<User>>,
    pub block: ChatBlock,
}

/// The block between the viewer and another person of a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatBlock {
    None,
    ByViewer,
    ByOther,
}

/// The position and the size of a part of a chat. A part with large messages has fewer.
#[derive(Debug, Clone, Copy)]
pub struct ChatPart {
    pub before: Option<MessageId>,
    pub count: usize,
}

impl ChatPart {
    /// Number of messages on a page.
    pub const PAGE: usize = 40;

    pub fn newest(count: usize) -> Self {
        let before = None;
        Self { before, count }
    }
}

impl ChatView {
    /// Returns another person of the chat.
    pub fn person(&self, id: UserId) -> Option<&ChatPerson> {
        self.people.iter().find(|person| person.id == id)
    }

    /// Returns the only other person. `None` in a group.
    pub fn partner(&self) -> Option<&ChatPerson> {
        match &self.people[..] {
            [partner] => Some(partner),
            _ => None,
        }
    }
}

impl Store {
    /// Returns a part of a chat. `None` if the viewer does not belong to it, or it does not exist.
    pub async fn chat(
        &self,
        viewer: UserId,
        chat: ChatId,
        part: ChatPart,
    ) -> Result<Option<ChatView>> {
        let chats = self.chats_of(viewer, &[chat], part).await?;
        Ok(chats.into_iter().next().flatten())
    }

    /// Returns one page of the conversations or requests of a person, each with its last message, newest first.
    pub async fn chats_page(
        &self,
        of: UserId,
        list: ChatList,
        before: Option<Cursor>,
    ) -> Result<Page<ChatView>> {
        let rows = self.chat_rows(of, (list, before), PAGE_SIZE + 1).await?;
        let shown = &rows[..rows.len().min(PAGE_SIZE)];
        let ids: Vec<ChatId> = shown.iter().map(|(id, _)| *id).collect();
        let chats = self.chats_of(of, &ids, ChatPart::newest(1)).await?;
        let last = shown.last().filter(|_| rows.len() > PAGE_SIZE);
        Ok(Page {
            items: chats.into_iter().flatten().collect(),
            next: last.map(|(_, at_us)| Cursor::before(*at_us)),
        })
    }

    /// Returns chats of a list with the time of their last message (µs), newest first. One round trip.
    pub(super) async fn chat_rows(
        &self,
        of: UserId,
        (list, before): (ChatList, Option<Cursor>),
        count: usize,
    ) -> Result<Vec<(ChatId, u64)>> {
        let key = match list {
            ChatList::Chats => keys::chats(of),
            ChatList::Requests => keys::chat_requests(of),
        };
        let from = before.map_or_else(|| "+inf".to_owned(), |cursor| format!("({}", cursor.get()));
        let range = range_by_score(key, from, "-inf", count).with(("REV", "WITHSCORES"));
        let rows: Vec<(String, f64)> = self.connection.query(range).await?;
        let row = |(id, at): (String, f64)| Some((id.parse().ok()?, at as u64));
        Ok(rows.into_iter().filter_map(row).collect())
    }

    /// Returns the number of requests of a person. One round trip.
    pub async fn chat_request_count(&self, of: UserId) -> Result<u64> {
        let count = redis::cmd("ZCARD").with(keys::chat_requests(of));
        self.connection.query(count).await
    }

    /// Returns the same part of several chats. Two round trips: the chats, then their people.
    async fn chats_of(
        &self,
        viewer: UserId,
        chats: &[ChatId],
        part: ChatPart,
    ) -> Result<Vec<Option<ChatView>>> {
        let parts = self.stored_parts(viewer, chats, part).await?;
        self.seen_parts(viewer, parts).await
    }

    /// Reads the same part of several chats. One round trip.
    pub(super) async fn stored_parts(
        &self,
        viewer: UserId,
        chats: &[ChatId],
        part: ChatPart,
    ) -> Result<Vec<Option<StoredPart>>> {
        let max_bytes = ROUND_TRIP_BYTES / chats.len().max(1);
        let read_one = |chat: &ChatId| {
            let chat = *chat;
            let read = ReadChat {
                chat: keys::chat(chat),
                members: keys::chat_members(chat),
                messages: keys::chat_messages(chat),
                hidden: keys::chat_hidden(chat),
                expiring: keys::chat_expiring(chat),
                viewer: viewer.get(),
                before: part.before.map_or_else(String::new, |id| id.to_string()),
                count: part.count,
                max_examined: MAX_EXAMINED.min(part.count.saturating_mul(EXAMINED_PER_MESSAGE)),
                max_bytes,
            };
            read.command()
        };
        let reads = chats.iter().map(read_one).collect();
        let answers = self.connection.batch(reads).await?;
        let parts = chats.iter().zip(answers);
        parts
            .map(|(chat, answer)| StoredPart::parse(*chat, viewer, answer))
            .collect()
    }

    /// Adds the people of chats to their parts. One round trip.
    pub(super) async fn seen_parts(
        &self,
        viewer: UserId,
        parts: Vec<Option<StoredPart>>,
    ) -> Result<Vec<Option<ChatView>>> {
        let people = self.people_of_chats(viewer, &parts).await?;
        let view = |part: StoredPart| part.seen_with(&people);
        Ok(parts.into_iter().map(|part| part.map(view)).collect())
    }

    /// Reads the other people of these chats, with the blocks between them and the viewer.
    async fn people_of_chats(
        &self,
        viewer: UserId,
        parts: &[Option<StoredPart>],
    ) -> Result<BTreeMap<UserId, (Option<Arc<User>>, ChatBlock)>> {
        let ids = parts.iter().flatten().flat_map(|part| part.members.keys());
        let mut ids: Vec<UserId> = ids.copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let viewer = Viewer::Member(viewer);
        let mut access = self.access(viewer).await?;
        let asked = AskedPeople {
            people: &ids,
            followed: &[],
            followers: &[],
        };
        let users = self.users_with_relations(&mut access, asked).await?;
        let person = |(id, user): (UserId, Option<Arc<User>>)| {
            let block = match () {
                () if access.blocks(id) => ChatBlock::ByViewer,
                () if !access.is_connected(id) => ChatBlock::ByOther,
                () => ChatBlock::None,
            };
            (id, (user.filter(|user| !is_hidden(user)), block))
        };
        Ok(ids.into_iter().zip(users).map(person).collect())
    }
}

/// A part of a chat as the script returns it.
pub(super) struct StoredPart {
    pub(super) id: ChatId,
    last: u64,
    version: u64,
    name: Option<String>,
    expiry: Option<MessageExpiry>,
    own: ChatMember,
    /// The others.
    members: BTreeMap<UserId, ChatMember>,
    pub(super) messages: Vec<ChatMessage>,
    pub(super) next: Option<MessageId>,
    /// Number of messages that the script examined, with those that the viewer does not see.
    pub(super) examined: usize,
    /// Bytes of the stored messages.
    pub(super) bytes: usize,
}

impl StoredPart {
    fn parse(id: ChatId, viewer: UserId, answer: Value) -> Result<Option<Self>> {
        let mut answer = read::<Vec<Value>>(answer)?.into_iter();
        let mut next = || answer.next().unwrap_or_default();
        let word: String = read(next())?;
        match word.as_str() {
            "read" => {}
            "not_member" => return Ok(None),
            _ => return Err(ReadChat::SCRIPT.undocumented(word)),
        }
        let fields: Vec<Option<String>> = read(next())?;
        let mut fields = fields.into_iter();
        let mut field = || fields.next().flatten();
        let (last, _at, version, name) = (field(), field(), field(), field());
        let (_first, expiry) = (field(), field().unwrap_or_default());
        let expiry = MessageExpiry::parse(&expiry);
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
        let mut members = chat_members(read(next())?)?;
        let own = members.remove(&viewer);
        let own = own.ok_or_else(|| ReadChat::SCRIPT.undocumented("no viewer"))?;
        let stored: Vec<String> = read(next())?;
        let messages = stored
            .chunks_exact(2)
            .map(|pair| message(&pair[0], &pair[1]));
        let messages = messages.collect::<Result<_>>()?;
        let (before, examined): (String, usize) = (read(next())?, read(next())?);
        Ok(Some(Self {
            id,
            last: number(last),
            version: number(version),
            name,
            expiry: expiry.map_err(|_| ReadChat::SCRIPT.undocumented("expiry_days"))?,
            own,
            members,
            messages,
            next: before.parse().ok(),
            examined,
            bytes: stored.iter().map(String::len).sum(),
        }))
    }

    fn seen_with(self, known: &BTreeMap<UserId, (Option<Arc<User>>, ChatBlock)>) -> ChatView {
        debug_assert!(self.members.len() < MAX_CHAT_MEMBERS);
        let person = |(id, member): (UserId, ChatMember)| {
            let (user, block) = known.get(&id).cloned().unwrap_or((None, ChatBlock::None));
            let user = user.filter(|_| member.state != MemberState::Gone);
            ChatPerson {
                id,
                member,
                user,
                block,
            }
        };
        ChatView {
            id: self.id,
            last: self.last,
            version: self.version,
            name: self.name,
            expiry: self.expiry,
            own: self.own,
            people: self.members.into_iter().map(person).collect(),
            messages: self.messages,
            next: self.next,
        }
    }
}

fn message(id: &str, stored: &str) -> Result<ChatMessage> {
    let message = id.parse().and_then(|id| ChatMessage::stored(id, stored));
    message.map_err(|_| ReadChat::SCRIPT.undocumented(id))
}
