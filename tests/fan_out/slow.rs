//! Deliveries that take longer than the deadline of a write: the author's answer is true, passes continue
//! from the last home that they served, and a pass without any progress is tried again until Redis is fast.

use std::time::Duration;

use redwing::{
    domain::StatusId,
    store::{BacklogReader, Queue, Store},
    worker,
};
use reqwest::StatusCode;
use tokio::{sync::watch, task::JoinHandle};

use crate::support::{
    Person, Site,
    crowd::{self, readers_who_see},
    pool::Redis,
    proxied_server::ProxiedServer,
    proxy::{Fault, When},
    redis::RedisServer,
    waiting::eventually,
};

/// A key that only deliveries and pages of homes name.
const DELIVERY: &str = "reading:{";
/// Longer than any delay here.
const RESPONSE: Duration = Duration::from_secs(10);

struct Worker {
    stop: watch::Sender<bool>,
    running: JoinHandle<()>,
}

impl Worker {
    fn start(store: &Store) -> Self {
        let (stop, stopped) = watch::channel(false);
        let running = tokio::spawn(worker::run(store.fork(), stopped));
        Self { stop, running }
    }

    async fn stop(self) {
        self.stop.send_replace(true);
        self.running.await.expect("the worker ends");
    }
}

/// Starts a site on one node, and a second server of it with this deadline and slow deliveries.
async fn slow(settings: &[&str], deadline: Duration, delay: Duration) -> (Site, ProxiedServer) {
    let site = Site::on(Redis::Node(RedisServer::start()), settings).await;
    let proxied = ProxiedServer::start(&site, RESPONSE, deadline).await;
    let fault = Fault::Delay(delay);
    proxied.proxy.strike(fault, When::Always, DELIVERY);
    (site, proxied)
}

/// Posts at this server. Returns the answer's status and the post.
async fn post(author: &Person, message: &str) -> (StatusCode, StatusId) {
    let form = author.open("/").await.form("/statuses");
    let answer = author.submit(&form.set("message", message)).await;
    let id = author.open("/@author").await.status_ids()[0];
    (answer.status, StatusId::new(id).expect("an id"))
}

#[tokio::test]
async fn a_pass_slower_than_the_deadline_continues_from_the_last_home_that_it_served() {
    let (deadline, delay) = (Duration::from_secs(4), Duration::from_millis(400));
    let (site, proxied) = slow(&[], deadline, delay).await;
    let author = Person::sign_up(&site, "author").await;
    let uid = crowd::uid(&site.store, "author").await;
    let followers = crowd::followers(&site.store, uid, 300).await;
    let (status, id) = post(&proxied.take(&author), "slowly to all of you").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let at_once = readers_who_see(&site.store, &followers, id).await.len();
    assert!((1..300).contains(&at_once), "{at_once} were served at once");
    let worker = Worker::start(&proxied.store);
    eventually("all followers are served", async || {
        let [now, ..] = crate::support::state::task_counts(&site.store)
            .await
            .expect("an answer");
        now == 0
    })
    .await;
    worker.stop().await;
    assert_eq!(
        readers_who_see(&site.store, &followers, id).await,
        followers
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn an_author_is_not_asked_to_send_a_post_again_that_exists() {
    let (deadline, delay) = (Duration::from_secs(3), Duration::from_secs(4));
    let (site, proxied) = slow(&[], deadline, delay).await;
    let author = Person::sign_up(&site, "author").await;
    let uid = crowd::uid(&site.store, "author").await;
    let followers = crowd::followers(&site.store, uid, 1).await;
    let (status, id) = post(&proxied.take(&author), "it exists").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(author.open("/").await.messages(), ["it exists"]);
    let early = readers_who_see(&site.store, &followers, id).await;
    assert!(early.is_empty(), "the delivery was too late");
    site.drain().await;
    let seen = readers_who_see(&site.store, &followers, id).await;
    assert_eq!(seen, followers);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_pass_that_serves_no_home_in_time_counts_as_an_attempt_and_is_not_given_up() {
    let (deadline, delay) = (Duration::from_millis(500), Duration::from_millis(900));
    let settings = ["--pass-size", "1", "--task-attempts", "2"];
    let (site, proxied) = slow(&settings, deadline, delay).await;
    let author = crowd::member(&site.store, "author").await;
    let followers = crowd::followers(&site.store, author, 2).await;
    let id = crowd::post(&site.store, author, "in time when Redis is fast again").await;
    let worker = Worker::start(&proxied.store);
    eventually("the delivery has failed three times", async || {
        let mut waiting = BacklogReader::of(Queue::Later);
        let mut most = 0;
        while let Some(entries) = site.store.waiting(&mut waiting).await.expect("an answer") {
            let attempts = entries
                .iter()
                .filter_map(|entry| entry.id.split(' ').nth(1)?.parse().ok());
            most = attempts.fold(most, u32::max);
        }
        most >= 3
    })
    .await;
    worker.stop().await;
    proxied.proxy.pass();
    site.drain().await;
    let seen = readers_who_see(&site.store, &followers, id).await;
    assert_eq!(seen, followers);
    site.assert_sound().await;
}
