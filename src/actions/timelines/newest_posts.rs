//! The timeline of everybody. The task that indexes the words of a status keeps it too, so no author waits.

use crate::{
    actions::{operations::ATTEMPTS, prelude::*},
    store::is_for_everybody,
};

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
