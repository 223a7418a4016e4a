//! The pages of the people of a group, and its log.

use std::collections::HashMap;

use super::words;
use crate::{
    domain::{GroupPower, GroupRole, GroupSlug, UserId},
    store::{Group, GroupActRecord, Person, SeenGroup},
    web::{
        parts::{button_form::ButtonForm, moment::Moment, prelude::*},
        people::{people_list::PeopleList, person_row::PersonRow},
        privacy::requests::AnswerForm,
    },
};

#[derive(Debug, Template)]
#[template(path = "groups/members.html")]
pub struct MembersPage {
    layout: Layout,
    name: String,
    path: String,
    members: String,
    list: PeopleList,
}

impl MembersPage {
    pub fn new(
        visit: &Visit,
        seen: &SeenGroup,
        roles: &HashMap<UserId, GroupRole>,
        (before, page): (Option<Cursor>, &Page<Person>),
    ) -> Self {
        let group = &seen.group;
        let is_managed = seen.may(GroupPower::Moderate);
        let row = |here: &str, person: &Person| {
            let user = &person.user;
            let row = match is_managed && !person.relation.is_self {
                true => {
                    let path = routes::group_person(&group.slug, &user.login);
                    PersonRow::with_link(visit, person, (path, "Manage", user.name.clone()))
                }
                false => PersonRow::new(visit, here, person),
            };
            match roles.get(&user.id).copied().and_then(words::role) {
                Some(role) => row.remarking(role.to_owned()),
                None => row,
            }
        };
        let path = routes::group_members(&group.slug);
        Self {
            layout: Layout {
                unlisted: true,
                ..Layout::new(visit, Section::Groups, format!("Members of {}", group.name))
            },
            name: group.name.clone(),
            path: routes::group(&group.slug),
            members: words::members(group.members),
            list: PeopleList::new(&path, before, page, row),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "groups/requests.html")]
pub struct RequestsPage {
    layout: Layout,
    name: String,
    path: String,
    list: PeopleList,
}

impl RequestsPage {
    pub fn new(
        visit: &Visit,
        group: &Group,
        (before, page): (Option<Cursor>, &Page<Person>),
    ) -> Self {
        let path = routes::group_requests(&group.slug);
        let row = |here: &str, person: &Person| {
            let form = AnswerForm::to_group(visit, (path.clone(), here), &person.user);
            PersonRow::with_answers(visit, person, form)
        };
        let title = format!("Requests to join {}", group.name);
        Self {
            layout: Layout::new(visit, Section::Groups, title),
            name: group.name.clone(),
            path: routes::group(&group.slug),
            list: PeopleList::new(&path, before, page, row),
        }
    }
}

/// The form that invites a person by login.
#[derive(Debug, Template)]
#[template(path = "groups/_invite_form.html")]
pub struct InviteForm {
    csrf_token: String,
    action: String,
    errors: ErrorSummary,
    login: Field,
}

impl askama::filters::HtmlSafe for InviteForm {}

impl InviteForm {
    pub fn new(visit: &Visit, slug: &GroupSlug, typed: Typed) -> Self {
        let login = Field::new(Kind::Other, "login", "Invite a person by login", typed)
            .with_hint("They are notified, and become a member when they accept.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::group_invitations(slug),
            errors: ErrorSummary::of([&login]),
            login,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "groups/invitations.html")]
pub struct InvitationsPage {
    layout: Layout,
    name: String,
    path: String,
    form: InviteForm,
    list: PeopleList,
}

impl InvitationsPage {
    pub fn new(
        visit: &Visit,
        group: &Group,
        (before, page): (Option<Cursor>, &Page<Person>),
        form: InviteForm,
    ) -> Self {
        let row = |here: &str, person: &Person| {
            let path = (routes::withdraw_group_invitation(&group.slug), here);
            let button = person_button(visit, path, "Withdraw", person);
            PersonRow::with_button(visit, person, button)
        };
        let path = routes::group_invitations(&group.slug);
        let title = format!("Invitations to {}", group.name);
        Self {
            layout: Layout::new(visit, Section::Groups, title).wrong_if(form.errors.has_some()),
            name: group.name.clone(),
            path: routes::group(&group.slug),
            form,
            list: PeopleList::new(&path, before, page, row),
        }
    }
}

/// Creates the button of a row that names the person by their id.
fn person_button(
    visit: &Visit,
    path: (String, &str),
    label: &'static str,
    person: &Person,
) -> ButtonForm {
    let label = (label, person.user.name.clone());
    ButtonForm::new(visit, path, "group-person", label)
        .with_field("person", person.user.id.to_string())
        .secondary()
}

#[derive(Debug, Template)]
#[template(path = "groups/bans.html")]
pub struct BansPage {
    layout: Layout,
    name: String,
    path: String,
    list: PeopleList,
}

impl BansPage {
    pub fn new(
        visit: &Visit,
        group: &Group,
        (before, page): (Option<Cursor>, &Page<Person>),
    ) -> Self {
        let path = routes::group_bans(&group.slug);
        let row = |here: &str, person: &Person| {
            let action = routes::unban_from_group(&group.slug);
            let button = person_button(visit, (action, here), "End the ban", person);
            PersonRow::with_button(visit, person, button)
        };
        let title = format!("People banned from {}", group.name);
        Self {
            layout: Layout::new(visit, Section::Groups, title),
            name: group.name.clone(),
            path: routes::group(&group.slug),
            list: PeopleList::new(&path, before, page, row),
        }
    }
}

#[derive(Debug)]
struct Entry {
    words: String,
    note: String,
    at: Moment,
}

#[derive(Debug, Template)]
#[template(path = "groups/log.html")]
pub struct LogPage {
    layout: Layout,
    name: String,
    path: String,
    entries: Vec<Entry>,
    pager: Pager,
}

impl LogPage {
    pub fn new(
        visit: &Visit,
        group: &Group,
        (before, page): (Option<Cursor>, &Page<GroupActRecord>),
    ) -> Self {
        let entry = |record: &GroupActRecord| {
            let act = &record.logged.act;
            let words = words::act(visit, &record.logged, &record.person);
            Entry {
                words: format!("{} {words}", record.by),
                note: act.note().to_owned(),
                at: visit.moment(record.at()),
            }
        };
        let path = routes::group_log(&group.slug);
        Self {
            layout: Layout::new(visit, Section::Groups, format!("Log of {}", group.name)),
            name: group.name.clone(),
            path: routes::group(&group.slug),
            entries: page.items.iter().map(entry).collect(),
            pager: Pager::new(&path, before, page.next).ending_with("No more entries."),
        }
    }
}
