//! A home is served from the cache while everything that it was made from is unchanged. Each change that the page shows
//! removes it from the cache, and the next page has the change.

use std::collections::HashSet;

use redwing::{
    actions::{accounts, homes::home_page_in_session, polls},
    domain::{Ballot, Bio, DisplayName, UserId},
    store::{Cast, PageSources, ReadMode, Store, Viewer},
};

use super::Scene;
use crate::support::{
    Page, Person, Site,
    core::Core,
    crowd::{
        bookmark, delete, edit, favourite, follow, member, mute_conversation, mute_text, people,
        post, post_poll, repost, session_state,
    },
};

/// Reads of a home until it is recorded: the first one stores what was shown, and the second one caches the slice.
const READS: usize = 10;

pub async fn log_in(store: &Store, who: UserId) -> String {
    let auth = store.auth(who).await.expect("an answer");
    let state = session_state(who, "reader", auth.expect("they signed up").epoch);
    store.save_session(&state).await.expect("an answer")
}

/// Loads the session and a home, as a page does. Returns what it was made from.
async fn record(store: &Store, reader: UserId, cookie: &str) -> Option<PageSources> {
    let page = async {
        store.load_session(cookie).await.expect("an answer");
        let read = home_page_in_session(store, reader, None, ReadMode::Visit);
        read.await.expect("an answer");
    };
    Box::pin(store.record(page)).await.1
}

/// Reads a home until it is recorded. `then` says what a test does next.
pub async fn recorded(store: &Store, reader: UserId, cookie: &str, then: &str) -> PageSources {
    for _ in 0..READS {
        if let Some(sources) = record(store, reader, cookie).await {
            return sources;
        }
    }
    panic!("the home is not recorded before: {then}");
}

async fn rename(store: &Store, who: UserId) {
    let name = DisplayName::parse("Another Name").expect("a name");
    let bio = Bio::parse("").expect("a text");
    let edited = accounts::edit_profile(store, who, &name, &bio).await;
    edited.expect("an answer");
}

/// Fails unless this change ends a recorded home.
macro_rules! assert_ends {
    ($home:expr, $change:expr) => {
        let (connection, reader, cookie) = $home;
        let sources = recorded(connection, reader, cookie, stringify!($change)).await;
        assert!(sources.are_unchanged().await);
        Box::pin($change).await;
        let is_over = !sources.are_unchanged().await;
        assert!(is_over, "{} does not end the page", stringify!($change));
    };
}

#[tokio::test]
async fn every_change_of_what_a_home_shows_ends_it() {
    let core = Core::start();
    let (store, scene) = (&core.store, Scene::on(&core.store).await);
    let (author, reader) = (scene.author, scene.reader);
    let cookie = log_in(store, reader).await;
    let connection = store.fork();
    let home = (&connection, reader, &cookie[..]);
    let [first, second, third, ..] = scene.ids[10..] else {
        panic!("there are 30 statuses");
    };
    let other = member(store, "other").await;
    assert_ends!(home, post(store, author, "news"));
    assert_ends!(home, edit(store, author, first, "another text"));
    assert_ends!(home, favourite(store, reader, second));
    assert_ends!(home, favourite(store, other, second));
    assert_ends!(home, bookmark(store, reader, second));
    assert_ends!(home, repost(store, author, third));
    assert_ends!(home, follow(store, other, reader));
    assert_ends!(home, follow(store, reader, other));
    assert_ends!(home, rename(store, author));
    assert_ends!(home, mute_conversation(store, reader, second));
    // A deleted post is on the stored home until a task withdraws it, and such a home is not recorded.
    assert_ends!(home, delete(store, author, first));
}

#[tokio::test]
async fn a_new_post_ends_a_home_and_a_change_of_something_else_does_not() {
    let core = Core::start();
    let (store, scene) = (&core.store, Scene::on(&core.store).await);
    let cookie = log_in(store, scene.reader).await;
    let connection = store.fork();
    let others = people(store, "other", 2).await;
    follow(store, others[0], others[1]).await;
    let sources = recorded(
        &connection,
        scene.reader,
        &cookie,
        "a change of something else",
    )
    .await;
    let id = post(store, others[1], "news").await;
    favourite(store, others[0], id).await;
    assert!(sources.are_unchanged().await);
    post(store, scene.author, "news").await;
    assert!(!sources.are_unchanged().await);
}

