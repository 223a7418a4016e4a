//! Reads ahead, in the round trip that loads the session. Most pages ask the same about their viewer and then find it in
//! the cache.

use futures_util::try_join;

use super::{muted_texts::MutedTexts, related_ids::RelatedIds, relations_of};
use crate::{
    domain::Collection,
    store::{
        FollowedTags,
        follows::presence::{Among, Present},
        prelude::*,
    },
};

impl Store {
    /// Reads the relations of a viewer, and what the viewer has saved, into the cache. Large sets are left to the
    /// questions of a page, and what these have read stays. One round trip, none without a cache or if all is cached.
    pub(in crate::store) async fn read_ahead(&self, viewer: UserId) -> Result<()> {
        if !self.connection.has_cache() {
            return Ok(());
        }
        let sets = [
            Key::Following(viewer),
            Key::Followers(viewer),
            Key::BlockedBy(viewer),
            Key::collection(viewer, Collection::Favourites),
            Key::collection(viewer, Collection::Bookmarks),
            Key::OwnReposts(viewer),
        ];
        let unknown = |key: &Key| self.cached_value::<Present>(key).is_none();
        let sets: Vec<Among> = sets.into_iter().filter(unknown).map(Among::all).collect();
        let relations = relations_of(viewer);
        let viewer = [viewer];
        let (sets_and_relations, tags) = (
            self.rows_of_three::<Present, RelatedIds, MutedTexts>(&sets, &relations, &viewer),
            self.rows_of::<FollowedTags>(&viewer),
        );
        try_join!(sets_and_relations, tags).map(drop)
    }
}
