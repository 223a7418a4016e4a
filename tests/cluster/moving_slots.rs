//! Slots move from one primary to another under load, and no user sees an error.

use tokio::task::block_in_place;

use super::load::{Load, assert_all_there};
use crate::support::{
    Site,
    cluster::{Cluster, Nature},
    pool::Redis,
};

#[tokio::test(flavor = "multi_thread")]
async fn slots_moved_under_load_are_not_noticed() {
    let mut site = Site::on(Redis::own(Cluster::start(Nature::STEADY)), &[]).await;
    let load = Load::start(&site, 4).await;
    load.go_on(20).await;

    let moved = block_in_place(|| {
        let cluster = site.redis.cluster();
        let slots = cluster.slots_with_keys(0);
        for slot in &slots {
            cluster.move_slot(*slot, 0, 1);
        }
        slots.len()
    });
    load.go_on(20).await;
    let histories = load.stop().await;

    assert!(moved > 0, "some slots hold keys");
    let refusals: usize = histories.iter().map(|history| history.refusals).sum();
    assert_eq!(refusals, 0, "while {moved} slots moved");
    site.drain().await;
    assert_all_there(&histories).await;
    site.assert_sound().await;
}
