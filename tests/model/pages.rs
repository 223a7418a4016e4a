//! The first page of every view over HTTP, compared with the model after all work is done.

use redwing::{
    domain::{Collection, PAGE_SIZE, StatusId, Timeline},
    web::routes,
};

use super::{
    game::Game,
    search::query,
    steps::{SearchTerm, TAGS},
};
use crate::{notifications, support::crowd::tag_named};

impl Game<'_> {
    /// Compares the content of each page that the reader opens, in order.
    pub async fn compare_pages(&self) {
        let (me, other) = (self.who[0], self.who[1]);
        let model = &self.model;
        let mut pages = vec![
            ("/".to_owned(), model.timeline(Timeline::Home(me))),
            ("/mentions".to_owned(), model.mentions(me)),
            ("/@person_1".to_owned(), model.posts(other)),
            ("/@person_1/replies".to_owned(), model.profile(other)),
        ];
        for collection in Collection::ALL {
            pages.push((format!("/{collection}"), model.saved(me, collection)));
        }
        for list in &self.lists[0] {
            let path = routes::list(list.number);
            pages.push((path, model.timeline(Timeline::List(*list))));
        }
        for (number, tag) in TAGS.into_iter().enumerate() {
            pages.push((routes::tag(&tag_named(tag)), model.tagged(number)));
        }
        for wanted in SearchTerm::ALL {
            let query = query(None, wanted);
            pages.push((
                routes::search(query.typed()),
                model.search_results(None, wanted),
            ));
        }
        for (path, mut expected) in pages {
            expected.truncate(PAGE_SIZE);
            assert_eq!(self.ids_on(&path).await, expected, "{path}");
        }
        self.compare_page_of_important().await;
        self.compare_page_of_conversation().await;
        self.compare_notifications_page().await;
    }

    async fn ids_on(&self, path: &str) -> Vec<StatusId> {
        let page = self.reader.open(path).await;
        let ids = page.status_ids().into_iter();
        ids.map(|id| StatusId::new(id).expect("an id")).collect()
    }

    /// Checks that each of them is on home once.
    async fn compare_page_of_important(&self) {
        let home = self.model.timeline_entries(Timeline::Home(self.who[0]));
        let shown = self.ids_on("/important").await;
        assert!(shown.iter().all(|id| home.contains(id)), "{shown:?}");
        let once = self.model.without_repeats(shown.clone());
        assert_eq!(once.len(), shown.len(), "each once");
    }

    async fn compare_page_of_conversation(&self) {
        let living = self.model.texts.keys();
        let Some(id) = living.max_by_key(|id| self.model.reply_count(**id)) else {
            return;
        };
        let shown = self.ids_on(&routes::status_by_id(*id)).await;
        assert_eq!(shown, self.conversation_ids(*id), "conversation of {id}");
    }

    /// Compares the number beside the link with the lines. Afterwards all of them are read.
    async fn compare_notifications_page(&self) {
        let me = self.who[0];
        let badge = notifications::unread(&self.reader.open("/settings").await);
        let expected = match self.unread(me) {
            0 => None,
            few @ 1..=99 => Some(few.to_string()),
            _ => Some("99+".to_owned()),
        };
        assert_eq!(badge, expected, "beside the link");
        let page = self.reader.open("/notifications").await;
        let lines = self.notification_line_count(me).min(PAGE_SIZE);
        assert_eq!(notifications::lines(&page).len(), lines);
        assert_eq!(
            notifications::unread(&page),
            None,
            "opening the page marks all as read"
        );
    }
}
