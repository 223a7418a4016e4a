//! The states of an account: suspension by the host, deactivation by its person, and the beginning of its deletion.
//! One step in the person's slot decides the state, so it takes effect at once everywhere, however many posts and
//! followers the person has. Nothing is removed, so a restored account is complete again.

use std::collections::BTreeSet;

use crate::actions::{
    accounts::{Credentials, draw_epoch, forget_sessions},
    index_entries,
    notifications::notify,
    operations::{
        Effects, Reconciled, note_failure, reconcile_copies, reconcile_thing, with_outbox,
    },
    passwords::{HashError, Hasher, Verdict},
};
use crate::{
    actions::prelude::*,
    domain::{
        AccountPlan, DeletedBy, Leaving, Notification, Password, Power, ProfileView, SiteNotice,
        SuspensionReason, may,
    },
    store::{AccountChange, ChangeOutcome, UnixMs},
};

/// Number of newest posts. Their tags leave and enter the trends with the account.
const POSTS_IN_TRENDS: usize = 200;

/// Number of deletions that one step begins.
const DELETIONS_AT_ONCE: usize = 100;

/// Outcome of deactivating one's own account.
#[derive(Debug)]
pub enum Deactivate {
    /// All sessions have ended. The account is deleted at this time.
    Done(UnixMs),
    WrongPassword,
    /// Password or epoch changed while the password was checked.
    LoggedOut,
}

/// Suspends a person: ends their sessions and hides them from everybody.
pub async fn suspend(
    store: &Store,
    person: UserId,
    reason: &SuspensionReason,
) -> Result<ChangeOutcome> {
    let change = AccountChange::Suspend(reason);
    let epoch = draw_epoch();
    let changed = change_state(store, &person.into(), change, Some(&epoch)).await?;
    forget_sessions(store, person).await;
    Ok(changed)
}

/// Ends the suspension of a person. A deactivated account stays deactivated.
pub async fn restore(store: &Store, person: UserId) -> Result<ChangeOutcome> {
    change_state(store, &person.into(), AccountChange::Restore, None).await
}

/// Deactivates the account of a person who knows its password, and ends their sessions.
pub async fn deactivate(
    store: &Store,
    hasher: &Hasher,
    Credentials { uid, epoch }: Credentials,
    password: &str,
) -> std::result::Result<Deactivate, HashError> {
    let Some(auth) = store.auth(uid).await? else {
        return Ok(Deactivate::LoggedOut);
    };
    let Some(password) = Password::candidate(password) else {
        return Ok(Deactivate::WrongPassword);
    };
    if hasher.verify(password.as_bytes(), Some(&auth.hash)).await? == Verdict::Wrong {
        return Ok(Deactivate::WrongPassword);
    }
    let after = u64::try_from(store.config().timeouts.deletion.as_millis()).unwrap_or(u64::MAX);
    let deletion = UnixMs(store.now().await?.0.saturating_add(after));
    let (actor, new_epoch) = (Actor::in_session(uid, epoch), draw_epoch());
    let change = AccountChange::Deactivate(deletion);
    match change_state(store, &actor, change, Some(&new_epoch)).await {
        Ok(ChangeOutcome::Changed) => {}
        Ok(_) | Err(Error::Ended) => return Ok(Deactivate::LoggedOut),
        Err(error) => return Err(error.into()),
    }
    forget_sessions(store, uid).await;
    Ok(Deactivate::Done(deletion))
}

/// Makes a deactivated account active again, unless its deletion has begun.
pub async fn reactivate(store: &Store, actor: impl Into<Actor>) -> Result<ChangeOutcome> {
    change_state(store, &actor.into(), AccountChange::Reactivate, None).await
}

/// Begins the deletion of the suspended or deactivated account of the actor.
pub async fn delete_own(store: &Store, actor: impl Into<Actor>) -> Result<ChangeOutcome> {
    begin_deletion(store, &actor.into(), DeletedBy::Person).await
}

/// Begins the deletion of an account by the host, in any state.
pub async fn delete(store: &Store, person: UserId) -> Result<ChangeOutcome> {
    begin_deletion(store, &person.into(), DeletedBy::Host).await
}

/// Begins the deletions that are due at this time. Returns their number.
pub async fn begin_due_deletions(store: &Store, now: UnixMs) -> Result<usize> {
    let due = store.due_deletions(now, DELETIONS_AT_ONCE).await?;
    let mut failure = Ok(());
    for person in &due {
        // A refused one has returned; the reconciliation of its outbox entry corrects the schedule.
        let begun = begin_deletion(store, &(*person).into(), DeletedBy::Schedule(now)).await;
        note_failure(&mut failure, begun)?;
    }
    failure.map(|()| due.len())
}

/// Begins the deletion of an account. Its outbox entry stays and starts the task when it is due. Until then, every
/// write that the person began has ended, because the delay of the entry is longer than any deadline.
async fn begin_deletion(store: &Store, actor: &Actor, by: DeletedBy) -> Result<ChangeOutcome> {
    let person = actor.id();
    let effects = &LeavingEffects(person);
    let call = &store.begin().await?;
    let write = store.change_account(call, actor, AccountChange::Delete(by), None);
    let began = with_outbox(store, call, effects.thing(), write, |began| async move {
        let reconciled = reconcile_copies(store, call, effects, None).await?;
        Ok(match began {
            Some(ChangeOutcome::Refused | ChangeOutcome::Unknown) => reconciled,
            Some(ChangeOutcome::Changed) | None => Reconciled::No,
        })
    });
    let began = began.await?;
    if began == ChangeOutcome::Changed {
        forget_sessions(store, person).await;
    }
    Ok(began)
}

