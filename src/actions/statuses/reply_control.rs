//! The control of conversations: who can reply to their statuses and quote them, replies that they hide in
//! conversations that they began, and quotes from which they remove their statuses.

use crate::{
    actions::{
        operations::{Reconciled, after_truth, save_form},
        prelude::*,
        reposts,
    },
    domain::{ReplyControl, ReplyControlChange, SaveOutcome, ShownValues},
    store::{ControlOutcome, ReplyControlOutcome},
};

/// Changes who can reply to a status of the actor and whether others can quote it. Replies and quotes that exist stay.
/// Nothing is derived from the rule, so it needs no outbox entry.
pub async fn set_reply_control(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
    change: impl Into<ReplyControlChange>,
) -> Result<ReplyControlOutcome> {
    let actor = actor.into();
    let call = store.begin().await?;
    store.check_session(&actor).await?;
    let set = store.set_reply_control(&call, actor.id(), id, change.into());
    call.finish(set.await).await
}

/// Saves the choices that the author of a status changed in the form, unless another device changed who can reply too. A
/// box has only two values, so two devices that change it agree.
pub async fn save_reply_control(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
    chosen: ReplyControl,
    shown: &ShownValues,
) -> Result<SaveOutcome> {
    let actor = actor.into();
    let repliers = shown.changed("repliers", chosen.repliers.as_str());
    let repliers = repliers.map(|_| chosen.repliers);
    save_form(async || {
        let mut based_on = None;
        if let Some(repliers) = repliers {
            let status = store.status(Viewer::Member(actor.id()), id).await?;
            let Some(status) = status.filter(VisibleStatus::is_own_text) else {
                return Ok(Some(SaveOutcome::NotFound));
            };
            let stored = status.reply_control().repliers;
            let conflicts = shown.conflicts([("repliers", repliers.as_str(), stored.as_str())]);
            if !conflicts.is_empty() {
                return Ok(Some(SaveOutcome::Conflicts(conflicts)));
            }
            based_on = Some(stored);
        }
        let change = ReplyControlChange {
            repliers,
            is_quoting_closed: shown.changed("quoting_closed", chosen.is_quoting_closed),
            based_on,
        };
        Ok(
            match set_reply_control(store, actor.clone(), id, change).await? {
                ReplyControlOutcome::Done => Some(SaveOutcome::Saved),
                ReplyControlOutcome::NotFound => Some(SaveOutcome::NotFound),
                ReplyControlOutcome::Conflict => None,
            },
        )
    })
    .await
}

/// Hides a reply in a conversation that the actor began, or shows it again. It stays with its author and on homes.
pub async fn set_hidden(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
    is_hidden: bool,
) -> Result<ControlOutcome> {
    let actor = actor.into();
    let reply = store.status(Viewer::Member(actor.id()), id).await?;
    let reply = reply.filter(VisibleStatus::may_hide);
    let Some(root) = reply.and_then(|reply| reply.root()) else {
        return Ok(ControlOutcome::NotFound);
    };
    let call = store.begin().await?;
    store.check_session(&actor).await?;
    let set = store.set_hidden(&call, root, id, is_hidden);
    call.finish(set.await).await
}

/// Removes a status of the actor from a quote of it. The text of the quote stays. The outbox entry stays too: a post or
/// an edit in flight may still list the quote under the status. When the entry is due, none can.
pub async fn detach_quote(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
) -> Result<ControlOutcome> {
    let actor = actor.into();
    if store
        .status(Viewer::Member(actor.id()), id)
        .await?
        .is_none()
    {
        return Ok(ControlOutcome::NotFound);
    }
    let call = store.begin().await?;
    store.check_session(&actor).await?;
    call.finish(detach_steps(store, &call, actor.id(), id).await)
        .await
}

async fn detach_steps(
    store: &Store,
    call: &Call,
    by: UserId,
    id: StatusId,
) -> Result<ControlOutcome> {
    let (detached, outbox_entry) = store.detach_quote(call, by, id).await?;
    if detached == ControlOutcome::NotFound {
        store.remove_outbox_entry(outbox_entry).await?;
        return Ok(detached);
    }
    let steps = async {
        if let Life::Living(header) = store.life(id).await? {
            reposts::add_copies(store, call, id, &header).await?;
        }
        Ok(Reconciled::No)
    };
    after_truth(call, steps.await)?;
    Ok(detached)
}
