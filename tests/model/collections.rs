//! Favourites and bookmarks, on the site and in the model alike.

use std::collections::BTreeSet;

use redwing::{
    actions::{bookmarks, favourites},
    domain::{Collection, NotificationKind, StatusId, UserId},
    store::{PeopleOf, Viewer, VisibleStatus},
};

use super::game::Game;
use crate::support::crowd::{self, read_all};

impl Game<'_> {
    /// Saves a status. For a plain repost, the original is saved.
    pub async fn save(&mut self, by: UserId, nth: usize, collection: Collection) {
        let Some(id) = self.model.nth(nth) else {
            return;
        };
        match collection {
            Collection::Favourites => crowd::favourite(self.store(), by, id).await,
            Collection::Bookmarks => crowd::bookmark(self.store(), by, id).await,
        }
        let id = self.model.shown_status(id);
        let saved = self.model.saved.entry((by, collection)).or_default();
        if !saved.contains(&id) {
            saved.push(id);
            if collection == Collection::Favourites {
                let author = self.model.statuses[&id];
                self.notify(author, by, NotificationKind::Favourite(id));
            }
        }
    }

    pub async fn unsave(&mut self, by: UserId, nth: usize, collection: Collection) {
        let Some(id) = self.model.nth(nth).map(|id| self.model.shown_status(id)) else {
            return;
        };
        let discarded = match collection {
            Collection::Favourites => favourites::unfavourite(self.store(), by, id).await,
            Collection::Bookmarks => bookmarks::unbookmark(self.store(), by, id).await,
        };
        discarded.expect("an answer");
        let saved = self.model.saved.entry((by, collection)).or_default();
        saved.retain(|saved| *saved != id);
        if collection == Collection::Favourites {
            let author = self.model.statuses[&id];
            self.withdraw_notification(author, by, NotificationKind::Favourite(id));
        }
    }

    /// Compares a person's pages of saved statuses.
    pub async fn compare_collections(&self, of: UserId) {
        let store = self.store();
        for collection in Collection::ALL {
            let page = async |before| store.collection_page(of, collection, before).await;
            let saved = read_all(async |before| page(before).await.expect("an answer")).await;
            assert_eq!(
                saved,
                self.model.saved(of, collection),
                "{collection} of {of}"
            );
        }
    }

    /// Compares the saved marks and counts of a status for one reader.
    pub fn compare_saved(&self, reader: UserId, status: &VisibleStatus) {
        let id = status.id();
        let is_saved = |collection| self.model.saved(reader, collection).contains(&id);
        assert_eq!(
            status.favourited_by_viewer(),
            is_saved(Collection::Favourites),
            "{id}"
        );
        assert_eq!(
            status.bookmarked_by_viewer(),
            is_saved(Collection::Bookmarks),
            "{id}"
        );
        let favourited_by = self.model.favourited_by(id).len() as u64;
        assert_eq!(
            status.favourite_count(),
            favourited_by,
            "favourites of {id}"
        );
    }

    /// Compares the list of people who favourited a status.
    pub async fn compare_favourited_by(&self, id: StatusId) {
        let viewer = Viewer::Anonymous;
        let page = self
            .store()
            .people_page(viewer, PeopleOf::Favourites(id), None)
            .await;
        let listed = page.expect("an answer").items;
        let listed: BTreeSet<UserId> = listed.iter().map(|person| person.user.id).collect();
        assert_eq!(
            listed,
            self.model.favourited_by(id),
            "people who favourited {id}"
        );
    }
}
