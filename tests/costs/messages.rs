//! The cost of messages: the list, an open conversation and a new message.

use redwing::{
    actions::messages::{self, NewMessage},
    domain::{ChatId, ChatText, IdempotencyKey, UserId},
    store::Store,
};

use super::{Cost, ROUNDS, cheaper, cheapest, cost};
use crate::support::{Person, Site, crowd::uid};

const CONVERSATIONS: usize = 30;
const MESSAGES: usize = 50;

async fn write(store: &Store, from: UserId, to: UserId, text: &str) {
    let (text, key) = (
        ChatText::parse(text).expect("valid"),
        IdempotencyKey::draw(),
    );
    let message = NewMessage {
        text: &text,
        key: &key,
    };
    let sent = messages::write_to(store, from, &[to], message)
        .await
        .expect("an answer");
    assert!(matches!(sent, messages::Send::Sent(..)), "{sent:?}");
}

/// Measures messages of a reader who follows the people `author_0` to `author_39`.
pub(super) async fn costs(site: &Site, reader: &Person) -> Vec<(&'static str, Cost)> {
    let store = &site.store;
    let own = uid(store, "reader").await;
    let mut last = own;
    for number in 0..CONVERSATIONS {
        last = uid(store, &format!("author_{number}")).await;
        write(store, last, own, "the kettle is on").await;
    }
    for number in 1..MESSAGES {
        write(store, last, own, &format!("{number}: the kettle is on")).await;
    }
    let path = format!("/messages/{}", ChatId::of(&[own, last]));
    let list = cheapest(site, async || reader.open("/messages").await).await;
    let conversation = cheapest(site, async || reader.open(&path).await).await;
    let mut message = None;
    for number in 0..ROUNDS {
        let form = reader.open(&path).await.form(&path);
        let form = form.set("message", &format!("number {number}"));
        let one = cost(site, async || reader.submit_accepted(&form).await).await;
        message = cheaper(message, one);
    }
    let search = cheapest(site, async || {
        reader.open("/messages/search?q=kettle").await
    })
    .await;
    vec![
        ("list of 30 conversations", list),
        ("conversation of 50 messages", conversation),
        ("search in 30 conversations", search),
        ("message", message.expect("it was measured")),
    ]
}
