//! Followers and followed people.

use askama::Template;

use crate::{
    domain::{Cursor, Page},
    store::{Person, User},
    web::{
        parts::{
            count,
            layout::{Layout, section_of},
            pager::Pager,
            visit::Visit,
        },
        routes,
    },
};

use super::{counts, person_row::PersonRow};

/// Which side of the follow graph a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Followers,
    Following,
}

#[derive(Debug, Template)]
#[template(path = "people/people.html")]
pub struct PeoplePage {
    layout: Layout,
    direction: Direction,
    name: String,
    login: String,
    profile: String,
    followers_path: String,
    following_path: String,
    followers: String,
    following: String,
    is_me: bool,
    first: bool,
    people: Vec<PersonRow>,
    pager: Pager,
}

impl PeoplePage {
    /// Creates the page of `user`'s followers or followed people that began at `before`.
    #[must_use]
    pub fn new(
        visit: &Visit,
        direction: Direction,
        user: &User,
        before: Option<Cursor>,
        page: &Page<Person>,
    ) -> Self {
        let (path, title) = match direction {
            Direction::Followers => (
                routes::followers(&user.login),
                format!("People who follow {}", user.name),
            ),
            Direction::Following => (
                routes::following(&user.login),
                format!("People {} follows", user.name),
            ),
        };
        let here = routes::page(&path, before);
        let layout = Layout::new(visit, section_of(visit, user.id), title.clone())
            .described(format!("{title} on Redwing."));
        Self {
            layout,
            direction,
            name: user.name.clone(),
            login: user.login.to_string(),
            profile: routes::profile(&user.login),
            followers_path: routes::followers(&user.login),
            following_path: routes::following(&user.login),
            followers: counts::followers(user.followers),
            following: count(user.following),
            is_me: visit.me().is_some_and(|me| me.id == user.id),
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
