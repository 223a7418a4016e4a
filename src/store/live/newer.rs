//! The posts that came after those of an open page: of everybody, or replies in a conversation.

use crate::store::{FoldingBudget, prelude::*};

/// Maximum number of posts whose replies a page watches.
pub const MAX_WATCHED: usize = 24;
/// Number of newer posts that are examined in one timeline.
const EXAMINED: usize = 30;
/// Number of newer replies to one post that are examined.
const EXAMINED_BELOW: usize = 5;

/// The posts that an open page offers as they come.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Watched {
    /// Posts in the timeline of everybody after this one; all posts of the timeline if `None`.
    Everybody(Option<StatusId>),
    /// Replies to these posts, at most [`MAX_WATCHED`], after this one.
    Replies { to: Vec<StatusId>, after: StatusId },
}

impl Watched {
    /// Returns whether the page shows replies to this status.
    pub fn shows_replies_to(&self, id: StatusId) -> bool {
        matches!(self, Self::Replies { to, .. } if to.contains(&id))
    }

    /// Returns the reads of the newer ids.
    fn reads(&self) -> Vec<Cmd> {
        let newer = |key: &str, after: Option<StatusId>, most| {
            let to = after.map_or_else(|| "+inf".to_owned(), |id| format!("(-{id}"));
            range_by_score(key, "-inf", to, most)
        };
        match self {
            Self::Everybody(after) => vec![newer(keys::STATUSES_NEWEST, *after, EXAMINED)],
            Self::Replies { to, after } => {
                let to = to.iter().take(MAX_WATCHED);
                to.map(|id| newer(&keys::replies(*id), Some(*after), EXAMINED_BELOW))
                    .collect()
            }
        }
    }
}

impl Store {
    /// Counts newer posts by others that the viewer may see. Skips muted posts and replies that the author has hidden.
    /// One round trip if there are none.
    pub(super) async fn count_newer(&self, viewer: UserId, watched: &Watched) -> Result<u64> {
        let newer: Vec<Vec<u64>> = self.connection.query_each(watched.reads()).await?;
        let mut ids = status_ids(newer.concat());
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids.truncate(EXAMINED);
        if ids.is_empty() {
            return Ok(0);
        }
        let mut budget = FoldingBudget::of_page();
        let examined = self.visible_on_timelines(Viewer::Member(viewer), &ids, &mut budget);
        let visible = examined.await?.visible.into_iter();
        let newer = visible.filter(|status| !status.is_own() && !status.is_hidden());
        Ok(newer.count() as u64)
    }
}
