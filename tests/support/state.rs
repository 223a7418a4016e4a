//! Reads of the stored state that only tests need.

use redwing::{
    domain::Timeline,
    store::{BacklogReader, Key, Queue, Result, Store},
};

/// Returns the number of tasks to do now, due later, and given up.
pub async fn task_counts(store: &Store) -> Result<[u64; 3]> {
    let mut counts = [0; 3];
    for (count, queue) in counts
        .iter_mut()
        .zip([Queue::Now, Queue::Later, Queue::Dead])
    {
        let mut reader = BacklogReader::of(queue);
        while let Some(entries) = store.waiting(&mut reader).await? {
            *count += entries.len() as u64;
        }
    }
    Ok(counts)
}

/// Returns the name of the key that says whether a timeline is stored.
pub fn mark_name(of: Timeline) -> String {
    match of {
        Timeline::Home(user) => Key::Active(user).name(),
        Timeline::List(list) => Key::ListActive(list).name(),
    }
}
