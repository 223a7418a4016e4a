//! The public page of the moderation: numbers of decisions without names, if the owner publishes them.

use reqwest::StatusCode;

use super::site_with;
use crate::{
    administration::output_of,
    support::{Page, Person, Site, crowd},
};

const SITE: &str = "/admin/site";
const PAGE: &str = "/moderation";
const LINK: &str = "footer a[href='/moderation']";
const CASE: &str = "/admin/reports/bob";
const DECIDE: &str = "/admin/reports/bob/decide";
const END: &str = "/admin/reports/bob/end";

/// A site by approval, with its owner.
async fn site_with_owner() -> (Site, Person) {
    let site = site_with("approval").await;
    let alice = super::member(&site, "alice").await;
    output_of(&site, &["role", "alice", "owner"]);
    (site, alice)
}

async fn publish(owner: &Person, is_public: bool) {
    let form = owner.open(SITE).await.form(SITE);
    let form = match is_public {
        true => form.choose("public_log", "1"),
        false => form.without("public_log"),
    };
    owner.submit_accepted(&form).await;
}

/// Returns the row of a decision: how many were made and taken back.
fn row(page: &Page, table: &str, name: &str) -> [String; 2] {
    let names = page.texts(&format!("#{table} tbody th"));
    let at = names.iter().position(|one| one == name);
    let at = at.unwrap_or_else(|| panic!("{name}: {names:?}"));
    let numbers = page.texts(&format!("#{table} td"));
    [numbers[2 * at].clone(), numbers[2 * at + 1].clone()]
}

#[tokio::test]
async fn everybody_reads_the_numbers_of_decisions_if_the_owner_publishes_them() {
    let (site, alice) = site_with_owner().await;
    let visitor = Person::visitor(&site);
    assert_eq!(visitor.get(PAGE).await.status, StatusCode::NOT_FOUND);
    assert!(!visitor.open("/").await.has(LINK));
    publish(&alice, true).await;
    let page = visitor.open(PAGE).await;
    assert!(page.has(LINK) && !page.has("#months"));
    assert_eq!(row(&page, "kinds", "People warned"), ["0", "0"]);
    for login in ["wanda", "wendy"] {
        crowd::applicant(&site.store, login).await;
    }
    super::member(&site, "bob").await;
    output_of(&site, &["approvals", "--accept", "wanda"]);
    output_of(&site, &["approvals", "--refuse", "wendy"]);
    output_of(&site, &["suspend", "bob", "--reason", "Very <b> secret."]);
    output_of(&site, &["restore", "bob"]);
    output_of(&site, &["limit", "bob", "--reason", "Spam."]);
    output_of(&site, &["role", "bob", "welcomer"]);
    let page = visitor.open(PAGE).await;
    for (name, numbers) in [
        ("Accounts suspended", ["1", "1"]),
        ("Accounts limited", ["1", "0"]),
        ("Requests to join accepted", ["1", "0"]),
        ("Requests to join refused", ["1", "0"]),
        ("Accounts frozen", ["0", "0"]),
    ] {
        assert_eq!(row(&page, "kinds", name), numbers, "{name}");
    }
    let months = page.texts("#months td");
    assert_eq!(months.len() % 2, 0);
    let sum = |column: usize| -> u64 {
        let numbers = months.iter().skip(column).step_by(2);
        numbers
            .map(|number| number.parse::<u64>().expect("a number"))
            .sum()
    };
    // A month can end during the test.
    assert_eq!((sum(0), sum(1)), (4, 1));
    let text = page.visible_text();
    for name in ["alice", "bob", "wanda", "wendy", "secret"] {
        assert!(!text.contains(name), "{name}: {text}");
    }
    publish(&alice, false).await;
    assert_eq!(visitor.get(PAGE).await.status, StatusCode::NOT_FOUND);
    let log = output_of(&site, &["log"]);
    for act in ["published the numbers", "stopped publishing the numbers"] {
        assert_eq!(log.matches(act).count(), 1, "{log}");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_numbers_are_by_rule_too() {
    let (site, alice) = site_with_owner().await;
    super::member(&site, "bob").await;
    let form = alice.open(SITE).await.form(SITE).choose("public_log", "1");
    let rules = "Be <b>kind</b>.\nNo ads: never @ anybody.";
    alice.submit_accepted(&form.set("rules", rules)).await;
    let visitor = Person::visitor(&site);
    assert!(!visitor.open(PAGE).await.has("#rules"));
    for (measure, reason) in [
        ("warn", "rule:No ads: never @ anybody."),
        ("freeze", "rule:Be <b>kind</b>."),
        ("warn", "rule:No ads: never @ anybody."),
        ("limit", "something_else"),
    ] {
        let form = alice.open(CASE).await.form(DECIDE);
        let form = form.choose("measure", measure).set("reason", reason);
        alice
            .submit_accepted(&form.set("explanation", "A secret."))
            .await;
    }
    // The newest decision is the first.
    let end = alice.open(CASE).await.form(END);
    alice.submit_accepted(&end).await;
    let page = visitor.open(PAGE).await;
    let names = |rule: &str| {
        let names = ["Be <b>kind</b>.", "Accounts frozen", rule, "People warned"];
        names.map(str::to_owned).to_vec()
    };
    let other = ["Something else", "Accounts limited"].map(str::to_owned);
    let expected = [names("No ads: never @ anybody."), other.to_vec()].concat();
    assert_eq!(page.texts("#rules tbody th"), expected);
    assert_eq!(page.texts("#rules td"), ["1", "0", "2", "0", "1", "1"]);
    assert!(!page.html.contains("secret") && !page.html.contains("bob"));

    let form = alice.open(SITE).await.form(SITE);
    alice
        .submit_accepted(&form.set("rules", "Be <b>kind</b>."))
        .await;
    let page = visitor.open(PAGE).await;
    let expected = [names("Former rules"), other.to_vec()].concat();
    assert_eq!(page.texts("#rules tbody th"), expected);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_decision_that_is_sent_or_taken_back_twice_counts_once() {
    let (site, alice) = site_with_owner().await;
    super::member(&site, "bob").await;
    publish(&alice, true).await;
    let path = "/admin/people/bob/suspend";
    let form = alice.open(path).await.form(path).set("reason", "Spam.");
    for _ in 0..2 {
        alice.submit(&form).await;
    }
    let end = alice.open("/admin/reports/bob").await.form(END);
    for _ in 0..2 {
        alice.submit_accepted(&end).await;
    }
    let page = Person::visitor(&site).open(PAGE).await;
    assert_eq!(row(&page, "kinds", "Accounts suspended"), ["1", "1"]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_suspended_person_reads_the_numbers_and_the_rules_lead_there() {
    let (site, alice) = site_with_owner().await;
    publish(&alice, true).await;
    super::member(&site, "sam").await;
    output_of(&site, &["suspend", "sam", "--reason", "Spam."]);
    let sam = Person::log_in(&site, "sam").await;
    let page = sam.open(PAGE).await;
    assert_eq!(row(&page, "kinds", "Accounts suspended"), ["1", "0"]);
    assert!(sam.open("/rules").await.has("main a[href='/moderation']"));
}
