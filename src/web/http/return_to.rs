//! The page to return to: `next` in a form's fields or in a query.

use serde::{Deserialize, Deserializer};

use crate::{
    domain::{LocalPath, Login, StatusId},
    web::routes,
};

/// A page of this site to return to, if given.
#[derive(Debug, Default, Deserialize)]
pub struct ReturnTo {
    #[serde(default, deserialize_with = "local")]
    pub next: Option<LocalPath>,
}

impl ReturnTo {
    /// Returns the page that the fields of a form name.
    pub fn of_fields(fields: &[(String, String)]) -> Self {
        let next = fields.iter().find(|(field, _)| field == "next");
        Self {
            next: next.and_then(|(_, path)| LocalPath::parse(path)),
        }
    }

    /// Returns the page to go to, or else this one.
    pub fn page_or<'a>(&'a self, other: &'a str) -> &'a str {
        self.next.as_ref().map_or(other, LocalPath::as_str)
    }

    /// Returns the status at which the page is to be opened, if the path names one.
    pub fn status(&self) -> Option<StatusId> {
        let (_, id) = self.next.as_ref()?.as_str().split_once("#status-")?;
        id.parse().ok()
    }

    /// Returns the page to go to after this person is no longer found: home instead of their own pages.
    pub fn page_without_person(&self, login: &Login) -> &str {
        let profile = routes::profile(login);
        let is_theirs = |path: &str| {
            let page = path.split(['?', '#']).next().unwrap_or(path);
            let rest = page.strip_prefix(&profile);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let page = self.next.as_ref().map(LocalPath::as_str);
        page.filter(|page| !is_theirs(page)).unwrap_or(routes::HOME)
    }

    /// Returns the page to go to after this status is deleted: home instead of the status's own
    /// pages.
    pub fn page_without(&self, id: StatusId) -> &str {
        let about = |path: &str| {
            let page = path.split(['?', '#']).next().unwrap_or(path);
            let mut parts = page.split('/').skip(1);
            let of = parts
                .next()
                .is_some_and(|of| of.starts_with('@') || of == "statuses");
            of && parts.next() == Some(id.to_string().as_str())
        };
        let page = self.next.as_ref().map(LocalPath::as_str);
        page.filter(|page| !about(page)).unwrap_or(routes::HOME)
    }
}

/// Parses a local path. Any other text counts as none.
pub fn local<'de, D: Deserializer<'de>>(from: D) -> Result<Option<LocalPath>, D::Error> {
    String::deserialize(from).map(|text| LocalPath::parse(&text))
}

#[cfg(test)]
mod tests {
    use super::super::return_to::*;

    fn next(query: &str) -> Option<String> {
        let return_to: ReturnTo = serde_urlencoded::from_str(query).unwrap();
        return_to.next.map(|path| path.to_string())
    }

    #[test]
    fn only_a_local_path_is_a_return_path() {
        assert_eq!(next("next=%2F%40ada&x=y").as_deref(), Some("/@ada"));
        for query in [
            "",
            "next=",
            "next=%2F%2Fevil.example",
            "next=https%3A%2F%2Fevil",
        ] {
            assert_eq!(next(query), None, "{query}");
        }
    }

    #[test]
    fn a_return_path_can_name_the_status_to_open_it_at() {
        for (path, id) in [
            ("/?before=7#status-12", StatusId::new(12).ok()),
            ("/#status-x", None),
            ("/#feed", None),
            ("/", None),
        ] {
            let next = LocalPath::parse(path);
            assert_eq!(ReturnTo { next }.status(), id, "{path}");
        }
    }

    #[test]
    fn the_return_path_avoids_pages_of_a_person_who_is_no_longer_found() {
        let login = Login::stored("ada").unwrap();
        for (asked_on, led_to) in [
            ("/", "/"),
            ("/@adam/7", "/@adam/7"),
            ("/@eve/7?after=8", "/@eve/7?after=8"),
            ("/@ada", "/"),
            ("/@ada?before=12", "/"),
            ("/@ada/12#status-12", "/"),
        ] {
            let next = LocalPath::parse(asked_on);
            let return_to = ReturnTo { next };
            assert_eq!(return_to.page_without_person(&login), led_to, "{asked_on}");
        }
    }

    #[test]
    fn the_return_path_avoids_pages_of_a_deleted_status() {
        let id = StatusId::new(12).unwrap();
        for (asked_on, led_to) in [
            ("/@ada?before=12", "/@ada?before=12"),
            ("/lists/12", "/lists/12"),
            ("/@ada/13", "/@ada/13"),
            ("/@ada/12#status-12", "/"),
            ("/@ada/12/favourites", "/"),
            ("/statuses/12/delete", "/"),
        ] {
            let next = LocalPath::parse(asked_on);
            assert_eq!(ReturnTo { next }.page_without(id), led_to, "{asked_on}");
        }
        assert_eq!(ReturnTo::default().page_without(id), "/");
    }
}
