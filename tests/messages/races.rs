//! Messages and changes at the same moment: one order for everybody, and exact counts.

use futures_util::future::join_all;
use redwing::{
    actions::messages::{NewMessage, Send, SendRefusal, change_member, write, write_to},
    domain::{ChatId, ChatText, IdempotencyKey, UserId},
    store::{ChatPart, MemberChange, ReadMark, Store},
};

use crate::support::{
    core::Core,
    crowd::{follow, people},
};

async fn send(store: &Store, from: UserId, chat: ChatId, text: &str) -> Send {
    let text = ChatText::parse(text).expect("valid");
    let key = IdempotencyKey::draw();
    let message = NewMessage {
        text: &text,
        key: &key,
    };
    write(store, from, chat, message).await.expect("an answer")
}

/// A chat of people who follow the first.
async fn chat_of(core: &Core, count: usize) -> (Vec<UserId>, ChatId) {
    let who = people(&core.store, "person", count).await;
    for other in &who[1..] {
        follow(&core.store, *other, who[0]).await;
    }
    let (text, key) = (
        ChatText::parse("Hello").expect("valid"),
        IdempotencyKey::draw(),
    );
    let message = NewMessage {
        text: &text,
        key: &key,
    };
    let sent = write_to(&core.store, who[0], &who[1..], message).await;
    match sent.expect("an answer") {
        Send::Sent(chat, _) => (who, chat),
        refused => panic!("{refused:?}"),
    }
}

