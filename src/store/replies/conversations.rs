//! Reads for the page of a conversation: the ancestors of a status up to the first, and its replies as a
//! tree with folded branches. A page takes few round trips whatever its size, and one more per level.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures_util::try_join;

use crate::{
    domain::Thread,
    store::{FoldingBudget, prelude::*, statuses::status_row::StatusRow},
};

/// Number of direct replies per page.
pub const REPLIES_PER_PAGE: usize = 20;
/// Number of replies to each of these, and to each of those.
const REPLIES_BELOW: [usize; 2] = [3, 2];
/// Number of levels that a page follows down a branch without forks, as when two people talk. The rest
/// has a page of its own.
const LEVELS: usize = 12;
/// Maximum number of reads of direct replies per page. Hidden replies do not shorten a page.
const READS: usize = 8;
/// Number of direct replies of the first read: a page, and one more, which shows whether another page follows.
const FIRST_READ: usize = REPLIES_PER_PAGE + 1;
/// Maximum number of direct replies of a later read. Each asks for twice as many as the one before.
const MOST_PER_READ: usize = 168;
/// Maximum number of replies below the direct ones per read.
const REPLIES_PER_TREE: usize = 180;
/// Maximum number of replies at all levels that the reads of a page find, also of a page that shows none of them. Each
/// takes about four commands, so a page costs at most about 2,400 for its replies.
const REPLIES_READ: usize = 600;
/// Maximum number of levels that are searched below hidden replies for one that the viewer sees.
const SEARCHED_LEVELS: usize = 4;

/// A status in a conversation.
#[derive(Debug, Clone)]
pub struct Turn {
    pub id: StatusId,
    /// `None` for a deleted status: a gap without any detail.
    pub status: Option<VisibleStatus>,
}

/// A reply with its own replies.
#[derive(Debug, Clone)]
pub struct Branch {
    pub turn: Turn,
    /// Oldest first.
    pub below: Vec<Branch>,
    pub more: More,
}

/// The replies that a page folds below a reply. Their number is unknown, because only direct replies are
/// counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum More {
    None,
    /// Further replies beside the shown ones.
    Beside,
    /// All replies.
    Below,
}

/// The ancestors and replies of a status.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    /// The first status, then the nearest ancestors, oldest first.
    pub above: Vec<Turn>,
    /// Number of ancestors between the first and the nearest that are not shown.
    pub between: u64,
    /// Oldest first.
    pub replies: Vec<Branch>,
    /// Replies that the author of the first status has hidden, with the replies below them, at any level.
    pub hidden: Vec<Branch>,
    /// Reply after which the next page continues. `None` at the end.
    pub next: Option<StatusId>,
    /// Number of direct replies that the viewer sees, if all of them are on this page.
    pub reply_count: Option<u64>,
}

/// The oldest replies to one status.
#[derive(Debug, Clone, Default)]
struct Below {
    /// Each id with whether it is a gap.
    ids: Vec<(StatusId, bool)>,
    /// The first of the further replies.
    next: Option<StatusId>,
}

impl Store {
    /// Returns the conversation of a status, with the replies after the given one. No round trip if it
    /// has none, else two and at most one per further level.
    pub async fn conversation(
        &self,
        viewer: Viewer,
        of: &VisibleStatus,
        after: Option<StatusId>,
    ) -> Result<Conversation> {
        if of.row.reply_to.is_none() && of.reply_and_gap_count() == 0 {
            return Ok(Conversation::default());
        }
        let (thread, first) = self.read_ancestors_and_replies(of.id, after).await?;
        let conversation = self.complete_conversation(viewer, (of.id, thread), first);
        let conversation = conversation.await?;
        Ok(Conversation {
            reply_count: conversation.reply_count.filter(|_| after.is_none()),
            ..conversation
        })
    }

