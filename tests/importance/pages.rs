//! The pages of important posts: their content, their order, and which posts stop being new.

use redwing::{
    actions::importance::important_page,
    domain::{StatusId, Timeline},
    store::{Fuse, ReadMode},
};
use reqwest::{Method, StatusCode};

use super::{ImportantHome, reasons};
use crate::support::{Page, Person, Site, core::Core, crowd, request::Request};

#[tokio::test]
async fn a_complete_important_page_marks_its_posts_as_read_for_latest() {
    let reading = ImportantHome::start().await;
    reading.pause();
    for number in 0..5 {
        reading.posted(number % 4, &format!("post {number}")).await;
    }
    let page = reading.important().await;
    assert_eq!(page.status_ids().len(), 5);
    assert!(page.text(".ranking-note").starts_with("5 new posts since"));
    assert!(page.older().is_none());
    let home = reading.alice.open("/").await;
    assert_eq!(
        home.text("title"),
        "(5) Home · Redwing",
        "the visit goes on"
    );
    reading.pause();
    let home = reading.alice.open("/").await;
    assert_eq!(home.text("title"), "Home · Redwing");
}

#[tokio::test]
async fn with_several_important_pages_posts_stay_new_until_latest_shows_them() {
    let reading = ImportantHome::start().await;
    reading.pause();
    let ids = crowd::posts(&reading.site.store, reading.followed[0], 70).await;
    reading.favourited(&[1, 2], ids[3]).await;
    let pages = reading.alice.pages("/important").await;
    assert_eq!(pages.len(), 3);
    assert!(
        pages[0]
            .text(".ranking-note")
            .ends_with("How ranking works")
    );
    assert!(
        pages[0]
            .text(".ranking-note")
            .contains("stay new until Latest has shown them")
    );
    let shown: Vec<u64> = pages.iter().flat_map(Page::status_ids).collect();
    assert_eq!(shown[0], ids[3].get());
    let mut sorted = shown.clone();
    sorted.sort_unstable();
    let all: Vec<u64> = ids.iter().map(|id| id.get()).collect();
    assert_eq!(sorted, all, "each once and none omitted");
    reading.pause();
    let home = reading.alice.open("/").await;
    assert_eq!(home.text("title"), "(70) Home · Redwing");
}

#[tokio::test]
async fn later_pages_keep_the_order_of_the_first() {
    let reading = ImportantHome::start().await;
    reading.pause();
    let ids = crowd::posts(&reading.site.store, reading.followed[0], 40).await;
    let first = reading.important().await;
    let further = first.older().expect("a second page");
    let last = *first.status_ids().last().expect("a full page");
    // The posts further down would now be on the first page, in place of those that were there.
    reading.favourited(&[1, 2, 3], ids[0]).await;
    reading.posted(1, "came later").await;
    let last = StatusId::new(last).expect("an id");
    crowd::delete(&reading.site.store, reading.followed[0], last).await;
    let second = reading.alice.open(&further).await;
    let expected: Vec<u64> = ids[..10].iter().rev().map(|id| id.get()).collect();
    assert_eq!(second.status_ids(), expected);
    assert!(second.older().is_none());
    assert!(second.has("a.button[href=\"/important\"]"), "the way back");
}

#[tokio::test]
async fn at_most_two_hundred_are_ordered_and_the_page_says_so() {
    let reading = ImportantHome::start().await;
    reading.pause();
    crowd::posts(&reading.site.store, reading.followed[0], 203).await;
    let pages = reading.alice.pages("/important").await;
    assert!(
        pages[0]
            .text(".ranking-note")
            .starts_with("The newest 200 of 203 new posts")
    );
    let shown: usize = pages.iter().map(|page| page.status_ids().len()).sum();
    assert_eq!((shown, pages.len()), (200, 7));
}

