//! What search finds posts and people by: brought to what the truth says, by tasks for posts, so that
//! nobody who posts waits for it.

use std::collections::BTreeSet;

use crate::{
    domain::{StatusId, Task, Term, Thing, UserId, beginnings_of, terms_of},
    store::{Call, Names, Result, Store, Text},
};

use super::follows::Settled;

/// How often an index is brought to a truth that changes meanwhile, before it is left to a task.
const ROUNDS: usize = 5;

/// What becomes of what a status or a person was found by before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Former {
    /// It stays where it is kept, as whoever read it may still enter it, and be cut off then: the
    /// reminder of what changed it comes later than any of them can.
    Kept,
    Forgotten,
}

/// Lets a status be found by its text as it is now: by all its words where it lives, by none where it is
/// dead, and by none of a text that it had. Answers with the task that goes on where the truth would
/// not hold still. Of a text that was corrected the former one stays, for [`bring`].
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn index(store: &Store, id: StatusId) -> Result<Option<Task>> {
    let call = store.begin().await?;
    let settled = settle_text(store, &call, id, Former::Kept).await;
    Ok(match call.settle(settled).await? {
        Settled::Yes => None,
        Settled::No => Some(Task::Index(id)),
    })
}

/// The same, called by the reminder of what changed the text: nobody can enter a former one any more,
/// and it is forgotten.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn bring(store: &Store, id: StatusId) -> Result<()> {
    let call = store.begin().await?;
    let settled = settle_text(store, &call, id, Former::Forgotten).await;
    match call.settle(settled).await? {
        Settled::Yes => Ok(()),
        Settled::No => store.enqueue(&Task::Reconcile(Thing::Status(id))).await,
    }
}

/// Writes, and looks at the truth once more afterwards: whoever finishes last has seen the final one.
/// What was entered meanwhile is remembered, as a status that dies may be forgotten by then.
async fn settle_text(store: &Store, call: &Call, id: StatusId, becomes: Former) -> Result<Settled> {
    let mut text = text(store, id).await?;
    let mut entered: BTreeSet<Term> = BTreeSet::new();
    for _ in 0..ROUNDS {
        let terms = terms_of(text.living.as_deref().unwrap_or_default());
        entered.extend(terms_of(text.former.as_deref().unwrap_or_default()));
        let over: Vec<Term> = entered.difference(&terms).cloned().collect();
        store.leave_postings(call, id, &over).await?;
        entered = terms;
        let terms: Vec<Term> = entered.iter().cloned().collect();
        store.enter_postings(call, id, &terms).await?;
        let now = self::text(store, id).await?;
        if now == text {
            let is_kept = becomes == Former::Kept && now.living.is_some();
            if let Some(former) = now.former.filter(|_| !is_kept) {
                store.forget_former_text(id, &former).await?;
            }
            return Ok(Settled::Yes);
        }
        text = now;
    }
    Ok(Settled::No)
}

async fn text(store: &Store, id: StatusId) -> Result<Text> {
    let texts = store.texts(&[id]).await?;
    Ok(texts.into_iter().next().unwrap_or_default())
}

/// Lets a person be found by the words of their login and of their name as it is now. Called by the
/// reminder of what changed it, so former ones are forgotten. Answers with the task that goes on where
/// the truth would not hold still.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn list(store: &Store, who: UserId) -> Result<Option<Task>> {
    let call = store.begin().await?;
    let settled = settle_names(store, &call, who, Former::Forgotten).await;
    Ok(match call.settle(settled).await? {
        Settled::Yes => None,
        Settled::No => Some(Task::Reconcile(Thing::Names(who))),
    })
}

/// The same within a call. Who is not there has no names: nobody who has is ever removed. What was
/// entered meanwhile is remembered, as another call may have forgotten it by then.
pub(super) async fn settle_names(
    store: &Store,
    call: &Call,
    who: UserId,
    becomes: Former,
) -> Result<Settled> {
    let mut names = names(store, who).await?;
    let mut entered: BTreeSet<String> = BTreeSet::new();
    for _ in 0..ROUNDS {
        let Some(Names {
            login,
            name,
            former,
        }) = &names
        else {
            return Ok(Settled::Yes);
        };
        let words = beginnings_of(login, name);
        let former = former.iter().flat_map(|former| former.lines());
        entered.extend(former.flat_map(|name| beginnings_of(login, name)));
        let over = entered.difference(&words).cloned().collect();
        store.leave_names(call, who, &over).await?;
        store.enter_names(call, who, &words).await?;
        entered = words;
        let now = self::names(store, who).await?;
        if now == names {
            return forget(store, who, now, becomes).await;
        }
        names = now;
    }
    Ok(Settled::No)
}

/// Settled where nothing of a former name is left to be forgotten.
async fn forget(
    store: &Store,
    who: UserId,
    names: Option<Names>,
    becomes: Former,
) -> Result<Settled> {
    match (names.and_then(|names| names.former), becomes) {
        (None, _) => Ok(Settled::Yes),
        (Some(_), Former::Kept) => Ok(Settled::No),
        (Some(former), Former::Forgotten) => {
            store.forget_former_name(who, &former).await?;
            Ok(Settled::Yes)
        }
    }
}

async fn names(store: &Store, who: UserId) -> Result<Option<Names>> {
    let names = store.names_of(&[who]).await?;
    Ok(names.into_iter().next().flatten())
}
