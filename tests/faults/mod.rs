//! Faults between the site and its Redis, and states in which Redis refuses. Users get an error
//! page, nothing is duplicated or lost, and the site recovers without intervention.

mod disk;
mod favourites;
mod late;
mod outages;
mod queue;
mod states;
mod steps;

use std::time::Duration;

use reqwest::StatusCode;

use crate::support::{Page, Site, pool::Redis, proxied_server::ProxiedServer, redis::RedisServer};

/// Short timeouts, so that a site notices a fault soon. On a busy machine they sometimes expire
/// without a fault, so only repeated scenes and the worker use them.
const RESPONSE: Duration = Duration::from_millis(600);
const DEADLINE: Duration = Duration::from_millis(900);
/// Maximum number of attempts to play a scene. The timeouts double each time.
const TRIES: u32 = 5;

/// Settings with which a site soon gives up on a refusing Redis, but not on a busy machine.
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

async fn site_with_short_timeouts() -> Site {
    on_one_node(&IMPATIENCE).await
}

/// Starts a site on one node even if other tests run on a cluster: the proxy is in front of one
/// node.
async fn on_one_node(settings: &[&str]) -> Site {
    Site::on(Redis::Node(RedisServer::start()), settings).await
}

/// Plays a scene, with its timeouts multiplied by the given factor, until it goes as intended. On a
/// busy machine a request may time out before it meets its fault. Returns all played scenes; the
/// last one went as intended.
async fn play_until_as_intended<Scene>(
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
    panic!("none of {TRIES} scenes went as intended");
}

/// Checks the page shown while Redis is away: a complete page that says what to do. It must come
/// from the Redis timeouts, not from the much longer request timeout.
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

async fn is_ready(proxied: &ProxiedServer) -> bool {
    let answer = proxied.visitor().get("/readyz").await;
    match answer.status {
        StatusCode::OK => true,
        StatusCode::SERVICE_UNAVAILABLE => false,
        status => panic!("{status} from /readyz"),
    }
}
