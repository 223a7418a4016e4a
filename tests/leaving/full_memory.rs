//! An account is deleted to the end although Redis has no memory left.

use redwing::{
    actions::{
        account_states,
        messages::{NewMessage, Send, change_chat, write_to},
        moderation::{ReportResult, Reported},
    },
    domain::{ChatText, GroupKind, IdempotencyKey, MessageExpiry, UserId},
    store::{ChangeOutcome, ChatChange, Store, UnixMs},
};

use super::deletion::{connect, traces};
use crate::{
    moderation::report_by,
    support::{
        core::Core, crowd, groups, pool::Redis, redis::RedisServer, running_worker::RunningWorker,
        waiting::eventually,
    },
};

/// Makes a person the owner of a group with another member, a writer of messages that expire, and a subject and an
/// author of reports.
async fn entangle(store: &Store, gone: UserId, other: UserId, third: UserId) {
    let draft = groups::draft("birds", GroupKind::Public);
    let group = groups::found(store, gone, &draft).await;
    groups::join(store, group, other).await;
    groups::post(store, group, gone, "in the group").await;
    let message = NewMessage {
        text: &ChatText::parse("Hello").expect("a valid text"),
        key: &IdempotencyKey::draw(),
    };
    let sent = write_to(store, gone, &[other], message).await;
    let Ok(Send::Sent(chat, _)) = sent else {
        panic!("not sent: {sent:?}")
    };
    let expiry = ChatChange::Expiry(Some(MessageExpiry::ALL[0]));
    let changed = change_chat(store, other, chat, expiry).await;
    changed.expect("an answer");
    for (by, about) in [(third, gone), (gone, third), (other, gone)] {
        let reported = report_by(store, by, Reported::Person(about)).await;
        assert_eq!(reported, ReportResult::Done);
    }
}

#[tokio::test]
async fn an_account_is_deleted_without_memory_left() {
    let arguments = ["--new-account-days", "0"];
    let mut core = Core::on(Redis::Node(RedisServer::start()), &arguments);
    let store = core.store.clone();
    let other = crowd::member(&store, "other").await;
    let third = crowd::member(&store, "third").await;
    // Ids have several digits, so the search finds no other number by chance.
    for number in 0..80 {
        crowd::member(&store, &format!("filler_{number}")).await;
    }
    let gone = crowd::member(&store, "gone").await;
    connect(&core, gone, other, third).await;
    entangle(&store, gone, other, third).await;
    core.drain().await;
    assert!(!traces(&mut core, gone, "gone").is_empty());
    let set_limit = |bytes: &str| {
        let node = core.redis.one_node();
        node.command(&["CONFIG", "SET", "maxmemory", bytes]);
    };
    set_limit("1");
    let begun = account_states::delete(&store, gone).await;
    assert_eq!(begun.expect("an answer"), ChangeOutcome::Changed);
    // The outbox entry of the deletion is due.
    let end_of_time = UnixMs((1 << 53) - 1);
    let moved = store.move_due(0, Some(end_of_time)).await;
    assert_ne!(moved.expect("an answer"), 0);
    let worker = RunningWorker::start(&store);
    eventually("the account is gone", async || {
        store.user(gone).await.is_ok_and(|user| user.is_none())
    })
    .await;
    worker.stop().await;
    set_limit("0");
    // Notices to others waited for room. The next owner of the group has one now.
    core.drain().await;
    let mut traces = traces(&mut core, gone, "gone");
    // Conversations and the log of a group belong to the others.
    traces.retain(|trace| !trace.starts_with("chat:{") && !trace.contains(":log: "));
    assert_eq!(traces, Vec::<String>::new());
    let notices = store.group_notices(other).await.expect("an answer");
    assert_eq!(notices.len(), 1);
    core.assert_sound().await;
}
