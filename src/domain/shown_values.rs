//! The values with which a form was made. They tell a change by its sender from a value that another device changed
//! while the form was open.

use std::{collections::BTreeMap, fmt};

use sha2::{Digest, Sha256};

use crate::domain::hex;

/// A digest of each value with which a form was made, by the name of its field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShownValues(BTreeMap<String, String>);

/// What a submitted field does to the stored value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldChange {
    /// The sender left the field as the form had it.
    Unchanged,
    Changed,
    /// The sender changed the field, and so did another device.
    Conflict,
}

/// The stored values of the fields that another device changed too, by the name of the field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldConflicts(BTreeMap<&'static str, String>);

/// The outcome of saving the fields of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveOutcome {
    Saved,
    /// The thing does not exist, or does not belong to the sender.
    NotFound,
    /// Another device changed these fields too. Nothing is saved.
    Conflicts(FieldConflicts),
}

impl ShownValues {
    /// Creates the digests of the values of a form.
    pub fn of(values: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let shown = |(field, value): (&str, String)| (field.to_owned(), digest(&value));
        Self(values.into_iter().map(shown).collect())
    }

    /// Parses the hidden field of a form. A form without it, or with another text, has no digests.
    pub fn parse(text: &str) -> Self {
        let pairs = text.split_whitespace();
        let pairs = pairs.filter_map(|pair| pair.split_once('='));
        Self(
            pairs
                .map(|(field, digest)| (field.to_owned(), digest.to_owned()))
                .collect(),
        )
    }

    /// Compares a submitted value with the shown and the stored one. A value without a digest counts as changed. So
    /// does one that is stored already, because an earlier try of the same form may have stored it.
    pub fn compare(&self, field: &str, submitted: &str, stored: &str) -> FieldChange {
        let Some(shown) = self.0.get(field) else {
            return FieldChange::Changed;
        };
        if self.is_unchanged(field, submitted) {
            FieldChange::Unchanged
        } else if submitted == stored || *shown == digest(stored) {
            FieldChange::Changed
        } else {
            FieldChange::Conflict
        }
    }

    /// Returns the stored values of the fields that both the sender and another device changed. Each field has
    /// its submitted and its stored value. A box has only two values, so two people who change it agree.
    pub fn conflicts<'a>(
        &self,
        fields: impl IntoIterator<Item = (&'static str, &'a str, &'a str)>,
    ) -> FieldConflicts {
        let mut conflicts = FieldConflicts::default();
        for (field, submitted, stored) in fields {
            if self.compare(field, submitted, stored) == FieldChange::Conflict {
                conflicts.add(field, stored.to_owned());
            }
        }
        conflicts
    }

    /// Returns whether the sender left the field as the form had it.
    pub fn is_unchanged(&self, field: &str, submitted: &str) -> bool {
        let shown = self.0.get(field);
        shown.is_some_and(|shown| *shown == digest(submitted))
    }

    /// Returns whether the form was made with another value than this one. False for a form without this digest.
    pub fn was_made_with_other_value(&self, field: &str, value: &str) -> bool {
        let shown = self.0.get(field);
        shown.is_some_and(|shown| *shown != digest(value))
    }

    /// Returns the value of a field to store. `None` if the sender left the field as the form had it: another device
    /// may have saved another value meanwhile.
    pub fn changed<T: fmt::Display>(&self, field: &str, submitted: T) -> Option<T> {
        (!self.is_unchanged(field, &submitted.to_string())).then_some(submitted)
    }

    /// Returns the digests for the form with these conflicts, whose sender then knows the stored values.
    #[must_use]
    pub fn with_conflicts(mut self, conflicts: &FieldConflicts) -> Self {
        let known = conflicts.0.iter();
        let known = known.map(|(field, stored)| ((*field).to_owned(), digest(stored)));
        self.0.extend(known);
        self
    }
}

impl fmt::Display for ShownValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (field, digest)) in self.0.iter().enumerate() {
            let blank = if at == 0 { "" } else { " " };
            write!(f, "{blank}{field}={digest}")?;
        }
        Ok(())
    }
}

impl FieldConflicts {
    pub fn add(&mut self, field: &'static str, stored: String) {
        self.0.insert(field, stored);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the stored value of a field that another device changed too.
    pub fn stored(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }
}

/// Returns the text of a box in the digests of its form, and of its stored field.
pub fn flag(is_set: bool) -> &'static str {
    if is_set { "1" } else { "" }
}

fn digest(value: &str) -> String {
    hex(&Sha256::digest(value)[..8])
}

#[cfg(test)]
mod tests {
    use super::super::shown_values::*;

    fn shown(value: &str) -> ShownValues {
        let shown = ShownValues::of([("name", value.to_owned()), ("hue", "31".to_owned())]);
        let parsed = ShownValues::parse(&shown.to_string());
        assert_eq!(parsed, shown);
        parsed
    }

    #[test]
    fn only_a_field_that_two_people_changed_differently_is_a_conflict() {
        let form = shown("Harbour");
        for (submitted, stored, expected) in [
            ("Harbour", "Harbour", FieldChange::Unchanged),
            ("Harbour", "Port", FieldChange::Unchanged),
            ("Quay", "Harbour", FieldChange::Changed),
            ("Quay", "Quay", FieldChange::Changed),
            ("Quay", "Port", FieldChange::Conflict),
        ] {
            let change = form.compare("name", submitted, stored);
            assert_eq!(change, expected, "{submitted} {stored}");
        }
    }

    #[test]
    fn a_form_without_digests_changes_every_field() {
        for text in ["", "Harbour", "hue=1 =", "\n"] {
            let change = ShownValues::parse(text).compare("name", "Harbour", "Port");
            assert_eq!(change, FieldChange::Changed, "{text}");
        }
    }

    #[test]
    fn only_a_changed_field_is_stored() {
        let form = shown("Harbour");
        for (field, submitted, changed) in [
            ("name", "Harbour", None),
            ("name", "Quay", Some("Quay")),
            ("bio", "Harbour", Some("Harbour")),
        ] {
            assert_eq!(
                form.changed(field, submitted),
                changed,
                "{field} {submitted}"
            );
        }
    }

    #[test]
    fn the_conflicts_have_the_stored_values() {
        let conflicts = shown("Harbour").conflicts([("name", "Quay", "Port"), ("hue", "31", "5")]);
        assert_eq!(conflicts.stored("name"), Some("Port"));
        assert_eq!(conflicts.stored("hue"), None);
        let none = shown("Harbour").conflicts([("name", "Quay", "Harbour"), ("bio", "a", "b")]);
        assert!(none.is_empty());
    }

    #[test]
    fn a_known_conflict_can_be_overwritten_once() {
        let mut conflicts = FieldConflicts::default();
        conflicts.add("name", "Port".to_owned());
        let form = shown("Harbour").with_conflicts(&conflicts);
        let change = |stored| form.compare("name", "Quay", stored);
        assert_eq!(change("Port"), FieldChange::Changed);
        assert_eq!(change("Dock"), FieldChange::Conflict);
        assert_eq!(form.compare("hue", "31", "5"), FieldChange::Unchanged);
    }
}
