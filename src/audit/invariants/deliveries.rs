//! Deliveries: each recorded progress has a task that continues it. The confirmation of a fault waits for
//! work about the status.

use super::prelude::*;
use crate::actions::statuses;

pub(super) const DELIVERIES_HAVE_TASKS: Invariant = Invariant::new(
    "deliveries_have_tasks",
    "each delivery in progress has a task that continues it",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::Statuses(statuses) = exam.target else {
        return Ok(());
    };
    for status in statuses.iter().filter(|status| status.stored.on_its_way) {
        exam.examined(DELIVERIES_HAVE_TASKS, 1);
        let id = status.id;
        let text = format!("the delivery of {} has no task", names::status(id));
        let fault = Fault::new(DELIVERIES_HAVE_TASKS, Key::Status(id), text);
        let words = format!("delivered {} again", names::status(id));
        let fault = fault.repair(words, move |store| async move {
            store.forget_progress(id).await?;
            statuses::reconcile(&store, id).await
        });
        exam.found(fault.unless(Key::Status(id)));
    }
    Ok(())
}
