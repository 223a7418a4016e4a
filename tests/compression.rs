//! Compressed responses, for clients that accept them.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::{Response, StatusCode};

use crate::support::{Person, Site};

/// The budget of a home of thirty posts. More markup for each card must be saved elsewhere.
const MAX_HOME_BYTES: usize = 36 * 1024;
const MAX_COMPRESSED_BYTES: usize = 6 * 1024 + 512;
/// The budgets of pages of the demo, plain and compressed.
const DEMO_HOME: Budget = Budget(40 * 1024, 7 * 1024 + 768);
const DEMO_PROFILE: Budget = Budget(15 * 1024 + 256, 3 * 1024 + 768);
const DEMO_PERMALINK: Budget = Budget(12 * 1024 + 512, 3 * 1024 + 512);
const DEMO_NOTIFICATIONS: Budget = Budget(21 * 1024, 4 * 1024 + 256);
/// Found posts are not compressed.
const DEMO_SEARCH: Budget = Budget(40 * 1024, 40 * 1024);
const DEMO_LANDING: Budget = Budget(8 * 1024, 2 * 1024 + 768);

#[derive(Debug, Clone, Copy)]
struct Budget(usize, usize);

/// Asks as a browser does.
async fn fetch(person: &Person, path: &str) -> Response {
    let request = person.client().get(person.address(path));
    let request = request.header("accept-encoding", "gzip, deflate, br, zstd");
    let request = request.header("cookie", person.cookies.header().unwrap_or_default());
    let response = request.send().await.expect("the site answers");
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    response
}

fn coding_of(response: &Response) -> Option<&str> {
    let coding = response.headers().get("content-encoding")?;
    Some(coding.to_str().expect("text"))
}

async fn inflated(response: Response) -> String {
    assert_eq!(coding_of(&response), Some("gzip"));
    let length = response.headers().get("content-length").cloned();
    let body = response.bytes().await.expect("a body");
    assert_eq!(length.expect("a length"), body.len().to_string());
    let mut text = String::new();
    let read = GzDecoder::new(&body[..]).read_to_string(&mut text);
    read.expect("gzip");
    assert!(body.len() < text.len(), "{} of {}", body.len(), text.len());
    text
}

#[tokio::test]
async fn pages_are_compressed_without_a_proxy() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    alice.post("hello").await;
    for path in ["/", "/@alice", "/help/posting"] {
        let plain = visitor.open(path).await;
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        let compressed = inflated(fetch(&visitor, path).await).await;
        assert_eq!(compressed, plain.html, "{path}");
    }
    let home = inflated(fetch(&alice, "/").await).await;
    assert!(home.contains("hello") && home.trim_end().ends_with("</html>"));
}

/// Returns the bytes of a home of thirty posts, plain and compressed.
async fn home_bytes(site: &Site, login: &str) -> (usize, usize) {
    site.drain().await;
    let reader = Person::log_in(site, login).await;
    assert_eq!(reader.open("/").await.status_ids().len(), 30);
    bytes_of(&reader, "/").await
}

/// Returns the bytes of a page, plain and as a browser gets it.
async fn bytes_of(person: &Person, path: &str) -> (usize, usize) {
    let plain = person.open(path).await.html.len();
    let sent = fetch(person, path).await.bytes().await.expect("a page");
    (plain, sent.len())
}

#[tokio::test]
async fn a_home_of_thirty_posts_stays_within_its_bytes() {
    let site = Site::start().await;
    // Posts of one minute, so that their ids and times have common beginnings.
    crate::seed::seed(&site.store, None).await;
    let sizes = home_bytes(&site, crate::seed::MOST_FOLLOWED).await;
    assert!(
        sizes.0 <= MAX_HOME_BYTES && sizes.1 <= MAX_COMPRESSED_BYTES,
        "{sizes:?}"
    );
}

/// The home of the demo has posts of every kind, of a day: replies, reposts, polls, edits, tags and posts in groups.
#[tokio::test]
async fn the_pages_of_the_demo_stay_within_their_bytes() {
    let site = Site::start().await;
    crate::demo::seed_demo(&site).await;
    let mut sizes = vec![(DEMO_HOME, "/".to_owned(), home_bytes(&site, "robin").await)];
    site.store.count_recent_authors().await.expect("an answer");
    let (robin, visitor) = (Person::log_in(&site, "robin").await, Person::visitor(&site));
    let permalink = largest_conversation(&robin).await;
    for (person, budget, path) in [
        (&robin, DEMO_PROFILE, "/@robin"),
        (&robin, DEMO_PERMALINK, &permalink),
        (&robin, DEMO_NOTIFICATIONS, "/notifications"),
        (&robin, DEMO_SEARCH, "/search?q=the"),
        (&visitor, DEMO_LANDING, "/"),
    ] {
        sizes.push((budget, path.to_owned(), bytes_of(person, path).await));
    }
    sizes.retain(|(Budget(plain, compressed), _, size)| size.0 > *plain || size.1 > *compressed);
    assert!(sizes.is_empty(), "{sizes:#?}");
}

/// Returns the path of the largest page among those of the posts of a home.
async fn largest_conversation(reader: &Person) -> String {
    let mut largest = (0, String::new());
    for path in reader
        .open("/")
        .await
        .attributes(".status-body > header .time", "href")
    {
        let size = reader.open(&path).await.html.len();
        largest = largest.max((size, path));
    }
    largest.1
}

/// The length of a compressed page tells whether it repeats words of its address.
#[tokio::test]
async fn found_posts_and_messages_are_not_compressed() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("hello").await;
    let found = fetch(&alice, "/search?q=hello").await;
    assert_eq!(coding_of(&found), None);
    assert!(found.text().await.expect("a page").contains("hello"));
    let found = fetch(&alice, "/messages/search?q=hello").await;
    assert_eq!(found.status(), StatusCode::OK);
    assert_eq!(coding_of(&found), None);
}

/// The first clients get a file by gzip, until it was compressed by brotli.
#[tokio::test]
async fn static_files_are_compressed_without_a_proxy() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let page = visitor.open("/").await;
    let style = page.attributes("link[rel=stylesheet]", "href").remove(0);
    let plain = visitor.get(&style).await;
    assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
    assert_eq!(plain.header("content-encoding"), None);
    let by_gzip = visitor.client().get(visitor.address(&style));
    let by_gzip = by_gzip.header("accept-encoding", "gzip").send().await;
    let by_gzip = by_gzip.expect("an answer");
    let gzip_length = by_gzip.content_length().expect("a length");
    assert_eq!(inflated(by_gzip).await, plain.html);
    let by_brotli = loop {
        let response = fetch(&visitor, &style).await;
        match coding_of(&response) {
            Some("br") => break response.bytes().await.expect("a body"),
            _ => assert_eq!(inflated(response).await, plain.html),
        }
    };
    let mut text = Vec::new();
    brotli::BrotliDecompress(&mut &by_brotli[..], &mut text).expect("brotli");
    assert_eq!(text, plain.html.as_bytes());
    let length = by_brotli.len() as u64;
    assert!(length * 10 < gzip_length * 9, "{length} of {gzip_length}");
}
