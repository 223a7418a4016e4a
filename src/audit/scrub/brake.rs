//! The brake of the scrub. A failover loses seconds of derived copies. Many more faults mean another
//! cause, such as a lost shard or a running restore, and repairs would do harm.

/// Number of repairs that one walk may always make.
const LEAST: u64 = 20;
/// Beyond that, one repair is allowed per this number of keys met.
const KEYS_PER_REPAIR: u64 = 100;

/// Counts keys met and repairs wanted by a walk.
#[derive(Debug, Default)]
pub(super) struct Brake {
    met: u64,
    /// Keys met by the previous walk.
    met_before: u64,
    wanted: u64,
    is_on: bool,
}

impl Brake {
    pub(super) fn met(&mut self, keys: usize) {
        self.met += keys as u64;
    }

    /// Returns whether so many more repairs are allowed. It then refuses until a walk wants none.
    pub(super) fn allows_repair(&mut self, wanted: usize) -> bool {
        self.wanted += wanted as u64;
        let most = LEAST.max(self.met.max(self.met_before) / KEYS_PER_REPAIR);
        if !self.is_on && self.wanted > most {
            self.is_on = true;
            tracing::error!(
                wanted = self.wanted,
                most,
                "more faults than a failover leaves: the scrub repairs nothing until a walk finds none; see \
                 redwing check"
            );
        }
        !self.is_on
    }

    pub(super) fn end_walk(&mut self) {
        self.is_on &= self.wanted > 0;
        self.wanted = 0;
        self.met_before = std::mem::take(&mut self.met);
    }

    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }
}

#[cfg(test)]
mod tests {
    use super::super::brake::*;

    #[test]
    fn a_few_repairs_are_allowed_and_many_only_after_many_keys() {
        let mut brake = Brake::default();
        assert!(brake.allows_repair(20));
        assert!(!brake.allows_repair(1));
        let mut brake = Brake::default();
        brake.met(10_000);
        assert!(brake.allows_repair(100));
        assert!(!brake.allows_repair(1));
        let mut brake = Brake::default();
        brake.met(10_000);
        brake.end_walk();
        assert!(brake.allows_repair(100), "the walk before counts");
    }

    #[test]
    fn it_stays_on_until_a_walk_wants_no_repair() {
        let mut brake = Brake::default();
        assert!(!brake.allows_repair(21));
        brake.end_walk();
        assert!(!brake.allows_repair(1), "one repair is too many now");
        brake.end_walk();
        assert!(brake.is_on());
        assert!(!brake.allows_repair(0));
        brake.end_walk();
        assert!(brake.allows_repair(1));
    }
}
