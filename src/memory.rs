//! The allocator, and what it gives back to the system.

use mimalloc::MiMalloc;

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
