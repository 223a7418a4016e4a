//! Pages of notifications, the limit of stored ones, and entries about statuses that the user may
//! not read.

use redwing::{
    domain::StatusId,
    store::{Fuse, ReadMode},
};

use super::{PAGE, alice_and_bob, all_notifications, lines, members, unread};
use crate::support::{Page, Person, Site, core::Core, crowd};

#[tokio::test]
async fn lines_are_paged_and_each_appears_once_at_its_newest() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let store = &site.store;
    let uid = crowd::uid(store, "alice").await;
    let ids = crowd::posts(store, uid, 70).await;
    let [ada, bea] = [
        crowd::member(store, "ada").await,
        crowd::member(store, "bea").await,
    ];
    for id in &ids {
        crowd::favourite(store, ada, *id).await;
    }
    // The first line gets another notification and moves up.
    crowd::favourite(store, bea, ids[0]).await;
    let mut expected: Vec<StatusId> = ids[1..].iter().rev().copied().collect();
    expected.insert(0, ids[0]);
    let pages = alice.pages(PAGE).await;
    let sizes: Vec<usize> = pages.iter().map(|page| lines(page).len()).collect();
    assert_eq!(sizes, [30, 30, 10]);
    let links = |page: &Page| page.attributes(".notifications blockquote a", "href");
    let shown: Vec<String> = pages.iter().flat_map(links).collect();
    let expected: Vec<String> = expected.iter().map(|id| format!("/@alice/{id}")).collect();
    assert_eq!(shown, expected);
    assert!(pages[2].visible_text().contains("No more notifications."));
}

#[tokio::test]
async fn pages_stay_full_when_posts_are_deleted() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let store = &site.store;
    let uid = crowd::uid(store, "alice").await;
    let fan = crowd::member(store, "fan").await;
    let key = format!("notifications:{{{uid}}}");
    for id in crowd::posts(store, uid, 35).await {
        crowd::favourite(store, fan, id).await;
    }
    for number in 1..=200 {
        let (score, what) = (
            format!("9000000000000{number:03}"),
            format!("favourite:{number}:{fan}"),
        );
        site.redis.command(&["ZADD", &key, &score, &what]);
    }
    let pages = alice.pages(PAGE).await;
    let sizes: Vec<usize> = pages.iter().map(|page| lines(page).len()).collect();
    assert_eq!(sizes, [30, 5]);
    assert_eq!(members(store, uid).await.len(), 35);
}

#[tokio::test]
async fn a_page_takes_few_rounds_however_many_entries_are_removed() {
    let core = Core::start();
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let key = format!("notifications:{{{reader}}}");
    for number in 1..=1000 {
        let (score, what) = (number.to_string(), format!("favourite:{number}:{reader}7"));
        core.redis.command(&["ZADD", &key, &score, &what]);
    }
    let fuse = Fuse::endless();
    let page = store.with_fuse(fuse.clone());
    let page = page
        .notifications_page(reader, None, ReadMode::Prefetch)
        .await;
    assert!(page.expect("an answer").items.is_empty());
    assert!(fuse.trips() <= 40, "{}", fuse.trips());
    assert!(members(store, reader).await.is_empty());
}

#[tokio::test]
async fn unreadable_notifications_are_no_longer_counted() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let store = &site.store;
    let (uid, by) = (
        crowd::uid(store, "alice").await,
        crowd::uid(store, "bob").await,
    );
    let of_bob = bob.post("nothing about anybody").await;
    let key = format!("notifications:{{{uid}}}");
    let what = format!("mention:{of_bob}:{by}");
    site.redis.command(&["ZADD", &key, "5", &what]);
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    assert!(
        all_notifications(store, uid).await.is_empty(),
        "in prefetch mode"
    );
    assert_eq!(unread(&alice.open("/").await), None);
}

#[tokio::test]
async fn at_most_a_thousand_notifications_are_stored_and_counted() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let store = &site.store;
    let uid = crowd::uid(store, "alice").await;
    let key = format!("notifications:{{{uid}}}");
    let rows: Vec<String> = (1..=1000)
        .flat_map(|number| [number.to_string(), format!("mention:{number}:{uid}7")])
        .collect();
    let words: Vec<&str> = ["ZADD", &key]
        .into_iter()
        .chain(rows.iter().map(String::as_str))
        .collect();
    site.redis.command(&words);
    let bob = Person::sign_up(&site, "bob").await;
    bob.follow("alice").await;
    assert_eq!(members(store, uid).await.len(), 1000);
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("99+"));
    assert_eq!(
        lines(&alice.open(PAGE).await),
        ["bob of the tests followed you*"]
    );
}
