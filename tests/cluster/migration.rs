//! From one node to a cluster, as in docs/cluster.md: the first primary starts with the node's
//! append-only files, and slots move to the others while the site is in use.

use tokio::task::block_in_place;

use crate::support::{
    Person, Site,
    cluster::{Cluster, Nature, PRIMARIES},
    pool::Redis,
    redis::RedisServer,
};

#[tokio::test(flavor = "multi_thread")]
async fn data_of_a_single_node_is_complete_on_the_cluster() {
    let mut old = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let (alice, bob) = (
        Person::sign_up(&old, "alice").await,
        Person::sign_up(&old, "bob").await,
    );
    bob.follow("alice").await;
    alice.post("written on one node").await;
    old.drain().await;
    old.redis.kill();

    let files = old.redis.one_node().dir();
    let cluster = block_in_place(|| Cluster::grown_from(files, Nature::STEADY));
    let mut site = Site::on(Redis::own(cluster), &[]).await;
    let (alice, bob) = (
        Person::log_in(&site, "alice").await,
        Person::log_in(&site, "bob").await,
    );
    block_in_place(|| {
        let cluster = site.redis.cluster();
        for slot in cluster.slots_with_keys(0) {
            let place = usize::from(slot) % PRIMARIES;
            if place > 0 {
                cluster.move_slot(slot, 0, place);
            }
        }
    });
    alice.post("written on the cluster").await;
    site.drain().await;

    let both = ["written on the cluster", "written on one node"];
    assert_eq!(bob.open("/").await.messages(), both);
    assert_eq!(alice.open(&alice.profile()).await.messages(), both);
    site.assert_sound().await;
}
