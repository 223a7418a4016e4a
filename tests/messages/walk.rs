//! Reads of many and large messages: the bytes that one request reads, and that pages continue without gaps.

use std::{collections::HashSet, fmt::Write};

use redwing::{
    actions::messages::{self, NewMessage, Send},
    domain::{
        ChatId, ChatList, ChatMessage, ChatText, IdempotencyKey, MessageId, MessagePosition, UserId,
    },
    store::{FoldingBudget, MemberChange, Store, WalkLimits},
};

use super::{search::found, texts_of_page};
use crate::support::{
    Page, Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer,
    redis_counters::Counters,
};

/// Bytes of a large message. An earlier version stored up to 32,768.
const LARGE: usize = 30_000;
const MB: u64 = 1_000_000;

fn large_text() -> String {
    "hay ".repeat(LARGE / 4)
}

/// Begins a chat with the text `needle <number>` of the other person.
async fn begin(store: &Store, from: UserId, to: UserId, number: usize) -> ChatId {
    let text = ChatText::parse(&format!("needle {number}")).expect("valid");
    let message = NewMessage {
        text: &text,
        key: &IdempotencyKey::draw(),
    };
    let sent = messages::write_to(store, from, &[to], message).await;
    match sent.expect("an answer") {
        Send::Sent(chat, _) => chat,
        refused => panic!("{refused:?}"),
    }
}

/// Stores the messages after the first one of a chat.
pub fn store_messages(redis: &RedisServer, chat: ChatId, author: UserId, texts: &[String]) {
    let mut lines = String::new();
    for (number, text) in (2..).zip(texts) {
        let stored = format!("\"{author} 1800000000000 -\\n{text}\"");
        writeln!(lines, "HSET chat:{{{chat}}}:messages {number} {stored}\r").expect("room");
    }
    let last = texts.len() + 1;
    writeln!(lines, "HSET chat:{{{chat}}} last {last}\r").expect("room");
    redis.pipe(&lines);
}

/// Creates a chat of a person with each of ten others, the newest one last, and stores further messages in each.
pub async fn ten_chats(
    (store, redis): (&Store, &RedisServer),
    reader: UserId,
    texts: &[String],
) -> Vec<ChatId> {
    let mut chats = Vec::new();
    for (number, other) in crowd::people(store, "other", 10)
        .await
        .into_iter()
        .enumerate()
    {
        crowd::follow(store, reader, other).await;
        let chat = begin(store, other, reader, number).await;
        store_messages(redis, chat, other, texts);
        chats.push(chat);
    }
    chats
}

async fn site() -> (Site, Person, UserId) {
    let redis = Redis::Node(RedisServer::start());
    let site = Site::on(redis, &[]).await;
    let reader = Person::sign_up(&site, "reader").await;
    let id = crowd::uid(&site.store, "reader").await;
    (site, reader, id)
}

/// Opens a page. Returns it with the bytes that it read from Redis.
async fn open_counted(site: &Site, reader: &Person, path: &str) -> (Page, u64) {
    let redis = site.redis.one_node();
    let before = Counters::of(redis);
    let page = reader.open(path).await;
    (page, before.spent_on(redis).output)
}

#[tokio::test]
async fn a_page_of_a_search_reads_a_bounded_number_of_bytes() {
    let (site, reader, id) = site().await;
    let texts = vec![large_text(); 30];
    ten_chats((&site.store, site.redis.one_node()), id, &texts).await;
    let (mut path, mut total) = ("/messages/search?q=needle".to_owned(), 0);
    loop {
        let (page, bytes) = open_counted(&site, &reader, &path).await;
        assert!(bytes < 3 * MB, "{bytes} bytes of {path}");
        total += bytes;
        match page.older() {
            Some(older) => path = older,
            None => break,
        }
    }
    let stored = (10 * 30 * LARGE) as u64;
    assert!((stored..2 * stored).contains(&total), "{total} bytes");
    let needles: Vec<String> = (0..10).rev().map(|n| format!("needle {n}")).collect();
    assert_eq!(found(&reader, "needle").await, needles);
}

#[tokio::test]
async fn a_search_reads_no_message_twice() {
    let (site, reader, id) = site().await;
    let texts = vec!["x".repeat(100); 260];
    ten_chats((&site.store, site.redis.one_node()), id, &texts).await;
    // So many messages that each conversation takes two reads, and still one page.
    let (_, bytes) = open_counted(&site, &reader, "/messages/search?q=needle").await;
    let stored = 10 * 260 * 100;
    assert!((stored..2 * stored).contains(&bytes), "{bytes} bytes");
    assert_eq!(found(&reader, "needle").await.len(), 10);
}

#[tokio::test]
async fn a_page_of_a_conversation_of_large_messages_is_shorter() {
    let (site, reader, id) = site().await;
    let texts: Vec<String> = (2..=20).map(|n| format!("{n} {}", large_text())).collect();
    let chats = ten_chats((&site.store, site.redis.one_node()), id, &texts).await;
    let mut path = format!("/messages/{}", chats[0]);
    let mut numbers = Vec::new();
    loop {
        let (page, bytes) = open_counted(&site, &reader, &path).await;
        assert!(bytes < 400_000, "{bytes} bytes of {path}");
        let texts = texts_of_page(&page).into_iter().rev();
        numbers.extend(texts.map(|text| text.split(' ').next().expect("a word").to_owned()));
        match page.older() {
            Some(older) => path = older,
            None => break,
        }
    }
    let expected = (2..=20).rev().map(|n| n.to_string());
    let expected: Vec<String> = expected.chain(["needle".to_owned()]).collect();
    assert_eq!(numbers, expected);
}

