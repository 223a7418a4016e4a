//! States in which Redis answers but refuses. Reads continue where possible, and writes that cannot
//! be stored are refused. The first attempt after the state ends succeeds.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    sync::Arc,
};

use futures_util::join;
use redwing::store::{Error, Store};
use reqwest::StatusCode;

use super::{assert_unavailable, site_with_short_timeouts};
use crate::support::{PASSWORD, Person, Site, redis::RedisServer, waiting::eventually};

/// A user with a post, and a form for another post.
struct Writer {
    site: Site,
    alice: Person,
}

impl Writer {
    async fn start() -> Self {
        let site = site_with_short_timeouts().await;
        let alice = Person::sign_up(&site, "alice").await;
        alice.post("before").await;
        Self { site, alice }
    }

    fn redis(&self) -> &RedisServer {
        self.site.redis.one_node()
    }

    async fn is_ready(&self) -> bool {
        self.alice.get("/readyz").await.status == StatusCode::OK
    }

    /// Checks that pages are readable but writes fail until `over`. Then the returned form is
    /// accepted.
    async fn assert_read_only(&self, over: impl FnOnce()) {
        assert!(!self.is_ready().await);
        assert_eq!(self.alice.get("/healthz").await.status, StatusCode::OK);
        for path in ["/", "/@alice"] {
            assert_eq!(self.alice.open(path).await.messages(), ["before"]);
        }
        let form = self.alice.open("/").await.form("/statuses");
        let form = form.set("message", "during");
        let visitor = Person::visitor(&self.site);
        let (post, log_in) = join!(
            self.alice.submit(&form),
            visitor.send_log_in("alice", PASSWORD)
        );
        assert_unavailable(&post);
        let form = post.form("/statuses");
        assert_eq!(form.value("message"), "during");
        assert_unavailable(&log_in);
        over();
        self.alice.submit_accepted(&form).await;
        assert!(self.is_ready().await);
        self.assert_succeeded(&["during", "before"]).await;
    }

    /// Checks that reads and writes fail until `over`.
    async fn assert_unusable(&self, over: impl FnOnce()) {
        assert!(!self.is_ready().await);
        assert_eq!(self.alice.get("/healthz").await.status, StatusCode::OK);
        for path in ["/", "/@alice"] {
            assert_unavailable(&self.alice.get(path).await);
        }
        over();
        self.assert_succeeded(&["before"]).await;
        assert!(self.is_ready().await);
    }

    async fn assert_succeeded(&self, messages: &[&str]) {
        assert_eq!(self.alice.open("/").await.messages(), messages);
        self.site.drain().await;
        self.site.assert_sound().await;
    }
}

/// Connection opened in advance, for states in which Redis accepts no further connection.
struct Operator(BufReader<UnixStream>);

impl Operator {
    fn of(redis: &RedisServer) -> Self {
        let stream = UnixStream::connect(redis.socket()).expect("it listens");
        Self(BufReader::new(stream))
    }

    fn say(&mut self, words: &str) {
        write!(self.0.get_mut(), "{words}\r\n").expect("it reads");
        let mut answer = String::new();
        self.0.read_line(&mut answer).expect("it answers");
        assert!(!answer.starts_with('-'), "{words}: {answer}");
    }
}

#[tokio::test]
async fn a_replica_is_read_and_written_to_again_when_it_is_a_primary() {
    let writer = Writer::start().await;
    // Home was last read an hour ago, so reading it now would renew its activity mark.
    writer.redis().command(&["EXPIRE", "active:{1}", "60"]);
    writer.redis().command(&["HSET", "reading:{1}", "at", "1"]);
    writer.redis().command(&["REPLICAOF", "127.0.0.1", "1"]);
    writer
        .assert_read_only(|| writer.redis().command(&["REPLICAOF", "NO", "ONE"]))
        .await;
}

#[tokio::test]
async fn a_redis_without_memory_left_is_read_and_logged_in_to_and_posted_to_when_it_has_room() {
    let writer = Writer::start().await;
    let elsewhere = Person::log_in(&writer.site, "alice").await;
    writer.redis().command(&["CONFIG", "SET", "maxmemory", "1"]);
    let answer = elsewhere.log_out().await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    for path in ["/", "/@alice"] {
        assert_eq!(writer.alice.open(path).await.messages(), ["before"]);
    }
    let form = writer.alice.open("/").await.form("/statuses");
    let refused = writer.alice.submit(&form.set("message", "during")).await;
    assert_unavailable(&refused);
    assert!(
        Person::log_in(&writer.site, "alice")
            .await
            .is_logged_in()
            .await
    );
    writer.redis().command(&["CONFIG", "SET", "maxmemory", "0"]);
    let form = refused.form("/statuses");
    assert_eq!(form.value("message"), "during");
    writer.alice.submit_accepted(&form).await;
    writer.assert_succeeded(&["during", "before"]).await;
}

