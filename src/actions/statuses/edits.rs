//! Edits: a new text for a status, and the update of everything derived from it.

use futures_util::try_join;

use crate::{
    actions::prelude::*,
    domain::{BASE_POST_BYTES, Draft, EditState, Warning, bytes_of_edit},
    store::{Edit, Filing, GroupPosting, GroupText, Narrow, OutboxEntry, TextToPost},
};

use crate::actions::{
    derived_copies,
    operations::{Reconciled, after_truth},
    statuses::{add_to_author, publish},
};

/// Edits a status of the actor and keeps the earlier version. The same text again changes nothing and returns the same
/// answer. The status keeps its position, and no one is notified twice. The text has the limits of a new post, also
/// those of its group. It can become visible to fewer people, at once, and never to more.
pub async fn edit(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
    edit: &EditState,
) -> Result<Edit> {
    let actor = actor.into();
    let call = store.begin().await?;
    store.check_session(&actor).await?;
    call.finish(edit_steps(store, &call, &actor, id, edit).await)
        .await
}

async fn edit_steps(
    store: &Store,
    call: &Call,
    actor: &Actor,
    id: StatusId,
    edit: &EditState,
) -> Result<Edit> {
    let Life::Living(before) = store.life(id).await? else {
        return Ok(Edit::NotYours);
    };
    let by = actor.id();
    if before.author != by {
        return Ok(Edit::NotYours);
    }
    let draft = Draft::from(&edit.message);
    let (mentioned, author) = try_join!(store.mentioned_by(&draft, by), store.user(by))?;
    // A text that is written while the account is private stays with the followers.
    let widest = author.map(|author| author.widest());
    let visibility = edit.visibility.into_iter().chain(widest).min();
    let without_mentions = before.edited(draft.tags(), Vec::new(), visibility);
    // A person who may not see the status is not mentioned by it.
    let readers = store.people_who_may_see(&without_mentions, mentioned.clone());
    let after = before.edited(draft.tags(), readers.await?, visibility);
    if after.readers != before.readers
        && let Some(narrowed) = narrow(store, call, (id, by), edit, (&before, &after)).await?
    {
        return Ok(narrowed);
    }
    let written = async {
        if store.is_almost_full().await? {
            return Err(Error::Full);
        }
        check_text(store, by, edit, &draft, (&before, &mentioned)).await?;
        write_text(store, call, (id, actor), (edit, &draft), (&before, &after)).await
    };
    match written.await {
        // If an earlier try has written this text, the edit is saved, and this try changes nothing.
        Err(
            refusal @ (Error::Full
            | Error::OverQuota
            | Error::Blocked(_)
            | Error::Newcomer(_)
            | Error::GroupRefused(_)),
        ) => {
            let narrowed = narrow(store, call, (id, by), edit, (&before, &after)).await?;
            narrowed.ok_or(refusal)
        }
        written => written,
    }
}

/// Replaces the text, if the author has room for a further version.
async fn write_text(
    store: &Store,
    call: &Call,
    (id, actor): (StatusId, &Actor),
    (edit, draft): (&EditState, &Draft),
    (before, after): (&StatusHeader, &StatusHeader),
) -> Result<Edit> {
    let by = actor.id();
    // The earlier version stays, and takes no more than the status counted as.
    let text_bytes = u64::try_from(bytes_of_edit(edit)).unwrap_or_default();
    let extra_bytes = text_bytes + BASE_POST_BYTES + before.extra_bytes;
    store.reserve_edit(by, id, extra_bytes).await?;
    let text = TextToPost {
        author: by,
        link_count: draft.link_count(),
        mentioned: &[],
        answered: before.reply_to.map(|answered| answered.author),
    };
    let waits = store.is_to_wait(text, after.readers).await?;
    let write = store.edit_status(call, id, actor, edit, (after, waits));
    let (edited, outbox_entry) = write.await?;
    complete(store, call, (id, before), edited, outbox_entry).await
}

/// Shows a status to fewer people without a new text. This revokes access, so it needs no room, and no rule for new
/// texts prevents it. `None` if the edit has another text.
async fn narrow(
    store: &Store,
    call: &Call,
    (id, by): (StatusId, UserId),
    edit: &EditState,
    (before, after): (&StatusHeader, &StatusHeader),
) -> Result<Option<Edit>> {
    let (narrowed, outbox_entry) = store.narrow_status(call, id, by, edit, after).await?;
    let edited = match narrowed {
        Narrow::Done => Edit::Done,
        Narrow::NotYours => Edit::NotYours,
        Narrow::TooLate => Edit::TooLate,
        Narrow::Outdated => Edit::Outdated,
        Narrow::OtherText => {
            store.remove_outbox_entry(outbox_entry).await?;
            return Ok(None);
        }
    };
    let edited = complete(store, call, (id, before), edited, outbox_entry);
    edited.await.map(Some)
}

/// Fails if the rules of the site, of newcomers or of the group do not allow the text.
async fn check_text(
    store: &Store,
    by: UserId,
    edit: &EditState,
    draft: &Draft,
    (before, mentioned): (&StatusHeader, &[UserId]),
) -> Result<()> {
    let mut texts = draft.texts();
    texts.extend(edit.warning.as_ref().map(Warning::as_str));
    if let Some(content) = store.site().await?.shields.blocked_content(&texts) {
        return Err(Error::Blocked(content));
    }
    let text = TextToPost {
        author: by,
        link_count: draft.link_count(),
        mentioned,
        answered: before.reply_to.map(|answered| answered.author),
    };
    if let Some(refusal) = store.newcomer_refusal(text).await? {
        return Err(Error::Newcomer(refusal));
    }
    let Some(group) = before.group else {
        return Ok(());
    };
    let text = match before.reply_to {
        Some(_) => GroupText::Reply,
        None => GroupText::Post,
    };
    match store.group_posting(by, group, text).await? {
        GroupPosting::Refused(refusal) => Err(Error::GroupRefused(refusal)),
        GroupPosting::Permitted(_) => Ok(()),
    }
}

/// Updates everything derived from the text after the source of truth was written, or removes the outbox entry.
async fn complete(
    store: &Store,
    call: &Call,
    (id, before): (StatusId, &StatusHeader),
    edited: Edit,
    outbox_entry: OutboxEntry,
) -> Result<Edit> {
    if edited == Edit::Done {
        let steps = update_derived_copies(store, call, id, before).await;
        after_truth(call, steps)?;
    } else {
        store.remove_outbox_entry(outbox_entry).await?;
    }
    Ok(edited)
}

/// Updates everything derived from the text. The outbox entry stays: a post or edit in flight may still
/// write data of the former text. When the entry is due, none can.
async fn update_derived_copies(
    store: &Store,
    call: &Call,
    id: StatusId,
    before: &StatusHeader,
) -> Result<Reconciled> {
    match store.life(id).await? {
        Life::Living(status) if status == *before => {
            derived_copies::add_copies(store, call, id, &status).await?;
        }
        Life::Living(status) if status.routes_like(before) => {
            add_to_author(store, call, id, Filing::from(&status)).await?;
        }
        Life::Living(status) => {
            publish(store, call, id, Filing::from(&status)).await?;
        }
        Life::Dead(_) | Life::Absent => {}
    }
    Ok(Reconciled::No)
}
