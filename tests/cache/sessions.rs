//! A verified session causes no extra round trip. A connection sees that it ended or changed as
//! soon as Redis announces it.

use futures_util::future::{join, join_all};
use redwing::{
    actions::accounts,
    domain::{NotificationFilter, UserId},
    store::{Error, ReadMode, Store},
};

use super::{on_one_node, store_behind};
use crate::support::{
    core::Core,
    crowd::{follow, member, session_state},
    pool::Redis,
    proxy::{Fault, Proxy, When},
    redis::RedisServer,
    waiting::eventually,
};

/// A user, and the cookie of one session.
struct Scene {
    core: Core,
    alice: UserId,
    cookie: String,
}

impl Scene {
    /// Ends the session of the cookie.
    async fn end_session(&self) {
        let digest = Store::session_digest(&self.cookie);
        let ended = self.core.store.revoke_session(self.alice, &digest).await;
        ended.expect("an answer");
    }

    async fn start() -> Self {
        Self::on(Core::start()).await
    }

    async fn on(core: Core) -> Self {
        let alice = member(&core.store, "alice").await;
        let cookie = log_in(&core.store, alice).await;
        Self {
            core,
            alice,
            cookie,
        }
    }

    fn key(&self) -> String {
        let digest = Store::session_digest(&self.cookie);
        format!("session:{{{}}}:{digest}", self.alice)
    }

    /// Returns a connection through a proxy. It has cached nothing yet.
    async fn behind_proxy(&self) -> (Proxy, Store) {
        let proxy = Proxy::start(&self.core.redis.one_node().socket());
        let store = store_behind(&proxy, &self.core);
        store.ready().await.expect("a connection");
        (proxy, store)
    }

    /// Returns how many of these commands Redis has executed.
    fn executed(&self, command: &str) -> u64 {
        let statistics = self.core.redis.one_node().ask(&["INFO", "commandstats"]);
        let line = format!("cmdstat_{command}:calls=");
        let calls = statistics
            .lines()
            .find_map(|statistics| statistics.strip_prefix(&line));
        calls.map_or(0, |calls| {
            let number = calls.split(',').next().expect("a field");
            number.parse().expect("a number")
        })
    }

    /// Returns connections that cache the session: each has loaded it once and checked it once
    /// more.
    async fn caching_stores(&self) -> [Store; 3] {
        let stores = [(); 3].map(|()| self.core.store.fork());
        for store in &stores {
            store.ready().await.expect("a connection");
            for _ in 0..2 {
                assert!(is_valid(store, &self.cookie).await);
            }
        }
        stores
    }
}

async fn log_in(store: &Store, who: UserId) -> String {
    let auth = store.auth(who).await.expect("an answer");
    let state = session_state(who, "alice", auth.expect("they signed up").epoch);
    store.save_session(&state).await.expect("an answer")
}

async fn is_valid(store: &Store, cookie: &str) -> bool {
    let loaded = store.load_session(cookie).await;
    loaded.expect("an answer").is_some()
}

async fn unread(store: &Store, cookie: &str) -> u64 {
    let loaded = store.load_session(cookie).await.expect("an answer");
    loaded.expect("it holds").unread
}

#[tokio::test]
async fn a_session_that_was_loaded_is_not_read_again() {
    let scene = Scene::on(on_one_node()).await;
    let [store, ..] = scene.caching_stores().await;
    let before = (scene.executed("evalsha"), scene.executed("ping"));
    for _ in 0..5 {
        assert!(is_valid(&store, &scene.cookie).await);
    }
    let after = (scene.executed("evalsha"), scene.executed("ping"));
    assert_eq!(after, (before.0, before.1 + 5));
}

#[tokio::test]
async fn requests_during_a_round_trip_share_the_next_one() {
    let scene = Scene::on(on_one_node()).await;
    let (proxy, store) = scene.behind_proxy().await;
    assert!(is_valid(&store, &scene.cookie).await);
    let before = scene.executed("ping");
    proxy.strike(Fault::HoldAnswer, When::Only(1), "PING");
    let all = join_all((0..50).map(|_| is_valid(&store, &scene.cookie)));
    let end = async {
        proxy.holds().await;
        scene.end_session().await;
        proxy.pass();
    };
    let (stood, ()) = join(all, end).await;
    assert_eq!(scene.executed("ping") - before, 2);
    let rest = &stood[1..];
    assert!(
        rest.iter().all(|stood| !stood),
        "their round trip began later"
    );
}

#[tokio::test]
async fn an_ended_session_is_over_on_every_connection() {
    let scene = Scene::start().await;
    let other = log_in(&scene.core.store, scene.alice).await;
    let stores = scene.caching_stores().await;
    scene.end_session().await;
    for store in &stores {
        assert!(!is_valid(store, &scene.cookie).await);
        assert!(is_valid(store, &other).await);
    }
}

#[tokio::test]
async fn all_sessions_are_over_with_their_epoch() {
    let scene = Scene::start().await;
    let stores = scene.caching_stores().await;
    // All other traces that would end the session are left unchanged.
    let auth = format!("auth:{{{}}}", scene.alice);
    scene.core.redis.command(&["HSET", &auth, "epoch", "new"]);
    for store in &stores {
        assert!(!is_valid(store, &scene.cookie).await);
    }
}

#[tokio::test]
async fn logging_out_everywhere_reaches_every_connection() {
    let scene = Scene::start().await;
    let stores = scene.caching_stores().await;
    let out = accounts::log_out_everywhere(&scene.core.store, scene.alice).await;
    out.expect("an answer");
    for store in &stores {
        assert!(!is_valid(store, &scene.cookie).await);
    }
}

