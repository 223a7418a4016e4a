//! Home timelines: reading them to their end, and building them anew after a long absence.

use crate::{
    actions::follows::dead_among,
    domain::{Cursor, Page, StatusId, UserId},
    store::{
        Begin, HomeSlice, Mark, News, Oldest, PageInProgress, Result, Store, Viewer, VisibleStatus,
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
}

/// A page of the home timeline, newest first: listing 8.3 of the book, with its exercises. It is
/// full unless the timeline ends; below the home's floor it goes on by merging profiles, and a
/// home that nobody had read for long is built anew first.
///
/// With it comes what is new since its owner was there, on whatever device. A *visit* is reading home
/// without a pause of 15 minutes; what is new stays so until it ends, however often a page is
/// loaded. Only what pages have shown is seen by the next visit: whoever leaves after the first page
/// finds the rest new again, in whichever order pages are read. Not new is what the reader wrote,
/// what was written before the last visit and came by following its author since, and what is too
/// old for home to keep. A status that a slow delivery brings after newer ones were read is new. All
/// this is remembered in the step that reads the home (`read_home.lua`).
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn home_page(store: &Store, viewer: UserId, before: Option<Cursor>) -> Result<HomeRead> {
    let mut page = PageInProgress::new(before);
    let (mut authors, mut news) = (None, None);
    while let Some((cursor, wanted)) = page.wants() {
        let mut slice = awake_slice(store, viewer, before, cursor, wanted).await?;
        news = news.or(slice.news.take());
        let ids = complete(store, viewer, slice, cursor, wanted, &mut authors).await?;
        let visible = store.visible(Viewer::Member(viewer), &ids).await?;
        page.add(&ids, visible, ids.len() < wanted);
    }
    let page = page.finish();
    let news = news.map(|news: News| match (before, news.oldest) {
        (None, None | Some(Oldest { page: None, .. })) => counted(news, &page),
        _ => news,
    });
    Ok(HomeRead { page, news })
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

/// A slice of the home; a dormant one is built first.
async fn awake_slice(
    store: &Store,
    viewer: UserId,
    began: Option<Cursor>,
    before: Option<Cursor>,
    wanted: usize,
) -> Result<HomeSlice> {
    let slice = store.home_slice(viewer, began, before, wanted).await?;
    if slice.mark != Mark::Dormant {
        return Ok(slice);
    }
    rebuild(store, viewer, Begin::Visit).await?;
    store.home_slice(viewer, began, before, wanted).await
}

/// What the slice holds from the floor up, and below it what the profiles hold.
async fn complete(
    store: &Store,
    viewer: UserId,
    slice: HomeSlice,
    before: Option<Cursor>,
    wanted: usize,
    authors: &mut Option<Vec<UserId>>,
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
        let authors = match authors.take() {
            Some(known) => authors.insert(known),
            None => authors.insert(sources(store, viewer).await?),
        };
        let merged = store
            .merge_profiles(authors, below, wanted - ids.len())
            .await?;
        ids.extend(merged.into_iter().map(|(id, _)| id));
    }
    Ok(ids)
}

/// Builds a home anew from the profiles of its owner and those they follow: the book's exercise of
/// refilling, and the return after a long absence. Deliveries and follows write to it meanwhile;
/// what is written here counts only while our token stands.
pub async fn rebuild(store: &Store, owner: UserId, why: Begin) -> Result<()> {
    for _ in 0..ROUNDS {
        let token = format!("{:032x}", rand::random::<u128>());
        if !store.begin_rebuild(owner, &token, why).await? {
            return Ok(());
        }
        let size = store.config().limits.home_size;
        let authors = sources(store, owner).await?;
        let merged = store.merge_profiles(&authors, None, size).await?;
        let floor = merged
            .last()
            .filter(|_| merged.len() == size)
            .map_or(0, |(id, _)| id.get());
        if !store.fill_rebuild(owner, &token, &merged).await? {
            continue;
        }
        let dead = dead_among(store, &store.home_ids(owner).await?).await?;
        if store.finish_rebuild(owner, &token, floor, &dead).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// Whose statuses a home holds: its owner's and those of whom they follow.
async fn sources(store: &Store, owner: UserId) -> Result<Vec<UserId>> {
    let mut sources = store.following(owner).await?;
    sources.push(owner);
    Ok(sources)
}
