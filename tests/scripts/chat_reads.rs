//! Reads of a chat: only messages that are shown are read, and not more than a number of bytes.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
};

use redwing::store::calls::ReadChat;

use super::{
    Bench,
    messages::{key, send},
};
use crate::support::redis::RedisServer;

/// User 1 reads the newest part of the chat of users 1 and 2.
fn read(count: usize) -> ReadChat {
    ReadChat {
        chat: key("chat:{c}"),
        members: key("chat:{c}:members"),
        messages: key("chat:{c}:messages"),
        hidden: key("chat:{c}:hidden"),
        expiring: key("chat:{c}:expiring"),
        viewer: 1,
        before: String::new(),
        count,
        max_examined: 100,
        max_bytes: 1_000_000,
    }
}

/// Stores messages of this text as if they had been sent.
fn chat_of(redis: &mut Bench, count: u64, text: &str) {
    let sent = redis.call(&send(1, "first"));
    assert!(sent.contains("sent"), "{sent}");
    for id in 1..=count {
        // The text has a line end, so it is one command.
        let stored = format!("'1 1 - {id}\n{text}'");
        redis.run(&key(&format!("HSET chat:{{c}}:messages {id} {stored}")));
    }
    redis.given(&key(&format!("HSET chat:{{c}} last {count}")));
}

fn hide(redis: &mut Bench, ids: impl Iterator<Item = u64>) {
    let marks: Vec<String> = ids.map(|id| format!("1:{id}")).collect();
    redis.given(&key(&format!("SADD chat:{{c}}:hidden {}", marks.join(" "))));
}

/// The end of a reply: the message before which the next part begins, and the number of examined messages.
fn end_of(reply: &str) -> (&str, &str) {
    let mut parts = reply.trim_end_matches(']').rsplitn(3, ", ");
    let examined = parts.next().expect("a number");
    (parts.next().expect("a position"), examined)
}

/// Returns the fields of messages that Redis reads during a call, from the log of its commands.
fn fields_read(server: &RedisServer, call: impl FnOnce()) -> Vec<String> {
    let mut log = UnixStream::connect(server.socket()).expect("the server answers");
    log.write_all(b"MONITOR\r\n").expect("sent");
    let mut lines = BufReader::new(log).lines().map(|line| line.expect("text"));
    assert_eq!(lines.next().as_deref(), Some("+OK"));
    call();
    server.command(&["ECHO", "end"]);
    let key = key("\"HMGET\" \"chat:{c}:messages\" ");
    lines
        .take_while(|line| !line.contains("\"ECHO\" \"end\""))
        .filter_map(|line| line.split_once(&key).map(|(_, fields)| fields.to_owned()))
        .flat_map(|fields| {
            let fields = fields.split(' ').map(|field| field.trim_matches('"'));
            fields.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn only_messages_that_are_shown_are_read() {
    let server = RedisServer::start();
    let mut redis = Bench::on(&server);
    chat_of(&mut redis, 90, "Hello");
    let newest = fields_read(&server, || drop(redis.call(&read(1))));
    assert_eq!(newest, ["90"]);
    hide(&mut redis, 20..=89);
    redis.given(&key("ZADD chat:{c}:expiring 1 90"));
    let shown = fields_read(&server, || {
        let reply = redis.call(&read(1));
        assert_eq!(end_of(&reply), ("19", "72"), "{reply}");
    });
    assert_eq!(shown, ["19"]);
    let three = fields_read(&server, || drop(redis.call(&read(3))));
    assert_eq!(three, ["19", "18", "17"]);
    let few = ReadChat {
        max_examined: 50,
        ..read(1)
    };
    let none = fields_read(&server, || {
        let reply = redis.call(&few);
        assert_eq!(end_of(&reply), ("41", "50"), "{reply}");
    });
    assert!(none.is_empty(), "{none:?}");
}

#[test]
fn many_hidden_messages_in_a_row_take_few_commands() {
    let server = RedisServer::start();
    let mut redis = Bench::on(&server);
    chat_of(&mut redis, 100, "Hello");
    hide(&mut redis, 2..=100);
    redis.run("CONFIG RESETSTAT");
    let reply = redis.call(&read(1));
    assert_eq!(end_of(&reply), ("", "100"), "{reply}");
    let stats = server.ask(&["INFO", "commandstats"]);
    let calls = stats.lines().find_map(|line| {
        let line = line.strip_prefix("cmdstat_smismember:calls=")?;
        line.split(',').next()?.parse::<u64>().ok()
    });
    assert!(calls.is_some_and(|calls| calls <= 7), "{stats}");
}

#[test]
fn a_part_ends_with_the_message_that_reaches_its_bytes() {
    let mut redis = Bench::start();
    let text = "x".repeat(10_000);
    chat_of(&mut redis, 40, &text);
    hide(&mut redis, 11..=20);
    let (mut before, mut seen) = (String::new(), Vec::new());
    loop {
        let part = ReadChat {
            before: before.clone(),
            max_bytes: 55_000,
            ..read(40)
        };
        let reply = redis.call(&part);
        assert!(reply.len() < 55_000 + 3 * 10_000, "{} bytes", reply.len());
        let messages = reply.matches("1 1 - ").count();
        assert!((1..=8).contains(&messages), "{messages} messages");
        let stored = reply.split("1 1 - ").skip(1);
        seen.extend(stored.map(|one| one.split('\n').next().expect("a line").to_owned()));
        before = end_of(&reply).0.to_owned();
        if before.is_empty() {
            break;
        }
    }
    let expected = (21..=40).rev().chain((1..=10).rev());
    let expected: Vec<String> = expected.map(|id: u64| id.to_string()).collect();
    assert_eq!(seen, expected);
}
