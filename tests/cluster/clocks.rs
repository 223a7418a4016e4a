//! Clocks of primaries that differ. Writes can fail then, so the site warns and names the primary.

use std::time::{Duration, Instant};

use tokio::task::block_in_place;

use crate::{
    server::{
        logs::{capture, captured},
        metrics::scrape,
    },
    status::status,
    support::{
        Person, Site,
        cluster::{Cluster, Nature, PRIMARIES, clock_proxy::ClockProxy},
        pool::Redis,
        waiting::{eventually, eventually_blocking},
    },
};

/// The primary with another clock.
const NODE: usize = 1;
/// More than the allowed difference of the clocks.
const LATE: Duration = Duration::from_millis(1_500);

/// Makes the cluster state this port as that of the primary.
fn announce(cluster: &Cluster, port: u16) {
    let replica = cluster.replica_of(NODE);
    let change = ["CONFIG", "SET", "cluster-announce-port", &port.to_string()];
    let answer = cluster.ask(NODE, &change).expect("the node answers");
    assert!(answer.starts_with("+OK"), "{answer}");
    let (in_slots, of_primary) = (format!(":{port}\r"), format!("master_port:{port}\r"));
    eventually_blocking("all nodes know the port", || {
        let knows = |node: usize| {
            let slots = cluster.ask(node, &["CLUSTER", "SLOTS"]);
            slots.is_ok_and(|slots| slots.contains(&in_slots))
        };
        let link = cluster.ask(replica, &["INFO", "replication"]);
        (0..2 * PRIMARIES).all(knows)
            && link.is_ok_and(|link| {
                link.contains(&of_primary) && link.contains("master_link_status:up")
            })
    });
    cluster.wait_until_whole();
}

async fn ready(site: &Site) -> String {
    Person::visitor(site).get("/readyz").await.html
}

/// Returns the lines about clocks in what `redwing status` prints, without the remedies.
fn clocks_in_status(site: &Site) -> Vec<String> {
    let patient = ["--redis-response-ms", "10000", "--request-ms", "30000"];
    let output = block_in_place(|| status(site, &patient));
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter(|line| line.contains(" clocks  "));
    lines.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_with_another_clock_is_named_and_a_slow_one_is_not() {
    capture();
    let cluster = block_in_place(|| Cluster::start(Nature::STEADY));
    let proxy = ClockProxy::start(cluster.address(NODE)).await;
    block_in_place(|| announce(&cluster, proxy.port()));
    let address = format!("127.0.0.1:{}", proxy.port());
    let site = Site::on(Redis::own(cluster), &["--metrics-listen", "127.0.0.1:0"]).await;
    eventually("the site is ready", async || {
        ready(&site).await == "ready\n"
    })
    .await;

    proxy.delay(u64::try_from(LATE.as_millis()).expect("few"));
    let begun = Instant::now();
    assert_eq!(ready(&site).await, "ready\n", "a slow primary has no fault");
    assert!(begun.elapsed() >= LATE, "it was asked for its time");
    assert_eq!(
        clocks_in_status(&site),
        ["ok       clocks     those of the primaries agree to within a second"]
    );
    proxy.delay(0);

    for (seconds, direction) in [(10, "ahead of"), (-10, "behind")] {
        proxy.set_ahead(seconds);
        for _ in 0..3 {
            let answer = ready(&site).await;
            let named = format!("ready\nwarning: the clock of {address} is ");
            assert!(answer.starts_with(&named), "{answer}");
            let end = format!(" s {direction} that of another primary, so writes can fail\n");
            assert!(answer.ends_with(&end), "{answer}");
        }
        let lines = clocks_in_status(&site);
        let named = format!("WARNING  clocks     the clock of {address} is ");
        assert!(
            lines.len() == 1 && lines[0].starts_with(&named),
            "{lines:?}"
        );
    }
    let log = captured();
    let warnings = log.lines().filter(|line| {
        line.contains(&address) && line.contains("the clocks of the primaries differ")
    });
    assert_eq!(warnings.count(), 1, "{log}");
    let text = scrape(&site).await;
    assert!(text.contains("redwing_redis_clock_skew_seconds "), "{text}");

    proxy.set_ahead(0);
    assert_eq!(ready(&site).await, "ready\n");
}
