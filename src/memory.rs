//! The allocator, and what it gives back to the system.

use std::time::Duration;

use mimalloc::MiMalloc;
use tokio::time::{MissedTickBehavior, interval};

/// Stays small with many threads, and gives memory back after a load.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Gives back what this thread has freed, and what is free between all of them. For work that takes
/// megabytes and is done at once, such as hashing a password: left alone, the allocator would keep
/// them until somebody wants as much again.
pub(crate) fn give_back() {
    // SAFETY: it may be called at any time, from any thread.
    unsafe { libmimalloc_sys::mi_collect(true) }
}

/// How often it is looked whether there is anything to do.
const LOOKS: Duration = Duration::from_secs(2);

/// Gives back what this thread has freed, once nothing was done between two looks: pages that were made
/// and connections that were served leave room that nobody may want for hours. `done` says how far all
/// has come, and stands still at rest. A site that is never at rest uses that room again.
pub(crate) async fn give_back_at_rest(done: impl Fn() -> u64) {
    let mut looks = interval(LOOKS);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut seen, mut given_back) = (0, 0);
    loop {
        looks.tick().await;
        let now = done();
        if now == seen && now != given_back {
            give_back();
            given_back = now;
        }
        seen = now;
    }
}
