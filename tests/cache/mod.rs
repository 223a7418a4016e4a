//! Cached values of a connection are never older than its last round trip to Redis. Every way to
//! change a value and to lose a connection is tried.

pub mod pages;
mod sessions;

use std::sync::Arc;

use futures_util::future::join;
use redwing::{
    actions::{
        accounts,
        homes::{home_page, home_page_in_session},
    },
    domain::{Bio, DisplayName, Login, StatusId, UserId},
    store::{Bury, ReadMode, Store, Viewer, VisibleStatus},
};
use reqwest::StatusCode;
use tokio::task::JoinSet;

use crate::support::{
    Person, Site,
    core::Core,
    crowd::{follow, home, member, post, posts},
    pool::Redis,
    proxy::{Fault, Proxy, When},
    redis::RedisServer,
};

/// A reader who follows an author of 30 statuses, and the statuses.
struct Scene {
    author: UserId,
    reader: UserId,
    ids: Vec<StatusId>,
}

impl Scene {
    async fn on(store: &Store) -> Self {
        let author = member(store, "author").await;
        let reader = member(store, "reader").await;
        follow(store, reader, author).await;
        let ids = posts(store, author, 30).await;
        Self {
            author,
            reader,
            ids,
        }
    }

    /// Marks a status as deleted and leaves it in all timelines. Only the status itself records its
    /// deletion.
    async fn bury(&self, store: &Store, id: StatusId) {
        let call = store.begin().await.expect("the store answers");
        let buried = store.bury_status(&call, id, self.author).await;
        let (buried, _reminder) = buried.expect("the store answers");
        assert_eq!(buried, Bury::Buried);
    }

    /// Returns whether the status is shown after a round trip, as every page makes one.
    async fn is_shown(&self, store: &Store, id: StatusId) -> bool {
        let login = Login::parse("author").expect("a login");
        let author = store.user_by_login(&login).await;
        author.expect("the store answers").expect("they signed up");
        let status = store.status(Viewer::Anonymous, id).await;
        status.expect("the store answers").is_some()
    }
}

/// Starts a single node, for tests that use a proxy or count commands. On a cluster, a cached read still asks its
/// primaries.
fn on_one_node() -> Core {
    Core::on(Redis::Node(RedisServer::start()), &[])
}

/// Returns a store that reaches the same Redis through a proxy.
fn store_behind(proxy: &Proxy, core: &Core) -> Store {
    let config = Arc::new(core.store.config().clone());
    Store::open(&proxy.url(), config).expect("a valid address")
}

#[tokio::test]
async fn a_page_read_again_loads_only_its_timeline() {
    let core = on_one_node();
    let scene = Scene::on(&core.store).await;
    let proxy = Proxy::start(&core.redis.one_node().socket());
    let store = store_behind(&proxy, &core);
    let page = async || {
        let home = home_page(&store, scene.reader, None, ReadMode::Visit).await;
        assert_eq!(home.expect("an answer").page.items.len(), 30);
        store.suggestions(scene.reader).await.expect("an answer");
    };
    page().await;
    proxy.strike(Fault::Cut, When::From(usize::MAX), "");
    page().await;
    assert_eq!(proxy.seen(), 1);
}

#[tokio::test]
async fn a_home_that_has_not_changed_is_not_read_again_behind_its_session() {
    let core = on_one_node();
    let scene = Scene::on(&core.store).await;
    let proxy = Proxy::start(&core.redis.one_node().socket());
    let store = store_behind(&proxy, &core);
    let shown = async || {
        let home = home_page_in_session(&store, scene.reader, None, ReadMode::Visit).await;
        home.expect("an answer").page.items.len()
    };
    assert_eq!(shown().await, 30);
    assert_eq!(shown().await, 30);
    proxy.strike(Fault::Cut, When::From(usize::MAX), "");
    assert_eq!(shown().await, 30);
    assert_eq!(proxy.seen(), 0);
}

#[tokio::test]
async fn a_home_read_with_a_session_is_as_old_as_that_read() {
    let core = Core::start();
    let scene = Scene::on(&core.store).await;
    let reading = core.store.fork();
    let home = async || {
        scene.is_shown(&reading, scene.ids[0]).await;
        let home = home_page_in_session(&reading, scene.reader, None, ReadMode::Visit).await;
        let home = home.expect("an answer");
        let ids = home.page.items.iter().map(VisibleStatus::id);
        (
            ids.collect::<Vec<_>>(),
            home.new_posts.map(|news| news.count),
        )
    };
    let settled = async || {
        home().await;
        home().await
    };
    let (ids, new) = settled().await;
    assert_eq!((ids.len(), new), (30, Some(0)));
    let posted = post(&core.store, scene.author, "another").await;
    let (ids, new) = home().await;
    assert_eq!((ids[0], new), (posted, Some(1)));
    settled().await;
    let own = post(&core.store, scene.reader, "of their own").await;
    let (ids, new) = home().await;
    assert_eq!((ids[0], new), (own, Some(1)));
    settled().await;
    let [home_key, mark] = ["home", "active"].map(|key| format!("{key}:{{{}}}", scene.reader));
    core.redis.command(&["DEL", &home_key, &mark]);
    let (ids, new) = home().await;
    assert_eq!(
        (ids.len(), ids[0], new),
        (30, own, Some(1)),
        "it is rebuilt"
    );
    settled().await;
    scene.bury(&core.store, posted).await;
    let (ids, new) = home().await;
    assert!(!ids.contains(&posted));
    assert_eq!(new, Some(0));
}

