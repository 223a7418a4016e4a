//! Pages continue from an exclusive cursor, never from an offset or an inclusive score.

pub const PAGE_SIZE: usize = 30;

/// The position at which a page continues: everything older than this number. The number is a status id
/// on timelines and a relation's score in microseconds on pages of people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor(u64);

impl Cursor {
    pub fn before(number: u64) -> Self {
        Self(number)
    }

    pub fn get(self) -> u64 {
        self.0
    }
}

/// Entries newest first, with the cursor of older ones. A page is full unless the timeline ends or
/// nearly everything was filtered out.
#[derive(Debug, Clone)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// `None` if nothing older exists.
    pub next: Option<Cursor>,
}

impl<T> Page<T> {
    /// Returns whether there is neither an entry nor a next page. Filters may leave only a next page.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.next.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::page::*;

    #[test]
    fn cursors_sort_by_position() {
        assert!(Cursor::before(7) < Cursor::before(8));
        assert_eq!(Cursor::before(7).get(), 7);
    }
}
