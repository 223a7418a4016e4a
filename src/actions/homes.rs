//! Home timelines: reading them to their end, and building them anew after a long absence.

use crate::{
    actions::follows::dead_among,
    domain::{Cursor, Page, StatusId, UserId},
    store::{Begin, HomeSlice, Mark, PageInProgress, Result, Store, Viewer, VisibleStatus},
};

/// How often a rebuild begins anew when another one took over, before pages are merged instead.
const ROUNDS: usize = 5;

/// A page of the home timeline, newest first: listing 8.3 of the book, with its exercises. It is
/// full unless the timeline ends; below the home's floor it goes on by merging profiles, and a
/// home that nobody had read for long is built anew first.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn home_page(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
) -> Result<Page<VisibleStatus>> {
    let mut page = PageInProgress::new(before);
    let mut authors = None;
    while let Some((cursor, wanted)) = page.wants() {
        let slice = awake_slice(store, viewer, cursor, wanted).await?;
        let ids = complete(store, viewer, slice, cursor, wanted, &mut authors).await?;
        let visible = store.visible(Viewer::Member(viewer), &ids).await?;
        page.add(&ids, visible, ids.len() < wanted);
    }
    Ok(page.finish())
}

/// A slice of the home; a dormant one is built first.
async fn awake_slice(
    store: &Store,
    viewer: UserId,
    before: Option<Cursor>,
    wanted: usize,
) -> Result<HomeSlice> {
    let slice = store.home_slice(viewer, before, wanted).await?;
    if slice.mark != Mark::Dormant {
        return Ok(slice);
    }
    rebuild(store, viewer, Begin::Visit).await?;
    store.home_slice(viewer, before, wanted).await
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
