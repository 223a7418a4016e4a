//! Pages that are full unless their timeline ends, whatever filtering takes away; where it takes away
//! next to all, a page comes short and the next one goes on where it stopped.

use crate::{
    domain::{Cursor, PAGE_SIZE, Page, StatusId},
    store::VisibleStatus,
};

/// How many ids one look takes, at most.
const MOST: usize = 1000;
/// How many a page is taken to lack at least that was read short: what is lacking next to nothing may
/// be far.
const LACKS: usize = 4;

/// How many looks a page takes at most. Their portions double, so they reach as far as a home.
const LOOKS: u32 = 8;

/// A page that reads on where filtering left it short.
pub struct PageInProgress {
    /// Each with the cursor of what comes after it.
    items: Vec<(VisibleStatus, Cursor)>,
    cursor: Option<Cursor>,
    rest: Rest,
    looks: u32,
}

/// What is left of a timeline behind what was read of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Perhaps more, to be read on from the last.
    More,
    /// Perhaps more, but so much was read in vain that another page is to go on, from here.
    Later(Cursor),
    Nothing,
}

impl Rest {
    /// Where so many were asked for, and so many came.
    #[must_use]
    pub fn of(read: usize, asked: usize) -> Self {
        if read < asked {
            Self::Nothing
        } else {
            Self::More
        }
    }
}

impl PageInProgress {
    #[must_use]
    pub fn new(before: Option<Cursor>) -> Self {
        Self {
            items: Vec::with_capacity(PAGE_SIZE + 1),
            cursor: before,
            rest: Rest::More,
            looks: 0,
        }
    }

    /// Where to read on and how many ids to read; `None` when the page is full, the timeline
    /// has ended or [`LOOKS`] were taken. First one more than a page, which shows whether anything older is
    /// left; then twice, four times and so on what the page lacks, so that where next to nothing is shown
    /// looks stay few.
    #[must_use]
    pub fn wants(&self) -> Option<(Option<Cursor>, usize)> {
        let missing = PAGE_SIZE + 1 - self.items.len().min(PAGE_SIZE + 1);
        let count = match self.looks {
            0 => missing,
            looks => (missing.max(LACKS) << looks.min(MOST.ilog2())).min(MOST),
        };
        let reads_on = self.rest == Rest::More && missing > 0 && self.looks < LOOKS;
        reads_on.then_some((self.cursor, count))
    }

    /// What was read from the cursor on, and what of it is visible.
    pub fn add(&mut self, ids: &[StatusId], visible: Vec<VisibleStatus>, rest: Rest) {
        let place = |id: &StatusId| (*id, Cursor::before(id.get()));
        let places: Vec<(StatusId, Cursor)> = ids.iter().map(place).collect();
        self.add_at(&places, visible, rest);
    }

    /// The same for a timeline that is not in the order of ids: each with the cursor of what comes
    /// after it.
    pub fn add_at(
        &mut self,
        places: &[(StatusId, Cursor)],
        visible: Vec<VisibleStatus>,
        rest: Rest,
    ) {
        let mut read = places.iter();
        for status in visible {
            if let Some((_, cursor)) = read.find(|(id, _)| *id == status.id()) {
                self.items.push((status, *cursor));
            }
        }
        self.cursor = places.last().map(|(_, cursor)| *cursor).or(self.cursor);
        self.rest = rest;
        self.looks += 1;
    }

    /// The page, and where what comes after it begins: after its last entry, or where reading stopped.
    #[must_use]
    pub fn finish(mut self) -> Page<VisibleStatus> {
        let more = self.items.len() > PAGE_SIZE;
        self.items.truncate(PAGE_SIZE);
        let last = self.items.last().filter(|_| more);
        let next = match (last, self.rest) {
            (Some((_, cursor)), _) => Some(*cursor),
            (None, Rest::Later(cursor)) => Some(cursor),
            (None, Rest::More) => self.cursor,
            (None, Rest::Nothing) => None,
        };
        Page {
            next,
            items: self.items.into_iter().map(|(status, _)| status).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paging::*;

    #[test]
    fn a_page_that_nothing_fills_comes_short_and_the_next_goes_on_where_it_stopped() {
        let (mut page, mut last, mut looks) = (PageInProgress::new(None), 1_000_000, 0);
        while let Some((cursor, count)) = page.wants() {
            assert_eq!(cursor, (looks > 0).then(|| Cursor::before(last)));
            let older = (1..=count as u64).map(|nth| StatusId::new(last - nth).expect("in range"));
            page.add(&older.collect::<Vec<_>>(), Vec::new(), Rest::More);
            last -= count as u64;
            looks += 1;
            assert!(looks <= LOOKS);
        }
        assert_eq!(looks, LOOKS);
        let page = page.finish();
        assert!(page.items.is_empty() && !page.is_empty());
        assert_eq!(page.next, Some(Cursor::before(last)));
    }

    #[test]
    fn a_timeline_that_ends_has_no_way_on() {
        let mut page = PageInProgress::new(Some(Cursor::before(9)));
        page.add(&[], Vec::new(), Rest::Nothing);
        assert_eq!(page.wants(), None);
        assert!(page.finish().is_empty());
    }
}
