//! A primary that does not answer, as behind a network that drops everything. Requests for its keys
//! are refused, other requests may be refused for a moment, and all are served again without
//! intervention.

use std::collections::BTreeMap;

use reqwest::StatusCode;

use crate::support::{
    Person, Site,
    cluster::{Cluster, Nature, PRIMARIES, moved_to},
    crowd::uid,
    pool::Redis,
    waiting::eventually,
};

const SETTINGS: [[&str; 2]; 4] = [
    ["--redis-response-ms", "1000"],
    ["--write-deadline-ms", "2000"],
    ["--outbox-delay-ms", "4000"],
    ["--task-claim-ms", "6000"],
];

/// Returns the primary that serves a key.
fn serving(cluster: &Cluster, key: &str) -> usize {
    let answer = cluster.ask(0, &["TYPE", key]).expect("the node answers");
    moved_to(&answer).map_or(0, |address| cluster.node_at(&address))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_is_mute_does_not_take_the_others_with_it() {
    let cluster = Cluster::start(Nature::STEADY);
    let mut site = Site::on(Redis::own(cluster), SETTINGS.as_flattened()).await;
    let mut by_primary: BTreeMap<usize, Person> = BTreeMap::new();
    for number in 0.. {
        let login = format!("person_{number}");
        let person = Person::sign_up(&site, &login).await;
        let key = format!("user:{{{}}}", uid(&site.store, &login).await);
        let id = person.post("where I live").await;
        let status = format!("status:{{{id}}}");
        let cluster = site.redis.cluster();
        let primary = serving(cluster, &key);
        if serving(cluster, &status) == primary {
            by_primary.entry(primary).or_insert(person);
        }
        if by_primary.len() == PRIMARIES {
            break;
        }
    }
    let (mute, unlucky) = by_primary.pop_first().expect("a person exists");

    site.redis.cluster().pause_node(mute);
    let mut served = 0;
    for _ in 0..5 {
        let refused = unlucky.get("/settings/sessions").await.status;
        assert_eq!(refused, StatusCode::SERVICE_UNAVAILABLE);
        for person in by_primary.values() {
            let page = person.get("/settings/sessions").await;
            served += usize::from(page.status == StatusCode::OK);
        }
    }
    println!("{served} of 10 pages that need another primary were served");
    assert!(served > 0, "the others are not cut off");
    site.redis.cluster().resume_node(mute);
    eventually("all users are served again", async || {
        unlucky.get("/settings/sessions").await.status == StatusCode::OK
    })
    .await;
}
