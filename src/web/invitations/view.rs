//! The page of a member's invitations.

use url::Url;

use crate::{
    domain::Entrance,
    store::{Invitation, Person},
    web::{
        parts::prelude::*,
        people::{people_list::PeopleList, person_row::PersonRow},
    },
};

#[derive(Debug, Template)]
#[template(path = "invitations/invitations.html")]
pub struct InvitationsPage {
    layout: Layout,
    entrance: Entrance,
    invitations: Vec<Unused>,
    list: PeopleList,
}

/// An unused invitation.
#[derive(Debug)]
struct Unused {
    address: String,
    code: String,
    /// The end of the invitation in words.
    end: String,
}

impl InvitationsPage {
    /// Creates the page with the people who came, from `before` on.
    pub fn new(
        visit: &Visit,
        url: &Url,
        (invitations, entrance): (&[Invitation], Entrance),
        (before, people): (Option<Cursor>, &Page<Person>),
    ) -> Self {
        let unused = |invitation: &Invitation| {
            let path = routes::invitation(&invitation.link);
            Unused {
                address: url.join(&path).map_or(path, |address| address.to_string()),
                code: invitation.link.code.to_string(),
                end: visit.moment(invitation.end).full,
            }
        };
        let row = |here: &str, person: &Person| PersonRow::new(visit, here, person);
        Self {
            layout: Layout::new(visit, Section::Settings, "Invitations"),
            entrance,
            invitations: invitations.iter().map(unused).collect(),
            list: PeopleList::new(routes::SETTINGS_INVITATIONS, before, people, row),
        }
    }
}
