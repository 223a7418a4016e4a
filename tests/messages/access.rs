//! Conversations of others are answered like absent ones, on every page, form and stream.

use std::time::{Duration, Instant};

use reqwest::StatusCode;

use super::{begun, pair, press, site, write};
use crate::{
    costs::print_uncaptured,
    support::{Person, Site, pool::Redis, redis::RedisServer, redis_counters::Counters},
};

/// A conversation that does not exist.
const ABSENT: &str = "/messages/0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn a_conversation_of_others_is_answered_like_an_absent_one() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let eve = Person::sign_up(&site, "eve").await;
    let path = begun(&alice, "bob", "A secret").await;
    // The first page after the sign-up has a notice.
    eve.open("/").await;
    for page in ["", "?before=2", "/1/edit"] {
        let absent = eve.get(&format!("{ABSENT}{page}")).await;
        let foreign = eve.get(&format!("{path}{page}")).await;
        assert_eq!(absent.status, StatusCode::NOT_FOUND, "{page}");
        let body = |text: String| text.split(", request").next().map(str::to_owned);
        assert_eq!(
            (foreign.status, body(foreign.text("main"))),
            (absent.status, body(absent.text("main")))
        );
    }
    let own = begun(&alice, "bob", "Another").await;
    assert_eq!(own, path);
    let form = alice.open(&path).await.form(&path);
    let token = eve
        .open("/settings/messages")
        .await
        .form("/settings/messages");
    for action in "accept ignore block leave mute unmute clear hide delete name expiry".split(' ') {
        let send = async |path: &str| {
            let form = token.to(&format!("{path}/{action}"));
            let form = form.set_new("message", "1").set_new("name", "Mine");
            let form = form.set_new("days", "7");
            eve.submit(&form).await.status
        };
        assert_eq!(send(ABSENT).await, StatusCode::NOT_FOUND, "{action}");
        assert_eq!(send(&path).await, StatusCode::NOT_FOUND, "{action}");
    }
    let key = form.value("idempotency_key");
    let write = token
        .to(&path)
        .set_new("message", "Me too")
        .set_new("idempotency_key", key);
    assert_eq!(eve.submit(&write).await.status, StatusCode::NOT_FOUND);
    assert_eq!(super::texts(&bob, &path).await, ["A secret", "Another"]);
}

/// Number of requests of which the cheapest counts, and number of requests whose time is measured.
const ROUNDS: usize = 4;
const REQUESTS: usize = 200;

#[tokio::test]
async fn conversations_of_others_and_absent_ones_cost_the_same() {
    let one_node = Redis::Node(RedisServer::start());
    let settings = ["--threads", "1", "--new-account-days", "0"];
    let site = Site::on(one_node, &settings).await;
    let (alice, _bob) = pair(&site).await;
    let eve = Person::sign_up(&site, "eve").await;
    let path = begun(&alice, "bob", "A secret").await;
    for number in 0..50 {
        write(&alice, &path, &format!("secret {number}")).await;
    }
    let redis = site.redis.one_node();
    for page in ["", "?before=9", "/1/edit"] {
        let paths = [format!("{path}{page}"), format!("{ABSENT}{page}")];
        let mut costs = Vec::new();
        for path in &paths {
            let mut least = (u64::MAX, u64::MAX);
            for _ in 0..ROUNDS {
                let before = Counters::of(redis);
                assert_eq!(eve.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
                let spent = before.spent_on(redis);
                least = least.min((spent.commands, spent.round_trips));
            }
            costs.push(least);
        }
        assert_eq!(costs[0], costs[1], "{page}");
        let mut slower = 0;
        for round in 0..REQUESTS {
            let mut times = [Duration::ZERO; 2];
            // In turn and in both orders, so that a slow moment meets both.
            for which in [round % 2, (round + 1) % 2] {
                let start = Instant::now();
                eve.get(&paths[which]).await;
                times[which] = start.elapsed();
            }
            slower += usize::from(times[0] > times[1]);
        }
        let percent = slower * 100 / REQUESTS;
        print_uncaptured(&format!(
            "time: conversations{page}: one of others was slower than an absent one in {percent} % of pairs\n"
        ));
    }
}

#[tokio::test]
async fn a_visitor_logs_in_first() {
    let site = site().await;
    let (alice, _bob) = pair(&site).await;
    let path = begun(&alice, "bob", "A secret").await;
    let visitor = Person::visitor(&site);
    for page in [
        "/messages",
        "/messages/requests",
        "/messages/new",
        &path,
        ABSENT,
    ] {
        let answer = visitor.get(page).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{page}");
        assert!(answer.location().starts_with("/login"), "{page}");
    }
}

#[tokio::test]
async fn a_suspended_person_cannot_be_written_to_and_is_not_named() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Before").await;
    let id = crate::support::crowd::uid(&site.store, "bob").await;
    crate::support::crowd::set_suspended(&site.store, id, true).await;
    let page = alice.open(&path).await;
    assert!(
        page.text("h1").contains("Unavailable account"),
        "{}",
        page.html
    );
    assert!(!page.has(".message-form"));
    assert_eq!(super::texts(&alice, &path).await, ["Before"]);
    assert_eq!(bob.get(&path).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_person_who_left_reads_and_writes_no_more() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob carol", "Hello").await;
    let form = carol
        .open(&path)
        .await
        .form(&path)
        .set("message", "I was here");
    press(&carol, &path, &format!("{path}/leave")).await;
    assert_eq!(carol.submit(&form).await.status, StatusCode::NOT_FOUND);
    assert_eq!(carol.get(&path).await.status, StatusCode::NOT_FOUND);
    assert!(!carol.open("/messages").await.has(".chats"));
    assert_eq!(
        write(&bob, &path, "Still here").await.status,
        StatusCode::SEE_OTHER
    );
}
