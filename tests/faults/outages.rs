//! Failing connections: errors are answered in time. The next request after the repair succeeds,
//! without a restart and without waiting.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::StatusCode;

use super::{assert_unavailable, is_ready, on_one_node};
use crate::support::{
    Person, Site, crowd,
    proxied_server::ProxiedServer,
    proxy::{Fault, When},
};

/// Longer than any delay by a busy machine.
const RESPONSE: Duration = Duration::from_secs(3);

/// Every fault that prevents answers.
const OUTAGES: [Fault; 6] = [
    Fault::Delay(Duration::from_secs(6)),
    Fault::Cut,
    Fault::LoseAnswer,
    Fault::Mute,
    Fault::Swallow,
    Fault::Hold,
];

/// Starts a fault, lets every request meet it, and ends it.
async fn assert_recovers_at_once(site: &Site, alice: &Person, status: u64, fault: Fault) {
    let proxied = ProxiedServer::start(site, RESPONSE, RESPONSE).await;
    let here = proxied.take(alice);
    assert_eq!(here.open("/").await.messages(), ["hello"]);
    proxied.proxy.fail(fault);
    let status = format!("/@alice/{status}");
    let pages = ["/", "/@alice", &status, "/settings"].map(|path| here.get(path));
    for page in join_all(pages).await {
        assert_unavailable(&page);
    }
    assert!(!is_ready(&proxied).await, "{fault:?}");
    assert_eq!(here.get("/healthz").await.status, StatusCode::OK);
    proxied.proxy.pass();
    let page = here.get("/").await;
    let first = "the first page after";
    assert_eq!(page.status, StatusCode::OK, "{first} {fault:?}");
    assert_eq!(page.messages(), ["hello"]);
    assert!(is_ready(&proxied).await, "after {fault:?}");
}

#[tokio::test]
async fn every_fault_is_answered_in_time_and_over_at_once() {
    let site = on_one_node(&[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("hello").await;
    let faults = OUTAGES.map(|fault| assert_recovers_at_once(&site, &alice, id, fault));
    join_all(faults).await;
}

#[tokio::test]
async fn a_connection_that_went_silent_is_given_up_after_one_answer_is_late() {
    let site = on_one_node(&[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let proxied = ProxiedServer::start(&site, RESPONSE, RESPONSE).await;
    let here = proxied.take(&alice);
    here.open("/").await;
    proxied.proxy.forget_connections();
    assert_unavailable(&here.get("/").await);
    assert_eq!(here.get("/").await.status, StatusCode::OK);
}

/// The deletion itself succeeds. Then each round trip to its copies is cut.
#[tokio::test]
async fn a_deletion_is_answered_as_done_although_its_copies_cannot_be_removed_yet() {
    let site = on_one_node(&[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = crowd::member(&site.store, "bob").await;
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::list(&site.store, uid, &[bob]).await;
    let id = alice.post("not for long").await;
    let list = alice.open("/lists/1/delete").await.form("/lists/1/delete");
    let proxied = ProxiedServer::start(&site, RESPONSE * 4, RESPONSE * 4).await;
    let here = proxied.take(&alice);
    for (form, copies) in [
        (alice.delete_form(id).await, "post_bytes:{"),
        (list, "list_memberships:{"),
    ] {
        proxied.proxy.strike(Fault::Cut, When::Always, copies);
        let answer = here.submit(&form).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{copies}");
        assert!(proxied.proxy.pass() > 0, "{copies} was not reached");
    }
    assert!(alice.open("/@alice").await.messages().is_empty());
    assert_eq!(alice.get("/lists/1").await.status, StatusCode::NOT_FOUND);
    site.drain().await;
    site.assert_sound().await;
}
