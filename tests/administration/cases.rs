//! `redwing admin case`, `dismiss`, `note`, `warn`, `undo` and `answer`: a person is reported and judged without a
//! browser.

use serde_json::Value;

use super::{admin, document, output_of, refuse};
use crate::{
    groups::make,
    messages::{begun, write},
    moderation::{report, three},
    support::{Person, Site},
};

/// A text that imitates lines of the command.
const IMITATION: &str = "buy <b>this</b>\nNo open reports\nMore: --before 1";

async fn report_with(person: &Person, path: &str, note: &str) {
    let form = person.open(path).await.form(path);
    let form = form.choose("reason", "spam").set("note", note);
    person.submit_accepted(&form).await;
}

fn case(site: &Site) -> Value {
    document(site, &["case", "bob", "--json"])
}

/// Returns the number that the case prints for `--seen`.
fn seen(site: &Site) -> String {
    case(site)["seen"].to_string()
}

#[tokio::test]
async fn a_case_has_the_reported_things_as_they_were_and_as_they_are() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    carol.follow("bob").await;
    let id = bob.post(IMITATION).await;
    report_with(&carol, &format!("/statuses/{id}/report"), "again <i>").await;
    let edit = format!("/statuses/{id}/edit");
    let form = bob.open(&edit).await.form(&edit);
    bob.submit_accepted(&form.set("message", "sorry")).await;
    let chat = begun(&bob, "carol", "buy now").await;
    write(&carol, &chat, "no").await;
    report(&carol, &format!("{chat}/1/report")).await;
    let group = make(&bob, "buyers", &[]).await;
    report(&carol, &format!("{group}/report")).await;
    site.drain().await;

    let case = case(&site);
    assert_eq!(case["login"], "bob");
    assert_eq!(case["state"], "active");
    assert_eq!(case["open_reports"], 3);
    let about = |at: usize| case["reports"][at]["about"].clone();
    assert_eq!([about(0), about(1), about(2)], ["group", "message", "post"]);
    let of_post = &case["reports"][2];
    assert_eq!(of_post["reporter"], "@carol");
    assert_eq!(of_post["post"], id.to_string());
    assert_eq!(of_post["reason"], "Spam");
    assert_eq!(of_post["note"], "again <i>");
    let post = &case["reported_posts"][0];
    assert_eq!(post["then"]["message"], IMITATION);
    assert_eq!(post["state"], "edited");
    assert_eq!(post["now"]["message"], "sorry");
    let message = &case["reported_messages"][0]["messages"][0];
    assert_eq!(
        (&message["author"], &message["text"], &message["reported"]),
        (&"@bob".into(), &"buy now".into(), &true.into())
    );
    let group = &case["reported_groups"][0];
    assert_eq!(
        (&group["slug"], &group["owner"]),
        (&"buyers".into(), &"@bob".into())
    );

    let lines = output_of(&site, &["case", "bob"]);
    for line in ["No open reports", "More: --before 1"] {
        let quoted = format!("    | {line}");
        assert!(lines.lines().any(|each| each == quoted), "{lines}");
        assert!(lines.lines().all(|each| each != line), "{lines}");
    }
    let number = case["seen"].to_string();
    let last = lines.lines().last().expect("lines");
    assert!(last.ends_with(&format!("--seen {number}")), "{lines}");
}

#[tokio::test]
async fn a_dismissal_closes_the_seen_reports_and_notifies_the_reporter() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    let number = seen(&site);
    let id = bob.post("later").await;
    report(&carol, &format!("/statuses/{id}/report")).await;
    let dismissal = ["dismiss", "bob", "--seen", &number];
    let done = document(&site, &[&dismissal[..], &["--json"]].concat());
    assert_eq!(
        (&done["did"], &done["closed_reports"]),
        (&"dismiss".into(), &1.into())
    );
    assert_eq!(case(&site)["open_reports"], 1, "a later report stays open");
    let own = carol.open("/settings/reports").await.visible_text();
    assert!(own.contains("does not break a rule"), "{own}");

    let outdated = "someone has decided about @bob meanwhile";
    refuse(&site, &[(&dismissal, outdated)]);
    let rest = output_of(&site, &["dismiss", "bob", "--seen", &seen(&site)]);
    assert_eq!(rest, "1 report is closed.\n");
    let now = seen(&site);
    refuse(
        &site,
        &[(&["dismiss", "bob", "--seen", &now], "no open report")],
    );
    assert!(!admin(&site, &["dismiss", "bob"]).status.success());
    let log = output_of(&site, &["log"]);
    assert_eq!(
        log.matches("the host dismissed the reports about @bob")
            .count(),
        2,
        "{log}"
    );
    assert!(
        !alice
            .open("/admin/reports")
            .await
            .visible_text()
            .contains("@bob")
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_note_is_for_those_who_moderate_and_closes_nothing() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    output_of(&site, &["note", "bob", "Wrote before."]);
    let case = case(&site);
    assert_eq!(case["open_reports"], 1);
    assert_eq!(case["decisions"][0]["grounds"], "Wrote before.");
    let page = alice.open("/admin/reports/bob").await.visible_text();
    assert!(page.contains("The host left a note"), "{page}");
    let own = bob.open("/account/decisions").await.visible_text();
    assert!(!own.contains("Wrote before."), "{own}");
    let log = output_of(&site, &["log"]);
    assert!(log.contains("the host left a note about @bob"), "{log}");
    assert!(!admin(&site, &["note", "bob", " "]).status.success());
}

