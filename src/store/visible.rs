//! The one function by which a status reaches a page: filtered for its viewer, with its author and
//! what the viewer did about it. And the pages that are nothing but that.

use std::sync::Arc;

use futures_util::try_join;

use super::{
    PageInProgress, Result, Store, User, Viewer, VisibleStatus, cache::Name, presence::Present,
    status_row::StatusRow,
};
use crate::domain::{Collection, Cursor, Page, StatusId, UserId};

impl Store {
    /// The living among these statuses that the viewer may see, in the given order: the only way
    /// for a status to reach a page. Two trips: statuses and which of them the viewer keeps, then
    /// their authors and how the viewer voted in their polls; and none where all were read lately. As it was at this connection's last trip,
    /// or later: whoever calls has made one.
    pub async fn visible(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Vec<VisibleStatus>> {
        let (rows, favoured, bookmarked) = try_join!(
            self.rows_of::<StatusRow>(ids),
            self.kept_among(viewer, Collection::Favourites, ids),
            self.kept_among(viewer, Collection::Bookmarks, ids)
        )?;
        let living = || {
            let rows = ids.iter().zip(&rows).enumerate();
            rows.filter_map(|(at, (id, row))| Some((at, *id, row.as_ref()?)))
        };
        let mut authors: Vec<UserId> = living().map(|(.., row)| row.author).collect();
        authors.sort_unstable();
        authors.dedup();
        let polls = || living().filter(|(.., row)| row.poll.is_some());
        let (users, mut ballots) = try_join!(
            self.rows_of::<User>(&authors),
            self.ballots_in(viewer, polls().map(|(_, id, _)| id))
        )?;
        let mut ballots = ballots.drain(..);
        let visible = living().filter_map(|(at, id, row)| {
            let ballot = row.poll.as_ref().and_then(|_| ballots.next().flatten());
            let author = users[authors.binary_search(&row.author).ok()?].clone()?;
            Some(VisibleStatus {
                id,
                author,
                row: Arc::clone(row),
                own: viewer.id() == Some(row.author),
                favoured: favoured.stands(at),
                bookmarked: bookmarked.stands(at),
                ballot,
            })
        });
        Ok(visible.collect())
    }

    /// Which of these the viewer keeps; a visitor keeps nothing.
    async fn kept_among(
        &self,
        viewer: Viewer,
        collection: Collection,
        ids: &[StatusId],
    ) -> Result<Arc<Present>> {
        let Some(member) = viewer.id().filter(|_| !ids.is_empty()) else {
            return Ok(Arc::default());
        };
        let ids = ids.iter().map(|id| id.get()).collect();
        self.present(Name::Collection(member, collection), ids)
            .await
    }

    /// One status, if it lives and the viewer may see it.
    pub async fn status(&self, viewer: Viewer, id: StatusId) -> Result<Option<VisibleStatus>> {
        Ok(self.visible(viewer, &[id]).await?.pop())
    }

    /// A profile timeline, newest first: listing 8.3 of the book with `profile:`. Filters before
    /// it counts, so that a page is full unless the timeline ends, and continues from an exclusive
    /// cursor where the book takes an offset.
    pub async fn profile_page(
        &self,
        viewer: Viewer,
        of: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let ids = self.profile_ids(of, cursor, wanted).await?;
            let visible = self.visible(viewer, &ids).await?;
            page.add(&ids, visible, ids.len() < wanted);
        }
        Ok(page.finish())
    }
}
