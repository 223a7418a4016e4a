//! Failing connections: errors are answered in time. The next request after the repair succeeds,
//! without a restart and without waiting.

use std::time::Duration;

use futures_util::future::join_all;
use redwing::{domain::StatusId, store::Key};
use reqwest::StatusCode;

use super::{assert_unavailable, is_ready, on_one_node};
use crate::support::{
    Form, Person, Site, action_path, crowd,
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

fn status(id: u64) -> StatusId {
    StatusId::new(id).expect("in range")
}

/// A form, and the key of a copy that it changes after the source of truth.
struct Written {
    form: Form,
    copy: String,
}

impl Written {
    fn new(form: Form, copy: impl Into<String>) -> Self {
        let copy = copy.into();
        Self { form, copy }
    }
}

/// Sends each form while every round trip to its copy is cut. The source of truth is written, so the answer is a
/// success, and the outbox entry completes the copies.
async fn assert_done_without_copies(site: &Site, person: &Person, all: Vec<Written>) {
    let proxied = ProxiedServer::start(site, RESPONSE * 4, RESPONSE * 4).await;
    let here = proxied.take(person);
    for Written { form, copy } in all {
        proxied.proxy.strike(Fault::Cut, When::Always, &copy);
        let answer = here.submit(&form).await;
        let action = &form.action;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{action} at {copy}");
        assert!(proxied.proxy.pass() > 0, "{action}: {copy} was not reached");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_deletion_is_answered_as_done_although_its_copies_cannot_be_removed_yet() {
    let site = on_one_node(&[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = crowd::member(&site.store, "bob").await;
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::list(&site.store, uid, &[bob]).await;
    let id = alice.post("not for long").await;
    let list = alice.open("/lists/1/delete").await.form("/lists/1/delete");
    let all = vec![
        Written::new(alice.delete_form(id).await, "post_bytes:{"),
        Written::new(list, "list_memberships:{"),
    ];
    assert_done_without_copies(&site, &alice, all).await;
    assert!(alice.open("/@alice").await.messages().is_empty());
    assert_eq!(alice.get("/lists/1").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_press_is_answered_as_done_although_its_copies_cannot_be_written_yet() {
    let site = on_one_node(&[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let [bob, carol, dave] = [
        crowd::member(&site.store, "bob").await,
        crowd::member(&site.store, "carol").await,
        crowd::member(&site.store, "dave").await,
    ];
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::list(&site.store, uid, &[]).await;
    crowd::set_private(&site.store, carol, true).await;
    crowd::follow(&site.store, uid, dave).await;
    let id = crowd::post(&site.store, bob, "to be pressed").await.get();
    let on_bob = alice.open("/@bob").await;
    let on_carol = alice.open("/@carol").await;
    let on_dave = alice.open("/@dave").await;
    let press = |action: &str| on_bob.button(&action_path(action, id));
    let all = vec![
        Written::new(on_bob.form("/@bob/follow"), format!("followers:{{{bob}}}")),
        Written::new(press("favourite"), "favourited_by:{"),
        Written::new(press("repost"), "reposted_by:{"),
        Written::new(
            on_carol.form("/@carol/follow"),
            format!("requests:{{{carol}}}"),
        ),
        Written::new(
            on_dave.form("/@dave/unfollow"),
            format!("followers:{{{dave}}}"),
        ),
        Written::new(
            on_dave.form("/@dave/block"),
            format!("blocked_by:{{{dave}}}"),
        ),
    ];
    assert_done_without_copies(&site, &alice, all).await;
    let store = &site.store;
    for (key, count) in [
        (Key::Followers(bob), 1),
        (Key::FavouritedBy(status(id)), 1),
        (Key::RepostedBy(status(id)), 1),
        (Key::Requests(carol), 1),
        (Key::Followers(dave), 0),
        (Key::BlockedBy(dave), 1),
    ] {
        let size = store.cardinality(&key).await.expect("an answer");
        assert_eq!(size, count, "{key:?}");
    }
}

#[tokio::test]
async fn a_text_is_answered_as_posted_although_its_copies_cannot_be_written_yet() {
    let site = on_one_node(&[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("before").await;
    let edit = action_path("edit", id);
    let home = alice.open("/").await;
    let edited = alice.open(&edit).await.form(&edit);
    let all = vec![
        Written::new(home.form("/statuses").set("message", "posted"), "posts:{"),
        Written::new(edited.set("message", "after #sailing"), "tag_index:{"),
    ];
    assert_done_without_copies(&site, &alice, all).await;
    let messages = alice.open("/@alice").await.messages();
    assert_eq!(messages, ["posted", "after #sailing"]);
    let tagged = alice.open("/tags/sailing").await;
    assert_eq!(tagged.messages(), ["after #sailing"]);
}

#[tokio::test]
async fn a_sign_up_is_answered_as_done_although_search_does_not_find_the_person_yet() {
    let site = on_one_node(&[]).await;
    let proxied = ProxiedServer::start(&site, RESPONSE * 4, RESPONSE * 4).await;
    let visitor = proxied.visitor();
    proxied.proxy.strike(Fault::Cut, When::Always, "names:{");
    let answer = visitor.send_sign_up("alice").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
    assert!(proxied.proxy.pass() > 0);
    site.drain().await;
    site.assert_sound().await;
    let found = visitor.open("/search?q=alice").await;
    assert!(found.has(".person"), "{}", found.html);
}
