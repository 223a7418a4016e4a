//! Nodes in REDIS_URL that left the cluster. They answer, but they know nothing about it.

use reqwest::StatusCode;

use crate::support::{
    Person, Site,
    cluster::{Cluster, Nature, PRIMARIES},
    pool::Redis,
};

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_left_the_cluster_do_not_mislead_the_site() {
    const QUESTIONS: usize = 20;
    let cluster = Cluster::start(Nature {
        replicas: 2 * PRIMARIES,
        ..Nature::STEADY
    });
    for replica in 2 * PRIMARIES..3 * PRIMARIES {
        let reset = cluster.ask(replica, &["CLUSTER", "RESET", "HARD"]);
        assert!(reset.is_ok_and(|answer| answer.starts_with("+OK")));
    }
    let site = Site::on(Redis::own(cluster), &[]).await;
    let person = Person::sign_up(&site, "ada").await;
    // Each asks for the primaries anew.
    for _ in 0..QUESTIONS {
        let ready = person.get("/readyz").await;
        assert_eq!(ready.status, StatusCode::OK, "{}", ready.html);
    }
    person.post("at home").await;
}
