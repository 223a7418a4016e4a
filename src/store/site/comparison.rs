//! The comparison of a submitted form with the stored site: which fields its sender changed, and which of them someone
//! else changed while the form was open.

use super::{
    SettingsChange, ShieldsChange, SiteChange, TextsChange,
    fields::{self, everybody, group_founders, site_reports},
};
use crate::{
    domain::{Entrance, FieldChange, FieldConflicts, ShownValues, SiteRules, flag},
    store::prelude::*,
};

/// The outcome of a change after the comparison with the values that its form showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteOutcome {
    /// The fields that the sender changed.
    Undisputed(Box<SiteChange>),
    /// Someone else changed these fields too. Nothing is changed.
    Conflicts(FieldConflicts),
}

/// The stored texts of some fields of the site.
pub(super) struct StoredFields {
    texts: Vec<(&'static str, Option<String>)>,
    default_entrance: Entrance,
}

impl StoredFields {
    pub(super) fn text(&self, field: &str) -> Option<&str> {
        let stored = self.texts.iter().find(|(name, _)| *name == field);
        stored.and_then(|(_, text)| text.as_deref())
    }

    /// Returns the value of a field as [`SiteChange::values`] has it. A field without a text has its default.
    fn value(&self, field: &str) -> String {
        let text = self.text(field);
        let or_empty = || text.unwrap_or_default().to_owned();
        match field {
            "name" => fields::name(text).to_owned(),
            "entrance" => text.unwrap_or(self.default_entrance.as_str()).to_owned(),
            "rules" => SiteRules::stored(&or_empty()).lines(),
            "group_founders" => group_founders(fields::are_members_founders(text)).to_owned(),
            "hue" => fields::hue(text).to_string(),
            "everybody" => everybody(fields::are_visitors_included(text)).to_owned(),
            "public_log" | "inviters" => flag(fields::is_on(text)).to_owned(),
            "holds_links" => flag(fields::has_text(text)).to_owned(),
            "site_reports" => site_reports(fields::are_reports_made(text)).to_owned(),
            _ => or_empty(),
        }
    }
}

impl SiteChange {
    /// Leaves out the fields that the sender did not change, or returns those that someone else changed too.
    pub(super) fn compared_with(&self, stored: &StoredFields, shown: &ShownValues) -> SiteOutcome {
        let (mut unchanged, mut conflicts) = (Vec::new(), FieldConflicts::default());
        for (field, submitted) in self.values() {
            let value = stored.value(field);
            match shown.compare(field, &submitted, &value) {
                FieldChange::Changed => {}
                FieldChange::Unchanged => unchanged.push(field),
                FieldChange::Conflict => conflicts.add(field, value),
            }
        }
        match conflicts.is_empty() {
            true => SiteOutcome::Undisputed(Box::new(self.clone().without(&unchanged))),
            false => SiteOutcome::Conflicts(conflicts),
        }
    }

    /// Leaves out fields, by their stored names.
    fn without(self, fields: &[&str]) -> Self {
        let keeps = |field: &str| !fields.contains(&field);
        let (settings, texts, shields) = (self.settings, self.texts, self.shields);
        let settings = SettingsChange {
            name: settings.name.filter(|_| keeps("name")),
            description: settings.description.filter(|_| keeps("description")),
            contact: settings.contact.filter(|_| keeps("contact")),
            rules: settings.rules.filter(|_| keeps("rules")),
            question: settings.question.filter(|_| keeps("question")),
            entrance: settings.entrance.filter(|_| keeps("entrance")),
            lets_members_found_groups: settings
                .lets_members_found_groups
                .filter(|_| keeps("group_founders")),
            hue: settings.hue.filter(|_| keeps("hue")),
            shows_everybody_to_visitors: settings
                .shows_everybody_to_visitors
                .filter(|_| keeps("everybody")),
            has_public_log: settings.has_public_log.filter(|_| keeps("public_log")),
            shows_inviters: settings.shows_inviters.filter(|_| keeps("inviters")),
        };
        let texts = TextsChange {
            about: texts.about.filter(|_| keeps("about")),
            privacy: texts.privacy.filter(|_| keeps("privacy")),
        };
        let shields = ShieldsChange {
            holds_links: shields.holds_links.filter(|_| keeps("holds_links")),
            reports_spam: shields.reports_spam.filter(|_| keeps("site_reports")),
            words: shields.words.filter(|_| keeps("blocked_words")),
            domains: shields.domains.filter(|_| keeps("blocked_domains")),
            addresses: shields.addresses.filter(|_| keeps("blocked_addresses")),
        };
        Self {
            settings,
            texts,
            shields,
        }
    }
}

impl Store {
    /// Returns the digests of stored fields, for a form that shows them. A form reads its values after them: then a
    /// change between both reads is at worst a conflict.
    pub async fn shown_site_values(&self, fields: Vec<&'static str>) -> Result<ShownValues> {
        let stored = self.read_stored_fields(fields).await?;
        let values = stored.texts.iter();
        let values = values.map(|(field, _)| (*field, stored.value(field)));
        Ok(ShownValues::of(values))
    }

