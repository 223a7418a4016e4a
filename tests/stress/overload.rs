//! More requests than are answered at a time: an excess request is refused at once, and none waits
//! behind an unresponsive Redis.

use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::support::{Page, Person, Site, request::Request, waiting::eventually};

/// Number of requests that these sites answer at a time.
const PLACES: usize = 4;

/// Starts a site with a very long Redis timeout. Any answer during a Redis hang therefore did not
/// wait for Redis.
async fn small() -> Site {
    Site::with(&["--max-requests", "4", "--redis-response-ms", "30000"]).await
}

/// Sends this many requests at once.
fn ask_at_once(person: &Arc<Person>, path: &'static str, count: usize) -> Vec<JoinHandle<Page>> {
    let ask = |person: Arc<Person>| async move { person.get(path).await };
    (0..count)
        .map(|_| tokio::spawn(ask(Arc::clone(person))))
        .collect()
}

async fn all(answers: Vec<JoinHandle<Page>>) -> Vec<Page> {
    let mut all = Vec::new();
    for answer in answers {
        all.push(answer.await.expect("it is answered"));
    }
    all
}

/// Occupies every place with requests that wait for an unresponsive Redis. The requests beyond that
/// are refused.
async fn fill(site: &Site, person: &Arc<Person>, count: usize) -> Vec<JoinHandle<Page>> {
    site.redis.pause();
    let asked = ask_at_once(person, "/", count);
    eventually(
        "every place is taken, and no request waits for one",
        async || waiting(&asked) <= PLACES,
    )
    .await;
    asked
}

/// Returns the number of requests that are not answered yet.
fn waiting(asked: &[JoinHandle<Page>]) -> usize {
    asked.iter().filter(|answer| !answer.is_finished()).count()
}

#[tokio::test]
async fn requests_beyond_the_bound_are_answered_at_once_while_redis_hangs() {
    let site = small().await;
    let alice = Arc::new(Person::sign_up(&site, "alice").await);
    let asked = fill(&site, &alice, 40).await;
    assert_eq!(waiting(&asked), PLACES);
    site.redis.resume();
    let answers = all(asked).await;
    let (answered, turned_away): (Vec<_>, Vec<_>) =
        answers.iter().partition(|page| page.status == 200);
    assert_eq!((answered.len(), turned_away.len()), (PLACES, 40 - PLACES));
    for page in turned_away {
        assert_eq!(page.status, 503);
        assert_eq!(page.header("retry-after"), Some("5"));
        page.assert_helpful();
    }
    eventually("it is answered again", async || {
        alice.get("/").await.status == 200
    })
    .await;
    assert!(alice.is_logged_in().await, "the session is untouched");
}

#[tokio::test]
async fn pages_without_redis_are_answered_while_many_requests_wait_for_it() {
    let site = small().await;
    let alice = Arc::new(Person::sign_up(&site, "alice").await);
    let style = alice
        .open("/")
        .await
        .attributes("link[rel=stylesheet]", "href")
        .remove(0);
    let asked = fill(&site, &alice, 2 * PLACES).await;
    for path in ["/healthz", "/robots.txt", "/favicon.ico", &style] {
        assert_eq!(alice.get(path).await.status, 200, "{path}");
    }
    assert_eq!(waiting(&asked), PLACES);
    assert_eq!(
        alice.get("/readyz").await.status,
        503,
        "it is not able to serve"
    );
    site.redis.resume();
    all(asked).await;
}

#[tokio::test]
async fn a_form_beyond_the_bound_comes_back_at_once_and_posts_once_later() {
    let site = small().await;
    let alice = Arc::new(Person::sign_up(&site, "alice").await);
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "typed with care");
    let asked = fill(&site, &alice, 2 * PLACES).await;
    let page = alice.submit(&form).await;
    assert_eq!(waiting(&asked), PLACES);
    site.redis.resume();
    assert_eq!(page.status, 503, "{}", page.html);
    assert_eq!(page.header("retry-after"), Some("5"));
    let again = page.form("/statuses");
    assert_eq!(again.value("message"), "typed with care");
    all(asked).await;
    eventually("it is posted", async || {
        alice.submit(&again).await.status == 303
    })
    .await;
    alice.submit_accepted(&form).await;
    assert_eq!(alice.open("/").await.messages(), ["typed with care"]);
}

#[tokio::test]
async fn an_excess_form_from_another_site_is_not_returned() {
    let site = small().await;
    let alice = Arc::new(Person::sign_up(&site, "alice").await);
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "not typed here");
    let asked = fill(&site, &alice, 2 * PLACES).await;
    let request = Request::submit(&alice, &form);
    let page = request.header("sec-fetch-site", "cross-site").send().await;
    site.redis.resume();
    assert_eq!(page.status, 403);
    assert!(!page.html.contains("not typed here"));
    all(asked).await;
}

#[tokio::test]
async fn many_requests_are_all_answered_when_none_hangs() {
    // An eighth of them is for one network.
    let site = Site::with(&["--max-requests", "512"]).await;
    let alice = Arc::new(Person::sign_up(&site, "alice").await);
    let answers = all(ask_at_once(&alice, "/", 64)).await;
    assert!(answers.iter().all(|page| page.status == 200));
}

/// Sends this many requests of a visitor at this address at once.
fn ask_from(site: &Site, address: &'static str, count: usize) -> Vec<JoinHandle<Page>> {
    let visitor = Arc::new(Person::visitor(site));
    let ask = |visitor: Arc<Person>| async move {
        let request = Request::get(&visitor, "/");
        request.header("x-forwarded-for", address).send().await
    };
    (0..count)
        .map(|_| tokio::spawn(ask(Arc::clone(&visitor))))
        .collect()
}

#[tokio::test]
async fn one_network_takes_a_part_of_the_places() {
    let settings = ["--max-requests", "160", "--redis-response-ms", "30000"];
    // Without shares of processor time, each request that is admitted waits for Redis.
    let shares = ["--page-seconds-per-minute", "0"];
    let proxies = ["--trusted-proxies", "127.0.0.0/8"];
    let settings = [&settings[..], &shares, &proxies].concat();
    let site = Site::with(&settings).await;
    site.redis.pause();
    let flood = ask_from(&site, "192.0.2.1", 70);
    eventually("the flood has its part", async || waiting(&flood) == 20).await;
    let other = ask_from(&site, "192.0.2.2", 20);
    site.redis.resume();
    let refused = all(flood).await;
    let refused = refused.iter().filter(|page| page.status == 503);
    assert_eq!(refused.count(), 50);
    assert!(all(other).await.iter().all(|page| page.status == 200));
}
