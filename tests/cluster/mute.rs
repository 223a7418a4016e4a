//! A primary that does not answer, as behind a network that drops everything. Requests for its keys are
//! refused. Requests that do not need it take their usual time. All are served again without
//! intervention.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use reqwest::StatusCode;

use super::people::{Resident, on_and_off};
use crate::support::{
    Site,
    cluster::{Cluster, Nature, PRIMARIES},
    pool::Redis,
    waiting::{eventually, eventually_blocking},
};

/// Time for a response of Redis. A request that waited for the mute primary takes as long.
const RESPONSE: Duration = Duration::from_secs(3);
const SETTINGS: [[&str; 2]; 6] = [
    ["--redis-connect-ms", "1000"],
    ["--redis-response-ms", "3000"],
    ["--write-deadline-ms", "4000"],
    ["--outbox-delay-ms", "6000"],
    ["--task-claim-ms", "8000"],
    // A fast machine sets some hundred bookmarks in a second.
    ["--saves-per-hour", "1000000000"],
];
/// Length of a visit. It covers the first late responses of the mute primary, and the time after them.
const VISIT: Duration = Duration::from_secs(10);
/// Interval at which another primary closes its connections, so that the client opens new ones.
const DISTURBANCE: Duration = Duration::from_secs(1);
const MUTE: usize = 0;
const OTHER: usize = 1;
/// Number of connections that ask for keys of the mute primary all the time.
const ASKING: usize = 8;
const SESSIONS: &str = "/settings/sessions";

/// Requests pages and sets a bookmark, all without keys of the mute primary. Returns the sorted times.
async fn visit(resident: &Resident) -> Vec<Duration> {
    let mut times = Vec::new();
    let visit_begun = Instant::now();
    while visit_begun.elapsed() < VISIT {
        let begun = Instant::now();
        let page = resident.person.get(SESSIONS).await;
        assert_eq!(page.status, StatusCode::OK, "{:?}", begun.elapsed());
        times.push(begun.elapsed());
        let begun = Instant::now();
        let set = resident.person.submit(&resident.bookmark).await;
        assert_eq!(set.status, StatusCode::SEE_OTHER, "{:?}", begun.elapsed());
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    times
}

/// Visits the pages while several connections ask for a page of another person all the time, which gets this
/// response. Returns the times of the visit.
async fn visit_beside(
    cluster: &Cluster,
    [asking, visiting]: &[Resident; 2],
    response: StatusCode,
) -> Vec<Duration> {
    let stop = AtomicBool::new(false);
    let ask = async || {
        while !stop.load(Ordering::Relaxed) {
            assert_eq!(asking.person.get(SESSIONS).await.status, response);
        }
    };
    let disturb = async || {
        while !stop.load(Ordering::Relaxed) {
            let closed = cluster.ask(OTHER, &["CLIENT", "KILL", "TYPE", "normal"]);
            assert!(closed.is_ok_and(|answer| answer.starts_with(':')));
            tokio::time::sleep(DISTURBANCE).await;
        }
    };
    let visits = async {
        let times = visit(visiting).await;
        stop.store(true, Ordering::Relaxed);
        times
    };
    let asks = join_all((0..ASKING).map(|_| ask()));
    let (_, (), times) = futures_util::join!(asks, disturb(), visits);
    times
}

fn describe(times: &[Duration]) -> String {
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    format!(
        "{} requests, median {:?}, 99 % {:?}, slowest {:?}",
        times.len(),
        at(50),
        at(99),
        at(100)
    )
}

/// The same connections ask in both visits, so the machine is as busy.
#[tokio::test(flavor = "multi_thread")]
async fn a_mute_primary_slows_no_request_that_does_not_need_it() {
    let cluster = Cluster::start(Nature::STEADY);
    let mut site = Site::on(Redis::own(cluster), SETTINGS.as_flattened()).await;
    let residents = on_and_off(&mut site, MUTE).await;
    let usual = visit_beside(site.redis.cluster(), &residents, StatusCode::OK).await;
    println!("usual: {}", describe(&usual));

    let cluster = site.redis.cluster();
    cluster.pause_node(MUTE);
    let beside = visit_beside(cluster, &residents, StatusCode::SERVICE_UNAVAILABLE).await;
    cluster.resume_node(MUTE);

    println!("beside a mute primary: {}", describe(&beside));
    let [usual_median, median] = [&usual, &beside].map(|times| times[times.len() / 2]);
    assert!(median < 3 * usual_median, "{median:?}, {usual_median:?}");
    let [usual_slowest, slowest] = [&usual, &beside].map(|times| times[times.len() - 1]);
    let longest = RESPONSE.max(3 * usual_slowest);
    assert!(slowest < longest, "a request waited for {slowest:?}");
    eventually("all users are served again", async || {
        residents[0].person.get(SESSIONS).await.status == StatusCode::OK
    })
    .await;
}

/// The connections to the mute primary stay open, so only its silence tells.
#[tokio::test(flavor = "multi_thread")]
async fn the_replica_of_a_mute_primary_is_used_after_its_promotion() {
    let cluster = Cluster::start(Nature {
        replicas: 2 * PRIMARIES,
        node_timeout: Duration::from_secs(2),
        appendfsync: "no",
    });
    let mut site = Site::on(Redis::own(cluster), SETTINGS.as_flattened()).await;
    let [unlucky, _] = on_and_off(&mut site, MUTE).await;
    let paused = Instant::now();
    tokio::task::block_in_place(|| {
        let cluster = site.redis.cluster();
        cluster.pause_node(MUTE);
        eventually_blocking("a replica takes over", || {
            let promoted = |node: usize| {
                cluster
                    .ask(node, &["ROLE"])
                    .is_ok_and(|role| role.contains("master"))
            };
            (PRIMARIES..3 * PRIMARIES).any(promoted)
        });
    });
    let promoted = paused.elapsed();
    eventually("reads are served by the replica", async || {
        unlucky.person.get(SESSIONS).await.status == StatusCode::OK
    })
    .await;
    let set = unlucky.person.submit(&unlucky.bookmark).await;
    assert_eq!(set.status, StatusCode::SEE_OTHER);
    println!(
        "promoted after {promoted:?}, served after {:?}",
        paused.elapsed()
    );
    site.redis.cluster().resume_node(MUTE);
}
