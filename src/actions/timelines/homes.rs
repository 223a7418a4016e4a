//! Homes and lists: reading them to their end, and rebuilding them after a long absence.

use std::{collections::HashMap, mem};

use futures_util::try_join;

use crate::{
    actions::{prelude::*, timelines::prune_changed},
    domain::{Arrival, Cursor, PAGE_SIZE, Page, Sources},
    store::{
        Begin, Examined, FoldingBudget, FurtherIds, Mark, MergeBudget, Merged, NewPosts,
        NotedDownTo, Oldest, PageInProgress, Rate, RateLimit, ReadMode, Rest, ShownOnce,
        TimelineRead,
    },
};

/// Maximum number of rebuilds that other rebuilds may replace, before pages are merged instead.
const ROUNDS: usize = 5;

/// A page of a home, and the new posts on that home.
#[derive(Debug, Clone)]
pub struct HomeRead {
    pub page: Page<VisibleStatus>,
    /// `None` while the home is being built.
    pub new_posts: Option<NewPosts>,
    /// The last arrival that the first page includes.
    pub arrival: Option<Arrival>,
}

/// Returns a page of the home timeline, newest first: listing 8.3 of the book. The book's pages are short
/// where statuses were deleted, and end with the thousandth. This one is full unless the timeline ends.
/// If nearly everything is filtered out, it ends early and the next page continues. Below the floor it
/// continues by merging profiles. A home without a recent reader is rebuilt first.
///
/// The page comes with the posts that are new since the owner's last visit, on any device. A *visit* is
/// reading home without a pause of 15 minutes. New posts stay new until the visit ends, however often a
/// page is loaded. Only posts that pages have shown are seen at the next visit: a reader who leaves after
/// the first page finds the rest new again. Not new are the reader's own posts, posts written before the
/// last visit that arrived by a later follow, and posts that are too old for home. A status that a slow
/// delivery brings after newer ones were read is new. The step that reads the home remembers all this
/// (`read_home.lua`). If the page needs further reads, a step after the last one does
/// (`note_shown.lua`). A prefetch remembers nothing.
pub async fn home_page(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
    read_mode: ReadMode,
) -> Result<HomeRead> {
    read_home(store, viewer, before, TimelineRead::First(read_mode)).await
}

/// Returns a home page right after the session was read over this connection. That was the needed round
/// trip, so an unchanged home takes none.
pub async fn home_page_in_session(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
    read_mode: ReadMode,
) -> Result<HomeRead> {
    read_home(store, viewer, before, TimelineRead::InSession(read_mode)).await
}

async fn read_home(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
    first: TimelineRead,
) -> Result<HomeRead> {
    let mut line = Line::of(store, Timeline::Home(viewer), before, first);
    let page = line.read().await?;
    let new_posts = match line.new_posts.take() {
        None => None,
        Some(new_posts) => Some(line.adjust_new_posts(viewer, new_posts, &page).await?),
    };
    Ok(HomeRead {
        page,
        new_posts,
        arrival: line.arrival,
    })
}

/// Returns one page of a list's timeline for its owner, newest first. It is as full and as long as a
/// home.
pub async fn list_page(
    store: &Store,
    list: ListId,
    before: Option<Cursor>,
) -> Result<Page<VisibleStatus>> {
    let list = Timeline::List(list);
    Line::of(store, list, before, TimelineRead::Further)
        .read()
        .await
}

/// A timeline that is being read for a page.
struct Line<'a> {
    store: &'a Store,
    timeline: Timeline,
    began: Option<Cursor>,
    /// The kind of the first read.
    first: TimelineRead,
    once: ShownOnce,
    mark: Mark,
    /// The sources of the timeline, once they are needed.
    sources: Option<Sources>,
    /// The budget of all merges of the page, once one is needed.
    budget: Option<MergeBudget>,
    new_posts: Option<NewPosts>,
    arrival: Option<Arrival>,
    examined: Vec<StatusId>,
    /// The rest of the page's budget of texts, for the number of new posts.
    folding: FoldingBudget,
    /// Position of the second read, if the first did not fill the page.
    read_on: Option<Cursor>,
    /// Entries after the first read.
    further: FurtherIds,
    noted: NotedDownTo,
}

