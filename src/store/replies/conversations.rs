//! What is read for the page of a conversation: what a status answers, up to the first, and what
//! answers it, as a tree with its branches cut short. A page asks for a few trips however much was
//! said, and for one more with each further level.

use std::collections::HashMap;

use futures_util::try_join;

use crate::{
    domain::{StatusId, Thread},
    store::{
        Result, Store, Viewer, VisibleStatus, keys,
        redis::{connection::read, scripts::With},
        timelines::profiles::status_ids,
    },
};

/// How many answers to the status itself one page shows.
const REPLIES_PER_PAGE: usize = 20;
/// How many to each of these, and to each of those.
const ANSWERS_BELOW: [usize; 2] = [3, 2];
/// To how many levels a page follows a branch that does not fork further down, as when two people
/// talk. What goes on below has a page of its own.
const LEVELS: usize = 12;
/// How many answers one page shows on all its levels.
const ANSWERS_IN_ALL: usize = 200;

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

/// What a page leaves out below an answer. How much that is nobody knows, as nothing counts what is
/// below the answers that are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum More {
    None,
    /// Others beside those that are shown.
    Beside,
    /// All of it.
    Below,
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
    /// What is about a status, with the answers after that one. No trip where nothing is, else
    /// two and at most one for each level below the first.
    pub async fn conversation(
        &self,
        viewer: Viewer,
        of: &VisibleStatus,
        after: Option<StatusId>,
    ) -> Result<Conversation> {
        if of.row.reply_to.is_none() && of.reply_and_gap_count() == 0 {
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
        let (thread, below) =
            try_join!(self.thread(id), self.below(&ids, after, REPLIES_PER_PAGE))?;
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

    /// What is below the answers, and the ids of them all. One trip for each level that is there.
    async fn tree(&self, first: &Below) -> Result<(Tree, Vec<StatusId>)> {
        let mut tree = Tree::default();
        let mut level: Vec<StatusId> = first.ids.iter().map(|(id, _)| *id).collect();
        let mut all = level.clone();
        for depth in 0..LEVELS - 1 {
            level.truncate(ANSWERS_IN_ALL.saturating_sub(all.len()));
            let below = match ANSWERS_BELOW.get(depth) {
                Some(most) => self.below(&level, None, *most).await?,
                None => self.only_below(&level).await?,
            };
            let next = below.iter().flat_map(|below| &below.ids);
            let next: Vec<StatusId> = next.map(|(id, _)| *id).collect();
            tree.below.extend(level.into_iter().zip(below));
            all.extend(&next);
            level = next;
        }
        Ok((tree, all))
    }

    /// The answer under each of these where it is the only one. One trip.
    async fn only_below(&self, of: &[StatusId]) -> Result<Vec<Below>> {
        let mut below = self.below(of, None, 1).await?;
        for forked in below.iter_mut().filter(|below| below.goes_on) {
            forked.ids.clear();
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
        let (mut tree, answers) = self.tree(&first).await?;
        let all: Vec<StatusId> = above.iter().copied().chain(answers).collect();
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
    /// What answers each that there was room to look below.
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
            let goes_on = match (read, &turn.status) {
                (Some(below), _) => below.goes_on,
                (None, Some(status)) => status.reply_and_gap_count() > 0,
                (None, None) => *is_gap,
            };
            let more = match (goes_on, below.is_empty()) {
                (false, _) => More::None,
                (true, false) => More::Beside,
                (true, true) => More::Below,
            };
            let is_there = turn.status.is_some() || !below.is_empty() || more != More::None;
            is_there.then_some(Branch { turn, below, more })
        });
        branches.collect()
    }
}
