//! The last word of a query finds longer words: a limited number of them, the most frequent ones.

use redwing::{
    domain::{Query, StatusId, Term, UserId},
    store::{Store, Viewer},
};

use super::texts;
use crate::support::{Person, Site, core::Core, crowd};

/// Posts these texts and returns their ids, the oldest first.
async fn posts_of(store: &Store, author: UserId, texts: &[&str]) -> Vec<StatusId> {
    let mut ids = Vec::with_capacity(texts.len());
    for text in texts {
        ids.push(crowd::post(store, author, text).await);
    }
    ids
}

/// Returns the posts on all pages of a search.
pub(super) async fn found_by(store: &Store, query: &str) -> Vec<StatusId> {
    let query = Query::parse(query);
    crowd::read_all(async |before| {
        let page = store.search(Viewer::Anonymous, &query, before);
        page.await.expect("an answer")
    })
    .await
}

#[tokio::test]
async fn the_beginning_of_a_word_finds_posts() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    for text in [
        "Fresh Garlic",
        "the garden, freshly cut",
        "Gärten",
        "cigars",
    ] {
        bob.post(text).await;
    }
    let visitor = Person::visitor(&site);
    for (query, expected) in [
        (
            "gar",
            &["Gärten", "the garden, freshly cut", "Fresh Garlic"][..],
        ),
        ("GARL", &["Fresh Garlic"]),
        ("garlic", &["Fresh Garlic"]),
        ("fresh gar", &["Fresh Garlic"]),
        ("gar fresh", &[]),
        (
            "gar from:bob after:2026",
            &["Gärten", "the garden, freshly cut", "Fresh Garlic"],
        ),
        ("\"gar\"", &[]),
        ("ga", &[]),
        ("garlics", &[]),
    ] {
        assert_eq!(texts(&site, &visitor, query).await, expected, "{query}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_word_is_listed_while_a_post_has_it() {
    let core = Core::start();
    let store = &core.store;
    let author = crowd::member(store, "alice").await;
    let one = crowd::post(store, author, "garlic and onions").await;
    let other = crowd::post(store, author, "more garlic").await;
    core.drain().await;
    let is_listed = async |word: &str| {
        let term = Term::stored(word).expect("a term");
        let listed = store.are_words_listed(&[term]).await;
        listed.expect("an answer")[0]
    };
    crowd::delete(store, author, one).await;
    core.drain().await;
    assert!(is_listed("garlic").await && is_listed("more").await);
    assert!(!is_listed("onions").await);
    crowd::edit(store, author, other, "more ginger").await;
    core.drain().await;
    assert!(!is_listed("garlic").await && is_listed("ginger").await);
    crowd::delete(store, author, other).await;
    core.drain().await;
    let left = core.keys("words:").await;
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn the_most_frequent_words_with_a_beginning_are_searched() {
    let core = Core::start();
    let author = crowd::member(&core.store, "alice").await;
    for letter in 'a'..='t' {
        crowd::post(&core.store, author, &format!("zebra{letter}")).await;
    }
    let frequent = posts_of(&core.store, author, &["zebraz"; 3]).await;
    let whole = crowd::post(&core.store, author, "zeb").await;
    core.drain().await;
    let found = found_by(&core.store, "zeb").await;
    // The word itself, the frequent one, and six others.
    assert_eq!(found.len(), 1 + 3 + 6);
    assert_eq!(found[0], whole);
    assert!(frequent.iter().all(|id| found.contains(id)));
}

#[tokio::test]
async fn the_pages_of_several_words_have_each_post_once_and_newest_first() {
    let core = Core::start();
    let author = crowd::member(&core.store, "alice").await;
    let words = ["garlic garden", "garlic", "garden party", "gar"];
    let texts: Vec<&str> = words.into_iter().cycle().take(700).collect();
    let mut posted: Vec<StatusId> = posts_of(&core.store, author, &texts).await;
    core.drain().await;
    posted.reverse();
    let found = found_by(&core.store, "gar").await;
    assert_eq!(found, posted);
    let found = found_by(&core.store, "party gar").await;
    assert_eq!(found.len(), 175);
}
