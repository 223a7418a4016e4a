//! The numbers of the site over 30 days, in the administration.

use super::output_of;
use crate::support::{Person, Site};

#[tokio::test]
async fn the_administration_shows_what_the_site_did() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.follow("alice").await;
    alice.post("of alice").await;
    output_of(&site, &["role", "alice", "owner"]);
    let empty = alice.open("/admin").await;
    assert_eq!(empty.count(".chart svg[role=img]"), 7);
    site.store.note_day(40).await.expect("noted");
    // The site counts in its own store, which shares the counts of its threads.
    let page = alice.open("/admin").await;
    assert_eq!(page.count(".chart"), 7);
    let today = |title: &str| {
        let rows = page.texts("figure");
        let chart = rows.into_iter().find(|text| text.contains(title));
        chart.unwrap_or_else(|| panic!("{title}"))
    };
    assert!(today("People who have signed up").contains("2 today"));
    assert!(today("Disk").contains("40 % today, 40 % at most"));
    assert_eq!(page.count("figure:first-of-type table tbody tr"), 30);
    assert!(!page.has("figure script"));
    // The other pages of the log have none.
    assert_eq!(alice.open("/admin?before=5").await.count(".chart"), 0);
    site.assert_sound().await;
}

#[tokio::test]
async fn posts_deliveries_and_visitors_of_a_process_are_counted_once() {
    let core = crate::support::core::Core::start();
    let store = &core.store;
    let author = crate::support::crowd::member(store, "author").await;
    let readers = crate::support::crowd::followers(store, author, 3).await;
    store.note_day(0).await.expect("noted");
    let before = store
        .site_days()
        .await
        .expect("an answer")
        .pop()
        .expect("today");
    crate::support::crowd::posts(store, author, 4).await;
    core.drain().await;
    for _ in 0..2 {
        store.note_day(0).await.expect("noted");
    }
    let days = store.site_days().await.expect("an answer");
    let today = days.last().expect("today");
    assert_eq!(today.posts - before.posts, 4);
    assert_eq!(
        today.deliveries - before.deliveries,
        4 * readers.len() as u64
    );
    assert_eq!(days.len(), 30);
    core.assert_sound().await;
}

#[tokio::test]
async fn days_stay_while_the_clock_may_be_wrong() {
    use crate::support::{core::Core, pool::Redis, redis::RedisServer};

    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let store = &core.store;
    core.redis.command(&["HSET", "site:days", "5:posts", "7"]);
    core.redis
        .command(&["HSET", "clock:", "seen", "5", "since", "0"]);
    let fields = async || {
        let all = core.redis.one_node().ask(&["HGET", "site:days", "5:posts"]);
        all.contains('7')
    };
    store.note_day(0).await.expect("noted");
    assert!(fields().await, "the clock jumped");
    core.redis.command(&["HSET", "clock:", "since", "5"]);
    store.note_day(0).await.expect("noted");
    assert!(!fields().await);
}
