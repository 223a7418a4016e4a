//! The acts of the people who run a group on others. The script of the act checks the power in the step that acts.

use super::members::{MemberEffects, reconcile_all};
use crate::{
    actions::{
        operations::{Effects, Reconciled, with_outbox},
        prelude::*,
    },
    domain::{GroupAct, GroupId, GroupTie, LoggedGroupAct},
    store::{ManageOutcome, WriteRefusal},
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
    if let Some(refusal) = refusal(store, actor.id(), group, &act).await? {
        return Ok(refusal);
    }
    let is_admission = matches!(act, GroupAct::Invite(_) | GroupAct::Accept(_));
    let entry = LoggedGroupAct::new(actor.id(), act);
    let effects = &MemberEffects { group, person };
    let call = &store.begin().await?;
    let write = async {
        store.check_session(&actor).await?;
        let dated = (&entry, actor.age_ms());
        store.manage_member(call, (group, person), dated).await
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
    let is_refused = is_admission
        && managed == ManageOutcome::Done
        && store.group_tie(group, person).await? == GroupTie::None;
    Ok(if is_refused {
        ManageOutcome::PersonFull
    } else {
        managed
    })
}

/// Returns the reason why a person cannot be invited or accepted now. An invitation needs the right to begin a
/// conversation of several people. A request stays open while the person is at the limit of groups.
async fn refusal(
    store: &Store,
    actor: UserId,
    group: GroupId,
    act: &GroupAct,
) -> Result<Option<ManageOutcome>> {
    match *act {
        GroupAct::Invite(person) => {
            Ok(store
                .invitation_refusal(actor, person)
                .await?
                .map(|refusal| match refusal {
                    WriteRefusal::Unavailable => ManageOutcome::Unchanged,
                    _ => ManageOutcome::NotAccepted,
                }))
        }
        GroupAct::Accept(person) => {
            let tie = store.group_tie(group, person).await?;
            let is_full =
                matches!(tie, GroupTie::Asked { .. }) && !store.has_room_for_group(person).await?;
            Ok(is_full.then_some(ManageOutcome::PersonFull))
        }
        _ => Ok(None),
    }
}
