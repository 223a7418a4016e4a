//! `redwing admin limit`, `freeze` and `lift`, and the states that `show` prints.

use super::{admin, document, output_of, refuse};
use crate::support::{Person, Site};

const REASON: &[&str] = &["--reason", "Floods the site."];

#[tokio::test]
async fn a_person_is_limited_and_frozen_and_both_are_taken_back() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let shown = || document(&site, &["show", "alice", "--json"]);
    let run = |arguments: &[&str]| document(&site, &[arguments, &["--json"]].concat());
    assert_eq!(shown()["state"], "active");

    let done = run(&[&["limit", "alice"], REASON].concat());
    assert_eq!(
        (&done["did"], &done["login"]),
        (&"limit".into(), &"alice".into())
    );
    assert_eq!(shown()["limited"], true);
    let profile = alice.open("/@alice").await.visible_text();
    assert!(profile.contains("limited"), "{profile}");
    let again = admin(&site, &[&["limit", "alice"], REASON].concat());
    assert!(!again.status.success());

    run(&[&["freeze", "alice", "--days", "3"], REASON].concat());
    assert!(alice.open("/").await.has("#frozen"));
    assert!(shown()["frozen_until"].is_string());
    for days in ["0", "31"] {
        let wrong = [&["freeze", "alice", "--days", days], REASON].concat();
        assert!(!admin(&site, &wrong).status.success(), "{days}");
    }

    for measure in ["freeze", "limit"] {
        run(&["lift", "alice", measure]);
        let none = admin(&site, &["lift", "alice", measure]);
        assert!(!none.status.success(), "{measure}");
    }
    let state = shown();
    assert_eq!(state["limited"], false);
    assert!(state["frozen_until"].is_null(), "{state}");
    assert!(!alice.open("/").await.has("#frozen"));
    let log = output_of(&site, &["log"]);
    assert_eq!(log.matches("the host").count(), 4, "{log}");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_suspended_account_is_shown_with_the_reason() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    output_of(&site, &[&["suspend", "alice"], REASON].concat());
    let shown = document(&site, &["show", "alice", "--json"]);
    assert_eq!(shown["state"], "suspended");
    assert_eq!(shown["suspension"], REASON[1]);
    let lines = output_of(&site, &["show", "alice"]);
    assert!(lines.contains("suspended"), "{lines}");
}

#[tokio::test]
async fn a_command_that_changes_nothing_says_so_and_is_neither_logged_nor_counted() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let measure = |arguments: &[&str]| output_of(&site, &[arguments, REASON].concat());
    measure(&["suspend", "alice"]);
    output_of(&site, &["restore", "alice"]);
    measure(&["limit", "alice"]);
    measure(&["freeze", "alice", "--days", "3"]);
    let counts = async || {
        let counts = site.store.act_counts().await.expect("an answer");
        (output_of(&site, &["log"]), counts)
    };
    let before = counts().await;
    let limited = [&["limit", "alice"], REASON].concat();
    let frozen = [&["freeze", "alice", "--days", "5"], REASON].concat();
    let of_standing = [
        (&["restore", "alice"][..], "@alice is not suspended"),
        (&limited, "@alice is limited already"),
        (&frozen, "@alice is frozen already"),
    ];
    refuse(&site, &of_standing);
    assert_eq!(counts().await, before);
    output_of(&site, &["lift", "alice", "limit"]);
    output_of(&site, &["lift", "alice", "freeze"]);
    let before = counts().await;
    let ended: [(&[&str], &str); 2] = [
        (&["lift", "alice", "limit"], "@alice is not limited"),
        (&["lift", "alice", "freeze"], "@alice is not frozen"),
    ];
    refuse(&site, &ended);
    output_of(&site, &["role", "alice", "none"]);
    assert_eq!(counts().await, before, "a role that is there already");
}
