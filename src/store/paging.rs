//! Pages that are full unless their timeline ends, whatever filtering takes away.

use super::VisibleStatus;
use crate::domain::{Cursor, PAGE_SIZE, Page, StatusId};

/// A page that reads on where filtering left it short.
pub struct PageInProgress {
    /// Each with the cursor of what comes after it.
    items: Vec<(VisibleStatus, Cursor)>,
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
        let place = |id: &StatusId| (*id, Cursor::before(id.get()));
        let places: Vec<(StatusId, Cursor)> = ids.iter().map(place).collect();
        self.add_at(&places, visible, ended);
    }

    /// The same for a timeline that is not in the order of ids: each with the cursor of what comes
    /// after it.
    pub fn add_at(
        &mut self,
        places: &[(StatusId, Cursor)],
        visible: Vec<VisibleStatus>,
        ended: bool,
    ) {
        let mut rest = places.iter();
        for status in visible {
            if let Some((_, cursor)) = rest.find(|(id, _)| *id == status.id()) {
                self.items.push((status, *cursor));
            }
        }
        self.cursor = places.last().map(|(_, cursor)| *cursor).or(self.cursor);
        self.ended = ended;
    }

    #[must_use]
    pub fn finish(mut self) -> Page<VisibleStatus> {
        let more = self.items.len() > PAGE_SIZE;
        self.items.truncate(PAGE_SIZE);
        let last = self.items.last().filter(|_| more);
        let next = last.map(|(_, cursor)| *cursor);
        Page {
            items: self.items.into_iter().map(|(status, _)| status).collect(),
            next,
        }
    }
}