impl<'a> Line<'a> {
    fn of(
        store: &'a Store,
        timeline: Timeline,
        began: Option<Cursor>,
        first: TimelineRead,
    ) -> Self {
        Self {
            store,
            timeline,
            began,
            first,
            once: ShownOnce::on(timeline),
            mark: Mark::Dormant,
            sources: None,
            budget: None,
            new_posts: None,
            arrival: None,
            examined: Vec::new(),
            folding: FoldingBudget::of_page(),
            read_on: None,
            further: FurtherIds::default(),
            noted: NotedDownTo::default(),
        }
    }

    async fn read(&mut self) -> Result<Page<VisibleStatus>> {
        let viewer = Viewer::Member(self.timeline.owner());
        let mut page = PageInProgress::of_home(self.began);
        while let Some((cursor, wanted)) = page.wants() {
            let slice = self.look(cursor, wanted).await?;
            let (ids, rest) = self.complete(slice, cursor, wanted).await?;
            let examined = self
                .store
                .visible_on_timelines(viewer, &ids, page.folding())
                .await?;
            let Examined { visible, count } = examined;
            let visible = self.shown_once(visible).await?;
            page.add_examined(&ids, Examined { visible, count }, rest);
            self.examined.extend(&ids[..count]);
        }
        mem::swap(&mut self.folding, page.folding());
        let page = page.finish();
        if let Err(error) = self.note_shown(page.next).await {
            tracing::debug!(%error, "the shown statuses of a home were not recorded and stay new");
        }
        Ok(page)
    }

    /// Returns the part of it that the page shows.
    async fn shown_once(&mut self, visible: Vec<VisibleStatus>) -> Result<Vec<VisibleStatus>> {
        let (once, sources) = (&mut self.once, &mut self.sources);
        self.store
            .shown_once(once, self.mark, sources, visible)
            .await
    }

    /// Reads a slice. A dormant timeline is rebuilt first.
    async fn look(&mut self, before: Option<Cursor>, wanted: usize) -> Result<Vec<StatusId>> {
        let look = if before == self.began {
            self.first
        } else {
            self.read_on = self.read_on.or(before);
            let known = before.and_then(|before| self.further.older(before, wanted));
            if let Some(known) = known {
                return Ok(known);
            }
            TimelineRead::Further
        };
        let slice = async || self.store.slice(self.timeline, look, before, wanted).await;
        let mut found = slice().await?;
        if found.mark == Mark::Dormant {
            match rebuild(self.store, self.timeline, Begin::Visit).await {
                // With full memory, the page is merged from the profiles.
                Ok(()) | Err(Error::Full) => {}
                Err(error) => return Err(error),
            }
            found = slice().await?;
        }
        self.mark = found.mark;
        self.new_posts = self.new_posts.take().or(found.new_posts);
        self.arrival = self.arrival.or(found.arrival);
        if before == self.began {
            (self.further, self.noted) = (found.further, found.noted);
        }
        if before.is_none() {
            self.once.share(found.shared);
        }
        Ok(found.ids)
    }

