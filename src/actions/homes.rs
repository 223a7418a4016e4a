//! Home timelines and those of lists: reading them to their end, and building them anew after a long
//! absence.

use std::collections::HashMap;

use crate::{
    actions::timelines::prune_changed,
    domain::{
        Arrival, Cursor, ListId, PAGE_SIZE, Page, Sources, StatusHeader, StatusId, Timeline, UserId,
    },
    store::{
        Begin, Life, Look, Mark, Merged, News, Oldest, PageInProgress, ReadMode, Rest, Result,
        ShownOnce, Store, Viewer, VisibleStatus,
    },
};

/// How often a rebuild begins anew when another one took over, before pages are merged instead.
const ROUNDS: usize = 5;

/// A page of a home, and what is new on that home.
#[derive(Debug, Clone)]
pub struct HomeRead {
    pub page: Page<VisibleStatus>,
    /// `None` while the home is being built.
    pub news: Option<News>,
    /// The last arrival that the first page is up to.
    pub arrival: Option<Arrival>,
}

/// A page of the home timeline, newest first: listing 8.3 of the book, whose pages come short where
/// statuses were deleted and end with the thousandth. This one is full unless the timeline ends, or far
/// too little of what was read belongs on it: then the next one goes on where it stopped. Below the
/// home's floor it goes on by merging profiles, and a home that nobody had read for long is built anew
/// first.
///
/// With it comes what is new since its owner was there, on whatever device. A *visit* is reading home
/// without a pause of 15 minutes; what is new stays so until it ends, however often a page is loaded.
/// Only what pages have shown is seen by the next visit: whoever leaves after the first page finds the
/// rest new again, in whichever order pages are read. Not new is what the reader wrote, what was
/// written before the last visit and came by following its author since, and what is too old for home
/// to keep. A status that a slow delivery brings after newer ones were read is new. All this is
/// remembered in the step that reads the home (`read_home.lua`), and where one look does not fill the
/// page, in a step behind the last (`note_shown.lua`), unless it is read at a glance.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn home_page(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
    read_mode: ReadMode,
) -> Result<HomeRead> {
    read_home(store, viewer, before, Look::First(read_mode)).await
}

/// The same for the handler of a request whose session was just read over this connection: that was the
/// trip, and none is made for a home that has not changed since it was read.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn home_page_in_session(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
    read_mode: ReadMode,
) -> Result<HomeRead> {
    read_home(store, viewer, before, Look::InSession(read_mode)).await
}

async fn read_home(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
    first: Look,
) -> Result<HomeRead> {
    let mut line = Line::of(store, Timeline::Home(viewer), before, first);
    let page = line.read().await?;
    let news = match line.news.take() {
        None => None,
        Some(news) => Some(line.told(viewer, news, &page).await?),
    };
    Ok(HomeRead {
        page,
        news,
        arrival: line.arrival,
    })
}

/// A page of a list's timeline, newest first, for its owner: as full and as long as a home.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn list_page(
    store: &Store,
    list: ListId,
    before: Option<Cursor>,
) -> Result<Page<VisibleStatus>> {
    let list = Timeline::List(list);
    Line::of(store, list, before, Look::Further).read().await
}

/// A timeline of which a page is read.
struct Line<'a> {
    store: &'a Store,
    timeline: Timeline,
    began: Option<Cursor>,
    /// How the first part of the page is read.
    first: Look,
    once: ShownOnce,
    /// As of the last look.
    mark: Mark,
    /// What it is made of, where that matters.
    sources: Option<Sources>,
    news: Option<News>,
    arrival: Option<Arrival>,
    examined: Vec<StatusId>,
    /// From where a page was read on that one look did not fill.
    read_on: Option<Cursor>,
}

impl<'a> Line<'a> {
    fn of(store: &'a Store, timeline: Timeline, began: Option<Cursor>, first: Look) -> Self {
        Self {
            store,
            timeline,
            began,
            first,
            once: ShownOnce::on(timeline),
            mark: Mark::Dormant,
            sources: None,
            news: None,
            arrival: None,
            examined: Vec::new(),
            read_on: None,
        }
    }

    async fn read(&mut self) -> Result<Page<VisibleStatus>> {
        let viewer = Viewer::Member(self.timeline.owner());
        let mut page = PageInProgress::new(self.began);
        while let Some((cursor, wanted)) = page.wants() {
            let slice = self.look(cursor, wanted).await?;
            let (ids, rest) = self.complete(slice, cursor, wanted).await?;
            let visible = self.store.visible(viewer, &ids).await?;
            let shown = self.shown_once(visible).await?;
            page.add(&ids, shown, rest);
            self.examined.extend(ids);
        }
        let page = page.finish();
        if let Err(error) = self.note_shown(page.next).await {
            tracing::debug!(%error, "what a page has shown of a home stays new");
        }
        Ok(page)
    }

    /// Of a part of it, what is shown.
    async fn shown_once(&mut self, visible: Vec<VisibleStatus>) -> Result<Vec<VisibleStatus>> {
        let (once, sources) = (&mut self.once, &mut self.sources);
        self.store
            .shown_once(once, self.mark, sources, visible)
            .await
    }

