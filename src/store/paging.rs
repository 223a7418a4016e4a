//! Pages that are full unless their timeline ends, whatever filtering takes away.

use super::VisibleStatus;
use crate::domain::{Cursor, PAGE_SIZE, Page, StatusId};

/// A page that reads on where filtering left it short.
pub struct PageInProgress {
    items: Vec<VisibleStatus>,
    cursor: Option<Cursor>,
    ended: bool,
}

impl PageInProgress {
    #[must_use]
    pub fn new(before: Option<Cursor>) -> Self {
        Self {
            items: Vec::with_capacity(PAGE_SIZE + 1),
            cursor: before,
            ended: false,
        }
    }

    /// Where to read on and how many ids to read; `None` when the page is full or the timeline
    /// has ended. One more than a page, which shows whether anything older is left.
    #[must_use]
    pub fn wants(&self) -> Option<(Option<Cursor>, usize)> {
        let missing = PAGE_SIZE + 1 - self.items.len().min(PAGE_SIZE + 1);
        (!self.ended && missing > 0).then_some((self.cursor, missing))
    }

    /// What was read from the cursor on, and what of it is visible.
    pub fn add(&mut self, ids: &[StatusId], visible: Vec<VisibleStatus>, ended: bool) {
        self.items.extend(visible);
        self.cursor = ids
            .last()
            .map(|id| Cursor::before(id.get()))
            .or(self.cursor);
        self.ended = ended;
    }

    #[must_use]
    pub fn finish(mut self) -> Page<VisibleStatus> {
        let more = self.items.len() > PAGE_SIZE;
        self.items.truncate(PAGE_SIZE);
        let last = self.items.last().filter(|_| more);
        let next = last.map(|status| Cursor::before(status.id().get()));
        Page {
            items: self.items,
            next,
        }
    }
}
