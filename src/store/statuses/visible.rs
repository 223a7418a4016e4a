//! The only function by which a status reaches a page: filtered for its viewer, with its author, its
//! original and the viewer's marks. Also the pages that consist of such statuses alone.

use std::sync::Arc;

use foldhash::fast::RandomState;
use futures_util::try_join;

use super::status_row::StatusRow;
use crate::{
    domain::{Collection, Cursor, IdMap, Page, ProfileView, StatusId, StatusRef, UserId},
    store::{
        Key, PageInProgress, ReplyTo, Rest, Result, Store, User, Viewer, VisibleStatus,
        follows::presence::Present, model::ViewerMarks,
    },
};

impl Store {
    /// Returns the living statuses among these that the viewer may see, in the given order. No other
    /// function lets a status reach a page. A repost lives as long as its original.
    ///
    /// Takes two round trips. The first reads the statuses. The second reads their originals, the
    /// replied-to statuses, all authors and the viewer's marks. A third follows for a poll or for a
    /// repost of a quote, a fourth for a repost of a quote of a quote. None is needed if everything is
    /// cached.
    ///
    /// The result is at least as new as the last round trip of this connection, so every caller makes
    /// one first.
    pub async fn visible(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Vec<VisibleStatus>> {
        let mut gathered = Gathered::new(viewer, ids.len());
        let rows = self.rows_of::<StatusRow>(ids).await?;
        gathered.add_rows(ids, rows);
        gathered.looks_on_from = ids.to_vec();
        let mut acted_on: Vec<StatusId> = Vec::with_capacity(ids.len());
        acted_on.extend(ids.iter().filter_map(|id| gathered.acted_on(*id)));
        let polls = gathered.polls_among(ids);
        let (favourited, bookmarked, reposted, mut ballots, ()) = try_join!(
            self.kept_among(viewer, Collection::Favourites, &acted_on),
            self.kept_among(viewer, Collection::Bookmarks, &acted_on),
            self.reposted_among(viewer, &acted_on),
            self.ballots_in(viewer, polls.into_iter()),
            self.join_round(&mut gathered)
        )?;
        if !gathered.is_alone() {
            let mut polls = gathered.polls_among(&acted_on);
            polls.retain(|id| !ids.contains(id));
            let (of_reposted, ()) = try_join!(
                self.ballots_in(viewer, polls.into_iter()),
                self.join_round(&mut gathered)
            )?;
            ballots.extend(of_reposted);
            self.join_round(&mut gathered).await?;
        }
        let kept = acted_on.iter().map(|id| {
            let kept = ViewerMarks {
                favourited_by_viewer: favourited.has(id.get()),
                bookmarked_by_viewer: bookmarked.has(id.get()),
                reposted_by_viewer: reposted.has(id.get()),
                ballot: ballots.get(id).copied(),
            };
            (*id, kept)
        });
        gathered.kept = kept
            .filter(|(_, kept)| *kept != ViewerMarks::default())
            .collect();
        let mut visible = Vec::with_capacity(ids.len());
        visible.extend(ids.iter().filter_map(|id| gathered.entry(*id)));
        Ok(visible)
    }

    /// Reads the missing authors and originals of the gathered statuses. One round trip, none if nothing
    /// is missing.
    async fn join_round(&self, gathered: &mut Gathered) -> Result<()> {
        let missing = gathered.missing();
        let others: Vec<StatusId> = missing.iter().map(|origin| origin.status).collect();
        let authors = gathered.missing_authors(&missing);
        let (rows, users) = try_join!(
            self.rows_of::<StatusRow>(&others),
            self.rows_of::<User>(&authors)
        )?;
        gathered.goes_on_with_originals();
        gathered.add_rows(&others, rows);
        gathered.add_users(users);
        Ok(())
    }

    /// Returns which of these the viewer has saved. A visitor saves nothing.
    async fn kept_among(
        &self,
        viewer: Viewer,
        collection: Collection,
        ids: &[StatusId],
    ) -> Result<Arc<Present>> {
        let key = |member| Key::collection(member, collection);
        self.theirs_among(viewer, key, ids).await
    }

    /// Returns which of these the viewer reposts without a comment.
    async fn reposted_among(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Arc<Present>> {
        self.theirs_among(viewer, Key::OwnReposts, ids).await
    }

    async fn theirs_among(
        &self,
        viewer: Viewer,
        key: impl Fn(UserId) -> Key,
        ids: &[StatusId],
    ) -> Result<Arc<Present>> {
        let Some(member) = viewer.id().filter(|_| !ids.is_empty()) else {
            return Ok(Arc::default());
        };
        let ids = ids.iter().map(|id| id.get()).collect();
        self.present(key(member), ids).await
    }

    /// Returns one status, if it is alive and the viewer may see it.
    pub async fn status(&self, viewer: Viewer, id: StatusId) -> Result<Option<VisibleStatus>> {
        Ok(self.visible(viewer, &[id]).await?.pop())
    }

    /// Returns one page of a profile view, newest first: listing 8.3 of the book with `profile:`. It
    /// filters before it counts, so a page is full unless the timeline ends. It continues from an
    /// exclusive cursor where the book uses an offset.
    pub async fn profile_page(
        &self,
        viewer: Viewer,
        of: UserId,
        view: ProfileView,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let ids = self.profile_ids(of, view, cursor, wanted).await?;
            let visible = self.visible(viewer, &ids).await?;
            page.add(&ids, visible, Rest::of(ids.len(), wanted));
        }
        Ok(page.finish())
    }
}

/// The statuses and people read for one page.
struct Gathered {
    viewer: Viewer,
    rows: IdMap<StatusId, Arc<StatusRow>>,
    users: IdMap<UserId, Arc<User>>,
    kept: IdMap<StatusId, ViewerMarks>,
    /// Statuses with originals or replied-to statuses that are still to be read.
    looks_on_from: Vec<StatusId>,
    /// Quoted statuses that quote another one: the other one's life is still to be read.
    asks_life_from: Vec<StatusId>,
}

impl Gathered {
    /// Returns an empty collection with room for `count` statuses.
    fn new(viewer: Viewer, count: usize) -> Self {
        Self {
            viewer,
            rows: IdMap::with_capacity_and_hasher(count, RandomState::default()),
            users: IdMap::with_capacity_and_hasher(count, RandomState::default()),
            kept: IdMap::default(),
            looks_on_from: Vec::new(),
            asks_life_from: Vec::new(),
        }
    }

