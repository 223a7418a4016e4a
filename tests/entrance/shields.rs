//! The shields against spam: lists of words, domains and addresses, and reports by the site itself.

use std::collections::BTreeSet;

use redwing::store::Key;
use reqwest::StatusCode;

use super::member;
use crate::{
    administration::output_of,
    support::{Form, PASSWORD, Page, Person, Site, crowd, request::Request},
};

const SHIELDS: &str = "/admin/site/shields";
const COPY: &str = "Win a boat today, only today";

/// A site with these settings, and its owner.
async fn site_of(settings: &[&str]) -> (Site, Person) {
    let site = Site::with(&[&["--trusted-proxies", "127.0.0.0/8"], settings].concat()).await;
    let alice = Person::sign_up(&site, "alice").await;
    output_of(&site, &["role", "alice", "owner"]);
    (site, alice)
}

async fn change(owner: &Person, field: &str, text: &str) -> Page {
    let form = owner.open(SHIELDS).await.form(SHIELDS);
    owner.submit(&form.set(field, text)).await
}

async fn compose(person: &Person, text: &str) -> Form {
    let form = person.open("/").await.form("/statuses");
    form.set("message", text)
}

fn assert_refused(page: &Page, what: &str) {
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = page.visible_text();
    let words = format!("The owner of the site has blocked posts with {what}.");
    assert!(text.contains(&words), "{text}");
}

/// Signs up from an address.
async fn sign_up_from(site: &Site, login: &str, address: &str) -> (Person, Page) {
    let visitor = Person::visitor(site);
    let form = visitor.open("/signup").await.form("/signup");
    let form = form.set("login", login).set("name", login);
    let form = form.set("password", PASSWORD);
    let request = Request::submit(&visitor, &form).header("x-forwarded-for", address);
    let answer = request.send().await;
    (visitor, answer)
}

/// Returns the reasons of the open reports about a person, as a case has them.
async fn reasons(moderator: &Person, login: &str) -> Vec<String> {
    let case = moderator.open(&format!("/admin/reports/{login}")).await;
    case.texts(".reports strong")
}

async fn queued_count(site: &Site) -> usize {
    let counts = site.store.member_counts(&[Key::AdminReports]).await;
    counts.expect("an answer")[0]
}

