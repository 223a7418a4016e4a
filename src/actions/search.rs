//! The search index of posts and people, and the timeline of everybody. Tasks keep both for posts, so that authors
//! do not wait.

use std::collections::BTreeSet;

use crate::{
    actions::prelude::*,
    domain::{Term, all_terms_of, beginnings_of, terms_of},
    store::{Names, Text},
};

use super::{
    fan_out,
    moderation::shields::examine_post,
    operations::{ATTEMPTS, Reconciled, continue_with, reconcile_thing},
    timelines::newest_posts,
};

/// The treatment of former texts and names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Former {
    /// It stays stored. A task that read it may still index it and then stop. The outbox entry of the
    /// change comes later than any such task.
    Kept,
    Forgotten,
}

/// Indexes a status by its current text and removes it under former words; removes a dead status
/// entirely. Then looks for spam. Returns the task that continues if the text kept changing. The former text of an edit stays
/// stored for [`index_and_forget`].
pub async fn index(store: &Store, id: StatusId) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    newest_posts::reconcile(store, call, id).await?;
    let indexed = index_text(store, call, id, Former::Kept);
    let next = continue_with(call, Task::Index(id), indexed).await?;
    // On the heap, because a future contains those of all its steps.
    Box::pin(examine_post(store, id)).await?;
    Ok(next)
}

/// Indexes a status when the outbox entry of its change is due. No task can index a former text any
/// more, so former texts are deleted.
pub async fn index_and_forget(store: &Store, id: StatusId) -> Result<()> {
    let call = &store.begin().await?;
    newest_posts::reconcile(store, call, id).await?;
    let indexed = index_text(store, call, id, Former::Forgotten);
    let task = reconcile_thing(call, Thing::Status(id), indexed).await?;
    fan_out::enqueue(store, task).await
}

/// Writes the index and reads the text again. While former texts are kept, about as many of
/// their terms are removed as the newest one has, which is their beginning: each edit queues a task, so earlier
/// tasks removed the others. Indexed terms are remembered, because a status that dies
/// meanwhile may lose its former texts.
async fn index_text(
    store: &Store,
    call: &Call,
    id: StatusId,
    becomes: Former,
) -> Result<Reconciled> {
    let mut text = text(store, id).await?;
    let mut entered: BTreeSet<Term> = BTreeSet::new();
    for _ in 0..ATTEMPTS {
        let terms = terms_of(text.living.as_deref().unwrap_or_default());
        let former = text.former.as_deref().unwrap_or_default();
        entered.extend(match (becomes, &text.living) {
            (Former::Kept, Some(_)) => terms_of(former),
            _ => all_terms_of(former),
        });
        let over: Vec<Term> = entered.difference(&terms).cloned().collect();
        store.remove_postings(call, id, &over).await?;
        entered = terms;
        let terms: Vec<Term> = entered.iter().cloned().collect();
        store.enter_postings(call, id, &terms).await?;
        let now = self::text(store, id).await?;
        if now == text {
            let is_kept = becomes == Former::Kept && now.living.is_some();
            if let Some(former) = now.former.filter(|_| !is_kept) {
                store.forget_former_text(id, &former).await?;
            }
            return Ok(Reconciled::Yes);
        }
        text = now;
    }
    Ok(Reconciled::No)
}

/// Lists a word if a post has it, and removes it from the list otherwise.
pub async fn reconcile_word(store: &Store, term: &Term) -> Result<()> {
    let call = &store.begin().await?;
    let terms = std::slice::from_ref(term);
    store.list_words(call, terms).await?;
    store.unlist_words(call, terms).await
}

async fn text(store: &Store, id: StatusId) -> Result<Text> {
    let texts = store.texts(&[id]).await?;
    Ok(texts.into_iter().next().unwrap_or_default())
}

/// Indexes a person by the words of their login and current name. The outbox entry of the change calls
/// it, so former names are deleted. Returns the task that continues if the name kept changing.
pub async fn index_names(store: &Store, who: UserId) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = reconcile_names(store, call, who, Former::Forgotten);
    reconcile_thing(call, Thing::Names(who), reconciled).await
}

/// Indexes a person within a call. A person who does not exist has no names; existing people are never
/// removed. Indexed names are remembered, because another call may have deleted them.
pub(super) async fn reconcile_names(
    store: &Store,
    call: &Call,
    who: UserId,
    becomes: Former,
) -> Result<Reconciled> {
    let mut names = names(store, who).await?;
    let mut entered: BTreeSet<String> = BTreeSet::new();
    for _ in 0..ATTEMPTS {
        let Some(Names {
            login,
            name,
            former,
        }) = &names
        else {
            return Ok(Reconciled::Yes);
        };
        let words = beginnings_of(login, name);
        let former = former.iter().flat_map(|former| former.lines());
        entered.extend(former.flat_map(|name| beginnings_of(login, name)));
        let over = entered.difference(&words).cloned().collect();
        store.remove_names(call, who, &over).await?;
        store.enter_names(call, who, &words).await?;
        entered = words;
        let now = self::names(store, who).await?;
        if now == names {
            return forget(store, who, now, becomes).await;
        }
        names = now;
    }
    Ok(Reconciled::No)
}

/// Reports completion if the index has the names of a person, so that no former name is left.
pub(super) async fn are_names_indexed(store: &Store, who: UserId) -> Result<Reconciled> {
    forget(store, who, names(store, who).await?, Former::Kept).await
}

/// Reports completion if no former name is left.
async fn forget(
    store: &Store,
    who: UserId,
    names: Option<Names>,
    becomes: Former,
) -> Result<Reconciled> {
    match (names.and_then(|names| names.former), becomes) {
        (None, _) => Ok(Reconciled::Yes),
        (Some(_), Former::Kept) => Ok(Reconciled::No),
        (Some(former), Former::Forgotten) => {
            store.forget_former_name(who, &former).await?;
            Ok(Reconciled::Yes)
        }
    }
}

async fn names(store: &Store, who: UserId) -> Result<Option<Names>> {
    let names = store.names_of(&[who]).await?;
    Ok(names.into_iter().next().flatten())
}
