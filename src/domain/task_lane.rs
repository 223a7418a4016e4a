//! Lanes of the task queue: workers read them in turn, so work of one kind does not delay the others.

use crate::domain::Task;

/// A lane of the task queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Short tasks. A person waits for their effect.
    Ordinary,
    /// Passes over the audience of a status.
    FanOut,
    /// Long work without a waiting person: deletions of accounts and groups, archives, and everything that follows from
    /// them.
    Background,
}

impl Lane {
    pub const ALL: [Self; 3] = [Self::Ordinary, Self::FanOut, Self::Background];
}

impl Task {
    /// Returns the lane of a task that does not follow from background work.
    #[must_use]
    pub fn lane(&self) -> Lane {
        match self {
            Self::Deliver { .. }
            | Self::Withdraw { .. }
            | Self::LastWithdraw { .. }
            | Self::DeleteReposts { .. }
            | Self::NotifyGroup { .. } => Lane::FanOut,
            Self::DeleteAccount(_)
            | Self::Sweep { .. }
            | Self::SweepAccount { .. }
            | Self::DeleteGroup(..)
            | Self::Export { .. } => Lane::Background,
            Self::Rebuild(_)
            | Self::Index(_)
            | Self::AnswerRequests { .. }
            | Self::Separate { .. }
            | Self::Reconcile(_) => Lane::Ordinary,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{StatusId, UserId};

    #[test]
    fn long_work_without_a_waiting_person_is_in_the_background() {
        let user = UserId::new(7).expect("an id");
        let status = StatusId::new(4096).expect("an id");
        assert_eq!(Task::DeleteAccount(user).lane(), Lane::Background);
        assert_eq!(Task::Index(status).lane(), Lane::Ordinary);
        let notify = Task::NotifyGroup { status, after: 0 };
        assert_eq!(notify.lane(), Lane::FanOut);
    }
}
