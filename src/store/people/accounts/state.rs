//! Single steps on the state of an account, and the accounts that wait for their deletion.

use crate::store::people::calls;
use crate::{
    domain::{
        AccountPlan, AccountState, ActingPerson, Admission, Application, DeletedBy, Leaving,
        SuspensionReason,
    },
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
    /// Lets an applicant in, in the name of a person or of the host.
    Approve(ActingPerson),
    /// Refuses an applicant. The account is deleted at this time.
    Refuse(&'a Application, UnixMs),
    Delete(DeletedBy),
    /// Changes nothing but the copy of the state that sessions read.
    Copy,
}

/// A person with a request to join that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applicant {
    pub id: UserId,
    pub login: Login,
    pub name: String,
    pub asked: UnixMs,
    pub answer: String,
    /// The end of the request.
    pub end: UnixMs,
}

impl Applicant {
    /// Returns the applicant, if the account still waits.
    fn of(user: User) -> Option<Self> {
        let AccountState::Waiting { answer, end } = user.state else {
            return None;
        };
        Some(Self {
            id: user.id,
            login: user.login,
            name: user.name,
            asked: user.signup,
            answer,
            end,
        })
    }
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
            Self::Approve(by) => ("approve", Admission::Approval(by).to_string()),
            Self::Refuse(refusal, UnixMs(deletion)) => ("refuse", format!("{deletion} {refusal}")),
            Self::Copy => ("copy", String::new()),
            Self::Delete(by) => ("delete", by.words()),
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

    /// Returns whether trends leave out the tags of a person's posts, because the account is hidden or limited.
    pub async fn is_out_of_trends(&self, person: UserId) -> Result<bool> {
        let user = self.user(person).await?;
        Ok(user.is_none_or(|user| is_hidden(&user) || user.is_limited))
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

    /// Returns the facts behind the copies of the state of an account.
    pub async fn account_plan(&self, person: UserId) -> Result<AccountPlan> {
        type Fields = (Option<String>, Option<u64>, Option<String>, Option<String>);
        let read = redis::cmd("HMGET").with((keys::user(person), "leaving", "signup"));
        let read = read.with(("application", "admission"));
        let (leaving, signup, application, admission): Fields = self.connection.query(read).await?;
        let leaving = Leaving::stored(leaving.as_deref());
        let application = application.as_deref().and_then(Application::stored);
        let admission = admission.and_then(|admission| admission.parse().ok());
        let has_claim = matches!(
            admission,
            Some(Admission::Invitation(..) | Admission::SetUp)
        );
        Ok(AccountPlan {
            leaving,
            signup: UnixMs(signup.unwrap_or_default()),
            is_waiting: matches!(application, Some(Application::Waiting { .. }))
                && leaving != Leaving::Now,
            is_approved: matches!(admission, Some(Admission::Approval(_))),
            has_claim,
        })
    }

    /// Writes the mirrors of an account's plan: the schedule of deletions and the queue of applicants.
    pub async fn mirror_plan(&self, person: UserId, plan: AccountPlan) -> Result<()> {
        let scheduled = match plan.leaving {
            Leaving::At(time) => set_score(keys::PEOPLE_LEAVING, time.0, person),
            Leaving::No | Leaving::Now => {
                redis::cmd("ZREM").with((keys::PEOPLE_LEAVING, person.get()))
            }
        };
        let queued = match plan.is_waiting {
            true => {
                let place = Self::place_in_queue(person, plan.signup);
                set_score(keys::PEOPLE_WAITING, place, person)
            }
            false => redis::cmd("ZREM").with((keys::PEOPLE_WAITING, person.get())),
        };
        let written = self.connection.batch(vec![scheduled, queued]).await;
        written.map(drop)
    }

    /// Returns the score of an applicant in the queue, which no other has.
    pub fn place_in_queue(person: UserId, signup: UnixMs) -> u64 {
        signup
            .0
            .saturating_mul(1000)
            .saturating_add(person.get() % 1000)
    }

    /// Returns the score of a person in the queue of applicants.
    pub async fn queued_place(&self, person: UserId) -> Result<Option<u64>> {
        let read = redis::cmd("ZSCORE").with((keys::PEOPLE_WAITING, person.get()));
        let place: Option<f64> = self.connection.query(read).await?;
        Ok(place.map(|place| place as u64))
    }

    /// Returns the person with the request to join that has waited longest.
    pub async fn longest_waiting(&self) -> Result<Option<UserId>> {
        let read = redis::cmd("ZRANGE").with((keys::PEOPLE_WAITING, 0, 0));
        let first: Vec<u64> = self.connection.query(read).await?;
        Ok(user_ids(first).into_iter().next())
    }

    /// Returns whether the person asked to join and was never let in.
    pub async fn is_applicant(&self, person: UserId) -> Result<bool> {
        let read = redis::cmd("HEXISTS").with((keys::user(person), "application"));
        self.connection.query(read).await
    }

    /// Returns at most `limit` people with a request to join that waits, longest first, from after the cursor on.
    pub async fn applicants_after(
        &self,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Page<Applicant>> {
        let from = after.map_or_else(|| "-inf".to_owned(), |cursor| format!("({}", cursor.get()));
        let range = range_by_score(keys::PEOPLE_WAITING, from, "+inf", limit + 1);
        let mut rows: Vec<(u64, f64)> = self.connection.query(range.with("WITHSCORES")).await?;
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let last = rows.last().map(|(_, place)| Cursor::before(*place as u64));
        let ids = user_ids(rows.into_iter().map(|(id, _)| id));
        let reads = ids.iter().map(User::command);
        let answers: Vec<Value> = self.connection.query_each(reads).await?;
        let mut items = Vec::new();
        for (id, answer) in ids.iter().zip(answers) {
            let user = User::parse(id, answer)?;
            items.extend(user.and_then(Applicant::of));
        }
        Ok(Page {
            items,
            next: last.filter(|_| has_more),
        })
    }

    /// Returns up to `count` people with accounts that are to be deleted by this time.
    pub async fn due_deletions(&self, now: UnixMs, count: usize) -> Result<Vec<UserId>> {
        let due = range_by_score(keys::PEOPLE_LEAVING, "-inf", now.0, count);
        Ok(user_ids(self.connection.query::<Vec<u64>>(due).await?))
    }
}