    fn add_rows(&mut self, ids: &[StatusId], rows: Vec<Option<Arc<StatusRow>>>) {
        let living = ids.iter().zip(rows);
        let living = living.filter_map(|(id, row)| Some((*id, row?)));
        self.rows.extend(living);
    }

    /// Returns whether no status read so far refers to another one.
    fn is_alone(&self) -> bool {
        let about = |row: &Arc<StatusRow>| [row.repost_of, row.quote_of, row.reply_to];
        !self
            .rows
            .values()
            .flat_map(about)
            .any(|about| about.is_some())
    }

    /// Returns the status that the buttons below this one act on: the original of a repost, else itself.
    fn acted_on(&self, id: StatusId) -> Option<StatusId> {
        let reposts = self.rows.get(&id)?.repost_of;
        Some(reposts.map_or(id, |original| original.status))
    }

    /// Returns those of these statuses that have a poll.
    fn polls_among(&self, ids: &[StatusId]) -> Vec<StatusId> {
        let has_poll = |id: &&StatusId| self.rows.get(*id).is_some_and(|row| row.poll.is_some());
        ids.iter().filter(has_poll).copied().collect()
    }

    /// Adds the next level of originals to read. A reposted status appears in full, with the status that
    /// it quotes. A quoted status appears alone, as long as the status that it quotes is alive.
    fn goes_on_with_originals(&mut self) {
        let commented_on = |id: &StatusId| self.rows.get(id)?.quote_of;
        let reposted = |id: &StatusId| self.rows.get(id)?.repost_of;
        let status = |original: StatusRef| original.status;
        let read = self.looks_on_from.iter();
        self.asks_life_from = read.clone().filter_map(commented_on).map(status).collect();
        self.looks_on_from = read.filter_map(reposted).map(status).collect();
    }

    fn add_users(&mut self, users: Vec<Option<Arc<User>>>) {
        let there = users.into_iter().flatten();
        self.users.extend(there.map(|user| (user.id, user)));
    }

    /// Returns the referenced statuses that were not read yet.
    fn missing(&self) -> Vec<StatusRef> {
        let row = |id: &StatusId| self.rows.get(id);
        let around = self.looks_on_from.iter().filter_map(row);
        let around = around.flat_map(|row| [row.repost_of, row.quote_of, row.reply_to]);
        let originals = self.asks_life_from.iter().filter_map(row);
        let mut missing: Vec<StatusRef> = around
            .chain(originals.map(|row| row.quote_of))
            .flatten()
            .filter(|origin| !self.rows.contains_key(&origin.status))
            .collect();
        missing.sort_unstable_by_key(|origin| origin.status);
        missing.dedup();
        missing
    }

    /// Returns the authors of these and of all gathered statuses that were not read yet.
    fn missing_authors(&self, others: &[StatusRef]) -> Vec<UserId> {
        let authors = self.rows.values().map(|row| row.author);
        let answered = self.looks_on_from.iter();
        let answered = answered.filter_map(|id| self.rows.get(id)?.reply_to);
        let mut missing: Vec<UserId> = authors
            .chain(answered.map(|origin| origin.author))
            .chain(others.iter().map(|origin| origin.author))
            .filter(|author| !self.users.contains_key(author))
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Builds a timeline entry. A repost carries its original in full.
    fn entry(&self, id: StatusId) -> Option<VisibleStatus> {
        match self.rows.get(&id)?.repost_of {
            None => self.in_full(id),
            Some(original) => Some(VisibleStatus {
                original: Some(Arc::new(self.in_full(original.status)?)),
                ..self.by_itself(id)?
            }),
        }
    }

    /// Builds a status with the status that it quotes. `None` if the quoted status is gone.
    fn in_full(&self, id: StatusId) -> Option<VisibleStatus> {
        let original = match self.rows.get(&id)?.quote_of {
            None => None,
            Some(original) => {
                let commented_on = self.by_itself(original.status)?;
                if let Some(root) = commented_on.row.quote_of {
                    self.rows.get(&root.status)?;
                }
                Some(Arc::new(commented_on))
            }
        };
        Some(VisibleStatus {
            original,
            ..self.by_itself(id)?
        })
    }

    fn by_itself(&self, id: StatusId) -> Option<VisibleStatus> {
        let row = self.rows.get(&id)?;
        Some(VisibleStatus {
            id,
            author: Arc::clone(self.users.get(&row.author)?),
            row: Arc::clone(row),
            own: self.viewer.id() == Some(row.author),
            viewer_marks: self.kept.get(&id).copied().unwrap_or_default(),
            answering: row.reply_to.map(|origin| self.answering(origin)),
            original: None,
            others: 0,
        })
    }

    fn answering(&self, origin: StatusRef) -> ReplyTo {
        let person = self.users.get(&origin.author);
        match person.filter(|_| self.rows.contains_key(&origin.status)) {
            Some(person) => ReplyTo::Status(origin.status, Arc::clone(person)),
            None => ReplyTo::Gap,
        }
    }
}
