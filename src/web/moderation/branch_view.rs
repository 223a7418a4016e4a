//! The page that offers to freeze the people below a suspended person in the tree of invitations.

use std::collections::BTreeMap;

use super::decision_form::{DecisionDetails, DecisionFields, FREEZE, Parsed};
use crate::{
    domain::{Login, UserId},
    store::AccountRecord,
    web::parts::{moment::Moment, prelude::*},
};

/// People that a page offers to freeze.
pub const SHOWN: usize = 50;

/// The fields of the form as they were typed.
#[derive(Debug, Clone, Default, Hash, serde::Deserialize)]
#[serde(default)]
pub struct BranchFields {
    pub reason: String,
    pub explanation: String,
    pub days: String,
    /// The other fields: one for each chosen person.
    #[serde(flatten)]
    pub others: BTreeMap<String, String>,
}

impl BranchFields {
    /// The prefix of the field of a person, before the id.
    const PERSON: &'static str = "person_";

    pub fn has_chosen(&self, id: UserId) -> bool {
        self.others.contains_key(&format!("{}{id}", Self::PERSON))
    }

    fn chosen(&self) -> impl Iterator<Item = &String> {
        let names = self.others.keys();
        names.filter(|name| name.starts_with(Self::PERSON))
    }

    /// Returns the decision about each chosen person, if the form is valid.
    pub fn parse(&self, visit: &Visit) -> Option<Parsed> {
        let parsed = self.decision().parse(visit)?;
        self.chosen().next().is_some().then_some(parsed)
    }

    fn decision(&self) -> DecisionFields {
        DecisionFields {
            measure: FREEZE.to_owned(),
            reason: self.reason.clone(),
            explanation: self.explanation.clone(),
            days: self.days.clone(),
            ..DecisionFields::default()
        }
    }

    fn is_sent(&self) -> bool {
        !self.reason.is_empty()
    }
}

#[derive(Debug)]
struct PersonChoice {
    field: String,
    login: String,
    name: String,
    joined: Moment,
    posts: String,
    /// The inviter, if it is another person than the suspended one.
    inviter: Option<String>,
    is_chosen: bool,
}

/// The form that freezes people whom a person invited.
#[derive(Debug, Template)]
#[template(path = "moderation/_branch_form.html")]
pub struct BranchForm {
    csrf_token: String,
    action: String,
    errors: ErrorSummary,
    people: Field,
    choices: Vec<PersonChoice>,
    /// The names of the chosen fields, if the people are not shown.
    chosen: Vec<String>,
    details: DecisionDetails,
}

impl askama::filters::HtmlSafe for BranchForm {}

impl BranchForm {
    pub fn new(visit: &Visit, login: &Login, fields: &BranchFields) -> Self {
        let decision = match fields.is_sent() {
            true => fields.decision(),
            false => DecisionFields::default(),
        };
        let hint = "Up to 500 characters. Each person reads it.";
        let details = DecisionDetails::new(visit, &decision, hint);
        let people = match fields.is_sent() && fields.chosen().next().is_none() {
            true => Typed::wrong("", "Choose at least one person."),
            false => Typed::text(""),
        };
        let people = Field::new(Kind::Other, "people", "People", people);
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::freeze_invited(login),
            errors: ErrorSummary::of([&people, &details.reason, &details.explanation]),
            people,
            choices: Vec::new(),
            chosen: fields.chosen().cloned().collect(),
            details,
        }
    }

    /// Shows the people.
    fn with_people(
        mut self,
        visit: &Visit,
        (user, branch): (&User, &OfferedBranch),
        fields: &BranchFields,
    ) -> Self {
        self.chosen.clear();
        let choice = |person: &AccountRecord| PersonChoice {
            field: format!("{}{}", BranchFields::PERSON, person.id),
            login: person.login.to_string(),
            name: person.name.clone(),
            joined: visit.moment(person.signup),
            posts: match person.posts {
                1 => "1 post".to_owned(),
                number => format!("{} posts", count(number)),
            },
            inviter: person
                .inviter
                .filter(|inviter| *inviter != user.id)
                .map(|inviter| branch.login(inviter)),
            is_chosen: fields.has_chosen(person.id),
        };
        self.choices = branch.offered.iter().map(choice).collect();
        self
    }
}

/// The people that a page offers to freeze.
#[derive(Debug)]
pub struct OfferedBranch {
    /// Everyone that was examined, also people who are frozen already.
    pub examined: Vec<AccountRecord>,
    /// At most [`SHOWN`].
    pub offered: Vec<AccountRecord>,
    /// There can be more people.
    pub is_cut: bool,
}

impl OfferedBranch {
    fn login(&self, id: UserId) -> String {
        let person = self.examined.iter().find(|one| one.id == id);
        person.map_or_else(
            || "a person who is gone".to_owned(),
            |person| format!("@{}", person.login),
        )
    }
}

#[derive(Debug, Template)]
#[template(path = "moderation/branch.html")]
pub struct BranchPage {
    layout: Layout,
    login: String,
    case: String,
    is_cut: bool,
    /// `None` without a person to freeze.
    form: Option<BranchForm>,
}

impl BranchPage {
    pub fn new(visit: &Visit, user: &User, branch: &OfferedBranch, fields: &BranchFields) -> Self {
        let login = &user.login;
        let form = BranchForm::new(visit, login, fields);
        let is_wrong = form.errors.has_some();
        let form = form.with_people(visit, (user, branch), fields);
        let title = format!("Freeze people invited by @{login}");
        Self {
            layout: Layout::new(visit, Section::Settings, title).wrong_if(is_wrong),
            login: login.to_string(),
            case: routes::admin_case(login),
            is_cut: branch.is_cut,
            form: Some(form).filter(|form| !form.choices.is_empty()),
        }
    }
}
