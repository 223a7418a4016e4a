//! The page of the set-up, and the page of the settings of the site.

use crate::{
    domain::{Entrance, FieldConflicts, IdempotencyKey, ShownValues, SiteHue},
    store::SiteProfile,
    web::{
        accounts::view::{SignUp as AccountTyped, account_fields},
        parts::{field::conflict_error, prelude::*},
    },
};

/// The settings as they were typed.
#[derive(Debug)]
pub struct SiteTyped {
    pub name: Typed,
    pub description: Typed,
    pub contact: Typed,
    pub rules: Typed,
    pub question: Typed,
    pub entrance: Entrance,
    pub entrance_error: Option<String>,
    pub lets_members_found_groups: bool,
    pub hue: SiteHue,
    pub hue_error: Option<String>,
    pub shows_everybody_to_visitors: bool,
    pub has_public_log: bool,
    pub shows_inviters: bool,
    /// The values with which the form was made.
    pub shown: ShownValues,
}

impl SiteTyped {
    /// Returns the settings of the site. The entrance is the default if no one has chosen one.
    pub fn of(site: &SiteProfile, entrance: Entrance) -> Self {
        Self {
            name: Typed::text(&site.name),
            description: Typed::text(&site.description),
            contact: Typed::text(&site.contact),
            rules: Typed::text(site.rule_lines()),
            question: Typed::text(site.own_question()),
            entrance,
            lets_members_found_groups: site.lets_members_found_groups,
            hue: site.hue,
            shows_everybody_to_visitors: site.shows_everybody_to_visitors,
            has_public_log: site.has_public_log,
            shows_inviters: site.shows_inviters,
            ..Self::default()
        }
    }

    /// Adds the errors of the fields that someone else changed too. A box has only two values, so two people who
    /// change it agree.
    #[must_use]
    pub fn in_conflict(self, conflicts: &FieldConflicts) -> Self {
        let entrance_error = |stored: &str| match stored.parse() {
            Ok(entrance) => conflict_error(label(entrance)),
            Err(_) => conflict_error(stored),
        };
        Self {
            name: self.name.in_conflict(conflicts.stored("name")),
            description: self
                .description
                .in_conflict(conflicts.stored("description")),
            contact: self.contact.in_conflict(conflicts.stored("contact")),
            rules: self.rules.in_conflict(conflicts.stored("rules")),
            question: self.question.in_conflict(conflicts.stored("question")),
            entrance_error: conflicts.stored("entrance").map(entrance_error),
            hue_error: conflicts.stored("hue").map(conflict_error),
            shown: self.shown.with_conflicts(conflicts),
            ..self
        }
    }
}

impl Default for SiteTyped {
    fn default() -> Self {
        Self {
            name: Typed::default(),
            description: Typed::default(),
            contact: Typed::default(),
            rules: Typed::default(),
            question: Typed::default(),
            entrance: Entrance::Invitation,
            entrance_error: None,
            lets_members_found_groups: true,
            hue: SiteHue::DEFAULT,
            hue_error: None,
            shows_everybody_to_visitors: true,
            has_public_log: false,
            shows_inviters: false,
            shown: ShownValues::default(),
        }
    }
}

const ENTRANCE: &str = "Who can sign up";
const HUE: &str = "Colour";

/// An entrance to choose.
#[derive(Debug)]
struct Choice {
    entrance: Entrance,
    label: &'static str,
    is_chosen: bool,
}

/// The fields of the settings of the site.
#[derive(Debug, Template)]
#[template(path = "set_up/_site_fields.html")]
pub struct SiteFields {
    name: Field,
    description: Field,
    contact: Field,
    rules: Field,
    choices: [Choice; 4],
    entrance_error: Option<String>,
    question: Field,
    /// The setting of the host, which the owner cannot change.
    pinned: Option<Entrance>,
    lets_members_found_groups: bool,
    hue: SiteHue,
    hue_error: Option<String>,
    shows_everybody_to_visitors: bool,
    has_public_log: bool,
    shows_inviters: bool,
}

impl askama::filters::HtmlSafe for SiteFields {}

