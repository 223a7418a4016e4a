//! Messages in the archive: what the person can read, with its authors and times.

use std::fs::File;

use redwing::{
    actions::messages::{self, NewMessage, Send},
    domain::{ChatId, ChatText, IdempotencyKey, UserId},
    export,
};

use super::{document, make_archive, unpack};
use crate::{
    messages::{begun, pair, press, walk::ten_chats, write},
    support::{
        Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer, redis_counters::Counters,
    },
};

#[tokio::test]
async fn the_archive_has_the_messages_that_the_person_can_read() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().display().to_string();
    let site = Site::with(&["--exports-dir", &path, "--new-account-days", "0"]).await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let with_bob = begun(&alice, "bob", "First <b>one</b>").await;
    write(&bob, &with_bob, "Second").await;
    write(&alice, &with_bob, "Deleted").await;
    let actions = alice
        .open(&with_bob)
        .await
        .form(&format!("{with_bob}/hide"));
    let delete = actions
        .to(&format!("{with_bob}/delete"))
        .set_new("message", "3");
    alice.submit_accepted(&delete).await;
    let left = begun(&carol, "alice bob", "Of a conversation that she left").await;
    press(&alice, &left, &format!("{left}/leave")).await;
    begun(&carol, "alice", "A request").await;
    begun(&bob, "carol", "Of others").await;
    make_archive(&site, &alice).await;
    let messages = document(&unpack(&alice).await, "messages.json");
    assert_eq!(messages["totalItems"], 3);
    let items = messages["orderedItems"].as_array().expect("items");
    let field = |name: &str| -> Vec<String> {
        let texts = items
            .iter()
            .map(|item| item[name].as_str().unwrap_or("none"));
        texts.map(str::to_owned).collect()
    };
    let base = "http://127.0.0.1:8080";
    let texts: Vec<&str> = items
        .iter()
        .filter_map(|item| item["source"]["content"].as_str())
        .collect();
    assert_eq!(texts, ["A request", "First <b>one</b>", "Second"]);
    assert_eq!(field("context")[1], format!("{base}{with_bob}"));
    assert_eq!(field("id")[2], format!("{base}{with_bob}#message-2"));
    assert_eq!(
        field("attributedTo"),
        ["carol", "alice", "bob"].map(|login| format!("{base}/@{login}"))
    );
    assert_eq!(
        items[1]["content"],
        "<p>First &#60;b&#62;one&#60;/b&#62;</p>"
    );
}

const LARGE: usize = 30_000;

fn core_in(directory: &tempfile::TempDir) -> Core {
    let path = directory.path().display().to_string();
    let settings = ["--exports-dir", &path];
    Core::on(Redis::Node(RedisServer::start()), &settings)
}

/// Begins the export of a person with ten conversations, the newest one last, that take several passes.
async fn begun_with_large_messages(core: &Core) -> (UserId, Vec<ChatId>) {
    let (store, redis) = (&core.store, core.redis.one_node());
    let alice = crowd::member(store, "alice").await;
    let texts = vec!["x".repeat(LARGE); 24];
    let chats = ten_chats((store, redis), alice, &texts).await;
    export::begin(store, alice).await.expect("begun");
    (alice, chats)
}

#[tokio::test]
async fn a_pass_reads_a_bounded_number_of_bytes_of_messages() {
    let directory = tempfile::tempdir().expect("a directory");
    let core = core_in(&directory);
    let (store, redis) = (&core.store, core.redis.one_node());
    let (alice, _) = begun_with_large_messages(&core).await;
    let state = store.export(alice).await.expect("an answer");
    let token = state.expect("an export").token;
    let mut total = 0;
    loop {
        let before = Counters::of(redis);
        let next = export::run_pass(store, alice, &token)
            .await
            .expect("a pass");
        let bytes = before.spent_on(redis).output;
        assert!(bytes < 5_500_000, "{bytes} bytes");
        total += bytes;
        if next.is_none() {
            break;
        }
    }
    let stored = (10 * 24 * LARGE) as u64;
    assert!((stored..2 * stored).contains(&total), "{total} bytes");
}

#[tokio::test]
async fn a_conversation_that_gets_a_message_while_the_archive_is_made_is_in_it_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let core = core_in(&directory);
    let store = &core.store;
    let (alice, chats) = begun_with_large_messages(&core).await;
    let state = async || store.export(alice).await.expect("an answer").expect("one");
    let token = state().await.token;
    while state().await.before_message.is_none() {
        let pass = export::run_pass(store, alice, &token).await;
        assert!(pass.expect("a pass").is_some(), "the messages take more");
    }
    // The oldest conversation, which no pass has read, and the newest one, which the first pass has read.
    for chat in [chats[0], chats[9]] {
        assert_eq!(state().await.chats.contains(&chat), chat == chats[9]);
        let message = NewMessage {
            text: &ChatText::parse("later").expect("valid"),
            key: &IdempotencyKey::draw(),
        };
        let sent = messages::write(store, alice, chat, message).await;
        assert!(matches!(sent.expect("an answer"), Send::Sent(..)));
    }
    core.drain().await;
    let archive = export::archive_of(store, alice).await.expect("an answer");
    let file = File::open(archive.expect("an archive")).expect("a file");
    let mut archive = zip::ZipArchive::new(file).expect("a zip file");
    let document = archive.by_name("messages.json").expect("a document");
    let document: serde_json::Value = serde_json::from_reader(document).expect("JSON");
    assert_eq!(document["totalItems"], 10 * 25 + 1);
    assert!(state().await.chats.is_empty(), "nothing is kept of them");
}
