//! What is read for the page of a conversation: what a status answers, up to the first, and what
//! answers it, as a tree with its branches cut short. Its trips are few and the same, however much
//! was said.

use std::collections::HashMap;

use futures_util::try_join;

use super::{
    Result, Store, Viewer, VisibleStatus, connection::read, keys, profiles::status_ids,
    scripts::With,
};
use crate::domain::{StatusId, Thread};

/// How many answers to the status itself one page shows.
const ANSWERS_A_PAGE: usize = 20;
/// How many to each of these, and to each of those: so a page shows at most 200. What goes on below
/// has a page of its own.
const ANSWERS_BELOW: [usize; 2] = [3, 2];

/// A status in a conversation.
#[derive(Debug, Clone)]
pub struct Turn {
    pub id: StatusId,
    /// `None` of a deleted one: a gap, of which nothing else is known.
    pub status: Option<VisibleStatus>,
}

/// An answer with what answers it.
#[derive(Debug, Clone)]
pub struct Branch {
    pub turn: Turn,
    /// The oldest first.
    pub below: Vec<Branch>,
    pub more: More,
}

/// How many more answers there are than a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum More {
    None,
    /// So many.
    Answers(u64),
    /// Some: what is below a gap is not counted.
    Some,
}

/// What is about a status: what it answers, and what answers it.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    /// The first status, then the nearest, in the order in which they were written.
    pub above: Vec<Turn>,
    /// How many stand between the first and the nearest and are not shown.
    pub between: u64,
    /// The oldest first.
    pub answers: Vec<Branch>,
    /// After which of them the next page goes on; `None` at the end.
    pub next: Option<StatusId>,
}

/// The oldest answers to one status.
#[derive(Debug, Clone, Default)]
struct Below {
    /// Each with whether it is kept as a gap.
    ids: Vec<(StatusId, bool)>,
    /// There are more.
    goes_on: bool,
}

impl Store {
    /// What is about a status, with the answers after that one. At most five trips, none where nothing is.
    pub async fn conversation(
        &self,
        viewer: Viewer,
        of: &VisibleStatus,
        after: Option<StatusId>,
    ) -> Result<Conversation> {
        if of.row.answers.is_none() && of.answered() == 0 {
            return Ok(Conversation::default());
        }
        let (thread, first) = self.about(of.id, after).await?;
        self.furnish(viewer, thread, first).await
    }

    /// The same about a status that was deleted; `None` where nothing answers it after that one.
    pub async fn conversation_at_gap(
        &self,
        viewer: Viewer,
        id: StatusId,
        after: Option<StatusId>,
    ) -> Result<Option<Conversation>> {
        let (mut thread, first) = self.about(id, after).await?;
        let Some((answer, _)) = first.ids.first() else {
            return Ok(None);
        };
        if thread.is_none() {
            let theirs = self.thread(*answer).await?;
            thread = theirs.and_then(|thread| thread.of_answered());
        }
        self.furnish(viewer, thread, first).await.map(Some)
    }

    /// What is above a status, and the answers to it. One trip.
    async fn about(
        &self,
        id: StatusId,
        after: Option<StatusId>,
    ) -> Result<(Option<Thread>, Below)> {
        let ids = [id];
        let (thread, below) = try_join!(self.thread(id), self.below(&ids, after, ANSWERS_A_PAGE))?;
        Ok((thread, below.into_iter().next().unwrap_or_default()))
    }

    /// The oldest answers and gaps under each of these, after that one. One trip.
    async fn below(
        &self,
        of: &[StatusId],
        after: Option<StatusId>,
        most: usize,
    ) -> Result<Vec<Below>> {
        if of.is_empty() {
            return Ok(Vec::new());
        }
        let from = after.map_or_else(|| "+inf".to_owned(), |id| format!("(-{id}"));
        let oldest = |key: String| {
            redis::cmd("ZRANGE")
                .with(key)
                .with(&from)
                .with("-inf")
                .with(&["BYSCORE", "REV", "LIMIT", "0"])
                .with(most + 1)
        };
        let reads = of
            .iter()
            .flat_map(|id| [oldest(keys::answers(*id)), oldest(keys::gaps(*id))]);
        let mut answers = self.connection.batch(reads.collect()).await?.into_iter();
        let mut next = || read::<Vec<u64>>(answers.next().unwrap_or_default());
        let mut below = Vec::with_capacity(of.len());
        for _ in of {
            let answers = status_ids(next()?).into_iter().map(|id| (id, false));
            let gaps = status_ids(next()?).into_iter().map(|id| (id, true));
            let mut ids: Vec<(StatusId, bool)> = answers.chain(gaps).collect();
            ids.sort_unstable();
            let goes_on = ids.len() > most;
            ids.truncate(most);
            below.push(Below { ids, goes_on });
        }
        Ok(below)
    }

    /// Reads what is below the answers, and whatever of it all the viewer may see.
    async fn furnish(
        &self,
        viewer: Viewer,
        thread: Option<Thread>,
        first: Below,
    ) -> Result<Conversation> {
        let above = thread.as_ref().map_or_else(Vec::new, Thread::shown);
        let mut tree = Tree::default();
        let mut all = above.clone();
        let mut level = first.ids.clone();
        for most in ANSWERS_BELOW {
            let ids: Vec<StatusId> = level.iter().map(|(id, _)| *id).collect();
            let below = self.below(&ids, None, most).await?;
            level = below.iter().flat_map(|below| below.ids.clone()).collect();
            all.extend(&ids);
            tree.below.extend(ids.into_iter().zip(below));
        }
        all.extend(level.iter().map(|(id, _)| id));
        let visible = self.visible(viewer, &all).await?;
        tree.visible = visible
            .into_iter()
            .map(|status| (status.id, status))
            .collect();
        let last = first.ids.last().filter(|_| first.goes_on);
        Ok(Conversation {
            above: above.into_iter().map(|id| tree.turn(id)).collect(),
            between: thread.as_ref().map_or(0, Thread::between),
            answers: tree.branches(&first),
            next: last.map(|(id, _)| *id),
        })
    }
}

/// What was read of a conversation.
#[derive(Default)]
struct Tree {
    /// What answers each; of the lowest level nothing was read.
    below: HashMap<StatusId, Below>,
    visible: HashMap<StatusId, VisibleStatus>,
}

impl Tree {
    fn turn(&self, id: StatusId) -> Turn {
        Turn {
            id,
            status: self.visible.get(&id).cloned(),
        }
    }

    /// A deleted one is left out where nothing is below it.
    fn branches(&self, of: &Below) -> Vec<Branch> {
        let branches = of.ids.iter().filter_map(|(id, is_gap)| {
            let turn = self.turn(*id);
            let read = self.below.get(id);
            let below = read.map_or_else(Vec::new, |below| self.branches(below));
            let more = match &turn.status {
                Some(status) => match status.answered().saturating_sub(below.len() as u64) {
                    0 => More::None,
                    more => More::Answers(more),
                },
                None if read.map_or(*is_gap, |below| below.goes_on) => More::Some,
                None => More::None,
            };
            let is_there = turn.status.is_some() || !below.is_empty() || more != More::None;
            is_there.then_some(Branch { turn, below, more })
        });
        branches.collect()
    }
}
