//! `redwing admin suspend`, `restore` and `delete`.

use std::process::Output;

use redwing::store::DATA_VERSION;
use reqwest::StatusCode;

use crate::support::{Person, Site, crowd, process::Home};

fn admin(site: &Site, arguments: &[&str]) -> Output {
    let url = site.redis.url();
    let version = DATA_VERSION.number.to_string();
    site.redis.command(&["SET", "schema:version", &version]);
    Home::new().run(&[&["admin"], arguments, &["--redis-url", &url]].concat())
}

fn assert_done(output: &Output, words: &str) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains(words), "{text}");
}

fn assert_refused(output: &Output, words: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{output:?}");
    assert!(text.contains(words), "{text}");
}

#[tokio::test]
async fn the_host_suspends_restores_and_deletes_an_account() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("of alice").await;
    let visitor = Person::visitor(&site);
    let status = async || visitor.get("/@alice").await.status;

    let reason = "Spam, three times.";
    let suspended = admin(&site, &["suspend", "@Alice", "--reason", reason]);
    assert_done(&suspended, "is suspended");
    assert_eq!(status().await, StatusCode::NOT_FOUND);
    assert!(!alice.is_logged_in().await);
    let again = Person::log_in(&site, "alice").await;
    assert!(again.open("/").await.visible_text().contains(reason));

    assert_done(&admin(&site, &["restore", "alice"]), "no longer suspended");
    assert_eq!(status().await, StatusCode::OK);
    assert!(again.is_logged_in().await);
    assert_refused(&admin(&site, &["restore", "alice"]), "is not suspended");

    assert_refused(&admin(&site, &["delete", "alice"]), "--now");
    assert_refused(&admin(&site, &["suspend", "alice"]), "--reason");
    assert_refused(
        &admin(&site, &["suspend", "alice", "--reason", " "]),
        "reason",
    );
    assert_refused(
        &admin(&site, &["suspend", "nobody_here", "--reason", "x"]),
        "no one has the login",
    );
    assert_eq!(status().await, StatusCode::OK);

    let uid = crowd::uid(&site.store, "alice").await;
    assert_done(
        &admin(&site, &["delete", "alice", "--now"]),
        "being deleted",
    );
    assert_eq!(status().await, StatusCode::NOT_FOUND);
    assert!(!again.is_logged_in().await);
    assert_refused(
        &admin(&site, &["delete", "alice", "--now"]),
        "is being deleted",
    );
    assert_refused(
        &admin(&site, &["suspend", "alice", "--reason", "x"]),
        "is being deleted",
    );
    site.drain().await;
    assert!(site.store.user(uid).await.expect("an answer").is_none());
    assert_refused(
        &admin(&site, &["delete", "alice", "--now"]),
        "no one has the login",
    );
    let log = admin(&site, &["log"]);
    assert_done(&log, "Spam, three times.");
    assert_done(&log, "ended the suspension of");
    assert_done(&log, "deleted the account of");
    let log = String::from_utf8_lossy(&log.stdout).into_owned();
    assert_eq!(log.matches("deleted the account of").count(), 1, "{log}");
    site.assert_sound().await;
}
