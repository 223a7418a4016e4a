//! Floods from one address: nginx refuses them with a page, and other addresses are served.

use futures_util::{
    StreamExt,
    future::join_all,
    stream::{self, FuturesUnordered},
};
use reqwest::StatusCode;

use super::front::{ELSEWHERE, Front, HERE, NAME, PROXY};
use crate::{
    live::page::request_stream,
    support::{PASSWORD, Page, Person, request::Request, waiting::eventually},
};

/// Requests that an address may send at once, and requests that it may have open at once.
const BURST: usize = 100;
const OPEN: usize = 100;

/// Sends four times the burst at once. Returns a refused page. The earlier requests of the visitor took a
/// part of the burst, and nothing says how much of it refilled. So at least half of the burst is expected.
async fn flood(visitor: &Person, header: Option<(&str, &str)>) -> Page {
    let requests = (0..4 * BURST).map(async |_| {
        let request = Request::get(visitor, "/robots.txt");
        let request = match header {
            Some((name, value)) => request.header(name, value),
            None => request,
        };
        request.send().await
    });
    let mut answers = join_all(requests).await;
    let served = answers.iter().filter(|page| page.status == StatusCode::OK);
    let served = served.count();
    assert!((BURST / 2..4 * BURST).contains(&served), "{served}");
    answers.retain(|page| page.status != StatusCode::OK);
    answers.swap_remove(0)
}

/// Checks the page of nginx for a refused request.
fn assert_refused(page: &Page) {
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(page.text("main h1"), "Too many requests");
    assert_eq!(page.header("x-request-id"), None, "it comes from nginx");
    assert_eq!(page.header("retry-after"), Some("5"));
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(page.header("cache-control"), Some("private, no-store"));
    for name in [
        "content-security-policy",
        "strict-transport-security",
        "x-content-type-options",
        "referrer-policy",
    ] {
        assert_eq!(page.headers.get_all(name).iter().count(), 1, "{name}");
    }
}

#[tokio::test]
async fn a_flood_is_refused_with_a_page_and_other_addresses_are_served() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let robin = front.sign_up("robin").await;
    let form = robin.open("/").await.form("/statuses");
    let form = form.set("message", "Typed during the flood");
    assert_refused(&flood(&robin, None).await);
    let elsewhere = front.visitor(ELSEWHERE);
    assert_eq!(elsewhere.get("/robots.txt").await.status, StatusCode::OK);
    let style = elsewhere
        .get("/")
        .await
        .attributes("link[rel=stylesheet]", "href");
    for _ in 0..BURST {
        let answer = robin.get(&style[0]).await;
        assert_eq!(
            answer.status,
            StatusCode::OK,
            "static files have another limit"
        );
    }
    eventually("the address is served again", async || {
        robin.submit(&form).await.status == StatusCode::SEE_OTHER
    })
    .await;
    // The reader spends a request of the refilling burst too.
    eventually("the post is on home", async || {
        let home = robin.get("/").await;
        home.status == StatusCode::OK && home.messages() == ["Typed during the flood"]
    })
    .await;
}

#[tokio::test]
async fn an_ipv6_network_of_a_visitor_counts_as_one_address() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let visitor = front.visitor(PROXY);
    let from = async |address: &str| {
        let request = Request::get(&visitor, "/robots.txt");
        request.header("x-real-ip", address).send().await.status
    };
    // A byte of the first one is a line end.
    for network in ["2001:db8:a0a:a", "2001:db8:7:8"] {
        let header = ("x-real-ip", format!("{network}::1"));
        assert_refused(&flood(&visitor, Some((header.0, &header.1))).await);
        let neighbour = (0..BURST).map(|host| format!("{network}:a:b:c:{host:x}"));
        let statuses = join_all(neighbour.map(async |address| from(&address).await)).await;
        assert!(
            statuses.contains(&StatusCode::TOO_MANY_REQUESTS),
            "{network}"
        );
    }
    assert_eq!(from("2001:db8:7:9::1").await, StatusCode::OK);
    assert_eq!(from("192.0.2.7").await, StatusCode::OK);
}

#[tokio::test]
async fn the_networks_of_an_ipv6_customer_have_a_common_limit() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let visitor = front.visitor(PROXY);
    let from = async |address: String| {
        let request = Request::get(&visitor, "/robots.txt");
        request.header("x-real-ip", &address).send().await.status
    };
    // No /64 sends more than three requests.
    let requests = (0..8 * BURST).map(|number| from(format!("2001:db8:a:{:x}::1", number % 256)));
    let statuses: Vec<_> = stream::iter(requests).buffer_unordered(50).collect().await;
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS));
    let served = statuses.iter().filter(|status| status.is_success());
    assert!(served.count() >= 2 * BURST);
    assert_eq!(from("2001:db8:b::1".to_owned()).await, StatusCode::OK);
}

#[tokio::test]
async fn static_files_have_a_limit_of_their_own() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let visitor = front.visitor(HERE);
    let page = visitor.get("/").await;
    let style = &page.attributes("link[rel=stylesheet]", "href")[0];
    let requests = (0..20 * BURST).map(async |_| visitor.get(style).await.status);
    let statuses: Vec<_> = stream::iter(requests).buffer_unordered(50).collect().await;
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(visitor.get("/").await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_address_has_a_limited_number_of_open_requests() {
    let Some(front) = Front::start(&["--streams-per-person", "1000"]).await else {
        return;
    };
    let robin = front.sign_up("robin").await;
    let mut streams = Vec::new();
    while streams.len() < OPEN {
        let answer = request_stream(&robin, None, None).await;
        match answer.status() {
            StatusCode::OK => streams.push(answer),
            // The burst of requests is used up. It refills with time.
            status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS),
        }
    }
    for path in ["/", "/static/app.css", "/live"] {
        assert_refused(&robin.get(path).await);
    }
    assert_eq!(
        front.visitor(HERE).get("/login").await.status,
        StatusCode::OK,
        "log-ins have places of their own"
    );
    assert_eq!(
        front.visitor(ELSEWHERE).get("/").await.status,
        StatusCode::OK
    );
    streams.clear();
    eventually("the address is served again", async || {
        robin.get("/").await.status == StatusCode::OK
    })
    .await;
    eventually("a stream is opened again", async || {
        request_stream(&robin, None, None).await.status() == StatusCode::OK
    })
    .await;
}

