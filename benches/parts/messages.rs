//! Direct messages: writing in a long conversation, and the pages of that conversation and of many conversations.

use std::time::{Duration, Instant};

use redwing::{
    actions::messages::{NewMessage, Send, write, write_to},
    domain::{ChatId, ChatText, IdempotencyKey, UserId},
};

use super::pages::{self, Case, Loads};
use crate::{
    actions::Actions,
    member::Member,
    redis::Outcome,
    results::{Row, format_thousands},
    spread::Spread,
    world::{World, ms, page_request},
};

const PART: &str = "Messages";
const MESSAGES: u64 = 10_000;
const CONVERSATIONS: u64 = 500;
const CONNECTIONS: [usize; 1] = [16];
/// Messages that are sent in one round.
const SENDS: usize = 20;
const TEXT: &str =
    "A message of a bench is neither short nor long, but it is as long as many messages are.";

pub fn run(world: &mut World, rounds: usize, lasting: Duration) -> Outcome<Vec<Row>> {
    let [writer, partner] = [0, 1].map(|number: usize| world.readers[number].clone());
    let actions = Actions::on(&world.site)?;
    let chat = write_conversation(&actions, [&writer, &partner])?;
    write_to_many(&actions, &writer)?;
    let (path, middle) = (format!("/messages/{chat}"), MESSAGES / 2);
    let case = |name, path: &str| Case {
        name,
        at: world.site.address,
        requests: vec![page_request(path, &writer)],
    };
    let cases = vec![
        case("conversation of 10,000 messages", &path),
        case("the middle of it", &format!("{path}?before={middle}")),
        case("list of 500 conversations", "/messages"),
    ];
    let loads = Loads {
        connections: &CONNECTIONS,
        rounds,
        lasting,
    };
    let mut rows = vec![sends(world, (&writer, &path), rounds)?];
    rows.extend(pages::compare(world, PART, cases, loads)?);
    Ok(rows)
}

/// Sends messages through the form of the conversation.
fn sends(world: &mut World, (writer, path): (&Member, &str), rounds: usize) -> Outcome<Row> {
    let mut answered = Vec::new();
    for _ in 0..rounds * SENDS {
        let key = format!("{:032x}", rand::random::<u128>());
        let request = writer.send(path, &[("message", TEXT), ("idempotency_key", &key)]);
        let begun = Instant::now();
        world.connection.expect(303, &request)?;
        answered.push(ms(begun.elapsed()));
    }
    let messages = format_thousands(MESSAGES as f64);
    let label = format!("send a message in a conversation of {messages}: response");
    Ok(Row::new(PART, label, "ms", Spread::of(answered)))
}

/// Writes a conversation in which both people write in turn.
fn write_conversation(actions: &Actions, people: [&Member; 2]) -> Outcome<ChatId> {
    let store = &actions.store;
    let [one, other] = people.map(|person| UserId::new(person.uid));
    let (people, text) = ([one?, other?], ChatText::parse(TEXT)?);
    let chat = ChatId::of(&people);
    actions.run(async {
        for number in 0..MESSAGES {
            let key = &IdempotencyKey::draw();
            let message = NewMessage { text: &text, key };
            let [author, reader] = match number % 2 {
                0 => people,
                _ => [people[1], people[0]],
            };
            let sent = match number {
                0 => write_to(store, author, &[reader], message).await?,
                _ => write(store, author, chat, message).await?,
            };
            assert!(matches!(sent, Send::Sent(..)), "{sent:?}");
        }
        Ok(chat)
    })
}

/// Writes a first message to many people.
fn write_to_many(actions: &Actions, writer: &Member) -> Outcome<()> {
    let (writer, text) = (UserId::new(writer.uid)?, ChatText::parse(TEXT)?);
    let people = (1..=CONVERSATIONS + 1).map(UserId::new);
    let people: Vec<UserId> = people.collect::<Result<_, _>>()?;
    actions.run(async {
        for person in people.into_iter().filter(|person| *person != writer) {
            let key = &IdempotencyKey::draw();
            let message = NewMessage { text: &text, key };
            let sent = write_to(&actions.store, writer, &[person], message).await?;
            assert!(matches!(sent, Send::Sent(..)), "{sent:?}");
        }
        Ok(())
    })
}
