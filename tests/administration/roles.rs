//! Roles: each page of the administration for each role, and the log of all acts.

use reqwest::StatusCode;

use super::{document, output_of};
use crate::support::{Person, Site, crowd};

/// The roles as the command takes them.
const ROLES: [&str; 4] = ["owner", "moderator", "welcomer", "none"];

/// Pages, and whether each of the roles may read them.
const PAGES: [(&str, [bool; 4]); 7] = [
    ("/admin/site", [true, false, false, false]),
    ("/admin/site/texts", [true, false, false, false]),
    ("/admin/site/shields", [true, false, false, false]),
    ("/admin/people/alice", [true, true, false, false]),
    ("/admin/approvals", [true, true, true, false]),
    ("/admin", [true, true, false, false]),
    ("/admin/people", [true, true, false, false]),
];

#[tokio::test]
async fn each_role_opens_exactly_its_pages() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for (at, role) in ROLES.into_iter().enumerate() {
        output_of(&site, &["role", "alice", role]);
        for (path, permitted) in PAGES {
            let page = alice.get(path).await;
            let expected = match permitted[at] {
                true => StatusCode::OK,
                false => StatusCode::FORBIDDEN,
            };
            assert_eq!(page.status, expected, "{role} {path}");
            if !permitted[at] {
                page.assert_helpful();
            }
        }
        let leads_there = alice.open("/settings").await.has("a[href=\"/admin\"]");
        assert_eq!(leads_there, at < 2, "{role}");
        let settings = alice.open("/settings").await;
        let answers = settings.has("a[href=\"/admin/approvals\"]");
        assert_eq!(answers, at < 3, "{role}");
    }
}

#[tokio::test]
async fn a_visitor_logs_in_first() {
    let site = Site::start().await;
    for (path, _) in PAGES {
        let page = Person::visitor(&site).get(path).await;
        assert!(page.location().starts_with("/login"), "{path}");
    }
}

#[tokio::test]
async fn every_act_of_the_host_is_in_the_log() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    Person::sign_up(&site, "bob").await;
    output_of(&site, &["role", "alice", "owner"]);
    output_of(&site, &["role", "bob", "moderator"]);
    output_of(&site, &["reset", "bob"]);
    output_of(&site, &["role", "bob", "none"]);
    let expected = [
        "the host took the role from @bob",
        "the host made a link that sets a new password for @bob",
        "the host made @bob moderator",
        "the host made @alice owner",
    ];
    assert_eq!(alice.open("/admin").await.texts(".log p[dir]"), expected);
    let log = document(&site, &["log", "--json"]);
    let acts = log["acts"].as_array().expect("a list");
    let words: Vec<&str> = acts
        .iter()
        .filter_map(|act| act["words"].as_str())
        .collect();
    assert_eq!(words, expected);
    assert!(
        !log.to_string().contains("/login/reset/"),
        "no secret is logged"
    );
    let first = document(&site, &["log", "--json", "--limit", "3"]);
    let next = first["next"].to_string();
    let rest = document(&site, &["log", "--json", "--before", &next]);
    assert_eq!(rest["acts"][0]["words"], expected[3]);
    assert_eq!(rest["acts"].as_array().map(Vec::len), Some(1));
    let lines = output_of(&site, &["log"]);
    assert_eq!(lines.lines().count(), 4, "{lines}");
    site.assert_sound().await;
}

#[tokio::test]
async fn the_role_is_shown_with_the_account() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    crowd::member(&site.store, "bob").await;
    output_of(&site, &["role", "alice", "moderator"]);
    let shown = document(&site, &["show", "alice", "--json"]);
    assert_eq!(shown["role"], "moderator");
    let page = alice.open("/admin/people").await;
    let people = page.texts(".log .handle");
    assert_eq!(people, ["@bob", "@alice"]);
    assert_eq!(page.texts(".log .badge"), ["moderator"]);
}

const RESET: &str = "/admin/people/bob/reset";

#[tokio::test]
async fn a_moderator_makes_a_link_that_sets_a_new_password_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    output_of(&site, &["role", "alice", "moderator"]);
    let form = alice.open("/admin/people/bob").await.form(RESET);
    let page = alice.submit(&form).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(page.header("cache-control"), Some("private, no-store"));
    let link = page.attributes("input[readonly]", "value").remove(0);
    let path = link.strip_prefix("http://127.0.0.1:8080");
    let path = path.unwrap_or_else(|| panic!("{link}"));
    assert!(bob.is_logged_in().await, "nothing has changed yet");

    let visitor = Person::visitor(&site);
    let form = visitor.open(path).await.form(path);
    let form = form.set("new_password", "another mountain lake");
    visitor.submit_accepted(&form).await;
    assert!(visitor.is_logged_in().await && !bob.is_logged_in().await);
    let again = Person::visitor(&site).submit(&form).await;
    assert!(again.status.is_client_error(), "{}", again.status);
    let log = output_of(&site, &["log"]);
    let act = "@alice made a link that sets a new password for @bob";
    assert_eq!(log.matches(act).count(), 1, "{log}");
    let code = path.rsplit('-').next().expect("a code");
    assert!(!log.contains(code), "{log}");
    site.assert_sound().await;
}

#[tokio::test]
async fn links_for_a_new_password_are_made_by_those_above_a_person_only() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    output_of(&site, &["role", "alice", "owner"]);
    let form = alice.open("/admin/people/bob").await.form(RESET);
    for (role, of_bob, is_permitted) in [
        ("owner", "owner", false),
        ("owner", "moderator", true),
        ("moderator", "owner", false),
        ("moderator", "moderator", false),
        ("moderator", "welcomer", true),
        ("moderator", "none", true),
        ("welcomer", "none", false),
        ("none", "none", false),
    ] {
        output_of(&site, &["role", "alice", role]);
        output_of(&site, &["role", "bob", of_bob]);
        let answer = alice.submit(&form).await;
        let expected = match is_permitted {
            true => StatusCode::OK,
            false => StatusCode::FORBIDDEN,
        };
        assert_eq!(answer.status, expected, "{role} {of_bob}");
        let page = alice.get("/admin/people/bob").await;
        assert_eq!(
            page.find_form(RESET).is_some(),
            is_permitted,
            "{role} {of_bob}"
        );
    }
    assert!(bob.is_logged_in().await);
}