/// Writes the copy of the state that sessions read, after an audit found it wrong.
pub async fn copy_restriction(store: &Store, person: UserId) -> Result<()> {
    let call = &store.begin().await?;
    let actor = person.into();
    let copied = store.change_account(call, &actor, AccountChange::Copy, None);
    call.finish(copied.await).await.map(drop)
}

/// Changes the state, and then its copies: the schedule of deletions and the trends.
async fn change_state(
    store: &Store,
    actor: &Actor,
    change: AccountChange<'_>,
    new_epoch: Option<&str>,
) -> Result<ChangeOutcome> {
    let person = actor.id();
    let changed = change_plan(store, actor, change, new_epoch).await?;
    if changed == ChangeOutcome::Changed
        && let Err(error) = update_trends(store, person).await
    {
        tracing::warn!(%error, "the trends change within a day");
    }
    Ok(changed)
}

/// Answers the request of a person to join.
pub(super) async fn answer_applicant(
    store: &Store,
    person: UserId,
    answer: AccountChange<'_>,
) -> Result<ChangeOutcome> {
    change_plan(store, &person.into(), answer, None).await
}

/// Changes the state, and then the schedule of deletions and the queue of applicants.
async fn change_plan(
    store: &Store,
    actor: &Actor,
    change: AccountChange<'_>,
    new_epoch: Option<&str>,
) -> Result<ChangeOutcome> {
    let effects = &LeavingEffects(actor.id());
    let call = &store.begin().await?;
    let write = store.change_account(call, actor, change, new_epoch);
    with_outbox(store, call, effects.thing(), write, |_| {
        reconcile_copies(store, call, effects, None)
    })
    .await
}

/// Puts a person who asked to join into the queue, and the end of the request into the schedule.
pub(super) async fn queue_applicant(store: &Store, call: &Call, person: UserId) -> Result<()> {
    let effects = &LeavingEffects(person);
    match reconcile_copies(store, call, effects, None).await? {
        Reconciled::Yes => Ok(()),
        Reconciled::No => store.enqueue(&Task::Reconcile(effects.thing())).await,
    }
}

/// The after-effects of a state: the schedule of deletions, the queue of applicants, and the suggestions.
struct LeavingEffects(UserId);

impl Effects for LeavingEffects {
    type Truth = AccountPlan;

    fn thing(&self) -> Thing {
        Thing::Leaving(self.0)
    }

    async fn truth(&self, store: &Store) -> Result<AccountPlan> {
        store.account_plan(self.0).await
    }

    async fn apply(&self, store: &Store, call: &Call, plan: AccountPlan) -> Result<()> {
        store.mirror_plan(self.0, plan).await?;
        if plan.is_waiting {
            return notify_of_applicant(store, call, self.0, plan.signup).await;
        }
        if !plan.is_approved || plan.leaving != Leaving::No {
            return Ok(());
        }
        store.place_among_newest(self.0, plan.signup).await?;
        let at_us = plan.signup.0.saturating_mul(1000);
        let news = Notification::from_site(self.0, SiteNotice::LetIn, at_us);
        notify(store, call, self.0, news, at_us).await
    }
}

/// Brings the schedule of deletions in line with a plan to leave. Returns the task that continues, if any.
pub async fn reconcile(store: &Store, person: UserId) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let effects = &LeavingEffects(person);
    let reconciled = reconcile_copies(store, call, effects, None);
    let task = reconcile_thing(call, effects.thing(), reconciled).await?;
    let is_begun = store.leaving(person).await? == Leaving::Now;
    Ok(task.or(is_begun.then_some(Task::DeleteAccount(person))))
}

/// Removes a hidden or limited person from the users of the tags of their newest posts. Adds any other person. Trends
/// expire after a day, so an interruption leaves nothing for longer.
pub(in crate::actions) async fn update_trends(store: &Store, person: UserId) -> Result<()> {
    let first_id = store.first_id_of_last_day().await?;
    let ids = store.profile_ids(person, ProfileView::Posts, None, POSTS_IN_TRENDS);
    let mut ids = ids.await?;
    ids.retain(|id| id.get() >= first_id);
    let lives = ids.iter().zip(store.lives(&ids).await?);
    let living = lives.filter_map(|(id, life)| Some((*id, life.living()?)));
    let tagged = living.filter(|(_, status)| !status.tags.is_empty());
    let tagged: Vec<(StatusId, StatusHeader)> = tagged.collect();
    if tagged.is_empty() {
        return Ok(());
    }
    if !store.is_out_of_trends(person).await? {
        let call = &store.begin().await?;
        call.finish(index_entries::add_tag_uses(store, call, &tagged).await)
            .await?;
    }
    // The person may have been hidden meanwhile.
    if store.is_out_of_trends(person).await? {
        let tags = tagged.into_iter().flat_map(|(_, status)| status.tags);
        let tags: BTreeSet<FoldedTag> = tags.collect();
        store.remove_tag_uses(tags, person).await?;
    }
    store.forget_trends().await
}

/// Notifies the people who answer requests to join, if the person has waited longest. So a flood of requests notifies
/// them once.
async fn notify_of_applicant(
    store: &Store,
    call: &Call,
    person: UserId,
    asked: UnixMs,
) -> Result<()> {
    if store.longest_waiting().await? != Some(person) {
        return Ok(());
    }
    let at_us = asked.0.saturating_mul(1000);
    for (to, role) in store.people_with_roles().await? {
        if may(Some(role), Power::AnswerApplicants) {
            let news = Notification::from_site(to, SiteNotice::Applicants, at_us);
            notify(store, call, to, news, at_us).await?;
        }
    }
    Ok(())
}
