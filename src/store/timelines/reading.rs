//! Reading progress on a home, and the new posts that follow from it. `read_home.lua` states the stored
//! format. `note_shown.lua` extends it when a page needs several reads.

use std::ops::RangeInclusive;

use super::calls::NoteShown;
use crate::{
    domain::Seen,
    store::{FoldingBudget, prelude::*},
};

/// Purpose of a page request. A visit marks the shown posts as read; a prefetch, a HEAD
/// request and an older page mark nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMode {
    Visit,
    Prefetch,
}

/// New posts on a home since its owner's last visit.
#[derive(Debug, Clone)]
pub struct NewPosts {
    /// Posts seen before this visit.
    pub seen: Seen,
    /// Number of unseen posts by others. A deleted one counts until it has left the home.
    pub count: u64,
    /// The oldest unseen post.
    pub oldest: Option<Oldest>,
}

/// The oldest new post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Oldest {
    pub id: StatusId,
    /// Cursor of the page that holds it. `None` for the first page.
    pub page: Option<Cursor>,
}

impl Store {
    /// Counts the new posts of a home that its pages leave out, because of mutes and blocks.
    pub async fn left_out_count(
        &self,
        reader: UserId,
        new_posts: &NewPosts,
        budget: &mut FoldingBudget,
    ) -> Result<u64> {
        let Some(oldest) = new_posts.oldest else {
            return Ok(0);
        };
        let home = Timeline::Home(reader);
        let mut ids = self.timeline_ids_down_to(home, oldest.id).await?;
        ids.retain(|id| new_posts.is_new(*id));
        self.left_out_among(reader, &ids, budget).await
    }

    /// Counts the statuses among these that pages of a home leave out. Those that the budget of texts leaves
    /// unexamined do not count, until a later count finds the others folded.
    pub async fn left_out_among(
        &self,
        reader: UserId,
        ids: &[StatusId],
        budget: &mut FoldingBudget,
    ) -> Result<u64> {
        let viewer = Viewer::Member(reader);
        let examined = self.visible_on_timelines(viewer, ids, budget).await?;
        Ok(examined.left_out_count())
    }

    /// Counts the statuses of a home from an id on that its pages leave out, because of mutes and blocks. One round
    /// trip for a reader who leaves out nothing.
    pub async fn left_out_since(&self, reader: UserId, from: StatusId) -> Result<u64> {
        let viewer = Viewer::Member(reader);
        if !self.leaves_out_posts(viewer).await? {
            return Ok(0);
        }
        let home = Timeline::Home(reader);
        let ids = self.timeline_ids_down_to(home, from).await?;
        let mut budget = FoldingBudget::of_page();
        self.left_out_among(reader, &ids, &mut budget).await
    }

    /// Remembers that a page of a home has shown a range of ids and examined these. The first read of
    /// the page could not know that.
    pub async fn note_shown(
        &self,
        call: &Call,
        of: UserId,
        shown: RangeInclusive<u64>,
        examined: &[StatusId],
    ) -> Result<()> {
        let note = NoteShown {
            home: keys::home(of),
            reading: keys::reading(of),
            deadline_ms: call.deadline(),
            lowest_id: *shown.start(),
            highest_id: *shown.end(),
            examined_ids: examined.iter().map(|id| id.get()).collect(),
        };
        self.connection.execute(note.command()).await
    }
}

impl Oldest {
    /// Returns the position of this id on a home that is given newest first.
    pub fn on(home: &[StatusId], id: StatusId) -> Self {
        let newer = home.iter().take_while(|other| **other > id).count();
        let begins = (newer / PAGE_SIZE * PAGE_SIZE).checked_sub(1);
        let last_before = begins.and_then(|at| home.get(at));
        Self {
            id,
            page: last_before.map(|id| Cursor::before(id.get())),
        }
    }
}

impl ReadMode {
    /// Returns the mode as scripts take it.
    pub(in crate::store) fn word(self) -> &'static str {
        match self {
            Self::Visit => "",
            Self::Prefetch => "prefetch",
        }
    }
}

impl NewPosts {
    pub(in crate::store) fn read(
        seen: &str,
        count: u64,
        oldest: Option<u64>,
        page: Option<u64>,
    ) -> Result<Self> {
        let unexpected = |what: &'static str, answer: &dyn ToString| Error::Unexpected {
            what,
            answer: answer.to_string(),
        };
        let oldest = oldest.map(|id| {
            let id = StatusId::new(id).map_err(|_| unexpected("a home", &id))?;
            let page = page.map(Cursor::before);
            Ok(Oldest { id, page })
        });
        Ok(Self {
            seen: seen
                .parse()
                .map_err(|_| unexpected("the seen ranges", &seen))?,
            count,
            oldest: oldest.transpose()?,
        })
    }

    /// Returns whether this status of another author was unseen before this visit.
    pub fn is_new(&self, id: StatusId) -> bool {
        !self.seen.holds(id)
    }
}
