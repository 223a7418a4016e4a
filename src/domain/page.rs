//! Pages continue from an exclusive cursor: never an offset, never an inclusive score.

/// How many entries a page shows.
pub const PAGE_SIZE: usize = 30;

/// Where a page continues: everything strictly older than this number (a status id on timelines,
/// the edge's score in microseconds on people's pages).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor(u64);

impl Cursor {
    #[must_use]
    pub fn before(number: u64) -> Self {
        Self(number)
    }

    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }
}

/// Entries newest first, full unless the timeline ends or very much was read in vain, and the cursor of
/// what is older.
#[derive(Debug, Clone)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// `None` where nothing older is left.
    pub next: Option<Cursor>,
}

impl<T> Page<T> {
    /// Neither an entry nor a way on: one that was read in vain may have nothing but that.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.next.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::page::*;

    #[test]
    fn cursors_are_in_the_order_of_what_they_point_at() {
        assert!(Cursor::before(7) < Cursor::before(8));
        assert_eq!(Cursor::before(7).get(), 7);
    }
}