    /// Completes a slice: stored entries from the floor upwards, merged profiles below it.
    async fn complete(
        &mut self,
        slice: Vec<StatusId>,
        before: Option<Cursor>,
        wanted: usize,
    ) -> Result<(Vec<StatusId>, Rest)> {
        let (mut ids, below) = match self.mark {
            Mark::Floor(0) => {
                let rest = Rest::of(slice.len(), wanted);
                return Ok((slice, rest));
            }
            Mark::Floor(floor) => {
                let below = Cursor::before(before.map_or(floor, |cursor| cursor.get().min(floor)));
                let above = slice.into_iter().filter(|id| id.get() >= floor);
                (above.collect(), Some(below))
            }
            Mark::Building | Mark::Dormant => (Vec::new(), before),
        };
        let missing = wanted - ids.len();
        if missing == 0 {
            return Ok((ids, Rest::More));
        }
        if self.budget.is_none()
            && let Some(rest) = self.charge_merged_page(below).await?
        {
            return Ok((ids, rest));
        }
        let merged = self.merge(below, missing).await?;
        let rest = match merged.down_to {
            None => Rest::Nothing,
            Some(from) if merged.statuses.len() < missing => Rest::Later(from),
            Some(_) => Rest::More,
        };
        ids.extend(merged.statuses.into_iter().map(|(id, _)| id));
        Ok((ids, rest))
    }

    /// Counts a merged page against its limit. Over the limit, the first page of a home or list ends
    /// with its stored part and a link, and an older page fails.
    async fn charge_merged_page(&self, below: Option<Cursor>) -> Result<Option<Rest>> {
        let limit = RateLimit::MergedPage(self.timeline.owner());
        match (self.store.charge_rate_limit(limit).await?, below) {
            (Rate::Within, _) => Ok(None),
            (Rate::Over { .. }, Some(below)) if self.began.is_none() => {
                Ok(Some(Rest::Later(below)))
            }
            (Rate::Over { retry_after_s } | Rate::OverForNewcomer { retry_after_s, .. }, _) => {
                Err(Error::TooMany { retry_after_s })
            }
        }
    }

    /// Merges the profiles of the sources, within the budget of the page.
    async fn merge(&mut self, before: Option<Cursor>, count: usize) -> Result<Merged> {
        let sources = match self.sources.take() {
            Some(known) => self.sources.insert(known),
            None => self
                .sources
                .insert(self.store.sources(self.timeline).await?),
        };
        let budget = self
            .budget
            .get_or_insert_with(|| MergeBudget::of_page(sources));
        self.store
            .merge_sources(sources, before, count, budget)
            .await
    }

    /// Notes posts that further reads of the page have shown.
    async fn note_shown(&self, next: Option<Cursor>) -> Result<()> {
        let (
            Timeline::Home(owner),
            TimelineRead::First(ReadMode::Visit) | TimelineRead::InSession(ReadMode::Visit),
            Some(from),
            Mark::Floor(floor),
        ) = (self.timeline, self.first, self.read_on, self.mark)
        else {
            return Ok(());
        };
        let lowest = next.map_or(floor, |next| next.get().max(floor));
        let shown = lowest..=from.get();
        if shown.is_empty() || self.noted.includes(lowest) {
            return Ok(());
        }
        let mut examined = self.examined.clone();
        examined.retain(|id| shown.contains(&id.get()));
        let call = self.store.begin().await?;
        self.store
            .note_shown(&call, owner, shown, &examined)
            .await?;
        self.noted.note(lowest);
        Ok(())
    }

    /// Adjusts the new posts for the first page: only one repost of an original is shown, and no deleted
    /// post. If all of them are on this page, exactly the shown ones count.
    async fn adjust_new_posts(
        &mut self,
        reader: UserId,
        new_posts: NewPosts,
        page: &Page<VisibleStatus>,
    ) -> Result<NewPosts> {
        if self.began.is_some() {
            return Ok(new_posts);
        }
        let (store, viewer) = (self.store, Viewer::Member(reader));
        let (oldest, leaves_out_posts) = match new_posts.oldest {
            Some(Oldest { id, page: Some(_) }) => try_join!(
                self.oldest_shown(reader, &new_posts, id),
                store.leaves_out_posts(viewer)
            )?,
            on_this_page => (on_this_page, false),
        };
        Ok(match oldest {
            Some(Oldest { page: Some(_), .. }) => {
                let left_out = match leaves_out_posts {
                    true => {
                        let budget = &mut self.folding;
                        store.left_out_count(reader, &new_posts, budget).await?
                    }
                    false => 0,
                };
                let count = new_posts.count.saturating_sub(left_out);
                NewPosts {
                    oldest,
                    count,
                    ..new_posts
                }
            }
            _ => counted(new_posts, page),
        })
    }

