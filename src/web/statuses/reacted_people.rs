//! The people who favourited or reposted a status.

use askama::Template;

use crate::{
    domain::{Cursor, Page},
    store::{Person, VisibleStatus},
    web::{
        parts::{
            layout::{Layout, section_of},
            pager::Pager,
            visit::Visit,
        },
        people::person_row::PersonRow,
        routes,
    },
};

use super::view::excerpt;

/// The kind of reaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    Favourite,
    Repost,
}

#[derive(Debug, Template)]
#[template(path = "statuses/reacted_people.html")]
pub struct ReactedPeoplePage {
    layout: Layout,
    verb: &'static str,
    author: String,
    permalink: String,
    excerpt: String,
    first: bool,
    people: Vec<PersonRow>,
    pager: Pager,
}

impl ReactedPeoplePage {
    /// Creates the page of people with this reaction to a status that began at `before`.
    #[must_use]
    pub fn new(
        visit: &Visit,
        reaction: Reaction,
        status: &VisibleStatus,
        before: Option<Cursor>,
        page: &Page<Person>,
    ) -> Self {
        let author = status.author();
        let (verb, path) = match reaction {
            Reaction::Favourite => (
                "favourited",
                routes::favourited_by(&author.login, status.id()),
            ),
            Reaction::Repost => ("reposted", routes::reposters(&author.login, status.id())),
        };
        let here = routes::page(&path, before);
        let excerpt = excerpt(status.opening());
        let title = format!("People who {verb} a post by {}: {excerpt}", author.name);
        Self {
            layout: Layout::new(visit, section_of(visit, author.id), title),
            verb,
            author: author.name.clone(),
            permalink: routes::status(&author.login, status.id()),
            excerpt,
            first: before.is_none(),
            people: page
                .items
                .iter()
                .map(|person| PersonRow::new(visit, &here, person))
                .collect(),
            pager: Pager::new(&path, before, page.next).ending_with("No more people."),
        }
    }
}
