//! The quota of bytes for the messages of one person: refusals in words, edits and names, deletions that make room.

use reqwest::StatusCode;

use super::{begin, begun, pair, texts, write};
use crate::support::{Page, Person, Site, crowd};

/// The smallest quota. 31 long messages fill it.
const QUOTA: &str = "65536";

async fn small_site() -> Site {
    let settings = ["--new-account-days", "0", "--message-bytes", QUOTA];
    Site::with(&settings).await
}

/// Checks the answer to a person without room. The text stays in the form.
fn assert_refused(answer: &Page, path: &str, text: &str) {
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = answer.visible_text();
    assert!(
        words.contains("Your messages use all your storage"),
        "{words}"
    );
    assert!(words.contains("Delete some of your messages"), "{words}");
    assert_eq!(answer.form(path).value("message"), text);
}

/// Writes long messages until one is refused. Returns the number of those that were written.
async fn fill(author: &Person, path: &str) -> usize {
    for written in 0..40 {
        let text = "x".repeat(2000);
        let answer = write(author, path, &text).await;
        if answer.status != StatusCode::SEE_OTHER {
            assert_refused(&answer, path, &text);
            return written;
        }
    }
    panic!("there is always room");
}

async fn used_bytes(site: &Site, login: &str) -> u64 {
    let who = crowd::uid(&site.store, login).await;
    site.store.message_bytes(who).await.expect("an answer")
}

#[tokio::test]
async fn a_message_beyond_the_quota_is_refused_with_its_text_and_a_deletion_makes_room() {
    let site = small_site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob", "First").await;
    let written = fill(&alice, &path).await;
    assert!((25..=31).contains(&written), "{written}");
    let used = used_bytes(&site, "alice").await;
    assert!((62_000..=65_536).contains(&used), "{used}");
    let settings = alice.open("/settings").await.visible_text();
    let words = "Your messages use 0.1 MB of 0.1 MB. Deleting posts and messages makes room.";
    assert!(settings.contains(words), "{settings}");
    // Messages elsewhere, edits and names count too.
    let text = "y".repeat(2000);
    let elsewhere = begin(&alice, "bob carol", &text).await;
    assert_refused(&elsewhere, "/messages/new", &text);
    let edit = format!("{path}/1/edit");
    let form = alice.open(&edit).await.form(&edit);
    let longer = alice.submit(&form.set("message", &text)).await;
    assert_eq!(longer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = longer.visible_text();
    assert!(
        words.contains("Your messages use all your storage"),
        "{words}"
    );
    write(&bob, &path, "Others have room").await;

    let actions = alice.open(&path).await.form(&format!("{path}/hide"));
    let delete = actions.to(&format!("{path}/delete"));
    alice.submit_accepted(&delete.set_new("message", "2")).await;
    assert!(used_bytes(&site, "alice").await < used - 1900);
    let again = write(&alice, &path, "There is room again").await;
    assert_eq!(again.status, StatusCode::SEE_OTHER);
    let shown = texts(&bob, &path).await;
    assert_eq!(
        shown.last().map(String::as_str),
        Some("There is room again")
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_same_form_is_answered_again_when_the_storage_is_full() {
    let site = small_site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "First").await;
    let form = alice.open(&path).await.form(&path).set("message", "Once");
    alice.submit_accepted(&form).await;
    fill(&alice, &path).await;
    alice.submit_accepted(&form).await;
    let shown = texts(&bob, &path).await;
    assert_eq!(shown.iter().filter(|text| *text == "Once").count(), 1);
}

#[tokio::test]
async fn a_name_needs_room() {
    let site = small_site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob carol", "First").await;
    fill(&alice, &path).await;
    for _ in 0..20 {
        write(&alice, &path, "short").await;
    }
    let form = alice.open(&path).await.form(&format!("{path}/name"));
    let renamed = alice.submit(&form.set("name", "Boats")).await;
    assert_eq!(renamed.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = renamed.visible_text();
    assert!(
        words.contains("Your messages use all your storage"),
        "{words}"
    );
    let form = bob.open(&path).await.form(&format!("{path}/name"));
    bob.submit_accepted(&form.set("name", "Boats")).await;
    site.assert_sound().await;
}