    /// Returns the oldest new status from this one on that a page of home shows. It takes one round trip
    /// at most, and those of a page if that status is shown. Portions double, because most new posts may be
    /// hidden. A status that the budget of texts leaves unexamined counts as shown.
    async fn oldest_shown(
        &mut self,
        reader: UserId,
        new_posts: &NewPosts,
        from: StatusId,
    ) -> Result<Option<Oldest>> {
        let ids = self.store.entries_down_to(&mut self.once, from).await?;
        let new: Vec<StatusId> = ids
            .iter()
            .copied()
            .filter(|id| new_posts.is_new(*id))
            .collect();
        let (mut newer, mut size) = (&new[..], PAGE_SIZE);
        let viewer = Viewer::Member(reader);
        while !newer.is_empty() {
            let (rest, some) = newer.split_at(newer.len().saturating_sub(size));
            (newer, size) = (rest, 2 * size);
            let examined = self
                .store
                .visible_on_timelines(viewer, some, &mut self.folding)
                .await?;
            if let Some(unknown) = some[examined.count..].last() {
                return Ok(Some(Oldest::on(&ids, *unknown)));
            }
            self.once.forget_page();
            let shown = self.shown_once(examined.visible).await?;
            if let Some(oldest) = shown.iter().rev().find(|status| !status.is_own()) {
                return Ok(Some(Oldest::on(&ids, oldest.id())));
            }
        }
        Ok(None)
    }
}

/// Counts the new posts, which are all on this page, without deleted ones.
fn counted(new_posts: NewPosts, page: &Page<VisibleStatus>) -> NewPosts {
    let shown = page.items.iter().filter(|status| !status.is_own());
    let new: Vec<StatusId> = shown
        .map(VisibleStatus::id)
        .filter(|id| new_posts.is_new(*id))
        .collect();
    NewPosts {
        count: new.len() as u64,
        oldest: new.last().map(|id| Oldest {
            id: *id,
            page: None,
        }),
        ..new_posts
    }
}

/// Rebuilds a timeline from the profiles of its sources, and for a home the owner's own: the exercise
/// "Refilling timelines" of section 8.3 of the book, and the return after a long absence. Deliveries and
/// follows write to it meanwhile. Writes of this rebuild count only while its token is valid.
pub async fn rebuild(store: &Store, timeline: Timeline, why: Begin) -> Result<()> {
    for _ in 0..ROUNDS {
        let token = format!("{:032x}", rand::random::<u128>());
        if !store.begin_rebuild(timeline, &token, why).await? {
            return Ok(());
        }
        let size = store.config().limits.home_size;
        let sources = store.sources(timeline).await?;
        let mut budget = MergeBudget::of_rebuild(&sources, size);
        let merged = store.merge_sources(&sources, None, size, &mut budget);
        let merged = merged.await?;
        if finish_rebuild(store, timeline, &token, merged).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// Adds the merged entries to a timeline that is being built, removes those that died or changed tags
/// meanwhile, and publishes the timeline. Returns `false` if the token is no longer valid.
pub async fn finish_rebuild(
    store: &Store,
    timeline: Timeline,
    token: &str,
    merged: Merged,
) -> Result<bool> {
    let floor = merged.down_to.map_or(0, Cursor::get);
    if !store
        .fill_rebuild(timeline, token, &merged.statuses)
        .await?
    {
        return Ok(false);
    }
    let merged: HashMap<StatusId, StatusHeader> = merged.statuses.into_iter().collect();
    let seen = |id: StatusId| {
        let known = merged.get(&id).cloned();
        (id, known.map_or(Life::Absent, Life::Living))
    };
    let ids = store.timeline_ids(timeline).await?;
    prune_changed(store, timeline, ids.into_iter().map(seen).collect()).await?;
    store.finish_rebuild(timeline, token, floor).await
}
