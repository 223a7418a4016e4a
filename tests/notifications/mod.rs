//! Notifications: a page whose lines show which ones are new, and a count beside the link on every
//! page until it was read.

mod filters;
mod limits;
mod mentions;
mod new_statuses;
mod races;

use redwing::{
    domain::{NotificationFilter, StatusId, UserId},
    store::{Key, NotificationPage, Pages, ReadMode, Store},
};
use reqwest::Method;

use crate::support::{Page, Person, Site, crowd, request::Request};

const PAGE: &str = "/notifications";

/// Returns the number beside the link, or `None` if nothing is unread.
pub fn unread(page: &Page) -> Option<String> {
    let shown = page.texts(".tabs .unread:not([hidden]) [data-unread]");
    shown.into_iter().next()
}

/// Returns the text of each line without its age. New lines end with a star.
pub fn lines(page: &Page) -> Vec<String> {
    let texts = page.texts(".notification-body > p");
    let ages = page.texts(".notification-body time");
    let line = |(text, age): (String, String)| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let (said, mark) = text.rsplit_once(&age).expect("it says how long ago");
        let star = if mark == " New" { "*" } else { "" };
        format!("{}{star}", said.trim_end())
    };
    texts.into_iter().zip(ages).map(line).collect()
}

/// Returns all notifications of a user, line by line, read in prefetch mode.
pub async fn all_notifications(store: &Store, who: UserId) -> Vec<NotificationPage> {
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let page = store
            .notifications_page(who, (NotificationFilter::All, cursor), ReadMode::Prefetch)
            .await;
        let page = page.expect("an answer");
        all.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            return all;
        }
    }
}

/// Returns the raw entries of a user's notification log, oldest first.
pub async fn members(store: &Store, of: UserId) -> Vec<String> {
    let mut pages = Pages::of(&Key::Notifications(of));
    let mut members = Vec::new();
    loop {
        let rows = store.rows(&mut pages).await.expect("an answer");
        if rows.is_empty() {
            return members;
        }
        members.extend(rows.into_iter().map(|(member, _)| member));
    }
}

async fn alice_and_bob(site: &Site) -> (Person, Person) {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    (alice, bob)
}

#[tokio::test]
async fn a_new_follower_and_a_favourite_are_notified_counted_and_read() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let id = alice.post("worth a star").await;
    assert_eq!(unread(&alice.open("/").await), None);
    bob.follow("alice").await;
    bob.press("/@alice", "favourite", id).await;
    for path in [
        "/",
        "/@bob",
        "/settings",
        "/lists",
        "/favourites",
        "/nowhere",
    ] {
        assert_eq!(
            unread(&alice.get(path).await).as_deref(),
            Some("2"),
            "{path}"
        );
    }
    let page = alice.open(PAGE).await;
    assert_eq!(
        lines(&page),
        [
            "bob of the tests favourited your post*",
            "bob of the tests followed you*"
        ]
    );
    assert_eq!(page.text(".notifications blockquote"), "worth a star");
    let post = format!(".notifications blockquote a[href=\"/@alice/{id}\"]");
    assert!(page.has(&post) && page.has(".notifications p a[href=\"/@bob\"]"));
    assert_eq!(unread(&page), None, "opening the page marks all as read");
    assert_eq!(unread(&alice.open("/").await), None);
    assert!(page.has(".tabs [aria-current=page][href=\"/notifications\"]"));
    assert_eq!(unread(&bob.open("/").await), None);
    assert!(lines(&bob.open(PAGE).await).is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn own_actions_cause_no_notification() {
    let site = Site::start().await;
    let (alice, _) = alice_and_bob(&site).await;
    let id = alice.post("my own star").await;
    alice.press("/@alice", "favourite", id).await;
    alice.press("/@alice", "unfavourite", id).await;
    alice.press("/@alice", "favourite", id).await;
    let page = alice.open(PAGE).await;
    assert_eq!((lines(&page), unread(&page)), (Vec::new(), None));
    assert!(page.has(".empty"));
}

#[tokio::test]
async fn a_removed_action_removes_its_notification_and_a_read_one_is_not_repeated() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let id = alice.post("contested").await;
    let toggle = async |follow: bool| {
        if follow {
            bob.follow("alice").await;
        } else {
            bob.unfollow("alice").await;
        }
        let [star, repost] = match follow {
            true => ["favourite", "repost"],
            false => ["unfavourite", "unrepost"],
        };
        bob.press("/@alice", star, id).await;
        bob.press("/@alice", repost, id).await;
    };
    for _ in 0..2 {
        toggle(true).await;
        assert_eq!(unread(&alice.open("/").await).as_deref(), Some("3"));
        toggle(false).await;
        assert_eq!(unread(&alice.open("/").await), None);
    }
    toggle(true).await;
    let read = lines(&alice.open(PAGE).await);
    assert_eq!(read.len(), 3);
    let carl = Person::sign_up(&site, "carl").await;
    carl.follow("alice").await;
    for _ in 0..2 {
        toggle(false).await;
        let page = alice.open(PAGE).await;
        assert_eq!(lines(&page), ["carl of the tests followed you*"]);
        toggle(true).await;
        assert_eq!(unread(&alice.open("/").await), None);
        let said = lines(&alice.open(PAGE).await);
        assert_eq!(
            said[0],
            "carl of the tests and bob of the tests followed you*"
        );
        assert_eq!(said[1..], read[..2], "in their former places");
    }
    site.drain().await;
    site.assert_sound().await;
    bob.press("/@alice", "bookmark", id).await;
    assert_eq!(unread(&alice.open("/").await), None, "no user is notified");
}

