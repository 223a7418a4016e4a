//! The quota of bytes for the posts of one person: refusals in words, deletions that make room, edits, races.

use futures_util::future::{join, join_all};
use reqwest::StatusCode;

use crate::{
    server::memory::{leave_all, use_percent},
    support::{
        Form, Page, Person, Site, crowd, pool::Redis, redis::RedisServer, waiting::eventually,
    },
};

/// The smallest quota. 32 short posts fill it.
const QUOTA: &str = "65536";
const SHORT_POSTS: usize = 32;

async fn small_site() -> Site {
    Site::with(&["--post-bytes", QUOTA]).await
}

/// Returns a text of 100 words that counts as about 14 KB. Four of them fit.
fn long_text(number: usize) -> String {
    let words: Vec<String> = (0..100).map(|word| format!("w{number}x{word}")).collect();
    let text = words.join(" ");
    text.chars().take(490).collect()
}

async fn compose(person: &Person, message: &str) -> Form {
    let form = person.open("/").await.form("/statuses");
    form.set("message", message)
}

/// Checks the answer to a person without room.
fn assert_refused(answer: &Page) {
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = answer.visible_text();
    assert!(text.contains("Your posts use all your storage"), "{text}");
    assert!(text.contains("Delete some of your posts"), "{text}");
    answer.assert_helpful();
}

async fn used_bytes(site: &Site, login: &str) -> u64 {
    let who = crowd::uid(&site.store, login).await;
    site.store.post_bytes(who).await.expect("an answer")
}

