//! The caches of the connections to the primaries. Most tests in `cache::` run on a cluster too. Here slots move, and a
//! primary is replaced.

use std::{sync::Arc, time::Duration};

use redwing::{
    actions::accounts,
    domain::{Bio, DisplayName, UserId},
    store::{Key, PageSources, Store},
};
use tokio::time::timeout;

use super::people::{calls, serving};
use crate::{
    cache::pages::{log_in, recorded},
    support::{
        cluster::{Cluster, Nature},
        core::Core,
        crowd::{follow, home as texts_at_home, member, posts},
        pool::Redis,
    },
};

/// Upper limit for an answer without a request to a primary.
const AT_ONCE: Duration = Duration::from_secs(10);

/// A reader who follows an author of 30 statuses, with a home that one connection has recorded.
struct Scene {
    core: Core,
    author: UserId,
    reader: UserId,
    cookie: String,
    connection: Store,
}

impl Scene {
    async fn on(nature: Nature, settings: &[&str]) -> Self {
        let core = Core::on(Redis::own(Cluster::start(nature)), settings);
        let author = member(&core.store, "author").await;
        let reader = member(&core.store, "reader").await;
        follow(&core.store, reader, author).await;
        posts(&core.store, author, 30).await;
        let cookie = log_in(&core.store, reader).await;
        let connection = core.store.fork();
        Self {
            core,
            author,
            reader,
            cookie,
            connection,
        }
    }

    async fn record(&self, then: &str) -> PageSources {
        recorded(&self.connection, self.reader, &self.cookie, then).await
    }
}

/// Returns the primary that serves a key, and another one.
fn primaries_of(cluster: &Cluster, key: &str) -> (usize, usize) {
    let from = serving(cluster, key);
    let mut primaries = cluster.primaries().into_iter();
    let to = primaries.find(|node| *node != from);
    (from, to.expect("three primaries"))
}

#[tokio::test]
async fn a_cached_home_only_checks_its_slots() {
    let mut scene = Scene::on(Nature::STEADY, &[]).await;
    let home = scene.record("it is read again").await;
    let reads = ["get", "hgetall", "hmget", "zrange", "zscore", "evalsha"];
    let cluster = scene.core.redis.cluster();
    let done = |cluster: &Cluster| reads.map(|command| calls(cluster, command));
    let (before, questions) = (done(cluster), calls(cluster, "exists"));
    for _ in 0..10 {
        assert!(home.are_unchanged().await);
    }
    assert_eq!(done(cluster), before, "{reads:?}");
    assert!(calls(cluster, "exists") > questions);
}

/// The primary of the reader's slot does not learn that the mute is created at another node.
#[tokio::test]
async fn a_key_that_is_created_while_its_slot_moves_ends_a_cached_home() {
    let mut scene = Scene::on(Nature::STEADY, &[]).await;
    let home = scene.record("a mute is created").await;
    assert!(home.are_unchanged().await);
    let (mute, author) = (Key::Muted(scene.reader).name(), scene.author.to_string());
    let cluster = scene.core.redis.cluster();
    let (from, to) = primaries_of(cluster, &mute);
    let slot = cluster.slot_of(&mute);
    cluster.begin_move(slot, from, to);
    cluster.send_to_importing_node(to, &["ZADD", &mute, "9007199254740991", &author]);
    assert!(!home.are_unchanged().await, "while the slot moves");
    cluster.move_slot(slot, from, to);
    assert!(!home.are_unchanged().await, "after its move");

    scene.record("it is cached at the other primary").await;
    let texts = texts_at_home(&scene.connection, scene.reader).await;
    assert!(texts.is_empty(), "the author is muted: {texts:?}");
}

/// A server with such moves keeps the keys for some time after its slot has moved.
#[tokio::test]
async fn a_new_name_shows_after_an_atomic_slot_move() {
    let mut scene = Scene::on(Nature::STEADY, &[]).await;
    let home = scene.record("the author is renamed").await;
    // Another process, which learns the moves of slots by itself.
    let config = Arc::new(scene.core.store.config().clone());
    let process = Store::open(&scene.core.redis.url(), config).expect("an address");
    let user = Key::User(scene.author).name();
    let cluster = scene.core.redis.cluster();
    let (from, to) = primaries_of(cluster, &user);
    cluster.move_slot_atomically(&user, from, to);
    let name = DisplayName::parse("Another Name").expect("a name");
    let bio = Bio::parse("").expect("a text");
    let edited = accounts::edit_profile(&process, scene.author, &name, &bio).await;
    edited.expect("an answer");
    let shown = scene.connection.known_user(scene.author).await;
    let shown = shown.expect("an answer").expect("a user");
    assert_eq!(shown.name, "Another Name");
    assert!(!home.are_unchanged().await);
}

/// The silent primary would be asked for the time of a response, and could answer before it knows that it was replaced.
#[tokio::test]
async fn a_cached_home_ends_without_asking_its_replaced_primary() {
    const PATIENCE: [&str; 4] = ["--redis-response-ms", "60000", "--redis-connect-ms", "1000"];
    let mut scene = Scene::on(Nature::STEADY, &PATIENCE).await;
    let home = scene.record("its primary is replaced").await;
    let reader = Key::User(scene.reader).name();
    let cluster = scene.core.redis.cluster();
    let primary = serving(cluster, &reader);
    let replica = cluster.replica_of(primary);
    cluster.pause_node(primary);
    let taken_over = cluster.ask(replica, &["CLUSTER", "FAILOVER", "TAKEOVER"]);
    assert!(taken_over.expect("the node answers").starts_with("+OK"));
    cluster.wait_until_promoted(replica);
    cluster.wait_until_left_out(primary);
    // Another connection of the process learns the new primary.
    scene.core.store.is_settled().await.expect("an answer");
    let is_over = timeout(AT_ONCE, async { !home.are_unchanged().await });
    assert!(is_over.await.expect("no question to a silent primary"));
    scene.core.redis.cluster().resume_node(primary);
}
