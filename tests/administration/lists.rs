//! `redwing admin reports`, `approvals`, `invitations`, `groups` and `stats`.

use serde_json::Value;

use super::{admin, document, output_of};
use crate::support::{Person, Site, crowd};

fn rows(document: &Value) -> &[Value] {
    document["rows"].as_array().expect("rows")
}

#[tokio::test]
async fn reported_people_are_listed_with_their_open_reports() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    Person::sign_up(&site, "bob").await;
    assert!(rows(&document(&site, &["reports", "--json"])).is_empty());
    let path = "/@bob/report";
    let form = alice.open(path).await.form(path).choose("reason", "spam");
    alice.submit_accepted(&form).await;
    site.drain().await;
    let reports = document(&site, &["reports", "--json"]);
    assert_eq!(rows(&reports).len(), 1);
    assert_eq!(rows(&reports)[0]["login"], "bob");
    assert_eq!(rows(&reports)[0]["open_reports"], 1);
    let lines = output_of(&site, &["reports"]);
    assert!(lines.contains("1 open  @bob"), "{lines}");
    let appeals = document(&site, &["reports", "--appeals", "--json"]);
    assert!(rows(&appeals).is_empty());
}

#[tokio::test]
async fn an_invitation_is_made_and_its_link_admits_a_person() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let none = document(&site, &["invitations", "alice", "--json"]);
    assert!(rows(&none).is_empty());
    let made = document(&site, &["invitations", "alice", "--make", "--json"]);
    let link = rows(&made)[0]["link"].as_str().expect("a link");
    let path = link.strip_prefix("http://127.0.0.1:8080").expect("a path");
    let page = Person::visitor(&site).open(path).await;
    assert!(page.visible_text().contains("alice"), "{}", page.html);
    let log = output_of(&site, &["log"]);
    assert!(log.contains("the host made an invitation"), "{log}");
    assert!(!admin(&site, &["invitations", "nobody"]).status.success());
}

#[tokio::test]
async fn the_numbers_of_thirty_days_and_empty_lists_are_printed() {
    let site = Site::start().await;
    let stats = document(&site, &["stats", "--json"]);
    assert_eq!(rows(&stats).len(), 30);
    let day = rows(&stats)[29]["day"].as_str().expect("a day");
    assert_eq!(day.len(), "2026-01-31".len(), "{day}");
    for list in ["approvals", "groups"] {
        assert!(
            rows(&document(&site, &[list, "--json"])).is_empty(),
            "{list}"
        );
    }
}

#[tokio::test]
async fn the_host_lets_an_applicant_in_and_refuses_another() {
    let site = Site::with(&["--sign-up", "approval"]).await;
    for login in ["ada", "eve"] {
        crowd::applicant(&site.store, login).await;
    }
    let waiting = document(&site, &["approvals", "--json"]);
    assert_eq!(rows(&waiting).len(), 2);
    let done = document(&site, &["approvals", "--accept", "ada", "--json"]);
    assert_eq!(
        (&done["did"], &done["login"]),
        (&"accept".into(), &"ada".into())
    );
    let refusal = ["approvals", "--refuse", "eve", "--reason", "No boat."];
    assert!(output_of(&site, &refusal).contains("@eve is refused"));
    assert!(rows(&document(&site, &["approvals", "--json"])).is_empty());
    let ada = Person::log_in(&site, "ada").await;
    assert!(
        ada.open("/notifications")
            .await
            .visible_text()
            .contains("You were let in")
    );
    ada.post("hello").await;
    let eve = Person::log_in(&site, "eve").await;
    assert!(
        eve.open("/account")
            .await
            .visible_text()
            .contains("No boat.")
    );
    // A second answer comes too late.
    for again in [
        ["approvals", "--refuse", "ada"],
        ["approvals", "--accept", "eve"],
    ] {
        let output = admin(&site, &again);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            errors.contains("has no request to join that waits"),
            "{errors}"
        );
    }
    let log = output_of(&site, &["log"]);
    for act in [
        "the host let @ada in",
        "the host refused the request of @eve to join: No boat.",
    ] {
        assert_eq!(log.matches(act).count(), 1, "{log}");
    }
    let both = ["approvals", "--accept", "ada", "--refuse", "eve"];
    assert!(!admin(&site, &both).status.success());
    site.drain().await;
    site.assert_sound().await;
}
