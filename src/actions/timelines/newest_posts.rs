//! The timeline of everybody. The task that indexes the words of a status keeps it too, so no author waits.

use crate::{
    actions::{operations::ATTEMPTS, prelude::*},
    store::{Rate, RateLimit, is_for_everybody},
};

/// Returns the field of a new status beyond the share of its author in the timeline of everybody. So one person cannot
/// fill it. Other statuses never change the decision.
pub(in crate::actions) async fn over_share(
    store: &Store,
    status: &StatusHeader,
) -> Result<Option<(&'static str, String)>> {
    if !is_for_everybody(status) {
        return Ok(None);
    }
    let share = RateLimit::Everybody(status.author);
    let is_within = store.charge_rate_limit(share).await? == Rate::Within;
    Ok((!is_within).then(|| ("over_share", "1".to_owned())))
}

/// Adds a status to the timeline of everybody if it belongs there, or else removes it. Every change of a status
/// queues this, and its outbox entry repeats it.
pub(in crate::actions) async fn reconcile(store: &Store, call: &Call, id: StatusId) -> Result<()> {
    let mut life = store.life(id).await?;
    for _ in 0..ATTEMPTS {
        match &life {
            // Replies and reposts never were there.
            Life::Living(header) if !header.is_top_level() => return Ok(()),
            Life::Living(header) if is_for_everybody(header) => {
                store.add_newest_post(call, id).await?;
            }
            Life::Living(_) | Life::Dead(_) | Life::Absent => store.remove_newest_post(id).await?,
        }
        let now = store.life(id).await?;
        if now == life {
            break;
        }
        life = now;
    }
    Ok(())
}
