//! A whole network of messages, played through the actions and compared with a plain model: lists of conversations in
//! their order, requests, unread counts, and all texts in one order for both people.
//!
//! The network has the statistics of CollegeMsg (Panzarasa, Opsahl and Carley 2009): 59,835 messages between 1,899
//! students, 2.95 messages for each ordered pair, of which 64 % have messages both ways, few people with very many
//! partners, and quick answers. `REDWING_REPLAY_MESSAGES` sets another size than that of the test.
//! `REDWING_REPLAY_FILE` replays a file with lines `<sender> <receiver> <time>` instead.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    time::Instant,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use redwing::{
    actions::messages::{NewMessage, Send, SendRefusal, change_member, write_to},
    domain::{ChatId, ChatList, ChatText, IdempotencyKey, UserId},
    store::{ChatPart, MemberChange, ReadMark, Store},
};

use crate::support::{core::Core, crowd::people};

/// Number of messages and people of the original, and number of messages of the test.
const ORIGINAL: (usize, usize) = (59_835, 1_899);
const MESSAGES: usize = 1_500;
/// Share of messages that are not part of a recent exchange, and share of these that answer a recent message. Some of
/// them repeat a pair. With these shares, the statistics of the network come near those of the original.
const NEW_PAIRS: f64 = 0.45;
const FIRST_ANSWERS: f64 = 0.5;
/// Share of messages after which the receiver opens the conversation.
const READS: f64 = 0.4;
const SEED: u64 = 2004;

/// Sender and receiver of each message, in order.
fn network() -> Vec<(usize, usize)> {
    if let Ok(file) = std::env::var("REDWING_REPLAY_FILE") {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let number =
            |word: Option<&str>| word.and_then(|word| word.parse().ok()).expect("a number");
        let pair = |line: &str| {
            let mut words = line.split_whitespace();
            (number(words.next()), number(words.next()))
        };
        return text
            .lines()
            .map(pair)
            .filter(|(from, to)| from != to)
            .collect();
    }
    let size = std::env::var("REDWING_REPLAY_MESSAGES").ok();
    let size = size.map_or(MESSAGES, |size| size.parse().expect("a number"));
    generated(size, (size * ORIGINAL.1 / ORIGINAL.0).max(20))
}

fn generated(messages: usize, people: usize) -> Vec<(usize, usize)> {
    let mut dice = StdRng::seed_from_u64(SEED);
    // The activity of people falls with their rank.
    let weights: Vec<f64> = (0..people).map(|rank| 1.0 / (rank as f64 + 20.0)).collect();
    let total: f64 = weights.iter().sum();
    let draw = |dice: &mut StdRng| {
        let mut left = dice.random_range(0.0..total);
        let at = weights.iter().position(|weight| {
            left -= weight;
            left <= 0.0
        });
        at.unwrap_or(people - 1)
    };
    let mut sent: Vec<(usize, usize)> = Vec::new();
    let mut pairs = BTreeSet::new();
    while sent.len() < messages {
        // Most messages belong to a conversation that was active lately.
        let recent = sent.len().checked_sub(1).map(|last| {
            let back = dice.random_range(0..200_usize.min(last + 1));
            sent[last - back]
        });
        let pair = match recent {
            Some((from, to)) if !dice.random_bool(NEW_PAIRS) => {
                if pairs.contains(&(to, from)) && dice.random_bool(0.6) {
                    (to, from)
                } else {
                    (from, to)
                }
            }
            Some((from, to)) if dice.random_bool(FIRST_ANSWERS) => (to, from),
            _ => (draw(&mut dice), draw(&mut dice)),
        };
        if pair.0 != pair.1 {
            pairs.insert(pair);
            sent.push(pair);
        }
    }
    sent
}

/// The part of a person in a conversation of the model.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    is_open: bool,
    unread: usize,
}

/// A conversation of the model, by the lower and the higher person.
#[derive(Debug, Default)]
struct Conversation {
    parts: BTreeMap<usize, Part>,
    texts: Vec<String>,
    /// Place of the last message among all messages.
    last: usize,
}

#[derive(Default)]
struct Model {
    conversations: BTreeMap<(usize, usize), Conversation>,
    waiting: usize,
}

impl Model {
    fn conversation(&mut self, one: usize, other: usize) -> &mut Conversation {
        self.conversations
            .entry((one.min(other), one.max(other)))
            .or_default()
    }

    /// Returns whether the message is written. The first message of a stranger waits for an answer.
    fn write(&mut self, at: usize, (from, to): (usize, usize), text: &str) -> bool {
        let conversation = self.conversation(from, to);
        let partner = conversation.parts.get(&to).copied().unwrap_or_default();
        let has_written = conversation.parts.get(&from).is_some_and(|own| own.is_open);
        if has_written && !partner.is_open {
            self.waiting += 1;
            return false;
        }
        conversation.texts.push(text.to_owned());
        conversation.last = at;
        let own = conversation.parts.entry(from).or_default();
        own.is_open = true;
        conversation.parts.entry(to).or_default().unread += 1;
        true
    }

    fn read(&mut self, (reader, other): (usize, usize)) {
        let conversation = self.conversation(reader, other);
        conversation.parts.entry(reader).or_default().unread = 0;
    }

