//! A write that no replica has is not reported as successful, and sending the same form again
//! completes it.

use reqwest::StatusCode;

use crate::support::{
    Person, Site,
    cluster::{Cluster, Nature, PRIMARIES},
    pool::Redis,
};

const SETTINGS: [[&str; 2]; 4] = [
    ["--redis-response-ms", "2000"],
    ["--write-deadline-ms", "3000"],
    ["--outbox-delay-ms", "5000"],
    ["--task-claim-ms", "6000"],
];

#[tokio::test(flavor = "multi_thread")]
async fn a_post_that_no_replica_confirms_is_sent_again_and_made_once() {
    let cluster = Cluster::start(Nature::STEADY);
    let mut site = Site::on(Redis::own(cluster), SETTINGS.as_flattened()).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    let form = form.set("message", "kept by more than one");

    let replicas = || PRIMARIES..2 * PRIMARIES;
    replicas().for_each(|node| site.redis.cluster().pause_node(node));
    let refused = alice.submit(&form).await;
    replicas().for_each(|node| site.redis.cluster().resume_node(node));

    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    let again = refused.form("/statuses");
    assert_eq!(again.value("message"), "kept by more than one");
    alice.submit_accepted(&again).await;
    alice.submit_accepted(&form).await;
    site.drain().await;
    assert_eq!(alice.open("/").await.messages(), ["kept by more than one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_sent_again_is_not_confirmed_by_an_earlier_write() {
    let cluster = Cluster::start(Nature::STEADY);
    let mut site = Site::on(Redis::own(cluster), SETTINGS.as_flattened()).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    let form = form.set("message", "there, and not confirmed");

    let replicas = || PRIMARIES..2 * PRIMARIES;
    replicas().for_each(|node| site.redis.cluster().pause_node(node));
    let first = alice.submit(&form).await.status;
    let second = alice.submit(&form).await.status;
    replicas().for_each(|node| site.redis.cluster().resume_node(node));
    assert_eq!(
        [first, second],
        [StatusCode::SERVICE_UNAVAILABLE; 2],
        "a retry without changes waits for replicas too"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_without_replicas_to_confirm_writes_is_not_ready() {
    let cluster = Cluster::start(Nature::STEADY);
    let mut site = Site::on(Redis::own(cluster), SETTINGS.as_flattened()).await;
    let visitor = Person::visitor(&site);
    assert_eq!(visitor.get("/readyz").await.status, StatusCode::OK);
    site.redis.cluster().kill_node(PRIMARIES);
    crate::support::waiting::eventually("the missing replica is noticed", async || {
        visitor.get("/readyz").await.status == StatusCode::SERVICE_UNAVAILABLE
    })
    .await;
}
