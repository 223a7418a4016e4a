//! The fields of a group in its forms: those of a stored group, and the settings and the draft that they become.

use crate::{
    domain::{GroupDescription, GroupName, GroupReaders, GroupRules, GroupSlug, ShownValues, flag},
    store::{Group, GroupDraft, GroupSettings},
    web::http::session::pending_form::GroupFields,
};

impl GroupFields {
    /// Returns the fields of a group, for its settings.
    pub fn of(group: &Group) -> Self {
        let checked = |is_set: bool| is_set.then(|| flag(true).to_owned());
        Self {
            slug: group.slug.to_string(),
            name: group.name.clone(),
            description: group.description.clone(),
            rules: group.rules.clone(),
            kind: group.kind.to_string(),
            readable_by: group.readable_by.to_string(),
            joining: group.joining.to_string(),
            past: group.past.to_string(),
            unlisted: checked(group.is_unlisted),
            replies_closed: checked(group.closes_replies),
            shown: shown_values(group).to_string(),
        }
    }

    /// Returns whether these are settings of this group, and not of an earlier one that had the same address.
    pub fn are_of(&self, group: &Group) -> bool {
        !ShownValues::parse(&self.shown).was_made_with_other_value("group", &group.id.to_string())
    }

    /// Returns the settings. `None` if a field is wrong.
    pub fn settings(&self) -> Option<GroupSettings> {
        Some(GroupSettings {
            name: GroupName::parse(&self.name).ok()?,
            description: GroupDescription::parse(&self.description).ok()?,
            rules: GroupRules::parse(&self.rules).ok()?,
            joining: self.joining.parse().ok()?,
            past: self.past.parse().ok()?,
            is_unlisted: self.unlisted.is_some(),
            closes_replies: self.replies_closed.is_some(),
        })
    }

    /// Returns the new group. `None` if a field is wrong.
    pub fn draft(&self) -> Option<GroupDraft> {
        Some(GroupDraft {
            slug: GroupSlug::parse(&self.slug).ok()?,
            kind: self.kind.parse().ok()?,
            readable_by: self.readable_by.parse().unwrap_or(GroupReaders::Everyone),
            settings: self.settings()?,
        })
    }
}

/// Returns the values that the form shows, and the group that has them: a later group can have the same address.
fn shown_values(group: &Group) -> ShownValues {
    ShownValues::of([
        ("group", group.id.to_string()),
        ("name", group.name.clone()),
        ("description", group.description.clone()),
        ("rules", group.rules.clone()),
        ("joining", group.joining.to_string()),
        ("past", group.past.to_string()),
        ("unlisted", flag(group.is_unlisted).to_owned()),
        ("replies_closed", flag(group.closes_replies).to_owned()),
    ])
}
