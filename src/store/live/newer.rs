//! The posts that came after those of an open page: of everybody, or replies in a conversation.

use std::collections::{HashMap, HashSet};

use super::LiveQuery;
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
    /// Counts the newer posts by others that the viewer may see, for each page that asks. Skips muted posts and replies
    /// that the author has hidden. No round trip if no page asks, one if there are no newer posts.
    pub(super) async fn count_newer<'a>(
        &self,
        viewer: UserId,
        streams: &'a [LiveQuery],
    ) -> Result<HashMap<&'a Watched, u64>> {
        let watched: HashSet<&Watched> = streams
            .iter()
            .filter_map(|query| query.watched.as_ref())
            .collect();
        let reads: Vec<(&Watched, Vec<Cmd>)> =
            watched.into_iter().map(|one| (one, one.reads())).collect();
        if reads.is_empty() {
            return Ok(HashMap::new());
        }
        let commands = reads.iter().flat_map(|(_, commands)| commands.clone());
        let found: Vec<Vec<u64>> = self.connection.query_each(commands).await?;
        let mut found = found.into_iter();
        let mut newer: HashMap<&Watched, Vec<StatusId>> = HashMap::new();
        for (watched, commands) in &reads {
            let of_page: Vec<u64> = found.by_ref().take(commands.len()).flatten().collect();
            let mut ids = status_ids(of_page);
            ids.sort_unstable_by(|one, other| other.cmp(one));
            ids.truncate(EXAMINED);
            newer.insert(*watched, ids);
        }
        let visible = self.visible_newer(viewer, newer.values().flatten()).await?;
        let count = |ids: Vec<StatusId>| ids.iter().filter(|id| visible.contains(id)).count();
        let counts = newer.into_iter();
        Ok(counts
            .map(|(watched, ids)| (watched, count(ids) as u64))
            .collect())
    }

    /// Returns those of these posts that an open page offers.
    async fn visible_newer(
        &self,
        viewer: UserId,
        ids: impl Iterator<Item = &StatusId>,
    ) -> Result<HashSet<StatusId>> {
        let mut ids: Vec<StatusId> = ids.copied().collect();
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids.dedup();
        if ids.is_empty() {
            return Ok(HashSet::new());
        }
        let mut budget = FoldingBudget::of_page();
        let examined = self.visible_on_timelines(Viewer::Member(viewer), &ids, &mut budget);
        let visible = examined.await?.visible.into_iter();
        let newer = visible.filter(|status| !status.is_own() && !status.is_hidden());
        Ok(newer.map(|status| status.id()).collect())
    }
}
