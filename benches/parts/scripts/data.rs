//! The worst data of one person that the default limits allow.

use std::fmt::Display;

use redwing::domain::{
    ChatId, FoldedTag, ListId, Notification, NotificationKind, StatusHeader, StatusId, UserId,
};

use crate::redis::{Batch, Outcome, Redis};

/// The default limits.
pub(super) const HOME: u64 = 524;
pub(super) const FOLLOWING: u64 = 5000;
pub(super) const LISTS: u64 = 100;
pub(super) const MEMBERS: u64 = 500;
pub(super) const TAGS: usize = 20;
pub(super) const NOTIFICATIONS: u64 = 1000;
pub(super) const TAG_USES: u64 = 10_000;
/// Number of mutes or invitations that have ended.
pub(super) const ENDED: u64 = 1000;
/// Number of sessions of one person. The limit is 50.
pub(super) const SESSIONS: u64 = 1049;
/// Number of due tasks. One call moves 100.
pub(super) const DUE_TASKS: u64 = 150;
/// Number of homes in one delivery.
pub(super) const DELIVERED_AT_ONCE: u64 = 20;
/// Number of posts in a chunk of the search index.
pub(super) const CHUNK: u64 = 511;
/// Number of messages of a conversation, and number of the newest ones that the reader deleted for themselves.
const MESSAGES: u64 = 1030;
const HIDDEN_MESSAGES: u64 = 990;
/// Bytes of a large message. An earlier version stored as many.
const MESSAGE_BYTES: usize = 32_768;
/// The first status id, and the distance of two.
pub(super) const FIRST: u64 = 1 << 50;
pub(super) const STEP: u64 = 4099;
/// The reader, an author whom they do not follow, and one whom they follow.
pub(super) const READER: u64 = 1;
pub(super) const STRANGER: u64 = 900_000;
pub(super) const FOLLOWED: u64 = 10;

pub(super) fn user(id: u64) -> UserId {
    UserId::new(id).expect("in range")
}

pub(super) fn status(nth: u64) -> StatusId {
    StatusId::new(FIRST + nth * STEP).expect("in range")
}

pub(super) fn tag(number: usize) -> FoldedTag {
    let text = match number {
        last if last + 1 == TAGS => "last".to_owned(),
        number => format!("tag{number}"),
    };
    FoldedTag::stored(&text).expect("a tag")
}

/// Returns a post with as many tags as a post can have.
pub(super) fn post(author: u64, tag_count: usize) -> StatusHeader {
    StatusHeader {
        tags: (0..tag_count).map(tag).collect(),
        ..StatusHeader::of(user(author))
    }
}

pub(super) fn list(number: u64) -> ListId {
    let text = format!("{READER}:{number}");
    text.parse().expect("a list")
}

/// Writes the largest data of one person.
pub(super) fn write(redis: &mut Redis) -> Outcome<()> {
    redis.command(&[&"FLUSHALL"])?;
    let mut batch = Batch::default();
    let numbered = |count: u64, above: u64| (1..=count).map(move |n| (n.cast_signed(), above + n));
    let following: Vec<(i64, u64)> = numbered(FOLLOWING, FOLLOWED - 1).collect();
    batch.add_scored("following:{1}", &following);
    batch.add_scored("hidden_reposts:{1}", &following);
    let home: Vec<(i64, u64)> = (0..HOME)
        .map(|nth| (-status(nth).get().cast_signed(), status(nth).get()))
        .collect();
    let others: Vec<(i64, u64)> = home.iter().copied().step_by(2).collect();
    batch.add_scored("home:{1}", &home);
    batch.add_scored("profile:{1}", &others);
    batch.add_scored("received_replies:{1}", &home);
    batch.add_scored("followers:{1}", &following);
    batch.add(&[&"SET", &"active:{1}", &5, &"EX", &1000]);
    write_lists(&mut batch);
    write_small_keys(&mut batch);
    for id in 2..2 + DELIVERED_AT_ONCE {
        batch.add_scored(&format!("home:{{{id}}}"), &home);
        batch.add(&[&"SET", &format!("active:{{{id}}}"), &5, &"EX", &1000]);
        batch.add(&[&"ZADD", &format!("followed_tags:{{{id}}}"), &1, &"last"]);
        write_reading(&mut batch, id);
    }
    redis.send(&mut batch).map(drop)
}