    /// A slice of it; a dormant one is built first.
    async fn look(&mut self, before: Option<Cursor>, wanted: usize) -> Result<Vec<StatusId>> {
        let look = if before == self.began {
            self.first
        } else {
            self.read_on = self.read_on.or(before);
            Look::Further
        };
        let slice = async || self.store.slice(self.timeline, look, before, wanted).await;
        let mut found = slice().await?;
        if found.mark == Mark::Dormant {
            rebuild(self.store, self.timeline, Begin::Visit).await?;
            found = slice().await?;
        }
        self.mark = found.mark;
        self.news = self.news.take().or(found.news);
        self.arrival = self.arrival.or(found.arrival);
        Ok(found.ids)
    }

    /// What a slice holds from the floor up, and below it what the profiles hold.
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
        let sources = match self.sources.take() {
            Some(known) => self.sources.insert(known),
            None => self
                .sources
                .insert(self.store.sources(self.timeline).await?),
        };
        let merged = self.store.merge_sources(sources, below, missing).await?;
        let rest = match merged.down_to {
            None => Rest::Nothing,
            Some(from) if merged.statuses.len() < missing => Rest::Later(from),
            Some(_) => Rest::More,
        };
        ids.extend(merged.statuses.into_iter().map(|(id, _)| id));
        Ok((ids, rest))
    }

    /// What the first look could not know: how much of a home the page has shown that was read on.
    async fn note_shown(&self, next: Option<Cursor>) -> Result<()> {
        let (
            Timeline::Home(owner),
            Look::First(ReadMode::Visit) | Look::InSession(ReadMode::Visit),
            Some(from),
            Mark::Floor(floor),
        ) = (self.timeline, self.first, self.read_on, self.mark)
        else {
            return Ok(());
        };
        let lowest = next.map_or(floor, |next| next.get().max(floor));
        let shown = lowest..=from.get();
        if shown.is_empty() {
            return Ok(());
        }
        let mut examined = self.examined.clone();
        examined.retain(|id| shown.contains(&id.get()));
        let call = self.store.begin().await?;
        self.store.note_shown(&call, owner, shown, &examined).await
    }

    /// The same news for the first page as pages show it: of what several people repost one repost is
    /// shown, and what was deleted is not. Where all of it stands on this page, just what is there counts.
    async fn told(
        &mut self,
        reader: UserId,
        news: News,
        page: &Page<VisibleStatus>,
    ) -> Result<News> {
        if self.began.is_some() {
            return Ok(news);
        }
        let oldest = match news.oldest {
            Some(Oldest { id, page: Some(_) }) => self.oldest_shown(reader, &news, id).await?,
            on_this_page => on_this_page,
        };
        Ok(match oldest {
            Some(Oldest { page: Some(_), .. }) => News { oldest, ..news },
            _ => counted(news, page),
        })
    }

    /// The oldest new status from that one on that a page of home shows. Where that one is shown, it takes
    /// a trip and those of a page; portions double, as all that is new may be hidden but the newest.
    async fn oldest_shown(
        &mut self,
        reader: UserId,
        news: &News,
        from: StatusId,
    ) -> Result<Option<Oldest>> {
        let ids = self.store.timeline_ids_down_to(self.timeline, from).await?;
        let new: Vec<StatusId> = ids.iter().copied().filter(|id| news.is_new(*id)).collect();
        let (mut newer, mut size) = (&new[..], PAGE_SIZE);
        while !newer.is_empty() {
            let (rest, some) = newer.split_at(newer.len().saturating_sub(size));
            (newer, size) = (rest, 2 * size);
            let visible = self.store.visible(Viewer::Member(reader), some).await?;
            self.once.forget_page();
            let shown = self.shown_once(visible).await?;
            if let Some(oldest) = shown.iter().rev().find(|status| !status.is_own()) {
                return Ok(Some(Oldest::on(&ids, oldest.id())));
            }
        }
        Ok(None)
    }
}

/// The same news, all of which stand on this page, without what turned out to be deleted.
fn counted(news: News, page: &Page<VisibleStatus>) -> News {
    let shown = page.items.iter().filter(|status| !status.is_own());
    let new: Vec<StatusId> = shown
        .map(VisibleStatus::id)
        .filter(|id| news.is_new(*id))
        .collect();
    News {
        count: new.len() as u64,
        oldest: new.last().map(|id| Oldest {
            id: *id,
            page: None,
        }),
        ..news
    }
}

/// Builds a timeline anew from the profiles of its sources, its owner's own on a home: the exercise
/// "Refilling timelines" of section 8.3 of the book, and the return after a long absence. Deliveries
/// and follows write to it meanwhile; what is written here counts only while our token stands.
pub async fn rebuild(store: &Store, timeline: Timeline, why: Begin) -> Result<()> {
    for _ in 0..ROUNDS {
        let token = format!("{:032x}", rand::random::<u128>());
        if !store.begin_rebuild(timeline, &token, why).await? {
            return Ok(());
        }
        let size = store.config().limits.home_size;
        let sources = store.sources(timeline).await?;
        let merged = store.merge_sources(&sources, None, size).await?;
        if finish_rebuild(store, timeline, &token, merged).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// Puts what was merged onto a timeline that is being built, takes out again what died or got other
/// tags since it was read, and lets it be read. `false` where the token is over.
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
