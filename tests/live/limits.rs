//! Streams take no place of a request, are limited in number, and do not count as idle connections.

use std::{net::IpAddr, sync::mpsc::channel, time::Duration};

use redwing::{
    live::{ReadLimits, Reader, Streams},
    store::{LiveQuery, Network},
};
use reqwest::StatusCode;

use super::page::{OpenPage, request_stream};
use crate::{
    stress::raw_connection::RawConnection,
    support::{Person, Site, core::Core, crowd, waiting::eventually},
};

#[tokio::test]
async fn open_streams_do_not_count_as_requests() {
    let site = Site::with(&["--max-requests", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut pages = Vec::new();
    for _ in 0..3 {
        let mut page = OpenPage::home(&alice).await;
        page.next_event_named("counts").await;
        pages.push(page);
    }
    assert_eq!(alice.get("/").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_oldest_stream_of_a_user_is_closed_first() {
    let site = Site::with(&["--streams-per-person", "2"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let oldest = OpenPage::home(&alice).await;
    let mut second = OpenPage::home(&alice).await;
    let mut third = OpenPage::home(&alice).await;
    assert_eq!(
        oldest.ended().await.last().map(String::as_str),
        Some("crowded")
    );
    alice.post("hello").await;
    for page in [&mut second, &mut third] {
        page.wait_for_count("posts", ["1", "post"]).await;
    }
}

#[tokio::test]
async fn an_excess_stream_must_retry_and_a_closed_one_makes_room() {
    let site = Site::with(&["--max-streams", "2"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let first = OpenPage::home(&alice).await;
    let _second = OpenPage::home(&alice).await;
    let refused = request_stream(&alice, None, None).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key("retry-after"));
    drop(first);
    eventually("there is room again", async || {
        request_stream(&alice, None, None).await.status() == StatusCode::OK
    })
    .await;
}

#[tokio::test]
async fn the_reads_of_a_stream_are_charged_to_its_user_and_network() {
    let core = Core::start();
    let person = crowd::member(&core.store, "alice").await;
    let (sender, receiver) = channel();
    let limits = ReadLimits {
        wait: Box::new(|_| Duration::ZERO),
        charge: Box::new(move |reader, used| drop(sender.send((reader.clone(), used)))),
    };
    let (streams, tasks) = Streams::start(&core.store, limits);
    let from: IpAddr = [192, 0, 2, 1].into();
    let query = LiveQuery {
        person,
        session: "none".to_owned(),
        epoch: "none".to_owned(),
        since: None,
        chat: None,
        watched: None,
    };
    let _stream = streams.open(query, from).expect("there is room");
    let mut charged = None;
    eventually("a read is charged", async || {
        charged = receiver.try_recv().ok();
        charged.is_some()
    })
    .await;
    let (reader, used) = charged.expect("a read");
    let networks = vec![Network::of(from)];
    assert_eq!(reader, Reader { person, networks });
    assert!(used > Duration::ZERO);
    tasks.stop();
}

#[tokio::test]
async fn an_address_has_a_limited_number_of_streams() {
    let site = Site::with(&[
        "--streams-per-address",
        "2",
        "--trusted-proxies",
        "127.0.0.0/8",
    ])
    .await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let open = async |person: &Person, from: &'static str| {
        let request = person
            .client()
            .get(person.address(&format!("/live?login={}", person.login)))
            .header("x-forwarded-for", from)
            .header("cookie", person.cookies.header().unwrap_or_default());
        request.send().await.expect("the site answers")
    };
    let first = open(&alice, "192.0.2.1").await;
    let _second = open(&bob, "192.0.2.1").await;
    let refused = open(&bob, "192.0.2.1").await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
    let _elsewhere = OpenPage::of(open(&bob, "192.0.2.2").await);
    drop(first);
    eventually("there is room again", async || {
        open(&bob, "192.0.2.1").await.status() == StatusCode::OK
    })
    .await;
}

/// Idle connections are opened one after the other, for longer in total than the idle timeout.
#[tokio::test]
async fn a_quiet_stream_outlasts_idle_connections() {
    let site = Site::with(&["--keep-alive-ms", "500", "--request-head-ms", "1500"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut page = OpenPage::home(&alice).await;
    page.next_event_named("counts").await;
    for _ in 0..8 {
        let mut idle = RawConnection::open(&site.base).await;
        idle.get("/healthz").await;
        idle.answer().await;
        idle.ended().await;
    }
    alice.post("hello").await;
    page.wait_for_count("posts", ["1", "post"]).await;
}

#[tokio::test]
async fn streams_are_counted_in_the_metrics() {
    let site = Site::with(&["--metrics-listen", "127.0.0.1:0"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let _page = OpenPage::home(&alice).await;
    let address = site.metrics.expect("metrics are served");
    let answer = alice
        .client()
        .get(format!("http://{address}/metrics"))
        .send();
    let text = answer.await.expect("it answers").text().await;
    assert!(text.expect("text").contains("redwing_live_streams "));
}
