//! The cost of muted words and of searches: each text is folded once, a page has a budget of folded bytes, and other
//! requests have their turn meanwhile. Bytes and turns are counted, not time.

use std::{
    future::{Future, poll_fn},
    pin::pin,
};

use redwing::{
    actions::{homes, importance},
    domain::{Cursor, PAGE_SIZE, Page, ProfileView, Query, StatusId, UserId},
    store::{FoldingBudget, ReadMode, Store, Viewer, VisibleStatus},
};

use crate::support::{core::Core, crowd};

/// The budget of a page, and more than any text takes before and after folding.
const BUDGET: u64 = 256 << 10;
const LARGEST: u64 = 8192;
/// Number of large posts: several pages of folding.
const MANY: usize = 150;
/// Number of bytes after which others have their turn.
const PORTION: u64 = 16 << 10;

/// Returns a text with the word that takes as many bytes as a post can have.
fn large(number: usize) -> String {
    let marked = "e\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}";
    format!("zebra {number} {}", marked.repeat(268))
}

/// A reader who mutes the word, and their home: an old post without it below many large ones with it.
struct Scene {
    core: Core,
    reader: UserId,
    quiet: StatusId,
    large: Vec<StatusId>,
}

impl Scene {
    async fn set(settings: &[&str]) -> Self {
        // One author writes all posts.
        let unshared = ["--everybody-per-hour", "100000"];
        let core = Core::with(&[settings, &unshared].concat());
        let store = &core.store;
        let reader = crowd::member(store, "reader").await;
        let author = crowd::member(store, "author").await;
        crowd::follow(store, reader, author).await;
        crowd::home(store, reader).await;
        let quiet = crowd::post(store, author, "quiet").await;
        let mut posts = Vec::new();
        for number in 0..MANY {
            posts.push(crowd::post(store, author, &large(number)).await);
        }
        core.drain().await;
        crowd::mute_text(store, reader, "zebra").await;
        Self {
            core,
            reader,
            quiet,
            large: posts,
        }
    }

    fn store(&self) -> &Store {
        &self.core.store
    }

    async fn home(&self, before: Option<Cursor>) -> Page<VisibleStatus> {
        let read = homes::home_page(self.store(), self.reader, before, ReadMode::Visit);
        read.await.expect("an answer").page
    }

    async fn everybody(&self, before: Option<Cursor>) -> Page<VisibleStatus> {
        let page = self
            .store()
            .everybody_page(Viewer::Member(self.reader), before);
        page.await.expect("an answer")
    }

    /// Returns the number of the large posts that a home leaves out, as far as one budget knows it.
    async fn left_out(&self) -> u64 {
        let mut budget = FoldingBudget::of_page();
        let count = self
            .store()
            .left_out_among(self.reader, &self.large, &mut budget);
        count.await.expect("an answer")
    }

    async fn search(&self, query: &str, before: Option<Cursor>) -> Page<VisibleStatus> {
        let query = Query::parse(query);
        let page = self.store().search(Viewer::Anonymous, &query, before);
        page.await.expect("an answer")
    }
}

/// Returns the bytes that some work folds.
async fn folded<T>(store: &Store, work: impl Future<Output = T>) -> (u64, T) {
    let before = store.folded_bytes();
    let done = work.await;
    (store.folded_bytes() - before, done)
}

/// Reads all pages. Returns the number of bytes that each folded, and what they show.
async fn walk(
    store: &Store,
    page: impl AsyncFn(Option<Cursor>) -> Page<VisibleStatus>,
) -> (Vec<u64>, Vec<StatusId>) {
    let (mut bytes, mut shown, mut cursor) = (Vec::new(), Vec::new(), None);
    loop {
        let (of_page, page) = folded(store, page(cursor)).await;
        bytes.push(of_page);
        shown.extend(page.items.iter().map(VisibleStatus::id));
        assert!(bytes.len() <= MANY, "each page makes progress");
        cursor = page.next;
        if cursor.is_none() {
            return (bytes, shown);
        }
    }
}

/// Checks the bytes that pages folded together, and each of them.
fn assert_within_budget(bytes: &[u64], is_folded_before: bool) {
    let sum: u64 = bytes.iter().sum();
    let most = BUDGET + LARGEST;
    assert!(bytes.iter().all(|bytes| *bytes <= most), "{bytes:?}");
    if is_folded_before {
        assert_eq!(sum, 0, "{bytes:?}");
    } else {
        assert!(sum > 2 * most, "all texts were folded: {bytes:?}");
    }
}

