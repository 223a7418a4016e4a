//! What pages made of a row, kept beside it.

use std::sync::{Arc, OnceLock};

/// Room beside a row for the text that pages make of it, where that depends on nothing but the row.
/// It is made at the first showing, and goes when the row does: when it changes, or is not kept.
#[derive(Debug, Clone, Default)]
pub struct Shown(OnceLock<Box<str>>);

/// What is made of equal rows is the same.
impl PartialEq for Shown {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Shown {}

impl Shown {
    /// The text, which `make` makes where nobody has yet.
    pub fn or_make(&self, make: impl FnOnce() -> String) -> &str {
        self.0.get_or_init(|| make().into_boxed_str())
    }
}

/// A text with a gap for what changes with time.
#[derive(Debug)]
pub struct Halves {
    text: Box<str>,
    gap: usize,
}

impl Halves {
    /// Of what stands before the gap, and behind it.
    #[must_use]
    pub fn new(before: &str, behind: &str) -> Self {
        Self {
            text: [before, behind].concat().into(),
            gap: before.len(),
        }
    }

    /// What stands before the gap, and behind it.
    #[must_use]
    pub fn both(&self) -> (&str, &str) {
        self.text.split_at(self.gap)
    }
}

/// The same for what pages make of a status and the name of its author.
#[derive(Debug, Default)]
pub struct ShownHalves(OnceLock<(Box<str>, Arc<Halves>)>);

impl PartialEq for ShownHalves {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ShownHalves {}

impl ShownHalves {
    /// `None` where they were made of another name.
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
