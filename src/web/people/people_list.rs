//! One page of a list of people.

use super::person_row::PersonRow;
use crate::web::parts::prelude::*;

/// The rows and the pager. The template `people/_list_page.html` shows them, and each page of people extends it.
#[derive(Debug)]
pub struct PeopleList {
    pub first: bool,
    pub rows: Vec<PersonRow>,
    pub pager: Pager,
}

impl PeopleList {
    /// Creates the page that began at `before` of the list at `path`. `row` takes the path of the page, to
    /// return to, and a person.
    pub fn new<Person>(
        path: &str,
        before: Option<Cursor>,
        page: &Page<Person>,
        row: impl Fn(&str, &Person) -> PersonRow,
    ) -> Self {
        let here = routes::page(path, before);
        Self {
            first: before.is_none(),
            rows: page.items.iter().map(|person| row(&here, person)).collect(),
            pager: Pager::new(path, before, page.next).ending_with("No more people."),
        }
    }
}
