//! The people that complete a name while a person writes.

use reqwest::StatusCode;
use serde_json::Value;

use crate::support::{Page, Person, Site, crowd};

const PEOPLE: &str = "/mentions/people?q=";

fn logins(page: &Page) -> Vec<String> {
    let people: Vec<Value> = serde_json::from_str(&page.html).expect("a list");
    let login = |person: &Value| person["login"].as_str().map(str::to_owned);
    people.iter().filter_map(login).collect()
}

async fn completed(person: &Person, typed: &str) -> Vec<String> {
    logins(&person.get(&format!("{PEOPLE}{typed}")).await)
}

#[tokio::test]
async fn followed_people_come_first_then_whole_words_and_the_most_followed() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let store = &site.store;
    let people = crowd::people(store, "garlic", 12).await;
    crowd::member(store, "gar").await;
    crowd::follow(store, people[1], people[4]).await;
    assert_eq!(completed(&alice, "gar").await[..2], ["gar", "garlic_4"]);
    crowd::follow(store, crowd::uid(store, "alice").await, people[11]).await;
    let found = completed(&alice, "gar").await;
    assert_eq!(found[..3], ["garlic_11", "gar", "garlic_4"]);
    assert_eq!(found.len(), 10);
    assert!(completed(&alice, "arlic").await.is_empty());
    assert!(completed(&alice, "").await.is_empty());
    assert!(completed(&alice, "alice").await.is_empty(), "not oneself");
}

#[tokio::test]
async fn people_who_block_or_are_blocked_are_not_offered() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let garlic = Person::sign_up(&site, "garlic").await;
    Person::sign_up(&site, "garnet").await;
    assert_eq!(completed(&alice, "gar").await, ["garlic", "garnet"]);
    let form = garlic.open("/@alice").await.form("/@alice/block");
    garlic.submit_accepted(&form).await;
    assert_eq!(completed(&alice, "gar").await, ["garnet"]);
    assert!(completed(&garlic, "alice").await.is_empty());
    let visitor = Person::visitor(&site).get(&format!("{PEOPLE}gar")).await;
    assert_ne!(visitor.status, StatusCode::OK);
    assert!(!visitor.html.contains("garnet"));
}

#[tokio::test]
async fn names_are_completed_within_a_limit_of_their_own() {
    let site = Site::with(&["--searches-per-hour", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    for _ in 0..4 {
        assert!(completed(&alice, "gar").await.is_empty());
    }
    let refused = alice.get(&format!("{PEOPLE}gar")).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(alice.get("/search?q=gar").await.status, StatusCode::OK);
}
