//! Pages of notifications, the limit of stored ones, and entries about statuses that the user may
//! not read.

use redwing::{
    domain::{Notification, NotificationFilter, NotificationKind, StatusId, UserId},
    store::{Fuse, Key, Pages, ReadMode, Undecided},
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
        let (score, entry) = (
            format!("9000000000000{number:03}"),
            format!("favourite:{number}:{fan}"),
        );
        site.redis.command(&["ZADD", &key, &score, &entry]);
    }
    let pages = alice.pages(PAGE).await;
    let sizes: Vec<usize> = pages.iter().map(|page| lines(page).len()).collect();
    assert_eq!(sizes, [30, 5]);
    assert_eq!(members(store, uid).await.len(), 35);
}

#[tokio::test]
async fn a_page_takes_few_round_trips_for_any_number_of_removed_entries() {
    let core = Core::start();
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let key = format!("notifications:{{{reader}}}");
    for number in 1..=1000 {
        let (score, entry) = (number.to_string(), format!("favourite:{number}:{reader}7"));
        core.redis.command(&["ZADD", &key, &score, &entry]);
    }
    let fuse = Fuse::endless();
    let page = store.with_fuse(fuse.clone());
    let page = page
        .notifications_page(reader, (NotificationFilter::All, None), ReadMode::Prefetch)
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
    let entry = format!("mention:{of_bob}:{by}");
    site.redis.command(&["ZADD", &key, "5", &entry]);
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    assert!(
        all_notifications(store, uid).await.is_empty(),
        "in prefetch mode"
    );
    assert_eq!(unread(&alice.open("/").await), None);
}

/// Bob mentions alice more often than her log has places. The notifications by others stay.
#[tokio::test]
async fn the_mentions_by_one_account_do_not_displace_the_notifications_by_others() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let store = &site.store;
    let by = crowd::uid(store, "bob").await;
    carol.follow("alice").await;
    carol.post("hello @alice").await;
    let uid = crowd::uid(store, "alice").await;
    let key = format!("notifications:{{{uid}}}");
    let mut pages = Pages::of(&Key::Notifications(uid));
    let rows = store.rows(&mut pages).await.expect("an answer");
    let newest = rows.iter().map(|(_, at)| *at).fold(0.0, f64::max);
    let rows: Vec<String> = (1..=998)
        .flat_map(|number| {
            let score = newest + f64::from(number);
            [score.to_string(), format!("mention:{number}:{by}")]
        })
        .collect();
    let words = ["ZADD", &key].into_iter();
    let words: Vec<&str> = words.chain(rows.iter().map(String::as_str)).collect();
    site.redis.command(&words);
    for number in 0..5 {
        bob.post(&format!("@alice number {number}")).await;
    }
    let stored = members(store, uid).await;
    assert_eq!(stored.len(), 964);
    let carols = crowd::uid(store, "carol").await;
    let of_carol = stored
        .iter()
        .filter(|entry| entry.ends_with(&format!(":{carols}")));
    assert_eq!(of_carol.count(), 2, "her follow and her mention");
    let shown = lines(&alice.open(PAGE).await);
    assert_eq!(shown.len(), 7, "{shown:?}");
    site.drain().await;
}

/// Fills the log of a user with events of one kind by strangers, a hundred each. Then notifies the user of five
/// more by others.
async fn flood(core: &Core, of: UserId, kind: fn(StatusId) -> NotificationKind) {
    let event = |number: u64| Notification {
        kind: kind(StatusId::new(1_000_000 + number).expect("in range")),
        by: UserId::new(1_000_000 + number / 100).expect("in range"),
    };
    let mut pages = Pages::of(&Key::Notifications(of));
    let rows = core.store.rows(&mut pages).await.expect("an answer");
    let newest = rows.iter().map(|(_, at)| *at).fold(0.0, f64::max);
    let key = format!("notifications:{{{of}}}");
    let mut words = vec!["ZADD".to_owned(), key];
    for number in 0..1000 - rows.len() as u64 {
        words.push((newest + 1.0 + number as f64).to_string());
        words.push(event(number).to_string());
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    core.redis.command(&words);
    let more = (0..5).map(|by| Undecided::new((of, event(1100 + 100 * by))));
    let more: Vec<Undecided> = more.collect();
    let call = core.store.begin().await.expect("an answer");
    let notified = core.store.notify(&call, &more, 9_000_000_000_000_000).await;
    notified.expect("an answer");
}

#[tokio::test]
async fn many_strangers_do_not_displace_followed_people_or_mentions() {
    let core = Core::start();
    let store = &core.store;
    let [alice, friend, stranger] = [
        crowd::member(store, "alice").await,
        crowd::member(store, "friend").await,
        crowd::member(store, "stranger").await,
    ];
    let post = crowd::post(store, alice, "hello").await;
    crowd::follow(store, alice, friend).await;
    crowd::follow(store, friend, alice).await;
    crowd::favourite(store, friend, post).await;
    crowd::favourite(store, stranger, post).await;
    crowd::post(store, stranger, "hello @alice").await;
    let early = members(store, alice).await;
    let is_of = |by: UserId| move |entry: &&String| entry.ends_with(&format!(":{by}"));
    let of_friend: Vec<&String> = early.iter().filter(is_of(friend)).collect();
    assert_eq!(of_friend.len(), 2, "{early:?}");
    let is_mention = |entry: &&String| entry.starts_with("mention:");
    let mention = early.iter().find(is_mention).expect("a mention");

    flood(&core, alice, NotificationKind::Favourite).await;
    let stored = members(store, alice).await;
    assert_eq!(stored.len(), 964);
    let favourite = format!("favourite:{post}:{stranger}");
    assert!(!stored.contains(&favourite), "strangers share their places");
    assert!(stored.contains(mention), "{mention}");
    assert!(of_friend.iter().all(|entry| stored.contains(entry)));
    for entry in stored
        .iter()
        .filter(|entry| entry.starts_with("fav") && !of_friend.contains(entry))
    {
        core.redis
            .command(&["ZREM", &format!("notifications:{{{alice}}}"), entry]);
    }

    flood(&core, alice, NotificationKind::Mention).await;
    let stored = members(store, alice).await;
    assert_eq!(stored.len(), 964);
    assert!(!stored.contains(mention), "strangers share their places");
    assert!(of_friend.iter().all(|entry| stored.contains(entry)));
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
    assert_eq!(members(store, uid).await.len(), 960);
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("99+"));
    assert_eq!(
        lines(&alice.open(PAGE).await),
        ["bob of the tests followed you*"]
    );
}
