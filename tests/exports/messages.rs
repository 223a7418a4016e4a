//! Messages in the archive: what the person can read, with its authors and times.

use super::{document, make_archive, unpack};
use crate::{
    messages::{begun, pair, press, write},
    support::{Person, Site},
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
