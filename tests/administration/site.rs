//! `redwing admin site`: everything that the pages of the owner set.

use std::{fs, process::Output};

use serde_json::{Value, json};

use super::{admin, document, output_of};
use crate::support::{Person, Site, process::Home};

/// Writes a text to a file of the test, and returns its path.
fn file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("redwing-site-{}-{name}", std::process::id()));
    fs::write(&path, text).expect("a file");
    path.to_str().expect("a path").to_owned()
}

fn errors_of(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn the_host_sets_everything_that_the_pages_of_the_owner_set() {
    let site = Site::start().await;
    let files = [
        ("rules", "Be kind.\nNo ads.\n"),
        ("about", "# We sail\n"),
        ("privacy", "We store posts."),
        ("blocked-words", "casino\n"),
        ("blocked-domains", "spam.example"),
        ("blocked-addresses", "198.51.100.0/24"),
    ];
    let files = files.map(|(name, text)| (format!("--{name}"), file(name, text)));
    let mut arguments = vec!["site", "--json"];
    for (name, path) in &files {
        arguments.extend([name.as_str(), path.as_str()]);
    }
    arguments.extend(["--name", "Harbour", "--description", "For boats."]);
    arguments.extend(["--contact", "Dock 3", "--question", "Which boat?"]);
    arguments.extend(["--entrance", "approval", "--founders", "moderators"]);
    arguments.extend(["--everybody", "members", "--hue", "200"]);
    arguments.extend([
        "--public-log",
        "on",
        "--show-inviters",
        "on",
        "--links-wait",
        "on",
        "--reports",
        "off",
    ]);
    let set = document(&site, &arguments);
    let expected = json!({
        "name": "Harbour",
        "description": "For boats.",
        "contact": "Dock 3",
        "rules": ["Be kind.", "No ads."],
        "question": "Which boat?",
        "entrance": "approval",
        "fixed_entrance": null,
        "founders": "moderators",
        "everybody": "members",
        "hue": 200,
        "public_log": true,
        "show_inviters": true,
        "about": "# We sail",
        "privacy": "We store posts.",
        "links_wait": true,
        "reports": false,
        "blocked_words": ["casino"],
        "blocked_domains": ["spam.example"],
        "blocked_addresses": ["198.51.100.0/24"],
    });
    assert_eq!(set, expected);
    assert_eq!(document(&site, &["site", "--json"]), expected);
    let lines = output_of(&site, &["site"]);
    assert!(lines.contains("\npublic log         true\n"), "{lines}");

    site.store.read_site().await.expect("an answer");
    let visitor = Person::visitor(&site);
    let landing = visitor.open("/").await;
    assert_eq!(landing.text(".brand"), "Harbour");
    assert_eq!(
        visitor.open("/about").await.text(".prose h1, .prose h2"),
        "We sail"
    );
    assert_eq!(visitor.open("/rules").await.texts(".rules li").len(), 2);
    assert_eq!(visitor.open("/moderation").await.text("h1"), "Moderation");
    let log = output_of(&site, &["log"]);
    for act in [
        "the host named the site “Harbour”",
        "the host changed the rules of the site: 2 rules",
        "the host published the numbers of decisions",
        "the host changed the pages about the site",
        "the host changed the shields",
    ] {
        assert_eq!(log.matches(act).count(), 1, "{act}: {log}");
    }
    // Nothing else changes, and nothing is logged without a change.
    let named = document(
        &site,
        &["site", "--json", "--name", "Port", "--contact", ""],
    );
    let mut renamed = expected;
    (renamed["name"], renamed["contact"]) = ("Port".into(), "".into());
    assert_eq!(named, renamed);
    let before = output_of(&site, &["log"]);
    document(
        &site,
        &["site", "--json", "--name", "Port", "--links-wait", "on"],
    );
    assert_eq!(output_of(&site, &["log"]), before);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_wrong_setting_is_refused_in_words_and_changes_nothing() {
    let site = Site::start().await;
    let former = document(&site, &["site", "--json"]);
    assert_eq!(former["entrance"], Value::Null, "no one has chosen");
    let wrong = file("wrong", "not a domain\n");
    for (arguments, words) in [
        (&["--name", " "][..], "--name"),
        (&["--hue", "360"], "--hue"),
        (
            &["--entrance", "closed", "--blocked-domains", &wrong],
            "Enter a domain",
        ),
        (&["--about", "/nowhere/about.md"], "/nowhere/about.md"),
        (&["--about", "-", "--privacy", "-"], "the standard input"),
    ] {
        let output = admin(&site, &[&["site", "--json"], arguments].concat());
        let errors = errors_of(&output);
        assert!(errors.contains(words), "{arguments:?}: {errors}");
    }
    assert_eq!(document(&site, &["site", "--json"]), former);
    assert!(!output_of(&site, &["log"]).contains("the site"));
}

#[tokio::test]
async fn a_name_is_set_before_anyone_has_chosen_an_entrance() {
    let site = Site::start().await;
    let mut expected = document(&site, &["site", "--json"]);
    assert_eq!(expected["entrance"], Value::Null, "no one has chosen");
    let named = document(&site, &["site", "--json", "--name", "Port"]);
    expected["name"] = "Port".into();
    assert_eq!(named, expected);
    let log = output_of(&site, &["log"]);
    assert!(log.contains("the host named the site “Port”"), "{log}");
    assert!(!log.contains("entrance"), "{log}");
    // The entrance in force is still the default.
    Person::sign_up(&site, "alice").await;
}

#[tokio::test]
async fn changes_of_different_settings_at_once_all_stay() {
    let site = Site::start().await;
    document(&site, &["site", "--json", "--entrance", "open"]);
    let url = site.redis.url();
    for round in 0..4 {
        let text = format!("Round {round}");
        let path = file(&format!("round-{round}"), &text);
        let changes = [
            ("--name", &*text),
            ("--contact", &text),
            ("--description", &text),
            ("--about", &path),
            ("--privacy", &path),
            ("--blocked-words", &path),
            ("--links-wait", if round % 2 == 0 { "on" } else { "off" }),
        ];
        let running = changes.map(|(option, value)| {
            let arguments = ["admin", "--redis-url", &url, "site", option, value];
            let arguments = arguments.map(str::to_owned);
            std::thread::spawn(move || Home::new().run(&arguments.each_ref().map(|one| &**one)))
        });
        for change in running {
            let output = change.join().expect("the command ends");
            assert!(output.status.success(), "{output:?}");
        }
        let set = document(&site, &["site", "--json"]);
        for field in ["name", "contact", "description", "about", "privacy"] {
            assert_eq!(set[field], text, "{field}");
        }
        assert_eq!(set["blocked_words"], json!([text]));
        assert_eq!(set["links_wait"], round % 2 == 0);
    }
    site.assert_sound().await;
}
