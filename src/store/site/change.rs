//! Changes of the settings, the pages and the shields of the site. Only the changed fields are written, so two changes of
//! different fields at the same time both stay. `comparison` finds the fields that the sender of a form changed.

use super::{
    SiteDraft, SiteRules,
    comparison::{SiteOutcome, StoredFields},
    fields::{everybody, group_founders, site_reports},
};
use crate::{
    domain::{
        Bio, BlockedAddresses, BlockedDomains, BlockedWords, DisplayName, Entrance, Question,
        RuleLines, Shields, ShownValues, SiteHue, SiteText, flag,
    },
    store::prelude::*,
};

script_calls! {
    ChangeSite = "change_site"(site; deadline_ms: u64, [fields: Vec<String>]);
}

outcomes! {
    enum Outcome {
        Changed = "changed",
        /// Someone changed one of the fields meanwhile.
        OtherFields = "other_fields",
    }
}

/// Fields of the site, with their values if they are changed.
type FieldValues = Vec<(&'static str, Option<String>)>;

/// A change of the site. A field that is `None` stays unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteChange {
    pub settings: SettingsChange,
    pub texts: TextsChange,
    pub shields: ShieldsChange,
}

/// A change of the settings that a form has together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsChange {
    pub name: Option<DisplayName>,
    pub description: Option<Bio>,
    pub contact: Option<Bio>,
    pub rules: Option<RuleLines>,
    pub question: Option<Question>,
    pub entrance: Option<Entrance>,
    pub lets_members_found_groups: Option<bool>,
    pub hue: Option<SiteHue>,
    pub shows_everybody_to_visitors: Option<bool>,
    pub has_public_log: Option<bool>,
    pub shows_inviters: Option<bool>,
}

/// A change of the pages of the owner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextsChange {
    pub about: Option<SiteText>,
    pub privacy: Option<SiteText>,
}

/// A change of the shields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShieldsChange {
    pub holds_links: Option<bool>,
    pub reports_spam: Option<bool>,
    pub words: Option<BlockedWords>,
    pub domains: Option<BlockedDomains>,
    pub addresses: Option<BlockedAddresses>,
}

impl From<SiteDraft> for SiteChange {
    fn from(draft: SiteDraft) -> Self {
        let settings = SettingsChange {
            name: Some(draft.name),
            description: Some(draft.description),
            contact: Some(draft.contact),
            rules: Some(draft.rules),
            question: Some(draft.question),
            entrance: Some(draft.entrance),
            lets_members_found_groups: Some(draft.lets_members_found_groups),
            hue: Some(draft.hue),
            shows_everybody_to_visitors: Some(draft.shows_everybody_to_visitors),
            has_public_log: Some(draft.has_public_log),
            shows_inviters: Some(draft.shows_inviters),
        };
        Self {
            settings,
            ..Self::default()
        }
    }
}

impl From<TextsChange> for SiteChange {
    fn from(texts: TextsChange) -> Self {
        Self {
            texts,
            ..Self::default()
        }
    }
}

impl From<Shields> for SiteChange {
    fn from(shields: Shields) -> Self {
        let shields = ShieldsChange {
            holds_links: Some(shields.holds_links),
            reports_spam: Some(shields.reports_spam),
            words: Some(shields.words),
            domains: Some(shields.domains),
            addresses: Some(shields.addresses),
        };
        Self {
            shields,
            ..Self::default()
        }
    }
}

fn names(values: FieldValues) -> Vec<&'static str> {
    values.into_iter().map(|(field, _)| field).collect()
}

impl SettingsChange {
    /// Returns the names of the stored fields.
    pub fn fields() -> Vec<&'static str> {
        names(Self::default().values())
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn values(&self) -> FieldValues {
        let rules = self.rules.as_ref();
        let rules = rules.map(|lines| SiteRules::default().revised(lines).lines());
        let text = |text: Option<&str>| text.map(str::to_owned);
        vec![
            ("name", text(self.name.as_ref().map(DisplayName::as_str))),
            (
                "description",
                text(self.description.as_ref().map(Bio::as_str)),
            ),
            ("contact", text(self.contact.as_ref().map(Bio::as_str))),
            ("rules", rules),
            (
                "question",
                text(self.question.as_ref().map(Question::as_str)),
            ),
            ("entrance", text(self.entrance.map(Entrance::as_str))),
            (
                "group_founders",
                text(self.lets_members_found_groups.map(group_founders)),
            ),
            ("hue", self.hue.map(|hue| hue.degrees().to_string())),
            (
                "everybody",
                text(self.shows_everybody_to_visitors.map(everybody)),
            ),
            ("public_log", text(self.has_public_log.map(flag))),
            ("inviters", text(self.shows_inviters.map(flag))),
        ]
    }
}