#[tokio::test]
async fn a_post_beyond_the_quota_is_refused_with_its_text_and_a_deletion_makes_room() {
    let site = small_site().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let of_bob = bob.post("of bob").await;
    let mut posts = Vec::new();
    let refused = loop {
        let message = long_text(posts.len());
        let answer = alice.submit(&compose(&alice, &message).await).await;
        if answer.status != StatusCode::SEE_OTHER {
            assert_eq!(answer.form("/statuses").value("message"), message);
            break answer;
        }
        posts.push(alice.open("/@alice").await.status_ids()[0]);
        assert!(posts.len() < 10, "there is always room");
    };
    assert_refused(&refused);
    assert!(posts.len() >= 3, "{posts:?}");
    let settings = alice.open("/settings").await.visible_text();
    assert!(settings.contains("of 0.1 MB"), "{settings}");
    // Short posts, reposts, quotes and replies fill the rest.
    while alice.submit(&compose(&alice, "short").await).await.status == StatusCode::SEE_OTHER {}
    let page = alice.open(&format!("/statuses/{of_bob}")).await;
    let reply = page.form("/statuses").set("message", "a reply");
    let refused = alice.submit(&reply).await;
    assert_refused(&refused);
    assert_eq!(refused.form("/statuses").value("message"), "a reply");
    let repost = page.button(&format!("/statuses/{of_bob}/repost"));
    assert_refused(&alice.submit(&repost).await);
    bob.post("others have room").await;
    site.drain().await;
    site.assert_sound().await;

    alice.delete(posts[0]).await;
    alice.submit_accepted(&reply).await;
    alice.submit_accepted(&repost).await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn of_fifty_simultaneous_posts_exactly_those_with_room_are_accepted() {
    let site = small_site().await;
    let alice = Person::sign_up(&site, "alice").await;
    let forms = (0..50).map(async |number: usize| compose(&alice, &format!("post {number}")).await);
    let forms: Vec<Form> = join_all(forms).await;
    let answers = join_all(forms.iter().map(|form| alice.submit(form))).await;
    let (accepted, refused): (Vec<&Page>, Vec<&Page>) = answers
        .iter()
        .partition(|answer| answer.status == StatusCode::SEE_OTHER);
    assert_eq!(accepted.len(), SHORT_POSTS);
    refused.into_iter().for_each(assert_refused);
    assert_eq!(used_bytes(&site, "alice").await, 65_536);
    site.drain().await;
    site.assert_sound().await;
    for id in alice.ids("/@alice").await {
        alice.delete(id).await;
    }
    assert_eq!(used_bytes(&site, "alice").await, 0);
    alice.post("room again").await;
}

#[tokio::test]
async fn an_edit_counts_with_the_earlier_version_and_is_refused_without_room() {
    let site = small_site().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("short").await;
    assert_eq!(used_bytes(&site, "alice").await, 2048);
    let path = format!("/statuses/{id}/edit");
    let edit = async |message: &str| {
        let form = alice.open(&path).await.form(&path).set("message", message);
        alice.submit(&form).await
    };
    let mut used = 2048;
    for number in 0..2 {
        assert_eq!(edit(&long_text(number)).await.status, StatusCode::SEE_OTHER);
        let now = used_bytes(&site, "alice").await;
        assert!(now > used, "{now}");
        used = now;
    }
    assert!(used > 12_000, "{used}");
    assert_eq!(edit("short again").await.status, StatusCode::SEE_OTHER);
    let with_versions = used_bytes(&site, "alice").await;
    assert!((2049..5000).contains(&with_versions), "{with_versions}");
    site.drain().await;
    site.assert_sound().await;
    while alice.submit(&compose(&alice, "short").await).await.status == StatusCode::SEE_OTHER {}
    let refused = edit(&long_text(3)).await;
    assert_refused(&refused);
    assert_eq!(refused.form(&path).value("message"), long_text(3));
    alice.delete(id).await;
    assert!(used_bytes(&site, "alice").await <= 65_536 - with_versions);
    site.drain().await;
    site.assert_sound().await;
}

async fn limit_memory(site: &Site, bytes: u64) {
    let bytes = bytes.to_string();
    site.redis.command(&["CONFIG", "SET", "maxmemory", &bytes]);
    site.store.ready().await.expect("it is measured");
}

/// Returns the quotas of alice.
async fn quotas(site: &Site) -> (u64, u64) {
    let alice = crowd::uid(&site.store, "alice").await;
    let posts = site.store.post_quota(alice).await.expect("an answer");
    let messages = site.store.message_quota(alice).await;
    (posts, messages.expect("an answer"))
}

#[tokio::test]
async fn by_default_the_quotas_are_shares_of_the_memory_limit() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    for (limit, expected) in [
        (80_000_000, (4_000_000, 1_000_000)),
        (0, (268_435_456, 67_108_864)),
        (1 << 40, (268_435_456, 67_108_864)),
    ] {
        limit_memory(&site, limit).await;
        assert_eq!(quotas(&site).await, expected, "{limit}");
    }
    limit_memory(&site, 80_000_000).await;
    let text = alice.open("/settings").await.visible_text();
    for told in ["of 4.0 MB", "of 1.0 MB"] {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[tokio::test]
async fn a_quota_that_the_host_sets_wins_over_the_memory_limit() {
    let settings = ["--post-bytes", "90000000", "--message-bytes", "80000000"];
    let site = Site::on(Redis::Node(RedisServer::start()), &settings).await;
    limit_memory(&site, 80_000_000).await;
    Person::sign_up(&site, "alice").await;
    assert_eq!(quotas(&site).await, (90_000_000, 80_000_000));
}

#[tokio::test]
async fn a_newcomer_has_a_tenth_of_the_quotas() {
    let days = ["--new-account-days", "7"];
    let site = Site::on(Redis::Node(RedisServer::start()), &days).await;
    limit_memory(&site, 80_000_000).await;
    Person::sign_up(&site, "alice").await;
    assert_eq!(quotas(&site).await, (400_000, 100_000));
    limit_memory(&site, 20_000_000).await;
    assert_eq!(quotas(&site).await, (100_000, 65_536));
}

/// Many accounts that are each within their quota cannot close posting for everybody.
#[tokio::test]
async fn from_80_percent_on_people_who_use_a_tenth_of_their_quota_stop_and_others_post_on() {
    let quota = ["--post-bytes", "1000000"];
    let site = Site::on(Redis::Node(RedisServer::start()), &quota).await;
    let [alice, bob] = ["alice", "bob"].map(|login| Person::sign_up(&site, login));
    let (alice, bob) = join(alice, bob).await;
    for number in 0.. {
        if used_bytes(&site, "alice").await > 100_000 {
            break;
        }
        alice.post(&long_text(number)).await;
    }
    let redis = site.redis.one_node();
    use_percent(redis, 85);
    eventually("the site notices", async || {
        alice.get("/readyz").await.html.contains("warning:")
    })
    .await;
    let refused = alice.submit(&compose(&alice, "too much").await).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = refused.visible_text();
    assert!(text.contains("while the site is almost full"), "{text}");
    bob.post("there is room").await;
    leave_all(redis);
    eventually("the site notices", async || {
        !alice.get("/readyz").await.html.contains("warning:")
    })
    .await;
    alice.post("there is room again").await;
    site.assert_sound().await;
}