#[tokio::test]
async fn a_warning_names_a_rule_closes_the_seen_reports_and_is_taken_back_once() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    let number = seen(&site);
    let warned = [
        "warn", "bob", "--rule", "spam", "--reason", "Stop it.", "--seen", &number,
    ];
    let done = document(&site, &[&warned[..], &["--json"]].concat());
    assert_eq!(
        (&done["did"], &done["closed_reports"]),
        (&"warn".into(), &1.into())
    );
    let own = bob.open("/account/decisions").await.visible_text();
    assert!(own.contains("Spam: Stop it."), "{own}");
    let news = carol.open("/notifications").await.visible_text();
    assert!(news.contains("decided about your report"), "{news}");
    refuse(
        &site,
        &[
            (&warned, "someone has decided about @bob meanwhile"),
            (&["warn", "bob", "--rule", "7"], "the site has no rule 7"),
            (&["undo", "bob", "5"], "there is no decision 5 about @bob"),
        ],
    );
    assert!(!admin(&site, &["warn", "bob"]).status.success());

    let warning = case(&site)["decisions"][0]["number"].to_string();
    let undone = document(&site, &["undo", "bob", &warning, "--json"]);
    assert_eq!(
        (&undone["did"], &undone["login"]),
        (&"undo".into(), &"bob".into())
    );
    let own = bob.open("/account/decisions").await.visible_text();
    assert!(own.contains("This decision was taken back."), "{own}");
    refuse(&site, &[(&["undo", "bob", &warning], "taken back already")]);
    output_of(&site, &["note", "bob", "A note."]);
    let note = case(&site)["decisions"][0]["number"].to_string();
    refuse(&site, &[(&["undo", "bob", &note], "cannot be taken back")]);
    let log = output_of(&site, &["log"]);
    assert_eq!(
        log.matches("the host took the warning of @bob back")
            .count(),
        1,
        "{log}"
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_rule_of_the_site_is_named_by_its_number() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    output_of(&site, &["role", "alice", "owner"]);
    let path = "/admin/site";
    let form = alice.open(path).await.form(path);
    alice
        .submit_accepted(&form.set("rules", "Be kind.\nNo ads."))
        .await;
    output_of(&site, &["warn", "bob", "--rule", "2"]);
    let own = bob.open("/account/decisions").await;
    assert_eq!(own.texts(".decisions blockquote"), ["No ads."]);
    let words = "the site has no rule spam. It has the rules 1 to 2";
    refuse(&site, &[(&["warn", "bob", "--rule", "spam"], words)]);
}

/// Bob is suspended for a report and appeals.
async fn appealed(site: &Site, by_host: bool) -> [Person; 3] {
    let [alice, _, carol] = three(site).await;
    report(&carol, "/@bob/report").await;
    let number = seen(site);
    match by_host {
        true => {
            let measure = ["suspend", "bob", "--reason", "Ads.", "--seen", &number];
            let lines = output_of(site, &measure);
            assert!(lines.contains("1 report is closed."), "{lines}");
        }
        false => crate::moderation::decide(&alice, "suspend").await,
    }
    let bob = Person::log_in(site, "bob").await;
    let path = "/account/decisions/appeal";
    let form = bob.open("/account/decisions").await.form(path);
    bob.submit_accepted(&form.set("appeal", "It was art.\nReally."))
        .await;
    [alice, bob, carol]
}

