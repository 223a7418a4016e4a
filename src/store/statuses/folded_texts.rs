//! The folded texts of statuses, which mutes and searches compare. Folding takes more time than everything else that a
//! page does with a text. So each cached row is folded once, each page has a budget, and other requests have their
//! turn in between.

use std::sync::{OnceLock, atomic::Ordering};

use super::status_row::StatusRow;
use crate::{
    domain::ComparedText,
    store::{cache::recording::note_uncached_read, prelude::*},
};

/// Maximum number of bytes that one page folds, before and after folding. The text that exceeds it is folded too.
const BYTES_PER_PAGE: usize = 256 << 10;
/// Number of bytes after which other requests have their turn.
const BYTES_PER_PORTION: usize = 16 << 10;

/// The folded texts of a status.
#[derive(Debug)]
pub struct FoldedTexts {
    pub message: ComparedText,
    /// Warning and options of the poll.
    pub others: ComparedText,
}

impl FoldedTexts {
    fn bytes(&self) -> usize {
        self.message.bytes() + self.others.bytes()
    }
}

/// The folded texts of a row, once a page has needed them. They follow from the row, so rows are equal without them.
#[derive(Debug, Default)]
pub struct FoldedOnce(OnceLock<Box<FoldedTexts>>);

impl PartialEq for FoldedOnce {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for FoldedOnce {}

impl FoldedOnce {
    /// Returns the bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        let texts = self.0.get();
        texts.map_or(0, |texts| size_of::<FoldedTexts>() + texts.bytes())
    }
}

impl StatusRow {
    /// Returns the folded texts. Folds them if no page has yet: see [`Store::fold_texts`].
    pub fn folded_texts(&self) -> &FoldedTexts {
        self.folded.0.get_or_init(|| {
            let poll = self.poll.iter().flat_map(|poll| poll.0.options());
            let options = poll.map(|option| option.as_str());
            Box::new(FoldedTexts {
                message: ComparedText::of([self.message.as_str()]),
                others: ComparedText::of(self.warnings().chain(options)),
            })
        })
    }

    fn warnings(&self) -> impl Iterator<Item = &str> {
        let warnings = self.warning.iter().chain(&self.moderators_warning);
        warnings.map(String::as_str)
    }

    pub(in crate::store) fn is_folded(&self) -> bool {
        self.folded.0.get().is_some()
    }

    fn text_bytes(&self) -> usize {
        let poll = self.poll.as_deref().map_or(0, |poll| poll.0.bytes());
        self.message.len() + self.warnings().map(str::len).sum::<usize>() + poll
    }
}

/// The bytes that a page has folded, and can fold.
#[derive(Debug)]
pub struct FoldingBudget {
    folded: usize,
    most: usize,
    left_of_portion: usize,
}

impl FoldingBudget {
    pub fn of_page() -> Self {
        Self::of(BYTES_PER_PAGE)
    }

    /// Returns a budget for statuses whose number has a limit, of which none can wait for another page.
    pub fn unlimited() -> Self {
        Self::of(usize::MAX)
    }

    #[cfg(test)]
    pub(in crate::store) fn used_up() -> Self {
        Self::of(0)
    }

    /// Folds a text that no row keeps, and charges it.
    pub fn fold(&mut self, text: &str) -> ComparedText {
        let folded = ComparedText::of([text]);
        self.charge(text.len() + folded.bytes());
        folded
    }

    /// Returns the number of folded bytes.
    pub(in crate::store) fn folded(&self) -> usize {
        self.folded
    }

    pub(in crate::store) fn of(most: usize) -> Self {
        Self {
            folded: 0,
            most,
            left_of_portion: BYTES_PER_PORTION,
        }
    }

    pub fn is_used_up(&self) -> bool {
        self.folded >= self.most
    }

    /// Returns whether as much was folded as the budget of a page has, whatever this one has.
    pub fn is_page_used_up(&self) -> bool {
        self.folded >= BYTES_PER_PAGE
    }

    /// Lets other requests have their turn if a portion is complete.
    pub(in crate::store) async fn yield_after_portion(&mut self) {
        if self.begin_next_portion() {
            tokio::task::yield_now().await;
        }
    }

    /// Returns whether a portion is complete. The next one begins then.
    fn begin_next_portion(&mut self) -> bool {
        let is_complete = self.left_of_portion == 0;
        if is_complete {
            self.left_of_portion = BYTES_PER_PORTION;
        }
        is_complete
    }

    fn charge(&mut self, bytes: usize) {
        self.folded = self.folded.saturating_add(bytes);
        if self.is_used_up() {
            // The page leaves out texts that its next load has.
            note_uncached_read();
        }
        self.left_of_portion = self.left_of_portion.saturating_sub(bytes);
    }
}

impl Store {
    /// Folds the texts of a status unless its row has them. The row then counts with them in the cache.
    pub(in crate::store) async fn fold_texts(
        &self,
        id: StatusId,
        row: &StatusRow,
        budget: &mut FoldingBudget,
    ) {
        if row.is_folded() {
            return;
        }
        let bytes = row.text_bytes() + row.folded_texts().bytes();
        self.folded_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        if let Some(version) = row.row_version {
            self.shared_rows
                .weigh(&Key::Status(id), version, row.bytes());
        }
        budget.charge(bytes);
        budget.yield_after_portion().await;
    }

    /// Returns the number of bytes that all pages of this process have folded, before and after folding.
    #[must_use]
    pub fn folded_bytes(&self) -> u64 {
        self.folded_bytes.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::folded_texts::*;

    #[test]
    fn a_page_folds_in_portions_up_to_its_budget() {
        let mut budget = FoldingBudget::of_page();
        let (mut charge_count, mut complete_count) = (0, 0);
        while !budget.is_used_up() {
            budget.charge(4096);
            charge_count += 1;
            complete_count += usize::from(budget.begin_next_portion());
        }
        assert_eq!(charge_count, BYTES_PER_PAGE / 4096);
        assert_eq!(complete_count, BYTES_PER_PAGE / BYTES_PER_PORTION);
    }
}
