//! The form of a group, to found one and to change its settings.

use super::words;
use crate::{
    domain::{
        FieldConflicts, GroupDescription, GroupKind, GroupName, GroupReaders, GroupRules,
        GroupSlug, IdempotencyKey, Joining, Past, ShownValues,
    },
    store::Group,
    web::{
        http::session::pending_form::GroupFields,
        parts::{field::conflict_error, prelude::*},
    },
};

/// A value to choose, with its label and what it means.
#[derive(Debug)]
struct Choice {
    value: &'static str,
    label: &'static str,
    hint: &'static str,
    is_chosen: bool,
}

/// The texts and settings of a group, in both forms.
#[derive(Debug, Template)]
#[template(path = "groups/_group_fields.html")]
pub struct GroupFieldset {
    name: Field,
    description: Field,
    rules: Field,
    joining: Vec<Choice>,
    joining_error: Option<String>,
    past: Vec<Choice>,
    /// The choices that groups of a kind have. Those of all kinds if the kind is still open.
    has_unlisted: bool,
    has_replies: bool,
    is_unlisted: bool,
    closes_replies: bool,
}

impl askama::filters::HtmlSafe for GroupFieldset {}

impl GroupFieldset {
    fn new(fields: &GroupFields, is_sent: bool, kind: Option<GroupKind>) -> Self {
        const {
            assert!(GroupName::MAX_CHARACTERS == 50, "the hint says so");
            assert!(GroupDescription::MAX_CHARACTERS == 500, "the hint says so");
            assert!(GroupRules::MAX_CHARACTERS == 2000, "the hint says so");
        }
        let checked = |text: &str, error: Option<String>| Typed {
            text: text.to_owned(),
            error: error.filter(|_| is_sent),
        };
        let name = GroupName::parse(&fields.name).err();
        let description = GroupDescription::parse(&fields.description).err();
        let rules = GroupRules::parse(&fields.rules).err();
        let text = |error: Option<crate::domain::TextError>| error.map(|error| error.to_string());
        let name = checked(&fields.name, text(name));
        let description = checked(&fields.description, text(description));
        let rules = checked(&fields.rules, text(rules));
        Self {
            name: Field::new(Kind::Other, "name", "Name", name).with_hint("1 to 50 characters."),
            description: Field::new(
                Kind::Paragraph,
                "description",
                "What the group is about",
                description,
            )
            .with_hint("Optional, up to 500 characters."),
            rules: Field::new(Kind::Paragraph, "rules", "Rules", rules)
                .with_hint("Optional, up to 2000 characters. People see them before they join."),
            joining: joining_choices(fields, kind),
            joining_error: None,
            past: past_choices(fields),
            has_unlisted: kind.is_none_or(|kind| kind == GroupKind::Private),
            has_replies: kind.is_none_or(|kind| kind == GroupKind::Announcement),
            is_unlisted: fields.unlisted.is_some(),
            closes_replies: fields.replies_closed.is_some(),
        }
    }
}

impl GroupFieldset {
    /// Adds the errors of the fields that another device changed too. A choice of two values has no conflict, because
    /// two people who change it agree.
    fn in_conflict(mut self, conflicts: &FieldConflicts) -> Self {
        for field in [&mut self.name, &mut self.description, &mut self.rules] {
            let typed = field.typed.clone();
            field.typed = typed.in_conflict(conflicts.stored(field.name));
        }
        let joining_error = |stored: &str| match stored.parse() {
            Ok(joining) => conflict_error(joining_label(joining)),
            Err(_) => conflict_error(stored),
        };
        self.joining_error = conflicts.stored("joining").map(joining_error);
        self
    }

    fn errors(&self) -> ErrorSummary {
        ErrorSummary::of([&self.name, &self.description, &self.rules]).with(
            "joining",
            "How people join",
            self.joining_error.as_deref(),
        )
    }
}

fn joining_label(joining: Joining) -> &'static str {
    match joining {
        Joining::Open => "Everyone can join",
        Joining::Request => "People ask, and moderators let them in",
        Joining::Invitation => "Moderators invite people",
    }
}

fn joining_choices(fields: &GroupFields, kind: Option<GroupKind>) -> Vec<Choice> {
    let chosen = fields.joining.parse().unwrap_or(Joining::Open);
    let is_offered = |one: &&Joining| kind != Some(GroupKind::Private) || **one != Joining::Open;
    let choice = |one: &Joining| Choice {
        value: one.as_str(),
        label: joining_label(*one),
        hint: "",
        is_chosen: *one == chosen,
    };
    Joining::ALL.iter().filter(is_offered).map(choice).collect()
}

fn past_choices(fields: &GroupFields) -> Vec<Choice> {
    let chosen = fields.past.parse().unwrap_or(Past::Whole);
    let choice = |one: &Past| Choice {
        value: one.as_str(),
        label: match one {
            Past::Whole => "All posts",
            Past::SinceJoining => "Posts since they joined",
        },
        hint: "",
        is_chosen: *one == chosen,
    };
    Past::ALL.iter().map(choice).collect()
}

/// The form that founds a group.
#[derive(Debug, Template)]
#[template(path = "groups/_found_form.html")]
pub struct FoundForm {
    csrf_token: String,
    idempotency_key: IdempotencyKey,
    errors: ErrorSummary,
    slug: Field,
    kinds: Vec<Choice>,
    readers: Vec<Choice>,
    fields: GroupFieldset,
}

impl askama::filters::HtmlSafe for FoundForm {}

impl FoundForm {
    /// Creates an empty form, or one with the fields of a log-in.
    pub fn new(visit: &Visit, key: IdempotencyKey, fields: &GroupFields) -> Self {
        Self::with(visit, key, (fields, false), None)
    }

