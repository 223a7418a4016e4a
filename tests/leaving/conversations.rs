//! The conversations of a person whose account is deleted, also those that no list of theirs shows.

use redwing::{
    actions::{
        account_states,
        messages::{NewMessage, Send, change_member, change_message, leave, write_to},
    },
    domain::{ChatId, ChatText, IdempotencyKey, MemberState, MessageId, UserId},
    store::{MemberChange, MessageChange, Store},
};

use super::deletion::everything;
use crate::support::{core::Core, crowd};

/// Writes to these people. Returns the chat and the message.
async fn write(store: &Store, author: UserId, people: &[UserId]) -> (ChatId, MessageId) {
    let text = ChatText::parse("Hello").expect("a valid text");
    let key = IdempotencyKey::draw();
    let message = NewMessage {
        text: &text,
        key: &key,
    };
    match write_to(store, author, people, message).await {
        Ok(Send::Sent(chat, id)) => (chat, id),
        other => panic!("not sent: {other:?}"),
    }
}

#[tokio::test]
async fn a_deleted_person_leaves_conversations_that_no_list_shows() {
    let mut core = Core::with(&["--new-account-days", "0"]);
    let store = &core.store.clone();
    let gone = crowd::member(store, "gone").await;
    let friend = crowd::member(store, "friend").await;
    let stranger = crowd::member(store, "stranger").await;
    crowd::follow(store, gone, friend).await;
    crowd::follow(store, stranger, friend).await;
    let (cleared, first) = write(store, friend, &[gone]).await;
    let hide = change_message(store, gone, (cleared, first), MessageChange::Hide).await;
    hide.expect("an answer");
    let clear = MemberChange::Clear(first.get());
    change_member(store, gone, cleared, clear)
        .await
        .expect("an answer");
    let (ignored, _) = write(store, stranger, &[gone]).await;
    change_member(store, gone, ignored, MemberChange::Ignore)
        .await
        .expect("an answer");
    let (left, _) = write(store, friend, &[gone, stranger]).await;
    assert!(leave(store, gone, left).await.expect("an answer"));
    core.drain().await;
    let marks = |core: &mut Core| {
        let keys = everything(core).into_iter().map(|(key, _)| key);
        keys.filter(|key| key.ends_with(":hidden")).count()
    };
    assert_eq!(marks(&mut core), 1);

    account_states::delete(store, gone)
        .await
        .expect("an answer");
    core.drain().await;
    for chat in [cleared, ignored, left] {
        let state = store.chat_state(chat).await.expect("an answer");
        assert_eq!(state.members[&gone].state, MemberState::Gone, "{chat}");
    }
    assert_eq!(marks(&mut core), 0, "marks of messages");
    core.assert_sound().await;
}