#[tokio::test]
async fn without_new_posts_the_newest_seen_page_is_ordered() {
    let reading = ImportantHome::start().await;
    assert!(reading.important().await.has(".empty a[href=\"/\"]"));
    let ids = crowd::posts(&reading.site.store, reading.followed[0], 35).await;
    reading.alice.ids("/").await;
    reading.pause();
    reading.favourited(&[1], ids[10]).await;
    let page = reading.important().await;
    assert!(page.text(".ranking-note").starts_with("No new posts"));
    let shown = page.status_ids();
    assert_eq!((shown.len(), shown[0]), (30, ids[10].get()));
    assert_eq!(reasons(&page)[1], "Seen before");
    assert!(page.older().is_none());
}

#[tokio::test]
async fn a_dormant_home_is_rebuilt_first() {
    let reading = ImportantHome::start().await;
    reading.posted(0, "while away").await;
    let home = Timeline::Home(reading.uid);
    let mark = crate::support::state::mark_name(home);
    reading.site.redis.command(&["DEL", &mark]);
    assert_eq!(reading.important().await.messages(), ["while away"]);
    reading
        .site
        .redis
        .command(&["SET", &mark, "building:ab:0", "EX", "60"]);
    let page = reading.important().await;
    assert_eq!(page.messages(), ["while away"]);
    assert!(
        page.text(".ranking-note").starts_with("No new posts"),
        "the read position is unknown"
    );
}

#[tokio::test]
async fn a_malformed_position_is_not_found_and_visitors_must_log_in() {
    let reading = ImportantHome::start().await;
    for query in [
        "at=1",
        "after=5.5",
        "at=x&after=5.5",
        "at=1800000000000&after=5",
    ] {
        let answer = reading.alice.get(&format!("/important?{query}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{query}");
    }
    let long_ago = "/important?at=1767225600000&after=99999.5";
    assert!(reading.alice.open(long_ago).await.status_ids().is_empty());
    let visitor = Person::visitor(&reading.site);
    let answer = visitor.get("/important").await;
    assert_eq!(answer.location(), "/login?next=%2Fimportant");
}

#[tokio::test]
async fn neither_a_head_nor_a_prefetch_of_home_in_any_order_counts_as_reading() {
    let reading = ImportantHome::start().await;
    reading.pause();
    reading.posted(0, "still new").await;
    for path in ["/", "/important"] {
        let head = Request::new(&reading.alice, Method::HEAD, path);
        let get = || Request::get(&reading.alice, path);
        let prefetch = get().header("sec-purpose", "prefetch;prerender");
        let older = get().header("purpose", "prefetch");
        for request in [head, prefetch, older] {
            assert!(request.send().await.status.is_success());
            reading.pause();
        }
    }
    let important = reading.important().await;
    assert!(
        important
            .text(".ranking-note")
            .starts_with("1 new post since")
    );
    reading.pause();
    let important = reading.important().await;
    assert!(important.text(".ranking-note").starts_with("No new posts"));
}

#[tokio::test]
async fn reading_it_too_often_is_refused_and_latest_still_works() {
    let site = Site::with(&["--important-per-hour", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.open("/important").await;
    let page = alice.get("/important").await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(page.header("retry-after").is_some());
    page.assert_helpful();
    alice.open("/").await;
}

#[tokio::test]
async fn a_page_takes_the_same_round_trips_for_any_number_of_new_posts() {
    let core = Core::start();
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let friends = crowd::people(store, "friend", 3).await;
    for friend in &friends {
        crowd::follow(store, reader, *friend).await;
    }
    crowd::home(store, reader).await;
    let mut trips = Vec::new();
    for posts in [3, 200] {
        let ids = crowd::posts(store, friends[0], posts).await;
        crowd::favourite(store, friends[1], ids[0]).await;
        let fuse = Fuse::endless();
        let read = important_page(
            &store.with_fuse(fuse.clone()),
            reader,
            None,
            ReadMode::Visit,
        )
        .await;
        assert!(read.expect("an answer").posts.len() >= 3);
        trips.push(fuse.trips());
    }
    assert_eq!(trips[0], trips[1]);
    assert!(trips[0] <= 7, "{trips:?}");
}
