//! A page on which the viewer sees no entry says so, and its link leads on to the visible ones.

use redwing::domain::Visibility;

use crate::support::{Page, Person, Site, crowd};

/// Number of hidden entries above the visible one: more than a page examines.
const HIDDEN: u64 = 205;
/// A score above those of all relations (µs).
const NEWEST_SCORE: u64 = 8_000_000_000_000_000;
/// A number above those of all users.
const NO_USER: u64 = 900_000;

/// Reads a page that shows no entry. Returns the next one.
async fn page_behind_empty(person: &Person, path: &str, words: &str) -> Page {
    let page = person.open(path).await;
    assert_eq!(page.texts(".empty"), [words], "{path}");
    let older = page.older().expect("a link to older entries");
    person.open(&older).await
}

#[tokio::test]
async fn a_page_of_hidden_posts_says_so_above_the_link_to_older_ones() {
    let site = Site::start().await;
    let store = &site.store;
    let [author, away] = [
        crowd::member(store, "author").await,
        crowd::member(store, "away").await,
    ];
    let shown = crowd::post(store, author, "visible #full").await;
    for number in 0..HIDDEN {
        let text = format!("post {number} #full");
        crowd::post_to(store, author, Visibility::Followers, &text).await;
        crowd::post(store, away, "for everybody").await;
    }
    crowd::set_suspended(store, away, true).await;
    site.drain().await;
    let visitor = Person::visitor(&site);
    for path in ["/tags/full", "/@author/replies", "/everybody"] {
        let page = page_behind_empty(&visitor, path, "No posts to show on this page.").await;
        assert_eq!(page.status_ids(), [shown.get()], "{path}");
    }
}

#[tokio::test]
async fn a_page_of_hidden_people_says_so_above_the_link_to_older_ones() {
    let site = Site::start().await;
    let store = &site.store;
    let reader = Person::sign_up(&site, "reader").await;
    let uid = crowd::uid(store, "reader").await;
    let star = crowd::member(store, "star").await;
    crowd::followers(store, star, 1).await;
    let blocked = crowd::member(store, "blocked").await;
    crate::blocks::set_block(store, uid, blocked).await;
    for key in [
        format!("followers:{{{star}}}"),
        format!("blocked:{{{uid}}}"),
    ] {
        let entries = (0..HIDDEN).flat_map(|number| [NEWEST_SCORE + number, NO_USER + number]);
        let entries: Vec<String> = entries.map(|number| number.to_string()).collect();
        let words = ["ZADD", &key].into_iter();
        let words: Vec<&str> = words.chain(entries.iter().map(String::as_str)).collect();
        site.redis.command(&words);
    }
    for path in ["/@star/followers", "/settings/blocked"] {
        let page = page_behind_empty(&reader, path, "No people to show on this page.").await;
        assert_eq!(page.count(".people > li"), 1, "{path}");
    }
}
