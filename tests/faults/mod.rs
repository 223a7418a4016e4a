//! Faults between the site and its Redis, and states of Redis in which it refuses: people are told,
//! nothing is doubled or lost, and everything goes on by itself.

mod disk;
mod keeping;
mod late;
mod outages;
mod queue;
mod states;
mod steps;

use std::time::Duration;

use reqwest::StatusCode;

use crate::support::{Page, Site, detour::Detour, pool::Redis, redis::RedisServer};

/// With these a site soon notices a fault, and a busy machine is taken for one now and then: for
/// scenes that are played again, and for a worker, which goes on.
const RESPONSE: Duration = Duration::from_millis(600);
const DEADLINE: Duration = Duration::from_millis(900);
/// How often a scene is played, each time with time-outs twice as long.
const TRIES: u32 = 5;

/// Settings with which a site soon gives up what Redis refuses, and nothing because of a busy machine.
const IMPATIENCE: [&str; 10] = [
    "--threads",
    "1",
    "--redis-connect-ms",
    "3000",
    "--redis-response-ms",
    "3000",
    "--write-deadline-ms",
    "3000",
    "--outbox-delay-ms",
    "5000",
];

async fn impatient() -> Site {
    on_one_node(&IMPATIENCE).await
}

/// Also where the other tests run on a cluster: the proxy stands before one node.
async fn on_one_node(settings: &[&str]) -> Site {
    Site::on(Redis::Node(RedisServer::start()), settings).await
}

/// Plays a scene, whose time-outs are to be so many times as long, until it was played as it is meant:
/// on a busy machine one ends by itself before its fault meets it. Gives all that were played, of
/// which the last one is as it is meant.
async fn until_as_meant<Scene>(
    play: impl AsyncFn(u32) -> Scene,
    as_meant: impl Fn(&Scene) -> bool,
) -> Vec<Scene> {
    let mut played = Vec::new();
    for attempt in 0..TRIES {
        let scene = play(1 << attempt).await;
        let done = as_meant(&scene);
        played.push(scene);
        if done {
            return played;
        }
    }
    panic!("none of {TRIES} scenes was played as it is meant");
}

/// What somebody reads while Redis is away: a whole page that says what to do. The time-outs of
/// Redis gave it, not that of the request, which is far longer.
#[track_caller]
fn assert_unavailable(page: &Page) {
    assert_eq!(
        page.status,
        StatusCode::SERVICE_UNAVAILABLE,
        "{}:\n{}",
        page.path,
        page.html
    );
    let seconds: Option<u64> = page.header("retry-after").and_then(|s| s.parse().ok());
    assert!(seconds.is_some_and(|seconds| (1..=120).contains(&seconds)));
    assert!(page.html.trim_end().ends_with("</html>"), "{}", page.html);
    page.assert_helpful();
    assert!(!page.visible_text().contains("took too long"), "never");
}

async fn is_ready(detour: &Detour) -> bool {
    let answer = detour.visitor().get("/readyz").await;
    match answer.status {
        StatusCode::OK => true,
        StatusCode::SERVICE_UNAVAILABLE => false,
        status => panic!("{status} from /readyz"),
    }
}
