//! The memory of a process that exports an account does not grow with the account. `REDWING_EXPORT_POSTS` sets the
//! number of posts. The figures are in docs/decisions/export-memory.md.

use std::{fs, process::Command, time::Instant};

use futures_util::future::join_all;
use redwing::{
    domain::{ExportStage, UserId},
    export,
    store::{DATA_VERSION, Store},
};

use crate::support::{core::Core, crowd, process::Home, waiting::eventually};

/// Posts of the large account, unless the environment sets another number.
const POSTS: usize = 2000;
/// Posts that are written at a time.
const AT_ONCE: usize = 20;
/// Growth of the memory of the process, in KB. The parts of the archive have several times as many bytes.
const MAX_GROWTH_KB: u64 = 4 * 1024;

/// Reads an archive with Python's modules, which did not write it: it is whole, the outbox has each post once, and the
/// page has each post.
const READER: &str = r#"
import html.parser, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
outbox = json.load(archive.open("outbox.json"))
items = outbox["orderedItems"]
texts = {item["object"]["content"].split()[1] for item in items}
class Page(html.parser.HTMLParser):
    articles = 0
    def handle_starttag(self, tag, attributes):
        self.articles += tag == "article"
page = Page()
page.feed(archive.read("index.html").decode())
assert len(archive.read("following_accounts.csv").decode().splitlines()) == 1
print(outbox["totalItems"], len({item["id"] for item in items}), len(texts), page.articles)
print(sum(info.file_size for info in archive.infolist()))
"#;

/// Returns the largest memory that a process has had, in KB.
fn peak_kb(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("Linux");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    peak.expect("a number")
}

/// Lets the worker of another process export an account.
async fn export(store: &Store, person: UserId) {
    export::begin(store, person).await.expect("begun");
    eventually("the archive is there", async || {
        let export = store.export(person).await.expect("an answer");
        export.is_some_and(|export| export.stage == ExportStage::Done)
    })
    .await;
}

/// Writes posts of more than a kilobyte each.
async fn write_posts(store: &Store, author: UserId, count: usize) {
    let words = "wörter ".repeat(60);
    for first in (0..count).step_by(AT_ONCE) {
        let numbers = first..count.min(first + AT_ONCE);
        join_all(numbers.map(async |number| {
            crowd::post(store, author, &format!("post {number} {words}")).await
        }))
        .await;
    }
}

#[tokio::test]
async fn the_memory_of_an_export_does_not_grow_with_the_account() {
    let posts = std::env::var("REDWING_EXPORT_POSTS").ok();
    let posts = posts.map_or(POSTS, |posts| posts.parse().expect("a number"));
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().display().to_string();
    let core = Core::with(&["--exports-dir", &path]);
    let store = &core.store;
    store
        .prepare_data(DATA_VERSION)
        .await
        .expect("an empty database");
    let [small, large] = ["small", "large"].map(|login| crowd::member(store, login));
    let (small, large) = (small.await, large.await);
    write_posts(store, small, 400).await;
    write_posts(store, large, posts).await;
    core.drain().await;

    let (home, url) = (Home::new(), core.redis.url());
    let settings = [
        "--redis-url",
        &url,
        "--exports-dir",
        &path,
        "--cache-bytes",
        "0",
    ];
    let server = home.serve(&settings);
    // The first exports fill the buffers of the process.
    for _ in 0..2 {
        export(store, small).await;
    }
    let (before, begun) = (peak_kb(server.id()), Instant::now());
    export(store, large).await;
    let (after, took) = (peak_kb(server.id()), begun.elapsed());

    let archive = export::archive_of(store, large).await.expect("an answer");
    let archive = archive.expect("a file");
    let read = Command::new("python3")
        .args(["-c", READER])
        .arg(&archive)
        .output();
    let read = read.expect("python3 runs");
    let words = String::from_utf8_lossy(&read.stdout).into_owned();
    assert!(
        read.status.success(),
        "{}",
        String::from_utf8_lossy(&read.stderr)
    );
    let mut lines = words.lines();
    assert_eq!(
        lines.next(),
        Some(format!("{posts} {posts} {posts} {posts}").as_str())
    );
    let bytes: u64 = lines
        .next()
        .and_then(|line| line.parse().ok())
        .expect("a number");
    println!(
        "export: {posts} posts, {bytes} bytes of files, {took:.1?}, largest memory {before} KB before and {after} KB \
         after"
    );
    assert!(
        bytes / 1024 > MAX_GROWTH_KB / 2,
        "the archive is too small to show growth"
    );
    assert!(
        after - before < MAX_GROWTH_KB,
        "{before} KB, then {after} KB"
    );
}