/// Changes the data for one script.
pub(super) fn write_for(script: &str, redis: &mut Redis) -> Outcome<()> {
    let mut batch = Batch::default();
    let ended: Vec<(i64, u64)> = (1..=ENDED).map(|nth| (nth.cast_signed(), nth)).collect();
    match script {
        "recount_excluded" => batch.add(&[&"DEL", &"excluded:{1}"]),
        "save_session" => {
            let beyond: Vec<(i64, u64)> = (1..=SESSIONS).map(|nth| (1, nth)).collect();
            batch.add_scored("sessions:{1}", &beyond);
        }
        "set_mute" => batch.add_scored("muted:{1}", &ended),
        "read_chat" => write_chat(&mut batch),
        "make_invitation" => batch.add_scored("invitations:{1}", &ended),
        "accept_request" => {
            batch.add(&[&"ZREM", &"following:{1}", &FOLLOWED]);
            batch.add(&[&"ZADD", &"requested:{1}", &1, &FOLLOWED]);
        }
        "finish_deletion" => {
            batch.add(&[&"HSET", &"user:{1}", &"leaving", &"deleting"]);
            let connections = [
                "following",
                "followers",
                "followed_tags",
                "lists",
                "profile",
            ];
            for key in connections {
                batch.add(&[&"DEL", &format!("{key}:{{1}}")]);
            }
        }
        _ => return Ok(()),
    }
    redis.send(&mut batch).map(drop)
}

/// Writes a hundred exclusive lists with all members, and one that is not exclusive.
pub(super) fn write_lists(batch: &mut Batch) {
    let mut excluded = Vec::new();
    for list in 0..=LISTS {
        let members = (1..=MEMBERS).map(|nth| (nth.cast_signed(), list * MEMBERS + nth));
        let members: Vec<(i64, u64)> = members.collect();
        batch.add_scored(&format!("list:{{1}}:{}:members", list + 1), &members);
        let is_exclusive = u8::from(list < LISTS);
        let value = format!("{is_exclusive}:list");
        batch.add(&[&"HSET", &"lists:{1}", &(list + 1), &value]);
        if is_exclusive == 1 {
            excluded.extend(members.iter().map(|(_, member)| (1, *member)));
        }
    }
    batch.add_scored("excluded:{1}", &excluded);
}

/// Returns the conversation of the reader and a person.
pub(super) fn chat() -> ChatId {
    ChatId::of(&[user(READER), user(FOLLOWED)])
}

fn write_chat(batch: &mut Batch) {
    let chat = format!("chat:{{{}}}", chat());
    let (members, messages) = (format!("{chat}:members"), format!("{chat}:messages"));
    let hidden = format!("{chat}:hidden");
    batch.add(&[&"HSET", &chat, &"last", &MESSAGES]);
    for person in [READER, FOLLOWED] {
        batch.add(&[&"HSET", &members, &person, &"open 0 0 0 0 0 0"]);
    }
    let stored = format!("{FOLLOWED} 1 -\n{}", "x".repeat(MESSAGE_BYTES));
    for id in 1..=MESSAGES {
        batch.add(&[&"HSET", &messages, &id, &stored]);
        if id > MESSAGES - HIDDEN_MESSAGES {
            batch.add(&[&"SADD", &hidden, &format!("{READER}:{id}")]);
        }
    }
}

pub(super) fn write_reading(batch: &mut Batch, id: u64) {
    let ranges = (0..24).map(|nth| {
        let low = FIRST + nth * 20 * STEP;
        format!("{low}-{}", low + 18 * STEP)
    });
    let ranges: Vec<String> = ranges.collect();
    let ranges = ranges.join(",");
    let reading = format!("reading:{{{id}}}");
    batch.add(&[
        &"HSET", &reading, &"before", &ranges, &"shown", &ranges, &"at", &1,
    ]);
}

/// Writes the notifications, a chunk of the search index, and the keys that show that the person exists.
pub(super) fn write_small_keys(batch: &mut Batch) {
    let epoch = "epoch";
    batch.add(&[&"HSET", &"user:{1}", &"login", &"reader"]);
    batch.add(&[&"HSET", &"auth:{1}", &"epoch", &epoch]);
    batch.add(&[&"SET", &"session:{1}:session", &"state"]);
    batch.add(&[&"ZADD", &"muted:{1}", &i64::MAX, &STRANGER]);
    write_reading(batch, READER);
    for number in 0..100 {
        let tag = format!("followed{number}");
        batch.add(&[&"ZADD", &"followed_tags:{1}", &1, &tag]);
    }
    for number in 1..=200 {
        let (at, id) = (format!("1-{number}"), status(number));
        batch.add(&[&"XADD", &"arrivals:{1}", &at, &"status", &id]);
    }
    for number in 1..=NOTIFICATIONS {
        for (score, by) in [(1, FOLLOWED + number), (-1, 11)] {
            let score = score * number.cast_signed();
            let entry = notification(number, by);
            batch.add(&[&"ZADD", &"notifications:{1}", &score, &entry]);
        }
    }
    for number in 1..=CHUNK {
        batch.add(&[&"SADD", &"postings:{word}:0", &status(number)]);
    }
    for number in 1..=DUE_TASKS {
        let task = format!("{number:032x} 0 index {number}");
        batch.add(&[&"ZADD", &"tasks:{0}:later", &number, &task]);
    }
    let uses: Vec<(i64, u64)> = (1..=TAG_USES).map(|nth| (nth.cast_signed(), nth)).collect();
    batch.add_scored("tag_uses:{last}", &uses);
}

pub(super) fn notification(number: u64, by: u64) -> impl Display {
    Notification {
        kind: NotificationKind::Favourite(status(number)),
        by: user(by),
    }
}