    /// Creates the form again after it was sent. `slug_error` is the error of a valid address.
    pub fn again(
        visit: &Visit,
        key: IdempotencyKey,
        fields: &GroupFields,
        slug_error: Option<String>,
    ) -> Self {
        Self::with(visit, key, (fields, true), slug_error)
    }

    fn with(
        visit: &Visit,
        key: IdempotencyKey,
        (fields, is_sent): (&GroupFields, bool),
        slug_error: Option<String>,
    ) -> Self {
        const { assert!(GroupSlug::MAX_CHARACTERS == 30, "the hint says so") }
        let parsed = GroupSlug::parse(&fields.slug).err();
        let parsed = parsed.map(|error| error.to_string());
        let slug = Typed {
            text: fields.slug.clone(),
            error: parsed.or(slug_error).filter(|_| is_sent),
        };
        let slug = Field::new(Kind::Other, "slug", "Address", slug).with_hint(
            "3 to 30 letters a to z, digits and hyphens, for the link to the group. It never changes.",
        );
        let set = GroupFieldset::new(fields, is_sent, None);
        Self {
            csrf_token: visit.csrf_token.clone(),
            idempotency_key: key,
            errors: ErrorSummary::of([&set.name, &slug, &set.description, &set.rules]),
            slug,
            kinds: kind_choices(fields),
            readers: reader_choices(fields),
            fields: set,
        }
    }
}

fn kind_choices(fields: &GroupFields) -> Vec<Choice> {
    let chosen = fields.kind.parse().unwrap_or(GroupKind::Public);
    let choice = |one: &GroupKind| {
        let (label, hint) = match one {
            GroupKind::Public => ("Public", "Everyone reads it. Members post."),
            GroupKind::Private => ("Private", "Only members read it and post."),
            GroupKind::Announcement => ("Announcements", "The moderators post."),
        };
        Choice {
            value: one.as_str(),
            label,
            hint,
            is_chosen: *one == chosen,
        }
    };
    GroupKind::ALL.iter().map(choice).collect()
}

fn reader_choices(fields: &GroupFields) -> Vec<Choice> {
    let chosen = fields.readable_by.parse().unwrap_or(GroupReaders::Everyone);
    let choice = |one: &GroupReaders| Choice {
        value: one.as_str(),
        label: match one {
            GroupReaders::Everyone => "Everyone",
            GroupReaders::Members => "Only members",
        },
        hint: "",
        is_chosen: *one == chosen,
    };
    GroupReaders::ALL.iter().map(choice).collect()
}

#[derive(Debug, Template)]
#[template(path = "groups/new.html")]
pub struct NewGroupPage {
    layout: Layout,
    /// Why the member cannot found a group now.
    refusal: Option<String>,
    form: Option<FoundForm>,
}

impl NewGroupPage {
    pub fn new(visit: &Visit, refusal: Option<String>, form: Option<FoundForm>) -> Self {
        let has_errors = |form: &FoundForm| form.errors.has_some();
        Self {
            layout: Layout::new(visit, Section::Groups, "New group")
                .wrong_if(form.as_ref().is_some_and(has_errors)),
            refusal,
            form,
        }
    }
}

/// The form of the settings of a group.
#[derive(Debug, Template)]
#[template(path = "groups/_settings_form.html")]
pub struct SettingsForm {
    csrf_token: String,
    action: String,
    /// The kind of the group, so that a returned form has its choices. Saving ignores it.
    kind: String,
    shown: ShownValues,
    errors: ErrorSummary,
    fields: GroupFieldset,
}

impl askama::filters::HtmlSafe for SettingsForm {}

impl SettingsForm {
    pub fn new(visit: &Visit, slug: &GroupSlug, (fields, is_sent): (&GroupFields, bool)) -> Self {
        let kind = fields.kind.parse().ok();
        let set = GroupFieldset::new(fields, is_sent, kind);
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::group_settings(slug),
            kind: fields.kind.clone(),
            shown: ShownValues::parse(&fields.shown),
            errors: set.errors(),
            fields: set,
        }
    }

    /// Adds the errors of the fields that another device changed too.
    #[must_use]
    pub fn in_conflict(self, conflicts: &FieldConflicts) -> Self {
        let set = self.fields.in_conflict(conflicts);
        Self {
            shown: self.shown.with_conflicts(conflicts),
            errors: set.errors(),
            fields: set,
            ..self
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "groups/settings.html")]
pub struct SettingsPage {
    layout: Layout,
    name: String,
    path: String,
    kind: &'static str,
    delete_path: String,
    form: SettingsForm,
}

impl SettingsPage {
    pub fn new(visit: &Visit, group: &Group, form: SettingsForm) -> Self {
        let title = format!("Settings of {}", group.name);
        Self {
            layout: Layout::new(visit, Section::Groups, title).wrong_if(form.errors.has_some()),
            name: group.name.clone(),
            path: routes::group(&group.slug),
            kind: words::kind(group),
            delete_path: routes::delete_group(&group.slug),
            form,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "groups/delete.html")]
pub struct DeleteGroupPage {
    layout: Layout,
    name: String,
    members: String,
    path: String,
    action: String,
}

impl DeleteGroupPage {
    pub fn new(visit: &Visit, group: &Group) -> Self {
        Self {
            layout: Layout::new(visit, Section::Groups, "Delete this group?"),
            name: group.name.clone(),
            members: words::members(group.members),
            path: routes::group_settings(&group.slug),
            action: routes::delete_group(&group.slug),
        }
    }
}