impl SiteFields {
    fn new(typed: SiteTyped, pinned: Option<Entrance>) -> Self {
        let name = Field::new(Kind::Other, "site_name", "Name of the site", typed.name)
            .with_hint("1 to 50 characters. It is at the top of every page.");
        let description = Field::new(
            Kind::Paragraph,
            "description",
            "About the site",
            typed.description,
        )
        .with_hint("Optional, up to 200 characters. Visitors read it first.");
        let contact = Field::new(Kind::Optional, "contact", "Contact", typed.contact).with_hint(
            "Optional, up to 200 characters of Markdown: how people reach you, also without an account.",
        );
        let rules = Field::new(Kind::Paragraph, "rules", "Rules", typed.rules).with_hint(
            "Optional. One rule on each line, at most 20, each up to 200 characters of Markdown. New \
             members read them before they sign up.",
        );
        let question = Field::new(
            Kind::Optional,
            "question",
            "Question to people who ask to join",
            typed.question,
        )
        .with_hint(
            "For the choice that people ask to join. Up to 200 characters. Without one, the form asks: \
             Why would you like to join?",
        );
        let choice = |entrance| Choice {
            entrance,
            label: label(entrance),
            is_chosen: entrance == typed.entrance,
        };
        Self {
            name,
            description,
            contact,
            rules,
            choices: Entrance::ALL.map(choice),
            entrance_error: typed.entrance_error,
            question,
            pinned,
            lets_members_found_groups: typed.lets_members_found_groups,
            hue: typed.hue,
            hue_error: typed.hue_error,
            shows_everybody_to_visitors: typed.shows_everybody_to_visitors,
            has_public_log: typed.has_public_log,
            shows_inviters: typed.shows_inviters,
        }
    }

    /// Returns the fields that can be wrong.
    fn fields(&self) -> [&Field; 5] {
        let Self {
            name,
            description,
            contact,
            rules,
            question,
            ..
        } = self;
        [name, description, contact, rules, question]
    }
}

fn label(entrance: Entrance) -> &'static str {
    match entrance {
        Entrance::Open => "Everybody can sign up",
        Entrance::Approval => "People ask, and you let them in",
        Entrance::Invitation => "People with an invitation can sign up",
        Entrance::Closed => "No one can sign up",
    }
}

#[derive(Debug, Template)]
#[template(path = "set_up/_set_up_form.html")]
pub struct SetUpForm {
    csrf_token: String,
    path: String,
    idempotency_key: IdempotencyKey,
    errors: ErrorSummary,
    account: [Field; 3],
    site: SiteFields,
}

impl askama::filters::HtmlSafe for SetUpForm {}

impl SetUpForm {
    pub fn new(visit: &Visit, token: &str, account: AccountTyped, site: SiteTyped) -> Self {
        let key = account.idempotency_key.clone();
        let account = account_fields(account);
        let site = SiteFields::new(site, None);
        let fields = account.iter().chain(site.fields());
        Self {
            csrf_token: visit.csrf_token.clone(),
            path: routes::set_up(token),
            idempotency_key: key.unwrap_or_else(IdempotencyKey::draw),
            errors: ErrorSummary::of(fields),
            account,
            site,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "set_up/set_up.html")]
pub struct SetUpPage {
    layout: Layout,
    form: SetUpForm,
}

impl SetUpPage {
    pub fn new(visit: &Visit, form: SetUpForm) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "Set up your site")
            .wrong_if(form.errors.has_some());
        Self {
            layout: Layout {
                unlisted: true,
                ..layout
            },
            form,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "set_up/_site_form.html")]
pub struct SiteForm {
    csrf_token: String,
    shown: ShownValues,
    errors: ErrorSummary,
    site: SiteFields,
}

impl askama::filters::HtmlSafe for SiteForm {}

impl SiteForm {
    pub fn new(visit: &Visit, typed: SiteTyped, pinned: Option<Entrance>) -> Self {
        let shown = typed.shown.clone();
        let site = SiteFields::new(typed, pinned);
        let errors = ErrorSummary::of(site.fields())
            .with("entrance", ENTRANCE, site.entrance_error.as_deref())
            .with("hue", HUE, site.hue_error.as_deref());
        Self {
            csrf_token: visit.csrf_token.clone(),
            shown,
            errors,
            site,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "set_up/site.html")]
pub struct SitePage {
    layout: Layout,
    form: SiteForm,
}

impl SitePage {
    pub fn new(visit: &Visit, form: SiteForm) -> Self {
        let layout = Layout::new(visit, Section::Settings, "Name, rules and entrance")
            .wrong_if(form.errors.has_some());
        Self { layout, form }
    }
}
