//! The one function by which a status reaches a page: filtered for its viewer, with its author and
//! what the viewer did about it. And the pages that are nothing but that.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures_util::try_join;

use super::{
    Answering, PageInProgress, Result, Store, User, Viewer, VisibleStatus, cache::Name,
    presence::Present, status_row::StatusRow,
};
use crate::domain::{Collection, Cursor, Origin, Page, ProfileView, StatusId, UserId};

/// What statuses name besides themselves.
struct Around {
    people: HashMap<UserId, Arc<User>>,
    /// Those of them, and of what they answer, that live.
    living: HashSet<StatusId>,
}

impl Around {
    fn answering(&self, origin: Origin) -> Answering {
        let person = self.people.get(&origin.author);
        match person.filter(|_| self.living.contains(&origin.status)) {
            Some(person) => Answering::Status(origin.status, Arc::clone(person)),
            None => Answering::Gap,
        }
    }
}

impl Store {
    /// The living among these statuses that the viewer may see, in the given order: the only way
    /// for a status to reach a page. Two trips: statuses and which of them the viewer keeps, then
    /// their authors, what they answer and how the viewer voted in their polls; and none where all were
    /// read lately. As it was at this connection's last trip,
    /// or later: whoever calls has made one.
    pub async fn visible(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Vec<VisibleStatus>> {
        let (rows, favoured, bookmarked) = try_join!(
            self.rows_of::<StatusRow>(ids),
            self.kept_among(viewer, Collection::Favourites, ids),
            self.kept_among(viewer, Collection::Bookmarks, ids)
        )?;
        let rows: Vec<(StatusId, Option<Arc<StatusRow>>)> = ids.iter().copied().zip(rows).collect();
        let polls = rows
            .iter()
            .filter(|(_, row)| row.as_ref().is_some_and(|row| row.poll.is_some()));
        let (around, ballots) = try_join!(
            self.around(&rows),
            self.ballots_in(viewer, polls.map(|(id, _)| *id))
        )?;
        let visible = rows.into_iter().enumerate().filter_map(|(at, (id, row))| {
            let row = row?;
            Some(VisibleStatus {
                id,
                author: Arc::clone(around.people.get(&row.author)?),
                own: viewer.id() == Some(row.author),
                favoured: favoured.stands(at),
                bookmarked: bookmarked.stands(at),
                answering: row.answers.map(|origin| around.answering(origin)),
                ballot: ballots.get(&id).copied(),
                row,
            })
        });
        Ok(visible.collect())
    }

    /// Whom these statuses name, and which of those that they answer live.
    async fn around(&self, rows: &[(StatusId, Option<Arc<StatusRow>>)]) -> Result<Around> {
        let living = rows
            .iter()
            .filter_map(|(id, row)| Some((*id, row.as_ref()?)));
        let known: HashSet<StatusId> = rows.iter().map(|(id, _)| *id).collect();
        let (mut people, mut answered) = (HashSet::new(), HashSet::new());
        for (_, row) in living.clone() {
            people.insert(row.author);
            if let Some(origin) = row.answers {
                people.insert(origin.author);
                answered.insert(origin.status);
            }
        }
        let people: Vec<UserId> = people.into_iter().collect();
        let others: Vec<StatusId> = answered.difference(&known).copied().collect();
        let (users, statuses) = try_join!(
            self.rows_of::<User>(&people),
            self.rows_of::<StatusRow>(&others)
        )?;
        let users = people.into_iter().zip(users);
        let others = others.into_iter().zip(statuses);
        Ok(Around {
            people: users.filter_map(|(id, user)| Some((id, user?))).collect(),
            living: living
                .map(|(id, _)| id)
                .chain(others.filter_map(|(id, row)| row.map(|_| id)))
                .collect(),
        })
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

    /// That view of a profile, newest first: listing 8.3 of the book with `profile:`. Filters before
    /// it counts, so that a page is full unless the timeline ends, and continues from an exclusive
    /// cursor where the book takes an offset.
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
            page.add(&ids, visible, ids.len() < wanted);
        }
        Ok(page.finish())
    }
}
