//! `redwing admin`: the commands for the people who run a site, while it runs.

use std::process::Output;

mod cases;
mod charts;
mod json;
mod lists;
mod measures;
mod pipes;
mod posts;
mod removals;
mod roles;
mod site;
mod suspension;

use redwing::{domain::SecretLink, store::DATA_VERSION};
use reqwest::StatusCode;
use serde_json::Value;

use crate::{
    recovery::make_codes,
    support::{PASSWORD, Person, Site, crowd, process::Home},
};

/// Runs a command beside a site.
pub fn admin(site: &Site, arguments: &[&str]) -> Output {
    let url = site.redis.url();
    let version = DATA_VERSION.number.to_string();
    site.redis.command(&["SET", "schema:version", &version]);
    let arguments = [&["admin", "--redis-url", &url], arguments].concat();
    Home::new().run(&arguments)
}

/// Runs a command that succeeds, and returns its output.
pub fn output_of(site: &Site, arguments: &[&str]) -> String {
    let output = admin(site, arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {text}{errors}");
    text
}

pub fn document(site: &Site, arguments: &[&str]) -> Value {
    serde_json::from_str(&output_of(site, arguments)).expect("one JSON document")
}

/// Requires that each command is refused with exit code 1 and these words.
pub fn refuse(site: &Site, commands: &[(&[&str], &str)]) {
    for (command, words) in commands {
        let output = admin(site, command);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{command:?}: {errors}");
        assert!(errors.contains(words), "{command:?}: {errors}");
    }
}

/// Returns the path of a new link for alice.
fn reset_path(site: &Site) -> String {
    path_of_link(&output_of(site, &["reset", "alice"]))
}

/// Returns the path of the link that a command printed.
fn path_of_link(output: &str) -> String {
    let link = output.lines().next().expect("a link");
    let path = link.strip_prefix("http://127.0.0.1:8080");
    path.unwrap_or_else(|| panic!("{link}")).to_owned()
}

const NEW_PASSWORD: &str = "another mountain lake";

#[tokio::test]
async fn a_link_sets_a_new_password_once_and_ends_all_sessions() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let path = reset_path(&site);
    let visitor = Person::visitor(&site);
    let page = visitor.open(&path).await;
    assert!(page.visible_text().contains("@alice"));
    let form = page.form(&path).set("new_password", "short");
    let refused = visitor.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let form = form.set("new_password", NEW_PASSWORD);
    visitor.submit_accepted(&form).await;
    assert!(visitor.is_logged_in().await);
    assert!(!alice.is_logged_in().await);
    let old = Person::visitor(&site).send_log_in("alice", PASSWORD).await;
    assert_eq!(old.status, StatusCode::UNPROCESSABLE_ENTITY);
    let stranger = Person::visitor(&site);
    let again = stranger.get(&path).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    assert!(again.visible_text().contains("This link no longer works"));
    let sent_again = visitor.submit(&form).await;
    assert_ne!(sent_again.status, StatusCode::SEE_OTHER);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_password_that_a_stranger_knows_can_be_made_unusable_at_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = crowd::uid(&site.store, "alice").await;
    make_codes(&alice).await;
    let output = output_of(&site, &["reset", "alice", "--disable-password"]);
    assert!(output.contains("do not work any more"), "{output}");
    assert!(!alice.is_logged_in().await);
    let old = Person::visitor(&site).send_log_in("alice", PASSWORD).await;
    assert_eq!(old.status, StatusCode::UNPROCESSABLE_ENTITY);
    let codes = site.store.recovery_codes(id).await;
    assert_eq!(codes.expect("an answer"), None);
    let path = path_of_link(&output);
    let form = alice.open(&path).await.form(&path);
    let form = form.set("new_password", NEW_PASSWORD);
    alice.submit_accepted(&form).await;
    assert!(alice.is_logged_in().await);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_new_link_replaces_the_one_before_and_a_link_expires() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let (first, second) = (reset_path(&site), reset_path(&site));
    let visitor = Person::visitor(&site);
    assert_eq!(visitor.get(&first).await.status, StatusCode::NOT_FOUND);
    let form = visitor.open(&second).await.form(&second);
    let id = crowd::uid(&site.store, "alice").await;
    let key = format!("recovery:{{{id}}}");
    let link = SecretLink::parse(second.trim_start_matches("/login/reset/")).expect("a link");
    let digest = link.digest();
    site.redis.command(&["HSET", &key, &digest, "1000"]);
    assert_eq!(visitor.get(&second).await.status, StatusCode::NOT_FOUND);
    let late = visitor
        .submit(&form.set("new_password", NEW_PASSWORD))
        .await;
    assert_eq!(late.status, StatusCode::NOT_FOUND);
    let old = Person::visitor(&site).send_log_in("alice", PASSWORD).await;
    assert_eq!(old.status, StatusCode::SEE_OTHER);
}

#[test]
fn the_docs_have_a_row_for_each_command() {
    let docs = include_str!("../../docs/community.md");
    let help = Home::new().run(&["admin", "--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let (_, commands) = help.split_once("Commands:\n").expect("commands");
    let (commands, _) = commands.split_once("\n\n").expect("an end");
    // Further lines of a text are indented deeper.
    let first_lines = commands.lines().filter(|line| !line.starts_with("   "));
    let names = first_lines.filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 25, "{help}");
    for name in names {
        let row = format!("| `redwing admin {name}");
        assert!(docs.contains(&row), "{name} is missing");
    }
}

#[tokio::test]
async fn an_unknown_login_is_refused_in_words() {
    let site = Site::start().await;
    for command in ["reset", "show"] {
        let output = admin(&site, &[command, "nobody_here"]);
        assert_eq!(output.status.code(), Some(1));
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            words.contains("no one has the login nobody_here"),
            "{words}"
        );
    }
}

#[tokio::test]
async fn people_are_listed_newest_first_in_bounded_pages() {
    let site = Site::start().await;
    for number in 0..7 {
        crowd::member(&site.store, &format!("person_{number}")).await;
    }
    let mut found = Vec::new();
    let mut before = u64::MAX.to_string();
    loop {
        let arguments = ["people", "--json", "--limit", "3", "--before", &before];
        // The largest number reads all ids below the counter only without a cursor.
        let arguments = match found.is_empty() {
            true => &arguments[..4],
            false => &arguments[..],
        };
        let list = document(&site, arguments);
        let people = list["people"].as_array().expect("a list").clone();
        assert!(people.len() <= 3);
        found.extend(people.iter().map(|person| person["login"].to_string()));
        match list["next"].as_u64() {
            Some(next) => before = next.to_string(),
            None => break,
        }
    }
    let expected: Vec<String> = (0..7).rev().map(|n| format!("\"person_{n}\"")).collect();
    assert_eq!(found, expected);
    let table = output_of(&site, &["people"]);
    assert_eq!(table.lines().count(), 8, "{table}");
}

#[tokio::test]
async fn an_account_is_shown_with_its_sessions_and_codes() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    make_codes(&alice).await;
    alice.post("hello").await;
    let shown = document(&site, &["show", "@alice", "--json"]);
    assert_eq!(shown["login"], "alice");
    assert_eq!(shown["posts"], 1);
    assert_eq!(shown["sessions"], 1);
    assert_eq!(shown["recovery_codes_unused"], 10);
    let lines = output_of(&site, &["show", "alice"]);
    assert!(lines.contains("recovery codes unused  10"), "{lines}");
}
