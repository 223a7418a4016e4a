//! The allocator, the return of memory to the system, and the size of the machine's memory.

use std::{fs, path::Path, time::Duration};

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

/// Returns the memory of this machine, or of the container or unit that this process runs in if that is less.
/// `None` if it is unknown.
pub(crate) fn machine_bytes() -> Option<u64> {
    // SAFETY: sysconf has no preconditions.
    let (pages, page_bytes) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    let machine = u64::try_from(pages).ok()? * u64::try_from(page_bytes).ok()?;
    Some(control_group_bytes().map_or(machine, |group| group.min(machine)))
}

/// Returns the smallest memory limit of the control groups of this process (Linux, version 2).
fn control_group_bytes() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let own = root.join(group);
    let limits = own.ancestors().take_while(|group| group.starts_with(root));
    limits
        .filter_map(|group| fs::read_to_string(group.join("memory.max")).ok())
        .filter_map(|limit| limit.trim().parse().ok())
        .min()
}