#[tokio::test]
async fn a_deletion_by_another_user_shows_on_the_next_page_under_load() {
    let core = Core::start();
    let scene = Arc::new(Scene::on(&core.store).await);
    let reading = core.store.fork();
    let mut load = JoinSet::new();
    for _ in 0..4 {
        let (store, scene) = (reading.clone(), Arc::clone(&scene));
        load.spawn(async move {
            loop {
                home(&store, scene.reader).await;
            }
        });
    }
    for id in &scene.ids {
        assert!(scene.is_shown(&reading, *id).await);
        scene.bury(&core.store, *id).await;
        let shown = home_page(&reading, scene.reader, None, ReadMode::Visit).await;
        let items = shown.expect("an answer").page.items;
        assert!(items.iter().all(|status| status.id() != *id));
        assert!(!scene.is_shown(&reading, *id).await);
    }
}

#[tokio::test]
async fn a_deletion_on_one_thread_shows_on_every_thread() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitors: Vec<Person> = (0..4).map(|_| Person::visitor(&site)).collect();
    for round in 0..10 {
        let id = alice.post(&format!("post {round}")).await;
        let path = format!("/@alice/{id}");
        for visitor in &visitors {
            assert_eq!(visitor.open(&path).await.status, StatusCode::OK);
        }
        alice.delete(id).await;
        for visitor in &visitors {
            assert_eq!(visitor.get(&path).await.status, StatusCode::NOT_FOUND);
        }
    }
}

#[tokio::test]
async fn a_changed_name_shows_from_the_next_page_on() {
    let core = Core::start();
    let scene = Scene::on(&core.store).await;
    let reading = core.store.fork();
    for name in ["One", "Two", "Three"] {
        let new = DisplayName::parse(name).expect("a name");
        let bio = Bio::parse("").expect("a text");
        let edited = accounts::edit_profile(&core.store, scene.author, &new, &bio).await;
        edited.expect("the store answers");
        let page = home_page(&reading, scene.reader, None, ReadMode::Visit).await;
        let items = page.expect("an answer").page.items;
        assert_eq!(items.len(), 30);
        assert!(items.iter().all(|status| status.author().name == name));
    }
}

#[tokio::test]
async fn suggestions_follow_every_change() {
    let core = Core::start();
    let reader = member(&core.store, "reader").await;
    let reading = core.store.fork();
    let newest = async || {
        // A round trip, as every page makes one.
        home(&reading, reader).await;
        let suggestions = reading.suggestions(reader).await.expect("an answer");
        let newest = suggestions.newest.iter();
        let newest = newest.map(|person| (person.user.id, person.relation.followed_by));
        newest.collect::<Vec<_>>()
    };
    assert_eq!(newest().await, []);
    let others = [
        member(&core.store, "other").await,
        member(&core.store, "another").await,
    ];
    assert_eq!(newest().await, [(others[1], false), (others[0], false)]);
    follow(&core.store, others[0], reader).await;
    assert_eq!(newest().await, [(others[1], false), (others[0], true)]);
    follow(&core.store, reader, others[1]).await;
    assert_eq!(newest().await, [(others[0], true)]);
}

#[tokio::test]
async fn a_response_that_crosses_a_deletion_is_shown_once_and_not_cached() {
    let core = on_one_node();
    let scene = Scene::on(&core.store).await;
    let proxy = Proxy::start(&core.redis.one_node().socket());
    let reading = store_behind(&proxy, &core);
    assert!(scene.is_shown(&reading, scene.ids[0]).await);
    let crossed = scene.ids[1];
    proxy.strike(Fault::HoldAnswer, When::Only(1), "status:{");
    let delete = async {
        proxy.holds().await;
        scene.bury(&core.store, crossed).await;
        // Redis sends the deletion to the other connection before it answers this command.
        core.store.life(crossed).await.expect("the store answers");
        proxy.pass();
    };
    let (shown, ()) = join(scene.is_shown(&reading, crossed), delete).await;
    assert!(shown, "the read preceded the deletion");
    assert!(!scene.is_shown(&reading, crossed).await);
}

#[tokio::test]
async fn a_lost_connection_loses_its_cache() {
    let core = Core::start();
    let scene = Scene::on(&core.store).await;
    let reading = core.store.fork();
    for id in &scene.ids[..5] {
        assert!(scene.is_shown(&reading, *id).await);
        core.redis.command(&["CLIENT", "KILL", "TYPE", "normal"]);
        scene.bury(&core.store, *id).await;
        assert!(!scene.is_shown(&reading, *id).await);
    }
}

#[tokio::test]
async fn flushing_redis_empties_the_cache() {
    let core = Core::start();
    let scene = Scene::on(&core.store).await;
    let reading = core.store.fork();
    assert_eq!(home(&reading, scene.reader).await.len(), 30);
    core.redis.command(&["FLUSHALL"]);
    // The round trip that finds the status deleted.
    assert_eq!(home(&reading, scene.reader).await.len(), 0);
    let status = reading.status(Viewer::Anonymous, scene.ids[0]).await;
    assert!(status.expect("the store answers").is_none());
}

#[tokio::test]
async fn without_invalidations_nothing_is_cached_and_all_pages_work() {
    let refusing = ["CLIENT", "HELLO"].map(|command| {
        let server = RedisServer::with(&["--rename-command", command, "refused"]);
        Core::on(Redis::Node(server), &[])
    });
    let without = Core::with(&["--cache-bytes", "0"]);
    for core in refusing.iter().chain([&without]) {
        let scene = Scene::on(&core.store).await;
        let reading = core.store.fork();
        assert_eq!(home(&reading, scene.reader).await.len(), 30);
        for id in &scene.ids[..5] {
            assert!(scene.is_shown(&reading, *id).await);
            scene.bury(&core.store, *id).await;
            assert!(!scene.is_shown(&reading, *id).await);
        }
        let last = post(&core.store, scene.author, "the last").await;
        assert!(scene.is_shown(&reading, last).await);
    }
}