#[tokio::test]
async fn parts_of_a_walk_have_every_message_once_whatever_ends_them() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let (store, redis) = (&core.store, core.redis.one_node());
    let reader = crowd::member(store, "reader").await;
    let mut expected = Vec::new();
    for (number, length) in [0, 3, 250, 40, 1, 0, 9, 30, 2, 5, 0, 70, 12, 1]
        .into_iter()
        .enumerate()
    {
        let other = crowd::member(store, &format!("other_{number}")).await;
        let chat = begin(store, other, reader, number).await;
        fill(store, redis, (chat, other, reader), length).await;
        let shown = (1..=length as u64 + 1).filter(|id| id % 5 != 3);
        let shown: Vec<(ChatId, u64)> = shown.map(|id| (chat, id)).collect();
        expected.push(shown);
    }
    let expected: Vec<(ChatId, u64)> = expected.into_iter().rev().flat_map(reversed).collect();
    for (examined, bytes, folded, kept) in [
        (usize::MAX, usize::MAX, usize::MAX, usize::MAX),
        (1, usize::MAX, usize::MAX, usize::MAX),
        (usize::MAX, 1, usize::MAX, usize::MAX),
        (usize::MAX, usize::MAX, 1, usize::MAX),
        (usize::MAX, usize::MAX, 30_000, usize::MAX),
        (usize::MAX, usize::MAX, usize::MAX, 1),
        (usize::MAX, 100_000, usize::MAX, 7),
        (300, 50_000, 20_000, 11),
    ] {
        let limits = WalkLimits {
            examined,
            bytes,
            folded,
            kept,
        };
        assert_eq!(walked(store, reader, limits).await, expected, "{limits:?}");
    }
}

/// Accepts a chat, stores messages of different sizes in it, and hides some of them from the reader.
async fn fill(
    store: &Store,
    redis: &RedisServer,
    (chat, other, reader): (ChatId, UserId, UserId),
    length: usize,
) {
    let accept = MemberChange::Accept;
    let accepted = messages::change_member(store, reader, chat, accept).await;
    assert!(accepted.expect("an answer"), "the reader is a member");
    let size = |number: usize| match number % 40 {
        0 => LARGE,
        _ => number,
    };
    let texts = (1..=length).map(|number| "x".repeat(size(number)));
    let texts: Vec<String> = texts.collect();
    store_messages(redis, chat, other, &texts);
    for hidden in (1..=length + 1).filter(|id| id % 5 == 3) {
        redis.command(&[
            "SADD",
            &format!("chat:{{{chat}}}:hidden"),
            &format!("{reader}:{hidden}"),
        ]);
    }
}

#[tokio::test]
async fn a_conversation_is_cleared_up_to_any_of_thousands_of_messages() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let store = &core.store;
    let people = crowd::people(store, "person", 2).await;
    let [reader, other] = people[..] else {
        panic!("there are two")
    };
    crowd::follow(store, reader, other).await;
    let chat = begin(store, other, reader, 0).await;
    let texts = vec!["hay".to_owned(); 4500];
    store_messages(core.redis.one_node(), chat, other, &texts);
    let change = async |change| {
        let changed = messages::change_member(store, reader, chat, change).await;
        assert!(changed.expect("an answer"), "the reader is a member");
    };
    change(MemberChange::Recount).await;
    for until in [2300, 2301] {
        change(MemberChange::Clear(until)).await;
        let state = store.chat_state(chat).await.expect("an answer");
        let own = &state.members[&reader];
        assert_eq!((own.cleared, own.unread), (until, 4501 - until));
    }
}

fn reversed<T>(items: Vec<T>) -> impl Iterator<Item = T> {
    items.into_iter().rev()
}

/// Returns all messages of a walk in parts.
async fn walked(store: &Store, reader: UserId, limits: WalkLimits) -> Vec<(ChatId, u64)> {
    let mut next = Some(MessagePosition::start(ChatList::Chats));
    let mut all = Vec::new();
    while let Some(from) = next {
        let before = store.folded_bytes();
        let fold = |message: &ChatMessage, folding: &mut FoldingBudget| {
            folding.fold(message.text().unwrap_or_default());
            true
        };
        let walk = store
            .walk_messages(reader, from, &HashSet::new(), limits, fold)
            .await;
        let walk = walk.expect("an answer");
        let folded = store.folded_bytes() - before;
        let most = (limits.folded as u64).saturating_add(3 * LARGE as u64);
        assert!(folded <= most, "{folded} bytes");
        let kept: usize = walk.chats.iter().map(|chat| chat.messages.len()).sum();
        assert!(kept <= limits.kept, "{kept}");
        for chat in &walk.chats {
            let ids = chat.messages.iter().map(|message| message.id);
            all.extend(ids.map(MessageId::get).map(|id| (chat.id, id)));
        }
        next = walk.next;
    }
    all
}
