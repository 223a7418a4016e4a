//! The members of a list, and the reader's lists on a profile.

use askama::Template;

use crate::{
    domain::{Cursor, ListNumber, LocalPath, Login, Page},
    store::{List, ListMembership, Person},
    web::{
        parts::{
            avatar::Avatar,
            field::{ErrorSummary, Field, Kind, Typed},
            layout::{Layout, Section},
            pager::Pager,
            visit::Visit,
        },
        routes,
    },
};

/// The button that adds a person to a list or removes them.
#[derive(Debug, Template)]
#[template(path = "lists/_member_button.html")]
pub(in crate::web) struct MemberButton {
    csrf_token: String,
    action: String,
    login: String,
    /// The page of the button, to return to.
    here: String,
    is_member: bool,
    /// The subject of the button, for screen readers.
    about: String,
}

impl askama::filters::HtmlSafe for MemberButton {}

/// A person on the members page.
#[derive(Debug)]
struct Row {
    name: String,
    login: String,
    profile: String,
    avatar: Avatar,
    button: MemberButton,
}

/// The form that adds a person to a list by login.
#[derive(Debug, Template)]
#[template(path = "lists/_member_form.html")]
pub struct MemberForm {
    csrf_token: String,
    action: String,
    /// The page to return to; without one, the members page.
    next: Option<LocalPath>,
    errors: ErrorSummary,
    login: Field,
}

impl askama::filters::HtmlSafe for MemberForm {}

impl MemberForm {
    /// Creates the form with the typed login, if any.
    #[must_use]
    pub fn new(visit: &Visit, list: ListNumber, next: Option<LocalPath>, typed: Typed) -> Self {
        let login = Field {
            kind: Kind::Other,
            name: "login",
            label: "Add a person by login",
            hint: "You do not have to follow them. They are not notified.",
            typed,
        };
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
    list: String,
    path: String,
    form: MemberForm,
    first: bool,
    people: Vec<Row>,
    pager: Pager,
}

impl MembersPage {
    /// Creates the page of its members that began at `before`.
    #[must_use]
    pub fn new(
        visit: &Visit,
        list: &List,
        before: Option<Cursor>,
        page: &Page<Person>,
        form: MemberForm,
    ) -> Self {
        let path = routes::list_members(list.id.number);
        let here = routes::page(&path, before);
        let row = |person: &Person| Row {
            name: person.user.name.clone(),
            login: person.user.login.to_string(),
            profile: routes::profile(&person.user.login),
            avatar: Avatar::new(&person.user.login, &person.user.name),
            button: MemberButton {
                csrf_token: visit.csrf_token.clone(),
                action: routes::remove_member(list.id.number),
                login: person.user.login.to_string(),
                here: here.clone(),
                is_member: true,
                about: person.user.name.clone(),
            },
        };
        Self {
            layout: Layout::new(visit, Section::Lists, format!("People on {}", list.name))
                .wrong_if(form.errors.has_some()),
            list: list.name.clone(),
            path: routes::list(list.id.number),
            form,
            first: before.is_none(),
            people: page.items.iter().map(row).collect(),
            pager: Pager::new(&path, before, page.next).ending_with("No more people."),
        }
    }
}

/// One of the reader's lists, on a person's profile.
#[derive(Debug)]
struct Choice {
    name: String,
    path: String,
    is_member: bool,
    button: MemberButton,
}

/// The reader's lists on a profile, each with a button for this person.
#[derive(Debug, Template)]
#[template(path = "lists/_add_to_list.html")]
pub(in crate::web) struct AddToList {
    choices: Vec<Choice>,
}

impl askama::filters::HtmlSafe for AddToList {}

impl AddToList {
    /// Creates the buttons of all lists for the person on the page at the path `here`.
    pub(in crate::web) fn new(
        visit: &Visit,
        here: &str,
        login: &Login,
        lists: &[ListMembership],
    ) -> Self {
        let choice = |list_membership: &ListMembership| Choice {
            name: list_membership.name.clone(),
            path: routes::list(list_membership.list.number),
            is_member: list_membership.stands,
            button: MemberButton {
                csrf_token: visit.csrf_token.clone(),
                action: if list_membership.stands {
                    routes::remove_member(list_membership.list.number)
                } else {
                    routes::list_members(list_membership.list.number)
                },
                login: login.to_string(),
                here: here.to_owned(),
                is_member: list_membership.stands,
                about: list_membership.name.clone(),
            },
        };
        Self {
            choices: lists.iter().map(choice).collect(),
        }
    }
}