/// Returns the texts of a chat as a person sees them, oldest first.
async fn texts(store: &Store, who: UserId, chat: ChatId) -> Vec<String> {
    let view = store.chat(who, chat, ChatPart::newest(1000)).await;
    let view = view.expect("an answer").expect("a member");
    let texts = view.messages.iter().rev().filter_map(|one| one.text());
    texts.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_messages_have_one_order_for_everybody_and_exact_counts() {
    let core = Core::start();
    let (who, chat) = chat_of(&core, 4).await;
    let sends = (0..40).map(|number| {
        let (store, from) = (core.store.fork(), who[number % 4]);
        async move { send(&store, from, chat, &format!("message {number}")).await }
    });
    for sent in join_all(sends).await {
        assert!(matches!(sent, Send::Sent(..)), "{sent:?}");
    }
    core.assert_sound().await;
    let first = texts(&core.store, who[0], chat).await;
    assert_eq!(first.len(), 41);
    for person in &who {
        assert_eq!(texts(&core.store, *person, chat).await, first);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_and_writing_at_the_same_moment_leave_exact_counts() {
    let core = Core::start();
    let (who, chat) = chat_of(&core, 2).await;
    for round in 0..10 {
        let (sender, reader) = (core.store.fork(), core.store.fork());
        let state = core.store.chat_state(chat).await.expect("an answer");
        let read = MemberChange::Read(state.last, ReadMark::Shown);
        let text = format!("round {round}");
        let (sent, was_read) = tokio::join!(
            send(&sender, who[0], chat, &text),
            change_member(&reader, who[1], chat, read)
        );
        assert!(matches!(sent, Send::Sent(..)));
        assert!(was_read.expect("an answer"));
        let state = core.store.chat_state(chat).await.expect("an answer");
        assert_eq!(state.members[&who[1]].unread, 1);
        core.assert_sound().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_messages_and_reads_at_the_same_moment_leave_exact_counts_on_both_sides() {
    let core = Core::start();
    let (who, chat) = chat_of(&core, 2).await;
    for round in 0..3 {
        let sends = (0..50).map(|number| {
            let (store, from) = (core.store.fork(), who[number % 2]);
            let text = format!("round {round}, message {number}");
            async move { send(&store, from, chat, &text).await }
        });
        let reads = (0..50).map(|number| {
            let (store, reader) = (core.store.fork(), who[number % 2]);
            async move {
                let last = store.chat_state(chat).await.expect("an answer").last;
                let read = MemberChange::Read(last, ReadMark::Hidden);
                change_member(&store, reader, chat, read).await
            }
        });
        let (sent, read) = tokio::join!(join_all(sends), join_all(reads));
        assert!(
            sent.iter().all(|sent| matches!(sent, Send::Sent(..))),
            "{sent:?}"
        );
        assert!(read.into_iter().all(|read| read.expect("an answer")));
        let state = core.store.chat_state(chat).await.expect("an answer");
        for person in &who {
            let member = state.members[person];
            let counted = core
                .store
                .counted_unread(chat, *person, (member.seen, state.last))
                .await;
            assert_eq!(member.unread, counted.expect("an answer"), "{state:?}");
            let is_unread = !core
                .store
                .unread_chat_rows(*person)
                .await
                .expect("rows")
                .is_empty();
            assert_eq!(is_unread, member.unread > 0, "{state:?}");
        }
        core.assert_sound().await;
    }
    let first = texts(&core.store, who[0], chat).await;
    assert_eq!(first.len(), 151);
    assert_eq!(texts(&core.store, who[1], chat).await, first);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_sent_many_times_at_once_makes_one_message() {
    let core = Core::start();
    let (who, chat) = chat_of(&core, 2).await;
    let (text, key) = (
        ChatText::parse("once").expect("valid"),
        IdempotencyKey::draw(),
    );
    let sends = (0..20).map(|_| {
        let (store, text, key) = (core.store.fork(), &text, &key);
        let from = who[1];
        async move { write(&store, from, chat, NewMessage { text, key }).await }
    });
    let sent: Vec<Send> = join_all(sends)
        .await
        .into_iter()
        .map(|sent| sent.expect("an answer"))
        .collect();
    assert!(sent.iter().all(|one| *one == sent[0]), "{sent:?}");
    assert_eq!(texts(&core.store, who[0], chat).await, ["Hello", "once"]);
    let state = core.store.chat_state(chat).await.expect("an answer");
    assert_eq!(state.members[&who[0]].unread, 1);
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_who_begin_at_the_same_moment_have_one_conversation() {
    let core = Core::with(&["--new-account-days", "0"]);
    let who = people(&core.store, "person", 2).await;
    let begin = async |from: UserId, to: UserId| {
        let (text, key) = (
            ChatText::parse("Hello").expect("valid"),
            IdempotencyKey::draw(),
        );
        let message = NewMessage {
            text: &text,
            key: &key,
        };
        let store = core.store.fork();
        write_to(&store, from, &[to], message)
            .await
            .expect("an answer")
    };
    let (one, other) = tokio::join!(begin(who[0], who[1]), begin(who[1], who[0]));
    let (Send::Sent(chat, _), Send::Sent(same, _)) = (&one, &other) else {
        panic!("{one:?} {other:?}");
    };
    assert_eq!(chat, same);
    core.assert_sound().await;
    for person in &who {
        assert_eq!(texts(&core.store, *person, *chat).await, ["Hello", "Hello"]);
    }
}

/// Two chats with one stranger can begin only if one of both finds neither the claim nor the message of the other.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_groups_with_one_stranger_at_the_same_moment_one_is_refused() {
    let core = Core::with(&[
        "--new-account-days",
        "0",
        "--message-requests-per-day",
        "100",
    ]);
    let who = people(&core.store, "person", 3).await;
    let [author, one, other] = who[..] else {
        panic!("there are three")
    };
    for friend in [one, other] {
        follow(&core.store, friend, author).await;
    }
    for round in 0..8 {
        let stranger = people(&core.store, &format!("stranger_{round}"), 1).await[0];
        let begins = [one, other].map(|friend| {
            let store = core.store.fork();
            async move {
                let text = ChatText::parse("Hello").expect("valid");
                let key = IdempotencyKey::draw();
                let message = NewMessage {
                    text: &text,
                    key: &key,
                };
                write_to(&store, author, &[friend, stranger], message)
                    .await
                    .expect("an answer")
            }
        });
        let sent = join_all(begins).await;
        let refused = sent
            .iter()
            .filter(|one| **one == Send::Refused(SendRefusal::Waiting));
        assert_eq!(refused.count(), 1, "{sent:?}");
        let requests = core.store.chat_request_count(stranger).await;
        assert_eq!(requests.expect("an answer"), 1);
    }
    core.assert_sound().await;
}
