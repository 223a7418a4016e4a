//! `redwing admin hide-post`, `show-post`, `add-warning` and `waiting`.

use redwing::domain::StatusId;
use reqwest::StatusCode;
use serde_json::Value;

use super::{admin, document, output_of, refuse};
use crate::{
    moderation::{report, three},
    support::{Person, Site, crowd},
};

const LINK: &str = "see https://a.example\nNo open reports";

fn rows(document: &Value) -> &[Value] {
    document["rows"].as_array().expect("rows")
}

/// A site where links of new accounts wait, with the moderator mia, and bob and carol, who are new.
async fn new_people() -> (Site, [Person; 3]) {
    let site = Site::with(&["--new-account-days", "7"]).await;
    let mia = Person::sign_up(&site, "mia").await;
    let bob = Person::sign_up(&site, "bob").await;
    let carol = Person::sign_up(&site, "carol").await;
    output_of(&site, &["role", "mia", "moderator"]);
    let settings = ["site", "--entrance", "open", "--links-wait", "on"];
    output_of(&site, &settings);
    site.store.read_site().await.expect("an answer");
    (site, [mia, bob, carol])
}

async fn is_seen(by: &Person, id: u64) -> bool {
    by.get(&format!("/@bob/{id}")).await.status == StatusCode::OK
}

#[tokio::test]
async fn a_post_is_hidden_without_a_report_and_shown_again() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let id = bob.post("of bob").await;
    let (text, address) = (id.to_string(), format!("http://127.0.0.1:8080/@bob/{id}"));
    let hide = ["hide-post", &address, "--reason", "Ads."];
    let done = document(&site, &[&hide[..], &["--json"]].concat());
    assert_eq!(
        (&done["did"], &done["login"], &done["post"]),
        (&"hide_post".into(), &"bob".into(), &text.clone().into())
    );
    assert!(!is_seen(&carol, id).await);
    assert!(is_seen(&bob, id).await);
    let own = bob.open("/account/decisions").await.visible_text();
    assert!(own.contains("hid a post of yours"), "{own}");
    let log = output_of(&site, &["log"]);
    refuse(&site, &[(&hide, "is hidden already")]);
    assert_eq!(output_of(&site, &["log"]), log);

    output_of(&site, &["show-post", &text]);
    assert!(is_seen(&carol, id).await);
    let log = output_of(&site, &["log"]);
    refuse(&site, &[(&["show-post", &text], "is not hidden")]);
    refuse(&site, &[(&["show-post", "4096"], "there is no post 4096")]);
    assert_eq!(output_of(&site, &["log"]), log);
    let alice = crowd::uid(&site.store, "alice").await;
    let original = StatusId::new(id).expect("in range");
    let repost = crowd::repost(&site.store, alice, original)
        .await
        .to_string();
    let words = format!("is a repost of the post {id}");
    refuse(
        &site,
        &[(&["hide-post", &repost, "--reason", "Ads."], &words)],
    );
    bob.delete(id).await;
    refuse(&site, &[(&hide, "there is no post")]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_decision_about_a_post_closes_the_reports_that_the_host_has_seen() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let id = bob.post("of bob").await;
    report(&carol, &format!("/statuses/{id}/report")).await;
    let text = id.to_string();
    let warning = ["add-warning", &text, "Spiders", "--reason", "Big ones."];
    let done = document(&site, &[&warning[..], &["--json"]].concat());
    assert_eq!(done["closed_reports"], 0);
    let page = carol.open(&format!("/@bob/{id}")).await.visible_text();
    assert!(page.contains("Spiders"), "{page}");
    refuse(&site, &[(&warning, "has this warning already")]);
    let case = document(&site, &["case", "bob", "--json"]);
    assert_eq!(case["open_reports"], 1);
    assert_eq!(case["decisions"][0]["warning"], "Spiders");
    let seen = case["seen"].to_string();
    let hide = ["hide-post", &text, "--rule", "spam", "--seen", &seen];
    let line = output_of(&site, &hide);
    assert!(line.contains("1 report is closed."), "{line}");
    let own = carol.open("/settings/reports").await.visible_text();
    assert!(!own.contains("Received"), "{own}");
    let case = document(&site, &["case", "bob", "--json"]);
    assert_eq!(case["reported_posts"][0]["hidden"], true);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_waiting_post_is_listed_and_approved() {
    let (site, [_, bob, carol]) = new_people().await;
    assert!(rows(&document(&site, &["waiting", "--json"])).is_empty());
    let id = bob.post(LINK).await;
    site.drain().await;
    assert!(!is_seen(&carol, id).await);
    let waiting = document(&site, &["waiting", "--json"]);
    let row = &rows(&waiting)[0];
    let text = id.to_string();
    assert_eq!(
        (&row["login"], &row["post"], &row["message"]),
        (&"bob".into(), &text.clone().into(), &LINK.into())
    );
    let lines = output_of(&site, &["waiting"]);
    assert!(lines.contains("\n    | No open reports"), "{lines}");
    let approve = ["waiting", "--approve", &text];
    let done = document(&site, &[&approve[..], &["--json"]].concat());
    assert_eq!(
        (&done["did"], &done["closed_reports"]),
        (&"approve".into(), &1.into())
    );
    assert!(is_seen(&carol, id).await);
    let news = bob.open("/notifications").await.visible_text();
    assert!(news.contains("approved"), "{news}");
    assert!(rows(&document(&site, &["waiting", "--json"])).is_empty());
    refuse(&site, &[(&approve, "does not wait for a moderator")]);
    let log = output_of(&site, &["log"]);
    let act = format!("the host approved the post {id} of @bob");
    assert_eq!(log.matches(&act).count(), 1, "{log}");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_waiting_post_is_refused_and_its_author_reads_the_reason() {
    let (site, [_, bob, carol]) = new_people().await;
    let id = bob.post(LINK).await;
    site.drain().await;
    let text = id.to_string();
    let no_reason = ["waiting", "--refuse", &text];
    refuse(&site, &[(&no_reason, "give a reason")]);
    let done = output_of(&site, &[&no_reason[..], &["--reason", "Ads."]].concat());
    assert!(done.contains("1 report is closed."), "{done}");
    assert!(!is_seen(&carol, id).await);
    assert!(is_seen(&bob, id).await);
    let own = bob.open("/account/decisions").await.visible_text();
    assert!(own.contains("Ads."), "{own}");
    assert!(rows(&document(&site, &["waiting", "--json"])).is_empty());
    let both = ["waiting", "--refuse", &text, "--approve", &text];
    assert!(!admin(&site, &both).status.success());
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_approval_closes_no_other_report_unread() {
    let (site, [_, bob, carol]) = new_people().await;
    report(&carol, "/@bob/report").await;
    let id = bob.post(LINK).await;
    site.drain().await;
    let text = id.to_string();
    let approve = ["waiting", "--approve", &text];
    refuse(&site, &[(&approve, "there are other reports about @bob")]);
    let case = document(&site, &["case", "bob", "--json"]);
    assert_eq!(case["open_reports"], 2);
    assert_eq!(case["reported_posts"][0]["waiting"], true);
    let seen = case["seen"].to_string();
    let done = output_of(&site, &[&approve[..], &["--seen", &seen]].concat());
    assert!(done.contains("2 reports are closed."), "{done}");
    assert!(is_seen(&carol, id).await);
}
