//! The calls of the scripts of tasks.

use crate::store::redis::script_call::script_calls;

script_calls! {
    AddOutboxEntry = "add_outbox_entry"(later; delay_ms: u64, entry: String);
    AddTasks = "add_tasks"(tasks; [added: Vec<String>]);
    CreateTaskGroup = "create_task_group"(tasks; group: &'static str);
    FinishTask = "finish_task"(
        tasks, later, dead;
        entry_id: String, result: &'static str, max_dead: usize, task: String, attempts: u32, retry_token: String,
        detail: String
    );
    MoveDue = "move_due"(
        later, tasks; until_ms: String, max_tasks: usize, outbox_delay_ms: u64, max_retry_delay_ms: u64
    );
    RetireConsumer = "retire_consumer"(tasks; consumer: String);
    ReviveTask = "revive_task"(dead, tasks; entry_id: String, task: String);
}
