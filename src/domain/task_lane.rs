//! Lanes of the task queue: workers read them in turn, so work of one kind does not delay the others.

use crate::domain::{StatusId, Task};

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
    /// Further fan-outs of an author who has taken their share of the lane of fan-outs. A worker moves them here.
    FurtherFanOut,
}

impl Lane {
    /// All lanes, in the order of their partitions.
    pub const ALL: [Self; 4] = [
        Self::Ordinary,
        Self::FanOut,
        Self::Background,
        Self::FurtherFanOut,
    ];
}

impl Task {
    /// Returns the lane to which a task is added, unless it follows from background work.
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

    /// Returns the status of a fan-out. Its author has a share of the lane.
    #[must_use]
    pub fn status_of_fan_out(&self) -> Option<StatusId> {
        match self {
            Self::Deliver { status, .. }
            | Self::Withdraw { status, .. }
            | Self::LastWithdraw { status, .. }
            | Self::NotifyGroup { status, .. } => Some(*status),
            Self::DeleteReposts { original, .. } => Some(*original),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::UserId;

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
