//! Removal of a post by the moderators of its group. The removal lies with the post, with the act for the log. The log and
//! the notice to the author follow from it, under the outbox entry of the post.

use crate::{
    actions::{
        groups,
        operations::{Reconciled, with_outbox},
        prelude::*,
    },
    domain::{GroupAct, GroupEvent, LoggedGroupAct},
    store::RemovePostOutcome,
};

/// Removes a post or reply of another person from its group, with a note to the author. Who may not read the post
/// learns nothing, and who has not the power over its author neither.
pub async fn remove(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
    note: String,
) -> Result<RemovePostOutcome> {
    let actor = actor.into();
    let by = actor.id();
    let viewer = Viewer::Member(by);
    let Some(status) = store.status(viewer, id).await? else {
        return Ok(RemovePostOutcome::NotFound);
    };
    let (person, group) = (status.author().id, status.group_id());
    let may_remove = store.may_remove_from_group(viewer, &status).await?;
    let Some(group) = group.filter(|_| may_remove) else {
        return Ok(RemovePostOutcome::NotFound);
    };
    let act = GroupAct::RemovePost(GroupEvent { person, note }, id);
    let entry = LoggedGroupAct::new(by, act);
    let call = &store.begin().await?;
    store.check_session(&actor).await?;
    let write = store.remove_group_post(call, (group, id), &entry);
    with_outbox(
        store,
        call,
        Thing::Status(id),
        write,
        |removed| async move {
            if removed != Some(RemovePostOutcome::NotFound) {
                reconcile_removal(store, call, id).await?;
            }
            Ok(Reconciled::Yes)
        },
    )
    .await
}

/// Adds the removal of a post to the log of its group and notifies its author, if that was not done yet.
pub(in crate::actions) async fn reconcile_removal(
    store: &Store,
    call: &Call,
    id: StatusId,
) -> Result<()> {
    let Some(entry) = store.unlogged_removal(id).await? else {
        return Ok(());
    };
    let header = store.life(id).await?.header();
    let Some(group) = header.and_then(|header| header.group) else {
        return Ok(());
    };
    store.log_group_act(call, group, &entry).await?;
    if let Some(row) = store.group(group).await? {
        groups::deliver_notices(store, call, &row).await?;
    }
    store.note_removal_logged(call, (group, id)).await.map(drop)
}
