//! The pages of the administration.

use crate::{
    domain::Role,
    store::{AccountRecord, ActRecord},
    web::parts::{moment::Moment, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "administration/overview.html")]
pub struct OverviewPage {
    layout: Layout,
    role: Role,
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

#[derive(Debug)]
struct AccountLine {
    login: String,
    profile: String,
    name: String,
    signup: Moment,
    posts: String,
    role: Option<Role>,
}

impl PeoplePage {
    pub fn new(visit: &Visit, before: Option<Cursor>, people: &Page<AccountRecord>) -> Self {
        let line = |person: &AccountRecord| AccountLine {
            login: person.login.to_string(),
            profile: routes::profile(&person.login),
            name: person.name.clone(),
            signup: Moment::new(person.signup, visit.now),
            posts: count(person.posts),
            role: person.role,
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "People"),
            people: people.items.iter().map(line).collect(),
            pager: Pager::new(routes::ADMIN_PEOPLE, before, people.next)
                .ending_with("No more people."),
        }
    }
}