    /// Compares a change with the stored fields, without writing it.
    pub async fn compare_site_change(
        &self,
        change: &SiteChange,
        shown: &ShownValues,
    ) -> Result<SiteOutcome> {
        let stored = self.stored_fields(change).await?;
        Ok(change.compared_with(&stored, shown))
    }

    /// Leaves out what the site has already. An entrance that was never chosen counts as another one.
    pub async fn without_unchanged(&self, change: SiteChange) -> Result<SiteChange> {
        let stored = self.stored_fields(&change).await?;
        let is_unchanged = |(field, value): &(&'static str, String)| {
            let is_chosen = *field != "entrance" || stored.text(field).is_some();
            is_chosen && stored.value(field) == *value
        };
        let values = change.values().into_iter().filter(is_unchanged);
        let unchanged: Vec<&str> = values.map(|(field, _)| field).collect();
        Ok(change.without(&unchanged))
    }

    /// Reads the fields of a change.
    pub(super) async fn stored_fields(&self, change: &SiteChange) -> Result<StoredFields> {
        let fields = change.values().into_iter().map(|(field, _)| field);
        self.read_stored_fields(fields.collect()).await
    }

    async fn read_stored_fields(&self, fields: Vec<&'static str>) -> Result<StoredFields> {
        let texts: Vec<Option<String>> = match fields.is_empty() {
            true => Vec::new(),
            false => {
                let read = redis::cmd("HMGET").with((keys::SITE, &fields));
                self.connection.query(read).await?
            }
        };
        Ok(StoredFields {
            texts: fields.into_iter().zip(texts).collect(),
            default_entrance: self.config.default_entrance(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::comparison::*;
    use crate::{domain::Shields, store::SiteDraft};

    fn stored_fields(texts: Vec<(&'static str, Option<String>)>) -> StoredFields {
        let default_entrance = Entrance::Open;
        StoredFields {
            texts,
            default_entrance,
        }
    }

    fn shields_off() -> SiteChange {
        Shields {
            reports_spam: false,
            ..Shields::default()
        }
        .into()
    }

    #[test]
    fn a_change_without_all_of_its_fields_is_empty() {
        for change in [SiteChange::from(draft()), shields_off(), texts()] {
            let names: Vec<&str> = change.values().iter().map(|(field, _)| *field).collect();
            assert!(!names.is_empty());
            for field in &names {
                let left = change.clone().without(&[field]).values().len();
                assert_eq!(left, names.len() - 1, "{field}");
            }
            assert!(change.without(&names).is_empty());
        }
    }

    #[test]
    fn a_stored_change_has_the_values_that_it_was_made_of() {
        for change in [SiteChange::from(draft()), shields_off(), texts()] {
            let none = stored_fields(Vec::new());
            let written = change.written(&none);
            let (triples, []) = written.as_chunks::<3>() else {
                panic!("{written:?}");
            };
            let name_of = |text: &str| {
                let mut names = change.values().into_iter().map(|(field, _)| field);
                names.find(|field| *field == text).expect("a field")
            };
            let stored = triples.iter();
            let stored = stored.map(|[field, _, value]| (name_of(field), Some(value.clone())));
            let stored = stored_fields(stored.collect());
            for (field, value) in change.values() {
                assert_eq!(stored.value(field), value, "{field}");
            }
        }
    }

    fn texts() -> SiteChange {
        TextsChange {
            about: Some(crate::domain::SiteText::parse("We sail.").expect("valid")),
            privacy: Some(crate::domain::SiteText::default()),
        }
        .into()
    }

    fn draft() -> SiteDraft {
        use crate::domain::{Bio, DisplayName, Question, RuleLines};
        SiteDraft {
            name: DisplayName::parse("Harbour").expect("valid"),
            description: Bio::parse("For boats.").expect("valid"),
            contact: Bio::default(),
            rules: RuleLines::parse("Be kind.\nNo ads.").expect("valid"),
            question: Question::default(),
            entrance: Entrance::Closed,
            lets_members_found_groups: false,
            hue: "200".parse().expect("valid"),
            shows_everybody_to_visitors: false,
            has_public_log: true,
            shows_inviters: true,
        }
    }
}
