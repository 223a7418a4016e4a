//! The acts of the people who run a group on others. The script of the act checks the power in the step that acts.

use super::members::{MemberEffects, reconcile_all};
use crate::{
    actions::{
        operations::{Effects, Reconciled, with_outbox},
        prelude::*,
    },
    domain::{GroupAct, GroupId, GroupTie, LoggedGroupAct},
    store::ManageOutcome,
};

/// Does an act on a person of a group, and adds it to the log.
pub async fn manage(
    store: &Store,
    actor: impl Into<Actor>,
    group: GroupId,
    act: GroupAct,
) -> Result<ManageOutcome> {
    let actor = actor.into();
    let Some(person) = act.person() else {
        return Ok(ManageOutcome::NotFound);
    };
    let is_invitation = matches!(act, GroupAct::Invite(_));
    if is_invitation && !store.permits_message(actor.id(), person).await? {
        return Ok(ManageOutcome::Unchanged);
    }
    let entry = LoggedGroupAct::new(actor.id(), act);
    let effects = &MemberEffects { group, person };
    let call = &store.begin().await?;
    let write = async {
        store.check_session(&actor).await?;
        store.manage_member(call, (group, person), &entry).await
    };
    let managed = with_outbox(
        store,
        call,
        effects.thing(),
        write,
        async |outcome| match outcome {
            Some(ManageOutcome::Done) | None => reconcile_all(store, call, effects).await,
            Some(_) => Ok(Reconciled::Yes),
        },
    );
    let managed = managed.await?;
    let is_refused = is_invitation
        && managed == ManageOutcome::Done
        && store.group_tie(group, person).await? == GroupTie::None;
    // The person has as many invitations as one person can have.
    Ok(if is_refused {
        ManageOutcome::TooMany
    } else {
        managed
    })
}
