//! A site on a cluster scrubs without being asked: derived copies lost in a failover are restored.
//! A check while slots move reports that it may have missed keys.

use redwing::{audit, store::DATA_VERSION};

use crate::support::{
    Person, Site,
    cluster::{Cluster, Nature},
    core::Core,
    crowd::{people, uid},
    pool::Redis,
    process::Home,
    waiting::eventually,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_site_on_a_cluster_repairs_derived_copies_by_itself() {
    let mut site = Site::on(Redis::own(Cluster::start(Nature::STEADY)), &[]).await;
    let prepared = site.store.prepare_data(DATA_VERSION).await;
    prepared.expect("an empty database");
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    bob.follow("alice").await;
    alice.post("not to be lost").await;
    site.drain().await;
    let (alice_id, bob_id) = (
        uid(&site.store, "alice").await,
        uid(&site.store, "bob").await,
    );
    for key in [
        format!("profile:{{{alice_id}}}"),
        format!("posts:{{{alice_id}}}"),
        format!("home:{{{bob_id}}}"),
    ] {
        site.redis.cluster().command(&["DEL", &key]);
    }
    assert!(alice.open(&alice.profile()).await.messages().is_empty());

    let home = Home::new();
    let process = home.serve(&["--redis-url", &site.redis.url()]);
    eventually("both timelines are complete again", async || {
        let profile = alice.open(&alice.profile()).await.messages();
        let home = bob.open("/").await.messages();
        profile == ["not to be lost"] && home == ["not to be lost"]
    })
    .await;
    assert!(process.stop().success());
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_is_not_clean_while_a_slot_moves() {
    let core = Core::on(Redis::own(Cluster::start(Nature::STEADY)), &[]);
    people(&core.store, "person", 3).await;
    let mut redis = core.redis;
    let cluster = redis.cluster();
    let primaries = cluster.primaries();
    let (from, to) = (primaries[0], cluster.id(primaries[1]));
    // Only the primary that serves a slot may give it away.
    let slot = ["0", "8000", "16000"].into_iter().find(|slot| {
        let answer = cluster.ask(from, &["CLUSTER", "SETSLOT", slot, "MIGRATING", &to]);
        answer.expect("the node answers").starts_with("+OK")
    });
    let slot = slot.expect("each primary serves one of these");
    let report = audit::run(&core.store).await.expect("an answer");
    assert!(!report.is_clean(), "{report}");
    assert!(
        report.to_string().contains("The check is incomplete"),
        "{report}"
    );
    let answer = cluster.ask(from, &["CLUSTER", "SETSLOT", slot, "STABLE"]);
    assert!(answer.expect("the node answers").starts_with("+OK"));
    let report = audit::run(&core.store).await.expect("an answer");
    assert!(report.is_clean(), "{report}");
}
