//! Home timelines and those of lists: reading them to their end, and building them anew after a long
//! absence.

use crate::{
    actions::timelines::dead_among,
    domain::{Arrival, Cursor, ListId, Page, Sources, StatusId, Timeline, UserId},
    store::{
        Begin, Mark, News, Oldest, PageInProgress, Regard, Result, ShownOnce, Store, TimelineSlice,
        Viewer, VisibleStatus,
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
/// statuses were deleted and end with the thousandth. This one is full unless the timeline ends; below
/// the home's floor it goes on by merging profiles, and a home that nobody had read for long is built
/// anew first.
///
/// With it comes what is new since its owner was there, on whatever device. A *visit* is reading home
/// without a pause of 15 minutes; what is new stays so until it ends, however often a page is loaded.
/// Only what pages have shown is seen by the next visit: whoever leaves after the first page finds the
/// rest new again, in whichever order pages are read. Not new is what the reader wrote, what was
/// written before the last visit and came by following its author since, and what is too old for home
/// to keep. A status that a slow delivery brings after newer ones were read is new. All this is
/// remembered in the step that reads the home (`read_home.lua`), unless it is read at a glance.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn home_page(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
    regard: Regard,
) -> Result<HomeRead> {
    let home = Timeline::Home(viewer);
    let (page, news, arrival) = timeline_page(store, home, before, regard).await?;
    let news = news.map(|news: News| match (before, news.oldest) {
        (None, None | Some(Oldest { page: None, .. })) => counted(news, &page),
        _ => news,
    });
    Ok(HomeRead {
        page,
        news,
        arrival,
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
    let (page, ..) = timeline_page(store, list, before, Regard::Visit).await?;
    Ok(page)
}

/// A page of a timeline, what is new on it, and how far it is, where that is kept.
async fn timeline_page(
    store: &Store,
    timeline: Timeline,
    before: Option<Cursor>,
    regard: Regard,
) -> Result<(Page<VisibleStatus>, Option<News>, Option<Arrival>)> {
    let viewer = Viewer::Member(timeline.owner());
    let mut page = PageInProgress::new(before);
    let mut once = ShownOnce::on(timeline);
    let (mut sources, mut news, mut arrival) = (None, None, None);
    while let Some((cursor, wanted)) = page.wants() {
        let mut slice = awake_slice(store, timeline, (before, regard), cursor, wanted).await?;
        news = news.or(slice.news.take());
        arrival = arrival.or(slice.arrival);
        let mark = slice.mark;
        let ids = complete(store, timeline, slice, cursor, wanted, &mut sources).await?;
        let visible = store.visible(viewer, &ids).await?;
        let shown = store.shown_once(&mut once, mark, &mut sources, visible);
        page.add(&ids, shown.await?, ids.len() < wanted);
    }
    Ok((page.finish(), news, arrival))
}

/// The same news, all of which stand on this page, without what turned out to be deleted.
fn counted(news: News, page: &Page<VisibleStatus>) -> News {
    let shown = page.items.iter().filter(|status| !status.own());
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

/// A slice of the timeline; a dormant one is built first.
async fn awake_slice(
    store: &Store,
    timeline: Timeline,
    page: (Option<Cursor>, Regard),
    before: Option<Cursor>,
    wanted: usize,
) -> Result<TimelineSlice> {
    let slice = store.slice(timeline, page, before, wanted).await?;
    if slice.mark != Mark::Dormant {
        return Ok(slice);
    }
    rebuild(store, timeline, Begin::Visit).await?;
    store.slice(timeline, page, before, wanted).await
}

/// What the slice holds from the floor up, and below it what the profiles hold.
async fn complete(
    store: &Store,
    timeline: Timeline,
    slice: TimelineSlice,
    before: Option<Cursor>,
    wanted: usize,
    sources: &mut Option<Sources>,
) -> Result<Vec<StatusId>> {
    let (mut ids, below) = match slice.mark {
        Mark::Floor(0) => return Ok(slice.ids),
        Mark::Floor(floor) => {
            let below = Cursor::before(before.map_or(floor, |cursor| cursor.get().min(floor)));
            (
                slice
                    .ids
                    .into_iter()
                    .filter(|id| id.get() >= floor)
                    .collect(),
                Some(below),
            )
        }
        Mark::Building | Mark::Dormant => (Vec::new(), before),
    };
    if ids.len() < wanted {
        let sources = match sources.take() {
            Some(known) => sources.insert(known),
            None => sources.insert(store.sources(timeline).await?),
        };
        let merged = store
            .merge_sources(sources, below, wanted - ids.len())
            .await?;
        ids.extend(merged.into_iter().map(|(id, _)| id));
    }
    Ok(ids)
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
        let floor = merged
            .last()
            .filter(|_| merged.len() == size)
            .map_or(0, |(id, _)| id.get());
        if !store.fill_rebuild(timeline, &token, &merged).await? {
            continue;
        }
        let dead = dead_among(store, &store.timeline_ids(timeline).await?).await?;
        if store.finish_rebuild(timeline, &token, floor, &dead).await? {
            return Ok(());
        }
    }
    Ok(())
}