    /// Returns the conversation of a deleted status. `None` if it has no reply after the given one.
    pub async fn conversation_at_gap(
        &self,
        viewer: Viewer,
        id: StatusId,
        after: Option<StatusId>,
    ) -> Result<Option<Conversation>> {
        let (mut thread, first) = self.read_ancestors_and_replies(id, after).await?;
        let Some((reply, _)) = first.ids.first() else {
            return Ok(None);
        };
        if thread.is_none() {
            let theirs = self.thread(*reply).await?;
            thread = theirs.and_then(|thread| thread.of_parent());
        }
        let conversation = self
            .complete_conversation(viewer, (id, thread), first)
            .await?;
        // With replies that the viewer may not see, and no others, it is like one without replies.
        let is_empty = conversation.replies.is_empty()
            && conversation.hidden.is_empty()
            && conversation.next.is_none();
        Ok(Some(conversation).filter(|_| !is_empty))
    }

    /// Returns the ancestors and direct replies of a status. One round trip.
    async fn read_ancestors_and_replies(
        &self,
        id: StatusId,
        after: Option<StatusId>,
    ) -> Result<(Option<Thread>, Below)> {
        let of = [(id, after)];
        let (thread, below) = try_join!(self.thread(id), self.read_replies(&of, FIRST_READ))?;
        Ok((thread, below.into_iter().next().unwrap_or_default()))
    }

    /// Returns the oldest replies and gaps under each of these, each after the given one. One round trip.
    async fn read_replies(
        &self,
        of: &[(StatusId, Option<StatusId>)],
        most: usize,
    ) -> Result<Vec<Below>> {
        if of.is_empty() {
            return Ok(Vec::new());
        }
        let reads = of.iter().map(|(id, after)| {
            let from = after.map_or_else(|| "+inf".to_owned(), |id| format!("(-{id}"));
            [keys::replies(*id), keys::gaps(*id)]
                .map(|key| range_by_score(key, &from, "-inf", most + 1).with("REV"))
        });
        let answers: Vec<(Vec<u64>, Vec<u64>)> = self.connection.query_tuples(reads).await?;
        let mut below = Vec::with_capacity(of.len());
        for (replies, gaps) in answers {
            let replies = status_ids(replies).into_iter().map(|id| (id, false));
            let gaps = status_ids(gaps).into_iter().map(|id| (id, true));
            let mut ids: Vec<(StatusId, bool)> = replies.chain(gaps).collect();
            ids.sort_unstable();
            let next = ids.get(most).map(|(id, _)| *id);
            ids.truncate(most);
            below.push(Below { ids, next });
        }
        Ok(below)
    }

    /// Returns the tree below the replies, and all its ids: at most `most`, and for each reply the first of those
    /// that the page does not show. One round trip per existing level.
    async fn read_tree(&self, first: &Below, most: usize) -> Result<(Tree, Vec<StatusId>)> {
        let mut tree = Tree::default();
        let mut level: Vec<StatusId> = first.ids.iter().map(|(id, _)| *id).collect();
        let mut all = level.clone();
        let limit = level.len() + REPLIES_PER_TREE;
        for depth in 0..LEVELS - 1 {
            level = self.parents_among(level, &mut tree);
            level.truncate(limit.saturating_sub(all.len()));
            let of_each = REPLIES_BELOW.get(depth);
            level.truncate(most.saturating_sub(all.len()) / of_each.unwrap_or(&1));
            let of: Vec<_> = level.iter().map(|id| (*id, None)).collect();
            let below = match of_each {
                Some(most) => self.read_replies(&of, *most).await?,
                None => self.read_only_replies(&of).await?,
            };
            let next = below.iter().flat_map(|below| &below.ids);
            let next: Vec<StatusId> = next.map(|(id, _)| *id).collect();
            tree.below.extend(level.into_iter().zip(below));
            all.extend(&next);
            level = next;
        }
        tree.deepest.extend(level);
        all.extend(tree.below.values().filter_map(|below| below.next));
        Ok((tree, all))
    }

    /// Returns those of these statuses below which replies or gaps may be. The others get an entry without replies in
    /// the tree: by their cached rows they are not deleted and have none. No round trip.
    fn parents_among(&self, level: Vec<StatusId>, tree: &mut Tree) -> Vec<StatusId> {
        let rows = self.cached_rows::<StatusRow>(&level);
        let is_leaf = |row: Arc<StatusRow>| !row.is_dead && row.reply_count + row.gap_count == 0;
        let (mut leaves, mut parents) = (Vec::new(), Vec::new());
        for (id, row) in level.into_iter().zip(rows) {
            let ids = match row.is_some_and(is_leaf) {
                true => &mut leaves,
                false => &mut parents,
            };
            ids.push(id);
        }
        let leaves = leaves.into_iter().map(|id| (id, Below::default()));
        tree.below.extend(leaves);
        parents
    }