#[tokio::test]
async fn a_session_that_has_expired_is_over_whether_or_not_redis_has_noticed() {
    let server = RedisServer::with(&["--enable-debug-command", "yes"]);
    let scene = Scene::on(Core::on(Redis::Node(server), &[])).await;
    let store = scene.core.store.fork();
    store.ready().await.expect("a connection");
    for words in [
        &["DEBUG", "SET-ACTIVE-EXPIRE", "0"][..],
        &["PEXPIRE", &scene.key(), "2000"],
    ] {
        scene.core.redis.command(words);
    }
    assert!(is_valid(&store, &scene.cookie).await);
    let read = scene.executed("evalsha");
    assert!(is_valid(&store, &scene.cookie).await);
    assert_eq!(scene.executed("evalsha"), read, "it is stored");
    eventually("it is over", async || {
        !is_valid(&store, &scene.cookie).await
    })
    .await;
}

#[tokio::test]
async fn a_session_that_ends_during_its_read_is_not_cached() {
    let scene = Scene::on(on_one_node()).await;
    let (proxy, store) = scene.behind_proxy().await;
    // From now on Redis has the script cached.
    assert!(is_valid(&scene.core.store, &scene.cookie).await);
    proxy.strike(Fault::HoldAnswer, When::Only(1), "session:{");
    let end = async {
        proxy.holds().await;
        scene.end_session().await;
        proxy.pass();
    };
    let (stood, ()) = join(is_valid(&store, &scene.cookie), end).await;
    assert!(stood, "the read preceded its end");
    assert!(!is_valid(&store, &scene.cookie).await);
}

#[tokio::test]
async fn invalidations_arrive_even_if_redis_refuses_the_round_trip() {
    let scene = Scene::on(on_one_node()).await;
    let [store, ..] = scene.caching_stores().await;
    let refuse = ["ACL", "SETUSER", "default", "-ping"];
    scene.core.redis.command(&refuse);
    let read = scene.executed("evalsha");
    let all = join_all((0..50).map(|_| is_valid(&store, &scene.cookie))).await;
    assert!(all.iter().all(|stood| *stood));
    assert_eq!(
        scene.executed("evalsha"),
        read,
        "no change was lost with it"
    );
    scene.end_session().await;
    assert!(!is_valid(&store, &scene.cookie).await);
}

#[tokio::test]
async fn an_unresponsive_redis_is_reported_to_waiting_requests() {
    let scene = Scene::on(on_one_node()).await;
    let (proxy, store) = scene.behind_proxy().await;
    assert!(is_valid(&store, &scene.cookie).await);
    proxy.fail(Fault::Swallow);
    let all = join_all((0..3).map(|_| store.load_session(&scene.cookie))).await;
    for loaded in all {
        assert!(matches!(loaded, Err(Error::Unavailable(_))), "{loaded:?}");
    }
    proxy.pass();
    assert!(is_valid(&store, &scene.cookie).await);
}

#[tokio::test]
async fn the_unread_count_is_current_on_every_connection() {
    let scene = Scene::start().await;
    let stores = scene.caching_stores().await;
    let bob = member(&scene.core.store, "bob").await;
    follow(&scene.core.store, bob, scene.alice).await;
    for store in &stores {
        assert_eq!(unread(store, &scene.cookie).await, 1);
    }
    let page = scene.core.store.notifications_page(
        scene.alice,
        (NotificationFilter::All, None),
        ReadMode::Visit,
    );
    assert_eq!(page.await.expect("an answer").items.len(), 1);
    for store in &stores {
        assert_eq!(unread(store, &scene.cookie).await, 0);
    }
}

#[tokio::test]
async fn a_session_change_shows_on_the_next_page() {
    let scene = Scene::start().await;
    let stores = scene.caching_stores().await;
    let loaded = scene.core.store.load_session(&scene.cookie).await;
    let loaded = loaded.expect("an answer").expect("it holds");
    let mut state = loaded.state.clone();
    state.name = "Alice Arden".to_owned();
    let updated = scene
        .core
        .store
        .update_session(&loaded.digest, &state)
        .await;
    assert!(updated.expect("an answer"));
    for store in &stores {
        let loaded = store.load_session(&scene.cookie).await.expect("an answer");
        assert_eq!(loaded.expect("it holds").state, state);
    }
}

#[tokio::test]
async fn two_sessions_of_one_person_are_never_confused() {
    let scene = Scene::start().await;
    let other = log_in(&scene.core.store, scene.alice).await;
    let [store, ..] = scene.caching_stores().await;
    let forged = format!("{}.{}", scene.alice, "0".repeat(64));
    for _ in 0..3 {
        for cookie in [&scene.cookie, &other] {
            let loaded = store.load_session(cookie).await.expect("an answer");
            let digest = &loaded.expect("it holds").digest;
            assert_eq!(*digest, Store::session_digest(cookie));
        }
        assert!(!is_valid(&store, &forged).await);
    }
}

#[tokio::test]
async fn a_session_that_ended_on_a_lost_connection_is_over() {
    let scene = Scene::start().await;
    let stores = scene.caching_stores().await;
    scene
        .core
        .redis
        .command(&["CLIENT", "KILL", "TYPE", "normal"]);
    scene.core.redis.command(&["DEL", &scene.key()]);
    for store in &stores {
        assert!(!is_valid(store, &scene.cookie).await);
    }
}
