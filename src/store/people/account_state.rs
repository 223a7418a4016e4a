//! Single steps on the state of an account, and the accounts that wait for their deletion.

use super::calls;
use crate::{
    domain::{DeletedBy, Leaving, SuspensionReason},
    store::{access::is_hidden, prelude::*},
};

/// A change of the state of an account.
#[derive(Debug, Clone, Copy)]
pub enum AccountChange<'a> {
    Suspend(&'a SuspensionReason),
    /// Ends a suspension.
    Restore,
    /// The account is deleted at this time.
    Deactivate(UnixMs),
    Reactivate,
    Delete(DeletedBy),
    /// Changes nothing but the copy of the state that sessions read.
    Copy,
}

outcomes! {
    pub enum ChangeOutcome {
        /// Changed by this call or an earlier one.
        Changed = "changed",
        /// The account is in a state that does not allow the change.
        Refused = "refused",
        Unknown = "unknown_user",
    }
}

impl AccountChange<'_> {
    /// Returns the word and the value that the script takes.
    fn words(self) -> (&'static str, String) {
        match self {
            Self::Suspend(reason) => ("suspend", reason.as_str().to_owned()),
            Self::Restore => ("restore", String::new()),
            Self::Deactivate(deletion) => ("deactivate", deletion.0.to_string()),
            Self::Reactivate => ("reactivate", String::new()),
            Self::Copy => ("copy", String::new()),
            Self::Delete(by) => ("delete", by.as_str().to_owned()),
        }
    }
}

impl Store {
    /// Changes the state of an account. A new epoch ends all of its sessions.
    pub async fn change_account(
        &self,
        call: &Call,
        actor: &Actor,
        change: AccountChange<'_>,
        new_epoch: Option<&str>,
    ) -> Result<ChangeOutcome> {
        let (word, value) = change.words();
        let change = calls::ChangeAccount {
            user: keys::user(actor.id()),
            auth: keys::auth(actor.id()),
            channel: keys::live(actor.id()),
            deadline_ms: call.deadline(),
            change: word,
            value,
            new_epoch: new_epoch.unwrap_or_default().to_owned(),
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&change).await
    }

    /// Returns whether an account is hidden from everybody else, or does not exist.
    pub async fn is_hidden(&self, person: UserId) -> Result<bool> {
        let user = self.user(person).await?;
        Ok(user.is_none_or(|user| is_hidden(&user)))
    }

    /// Returns the time of the deletion of a person in the schedule.
    pub async fn scheduled_deletion(&self, person: UserId) -> Result<Option<UnixMs>> {
        let read = redis::cmd("ZSCORE").with((keys::PEOPLE_LEAVING, person.get()));
        let time: Option<f64> = self.connection.query(read).await?;
        Ok(time.map(|ms| UnixMs(ms as u64)))
    }

    /// Returns the plan of a person to leave.
    pub async fn leaving(&self, person: UserId) -> Result<Leaving> {
        let read = redis::cmd("HGET").with((keys::user(person), "leaving"));
        let text: Option<String> = self.connection.query(read).await?;
        Ok(Leaving::stored(text.as_deref()))
    }

    /// Writes the mirror of a plan to leave.
    pub async fn mirror_leaving(&self, person: UserId, leaving: Leaving) -> Result<()> {
        let write = match leaving {
            Leaving::At(time) => {
                redis::cmd("ZADD").with((keys::PEOPLE_LEAVING, time.0, person.get()))
            }
            Leaving::No | Leaving::Now => {
                redis::cmd("ZREM").with((keys::PEOPLE_LEAVING, person.get()))
            }
        };
        self.connection.query::<i64>(write).await.map(drop)
    }

    /// Returns up to `count` people with accounts that are to be deleted by now.
    pub async fn due_deletions(&self, count: usize) -> Result<Vec<UserId>> {
        let now = self.now().await?.0;
        let due = range_by_score(keys::PEOPLE_LEAVING, "-inf", now, count);
        Ok(user_ids(self.connection.query::<Vec<u64>>(due).await?))
    }
}
