//! The members of a list, and the reader's lists on a profile.

use crate::{
    domain::{ListNumber, LocalPath, Login},
    store::{List, ListMembership, Person},
    web::{
        parts::{button_form::ButtonForm, prelude::*},
        people::{people_list::PeopleList, person_row::PersonRow},
    },
};

/// What a button does: it adds the person with this login to a list, or removes them.
struct MemberButton<'a> {
    list: ListNumber,
    login: &'a Login,
    is_member: bool,
    /// The subject of the button, for screen readers.
    about: &'a str,
}

impl MemberButton<'_> {
    /// Creates the form for the page at the path `here`.
    fn form(&self, visit: &Visit, here: &str) -> ButtonForm {
        let (label, action) = if self.is_member {
            ("Remove", routes::remove_member(self.list))
        } else {
            ("Add", routes::list_members(self.list))
        };
        let label = (label, self.about.to_owned());
        let form = ButtonForm::new(visit, (action, here), "member", label);
        let form = form.with_field("login", self.login.to_string());
        if self.is_member {
            form.secondary()
        } else {
            form
        }
    }
}

/// The form that adds a person to a list by login.
#[derive(Debug, Template)]
#[template(path = "lists/_member_form.html")]
pub struct AddForm {
    csrf_token: String,
    action: String,
    /// The page to return to; without one, the members page.
    next: Option<LocalPath>,
    errors: ErrorSummary,
    login: Field,
}

impl askama::filters::HtmlSafe for AddForm {}

impl AddForm {
    /// Creates the form with the typed login, if any.
    pub fn new(visit: &Visit, list: ListNumber, next: Option<LocalPath>, typed: Typed) -> Self {
        let login = Field::new(Kind::Other, "login", "Add a person by login", typed)
            .with_hint("You do not have to follow them. They are not notified.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::list_members(list),
            next,
            errors: ErrorSummary::of([&login]),
            login,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "lists/members.html")]
pub struct MembersPage {
    layout: Layout,
    name: String,
    path: String,
    form: AddForm,
    list: PeopleList,
}

impl MembersPage {
    pub fn new(
        visit: &Visit,
        list: &List,
        before: Option<Cursor>,
        page: &Page<Person>,
        form: AddForm,
    ) -> Self {
        let row = |here: &str, person: &Person| {
            let button = MemberButton {
                list: list.id.number,
                login: &person.user.login,
                is_member: true,
                about: &person.user.name,
            };
            PersonRow::with_button(visit, person, button.form(visit, here))
        };
        Self {
            layout: Layout::new(visit, Section::Lists, format!("People on {}", list.name))
                .wrong_if(form.errors.has_some()),
            name: list.name.clone(),
            path: routes::list(list.id.number),
            form,
            list: PeopleList::new(&routes::list_members(list.id.number), before, page, row),
        }
    }
}

/// One of the reader's lists, on a person's profile.
#[derive(Debug)]
struct Choice {
    name: String,
    path: String,
    is_member: bool,
    button: ButtonForm,
}

/// The reader's lists on a profile, each with a button for this person.
#[derive(Debug, Template)]
#[template(path = "lists/_add_to_list.html")]
pub struct AddToList {
    choices: Vec<Choice>,
}

impl askama::filters::HtmlSafe for AddToList {}

impl AddToList {
    /// Creates the buttons of all lists for the person on the page at the path `here`.
    pub fn new(visit: &Visit, here: &str, login: &Login, lists: &[ListMembership]) -> Self {
        let choice = |membership: &ListMembership| {
            let button = MemberButton {
                list: membership.list.number,
                login,
                is_member: membership.is_member,
                about: &membership.name,
            };
            Choice {
                name: membership.name.clone(),
                path: routes::list(membership.list.number),
                is_member: membership.is_member,
                button: button.form(visit, here),
            }
        };
        Self {
            choices: lists.iter().map(choice).collect(),
        }
    }
}
