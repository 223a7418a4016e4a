//! Pages that stay full although entries are filtered out. If nearly everything is filtered out, a page
//! ends early and its link continues from there.

use crate::store::{Examined, FoldingBudget, prelude::*};

/// Maximum number of entries that all reads of a page return, also of a page that shows none of them. Each takes a command
/// or two for itself, and no limit counts these pages. So a page costs at most about 400 commands for its entries.
const ENTRIES: usize = 200;
/// Maximum number of entries that all reads of a home return. Others cannot fill it with entries that the viewer does
/// not see, but newer reposts hide most of a home whose people repost the same.
const HOME_ENTRIES: usize = 1000;
/// Minimum number of entries that a short page is assumed to lack. If few entries pass the filter, the
/// missing ones may be far away.
const LACKS: usize = 4;

/// Maximum number of reads per page. Portions double, so they reach as far as [`ENTRIES`].
const LOOKS: u32 = 8;

/// A page of statuses or people under construction. It reads on while filtering left it short.
pub struct PageInProgress<Item> {
    /// Each entry with the cursor that continues after it.
    items: Vec<(Item, Cursor)>,
    cursor: Option<Cursor>,
    rest: Rest,
    looks: u32,
    /// Number of entries that can still be read.
    entries_left: usize,
    folding: FoldingBudget,
}

/// The rest of a timeline after the ids read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// There may be more after the last id read.
    More,
    /// There may be more, but too much was filtered out. The next page continues from here.
    Later(Cursor),
    Nothing,
}

impl Rest {
    /// Returns the rest after `asked` ids were requested and `came` were returned.
    pub fn of(read: usize, asked: usize) -> Self {
        if read < asked {
            Self::Nothing
        } else {
            Self::More
        }
    }
}

impl<Item> PageInProgress<Item> {
    pub fn new(before: Option<Cursor>) -> Self {
        Self::of(ENTRIES, before)
    }

    /// Starts a page of a home, which reads further.
    pub fn of_home(before: Option<Cursor>) -> Self {
        Self::of(HOME_ENTRIES, before)
    }

    fn of(entries: usize, before: Option<Cursor>) -> Self {
        Self {
            items: Vec::with_capacity(PAGE_SIZE + 1),
            cursor: before,
            rest: Rest::More,
            looks: 0,
            entries_left: entries,
            folding: FoldingBudget::of_page(),
        }
    }

    /// Returns the budget for the texts of the page.
    pub fn folding(&mut self) -> &mut FoldingBudget {
        &mut self.folding
    }

    /// Returns the position and number of ids to read next. Returns `None` if the page is full, the
    /// timeline has ended or a budget is used up: that of entries, [`LOOKS`], or that of texts. The first
    /// read asks for one more than a page, which shows whether anything older exists. Later reads ask
    /// for two, four and more times the number of missing entries.
    pub fn wants(&self) -> Option<(Option<Cursor>, usize)> {
        let missing = PAGE_SIZE + 1 - self.items.len().min(PAGE_SIZE + 1);
        let count = match self.looks {
            0 => missing,
            looks => missing.max(LACKS) << looks.min(LOOKS),
        };
        let count = count.min(self.entries_left);
        let is_affordable = count > 0 && self.looks < LOOKS && !self.folding.is_used_up();
        let reads_on = self.rest == Rest::More && missing > 0 && is_affordable;
        reads_on.then_some((self.cursor, count))
    }

    /// Adds the visible entries of one read of so many entries, each with the cursor that continues after it. `last`
    /// is the cursor after everything that was read.
    fn add_visible(
        &mut self,
        visible: impl Iterator<Item = (Item, Cursor)>,
        (count, last): (usize, Option<Cursor>),
        rest: Rest,
    ) {
        self.items.extend(visible);
        self.cursor = last.or(self.cursor);
        self.rest = rest;
        self.looks += 1;
        self.entries_left = self.entries_left.saturating_sub(count);
    }

    /// Returns the page and the cursor of the next one: after the last entry, or where reading stopped.
    pub fn finish(mut self) -> Page<Item> {
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
            items: self.items.into_iter().map(|(item, _)| item).collect(),
        }
    }
}

