//! A thousand open pages: they cost little, all receive events, and they do not delay a stop.

use futures_util::future::join_all;

use super::{
    idle::{memory_of, raise_the_limit_of_files, time_of},
    stopping::{LONG_TIMEOUTS, ends},
};
use crate::{
    live::page::{OpenPage, since},
    support::{Person, process::Home},
};

const PEOPLE: usize = 20;
const EACH: usize = 50;
const STREAMS: u64 = (PEOPLE * EACH) as u64;

/// Opens this many homes for each of these people.
async fn open_homes(people: &[Person], each: usize) -> Vec<OpenPage> {
    let mut pages = Vec::new();
    for person in people {
        let since = since(person).await;
        for _ in 0..each {
            pages.push(OpenPage::since(person, &since).await);
        }
    }
    join_all(pages.iter_mut().map(|page| page.wait_for_arrivals(0))).await;
    pages
}

/// Memory is measured for the second thousand, because the first also uses memory that was free in
/// the process.
#[tokio::test]
async fn a_thousand_open_streams_cost_little_and_all_receive_events() {
    raise_the_limit_of_files();
    let home = Home::new();
    let site = home.serve(&[
        "--streams-per-person",
        "100",
        "--streams-per-address",
        "4000",
        "--sign-ups-per-hour",
        "1000",
    ]);
    let author = site.sign_up("author").await;
    let mut readers = Vec::new();
    for number in 0..PEOPLE {
        let reader = site.sign_up(&format!("reader{number}")).await;
        reader.follow("author").await;
        readers.push(reader);
    }
    let mut pages = open_homes(&readers, EACH).await;
    let before = memory_of(&site, "VmRSS");
    pages.extend(open_homes(&readers, EACH).await);
    let after = memory_of(&site, "VmRSS");
    let each = after.saturating_sub(before) / STREAMS;
    let quick = time_of(&author, "/").await;
    eprintln!(
        "RSS {before} with {STREAMS} streams, {after} with twice as many: {each} each; home {quick:?}"
    );
    assert!(each < 40_000, "{each} bytes for each stream");
    author.post("to all of you").await;
    join_all(pages.iter_mut().map(|page| page.wait_for_arrivals(1))).await;
}

#[tokio::test]
async fn open_streams_end_at_once_on_a_stop() {
    let home = Home::new();
    let site = home.serve(&LONG_TIMEOUTS);
    let alice = site.sign_up("alice").await;
    let pages = open_homes(&[alice], 5).await;
    site.request_stop();
    for page in pages {
        page.ended().await;
    }
    ends(site).await;
}