#[tokio::test]
async fn an_endless_script_is_not_waited_for_beyond_the_response_timeout() {
    let writer = Writer::start().await;
    writer
        .redis()
        .command(&["CONFIG", "SET", "lua-time-limit", "50"]);
    let mut busy = Operator::of(writer.redis());
    write!(busy.0.get_mut(), "EVAL \"while true do end\" 0\r\n").expect("it reads");
    eventually("Redis is busy", async || {
        matches!(writer.site.store.ready().await, Err(Error::Unavailable(why)) if why.contains("BUSY"))
    })
    .await;
    writer
        .assert_unusable(|| {
            writer.redis().command(&["SCRIPT", "KILL"]);
            let mut ended = String::new();
            busy.0
                .read_line(&mut ended)
                .expect("it says that it was killed");
        })
        .await;
}

#[tokio::test]
async fn a_redis_at_its_client_limit_counts_as_away() {
    let writer = Writer::start().await;
    let mut operator = Operator::of(writer.redis());
    operator.say("CONFIG SET maxclients 1");
    operator.say("CLIENT KILL TYPE normal SKIPME yes");
    writer
        .assert_unusable(|| operator.say("CONFIG SET maxclients 1000"))
        .await;
}

#[tokio::test]
async fn a_redis_that_requires_a_password_counts_as_away() {
    let writer = Writer::start().await;
    let mut operator = Operator::of(writer.redis());
    operator.say("CONFIG SET requirepass secret");
    operator.say("CLIENT KILL TYPE normal SKIPME yes");
    writer
        .assert_unusable(|| operator.say("CONFIG SET requirepass \"\""))
        .await;
}

#[tokio::test]
async fn a_password_that_changes_and_changes_back_works_again() {
    let site = site_with_short_timeouts().await;
    let mut operator = Operator::of(site.redis.one_node());
    operator.say("CONFIG SET requirepass first");
    let url = format!("{}?pass=first", site.redis.url());
    let store = Store::open(&url, Arc::new(site.store.config().clone())).expect("a valid address");
    store.ready().await.expect("the password is right");
    operator.say("CONFIG SET requirepass second");
    operator.say("CLIENT KILL TYPE normal SKIPME yes");
    for _ in 0..2 {
        assert!(matches!(store.ready().await, Err(Error::Unavailable(_))));
    }
    operator.say("CONFIG SET requirepass first");
    store.ready().await.expect("the password is right again");
}

#[tokio::test]
async fn a_killed_client_connection_is_replaced_without_an_error() {
    let writer = Writer::start().await;
    let form = writer.alice.open("/").await.form("/statuses");
    let mut operator = Operator::of(writer.redis());
    operator.say("CLIENT KILL TYPE normal SKIPME yes");
    assert_eq!(writer.alice.get("/").await.status, StatusCode::OK);
    operator.say("CLIENT KILL TYPE normal SKIPME yes");
    writer
        .alice
        .submit_accepted(&form.set("message", "after"))
        .await;
    writer.assert_succeeded(&["after", "before"]).await;
}

#[tokio::test]
async fn a_redis_that_loads_its_data_is_away_until_it_has_finished() {
    let mut writer = Writer::start().await;
    let filler = "\"for i = 1, 20000 do redis.call('RPUSH', 'filler', i) end\"";
    writer.redis().command(&["EVAL", filler, "0"]);
    writer.redis().command(&["DEL", "filler"]);
    let redis = writer.site.redis.one_node_mut();
    redis.kill();
    redis.restart_slowly(&["--key-load-delay", "100"]);
    assert!(!writer.is_ready().await);
    let page = writer.alice.get("/").await;
    assert_unavailable(&page);
    assert_eq!(writer.alice.get("/healthz").await.status, StatusCode::OK);
    eventually("Redis has loaded its data", async || {
        writer.is_ready().await
    })
    .await;
    writer.assert_succeeded(&["before"]).await;
}
