//! Leases: a key with a lifetime that says which process does something that one process at a time should
//! do. Two processes can hold one for a moment, after a stall, a failover, or a step of the clock.

use super::prelude::*;

script_calls! {
    ReleaseLease = "release_lease"(lease; token: String);
    TakeLease = "take_lease"(lease; token: String, ttl_s: u64, longest_s: u64);
}

/// Lifetimes of a lease, in seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeaseTime {
    /// Its lifetime from now on.
    pub(super) ttl_s: u64,
    /// The longest lifetime that its holders give it.
    pub(super) longest_s: u64,
}

impl LeaseTime {
    /// Returns the time of a lease that always has this lifetime.
    pub(super) fn of(ttl_s: u64) -> Self {
        Self {
            ttl_s,
            longest_s: ttl_s,
        }
    }

    /// Returns whether a lease with this answer to TTL is held. One from before the clock was set back does not count, as
    /// for [`Store::take_lease`].
    pub(super) fn is_held(self, left_s: i64) -> bool {
        u64::try_from(left_s).is_ok_and(|left_s| left_s <= self.longest_s)
    }
}

impl Store {
    /// Takes a lease, or renews it. Returns `false` while another process holds it.
    pub(super) async fn take_lease(&self, key: &str, token: &str, time: LeaseTime) -> Result<bool> {
        let take = TakeLease {
            lease: key.to_owned(),
            token: token.to_owned(),
            ttl_s: time.ttl_s,
            longest_s: time.longest_s,
        };
        self.connection.succeeds(&take, ["taken", "held"]).await
    }

    /// Gives a lease back, unless another process holds it.
    pub(super) async fn release_lease(&self, key: &str, token: &str) -> Result<()> {
        let release = ReleaseLease {
            lease: key.to_owned(),
            token: token.to_owned(),
        };
        let released = self.connection.succeeds(&release, ["released", "not_held"]);
        released.await.map(drop)
    }
}