#[tokio::test]
async fn the_owner_writes_the_lists_and_each_change_is_in_the_log() {
    let (site, alice) = site_of(&[]).await;
    let form = alice.open(SHIELDS).await.form(SHIELDS);
    let form = form
        .set("words", "casino\n\n#win\ncasino")
        .set("domains", "Spam.Example")
        .set("addresses", "198.51.100.77/24");
    alice.submit_accepted(&form).await;
    let saved = alice.open(SHIELDS).await.form(SHIELDS);
    assert_eq!(saved.value("words"), "casino\n#win");
    assert_eq!(saved.value("domains"), "spam.example");
    assert_eq!(saved.value("addresses"), "198.51.100.0/24");
    let log = alice.open("/admin").await.texts(".log p[dir]");
    let words = "@alice changed the shields: links of new accounts do not wait, the site reports spam, blocked \
                 words: 2, domains: 1, addresses: 1";
    assert_eq!(log[0], words);
    for (field, text, error) in [
        ("words", "good\n...", "Line 2: "),
        (
            "domains",
            "https://a.example",
            "Line 1: Enter a domain such as example.com.",
        ),
        (
            "addresses",
            "0.0.0.0/0",
            "Line 1: This range has too many addresses",
        ),
    ] {
        let refused = change(&alice, field, text).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        let said = refused.text(&format!("#{field}-error"));
        assert!(said.starts_with(error), "{said}");
        assert_eq!(refused.form(SHIELDS).value(field), text);
    }
    let many: Vec<String> = (0..201).map(|number| format!("word{number}")).collect();
    let refused = change(&alice, "words", &many.join("\n")).await;
    assert_eq!(
        refused.text("#words-error"),
        "At most 200 lines; these are 201."
    );
    let log = alice.open("/admin").await.texts(".log p[dir]");
    assert_eq!(log[0], words, "what was refused is not in the log");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_blocked_word_or_domain_refuses_posts_replies_polls_and_edits() {
    let (site, alice) = site_of(&[]).await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = bob.post("before https://spam.example").await;
    change(&alice, "words", "casino").await;
    change(&alice, "domains", "spam.example").await;
    let refused = bob.submit(&compose(&bob, "My CASINO.").await).await;
    assert_refused(&refused, "“casino”");
    let again = refused.form("/statuses");
    assert_eq!(
        again.value("message"),
        "My CASINO.",
        "the text is given back"
    );
    let link = "a link to spam.example";
    let form = compose(&bob, "see https://www.spam.example/win").await;
    assert_refused(&bob.submit(&form).await, link);
    for other_letters in [
        "https://ｓpam.example/x",
        "https://ſpam.example/x",
        "https://www.SPAM.example./",
        "http://spam.example:8080?a=b",
    ] {
        let form = compose(&bob, other_letters).await;
        assert_refused(&bob.submit(&form).await, link);
    }
    change(&alice, "domains", "spam.example\nBücher.example").await;
    let encoded = compose(&bob, "https://xn--bcher-kva.example/").await;
    let words = "a link to xn--bcher-kva.example";
    assert_refused(&bob.submit(&encoded).await, words);
    let warned = compose(&bob, "hello").await.set("warning", "casino");
    assert_refused(&bob.submit(&warned).await, "“casino”");
    let page = alice.open(&format!("/@bob/{id}")).await;
    let reply = page.form("/statuses").set("message", "a casino");
    assert_refused(&alice.submit(&reply).await, "“casino”");
    let edit = format!("/statuses/{id}/edit");
    let form = bob.open(&edit).await.form(&edit);
    assert_refused(
        &bob.submit(&form.clone().set("message", "casino")).await,
        "“casino”",
    );
    // The text is saved already, so this form changes nothing.
    bob.submit_accepted(&form).await;
    let changed = form.set("message", "once more https://spam.example");
    assert_refused(&bob.submit(&changed).await, link);
    assert_eq!(
        bob.open("/@bob").await.messages(),
        ["before https://spam.example"]
    );
    assert_eq!(bob.ids("/@bob").await, [id]);
    bob.post("casinos and spam.example").await;
    change(&alice, "words", "").await;
    bob.submit_accepted(&compose(&bob, "casino").await).await;
    site.assert_sound().await;
}

#[tokio::test]
async fn nobody_signs_up_from_a_blocked_range_and_its_members_log_in() {
    let (site, alice) = site_of(&["--sign-up", "open"]).await;
    let (_, answer) = sign_up_from(&site, "bob", "198.51.100.9").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    change(&alice, "addresses", "198.51.100.0/24\n2001:db8::/32").await;
    for address in ["198.51.100.10", "2001:db8:1::7"] {
        let (_, refused) = sign_up_from(&site, "carol", address).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{address}");
        assert_eq!(refused.text("h1"), "You cannot sign up from here");
    }
    let (_, answer) = sign_up_from(&site, "carol", "198.51.101.10").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let visitor = Person::visitor(&site);
    let form = visitor.open("/login").await.form("/login");
    let form = form.set("login", "bob").set("password", PASSWORD);
    let request = Request::submit(&visitor, &form).header("x-forwarded-for", "198.51.100.10");
    assert_eq!(request.send().await.status, StatusCode::SEE_OTHER);
    site.assert_sound().await;
}

#[tokio::test]
async fn copies_of_one_text_by_three_new_accounts_are_reported_once() {
    let (site, alice) = site_of(&["--new-account-days", "7"]).await;
    let mut people = Vec::new();
    for login in ["bob", "carol", "dave"] {
        people.push(Person::sign_up(&site, login).await);
    }
    for person in &people[..2] {
        person.post(&format!("{COPY} @alice")).await;
        person.post("Good morning").await;
    }
    // A member who is not new repeats a text.
    let old = member(&site, "old").await;
    output_of(&site, &["vouch", "old"]);
    old.post(COPY).await;
    site.drain().await;
    assert_eq!(queued_count(&site).await, 0);
    for text in [COPY.to_uppercase(), "Good morning".to_owned()] {
        people[2].post(&text).await;
    }
    site.drain().await;
    assert_eq!(queued_count(&site).await, 3);
    for login in ["bob", "carol", "dave"] {
        assert_eq!(reasons(&alice, login).await, ["Copies of one text"]);
    }
    let case = alice.open("/admin/reports/bob").await;
    assert_eq!(case.texts(".then"), [format!("{COPY} @alice")]);
    let text = case.visible_text();
    assert!(text.contains("The site reported a post"), "{text}");
    assert!(text.contains("3 new accounts posted this text"), "{text}");
    let form = case.form("/admin/reports/bob/decide");
    let form = form.choose("measure", "dismiss").choose("reason", "spam");
    alice.submit_accepted(&form).await;
    people[2].post(&format!("{COPY}!")).await;
    site.drain().await;
    assert_eq!(queued_count(&site).await, 2, "a decision is not undone");
    site.assert_sound().await;
}

#[tokio::test]
async fn an_account_that_mentions_more_than_20_people_in_an_hour_is_reported() {
    let (site, alice) = site_of(&["--new-account-days", "0"]).await;
    let bob = Person::sign_up(&site, "bob").await;
    crowd::people(&site.store, "person", 22).await;
    let mention = |range: std::ops::RangeInclusive<usize>| {
        let mentions: Vec<String> = range.map(|number| format!("@person_{number}")).collect();
        mentions.join(" ")
    };
    for range in [1..=12, 5..=20, 1..=9] {
        bob.post(&mention(range)).await;
    }
    site.drain().await;
    assert_eq!(queued_count(&site).await, 0);
    bob.post(&mention(21..=21)).await;
    site.drain().await;
    assert_eq!(reasons(&alice, "bob").await, ["Mass mentions"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn ten_sign_ups_from_one_network_in_an_hour_are_reported() {
    let (site, alice) = site_of(&["--sign-up", "open"]).await;
    let mut queued = BTreeSet::new();
    for number in 0..11 {
        let address = format!("198.51.100.{number}");
        let (_, answer) = sign_up_from(&site, &format!("spam_{number}"), &address).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        queued.insert(queued_count(&site).await);
    }
    sign_up_from(&site, "other", "203.0.113.7").await;
    assert_eq!(queued, [0, 10, 11].into());
    assert_eq!(queued_count(&site).await, 11);
    assert_eq!(reasons(&alice, "spam_0").await, ["Burst of sign-ups"]);
    let form = alice.open(SHIELDS).await.form(SHIELDS);
    alice.submit_accepted(&form.without("reports_spam")).await;
    sign_up_from(&site, "later", "198.51.100.99").await;
    assert_eq!(queued_count(&site).await, 11, "the shield is off");
    site.assert_sound().await;
}
