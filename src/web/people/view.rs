//! Followers and followed people.

use super::{counts, people_list::PeopleList, person_row::PersonRow};
use crate::{store::Person, web::parts::prelude::*};

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
    list: PeopleList,
    /// Only followers see these people, and the viewer is none.
    is_hidden: bool,
}

impl PeoplePage {
    /// Creates the page. Without `page` the viewer may not see these people.
    pub fn new(
        visit: &Visit,
        direction: Direction,
        user: &User,
        before: Option<Cursor>,
        page: Option<Page<Person>>,
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
        let is_hidden = page.is_none();
        // The number of the people who are shown, if all of them are on this page.
        let seen = page
            .as_ref()
            .filter(|page| before.is_none() && page.next.is_none());
        let seen = seen.map(|page| page.items.len() as u64);
        let (followers, following) = match direction {
            Direction::Followers => (seen.unwrap_or(user.followers), user.following),
            Direction::Following => (user.followers, seen.unwrap_or(user.following)),
        };
        let page = page.unwrap_or(Page {
            items: Vec::new(),
            next: None,
        });
        let row = |here: &str, person: &Person| PersonRow::new(visit, here, person);
        let layout = Layout::new(visit, section_of(visit, user.id), title.clone())
            .described(format!("{title} on {}.", visit.site.name));
        Self {
            layout,
            direction,
            name: user.name.clone(),
            login: user.login.to_string(),
            profile: routes::profile(&user.login),
            followers_path: routes::followers(&user.login),
            following_path: routes::following(&user.login),
            followers: counts::followers(followers),
            following: count(following),
            is_me: visit.me().is_some_and(|me| me.id == user.id),
            is_hidden,
            list: PeopleList::new(&path, before, &page, row),
        }
    }
}