#[tokio::test]
async fn pages_fold_each_text_once_within_a_budget_and_continue_by_their_link() {
    let scene = Scene::set(&[]).await;
    let store = scene.store();
    let (bytes, shown) = walk(store, async |before| scene.home(before).await).await;
    assert_within_budget(&bytes, false);
    assert_eq!(shown, [scene.quiet]);
    let (bytes, shown) = walk(store, async |before| scene.everybody(before).await).await;
    assert_within_budget(&bytes, true);
    assert_eq!(shown, [scene.quiet]);
    let query = format!("\"{} zebra\"", "e".repeat(40));
    let search = async |before| scene.search(&query, before).await;
    let (bytes, shown) = walk(store, search).await;
    assert!(shown.is_empty());
    assert_within_budget(&bytes, true);
    let important = importance::important_page(store, scene.reader, None, ReadMode::Visit);
    let (bytes, _) = folded(store, important).await;
    assert_eq!(bytes, 0);
}

#[tokio::test]
async fn a_site_without_a_cache_folds_within_the_budget_too() {
    let scene = Scene::set(&["--cache-bytes", "0"]).await;
    let store = scene.store();
    let home = async |before| scene.home(before).await;
    let search = async |before| scene.search("\"e zebra\"", before).await;
    let (bytes, shown) = walk(store, home).await;
    assert_within_budget(&bytes, false);
    assert_eq!(shown, [scene.quiet]);
    let (bytes, shown) = walk(store, search).await;
    assert!(shown.is_empty() && bytes.iter().all(|bytes| *bytes <= BUDGET + LARGEST));
}

#[tokio::test]
async fn a_search_stops_at_its_budget_and_finds_everything_by_its_link() {
    let scene = Scene::set(&[]).await;
    let search = async |before| scene.search("zebra", before).await;
    let (bytes, shown) = walk(scene.store(), search).await;
    assert_within_budget(&bytes, false);
    let newest_first: Vec<StatusId> = scene.large.iter().rev().copied().collect();
    assert_eq!(shown, newest_first);
    let never = format!("\"{} zebra\"", "e".repeat(40));
    let scene = Scene::set(&[]).await;
    let (bytes, page) = folded(scene.store(), scene.search(&never, None)).await;
    assert!(page.items.is_empty() && page.next.is_some());
    assert!((BUDGET..=BUDGET + LARGEST).contains(&bytes), "{bytes}");
}

#[tokio::test]
async fn a_count_of_new_posts_folds_within_the_budget_and_is_exact_when_all_are_folded() {
    let scene = Scene::set(&[]).await;
    let store = scene.store();
    let mut counts = Vec::new();
    while counts.last() != Some(&(MANY as u64)) {
        let (bytes, count) = folded(store, scene.left_out()).await;
        assert!((1..=BUDGET + LARGEST).contains(&bytes), "{bytes}");
        counts.push(count);
    }
    assert!(counts.len() > 2 && counts.is_sorted(), "{counts:?}");
    let (bytes, _) = folded(store, scene.left_out()).await;
    assert_eq!(bytes, 0, "each event costs no more");
}

/// Returns how often some work gave others their turn.
async fn turns<T>(work: impl Future<Output = T>) -> u64 {
    let (mut work, mut turns) = (pin!(work), 0);
    poll_fn(|context| {
        let polled = work.as_mut().poll(context);
        turns += u64::from(polled.is_pending());
        polled.map(drop)
    })
    .await;
    turns
}

#[tokio::test]
async fn other_requests_have_their_turn_while_texts_are_folded() {
    let scene = Scene::set(&[]).await;
    // The rows are cached, and their texts are not folded.
    let visible = scene.store().visible(Viewer::Anonymous, &scene.large);
    assert_eq!(visible.await.expect("an answer").len(), MANY);
    let folding = turns(scene.left_out()).await;
    while scene.left_out().await < MANY as u64 {}
    // Replies that Redis sent early save a turn, so the turns of both readings are not exact.
    let least = BUDGET / PORTION - 1;
    let without = turns(scene.left_out()).await;
    assert!(folding >= least, "{folding} turns");
    assert!(without < least / 2, "{without} turns without folding");
}

#[tokio::test]
async fn a_page_of_posts_elsewhere_folds_nothing() {
    let scene = Scene::set(&[]).await;
    let store = scene.store();
    let viewer = Viewer::Member(scene.reader);
    let author = crowd::uid(store, "author").await;
    let user = store
        .user(author)
        .await
        .expect("an answer")
        .expect("a user");
    let view = ProfileView::Posts;
    let (bytes, page) = folded(store, store.account_page(viewer, &user, view, None)).await;
    assert_eq!(page.expect("an answer").statuses.items.len(), PAGE_SIZE);
    assert_eq!(bytes, 0);
}
