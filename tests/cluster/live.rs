//! Open pages on a cluster: they receive events while slots move and after a primary fails.

use redwing::domain::IdempotencyKey;
use reqwest::StatusCode;
use std::time::{Duration, Instant};
use tokio::task::block_in_place;

use crate::{
    live::page::{OpenPage, request_stream, uid},
    support::{
        Person, Site,
        cluster::{Cluster, Nature, PRIMARIES},
        pool::Redis,
        waiting::eventually,
    },
};

/// Time limit for an event: shorter than the interval between two beats of a stream.
const SOON: Duration = Duration::from_secs(15);
/// Time after which the subscription has noticed that a primary is mute.
const SILENCE: Duration = Duration::from_secs(5);
/// With this many streams, one of them polls each second.
const ONE_A_SECOND: usize = 25;

async fn alice_and_bob(site: &Site) -> [Person; 2] {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.follow("bob").await;
    [alice, bob]
}

/// Returns the primary that holds a person's keys.
async fn node_of(site: &mut Site, login: &str) -> usize {
    let key = format!("home:{{{}}}", uid(site, login).await);
    block_in_place(|| {
        let cluster = site.redis.cluster();
        let answer = cluster.ask(0, &["CLUSTER", "KEYSLOT", &key]);
        let answer = answer.expect("the node answers");
        let slot = answer.trim_start_matches(':').split_whitespace().next();
        let slot: u16 = slot.and_then(|slot| slot.parse().ok()).expect("a slot");
        let holds = |node: &usize| cluster.slots_with_keys(*node).contains(&slot);
        (0..PRIMARIES).find(holds).expect("some primary holds it")
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_page_receives_events_after_its_slot_moves() {
    let mut site = Site::on(Redis::own(Cluster::start(Nature::STEADY)), &[]).await;
    let [alice, bob] = alice_and_bob(&site).await;
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_arrivals(0).await;
    for number in 1..=3 {
        let from = node_of(&mut site, "alice").await;
        block_in_place(|| {
            let cluster = site.redis.cluster();
            for slot in cluster.slots_with_keys(from) {
                cluster.move_slot(slot, from, (from + 1) % PRIMARIES);
            }
        });
        bob.post(&number.to_string()).await;
        site.drain().await;
        page.wait_for_arrivals(number).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_page_receives_events_after_its_primary_dies() {
    let cluster = Cluster::start(Nature {
        replicas: PRIMARIES,
        node_timeout: Duration::from_secs(2),
        appendfsync: "no",
    });
    let mut site = Site::on(Redis::own(cluster), &[]).await;
    let [alice, bob] = alice_and_bob(&site).await;
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_arrivals(0).await;
    let form = bob.open("/").await.form("/statuses");
    let node = node_of(&mut site, "alice").await;
    block_in_place(|| {
        let cluster = site.redis.cluster();
        let replica = cluster.replica_of(node);
        cluster.kill_node(node);
        cluster.wait_until_promoted(replica);
        cluster.start_node(node);
        cluster.wait_until_whole();
    });
    let form = form
        .set("message", "after the failover")
        .set("idempotency_key", IdempotencyKey::draw().as_str());
    eventually("the post is accepted", async || {
        bob.submit(&form).await.status == StatusCode::SEE_OTHER
    })
    .await;
    site.drain().await;
    page.wait_for_arrivals(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_its_session_while_another_primary_is_down() {
    let many = (ONE_A_SECOND + 1).to_string();
    let settings = ["--streams-per-person", &many];
    let mut site = Site::on(Redis::own(Cluster::start(Nature::STEADY)), &settings).await;
    let [alice, bob] = on_two_nodes(&mut site).await;
    let node = node_of(&mut site, &bob.login).await;
    let mut of_bob = Vec::new();
    for _ in 0..ONE_A_SECOND {
        let mut page = OpenPage::home(&bob).await;
        page.next_event_named("counts").await;
        of_bob.push(page);
    }
    let mut of_alice = OpenPage::home(&alice).await;
    of_alice.next_event_named("counts").await;
    let form = alice.open("/").await.form("/logout");
    block_in_place(|| site.redis.cluster().kill_node(node));
    eventually("she is logged out", async || {
        alice.submit(&form).await.status == StatusCode::SEE_OTHER
    })
    .await;
    let over = Instant::now();
    of_alice.next_event_named("ended").await;
    assert!(over.elapsed() < SOON, "{:?}", over.elapsed());

    block_in_place(|| {
        let cluster = site.redis.cluster();
        cluster.start_node(node);
        cluster.wait_until_whole();
    });
    eventually("he can post again", async || {
        bob.get("/").await.status == StatusCode::OK
    })
    .await;
    bob.post("back").await;
    for page in &mut of_bob {
        page.wait_for_count("posts", ["1", "post"]).await;
    }
}

/// Signs up two people with keys on two primaries.
async fn on_two_nodes(site: &mut Site) -> [Person; 2] {
    let first = Person::sign_up(site, "alice").await;
    let node = node_of(site, "alice").await;
    let mut number = 0;
    loop {
        number += 1;
        let second = Person::sign_up(site, &format!("bob{number}")).await;
        if node_of(site, &second.login).await != node {
            return [first, second];
        }
    }
}

/// There are enough readers for each primary to have some.
#[tokio::test(flavor = "multi_thread")]
async fn all_open_pages_receive_events_after_a_manual_failover() {
    let mut site = Site::on(Redis::own(Cluster::start(Nature::STEADY)), &[]).await;
    let bob = Person::sign_up(&site, "bob").await;
    let mut pages = Vec::new();
    for number in 0..12 {
        let reader = Person::sign_up(&site, &format!("reader{number}")).await;
        reader.follow("bob").await;
        let mut page = OpenPage::home(&reader).await;
        page.wait_for_arrivals(0).await;
        pages.push(page);
    }
    block_in_place(|| {
        let cluster = site.redis.cluster();
        for primary in cluster.primaries() {
            let replica = cluster.replica_of(primary);
            let answer = cluster.ask(replica, &["CLUSTER", "FAILOVER", "TAKEOVER"]);
            assert!(answer.expect("the node answers").starts_with("+OK"));
            cluster.wait_until_promoted(replica);
            cluster.wait_until_whole();
        }
    });
    bob.post("after the failover").await;
    site.drain().await;
    let said = Instant::now();
    for page in &mut pages {
        page.wait_for_arrivals(1).await;
    }
    assert!(said.elapsed() < SOON, "{:?}", said.elapsed());
}

/// The subscription tries to connect to the mute primary all the time. An attempt takes longer than a page waits.
#[tokio::test(flavor = "multi_thread")]
async fn a_mute_primary_delays_no_event_of_a_page_of_another_one() {
    let settings = [
        ["--redis-connect-ms", "20000"],
        ["--redis-response-ms", "1000"],
    ];
    let cluster = Redis::own(Cluster::start(Nature::STEADY));
    let mut site = Site::on(cluster, settings.as_flattened()).await;
    let [alice, bob] = on_two_nodes(&mut site).await;
    let node = node_of(&mut site, "alice").await;
    let other = node_of(&mut site, &bob.login).await;
    let uid = uid(&site, &bob.login).await;
    let (user, channel) = (format!("user:{{{uid}}}"), format!("live:{{{uid}}}"));
    let mut of_alice = OpenPage::of(request_stream(&alice, None, None).await);
    of_alice.next_event_named("counts").await;
    let cluster = site.redis.cluster();
    cluster.pause_node(node);
    let begun = Instant::now();
    for number in [2, 3].into_iter().cycle() {
        let mut of_bob = OpenPage::of(request_stream(&bob, None, None).await);
        of_bob.next_event_named("counts").await;
        let number = number.to_string();
        for words in [
            &["HSET", &user, "posts", &number][..],
            &["SPUBLISH", &channel, "changed"],
        ] {
            let answer = cluster.ask(other, words).expect("the node answers");
            assert!(answer.starts_with(':'), "{answer}");
        }
        of_bob.wait_for_count("posts", [&number, "posts"]).await;
        if begun.elapsed() > SILENCE {
            break;
        }
    }
    cluster.resume_node(node);
}
