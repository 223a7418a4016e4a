//! Leases: a key with a lifetime that says which process does something that one process at a time should
//! do. Two processes can hold one for a moment, after a stall or a failover.

use super::prelude::*;

script_calls! {
    ReleaseLease = "release_lease"(lease; token: String);
    TakeLease = "take_lease"(lease; token: String, ttl_s: u64);
}

impl Store {
    /// Takes a lease, or renews it. Returns `false` while another process holds it.
    pub(super) async fn take_lease(&self, key: &str, token: &str, ttl_s: u64) -> Result<bool> {
        let take = TakeLease {
            lease: key.to_owned(),
            token: token.to_owned(),
            ttl_s,
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
