//! New posts on home since the page was made: counted once, whatever their ids, and no longer
//! counted when deleted.

use super::page::{OpenPage, request_stream, since, uid};
use crate::support::{Person, Site, pool::Redis, redis::RedisServer};

/// Signs up alice, who follows bob and carol.
async fn three(site: &Site) -> [Person; 3] {
    let mut people = Vec::new();
    for login in ["alice", "bob", "carol"] {
        people.push(Person::sign_up(site, login).await);
    }
    for login in ["bob", "carol"] {
        people[0].follow(login).await;
    }
    people.try_into().ok().expect("there are three")
}

#[tokio::test]
async fn an_open_home_receives_the_number_of_newer_posts() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    bob.post("before the page").await;
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_arrivals(0).await;
    bob.post("one").await;
    page.wait_for_arrivals(1).await;
    carol.post("two").await;
    bob.post("three").await;
    page.wait_for_arrivals(3).await;
}

#[tokio::test]
async fn posts_between_the_page_and_its_stream_are_counted() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let made = since(&alice).await;
    bob.post("in between").await;
    let mut page = OpenPage::since(&alice, &made).await;
    page.wait_for_arrivals(1).await;
    assert_eq!(
        OpenPage::home(&alice)
            .await
            .next_event_named("arrived")
            .await
            .data,
        "0",
        "a page that shows it counts from it"
    );
}

/// Bob's first follower gets a post within the request, alice gets it from a task.
#[tokio::test]
async fn a_late_post_with_an_older_id_is_counted_on_arrival() {
    let site = Site::with(&["--pass-size", "1"]).await;
    let [alice, bob, carol] = [
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
        Person::sign_up(&site, "carol").await,
    ];
    carol.follow("bob").await;
    alice.follow("bob").await;
    alice.follow("carol").await;
    let slow = bob.post("slow").await;
    let quick = carol.post("quick").await;
    assert!(slow < quick);
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_arrivals(0).await;
    site.drain().await;
    page.wait_for_arrivals(1).await;
    assert_eq!(alice.home_ids().await, [quick, slow]);
}

#[tokio::test]
async fn a_page_that_reconnects_misses_and_repeats_nothing() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let made = since(&alice).await;
    let mut page = OpenPage::since(&alice, &made).await;
    bob.post("heard").await;
    let heard = page.wait_for_arrivals(1).await.id.expect("it has an id");
    drop(page);
    let asleep = carol.post("slept through").await;
    bob.delete(only_post(&bob).await).await;
    site.drain().await;

    // The page itself states the position from which it counts.
    let again = request_stream(&alice, Some(&made), Some(&heard)).await;
    let event = OpenPage::of(again).next_event_named("arrived").await;
    assert_eq!(event.data, "1", "only carol's, because bob's is deleted");
    // A client that sends only its last event id receives everything after it.
    let again = request_stream(&alice, None, Some(&heard)).await;
    assert_eq!(
        OpenPage::of(again).next_event_named("arrived").await.data,
        "1"
    );
    assert_eq!(alice.home_ids().await, [asleep]);
}

async fn only_post(person: &Person) -> u64 {
    let posts = person.ids(&person.profile()).await;
    assert_eq!(posts.len(), 1);
    posts[0]
}

#[tokio::test]
async fn deleted_and_unfollowed_posts_are_not_counted() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let mut page = OpenPage::home(&alice).await;
    let first = bob.post("first").await;
    bob.post("second").await;
    carol.post("third").await;
    page.wait_for_arrivals(3).await;
    bob.delete(first).await;
    site.drain().await;
    page.wait_for_arrivals(2).await;
    alice.unfollow("bob").await;
    page.wait_for_arrivals(1).await;
}

#[tokio::test]
async fn own_posts_and_posts_added_by_a_follow_are_not_counted() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let dave = Person::sign_up(&site, "dave").await;
    dave.post("long before").await;
    let mut page = OpenPage::home(&alice).await;
    alice.post("mine").await;
    alice.follow("dave").await;
    bob.post("news").await;
    let mut most = 0;
    while most == 0 {
        most = page
            .next_event_named("arrived")
            .await
            .data
            .parse()
            .expect("a number");
    }
    assert_eq!(most, 1);
}

#[tokio::test]
async fn a_log_that_is_too_short_says_so_with_an_estimate() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let made = since(&alice).await;
    let uid = uid(&site, "alice").await;
    bob.post("one").await;
    site.redis.command(&["DEL", &format!("arrivals:{{{uid}}}")]);
    bob.post("two").await;
    let mut page = OpenPage::since(&alice, &made).await;
    let event = page.next_event_named("reset").await;
    assert_eq!(event.data, "2", "both were written since");
    // A client without a last event id receives the exact number.
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_arrivals(0).await;
    bob.post("three").await;
    page.wait_for_arrivals(1).await;
}

#[tokio::test]
async fn a_malformed_position_must_reload_the_page() {
    let site = Site::start().await;
    let [alice, ..] = three(&site).await;
    for nonsense in ["0-0", "99999999999999-0", "yesterday", "1-1"] {
        let mut page = OpenPage::since(&alice, nonsense).await;
        page.next_event_named("reset").await;
    }
}

#[tokio::test]
async fn nothing_is_logged_for_an_unwatched_home() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let [_, bob, _] = three(&site).await;
    let key = format!("arrivals:{{{}}}", uid(&site, "alice").await);
    site.redis.command(&["DEL", &key]);
    bob.post("unseen").await;
    let there = site.redis.one_node().ask(&["EXISTS", &key]);
    assert!(there.starts_with(":0"), "{there}");
}
