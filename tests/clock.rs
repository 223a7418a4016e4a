//! The clock of Redis is set back: nothing waits as long as the step. The tests move stored times ahead
//! instead, which is the same for a site.

use redwing::{store::Fuse, worker};
use reqwest::StatusCode;
use tokio::sync::watch;

use crate::support::{Person, Site, crowd, pool::Redis, redis::RedisServer, waiting::eventually};

/// The step of the clock: a day.
const STEP_MS: u64 = 86_400_000;

async fn one_node(settings: &[&str]) -> Site {
    Site::on(Redis::Node(RedisServer::start()), settings).await
}

/// Returns the number in an answer of Redis.
fn number(answer: &str) -> Option<u64> {
    answer.lines().find_map(|line| line.trim().parse().ok())
}

#[tokio::test]
async fn a_rate_limit_waits_for_one_action_and_not_for_the_step() {
    let site = one_node(&["--posts-per-hour", "3600"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("before").await;
    let key = format!("rate:{{post:{}}}", crowd::uid(&site.store, "alice").await);
    let redis = site.redis.one_node();
    let schedule = redis.ask(&["GET", &key]);
    let due = number(schedule.split_once("\r\n").expect("a length").1).expect("µs");
    let ahead = (due + STEP_MS * 1000).to_string();
    redis.command(&["SET", &key, &ahead, "EX", "99999"]);
    let form = alice.open("/").await.form("/statuses");
    let refused = alice.submit(&form.set("message", "after")).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    let wait: Option<u64> = refused.header("retry-after").and_then(|s| s.parse().ok());
    assert!(wait.is_some_and(|seconds| seconds <= 1), "{wait:?}");
    eventually("the next try is within the limit", async || {
        let form = alice.open("/").await.form("/statuses");
        let answer = alice.submit(&form.set("message", "after")).await;
        answer.status == StatusCode::SEE_OTHER
    })
    .await;
}

#[tokio::test]
async fn an_interrupted_write_is_completed_after_the_usual_delay() {
    let settings = [
        "--redis-response-ms",
        "3000",
        "--write-deadline-ms",
        "3000",
        "--outbox-delay-ms",
        "4000",
    ];
    let site = one_node(&settings).await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    site.drain().await;
    let [alice_id, bob_id] = ["alice", "bob"].map(|login| crowd::uid(&site.store, login));
    let (alice_id, bob_id) = (alice_id.await, bob_id.await);
    let redis = site.redis.one_node();
    let follows = format!("following:{{{bob_id}}}");
    for commands in 1.. {
        let fused = site.store.with_fuse(Fuse::of(commands));
        let followed = redwing::actions::follows::follow(&fused, bob_id, alice_id).await;
        assert!(followed.is_err(), "it is interrupted after its first write");
        if redis.ask(&["EXISTS", &follows]).starts_with(":1") {
            break;
        }
    }
    let ahead = format!(
        "for _, entry in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZINCRBY', KEYS[1], {STEP_MS}, entry) end"
    );
    redis.command(&["EVAL", &format!("\"{ahead}\""), "1", "tasks:{0}:later"]);
    let (stop, stopped) = watch::channel(false);
    let worker = tokio::spawn(worker::run(site.store.fork(), stopped));
    eventually("the follow is completed", async || {
        let [.., later, _] = crate::support::state::task_counts(&site.store)
            .await
            .expect("an answer");
        later == 0
    })
    .await;
    stop.send_replace(true);
    worker.await.expect("it ends");
    let page = alice.open("/@alice/followers").await;
    assert!(page.has("a[href=\"/@bob\"]"), "{}", page.html);
    assert!(bob.is_logged_in().await);
    site.assert_sound().await;
}
