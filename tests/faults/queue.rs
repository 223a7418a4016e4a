//! The worker under the same faults: it loses no task, gives none up, and recovers without
//! intervention.

use std::time::Duration;

use futures_util::future::join_all;
use redwing::{store::Error, worker};

use super::{DEADLINE, RESPONSE, on_one_node};
use crate::support::{
    Site, crowd,
    proxied_server::ProxiedServer,
    proxy::{Fault, When},
    running_worker::RunningWorker,
    waiting::eventually,
};

/// Number of the author's followers. Each is served by a separate pass, and so by a separate task.
const FOLLOWERS: usize = 4;

/// A write after its deadline counts as an attempt, so a busy machine must not cause one.
const LONG_DEADLINE: Duration = DEADLINE.saturating_mul(3);

/// Starts a site in which each follower takes one task and a single failed attempt is too many.
async fn site() -> Site {
    on_one_node(&["--pass-size", "1", "--task-attempts", "1"]).await
}

/// Returns whether no task is left and none was given up.
async fn is_done(site: &Site) -> bool {
    let [now, later, dead] = crate::support::state::task_counts(&site.store)
        .await
        .expect("the store answers");
    assert_eq!(dead, 0, "a task was given up");
    now + later == 0
}

/// Starts a fault, lets the worker meet it, and ends it.
async fn assert_only_pauses(fault: Fault) {
    let site = site().await;
    let author = crowd::member(&site.store, "author").await;
    let readers = crowd::followers(&site.store, author, FOLLOWERS).await;
    let proxied = ProxiedServer::start(&site, RESPONSE, LONG_DEADLINE).await;
    let worker = RunningWorker::start(&proxied.store);
    eventually("the worker is busy", async || proxied.proxy.seen() > 2).await;
    proxied.proxy.fail(fault);
    let id = crowd::post(&site.store, author, "hello").await;
    eventually("it has met the fault", async || proxied.proxy.struck() > 2).await;
    proxied.proxy.pass();
    eventually("all is delivered", async || is_done(&site).await).await;
    assert_eq!(
        crowd::readers_who_see(&site.store, &readers, id).await,
        readers
    );
    worker.stop().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn every_outage_only_pauses_it() {
    let outages = [
        Fault::Cut,
        Fault::LoseAnswer,
        Fault::Mute,
        Fault::Swallow,
        Fault::Hold,
        Fault::Delay(Duration::from_secs(2)),
    ];
    join_all(outages.map(assert_only_pauses)).await;
}

#[tokio::test]
async fn a_task_that_fails_while_redis_answers_waits_behind_the_others() {
    let site = site().await;
    let author = crowd::member(&site.store, "author").await;
    let readers = crowd::followers(&site.store, author, FOLLOWERS).await;
    let proxied = ProxiedServer::start(&site, RESPONSE, LONG_DEADLINE).await;
    let last = readers.last().expect("a follower");
    let home = format!("home:{{{last}}}");
    proxied.proxy.strike(Fault::Cut, When::Always, &home);
    let worker = RunningWorker::start(&proxied.store);
    let id = crowd::post(&site.store, author, "hello").await;
    eventually("only the failing task is left, and it waits", async || {
        let counts = crate::support::state::task_counts(&site.store).await;
        counts.expect("the store answers") == [0, 1, 0]
    })
    .await;
    assert!(proxied.proxy.pass() > 0);
    eventually("all is delivered", async || {
        crowd::readers_who_see(&site.store, &readers, id).await == readers
    })
    .await;
    eventually("no task is left", async || is_done(&site).await).await;
    worker.stop().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_drain_gives_up_while_redis_stays_away_for_its_tasks() {
    let site = site().await;
    let author = crowd::member(&site.store, "author").await;
    let readers = crowd::followers(&site.store, author, FOLLOWERS).await;
    let proxied = ProxiedServer::start(&site, RESPONSE, LONG_DEADLINE).await;
    let last = readers.last().expect("a follower");
    let home = format!("home:{{{last}}}");
    proxied.proxy.strike(Fault::Cut, When::Always, &home);
    let id = crowd::post(&site.store, author, "hello").await;
    let drained = worker::drain(&proxied.store).await;
    assert!(matches!(drained, Err(Error::Unavailable(_))), "{drained:?}");
    assert!(proxied.proxy.pass() > 0);
    worker::drain(&proxied.store).await.expect("Redis answers");
    assert!(is_done(&site).await);
    let seen = crowd::readers_who_see(&site.store, &readers, id).await;
    assert_eq!(seen, readers);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_fault_at_any_round_trip_loses_no_task() {
    let site = site().await;
    let author = crowd::member(&site.store, "author").await;
    let readers = crowd::followers(&site.store, author, FOLLOWERS).await;
    let proxied = ProxiedServer::start(&site, RESPONSE, LONG_DEADLINE).await;
    let worker = RunningWorker::start(&proxied.store);
    for fault in [Fault::Cut, Fault::LoseAnswer] {
        for trip in 1..=24 {
            proxied.proxy.strike(fault, When::Only(trip), "");
            let id = crowd::post(&site.store, author, "hello").await;
            eventually("all is delivered", async || is_done(&site).await).await;
            assert_eq!(
                crowd::readers_who_see(&site.store, &readers, id).await,
                readers
            );
        }
    }
    worker.stop().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn no_task_is_given_up_while_redis_refuses() {
    let states = [
        [["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]].map(|words| words.to_vec()),
        [
            vec!["CONFIG", "SET", "maxmemory", "1"],
            vec!["CONFIG", "SET", "maxmemory", "0"],
        ],
    ];
    let site = site().await;
    let author = crowd::member(&site.store, "author").await;
    let readers = crowd::followers(&site.store, author, FOLLOWERS).await;
    for [begin, end] in states {
        let id = crowd::post(&site.store, author, "hello").await;
        let redis = site.redis.one_node();
        redis.command(&begin);
        let proxied = ProxiedServer::start(&site, RESPONSE, LONG_DEADLINE).await;
        let worker = RunningWorker::start(&proxied.store);
        eventually("it has been refused", async || proxied.proxy.seen() > 12).await;
        redis.command(&end);
        eventually("all is delivered", async || is_done(&site).await).await;
        assert_eq!(
            crowd::readers_who_see(&site.store, &readers, id).await,
            readers
        );
        worker.stop().await;
    }
    site.assert_sound().await;
}
