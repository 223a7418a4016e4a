//! The sweep of a deleted account while slots move between primaries.

use crate::{
    leaving::sweep::{assert_completed, muted_person, run_into_sweep},
    support::{
        cluster::{Cluster, Nature, PRIMARIES},
        core::Core,
        pool::Redis,
    },
};

/// Each primary gives its keys to the next one, so keys come to a primary that the sweep has left.
#[tokio::test(flavor = "multi_thread")]
async fn slots_that_move_during_a_sweep_leave_no_trace() {
    let mut core = Core::on(Redis::own(Cluster::start(Nature::STEADY)), &[]);
    let gone = muted_person(&core, "gone", 60).await;
    let task = run_into_sweep(&core.store, gone).await;
    tokio::task::block_in_place(|| {
        let cluster = core.redis.cluster();
        let slots: Vec<_> = (0..PRIMARIES)
            .map(|node| cluster.slots_with_keys(node))
            .collect();
        for (from, slots) in slots.iter().enumerate() {
            for slot in slots {
                cluster.move_slot(*slot, from, (from + 1) % PRIMARIES);
            }
        }
    });
    assert_completed(&mut core, (gone, "gone"), task).await;
}
