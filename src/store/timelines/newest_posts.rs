//! The newest public posts of the whole site: the timeline of everybody.

use crate::{
    domain::{GroupId, Readers},
    store::{PageInProgress, Rest, prelude::*},
};

script_calls! {
    AddNewestPost = "add_newest_post"(newest; deadline_ms: u64, status_id: u64, limit: usize);
}

/// Maximum number of posts in the timeline.
pub const NEWEST_POSTS_KEPT: usize = 1000;

/// Returns whether a status belongs into the timeline of everybody: a public post outside of groups that is neither a
/// reply nor a repost, within the share of its author.
pub fn is_for_everybody(status: &StatusHeader) -> bool {
    let is_open = status.readers == Readers::Everyone && status.group.is_none();
    status.is_top_level() && is_open && !status.is_over_share
}

impl Store {
    /// Adds a post to the timeline of everybody. One round trip.
    pub async fn add_newest_post(&self, call: &Call, id: StatusId) -> Result<()> {
        let add = AddNewestPost {
            newest: keys::STATUSES_NEWEST.to_owned(),
            deadline_ms: call.deadline(),
            status_id: id.get(),
            limit: NEWEST_POSTS_KEPT,
        };
        self.connection.execute(add.command()).await
    }

    /// Removes a status from the timeline of everybody. One round trip.
    pub async fn remove_newest_post(&self, id: StatusId) -> Result<()> {
        let remove = redis::cmd("ZREM").with((keys::STATUSES_NEWEST, id.get()));
        self.connection.execute(remove).await
    }

    /// Returns one page of the timeline of everybody, newest first, without posts that the viewer mutes. A page is full
    /// unless the posts end.
    pub async fn everybody_page(
        &self,
        viewer: Viewer,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        self.timeline_page_of(viewer, keys::STATUSES_NEWEST, before)
            .await
    }

    /// Returns one page of the timeline of a group, newest first, without posts that the viewer mutes. A page is full
    /// unless the posts end. The caller knows that the viewer may read the group.
    pub async fn group_page(
        &self,
        viewer: Viewer,
        group: GroupId,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        self.timeline_page_of(viewer, &keys::group_timeline(group), before)
            .await
    }

    /// Returns one page of a ZSET of status ids, without posts that the viewer mutes.
    async fn timeline_page_of(
        &self,
        viewer: Viewer,
        key: &str,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let ids = older(key.to_owned(), cursor, wanted);
            let ids = status_ids(self.connection.query::<Vec<u64>>(ids).await?);
            let folding = page.folding();
            let examined = self.visible_on_timelines(viewer, &ids, folding).await?;
            page.add_examined(&ids, examined, Rest::of(ids.len(), wanted));
        }
        Ok(page.finish())
    }

    /// Returns the newest posts that a visitor sees, at most `most`, of the newest `3 × most`. Two round trips.
    pub async fn newest_posts(&self, most: usize) -> Result<Vec<VisibleStatus>> {
        let ids = older(keys::STATUSES_NEWEST.to_owned(), None, 3 * most);
        let ids = status_ids(self.connection.query::<Vec<u64>>(ids).await?);
        let mut visible = self.visible(Viewer::Anonymous, &ids).await?;
        visible.truncate(most);
        Ok(visible)
    }

    /// Returns the oldest id of the timeline of everybody. One round trip.
    pub async fn oldest_newest_post(&self) -> Result<Option<StatusId>> {
        let oldest = redis::cmd("ZRANGE").with((keys::STATUSES_NEWEST, -1, -1));
        let ids = status_ids(self.connection.query::<Vec<u64>>(oldest).await?);
        Ok(ids.first().copied())
    }

    /// Drops the oldest posts beyond the limit. One round trip.
    pub async fn trim_newest_posts(&self) -> Result<()> {
        let limit = NEWEST_POSTS_KEPT;
        let trim = redis::cmd("ZREMRANGEBYRANK").with((keys::STATUSES_NEWEST, limit, -1));
        self.connection.execute(trim).await
    }

    /// Returns one page of a ZSET of status ids.
    pub(in crate::store) async fn page_of(
        &self,
        viewer: Viewer,
        key: &str,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let ids = older(key.to_owned(), cursor, wanted);
            let ids = status_ids(self.connection.query::<Vec<u64>>(ids).await?);
            let visible = self.visible(viewer, &ids).await?;
            page.add(&ids, visible, Rest::of(ids.len(), wanted));
        }
        Ok(page.finish())
    }
}
