//! The scripts of direct messages, on the chat of users 1 and 2.

use redwing::store::calls::{
    ChangeChat, ChangeChatMember, ChangeMessage, DeleteChat, ExpireMessages, MirrorChat,
    ReserveRequest, SendMessage,
};

use super::{Bench, calls::DEADLINE};

const CHAT: &str = "0123456789abcdef0123456789abcdef";

pub fn key(pattern: &str) -> String {
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
        room_bytes: 9999,
        age_ms: 0,
        people: ["1", "open", "2", "open"].map(str::to_owned).into(),
    }
}

pub fn change_member(member: u64, change: &'static str, value: i64) -> ChangeChatMember {
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
        revision: 0,
        edit_ms: 900_000,
        room_bytes: 9999,
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
        room_bytes: 9999,
        age_ms: 0,
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
        now_ms: 6,
    }
}

/// Deletes the chat of users 1 and 2, which both have left in the scene of `rules/deadlines.rs`.
pub fn delete_chat() -> DeleteChat {
    let key = |name: &str| name.replace("{c}", "{fedcba9876543210fedcba9876543210}");
    DeleteChat {
        chat: key("chat:{c}"),
        members: key("chat:{c}:members"),
        messages: key("chat:{c}:messages"),
        hidden: key("chat:{c}:hidden"),
        expiring: key("chat:{c}:expiring"),
        deadline_ms: DEADLINE,
    }
}

pub fn mirror(at_us: u64, unread: u64) -> MirrorChat {
    MirrorChat {
        user: "user:{1}".into(),
        chats: "chats:{1}".into(),
        chat_requests: "chat_requests:{1}".into(),
        unread_chats: "unread_chats:{1}".into(),
        channel: "live:{1}".into(),
        chat_bytes: "chat_bytes:{1}".into(),
        deadline_ms: DEADLINE,
        chat: CHAT.into(),
        place: "chats",
        at_us,
        unread,
        bytes: 0,
    }
}

