//! Open pages on a cluster: they go on hearing while slots move and when a primary dies.

use redwing::domain::Nonce;
use reqwest::StatusCode;
use std::time::Duration;
use tokio::task::block_in_place;

use crate::{
    live::page::{OpenPage, uid},
    support::{
        Person, Site,
        cluster::{Cluster, Nature, PRIMARIES},
        pool::Redis,
        waiting::eventually,
    },
};

async fn alice_and_bob(site: &Site) -> [Person; 2] {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.follow("bob").await;
    [alice, bob]
}

/// The primary that holds what is Alice's.
async fn node_of_alice(site: &mut Site) -> usize {
    let key = format!("home:{{{}}}", uid(site, "alice").await);
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
async fn an_open_page_goes_on_hearing_when_its_slot_moves() {
    let mut site = Site::on(Redis::own(Cluster::start(Nature::STEADY)), &[]).await;
    let [alice, bob] = alice_and_bob(&site).await;
    let mut page = OpenPage::home(&alice).await;
    page.hear_arrived(0).await;
    for number in 1..=3 {
        let from = node_of_alice(&mut site).await;
        block_in_place(|| {
            let cluster = site.redis.cluster();
            for slot in cluster.slots_with_keys(from) {
                cluster.move_slot(slot, from, (from + 1) % PRIMARIES);
            }
        });
        bob.post(&number.to_string()).await;
        site.drain().await;
        page.hear_arrived(number).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_page_goes_on_hearing_when_its_primary_dies() {
    let cluster = Cluster::start(Nature {
        node_timeout: Duration::from_secs(2),
        appendfsync: "no",
    });
    let mut site = Site::on(Redis::own(cluster), &[]).await;
    let [alice, bob] = alice_and_bob(&site).await;
    let mut page = OpenPage::home(&alice).await;
    page.hear_arrived(0).await;
    let form = bob.open("/").await.form("/statuses");
    let node = node_of_alice(&mut site).await;
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
        .set("nonce", Nonce::draw().as_str());
    eventually("the post is accepted", async || {
        bob.submit(&form).await.status == StatusCode::SEE_OTHER
    })
    .await;
    site.drain().await;
    page.hear_arrived(1).await;
}
