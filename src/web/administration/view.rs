//! The pages of the administration.

use crate::{
    domain::{Login, Power, Role, may},
    store::{AccountRecord, ActRecord},
    web::parts::{moment::Moment, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "administration/overview.html")]
pub struct OverviewPage {
    layout: Layout,
    role: Role,
    changes_site: bool,
    acts: Vec<LoggedLine>,
    pager: Pager,
}

/// An act, as a line of the log.
#[derive(Debug)]
struct LoggedLine {
    at: Moment,
    words: String,
}

impl OverviewPage {
    pub fn new(visit: &Visit, role: Role, before: Option<Cursor>, acts: &Page<ActRecord>) -> Self {
        let line = |act: &ActRecord| LoggedLine {
            at: Moment::new(act.at(), visit.now),
            words: act.words(),
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Administration"),
            changes_site: may(Some(role), Power::ChangeSite),
            role,
            acts: acts.items.iter().map(line).collect(),
            pager: Pager::new(routes::ADMIN, before, acts.next).ending_with("No more entries."),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "administration/people.html")]
pub struct PeoplePage {
    layout: Layout,
    people: Vec<AccountLine>,
    pager: Pager,
}

#[derive(Debug, Template)]
#[template(path = "administration/_account_line.html")]
struct AccountLine {
    login: String,
    profile: String,
    name: String,
    signup: Moment,
    posts: String,
    role: Option<Role>,
    /// The page with the people that the person invited.
    tree: String,
    inviter: Option<Login>,
}

impl askama::filters::HtmlSafe for AccountLine {}

impl AccountLine {
    fn new(visit: &Visit, person: &AccountRecord, inviter: Option<&AccountRecord>) -> Self {
        Self {
            login: person.login.to_string(),
            profile: routes::profile(&person.login),
            name: person.name.clone(),
            signup: Moment::new(person.signup, visit.now),
            posts: count(person.posts),
            role: person.role,
            tree: routes::admin_person(&person.login),
            inviter: inviter.map(|inviter| inviter.login.clone()),
        }
    }
}

impl PeoplePage {
    pub fn new(
        visit: &Visit,
        before: Option<Cursor>,
        people: &Page<AccountRecord>,
        inviters: &[AccountRecord],
    ) -> Self {
        let line = |person: &AccountRecord| {
            let inviter = inviters.iter().find(|one| Some(one.id) == person.inviter);
            AccountLine::new(visit, person, inviter)
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "People"),
            people: people.items.iter().map(line).collect(),
            pager: Pager::new(routes::ADMIN_PEOPLE, before, people.next)
                .ending_with("No more people."),
        }
    }
}

/// The place of a person in the tree of invitations.
#[derive(Debug, Template)]
#[template(path = "administration/person.html")]
pub struct PersonPage {
    layout: Layout,
    login: String,
    /// The inviter of the person, the inviter of that one, and so on.
    above: Vec<Login>,
    people: Vec<AccountLine>,
    pager: Pager,
}

impl PersonPage {
    /// Creates the page with the invited people from `before` on.
    pub fn new(
        visit: &Visit,
        login: &Login,
        above: &[AccountRecord],
        (before, invited): (Option<Cursor>, &Page<AccountRecord>),
    ) -> Self {
        let path = routes::admin_person(login);
        let line = |person: &AccountRecord| AccountLine::new(visit, person, None);
        Self {
            layout: Layout::new(visit, Section::Settings, format!("Invited by @{login}")),
            login: login.to_string(),
            above: above.iter().map(|person| person.login.clone()).collect(),
            people: invited.items.iter().map(line).collect(),
            pager: Pager::new(&path, before, invited.next).ending_with("No more people."),
        }
    }
}
