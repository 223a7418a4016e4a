//! The scripts of direct messages, on the chat of users 1 and 2.

use redwing::store::calls::{
    ChangeChat, ChangeChatMember, ChangeMessage, ExpireMessages, MirrorChat, ReserveRequest,
    SendMessage,
};

use super::{Bench, calls::DEADLINE};

const CHAT: &str = "0123456789abcdef0123456789abcdef";

fn key(pattern: &str) -> String {
    pattern.replace("{c}", &format!("{{{CHAT}}}"))
}

/// User 1 writes in a chat with user 2, which may be new.
pub fn send(author: u64, form: &str) -> SendMessage {
    SendMessage {
        chat: key("chat:{c}"),
        members: key("chat:{c}:members"),
        messages: key("chat:{c}:messages"),
        sent_message: key(&format!("chat:sent:{{c}}:{author}:{form}")),
        hidden: key("chat:{c}:hidden"),
        expiring: key("chat:{c}:expiring"),
        deadline_ms: DEADLINE,
        author,
        text: "Hello".into(),
        digest: "ab".into(),
        key_ttl_s: 99,
        max_messages: 3,
        people: ["1", "open", "2", "open"].map(str::to_owned).into(),
    }
}

pub fn change_member(member: u64, change: &'static str, value: u64) -> ChangeChatMember {
    ChangeChatMember {
        chat: key("chat:{c}"),
        members: key("chat:{c}:members"),
        messages: key("chat:{c}:messages"),
        hidden: key("chat:{c}:hidden"),
        deadline_ms: DEADLINE,
        member,
        change,
        value,
        is_shown: 1,
    }
}

pub fn change_message(member: u64, message: u64, change: &'static str) -> ChangeMessage {
    ChangeMessage {
        chat: key("chat:{c}"),
        members: key("chat:{c}:members"),
        messages: key("chat:{c}:messages"),
        hidden: key("chat:{c}:hidden"),
        deadline_ms: DEADLINE,
        member,
        message,
        change,
        text: "Edited".into(),
        edit_ms: 900_000,
    }
}

pub fn rename(member: u64, name: &str) -> ChangeChat {
    ChangeChat {
        chat: key("chat:{c}"),
        members: key("chat:{c}:members"),
        messages: key("chat:{c}:messages"),
        deadline_ms: DEADLINE,
        member,
        field: "name",
        event: "renamed",
        value: name.into(),
    }
}

pub fn expire(max_messages: usize) -> ExpireMessages {
    ExpireMessages {
        chat: key("chat:{c}"),
        members: key("chat:{c}:members"),
        messages: key("chat:{c}:messages"),
        hidden: key("chat:{c}:hidden"),
        expiring: key("chat:{c}:expiring"),
        deadline_ms: DEADLINE,
        max_messages,
    }
}

pub fn mirror(at_us: u64, unread: u64) -> MirrorChat {
    MirrorChat {
        user: "user:{1}".into(),
        chats: "chats:{1}".into(),
        chat_requests: "chat_requests:{1}".into(),
        unread_chats: "unread_chats:{1}".into(),
        channel: "live:{1}".into(),
        deadline_ms: DEADLINE,
        chat: CHAT.into(),
        place: "chats",
        at_us,
        unread,
    }
}

pub fn reserve(chat: &str, limit: usize) -> ReserveRequest {
    ReserveRequest {
        sent_requests: "sent_requests:{1}".into(),
        deadline_ms: DEADLINE,
        chat: chat.into(),
        limit,
        ttl_s: 86_400,
    }
}

#[test]
fn a_chat_keeps_its_newest_messages_and_counts_only_those() {
    let mut redis = Bench::start();
    for number in 0..5 {
        let sent = redis.call(&send(1, &format!("{number}")));
        assert!(sent.contains("sent"), "{sent}");
    }
    let members = key("HGET chat:{c}:members");
    assert!(
        redis
            .run(&format!("{members} 2"))
            .contains("open 0 3 0 0 0")
    );
    let last = redis.run(&key("HKEYS chat:{c}:messages"));
    assert_eq!(last.matches(['3', '4', '5']).count(), 3, "{last}");
}

#[test]
fn chats_with_the_same_time_have_scores_of_their_own() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice");
    redis.given("ZADD chats:{1} 7 other 8 third");
    redis.call(&mirror(7, 0));
    assert!(
        redis
            .run(&format!("ZSCORE chats:{{1}} {CHAT}"))
            .contains('9')
    );
}

#[test]
fn a_request_is_counted_once_and_the_limit_holds() {
    let mut redis = Bench::start();
    for (chat, outcome) in [
        ("a", "reserved"),
        ("a", "reserved"),
        ("b", "reserved"),
        ("c", "too_many"),
    ] {
        assert_eq!(redis.call(&reserve(chat, 2)), outcome, "{chat}");
    }
}

#[test]
fn messages_disappear_in_steps_and_leave_the_unread_counts() {
    let mut redis = Bench::start();
    redis.call(&send(1, "stays"));
    redis.given(&key("HSET chat:{c} expiry_days 7"));
    for form in ["a", "b"] {
        redis.call(&send(1, form));
    }
    let expires = redis.run(&key("HGET chat:{c} expires"));
    let first = redis.run(&key("ZRANGE chat:{c}:expiring 0 0 WITHSCORES"));
    assert!(first.contains(expires.trim().trim_matches('"')), "{first}");
    redis.given(&key("SADD chat:{c}:hidden 2:3"));
    redis.given(&key("HSET chat:{c}:members 2 'open 0 2 0 0 0'"));
    redis.given(&key("ZADD chat:{c}:expiring 1 2 2 3"));
    let mut unread = Vec::new();
    for _ in 0..3 {
        redis.call(&expire(1));
        unread.push(redis.run(&key("HGET chat:{c}:members 2")));
    }
    let is_one = |row: &String| row.contains("open 0 1 0 0 0");
    assert!(unread.iter().all(is_one), "{unread:?}");
    let messages = redis.run(&key("HKEYS chat:{c}:messages"));
    assert!(
        messages.contains('1') && !messages.contains(['2', '3']),
        "{messages}"
    );
    let left = redis.run(&key("EXISTS chat:{c}:expiring chat:{c}:hidden"));
    assert!(left.contains('0'), "{left}");
    assert!(redis.run(&key("HGET chat:{c} expires")).contains('0'));
}
