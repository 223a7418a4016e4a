//! The state that the first read of a page leaves for its later reads. If entries of a page are hidden, it reads on,
//! mostly without a round trip.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use crate::store::prelude::*;

/// The entries after those that a page asked for first, as of the same moment.
#[derive(Debug, Clone, Default)]
pub struct FurtherIds {
    ids: Vec<StatusId>,
    /// Whether the timeline ends with them.
    is_end: bool,
}

impl FurtherIds {
    /// Number of further ids that a page reads at first.
    pub const COUNT: usize = 32;

    /// Splits the ids of a read of `count` and [`FurtherIds::COUNT`] ids.
    pub fn split(mut ids: Vec<StatusId>, count: usize) -> (Vec<StatusId>, Self) {
        let is_end = ids.len() < count + Self::COUNT;
        let further = ids.split_off(count.min(ids.len()));
        let further = Self {
            ids: further,
            is_end,
        };
        (ids, further)
    }

    /// Returns `count` ids older than a cursor within the read, or all up to the end of the timeline. `None` if they
    /// were not all read.
    pub fn older(&self, before: Cursor, count: usize) -> Option<Vec<StatusId>> {
        let older = self.ids.iter().filter(|id| id.get() < before.get());
        let older: Vec<StatusId> = older.copied().take(count).collect();
        (self.is_end || older.len() == count).then_some(older)
    }

    /// Bytes in memory besides the struct.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.ids[..])
    }
}

/// The oldest id down to which pages of one cached slice have noted what they showed. It ends with the slice, because
/// Redis invalidates the slice when the reading progress changes.
#[derive(Debug, Clone)]
pub struct NotedDownTo(Arc<AtomicU64>);

impl Default for NotedDownTo {
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(u64::MAX)))
    }
}

impl NotedDownTo {
    pub fn includes(&self, lowest: u64) -> bool {
        self.0.load(Ordering::Relaxed) <= lowest
    }

    pub fn note(&self, lowest: u64) {
        self.0.fetch_min(lowest, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::first_read::*;

    fn ids(newest: u64, count: u64) -> Vec<StatusId> {
        let ids = (0..count).map(|nth| StatusId::new(newest - nth).expect("in range"));
        ids.collect()
    }

    #[test]
    fn further_ids_are_returned_if_all_of_them_were_read() {
        let read = ids(1000, 31 + FurtherIds::COUNT as u64);
        let (first, further) = FurtherIds::split(read.clone(), 31);
        assert_eq!(first, read[..31]);
        let last = Cursor::before(first[30].get());
        assert_eq!(
            further.older(last, 8).expect("they were read"),
            read[31..39]
        );
        let next = Cursor::before(read[38].get());
        assert_eq!(further.older(next, 24).expect("they were read"), read[39..]);
        assert_eq!(further.older(next, 25), None, "there may be more");
    }

    #[test]
    fn the_end_of_a_timeline_needs_no_read() {
        let read = ids(1000, 33);
        let (_, further) = FurtherIds::split(read.clone(), 31);
        let last = Cursor::before(read[30].get());
        assert_eq!(further.older(last, 8).expect("it ends"), read[31..]);
        let (first, further) = FurtherIds::split(ids(1000, 5), 31);
        let last = Cursor::before(first[4].get());
        assert_eq!(further.older(last, 8), Some(Vec::new()));
    }

    #[test]
    fn a_slice_of_no_timeline_has_no_end() {
        let further = FurtherIds::default();
        assert_eq!(further.older(Cursor::before(9), 1), None);
    }

    #[test]
    fn what_was_noted_includes_everything_above() {
        let noted = NotedDownTo::default();
        assert!(!noted.includes(7));
        noted.clone().note(7);
        noted.note(9);
        assert!(noted.includes(7) && noted.includes(8) && !noted.includes(6));
    }
}