#[tokio::test]
async fn equal_actions_are_grouped_in_one_line_newest_first() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = StatusId::new(alice.post("beloved").await).expect("an id");
    let store = &site.store;
    let mut fans = Vec::new();
    for (name, said) in [
        ("ada", "ada favourited your post*"),
        ("bea", "bea and ada favourited your post*"),
        ("cleo", "cleo, bea and ada favourited your post*"),
        ("dora", "dora, cleo and 2 others favourited your post*"),
    ] {
        let fan = crowd::member(store, name).await;
        crowd::favourite(store, fan, id).await;
        assert_eq!(lines(&alice.open(PAGE).await), [said]);
        fans.push(fan);
    }
    let uid = crowd::uid(store, "alice").await;
    for fan in fans {
        crowd::follow(store, fan, uid).await;
    }
    let page = alice.open(PAGE).await;
    assert_eq!(lines(&page)[0], "dora, cleo and 2 others followed you*");
    let others = page.attributes(".notifications p a:last-of-type", "href");
    let favourited_by = format!("/@alice/{id}/favourites");
    assert_eq!(others, ["/@alice/followers", favourited_by.as_str()]);
}

#[tokio::test]
async fn the_number_counts_the_lines_that_the_page_marks_as_new() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let loved = StatusId::new(alice.post("loved").await).expect("an id");
    let liked = StatusId::new(alice.post("liked").await).expect("an id");
    let store = &site.store;
    let fans = crowd::people(store, "fan", 4).await;
    for fan in &fans {
        crowd::favourite(store, *fan, loved).await;
        crowd::post(store, *fan, "@alice, hello").await;
    }
    crowd::favourite(store, fans[0], liked).await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("6"));
    let shown = lines(&alice.open(PAGE).await);
    assert_eq!(shown.len(), 6);
    assert!(shown.iter().all(|line| line.ends_with('*')), "{shown:?}");
    // One more favourite on a line that was read makes this one line new.
    site.redis
        .command(&["HSET", &format!("read_marker:{{{uid}}}"), "at", "1"]);
    let late = crowd::member(store, "late").await;
    crowd::favourite(store, late, loved).await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    let shown = lines(&alice.open(PAGE).await);
    let new = shown.iter().filter(|line| line.ends_with('*'));
    assert_eq!((shown.len(), new.count()), (6, 1));
}

