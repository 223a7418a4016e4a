//! The cost of pages below the stored part of a home, and of rebuilds. Authors who mostly reply to
//! strangers make them as expensive as they can be.

use std::collections::BTreeSet;

use redwing::{
    actions::homes,
    domain::{Cursor, StatusId, Timeline, UserId},
    store::{Begin, Mark, ReadMode, VisibleStatus},
};
use reqwest::StatusCode;

use crate::support::{Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer};

const AUTHORS: usize = 20;
/// Number of replies to strangers that each author has above their post.
const REPLIES: usize = 620;
/// The budgets: commands beyond the first read of each source, of a page and of a rebuild.
const PAGE_COMMANDS: u64 = 2000;
const REBUILD_COMMANDS: u64 = 5000;
/// Bytes of replies for each of these commands.
const BYTES_PER_COMMAND: u64 = 512;
/// Commands and bytes beside a merge: the home, its sources, the shown statuses, and the counters.
const BESIDE: u64 = 120;
const BYTES_BESIDE: u64 = 128 * 1024;

/// Redis' counters of commands and of bytes sent.
#[derive(Clone, Copy)]
struct Cost {
    commands: u64,
    bytes: u64,
}

impl Cost {
    fn now(redis: &RedisServer) -> Self {
        let stats = redis.ask(&["INFO", "stats"]);
        let number = |name: &str| {
            let mut lines = stats.lines();
            let found = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            let number = found.and_then(|number| number.trim().parse::<u64>().ok());
            number.expect("Redis counts it")
        };
        Self {
            commands: number("total_commands_processed"),
            bytes: number("total_net_output_bytes"),
        }
    }

    fn since(redis: &RedisServer, before: Self) -> Self {
        let now = Self::now(redis);
        Self {
            commands: now.commands - before.commands,
            bytes: now.bytes - before.bytes,
        }
    }

    fn assert_within(self, commands: u64) {
        let commands_allowed = AUTHORS as u64 + commands + BESIDE;
        let bytes_allowed = commands * BYTES_PER_COMMAND + BYTES_BESIDE;
        assert!(
            self.commands <= commands_allowed,
            "{} commands",
            self.commands
        );
        assert!(self.bytes <= bytes_allowed, "{} bytes", self.bytes);
    }
}

/// A reader of authors who each wrote a post, then replies to strangers.
struct Scene {
    core: Core,
    reader: UserId,
    posts: Vec<StatusId>,
}

impl Scene {
    /// `tags` is the stored text of the tags of each reply.
    async fn set(tags: &str) -> Self {
        let core = Core::on(Redis::Node(RedisServer::start()), &[]);
        let store = &core.store;
        let reader = crowd::member(store, "reader").await;
        let authors = crowd::people(store, "author", AUTHORS).await;
        let mut posts = Vec::new();
        for author in &authors {
            crowd::follow(store, reader, *author).await;
            posts.push(crowd::post(store, *author, "below many replies").await);
        }
        // Two posts of one millisecond are less than that many ids apart.
        let mut taken: BTreeSet<u64> = posts.iter().map(|post| post.get()).collect();
        let mut lines = String::new();
        for (author, post) in authors.iter().zip(&posts) {
            let free = (post.get() + 1..).filter(|id| taken.insert(*id));
            for id in free.take(REPLIES) {
                lines += &format!("ZADD profile:{{{author}}} -{id} {id}\n");
                lines +=
                    &format!("HSET status:{{{id}}} uid {author} reply_to 1:999999 tags '{tags}'\n");
            }
        }
        core.drain().await;
        core.redis.one_node().pipe(&lines);
        posts.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            core,
            reader,
            posts,
        }
    }

    fn redis(&self) -> &RedisServer {
        self.core.redis.one_node()
    }

    /// Reads all pages of a home that is being built, each within its budget. Returns their number and
    /// what they show.
    async fn pages(&self) -> (usize, Vec<StatusId>) {
        let store = &self.core.store;
        let home = Timeline::Home(self.reader);
        let begun = store.begin_rebuild(home, "abc", Begin::Wrong).await;
        assert!(begun.expect("an answer"));
        let mark = format!("active:{{{}}}", self.reader);
        self.redis().command(&["PERSIST", &mark]);
        let (mut shown, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            let before = Cost::now(self.redis());
            let page = homes::home_page(store, self.reader, cursor, ReadMode::Visit).await;
            let page = page.expect("an answer").page;
            Cost::since(self.redis(), before).assert_within(PAGE_COMMANDS);
            shown.extend(page.items.iter().map(VisibleStatus::id));
            pages += 1;
            cursor = page.next;
            if cursor.is_none() {
                return (pages, shown);
            }
        }
    }
}