#[tokio::test]
async fn a_home_of_a_reader_with_mutes_holds_until_the_first_of_them_ends() {
    let core = Core::start();
    let (store, scene) = (&core.store, Scene::on(&core.store).await);
    let cookie = log_in(store, scene.reader).await;
    mute_text(store, scene.reader, "word").await;
    let connection = store.fork();
    recorded(&connection, scene.reader, &cookie, "a mute that ends").await;
    let end_us = (store.now().await.expect("an answer").0 + 2000) * 1000;
    let key = format!("muted_texts:{{{}}}", scene.reader);
    core.redis
        .command(&["ZADD", &key, &end_us.to_string(), "another"]);
    let sources = recorded(&connection, scene.reader, &cookie, "its end").await;
    while sources.are_unchanged().await {
        let now = store.now().await.expect("an answer");
        assert!(now.0 * 1000 <= end_us, "the mute has ended");
    }
    assert!(store.now().await.expect("an answer").0 * 1000 + 1000 >= end_us);
}

#[tokio::test]
async fn a_home_with_a_poll_holds_while_others_read_the_poll_and_ends_with_a_vote() {
    let core = Core::start();
    let (store, scene) = (&core.store, Scene::on(&core.store).await);
    let (other, voter) = (member(store, "other").await, member(store, "voter").await);
    let poll = post_poll(store, scene.author, &["Tea", "Coffee"]).await;
    let vote = async |by, option| {
        let ballot = Ballot::of(&[option]).expect("a ballot");
        let cast = polls::vote(store, by, poll, ballot).await;
        assert_eq!(cast.expect("an answer"), Cast::Counted);
        ballot
    };
    let first = vote(other, 0).await;
    let cookie = log_in(store, scene.reader).await;
    let connection = store.fork();
    let sources = recorded(&connection, scene.reader, &cookie, "another reader").await;
    let seen = connection.status(Viewer::Member(other), poll).await;
    let seen = seen.expect("an answer").expect("they see it");
    assert_eq!(seen.ballot(), Some(first));
    assert!(sources.are_unchanged().await);
    vote(voter, 1).await;
    assert!(!sources.are_unchanged().await);
}

#[tokio::test]
async fn a_lost_connection_ends_a_recorded_home() {
    let core = Core::start();
    let (store, scene) = (&core.store, Scene::on(&core.store).await);
    let cookie = log_in(store, scene.reader).await;
    let connection = store.fork();
    let sources = recorded(&connection, scene.reader, &cookie, "a lost connection").await;
    core.redis.command(&["CLIENT", "KILL", "TYPE", "normal"]);
    assert!(!sources.are_unchanged().await);
}

/// Loads home as often as it takes to be sent from the cache.
pub async fn open_home(reader: &Person) -> Page {
    for _ in 1..READS {
        reader.open("/").await;
    }
    reader.open("/").await
}

#[tokio::test]
async fn each_page_has_its_own_token_and_its_own_idempotency_key() {
    let site = Site::with(&["--threads", "1"]).await;
    let reader = Person::sign_up(&site, "reader").await;
    let mut seen = HashSet::new();
    for number in 0..2 * READS {
        let page = reader.open("/").await;
        let tokens = page.attributes("input[name=csrf_token]", "value");
        let keys = page.attributes("input[name=idempotency_key]", "value");
        assert_eq!(keys.len(), 1);
        let tokens: HashSet<String> = tokens.into_iter().collect();
        assert_eq!(tokens.len(), 1, "all forms of a page have its token");
        assert!(seen.insert(keys[0].clone()), "page {number}");
        assert!(
            tokens.into_iter().all(|token| seen.insert(token)),
            "page {number}"
        );
    }
    for text in ["one", "two"] {
        let form = open_home(&reader).await.form("/statuses");
        reader.submit_accepted(&form.set("message", text)).await;
    }
    assert_eq!(reader.open("/@reader").await.messages(), ["two", "one"]);
}

#[tokio::test]
async fn a_notice_is_shown_once_and_a_log_out_ends_the_page() {
    let site = Site::with(&["--threads", "1"]).await;
    let reader = Person::sign_up(&site, "reader").await;
    open_home(&reader).await;
    let form = reader.open("/").await.form("/statuses");
    reader.submit_accepted(&form.set("message", "one")).await;
    assert!(reader.open("/").await.has(".flash"));
    assert!(!open_home(&reader).await.has(".flash"));
    reader.log_out().await;
    assert!(!reader.is_logged_in().await);
}
