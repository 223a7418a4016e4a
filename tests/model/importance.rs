//! "Important" shows the new posts of home, however they are reposted there. Another test covers
//! its order.

use std::collections::BTreeSet;

use redwing::{
    actions::{
        homes::home_page,
        importance::{CANDIDATES, important_page},
    },
    domain::{PAGE_SIZE, StatusId, Timeline, UserId},
    store::{Mark, ReadMode},
};

use super::game::Game;

impl Game<'_> {
    /// Compares it with the new posts of "Latest". Both are read in prefetch mode, which changes no
    /// state.
    pub async fn compare_important(&self, of: UserId) {
        let home = Timeline::Home(of);
        let latest = home_page(self.store(), of, None, ReadMode::Prefetch).await;
        let news = latest
            .expect("an answer")
            .new_posts
            .expect("the home is there");
        let (mark, _) = self.store().mark(home).await.expect("an answer");
        let Mark::Floor(floor) = mark else {
            panic!("{home} was built when it was read: {mark:?}");
        };
        let mut others = self.model.timeline_entries(home);
        others.retain(|id| id.get() >= floor && self.model.statuses[id] != of);
        let new_posts = others.iter().filter(|id| news.is_new(**id)).copied();
        let mut chosen = self.model.without_repeats(new_posts.collect());
        chosen.truncate(CANDIDATES);
        if chosen.is_empty() {
            chosen = self.model.without_repeats(others);
            chosen.truncate(PAGE_SIZE);
        }
        let expected: BTreeSet<StatusId> = chosen
            .iter()
            .map(|id| self.model.shown_status(*id))
            .collect();
        let (mut shown, mut further) = (BTreeSet::new(), None);
        loop {
            let page = important_page(self.store(), of, further, ReadMode::Prefetch).await;
            let page = page.expect("an answer");
            for post in &page.posts {
                let id = post.item.shown().id();
                assert!(shown.insert(id), "{id} appears twice for {of}");
            }
            further = page.next;
            if further.is_none() {
                break;
            }
        }
        assert_eq!(shown, expected, "important posts of {of}");
    }
}