#[tokio::test]
async fn a_merged_page_has_a_bounded_cost_and_the_next_one_continues_where_it_stopped() {
    let scene = Scene::set("").await;
    let (pages, shown) = scene.pages().await;
    assert_eq!(shown, scene.posts);
    let least = (AUTHORS * REPLIES) as u64 / PAGE_COMMANDS;
    assert!(
        (least..=2 * least).contains(&(pages as u64)),
        "{pages} pages"
    );
}

#[tokio::test]
async fn a_merged_page_has_a_bounded_size_however_long_the_tags_are() {
    let tags: Vec<String> = (10..30)
        .map(|n| format!("{n}{}", "日".repeat(40)))
        .collect();
    let scene = Scene::set(&tags.join(" ")).await;
    let (_, shown) = scene.pages().await;
    assert_eq!(shown, scene.posts);
}

#[tokio::test]
async fn a_rebuild_has_a_bounded_cost_and_its_floor_is_where_it_stopped() {
    let scene = Scene::set("").await;
    let (store, home) = (&scene.core.store, Timeline::Home(scene.reader));
    let before = Cost::now(scene.redis());
    homes::rebuild(store, home, Begin::Wrong)
        .await
        .expect("an answer");
    Cost::since(scene.redis(), before).assert_within(REBUILD_COMMANDS);
    let (mark, _) = store.mark(home).await.expect("an answer");
    let Mark::Floor(floor) = mark else {
        panic!("{mark:?}");
    };
    let stored = store.timeline_ids(home).await.expect("an answer");
    let above = scene.posts.iter().filter(|id| id.get() >= floor);
    assert_eq!(stored, above.copied().collect::<Vec<_>>());
    assert!(stored.len() < AUTHORS, "it stopped before the end");
    let (mut shown, mut cursor) = (stored, Some(Cursor::before(floor)));
    while cursor.is_some() {
        let page = homes::home_page(store, scene.reader, cursor, ReadMode::Visit).await;
        let page = page.expect("an answer").page;
        shown.extend(page.items.iter().map(VisibleStatus::id));
        cursor = page.next;
    }
    assert_eq!(shown, scene.posts);
}

/// Sign-ups and posts of a home whose second page is below its stored part.
async fn home_with_merged_pages(limit: &str) -> (Site, Person, String) {
    let site = Site::with(&["--home-size", "40", "--merged-pages-per-hour", limit]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let posts = crowd::posts(&site.store, uid, 75).await;
    alice.open("/").await;
    let floor = posts[40].get();
    let mark = format!("active:{{{uid}}}");
    site.redis.command(&["SET", &mark, &floor.to_string()]);
    (site, alice, format!("/?before={floor}"))
}

#[tokio::test]
async fn too_many_merged_pages_are_refused_with_a_retry_time() {
    let (_site, alice, older) = home_with_merged_pages("2").await;
    for _ in 0..2 {
        assert_eq!(alice.open(&older).await.status_ids().len(), 30);
    }
    let page = alice.get(&older).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    let seconds = page.header("retry-after").and_then(|s| s.parse().ok());
    assert!(seconds.is_some_and(|s: u64| (1..=1800).contains(&s)));
}

#[tokio::test]
async fn home_is_shown_over_the_limit_of_merged_pages_and_links_to_older_posts() {
    let (site, alice, _) = home_with_merged_pages("1").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let home = alice.open("/").await.status_ids();
    let mark = format!("active:{{{uid}}}");
    site.redis.command(&["SET", &mark, &home[9].to_string()]);
    assert_eq!(alice.open("/").await.status_ids(), home);
    let short = alice.open("/").await;
    assert_eq!(short.status_ids(), home[..10]);
    let older = Cursor::before(home[9]);
    assert_eq!(short.older(), Some(format!("/?before={}", older.get())));
}