#[tokio::test]
async fn neither_a_head_nor_a_prefetch_nor_an_older_page_counts_as_reading() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    bob.follow("alice").await;
    let head = Request::new(&alice, Method::HEAD, PAGE);
    let prefetch = Request::get(&alice, PAGE).header("sec-purpose", "prefetch;prerender");
    let older = Request::get(&alice, "/notifications?before=9000000000000000");
    for request in [head, prefetch, older] {
        let page = request.send().await;
        assert!(page.status.is_success());
        assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    }
    alice.open(PAGE).await;
    assert_eq!(unread(&alice.open("/").await), None);
}

#[tokio::test]
async fn new_notifications_are_marked_for_a_minute_after_the_page_showed_them() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    bob.follow("alice").await;
    for _ in 0..2 {
        assert_eq!(
            lines(&alice.open(PAGE).await),
            ["bob of the tests followed you*"]
        );
    }
    let uid = crowd::uid(&site.store, "alice").await;
    let snapshot = site.store.user_snapshot(uid).await.expect("an answer");
    let [.., shown_at] = snapshot.read_marker;
    let shown_at: u64 = shown_at.expect("a time").parse().expect("ms");
    let a_minute_ago = (shown_at - 60_000).to_string();
    let read_marker = format!("read_marker:{{{uid}}}");
    site.redis
        .command(&["HSET", &read_marker, "at", &a_minute_ago]);
    for _ in 0..2 {
        let shown = lines(&alice.open(PAGE).await);
        assert_eq!(shown, ["bob of the tests followed you"]);
    }
    let carl = Person::sign_up(&site, "carl").await;
    let id = alice.post("a line").await;
    carl.press("/@alice", "favourite", id).await;
    assert_eq!(
        lines(&alice.open(PAGE).await),
        [
            "carl of the tests favourited your post*",
            "bob of the tests followed you"
        ]
    );
}

#[tokio::test]
async fn a_deleted_post_removes_its_notifications() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let id = alice.post("soon gone").await;
    let kept = alice.post("stays").await;
    for id in [id, kept] {
        bob.press("/@alice", "favourite", id).await;
    }
    alice.delete(id).await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    let page = alice.open(PAGE).await;
    assert_eq!(page.texts(".notifications blockquote"), ["stays"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn notifications_about_deleted_or_foreign_posts_are_hidden_and_deleted_ones_removed() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let store = &site.store;
    let uid = crowd::uid(store, "alice").await;
    let of_bob = bob.post("a secret of bob").await;
    let gone = bob.post("soon gone").await;
    bob.delete(gone).await;
    let by = crowd::uid(store, "bob").await;
    let key = format!("notifications:{{{uid}}}");
    for (score, entry) in [
        ("5", format!("favourite:{of_bob}:{by}")),
        ("6", format!("reply:{gone}:{by}")),
        ("7", format!("mention:4096:{by}")),
        ("8", format!("mention:{of_bob}:999")),
        ("9", "follow:0:999".to_owned()),
        ("10", format!("reply:{of_bob}:{by}")),
    ] {
        site.redis.command(&["ZADD", &key, score, &entry]);
    }
    let page = alice.open(PAGE).await;
    assert_eq!(lines(&page), ["bob of the tests replied to you*"]);
    let left = members(store, uid).await;
    let about = |id: u64| left.iter().any(|entry| entry.contains(&format!(":{id}:")));
    assert!(!about(gone) && !about(4096) && about(of_bob), "{left:?}");
}

#[tokio::test]
async fn a_visitor_must_log_in_and_sees_no_count() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let answer = visitor.get(PAGE).await;
    assert_eq!(answer.location(), "/login?next=%2Fnotifications");
    assert!(!visitor.open("/@alice").await.has("[data-unread]"));
}

/// Returns the number of notifications in a line.
pub fn size(line: &NotificationPage) -> usize {
    line.people.len() + line.others
}
