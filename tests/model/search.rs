//! Search results, compared with the model.

use std::cmp::Reverse;

use redwing::{
    domain::{Cursor, Page, Query, UserId},
    store::{Viewer, VisibleStatus},
};

use super::{
    game::Game,
    steps::{Place, SearchTerm, TAGS},
    timelines::cursor_at,
};
use crate::support::crowd::read_all;

/// Date used in searches, and its number counted from 0. The last status of the day before and the
/// first of this day exist.
pub const DAY: (&str, u64) = ("2026-02-01", 31);

/// Returns the query for these statuses, by the person with that number or by anyone.
pub fn query(by: Option<usize>, wanted: SearchTerm) -> Query {
    let mut typed = match wanted {
        SearchTerm::Line => "line".to_owned(),
        SearchTerm::Rare => "\"rare line\"".to_owned(),
        SearchTerm::Tag(tag) => format!("#{}", TAGS[tag]),
        SearchTerm::Before => format!("line before:{}", DAY.0),
        SearchTerm::Since => format!("after:{} line", DAY.0),
    };
    if let Some(number) = by {
        typed += &format!(" from:person_{number}");
    }
    Query::parse(&typed)
}

impl Game<'_> {
    /// Compares one page while tasks may be pending.
    pub async fn search(&self, by: Option<usize>, wanted: SearchTerm, from: Place) {
        let query = query(by, wanted);
        let results = self.model.search_results(by.map(|by| self.who[by]), wanted);
        let before = cursor_at(&results, from);
        let page = self.read_search_page(&query, before).await;
        self.compare_ids(query.typed(), &results, before, &page);
    }

    /// Compares all results for one author or for anyone, after all tasks are done.
    pub async fn compare_search(&self, by: Option<UserId>) {
        let number = self.who.iter().position(|who| Some(*who) == by);
        for wanted in SearchTerm::ALL {
            let query = query(number, wanted);
            let found = read_all(async |before| self.read_search_page(&query, before).await).await;
            assert_eq!(
                found,
                self.model.search_results(by, wanted),
                "{}",
                query.typed()
            );
        }
    }

    /// Compares people found by the beginning of their names: the most followed first.
    pub async fn compare_people(&self) {
        let beginnings = Query::parse("perso").beginnings();
        let viewer = Viewer::Member(self.who[0]);
        let found = self.store().people_named(viewer, &beginnings).await;
        let found = found.expect("an answer").into_iter();
        let found: Vec<UserId> = found.map(|person| person.user.id).collect();
        let mut expected = self.who.clone();
        let followers = |of: UserId| {
            let edges = self.model.follows.iter();
            edges.filter(|(_, to)| *to == of).count()
        };
        expected.sort_by_key(|who| (Reverse(followers(*who)), *who));
        assert_eq!(found, expected);
    }

    async fn read_search_page(&self, query: &Query, before: Option<Cursor>) -> Page<VisibleStatus> {
        let page = self.store().search(Viewer::Anonymous, query, before).await;
        page.expect("an answer")
    }
}
