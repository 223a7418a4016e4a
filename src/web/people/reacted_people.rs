//! The people who favourited or reposted a status.

use super::{people_list::PeopleList, person_row::PersonRow};
use crate::{
    store::Person,
    web::{parts::prelude::*, statuses::view::excerpt},
};

/// The kind of reaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    Favourite,
    Repost,
}

#[derive(Debug, Template)]
#[template(path = "people/reacted_people.html")]
pub struct ReactedPeoplePage {
    layout: Layout,
    verb: &'static str,
    author: String,
    permalink: String,
    excerpt: String,
    list: PeopleList,
}

impl ReactedPeoplePage {
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
        let row = |here: &str, person: &Person| PersonRow::new(visit, here, person);
        let excerpt = excerpt(status.opening());
        let title = format!("People who {verb} a post by {}: {excerpt}", author.name);
        Self {
            layout: Layout::new(visit, section_of(visit, author.id), title),
            verb,
            author: author.name.clone(),
            permalink: routes::status(&author.login, status.id()),
            excerpt,
            list: PeopleList::new(&path, before, page, row),
        }
    }
}