impl TextsChange {
    /// Returns the names of the stored fields.
    pub fn fields() -> Vec<&'static str> {
        names(Self::default().values())
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn values(&self) -> FieldValues {
        let text = |text: &Option<SiteText>| text.as_ref().map(|text| text.as_str().to_owned());
        vec![
            ("about", text(&self.about)),
            ("privacy", text(&self.privacy)),
        ]
    }
}

impl ShieldsChange {
    /// Returns the names of the stored fields.
    pub fn fields() -> Vec<&'static str> {
        names(Self::default().values())
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the shields after the change.
    pub fn applied_to(&self, former: &Shields) -> Shields {
        Shields {
            holds_links: self.holds_links.unwrap_or(former.holds_links),
            reports_spam: self.reports_spam.unwrap_or(former.reports_spam),
            words: self.words.as_ref().unwrap_or(&former.words).clone(),
            domains: self.domains.as_ref().unwrap_or(&former.domains).clone(),
            addresses: self.addresses.as_ref().unwrap_or(&former.addresses).clone(),
        }
    }

    fn values(&self) -> FieldValues {
        let text = |text: Option<&str>| text.map(str::to_owned);
        vec![
            ("holds_links", text(self.holds_links.map(flag))),
            ("site_reports", text(self.reports_spam.map(site_reports))),
            (
                "blocked_words",
                self.words.as_ref().map(|list| list.lines()),
            ),
            (
                "blocked_domains",
                self.domains.as_ref().map(|list| list.lines()),
            ),
            (
                "blocked_addresses",
                self.addresses.as_ref().map(|list| list.lines()),
            ),
        ]
    }
}

impl SiteChange {
    pub fn is_empty(&self) -> bool {
        self.settings.is_empty() && self.texts.is_empty() && self.shields.is_empty()
    }

    /// Returns the names of the changed fields with their values. Those of the rules are lines.
    pub(super) fn values(&self) -> Vec<(&'static str, String)> {
        let settings = self.settings.values().into_iter();
        let values = settings
            .chain(self.texts.values())
            .chain(self.shields.values());
        values
            .filter_map(|(field, value)| Some((field, value?)))
            .collect()
    }

    /// Returns each changed field with its former and its new text, as they are stored.
    pub(super) fn written(&self, stored: &StoredFields) -> Vec<String> {
        let write = |(field, value): (&'static str, String)| {
            let former = stored.text(field).unwrap_or_default().to_owned();
            let rules = self.settings.rules.as_ref().filter(|_| field == "rules");
            let revised = rules.map(|lines| SiteRules::stored(&former).revised(lines).to_json());
            [field.to_owned(), former, revised.unwrap_or(value)]
        };
        self.values().into_iter().flat_map(write).collect()
    }
}

impl Store {
    /// Changes the site, unless someone else changed one of the fields since they were shown. If another change comes
    /// between the comparison and the write, this one starts over. So it never overwrites a value that it does not
    /// know, and no id of a rule is given twice.
    pub async fn change_site(
        &self,
        call: &Call,
        change: &SiteChange,
        shown: &ShownValues,
    ) -> Result<SiteOutcome> {
        loop {
            let stored = self.stored_fields(change).await?;
            let change = match change.compared_with(&stored, shown) {
                SiteOutcome::Undisputed(change) if !change.is_empty() => change,
                outcome => return Ok(outcome),
            };
            let write = ChangeSite {
                site: keys::SITE.to_owned(),
                deadline_ms: call.deadline(),
                fields: change.written(&stored),
            };
            let outcome: Outcome = self.connection.run_durably(&write).await?;
            if outcome == Outcome::Changed {
                self.read_site().await?;
                return Ok(SiteOutcome::Undisputed(change));
            }
        }
    }

    /// Returns the number of rules that a change leaves, if it changes them.
    pub async fn changed_rule_count(&self, change: &SettingsChange) -> Result<Option<usize>> {
        let rules = &self.read_site().await?.rules;
        let revised = change.rules.as_ref().map(|lines| rules.revised(lines));
        let revised = revised.filter(|revised| revised != rules);
        Ok(revised.map(|rules| rules.as_slice().len()))
    }
}
