//! Rendered parts of a row, stored beside it.

use std::sync::{Arc, OnceLock};

/// A rendered text that depends on nothing but its row. It is made at first use and goes with the row,
/// when that changes or leaves the cache.
#[derive(Debug, Clone, Default)]
pub struct Shown(OnceLock<Box<str>>);

/// Equal rows have equal rendered parts.
impl PartialEq for Shown {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Shown {}

impl Shown {
    /// Returns the text. Calls `make` at first use.
    pub fn or_make(&self, make: impl FnOnce() -> String) -> &str {
        self.0.get_or_init(|| make().into_boxed_str())
    }
}

/// A text with a gap for a part that changes with time.
#[derive(Debug)]
pub struct Halves {
    text: Box<str>,
    gap: usize,
}

impl Halves {
    /// Creates it from the parts before and after the gap.
    #[must_use]
    pub fn new(before: &str, behind: &str) -> Self {
        Self {
            text: [before, behind].concat().into(),
            gap: before.len(),
        }
    }

    /// Returns the parts before and after the gap.
    #[must_use]
    pub fn both(&self) -> (&str, &str) {
        self.text.split_at(self.gap)
    }
}

/// Rendered halves that depend on a status and its author's name.
#[derive(Debug, Default)]
pub struct ShownHalves(OnceLock<(Box<str>, Arc<Halves>)>);

impl PartialEq for ShownHalves {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ShownHalves {}

impl ShownHalves {
    /// Returns `None` if they were made with another name.
    pub(in crate::store) fn or_make(
        &self,
        name: &str,
        make: impl FnOnce() -> Halves,
    ) -> Option<Arc<Halves>> {
        let (made_of, halves) = self.0.get_or_init(|| (name.into(), Arc::new(make())));
        (**made_of == *name).then(|| Arc::clone(halves))
    }
}

#[cfg(test)]
mod tests {
    use super::super::shown::*;

    #[test]
    fn halves_are_made_once_and_belong_to_the_name_of_which_they_were_made() {
        let shown = ShownHalves::default();
        let made = |name: &str, text: &str| {
            let halves = shown.or_make(name, || Halves::new(text, "behind"));
            halves.map(|halves| halves.both().0.to_owned())
        };
        assert_eq!(made("Alice", "before").as_deref(), Some("before"));
        assert_eq!(made("Alice", "again").as_deref(), Some("before"));
        assert_eq!(made("Alicia", "again"), None);
    }
}
