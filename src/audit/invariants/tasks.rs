//! Tasks: none waits too long, and none was given up.

use super::prelude::*;

pub(super) const TASKS_RUN: Invariant = Invariant::new(
    "tasks_run",
    "no outbox entry is overdue, and no task waits too long",
);
pub(super) const NO_TASK_WAS_GIVEN_UP: Invariant =
    Invariant::new("no_task_was_given_up", "no task was given up");

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::Site(ids) = exam.target else {
        return Ok(());
    };
    for queue in [Queue::Later, Queue::Now, Queue::Pending, Queue::Dead] {
        let mut reading = BacklogReader::of(queue);
        while let Some(entries) = exam.store.waiting(&mut reading).await? {
            for entry in entries {
                exam.examined(invariant_of(queue), 1);
                if queue == Queue::Dead || entry.late {
                    exam.found(fault(queue, entry, Subject::Site(*ids)));
                }
            }
        }
    }
    Ok(())
}

fn invariant_of(queue: Queue) -> Invariant {
    match queue {
        Queue::Dead => NO_TASK_WAS_GIVEN_UP,
        Queue::Later | Queue::Now | Queue::Pending => TASKS_RUN,
    }
}

fn fault(queue: Queue, entry: Entry, subject: Subject) -> Fault {
    let task = match &entry.task {
        Ok(task) => task.to_string(),
        Err(text) => format!("{text:?}"),
    };
    let what = match queue {
        Queue::Later => "is overdue",
        Queue::Now => "waits too long",
        Queue::Pending => "is not finished",
        Queue::Dead => "was given up",
    };
    let text = format!("task {task} {what} ({})", entry.id);
    let fault = Fault::new(invariant_of(queue), subject, text);
    let repair = match queue {
        Queue::Dead if entry.task.is_err() => return fault,
        Queue::Dead => {
            let words = format!("queued the task {task} again");
            RepairStep::new(
                words,
                move |store| async move { store.revive(&entry).await },
            )
        }
        // After the repairs, the check runs all waiting tasks.
        Queue::Later | Queue::Now | Queue::Pending => {
            RepairStep::new("ran the waiting tasks".to_owned(), |_| async { Ok(()) })
        }
    };
    fault.repair_by(repair.with_effect(Effect::Tasks))
}
