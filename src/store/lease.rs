//! Leases: a key with a lifetime that says which process does something that one process at a time should
//! do. Two processes can hold one for a moment, after a stall or a failover.

use super::{Result, Store, redis::scripts::With};

impl Store {
    /// Takes a lease, or renews it. Returns `false` while another process holds it.
    pub(super) async fn take_lease(&self, key: &str, token: &str, ttl_s: u64) -> Result<bool> {
        let take = redis::cmd("SET")
            .with(key)
            .with(token)
            .with(&["NX", "EX"])
            .with(ttl_s);
        let taken: Option<String> = self.connection.query(take).await?;
        if taken.is_some() {
            return Ok(true);
        }
        if !self.holds_lease(key, token).await? {
            return Ok(false);
        }
        let renew = redis::cmd("EXPIRE").with(key).with(ttl_s);
        self.connection.query::<i64>(renew).await?;
        Ok(true)
    }

    /// Gives a lease back.
    pub(super) async fn release_lease(&self, key: &str, token: &str) -> Result<()> {
        if self.holds_lease(key, token).await? {
            self.unlink(key).await?;
        }
        Ok(())
    }

    async fn holds_lease(&self, key: &str, token: &str) -> Result<bool> {
        let get = redis::cmd("GET").with(key);
        let holder: Option<String> = self.connection.query(get).await?;
        Ok(holder.as_deref() == Some(token))
    }
}