pub fn reserve(chat: &str, limit: usize) -> ReserveRequest {
    ReserveRequest {
        sent_requests: "sent_requests:{1}".into(),
        request_claims: "request_claims:{1}".into(),
        deadline_ms: DEADLINE,
        chat: chat.into(),
        limit,
        day_s: 86_400,
        ttl_s: 2_592_000,
        strangers: Vec::new(),
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

/// Returns the numbers of the messages of a chat, with their authors.
fn stored_messages(redis: &mut Bench) -> Vec<String> {
    let mut all = Vec::new();
    for number in 1..=99 {
        let stored = redis.run(&key(&format!("HGET chat:{{c}}:messages {number}")));
        if let Some((author, _)) = stored.split_once(' ') {
            all.push(format!("{number} of {}", author.trim_matches('"')));
        }
    }
    all
}

#[test]
fn a_person_who_writes_very_many_messages_pushes_out_no_message_of_others() {
    let mut redis = Bench::start();
    // Few long messages have more bytes than many short ones.
    let limit = |author, form: &str| SendMessage {
        max_messages: 6,
        text: "x".repeat(if author == 2 { 5_000 } else { 1 }),
        ..send(author, form)
    };
    for form in ["a", "b"] {
        redis.call(&limit(2, form));
    }
    for number in 0..40 {
        redis.call(&limit(1, &format!("{number}")));
    }
    let kept = stored_messages(&mut redis);
    let expected = [
        "1 of 2", "2 of 2", "39 of 1", "40 of 1", "41 of 1", "42 of 1",
    ];
    assert_eq!(kept, expected);
    assert_eq!(redis.run(&key("HGET chat:{c} first")), "1");
    // A share is used up by whoever writes, as far as the other does not need it.
    for number in 0..3 {
        redis.call(&limit(2, &format!("later {number}")));
    }
    let kept = stored_messages(&mut redis);
    let of_second = kept.iter().filter(|one| one.ends_with("of 2")).count();
    assert_eq!((kept.len(), of_second), (6, 3), "{kept:?}");
    let unread = redis.run(&key("HGET chat:{c}:members 2"));
    assert!(unread.starts_with("open "), "{unread}");
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
    // A request of another day is kept and not counted.
    let time = redis.run("TIME");
    let seconds = time.trim_matches(['[', ']']).split(',').next();
    let seconds: u64 = seconds.and_then(|s| s.parse().ok()).expect("a time");
    let two_days_ago = (seconds - 2 * 86_400) * 1000;
    redis.given(&format!("ZADD sent_requests:{{1}} {two_days_ago} a"));
    assert_eq!(redis.call(&reserve("c", 2)), "reserved");
    assert_eq!(redis.run("ZCARD sent_requests:{1}"), "3");
}

#[test]
fn a_stranger_is_claimed_by_one_chat_until_the_deadline_of_its_message() {
    let mut redis = Bench::start();
    let reserve_with = |chat: &str, strangers: &[u64]| ReserveRequest {
        strangers: strangers.to_vec(),
        ..reserve(chat, 9)
    };
    assert_eq!(redis.call(&reserve_with("a", &[7, 8])), "reserved");
    assert_eq!(redis.call(&reserve_with("a", &[7, 8])), "reserved");
    assert_eq!(redis.call(&reserve_with("b", &[6, 8])), "claimed");
    assert_eq!(redis.run("ZCARD sent_requests:{1}"), "1");
    assert_eq!(redis.call(&reserve_with("c", &[6])), "reserved");
    assert_ne!(redis.run("PTTL request_claims:{1}"), "-1");
    redis.given("HSET request_claims:{1} 8 'a 1'");
    assert_eq!(redis.call(&reserve_with("b", &[8])), "reserved");
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

#[test]
fn a_message_after_one_of_the_future_disappears_in_its_time() {
    const FUTURE_MS: u64 = 10_000_000_000_000;
    let mut redis = Bench::start();
    redis.call(&send(1, "by a wrong clock"));
    redis.given(&key(&format!(
        "HSET chat:{{c}} expiry_days 7 at {FUTURE_MS}000"
    )));
    redis.call(&send(1, "a"));
    let end = redis.run(&key("ZSCORE chat:{c}:expiring 2"));
    let end = end.trim().trim_matches('"').parse::<f64>().expect("a time");
    assert!(end < FUTURE_MS as f64, "{end}");
}

/// Stores unread messages of user 1 for user 2, as if they had been sent.
fn with_unread(count: u64) -> Bench {
    let mut redis = Bench::start();
    let sent = redis.call(&send(1, "first"));
    assert!(sent.contains("sent"), "{sent}");
    for first in (2..=count).step_by(500) {
        let numbers = first..=count.min(first + 499);
        let stored: Vec<String> = numbers.map(|id| format!("{id} '1 1 -\nHello'")).collect();
        redis.run(&key(&format!(
            "HSET chat:{{c}}:messages {}",
            stored.join(" ")
        )));
    }
    redis.run(&key(&format!("HSET chat:{{c}} last {count}")));
    let part = format!("HSET chat:{{c}}:members 2 'open 0 {count} 0 0 0'");
    redis.run(&key(&part));
    redis
}

fn part_of(redis: &mut Bench, member: u64) -> String {
    redis.run(&key(&format!("HGET chat:{{c}}:members {member}")))
}

#[test]
fn a_position_takes_the_messages_up_to_it_from_the_unread_ones() {
    let mut redis = with_unread(1500);
    for (change, value, part) in [
        ("clear", 0, "open 0 1500 0 0 0 0"),
        ("read", 20, "open 20 1480 0 0 0 0"),
        ("clear", 1490, "open 20 10 1490 0 0 0"),
        ("clear", 1400, "open 20 10 1490 0 0 0"),
        ("read", 9999, "open 1500 0 1490 0 0 0"),
    ] {
        redis.call(&change_member(2, change, value));
        assert_eq!(part_of(&mut redis, 2), part, "{change} {value}");
    }
}

#[test]
fn a_position_moves_over_a_bounded_number_of_messages() {
    let mut redis = with_unread(5000);
    redis.call(&change_member(2, "clear", 2500));
    assert_eq!(part_of(&mut redis, 2), "open 0 4000 1000 0 0 0");
    redis.call(&change_member(2, "clear", 5000));
    assert_eq!(part_of(&mut redis, 2), "open 0 0 5000 0 0 0");
}

#[test]
fn removed_messages_leave_no_mark_and_events_take_places() {
    let mut redis = Bench::start();
    redis.call(&send(1, "0"));
    redis.call(&change_message(2, 1, "hide"));
    assert_eq!(redis.run(&key("SCARD chat:{c}:hidden")), "1");
    for number in 0..4 {
        redis.call(&rename(1, &format!("name {number}")));
    }
    redis.call(&send(1, "1"));
    assert_eq!(redis.run(&key("HLEN chat:{c}:messages")), "3");
    assert_eq!(redis.run(&key("HGET chat:{c} first")), "4");
    assert_eq!(redis.run(&key("EXISTS chat:{c}:hidden")), "0");
}

/// Returns the bytes that the messages of a member count as.
fn bytes_of(redis: &mut Bench, member: u64) -> u64 {
    let part = part_of(redis, member);
    let bytes = part.rsplit(' ').next().expect("a column");
    bytes.parse().expect("a number")
}

/// Returns the bytes that one stored message counts as.
fn entry_bytes(redis: &mut Bench, message: u64) -> u64 {
    let length = redis.run(&key(&format!("HSTRLEN chat:{{c}}:messages {message}")));
    128 + length.parse::<u64>().expect("a number")
}

#[test]
fn each_message_counts_for_its_author_until_it_is_removed() {
    let mut redis = Bench::start();
    redis.call(&send(1, "a"));
    let first = entry_bytes(&mut redis, 1);
    assert_eq!(
        (bytes_of(&mut redis, 1), bytes_of(&mut redis, 2)),
        (first, 0)
    );
    redis.call(&send(2, "b"));
    redis.call(&change_message(1, 1, "edit"));
    let edited = entry_bytes(&mut redis, 1);
    assert!(edited > first);
    assert_eq!(bytes_of(&mut redis, 1), edited);
    redis.call(&change_message(1, 1, "delete"));
    let tombstone = entry_bytes(&mut redis, 1);
    assert!(tombstone < edited);
    assert_eq!(bytes_of(&mut redis, 1), tombstone);
    redis.call(&rename(1, "Boats"));
    let event = entry_bytes(&mut redis, 3);
    assert_eq!(bytes_of(&mut redis, 1), tombstone + event);
    // The fourth entry removes the oldest one of the person who wrote the most.
    redis.call(&send(2, "c"));
    assert_eq!(bytes_of(&mut redis, 1), tombstone + event);
    assert_eq!(bytes_of(&mut redis, 2), entry_bytes(&mut redis, 4));
    redis.given(&key("ZADD chat:{c}:expiring 1 1"));
    redis.call(&expire(9));
    assert_eq!(bytes_of(&mut redis, 1), event);
}

#[test]
fn an_edit_changes_only_the_revision_that_its_form_had() {
    let mut redis = Bench::start();
    redis.call(&send(1, "a"));
    let edit = |text: &str, revision| ChangeMessage {
        text: text.into(),
        revision,
        ..change_message(1, 1, "edit")
    };
    assert!(redis.call(&edit("one", 0)).contains("changed"));
    assert!(redis.call(&edit("one", 0)).contains("changed"), "again");
    assert!(redis.call(&edit("two", 0)).contains("outdated"));
    let stored = redis.run(&key("HGET chat:{c}:messages 1"));
    let head = stored.lines().next().expect("a head");
    let revision = head.rsplit(' ').next().expect("a mark");
    let revision = revision.parse().expect("a time");
    assert!(redis.call(&edit("two", revision)).contains("changed"));
    let stored = redis.run(&key("HGET chat:{c}:messages 1"));
    assert!(stored.ends_with("two"), "{stored}");
}

#[test]
fn an_author_without_room_writes_and_changes_nothing() {
    let mut redis = Bench::start();
    let no_room = |form| SendMessage {
        room_bytes: 100,
        ..send(1, form)
    };
    assert!(redis.call(&no_room("a")).contains("over_quota"));
    assert_eq!(redis.run(&key("EXISTS chat:{c} chat:{c}:members")), "0");
    redis.call(&send(1, "b"));
    assert!(redis.call(&no_room("c")).contains("over_quota"));
    // A form that was sent before is no new message.
    assert!(redis.call(&no_room("b")).contains("sent"));
    let longer = ChangeMessage {
        room_bytes: 0,
        ..change_message(1, 1, "edit")
    };
    assert!(redis.call(&longer).contains("over_quota"));
    let before = redis.run(&key("HGET chat:{c}:messages 1"));
    assert!(before.contains("Hello"), "{before}");
    let renamed = ChangeChat {
        room_bytes: 100,
        ..rename(1, "Boats")
    };
    assert!(redis.call(&renamed).contains("over_quota"));
    assert_eq!(redis.run(&key("HEXISTS chat:{c} name")), "0");
    assert_eq!(redis.run(&key("HGET chat:{c} last")), "1");
    assert!(
        redis
            .call(&change_message(1, 1, "delete"))
            .contains("changed")
    );
}

#[test]
fn the_copy_of_the_bytes_and_their_sum_follow_the_chat() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice");
    redis.given("HSET chat_bytes:{1} other 5 sum 5");
    for (bytes, stored) in [(700, "700"), (700, "700"), (300, "300")] {
        redis.call(&MirrorChat {
            bytes,
            ..mirror(7, 0)
        });
        let copy = redis.run(&format!("HGET chat_bytes:{{1}} {CHAT}"));
        assert_eq!(copy, stored);
        let sum = redis.run("HGET chat_bytes:{1} sum");
        assert_eq!(sum, (bytes + 5).to_string());
    }
    redis.call(&mirror(7, 0));
    assert_eq!(redis.run("HGET chat_bytes:{1} sum"), "5");
    assert_eq!(redis.run("HLEN chat_bytes:{1}"), "2");
    redis.given("DEL user:{1}");
    redis.call(&MirrorChat {
        bytes: 9,
        ..mirror(7, 0)
    });
    assert_eq!(redis.run(&format!("HEXISTS chat_bytes:{{1}} {CHAT}")), "0");
}

#[test]
fn a_chat_is_deleted_only_when_everybody_has_left() {
    let mut redis = Bench::start();
    let delete = DeleteChat {
        chat: key("chat:{c}"),
        members: key("chat:{c}:members"),
        messages: key("chat:{c}:messages"),
        hidden: key("chat:{c}:hidden"),
        expiring: key("chat:{c}:expiring"),
        deadline_ms: DEADLINE,
    };
    redis.call(&send(1, "a"));
    for (change, outcome) in [("leave", "in_use"), ("go", "in_use")] {
        redis.call(&change_member(1, change, 0));
        assert_eq!(redis.call(&delete), outcome, "{change}");
    }
    assert_eq!(redis.run(&key("EXISTS chat:{c} chat:{c}:members")), "2");
    redis.call(&change_member(2, "leave", 0));
    assert_eq!(redis.call(&delete), "deleted");
    let all =
        "EXISTS chat:{c} chat:{c}:members chat:{c}:messages chat:{c}:hidden chat:{c}:expiring";
    assert_eq!(redis.run(&key(all)), "0");
    // The form of a message that is gone begins the chat again.
    assert!(redis.call(&send(1, "a")).contains("sent"));
    assert_eq!(redis.run(&key("HLEN chat:{c}:messages")), "1");
}
