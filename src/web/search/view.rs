//! Search results and search tips.

use crate::{
    domain::{LeftOut, PAGE_SIZE, Query},
    store::Person,
    web::{parts::prelude::*, people::person_row::PersonRow, statuses::feed::Feed},
};

#[derive(Debug, Template)]
#[template(path = "search/search.html")]
pub struct SearchPage {
    layout: Layout,
    typed: String,
    /// The search box has the focus, because a link has added to it.
    has_focus: bool,
    /// The part of the query that was ignored.
    left_out: Option<String>,
    /// A date filter that is not a valid date and was searched as text.
    invalid_date: Option<String>,
    people: Vec<PersonRow>,
    feed: Feed,
    result: Found,
    /// Fewer words could find more.
    has_several_words: bool,
}

/// The message about the posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    NotAsked,
    OnlyDates,
    Nothing,
    Posts,
    /// There may be more further back.
    SoFar,
}

impl SearchPage {
    pub fn new(
        visit: &Visit,
        query: &Query,
        before: Option<Cursor>,
        people: &[Person],
        posts: &Page<VisibleStatus>,
    ) -> Self {
        let path = routes::search(query.typed());
        let here = routes::page(&path, before);
        let title = match query.typed() {
            "" => "Search".to_owned(),
            typed => format!("Search for {typed}"),
        };
        let result = Found::of(query, posts);
        let mut feed = Feed::new(visit, "Posts", &path, before, posts);
        if result == Found::SoFar {
            feed.pager.onward = "Continue search";
            feed.nothing_shown = "No posts found so far.";
        }
        Self {
            layout: Layout {
                unlisted: true,
                ..Layout::new(visit, Section::Search, title)
            },
            typed: query.typed().to_owned(),
            has_focus: false,
            left_out: query.left_out().map(left_out),
            invalid_date: query.invalid_date().map(str::to_owned),
            people: PersonRow::all(visit, &here, people),
            feed,
            result,
            has_several_words: query.typed().contains(char::is_whitespace),
        }
    }

    /// Creates the page on which a link has added a text to the query, before a search.
    pub fn unasked(visit: &Visit, query: &Query, added: &str) -> Self {
        let typed = format!("{} {added}", query.typed());
        let nothing = Page {
            items: Vec::new(),
            next: None,
        };
        Self {
            typed: typed.trim_start().to_owned(),
            has_focus: true,
            ..Self::new(visit, &Query::default(), None, &[], &nothing)
        }
    }

    /// Returns the path of the page with an operator added to the search box.
    fn adding(&self, operator: &str) -> String {
        routes::search_with(&self.typed, operator)
    }
}

impl Found {
    fn of(query: &Query, posts: &Page<VisibleStatus>) -> Self {
        match posts.items.len() {
            _ if query.typed().is_empty() => Self::NotAsked,
            _ if query.is_empty() => Self::OnlyDates,
            0 if posts.next.is_none() => Self::Nothing,
            found if found < PAGE_SIZE && posts.next.is_some() => Self::SoFar,
            _ => Self::Posts,
        }
    }
}

fn left_out(what: LeftOut) -> String {
    match what {
        LeftOut::Length => format!(
            "Only the first {} characters were searched.",
            Query::MAX_CHARACTERS
        ),
        LeftOut::Parts => format!(
            "Only the first {} words, phrases, people and tags were searched.",
            Query::MAX_PARTS
        ),
    }
}
