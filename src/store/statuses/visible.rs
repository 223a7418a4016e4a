//! The only function by which a status reaches a page: filtered for its viewer, with its author, its
//! original and the viewer's marks.

use std::sync::Arc;

use futures_util::try_join;

use super::{folded_texts::FoldingBudget, gathered::Gathered, status_row::StatusRow};
use crate::{
    domain::Collection,
    store::{
        Group, access::AskedPeople, follows::presence::Present, prelude::*,
        visible_status::ViewerMarks,
    },
};

impl Store {
    /// Returns the living statuses among these that the viewer may see, in the given order. No other
    /// function lets a status reach a page. A repost lives as long as its original. A quote stays when
    /// its original is deleted.
    ///
    /// Takes two round trips. The first reads the statuses. The second reads their originals, the
    /// replied-to statuses, the first statuses of conversations, all authors, groups and the viewer's marks. A third
    /// follows for a repost of a poll or of a quote. Another one follows for the conversation of a reply that is
    /// quoted or reposted, and for a conversation that became visible to followers only after the reply was
    /// posted. None is needed if everything is cached.
    ///
    /// The result is at least as new as the last round trip of this connection, so every caller makes
    /// one first. Texts that the viewer mutes are not looked for.
    pub async fn visible(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Vec<VisibleStatus>> {
        Ok(self.gather(viewer, ids).await?.entries(ids))
    }

    /// Returns the same, with the texts in them that the viewer mutes. When the budget is used up, the statuses from
    /// the first one on whose texts are not folded yet are not examined. The first status is examined if anything is
    /// left of the budget.
    pub async fn visible_with_muted_texts(
        &self,
        viewer: Viewer,
        ids: &[StatusId],
        budget: &mut FoldingBudget,
    ) -> Result<Examined> {
        let mut gathered = self.gather(viewer, ids).await?;
        let mut count = ids.len();
        if gathered.access.compare_texts() {
            count = self.fold_compared_texts(&gathered, ids, budget).await;
        }
        let visible = gathered.entries(&ids[..count]);
        Ok(Examined { visible, count })
    }

    /// Folds the texts of these statuses that mutes are compared with. Returns the number of statuses before the first
    /// one that exceeds the budget.
    async fn fold_compared_texts(
        &self,
        gathered: &Gathered,
        ids: &[StatusId],
        budget: &mut FoldingBudget,
    ) -> usize {
        for (at, id) in ids.iter().enumerate() {
            let unfolded: Vec<_> = gathered.unfolded_rows(*id).collect();
            if !unfolded.is_empty() && budget.is_used_up() {
                return at;
            }
            for (id, row) in unfolded {
                self.fold_texts(id, row, budget).await;
            }
        }
        ids.len()
    }

    /// Reads statuses with everything that decides about them.
    async fn gather(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Gathered> {
        let (access, rows) = self.access_with_rows::<StatusRow>(viewer, ids).await?;
        let mut gathered = Gathered::new(access, ids.len());
        gathered.read.extend(ids);
        gathered.add_rows(ids, rows);
        gathered.next_level = ids.to_vec();
        let mut acted_on: Vec<StatusId> = Vec::with_capacity(ids.len());
        acted_on.extend(ids.iter().filter_map(|id| gathered.acted_on(*id)));
        let polls = gathered.polls_among(ids);
        let (favourited, bookmarked, reposted, mut ballots, ()) = try_join!(
            self.saved_among(viewer, Collection::Favourites, &acted_on),
            self.saved_among(viewer, Collection::Bookmarks, &acted_on),
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
        }
        while gathered.is_incomplete() {
            self.join_round(&mut gathered).await?;
        }
        let marks = acted_on.iter().map(|id| {
            let marks = ViewerMarks {
                favourited_by_viewer: favourited.has(id.get()),
                bookmarked_by_viewer: bookmarked.has(id.get()),
                reposted_by_viewer: reposted.has(id.get()),
                ballot: ballots.get(id).copied(),
            };
            (*id, marks)
        });
        gathered.viewer_marks = marks
            .filter(|(_, marks)| *marks != ViewerMarks::default())
            .collect();
        Ok(gathered)
    }

    /// Returns the visible statuses among these that the viewer's timelines show: none by muted people, none with
    /// muted words, phrases and tags, and no reposts of such posts. Like
    /// [`Store::visible_with_muted_texts`] it examines as many as the budget allows.
    pub async fn visible_on_timelines(
        &self,
        viewer: Viewer,
        ids: &[StatusId],
        budget: &mut FoldingBudget,
    ) -> Result<Examined> {
        let examined = self.visible_with_muted_texts(viewer, ids, budget).await?;
        let Examined { mut visible, count } = examined;
        visible.retain(|status| !status.is_muted());
        Ok(Examined { visible, count })
    }

    /// Reads the missing authors and originals of the gathered statuses. One round trip, none if nothing
    /// is missing.
    async fn join_round(&self, gathered: &mut Gathered) -> Result<()> {
        let missing = gathered.missing();
        let mut others: Vec<StatusId> = missing.iter().map(|origin| origin.status).collect();
        others.extend(gathered.missing_roots());
        others.sort_unstable();
        others.dedup();
        let authors = gathered.missing_authors(&missing);
        let followed = gathered.missing_follows(&authors);
        let followers = gathered.missing_followers(gathered.authors_of_roots());
        let asked = AskedPeople {
            people: &authors,
            followed: &followed,
            followers: &followers,
        };
        let groups = gathered.missing_groups();
        let (rows, users, group_rows) = try_join!(
            self.rows_of::<StatusRow>(&others),
            self.users_with_relations(&mut gathered.access, asked),
            self.rows_of::<Group>(&groups)
        )?;
        gathered.groups.extend(groups.into_iter().zip(group_rows));
        gathered.add_next_originals();
        gathered.read.extend(&others);
        gathered.add_rows(&others, rows);
        gathered.asked_users.extend(authors);
        gathered.add_users(users);
        Ok(())
    }

    /// Returns which of these the viewer has saved. A visitor saves nothing.
    async fn saved_among(
        &self,
        viewer: Viewer,
        collection: Collection,
        ids: &[StatusId],
    ) -> Result<Arc<Present>> {
        let key = |member| Key::collection(member, collection);
        self.members_among(viewer, key, ids).await
    }

    /// Returns which of these the viewer reposts without a comment.
    async fn reposted_among(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Arc<Present>> {
        self.members_among(viewer, Key::OwnReposts, ids).await
    }

    async fn members_among(
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
}

/// Statuses that were examined for a viewer, in their order.
#[derive(Debug)]
pub struct Examined {
    /// Those that the viewer sees.
    pub visible: Vec<VisibleStatus>,
    /// Number of examined statuses: the first ones of those that were asked for.
    pub count: usize,
}

impl Examined {
    /// Returns the number of examined statuses that the viewer does not see.
    pub fn left_out_count(&self) -> u64 {
        (self.count - self.visible.len()) as u64
    }
}
