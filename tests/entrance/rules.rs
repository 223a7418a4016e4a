//! The rules of a site and its contact: written by the owner, read by everybody.

use reqwest::StatusCode;

use super::site_with;
use crate::{
    administration::output_of,
    support::{Person, Site},
};

async fn owner(site: &Site) -> Person {
    let alice = Person::sign_up(site, "alice").await;
    output_of(site, &["role", "alice", "owner"]);
    alice
}

#[tokio::test]
async fn the_owner_writes_rules_and_everybody_reads_them() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let visitor = Person::visitor(&site);
    let empty = visitor.open("/rules").await;
    assert!(empty.visible_text().contains("no written rules yet"));
    assert!(!visitor.open("/").await.has("footer a[href='/rules']"));
    let form = alice.open("/admin/site").await.form("/admin/site");
    let form = form
        .set("site_name", "Harbour")
        .set("contact", "Ask @alice");
    let form = form.set("rules", "1. Be <kind>.\n\n2. No *spam*.");
    alice.submit_accepted(&form).await;
    let page = visitor.open("/rules").await;
    assert_eq!(page.text("h1"), "Rules of Harbour");
    assert_eq!(page.texts(".rules li"), ["Be <kind>.", "No spam."]);
    assert_eq!(page.text(".contact"), "Ask @alice");
    assert!(page.has("#contact .contact a[href='/@alice']"));
    assert_eq!(page.texts(".rules em"), ["spam"]);
    for path in ["/", "/signup"] {
        let page = visitor.open(path).await;
        assert!(page.has("main a[href='/rules']"), "{path}");
        assert!(page.has("footer a[href='/rules']"), "{path}");
        assert!(page.has("footer a[href='/rules#contact']"), "{path}");
    }
    let typed = alice.open("/admin/site").await.form("/admin/site");
    assert_eq!(typed.value("contact"), "Ask @alice");
    let log = alice.open("/admin").await.texts(".log p[dir]");
    assert_eq!(log[0], "@alice changed the rules of the site: 2 rules");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_rule_keeps_its_id_when_others_come_and_go() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let mut ids = Vec::new();
    for rules in [
        "Be kind.\nNo spam.",
        "No ads.\nNo spam.",
        "Be kind.\nNo spam.",
    ] {
        let form = alice.open("/admin/site").await.form("/admin/site");
        alice.submit_accepted(&form.set("rules", rules)).await;
        ids.push(alice.open("/rules").await.attributes(".rules li", "id"));
    }
    let expected = [
        ["rule-1", "rule-2"],
        ["rule-3", "rule-2"],
        ["rule-4", "rule-2"],
    ];
    assert_eq!(ids, expected);
}

#[tokio::test]
async fn too_many_or_too_long_rules_are_given_back_with_the_reason() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let form = alice.open("/admin/site").await.form("/admin/site");
    let many = "Rule\u{20}of\u{20}number".to_owned();
    let many: String = (0..21).map(|at| format!("{many} {at}\n")).collect();
    let long = format!("Be kind.\n{}", "x".repeat(201));
    for (rules, words) in [
        (many.as_str(), "At most 20 rules; these are 21."),
        (
            long.as_str(),
            "Rule 2: At most 200 characters; this has 201.",
        ),
    ] {
        let answer = alice.submit(&form.clone().set("rules", rules)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(answer.text("#rules-error"), words);
        assert_eq!(answer.text("#rules").trim(), rules.trim());
    }
    let long = form.set("contact", &"x".repeat(201));
    let answer = alice.submit(&long).await;
    assert_eq!(
        answer.attributes("[aria-invalid=true]", "name"),
        ["contact"]
    );
    assert!(!alice.open("/rules").await.has(".rules"));
}

/// A rule with Markdown, as the owner writes it and as a line shows it.
const RULE: &str = "Be **kind** to [everybody](/about), a_b_c.";
const RULE_ON_A_LINE: &str = "Be kind to everybody, a_b_c.";

#[tokio::test]
async fn a_rule_with_markdown_is_plain_text_where_it_is_named_on_a_line() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let [bob, carol] = [
        Person::sign_up(&site, "bob").await,
        Person::sign_up(&site, "carol").await,
    ];
    let form = alice.open("/admin/site").await.form("/admin/site");
    let form = form.choose("public_log", "1").set("rules", RULE);
    alice.submit_accepted(&form).await;

    let report = carol.open("/@bob/report").await;
    let expected = [RULE_ON_A_LINE, "Something else"];
    assert_eq!(report.texts("#reason label"), expected);
    let reason = format!("rule:{RULE}");
    let report = report.form("/@bob/report").choose("reason", &reason);
    carol.submit_accepted(&report).await;

    let case = alice.open("/admin/reports/bob").await;
    assert_eq!(case.texts(".reports strong"), [RULE_ON_A_LINE]);
    assert_eq!(case.texts("select#reason option")[0], RULE_ON_A_LINE);
    let decision = case.form("/admin/reports/bob/decide");
    let decision = decision.choose("measure", "warn").set("reason", &reason);
    let decision = decision.set("explanation", "It was *mean*.");
    alice.submit_accepted(&decision).await;

    let grounds = format!("{RULE_ON_A_LINE}: It was *mean*.");
    let decisions = bob.open("/account/decisions").await;
    assert_eq!(decisions.text("blockquote"), grounds);
    let public = carol.open("/moderation").await;
    assert_eq!(
        public.texts("#rules tbody th"),
        [RULE_ON_A_LINE, "People warned"]
    );
    let shown = [
        carol.open("/settings/reports").await.visible_text(),
        alice.open("/admin/reports/bob").await.visible_text(),
        alice.open("/admin").await.visible_text(),
        output_of(&site, &["log"]),
    ];
    for text in &shown {
        assert!(text.contains(RULE_ON_A_LINE), "{text}");
        assert!(!text.contains("**kind**"), "{text}");
    }
    for text in &shown[1..] {
        assert!(text.contains(&grounds), "{text}");
    }
    site.assert_sound().await;
}
