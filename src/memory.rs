//! The allocator, and the return of memory to the system.

use std::time::Duration;

use mimalloc::MiMalloc;
use tokio::time::{MissedTickBehavior, interval};

/// Stays small with many threads, and gives memory back after a load.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Returns memory that this thread has freed, and memory free between all threads. For work that uses
/// megabytes briefly, such as hashing a password: the allocator would keep them.
pub(crate) fn give_back() {
    // SAFETY: it may be called at any time, from any thread.
    unsafe { libmimalloc_sys::mi_collect(true) }
}

/// Interval of checks for rest.
const LOOKS: Duration = Duration::from_secs(2);

/// Returns memory that this thread has freed, once `done` stays the same between two checks. Pages and
/// connections leave memory that may stay unused for hours. A site that is never at rest uses it again.
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