/// Requests pages without an end, 50 at a time.
async fn flood_without_end(visitor: &Person) {
    let requests = stream::repeat(()).map(async |()| drop(visitor.get("/").await));
    requests.buffer_unordered(50).for_each(async |()| ()).await;
}

#[tokio::test]
async fn a_flood_of_pages_leaves_the_log_in_free() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    front.sign_up("robin").await;
    let [neighbour, robin] = [HERE, HERE].map(|from| front.visitor(from));
    assert_refused(&flood(&neighbour, None).await);
    let log_in = async {
        for path in ["/login", "/login/recover"] {
            assert_eq!(robin.get(path).await.status, StatusCode::OK, "{path}");
        }
        let answer = robin.send_log_in("robin", PASSWORD).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
    };
    tokio::select! {
        () = flood_without_end(&neighbour) => unreachable!("it has no end"),
        () = log_in => {}
    }
    eventually("the log-in has succeeded", async || {
        let home = robin.get("/").await;
        home.status == StatusCode::OK && home.has("form[action=\"/logout\"]")
    })
    .await;
}

/// No path leads to a location whose limits do not count it.
#[tokio::test]
async fn log_ins_have_a_limit_of_their_own_under_every_path() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    for path in ["/login", "/login/none", "/login?x", "/statuses/..%2flogin"] {
        let visitor = front.visitor(HERE);
        let requests = (0..3 * BURST).map(async |_| visitor.get(path).await);
        let answers = join_all(requests).await;
        let refused = answers
            .iter()
            .find(|page| page.status == StatusCode::TOO_MANY_REQUESTS);
        assert_refused(refused.expect(path));
        assert_eq!(visitor.get("/robots.txt").await.status, StatusCode::OK);
    }
    let answer = front
        .visitor(ELSEWHERE)
        .send_log_in("robin", "a wrong guess")
        .await;
    assert!(
        answer.header("x-request-id").is_some(),
        "nginx passes it on"
    );
}

/// Returns the start of a form that never ends.
fn unfinished_form(path: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: 1000\r\n\r\nlogin=robin"
    )
}

/// Slow forms would take the places of an address as long as they like, if nginx waited for their ends.
#[tokio::test]
async fn redwing_ends_a_form_that_never_ends() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let answer = front.send_bytes(&unfinished_form("/login")).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("x-request-id: "), "it comes from Redwing");
}

/// Sends more slow forms than an address may have open at once, and checks that pages, a form to `served`, and other
/// addresses are served meanwhile.
async fn flood_with_slow_forms(path: &str, served: &str) {
    /// Forms that an address may have open at once.
    const FORMS: usize = 32;
    const BEYOND: usize = 8;
    // Without shares of processor time, which let only a few forms of an address be read at once.
    let Some(front) = Front::start(&["--page-seconds-per-minute", "0"]).await else {
        return;
    };
    let form = unfinished_form(path);
    let slow_forms = (0..FORMS + BEYOND).map(|_| front.send_bytes(&form));
    let mut answers: FuturesUnordered<_> = slow_forms.collect();
    // A form beyond the limit is refused at once. The others wait for their ends.
    let first = answers.next().await.expect("an answer");
    assert!(first.starts_with("HTTP/1.1 429 "), "{first}");
    let here = front.visitor(HERE);
    assert_eq!(here.get("/").await.status, StatusCode::OK);
    let form = here.get(served).await.form(served);
    let answer = here.submit(&form).await;
    assert!(
        answer.header("x-request-id").is_some(),
        "nginx passes it on"
    );
    let elsewhere = front.visitor(ELSEWHERE);
    let log_in = elsewhere.send_log_in("robin", "a wrong guess").await;
    assert!(
        log_in.header("x-request-id").is_some(),
        "nginx passes it on"
    );
    let others: Vec<String> = answers.collect().await;
    let is_ended = |answer: &&String| answer.starts_with("HTTP/1.1 408 ");
    assert_eq!(others.iter().filter(is_ended).count(), FORMS);
}

#[tokio::test]
async fn slow_forms_leave_the_places_of_pages_and_log_ins_free() {
    flood_with_slow_forms("/signup", "/login").await;
}

#[tokio::test]
async fn slow_log_ins_leave_the_places_of_pages_and_other_forms_free() {
    flood_with_slow_forms("/login", "/signup").await;
}

#[tokio::test]
async fn a_refusal_by_redwing_keeps_its_own_page() {
    let Some(front) = Front::start(&["--log-ins-per-quarter", "1"]).await else {
        return;
    };
    let visitor = front.visitor(HERE);
    let mut refused = visitor.send_log_in("robin", "a wrong guess").await;
    for _ in 0..20 {
        refused = visitor.send_log_in("robin", "a wrong guess").await;
    }
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.header("x-request-id").is_some());
    assert_eq!(refused.text("main h1"), "Too many requests");
}
