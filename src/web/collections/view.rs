//! The pages of a member's favourites and bookmarks.

use crate::{
    domain::Collection,
    web::{parts::prelude::*, statuses::feed::Feed},
};

#[derive(Debug, Template)]
#[template(path = "collections/collection.html")]
pub struct CollectionPage {
    layout: Layout,
    collection: Collection,
    name: &'static str,
    feed: Feed,
    first: bool,
}

impl CollectionPage {
    pub fn new(
        visit: &Visit,
        collection: Collection,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        let (name, path) = match collection {
            Collection::Favourites => ("Your favourites", routes::FAVOURITES),
            Collection::Bookmarks => ("Your bookmarks", routes::BOOKMARKS),
        };
        Self {
            layout: Layout::new(visit, Section::Profile, name),
            collection,
            name,
            feed: Feed::new(visit, name, path, before, page).named_by_heading(),
            first: before.is_none(),
        }
    }
}