#[tokio::test]
async fn the_host_grants_an_appeal_and_the_account_is_back() {
    let site = Site::start().await;
    let [_, bob, _] = appealed(&site, false).await;
    let lines = output_of(&site, &["case", "bob"]);
    assert!(
        lines.contains("    | It was art.\n    | Really."),
        "{lines}"
    );
    let grant = ["answer", "bob", "--grant", "--explanation", "Sorry."];
    let done = document(&site, &[&grant[..], &["--json"]].concat());
    assert_eq!(
        (&done["did"], &done["answer"]),
        (&"answer".into(), &"granted".into())
    );
    assert_eq!(case(&site)["state"], "active");
    assert_eq!(case(&site)["decisions"][0]["answer"]["by"], "The host");
    let own = bob.open("/account/decisions").await.visible_text();
    assert!(own.contains("Your appeal was granted. Sorry."), "{own}");
    refuse(&site, &[(&grant, "no such appeal of @bob waits")]);
    let both = ["answer", "bob", "--grant", "--refuse"];
    assert!(!admin(&site, &both).status.success());
    let log = output_of(&site, &["log"]);
    assert_eq!(
        log.matches("the host granted the appeal of @bob").count(),
        1,
        "{log}"
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_host_refuses_an_appeal_and_a_moderator_sees_who_answered() {
    let site = Site::start().await;
    let [alice, bob, _] = appealed(&site, false).await;
    let line = output_of(&site, &["answer", "bob", "--refuse"]);
    assert_eq!(line, "The appeal of @bob is refused.\n");
    assert_eq!(case(&site)["state"], "suspended");
    let own = bob.open("/account/decisions").await.visible_text();
    assert!(own.contains("Your appeal was refused."), "{own}");
    let page = alice.open("/admin/reports/bob").await.visible_text();
    assert!(page.contains("The host refused the appeal."), "{page}");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn where_there_are_two_moderators_the_host_leaves_appeals_against_itself_to_them() {
    let site = Site::start().await;
    let [_, bob, _] = appealed(&site, true).await;
    Person::sign_up(&site, "mia").await;
    output_of(&site, &["role", "mia", "moderator"]);
    let words = "a moderator answers appeals against decisions of the host";
    refuse(&site, &[(&["answer", "bob", "--grant"], words)]);
    output_of(&site, &["role", "mia", "none"]);
    output_of(&site, &["answer", "bob", "--grant"]);
    assert_eq!(bob.open("/@bob").await.status, reqwest::StatusCode::OK);
}

#[tokio::test]
async fn of_several_appeals_the_host_names_one() {
    let site = Site::start().await;
    let [_, bob, _] = three(&site).await;
    output_of(&site, &["limit", "bob", "--reason", "Ads."]);
    output_of(&site, &["freeze", "bob", "--days", "1", "--reason", "Ads."]);
    for _ in 0..2 {
        let form = bob
            .open("/account/decisions")
            .await
            .form("/account/decisions/appeal");
        bob.submit_accepted(&form.set("appeal", "Why?")).await;
    }
    refuse(
        &site,
        &[(
            &["answer", "bob", "--grant"],
            "several appeals of @bob wait",
        )],
    );
    let limit = case(&site)["decisions"][1]["number"].to_string();
    output_of(&site, &["answer", "bob", "--grant", "--decision", &limit]);
    let case = case(&site);
    assert_eq!(case["limited"], false);
    assert!(case["frozen_until"].is_string(), "{case}");
    output_of(&site, &["answer", "bob", "--refuse"]);
}

#[tokio::test]
async fn a_second_suspension_is_an_act_only_if_the_reason_changes() {
    let site = Site::start().await;
    three(&site).await;
    let suspend = ["suspend", "bob", "--reason", "Ads."];
    output_of(&site, &suspend);
    let log = output_of(&site, &["log"]);
    refuse(
        &site,
        &[(&suspend, "@bob is suspended already, for this reason")],
    );
    assert_eq!(output_of(&site, &["log"]), log);
    output_of(&site, &["suspend", "bob", "--reason", "Many ads."]);
    let shown = document(&site, &["show", "bob", "--json"]);
    assert_eq!(shown["suspension"], "Many ads.");
    assert_ne!(output_of(&site, &["log"]), log);
    output_of(&site, &["restore", "bob"]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_decision_that_comes_first_refuses_the_one_of_the_host() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    let number = seen(&site);
    crate::moderation::decide(&alice, "warn").await;
    let before = output_of(&site, &["log"]);
    let words = "someone has decided about @bob meanwhile";
    for command in ["warn", "suspend", "limit"] {
        let late = [command, "bob", "--reason", "Ads.", "--seen", &number];
        refuse(&site, &[(&late, words)]);
    }
    refuse(&site, &[(&["dismiss", "bob", "--seen", &number], words)]);
    assert_eq!(output_of(&site, &["log"]), before);
}
