//! Messages cut off anywhere: everybody has the message once, or no one has it.

use redwing::{
    actions::messages::{self, NewMessage, Send},
    domain::{ChatId, ChatText, IdempotencyKey, MessageExpiry, MessageId, UserId},
    store::{ChatChange, ChatPart, MemberChange, MessageChange, ReadMark, Store, UnixMs},
};

use super::cut_off_everywhere;
use crate::support::{
    core::Core,
    crowd::{follow, member},
};

struct Scene {
    author: UserId,
    reader: UserId,
    text: ChatText,
    key: IdempotencyKey,
}

async fn scene(core: &Core, number: usize) -> Scene {
    let author = member(&core.store, &format!("author_{number}")).await;
    let reader = member(&core.store, &format!("reader_{number}")).await;
    follow(&core.store, reader, author).await;
    Scene {
        author,
        reader,
        text: ChatText::parse("once").expect("valid"),
        key: IdempotencyKey::draw(),
    }
}

impl Scene {
    async fn send(&self, store: &Store) -> Result<Send, redwing::store::Error> {
        let message = NewMessage {
            text: &self.text,
            key: &self.key,
        };
        messages::write_to(store, self.author, &[self.reader], message).await
    }

    fn chat(&self) -> ChatId {
        ChatId::of(&[self.author, self.reader])
    }

    /// Returns the number of messages that a person sees, and of conversations with unread ones.
    async fn seen_by(&self, store: &Store, who: UserId) -> (usize, usize) {
        let view = store.chat(who, self.chat(), ChatPart::newest(9)).await;
        let messages = view
            .expect("an answer")
            .map_or(0, |view| view.messages.len());
        let unread = store.unread_chat_rows(who).await.expect("an answer");
        (messages, unread.len())
    }
}

#[tokio::test]
async fn a_message_cut_off_anywhere_is_with_everybody_or_with_no_one() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| scene.send(store).await.map(drop),
        async |scene| {
            let (own, _) = scene.seen_by(store, scene.author).await;
            assert!(own <= 1);
            assert_eq!(scene.seen_by(store, scene.reader).await, (own, own));
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_message_sent_again_after_a_crash_is_there_exactly_once() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |broken, scene| {
            let cut_off = scene.send(broken).await.map(drop);
            let again = scene.send(store).await.expect("an answer");
            assert!(matches!(again, Send::Sent(..)), "{again:?}");
            cut_off
        },
        async |scene| {
            assert_eq!(scene.seen_by(store, scene.author).await, (1, 0));
            assert_eq!(scene.seen_by(store, scene.reader).await, (1, 1));
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn changes_of_a_chat_cut_off_anywhere_leave_it_sound() {
    let core = Core::start();
    let store = &core.store;
    let first = MessageId::new(1).expect("in range");
    for change in [
        MemberChange::Read(1, ReadMark::Shown),
        MemberChange::Clear(1),
        MemberChange::Mute,
        MemberChange::Leave,
    ] {
        cut_off_everywhere(
            &core,
            async |number| {
                let scene = scene(&core, number + rand_number()).await;
                scene.send(store).await.expect("an answer");
                scene
            },
            async |broken, scene| {
                let changed = messages::change_member(broken, scene.reader, scene.chat(), change);
                changed.await.map(drop)
            },
            async |_| core.assert_sound().await,
        )
        .await;
    }
    let week = MessageExpiry::parse("7").expect("a time");
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number + rand_number()).await;
            scene.send(store).await.expect("an answer");
            scene
        },
        async |broken, scene| {
            let (author, chat) = (scene.author, scene.chat());
            messages::change_chat(broken, author, chat, ChatChange::Expiry(week)).await?;
            let at = (chat, first);
            let deleted = messages::change_message(broken, author, at, MessageChange::Delete);
            deleted.await.map(drop)
        },
        async |_| core.assert_sound().await,
    )
    .await;
}

/// A number that no other scene of these tests has.
fn rand_number() -> usize {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(1000);
    NEXT.fetch_add(1000, Ordering::Relaxed)
}

#[tokio::test]
async fn messages_that_disappear_cut_off_anywhere_are_gone_and_the_counts_are_exact() {
    let core = Core::start();
    let store = &core.store;
    let week = MessageExpiry::parse("7").expect("a time");
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            scene.send(store).await.expect("an answer");
            let (author, chat) = (scene.author, scene.chat());
            let expiry = ChatChange::Expiry(week);
            messages::change_chat(store, author, chat, expiry)
                .await
                .expect("an answer");
            let key = IdempotencyKey::draw();
            let message = NewMessage {
                text: &scene.text,
                key: &key,
            };
            messages::write(store, author, chat, message)
                .await
                .expect("an answer");
            let expiring = format!("chat:{{{chat}}}:expiring");
            core.redis.command(&["ZADD", &expiring, "1", "3"]);
            core.redis
                .command(&["HSET", &format!("chat:{{{chat}}}"), "expires", "1"]);
            core.redis
                .command(&["ZADD", "chats:expiring", "1", &chat.to_string()]);
            scene
        },
        async |broken, _| {
            messages::expire_due_messages(broken, UnixMs(2))
                .await
                .map(drop)
        },
        async |scene| {
            messages::expire_due_messages(store, UnixMs(2))
                .await
                .expect("an answer");
            // The first message and the event stay.
            assert_eq!(scene.seen_by(store, scene.reader).await, (2, 1));
            let state = store.chat_state(scene.chat()).await.expect("an answer");
            assert_eq!(state.members[&scene.reader].unread, 1);
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_chat_that_everybody_leaves_is_gone_with_all_its_keys_wherever_it_is_cut_off() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let third = member(store, &format!("third_{number}")).await;
            follow(store, third, scene.author).await;
            let people = [scene.reader, third];
            let message = NewMessage {
                text: &scene.text,
                key: &scene.key,
            };
            let sent = messages::write_to(store, scene.author, &people, message).await;
            let Ok(Send::Sent(chat, _)) = sent else {
                panic!("{sent:?}");
            };
            let week = MessageExpiry::parse("7").expect("a time");
            let expiry = ChatChange::Expiry(week);
            messages::change_chat(store, scene.author, chat, expiry)
                .await
                .expect("an answer");
            for person in people {
                let left = messages::leave(store, person, chat).await;
                assert!(left.expect("an answer"));
            }
            (scene, chat)
        },
        async |broken, (scene, chat)| messages::leave(broken, scene.author, *chat).await.map(drop),
        async |(scene, chat)| {
            // Someone who was cut off before can leave.
            messages::leave(store, scene.author, *chat)
                .await
                .expect("an answer");
            let state = store.chat_state(*chat).await.expect("an answer");
            assert!(state.members.is_empty(), "{state:?}");
            let bytes = store.message_bytes(scene.author).await;
            assert_eq!(bytes.expect("an answer"), 0);
            core.assert_sound().await;
        },
    )
    .await;
}