impl PageInProgress<VisibleStatus> {
    /// Adds the ids that were read and the visible statuses among them.
    pub fn add(&mut self, ids: &[StatusId], visible: Vec<VisibleStatus>, rest: Rest) {
        let place = |id: &StatusId| (*id, Cursor::before(id.get()));
        let places: Vec<(StatusId, Cursor)> = ids.iter().map(place).collect();
        self.add_at(&places, visible, rest);
    }

    /// Adds the ids that were read and those among them that were examined. If the budget of texts ended before the
    /// last one, the page ends there.
    pub fn add_examined(&mut self, ids: &[StatusId], examined: Examined, rest: Rest) {
        let Examined { visible, count } = examined;
        let rest = if count < ids.len() { Rest::More } else { rest };
        self.add(&ids[..count], visible, rest);
    }

    /// Adds entries of a timeline that is not ordered by id, each with the cursor that continues after
    /// it.
    pub fn add_at(
        &mut self,
        places: &[(StatusId, Cursor)],
        visible: Vec<VisibleStatus>,
        rest: Rest,
    ) {
        let mut read = places.iter();
        let place = |status: VisibleStatus| {
            let (_, cursor) = read.find(|(id, _)| *id == status.id())?;
            Some((status, *cursor))
        };
        let last = places.last().map(|(_, cursor)| *cursor);
        let read = (places.len(), last);
        self.add_visible(visible.into_iter().filter_map(place), read, rest);
    }
}

impl PageInProgress<Person> {
    /// Adds the visible people among those that were read, each with the cursor that continues after it.
    pub fn add_people(
        &mut self,
        places: &[(u64, Cursor)],
        visible: impl Iterator<Item = Person>,
        rest: Rest,
    ) {
        let mut read = places.iter();
        let place = |person: Person| {
            let id = person.user.id.get();
            let (_, cursor) = read.find(|(member, _)| *member == id)?;
            Some((person, *cursor))
        };
        let last = places.last().map(|(_, cursor)| *cursor);
        let read = (places.len(), last);
        self.add_visible(visible.filter_map(place), read, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::super::paging::*;

    #[test]
    fn a_page_stops_after_the_read_limit_and_the_next_continues_there() {
        let mut page = PageInProgress::<VisibleStatus>::new(None);
        let (mut last, mut looks) = (1_000_000, 0);
        let start = last;
        while let Some((cursor, count)) = page.wants() {
            assert_eq!(cursor, (looks > 0).then(|| Cursor::before(last)));
            let older = (1..=count as u64).map(|nth| StatusId::new(last - nth).expect("in range"));
            page.add(&older.collect::<Vec<_>>(), Vec::new(), Rest::More);
            last -= count as u64;
            looks += 1;
            assert!(looks <= LOOKS);
        }
        assert_eq!(start - last, ENTRIES as u64);
        let page = page.finish();
        assert!(page.items.is_empty() && !page.is_empty());
        assert_eq!(page.next, Some(Cursor::before(last)));
    }

    #[test]
    fn a_page_with_few_entries_missing_reads_no_more_than_the_budget_either() {
        let mut page = PageInProgress::<usize>::new(None);
        let (mut sum, mut visible) = (0, 0..PAGE_SIZE);
        while let Some((_, count)) = page.wants() {
            sum += count;
            let visible = visible.by_ref().map(|number| (number, Cursor::before(1)));
            page.add_visible(visible, (count, None), Rest::More);
        }
        assert_eq!(sum, ENTRIES);
    }

    #[test]
    fn a_page_ends_at_the_first_text_beyond_its_budget_and_the_next_continues_there() {
        let id = |number| StatusId::new(number).expect("in range");
        let mut page = PageInProgress::<VisibleStatus>::new(Some(Cursor::before(9)));
        *page.folding() = FoldingBudget::used_up();
        let examined = Examined {
            visible: Vec::new(),
            count: 2,
        };
        page.add_examined(&[id(8), id(7), id(6)], examined, Rest::Nothing);
        assert_eq!(page.wants(), None);
        assert_eq!(page.finish().next, Some(Cursor::before(7)));
    }

    #[test]
    fn the_last_page_of_a_timeline_has_no_next_cursor() {
        let mut page = PageInProgress::<VisibleStatus>::new(Some(Cursor::before(9)));
        page.add(&[], Vec::new(), Rest::Nothing);
        assert_eq!(page.wants(), None);
        assert!(page.finish().is_empty());
    }
}
