//! Leases: one process holds one, and only its holder gives it back.

use redwing::store::{Fuse, calls::ReleaseLease};

use super::Bench;
use crate::support::core::Core;

fn release(redis: &mut Bench, token: &str) -> String {
    redis.call(&ReleaseLease {
        lease: "scrub:".into(),
        token: token.into(),
    })
}

#[test]
fn only_the_holder_gives_a_lease_back() {
    let mut redis = Bench::start();
    assert_eq!(release(&mut redis, "one"), "not_held");
    redis.given("SET scrub: one EX 60");
    assert_eq!(release(&mut redis, "two"), "not_held");
    assert_eq!(redis.run("GET scrub:"), "one");
    assert_eq!(release(&mut redis, "one"), "released");
    assert_eq!(redis.run("EXISTS scrub:"), "0");
}

#[tokio::test]
async fn a_lease_is_compared_and_removed_in_one_step() {
    let core = Core::start();
    let leased = core.store.lease_scrub("one", 60).await;
    assert!(leased.expect("an answer"));
    let once = core.store.with_fuse(Fuse::of(1));
    once.end_scrub("one").await.expect("one command");
    let leased = core.store.lease_scrub("two", 60).await;
    assert!(leased.expect("an answer"));
}
