//! Events that occur while the subscription is down are received afterwards.

use super::page::{OpenPage, uid};
use crate::support::{Person, Site, pool::Redis, redis::RedisServer};

async fn alice_and_bob(site: &Site) -> [Person; 2] {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.follow("bob").await;
    [alice, bob]
}

#[tokio::test]
async fn a_subscription_that_is_killed_again_and_again_misses_nothing() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let [alice, bob] = alice_and_bob(&site).await;
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_arrivals(0).await;
    for number in 1..=10 {
        site.redis.command(&["CLIENT", "KILL", "TYPE", "pubsub"]);
        bob.post(&number.to_string()).await;
        page.wait_for_arrivals(number).await;
    }
}

/// Simulates a delivery that was published while the subscription was down.
#[tokio::test]
async fn missed_events_are_found_when_the_subscription_is_renewed() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let [alice, _] = alice_and_bob(&site).await;
    let uid = uid(&site, "alice").await;
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_arrivals(0).await;
    let (home, log) = (format!("home:{{{uid}}}"), format!("arrivals:{{{uid}}}"));
    for number in 1..=3 {
        let id = (1_u64 << 52) + number;
        site.redis
            .command(&["ZADD", &home, &format!("-{id}"), &id.to_string()]);
        site.redis
            .command(&["XADD", &log, "*", "status", &id.to_string()]);
        site.redis.command(&["CLIENT", "KILL", "TYPE", "pubsub"]);
        page.wait_for_arrivals(number).await;
    }
}

#[tokio::test]
async fn a_redis_outage_ends_no_stream_and_the_subscription_is_renewed() {
    let mut site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let [alice, bob] = alice_and_bob(&site).await;
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_arrivals(0).await;
    site.redis.kill();
    site.redis.restart();
    bob.post("after the restart").await;
    page.wait_for_arrivals(1).await;
    bob.post("and on").await;
    page.wait_for_arrivals(2).await;
}

#[tokio::test]
async fn one_connection_subscribes_for_all_streams_of_a_process() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let [alice, bob] = alice_and_bob(&site).await;
    let mut pages = Vec::new();
    for person in [&alice, &alice, &bob, &bob] {
        let mut page = OpenPage::home(person).await;
        page.next_event_named("counts").await;
        pages.push(page);
    }
    crate::support::waiting::eventually("one client subscribes for two users", async || {
        subscribers(&site) == ["ssub=2"]
    })
    .await;
    drop(pages);
    crate::support::waiting::eventually("and for no one after they left", async || {
        subscribers(&site).is_empty()
    })
    .await;
}

/// Returns the number of channels of each subscribed Redis client.
fn subscribers(site: &Site) -> Vec<String> {
    let clients = site.redis.one_node().ask(&["CLIENT", "LIST"]);
    let words = clients.split_whitespace();
    let some = words.filter(|word| word.starts_with("ssub=") && *word != "ssub=0");
    some.map(str::to_owned).collect()
}
