//! Who favours a status.

use askama::Template;

use crate::{
    domain::{Cursor, Page},
    store::{Person, VisibleStatus},
    web::routes,
};

use super::{
    Layout, Visit, layout::section_of, pager::Pager, person_row::PersonRow, status_pages::excerpt,
};

#[derive(Debug, Template)]
#[template(path = "statuses/favourers.html")]
pub struct FavourersPage {
    layout: Layout,
    author: String,
    permalink: String,
    excerpt: String,
    first: bool,
    people: Vec<PersonRow>,
    pager: Pager,
}

impl FavourersPage {
    /// The page of those who favour that status that began at `before`.
    #[must_use]
    pub fn new(
        visit: &Visit,
        status: &VisibleStatus,
        before: Option<Cursor>,
        page: &Page<Person>,
    ) -> Self {
        let author = status.author();
        let path = routes::favourers(&author.login, status.id());
        let here = routes::page(&path, before);
        let excerpt = excerpt(status.opening());
        let title = format!("Who favours a post by {}: {excerpt}", author.name);
        Self {
            layout: Layout::new(visit, section_of(visit, author.id), title),
            author: author.name.clone(),
            permalink: routes::status(&author.login, status.id()),
            excerpt,
            first: before.is_none(),
            people: page
                .items
                .iter()
                .map(|person| PersonRow::new(visit, &here, person))
                .collect(),
            pager: Pager::new(&path, before, page.next),
        }
    }
}