    /// Returns the reply under each of these if it is the only one. One round trip.
    async fn read_only_replies(&self, of: &[(StatusId, Option<StatusId>)]) -> Result<Vec<Below>> {
        let mut below = self.read_replies(of, 1).await?;
        for forked in below.iter_mut().filter(|below| below.next.is_some()) {
            forked.next = forked.ids.drain(..).next().map(|(id, _)| id);
        }
        Ok(below)
    }

    /// Finds out which of the folded replies lead to one that the viewer sees. Reads at most `most` replies, and searches
    /// below hidden ones. Where that does not suffice, a reply counts as one that does. No round trip unless the first
    /// folded reply is hidden.
    async fn find_folded(
        &self,
        viewer: Viewer,
        (direct, tree): (&Below, &mut Tree),
        most: usize,
    ) -> Result<()> {
        let mut searched = tree.undecided(direct);
        for _ in 0..SEARCHED_LEVELS {
            if searched.is_empty() {
                return Ok(());
            }
            let of: Vec<_> = searched.iter().map(|one| (one.of, one.after)).collect();
            let below = self
                .read_replies(&of, (most / of.len()).clamp(1, MOST_PER_READ))
                .await?;
            let ids = below.iter().flat_map(|below| &below.ids);
            let ids: Vec<StatusId> = ids.map(|(id, _)| *id).collect();
            let visible = self.visible(viewer, &ids).await?;
            let visible: HashSet<StatusId> = visible.iter().map(|status| status.id).collect();
            let mut hidden = Vec::new();
            for (Folded { branch, .. }, below) in searched.into_iter().zip(below) {
                let is_found = below.ids.iter().any(|(id, _)| visible.contains(id));
                if is_found || below.next.is_some() {
                    tree.leading_on.insert(branch);
                }
                let next = below.ids.into_iter().map(|(of, _)| Folded {
                    branch,
                    of,
                    after: None,
                });
                hidden.extend(next);
            }
            hidden.retain(|one| !tree.leading_on.contains(&one.branch));
            searched = hidden;
        }
        tree.leading_on
            .extend(searched.iter().map(|one| one.branch));
        Ok(())
    }

    /// Reads the tree below the replies, and all statuses of it that the viewer may see. Reads on while hidden
    /// replies leave the page short, or leave it open whether another page follows, within [`REPLIES_READ`] and the
    /// budget of texts.
    async fn complete_conversation(
        &self,
        viewer: Viewer,
        (id, thread): (StatusId, Option<Thread>),
        mut direct: Below,
    ) -> Result<Conversation> {
        let mut ancestors = thread.as_ref().map_or_else(Vec::new, Thread::shown);
        let mut conversation = Conversation {
            between: thread.as_ref().map_or(0, Thread::between),
            ..Conversation::default()
        };
        let (mut budget, mut left) = (FoldingBudget::unlimited(), REPLIES_READ);
        for read in 1..=READS {
            let (mut tree, ids) = self.read_tree(&direct, left).await?;
            left = left.saturating_sub(ids.len());
            let all: Vec<StatusId> = ancestors.iter().copied().chain(ids).collect();
            let examined = self.visible_with_muted_texts(viewer, &all, &mut budget);
            let visible = examined.await?.visible.into_iter();
            tree.visible = visible.map(|status| (status.id, status)).collect();
            self.find_folded(viewer, (&direct, &mut tree), left.max(FIRST_READ))
                .await?;
            let above = ancestors.drain(..).map(|id| tree.turn(id));
            conversation.above.extend(above);
            conversation.replies.extend(tree.branches(&direct));
            let last = direct.ids.last().filter(|_| direct.next.is_some());
            conversation.next = last.map(|(id, _)| *id);
            let is_full = conversation.replies.len() > REPLIES_PER_PAGE;
            // With as many as there is room for below each of them.
            let room = left / (1 + REPLIES_BELOW[0]);
            let count = (FIRST_READ << read).min(MOST_PER_READ).min(room);
            let is_budget_used_up = count == 0 || read == READS || budget.is_page_used_up();
            if conversation.next.is_none() || is_full || is_budget_used_up {
                break;
            }
            let further = self.read_replies(&[(id, conversation.next)], count).await?;
            direct = further.into_iter().next().unwrap_or_default();
        }
        if conversation.replies.len() > REPLIES_PER_PAGE {
            conversation.replies.truncate(REPLIES_PER_PAGE);
            conversation.next = conversation.replies.last().map(|branch| branch.turn.id);
        }
        let is_visible = |branch: &&Branch| branch.turn.status.is_some();
        let direct_count = conversation.replies.iter().filter(is_visible).count();
        conversation.reply_count = conversation.next.is_none().then_some(direct_count as u64);
        conversation.replies = without_hidden(conversation.replies, &mut conversation.hidden);
        Ok(conversation)
    }
}

