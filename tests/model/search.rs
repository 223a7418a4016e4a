//! What search finds, held against the model.

use redwing::{
    domain::{Cursor, Page, Query, UserId},
    store::{Viewer, VisibleStatus},
};

use super::{game::Game, looks::place, steps::Place};
use crate::support::crowd::read_all;

impl Game<'_> {
    /// One page, while tasks may be under way.
    pub async fn search(&self, by: Option<usize>, rare: bool, from: Place) {
        let by = by.map(|by| self.who[by]);
        let there = self.model.found(by, rare);
        let before = place(&there, from);
        let page = self.found(by, rare, before).await;
        self.compare_ids("what is found", &there, before, &page);
    }

    /// All that is found of somebody's, or of anybody's. All tasks are done.
    pub async fn compare_search(&self, by: Option<UserId>) {
        for rare in [false, true] {
            let found = read_all(async |before| self.found(by, rare, before).await).await;
            assert_eq!(found, self.model.found(by, rare), "found of {by:?}");
        }
    }

    async fn found(
        &self,
        by: Option<UserId>,
        rare: bool,
        before: Option<Cursor>,
    ) -> Page<VisibleStatus> {
        let words = if rare { "\"rare line\"" } else { "line" };
        let author = self.who.iter().position(|who| Some(*who) == by);
        let author = author.map_or(String::new(), |number| format!("from:person_{number}"));
        let query = Query::parse(&format!("{words} {author}"));
        let page = self.store().search(Viewer::Anonymous, &query, before).await;
        page.expect("an answer")
    }
}