    /// Returns the others of a list of a person with the unread counts, newest first.
    fn list(&self, of: usize, list: ChatList) -> Vec<(usize, usize)> {
        let mut rows: Vec<(usize, usize, usize)> = Vec::new();
        for ((low, high), conversation) in &self.conversations {
            if let Some(own) = conversation.parts.get(&of)
                && own.is_open == (list == ChatList::Chats)
            {
                let other = if *low == of { *high } else { *low };
                rows.push((conversation.last, other, own.unread));
            }
        }
        rows.sort_unstable_by(|a, b| b.cmp(a));
        rows.into_iter()
            .map(|(_, other, unread)| (other, unread))
            .collect()
    }
}

/// Writes a message as its author does.
async fn write(store: &Store, (from, to): (UserId, UserId), text: &str) -> bool {
    let (text, key) = (
        ChatText::parse(text).expect("valid"),
        IdempotencyKey::draw(),
    );
    let message = NewMessage {
        text: &text,
        key: &key,
    };
    match write_to(store, from, &[to], message)
        .await
        .expect("an answer")
    {
        Send::Sent(..) => true,
        Send::Refused(SendRefusal::Waiting) => false,
        Send::Refused(refusal) => panic!("{refusal:?}"),
    }
}

/// Opens the conversation as its page does.
async fn read(store: &Store, reader: UserId, chat: ChatId) {
    let last = store.chat_state(chat).await.expect("an answer").last;
    let read = MemberChange::Read(last, ReadMark::Hidden);
    assert!(
        change_member(store, reader, chat, read)
            .await
            .expect("an answer")
    );
}

/// Returns all rows of a list with their unread counts, page by page.
async fn rows(store: &Store, of: UserId, list: ChatList) -> Vec<(UserId, usize)> {
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let page = store.chats_page(of, list, before).await.expect("an answer");
        let row = |chat: &redwing::store::ChatView| (chat.people[0].id, chat.own.unread as usize);
        all.extend(page.items.iter().map(row));
        before = page.next;
        if before.is_none() {
            return all;
        }
    }
}

/// Returns all texts of a chat, oldest first, page by page.
async fn texts(store: &Store, reader: UserId, chat: ChatId) -> Vec<String> {
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let part = ChatPart {
            before,
            count: ChatPart::PAGE,
        };
        let view = store
            .chat(reader, chat, part)
            .await
            .expect("an answer")
            .expect("a member");
        let texts = view
            .messages
            .iter()
            .filter_map(|one| one.text().map(str::to_owned));
        all.extend(texts);
        before = view.next;
        if before.is_none() {
            all.reverse();
            return all;
        }
    }
}

#[test]
fn a_generated_network_has_the_statistics_of_college_messages() {
    let (messages, students) = ORIGINAL;
    let sent = generated(messages, students);
    let pairs: BTreeSet<(usize, usize)> = sent.iter().copied().collect();
    let both_ways = pairs
        .iter()
        .filter(|(from, to)| pairs.contains(&(*to, *from)));
    let (each, share) = (
        messages as f64 / pairs.len() as f64,
        both_ways.count() as f64 / pairs.len() as f64,
    );
    let people: BTreeSet<usize> = sent.iter().flat_map(|(from, to)| [*from, *to]).collect();
    assert!((2.4..4.0).contains(&each), "{each} messages for each pair");
    assert!(
        (0.4..0.8).contains(&share),
        "{share} of pairs have messages both ways"
    );
    assert!(people.len() > students * 9 / 10, "{} people", people.len());
}

#[tokio::test]
async fn a_network_of_messages_equals_a_plain_model() {
    let limit = [
        "--new-account-days",
        "0",
        "--message-requests-per-day",
        "1000",
    ];
    let core = Core::with(&limit);
    let store = &core.store;
    let sent = network();
    let numbers: BTreeSet<usize> = sent.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let who = people(store, "student", numbers.len()).await;
    let ids: BTreeMap<usize, UserId> = numbers.iter().copied().zip(who).collect();
    let (mut model, mut dice) = (Model::default(), StdRng::seed_from_u64(SEED));
    let begun = Instant::now();
    for (at, (from, to)) in sent.iter().copied().enumerate() {
        let text = format!("message {at}");
        let written = write(store, (ids[&from], ids[&to]), &text).await;
        assert_eq!(
            written,
            model.write(at, (from, to), &text),
            "{from} to {to}: {text}"
        );
        if written && dice.random_bool(READS) {
            read(store, ids[&to], ChatId::of(&[ids[&from], ids[&to]])).await;
            model.read((to, from));
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    for (number, id) in &ids {
        for list in [ChatList::Chats, ChatList::Requests] {
            let expected = model.list(*number, list);
            let expected: Vec<(UserId, usize)> = expected
                .into_iter()
                .map(|(other, unread)| (ids[&other], unread))
                .collect();
            assert_eq!(
                rows(store, *id, list).await,
                expected,
                "{list:?} of {number}"
            );
        }
        let unread = model
            .list(*number, ChatList::Chats)
            .into_iter()
            .filter(|(_, unread)| *unread > 0);
        let counted = store.unread_chat_rows(*id).await.expect("an answer").len();
        assert_eq!(counted, unread.count(), "unread conversations of {number}");
    }
    for ((low, high), conversation) in &model.conversations {
        let chat = ChatId::of(&[ids[low], ids[high]]);
        for reader in [low, high] {
            assert_eq!(texts(store, ids[reader], chat).await, conversation.texts);
        }
    }
    core.assert_sound().await;
    crate::costs::print_uncaptured(&format!(
        "replay: {} messages between {} people in {} conversations in {seconds:.1} s; {} waited for an answer\n",
        sent.len() - model.waiting,
        ids.len(),
        model.conversations.len(),
        model.waiting
    ));
}