/// Returns the branches without hidden replies, which move to `hidden` with everything below them. A branch that had
/// replies and has no others left leads to its own page.
fn without_hidden(branches: Vec<Branch>, hidden: &mut Vec<Branch>) -> Vec<Branch> {
    let mut shown = Vec::with_capacity(branches.len());
    for mut branch in branches {
        let status = branch.turn.status.as_ref();
        if status.is_some_and(VisibleStatus::is_hidden) {
            hidden.push(branch);
            continue;
        }
        branch.below = without_hidden(branch.below, hidden);
        shown.push(branch);
    }
    shown
}

#[derive(Default)]
struct Tree {
    /// Replies to each status that there was room to descend into.
    below: HashMap<StatusId, Below>,
    visible: HashMap<StatusId, VisibleStatus>,
    /// The replies of the last level. The number of replies beside each says whether it has any.
    deepest: HashSet<StatusId>,
    /// The replies with a folded one behind hidden ones, that the viewer sees.
    leading_on: HashSet<StatusId>,
}

/// A place at which replies are searched that the viewer sees.
struct Folded {
    /// The reply on the page that would lead to them.
    branch: StatusId,
    of: StatusId,
    /// The last reply that was read there.
    after: Option<StatusId>,
}

impl Tree {
    fn turn(&self, id: StatusId) -> Turn {
        Turn {
            id,
            status: self.visible.get(&id).cloned(),
        }
    }

    fn is_visible(&self, id: StatusId) -> bool {
        self.visible.contains_key(&id)
    }

    /// Returns whether a reply has replies: by its stored number, or because it is a gap.
    fn has_replies(&self, id: StatusId, is_gap: bool) -> bool {
        let status = self.visible.get(&id);
        status.map_or(is_gap, |status| status.reply_and_gap_count() > 0)
    }

    /// Returns the places where it is open whether the viewer sees a folded reply: the first one is hidden, or there
    /// was no room to read it.
    fn undecided(&self, direct: &Below) -> Vec<Folded> {
        let read = self.below.iter().filter_map(|(branch, below)| {
            let is_open = below
                .next
                .is_some_and(|next| !self.visible.contains_key(&next));
            is_open.then(|| Folded {
                branch: *branch,
                of: *branch,
                after: below.ids.last().map(|(id, _)| *id),
            })
        });
        let levels = self.below.values().chain([direct]);
        let children = levels.flat_map(|below| &below.ids);
        let unread = children.filter(|(id, is_gap)| {
            let is_read = self.below.contains_key(id) || self.deepest.contains(id);
            !is_read && self.has_replies(*id, *is_gap)
        });
        let unread = unread.map(|(id, _)| Folded {
            branch: *id,
            of: *id,
            after: None,
        });
        read.chain(unread).collect()
    }

    /// Leaves out a deleted or hidden reply without replies.
    fn branches(&self, of: &Below) -> Vec<Branch> {
        let branches = of.ids.iter().filter_map(|(id, is_gap)| {
            let turn = self.turn(*id);
            let read = self.below.get(id);
            let below = read.map_or_else(Vec::new, |below| self.branches(below));
            let leads_on = match read {
                Some(below) => below.next.is_some_and(|next| self.is_visible(next)),
                None => self.deepest.contains(id) && self.has_replies(*id, *is_gap),
            };
            let has_more = leads_on || self.leading_on.contains(id);
            let more = match (has_more, below.is_empty()) {
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
