//! The chunks of a term's ids: small, ordered, and deleted when empty.

use std::collections::BTreeSet;

use redwing::{
    domain::{Cursor, Query, StatusId, Term},
    store::{Call, Chunk, Key, Store, Viewer},
};

use super::beginnings::found_by;
use crate::support::{core::Core, crowd, pool::Redis, redis::RedisServer};

const COUNT: u64 = 2000;

fn term() -> Term {
    Term::stored("word").expect("a term")
}

async fn enter(store: &Store, call: &Call, number: u64) {
    let id = StatusId::new(number).expect("an id");
    let entered = store.enter_postings(call, id, &[term()]).await;
    entered.expect("an answer");
}

/// Returns every chunk of the term, newest first.
async fn chunks(core: &Core) -> Vec<Chunk> {
    let bounds = core.store.bounds(&term()).await.expect("an answer");
    let bound = |(bound, _): &(String, f64)| Chunk {
        term: term(),
        bound: bound.parse().expect("a number"),
    };
    bounds.iter().map(bound).collect()
}

fn encoding(core: &Core, chunk: &Chunk) -> String {
    let name = Key::Postings(chunk.clone()).name();
    let asked = core.redis.one_node().ask(&["OBJECT", "ENCODING", &name]);
    asked.lines().nth(1).unwrap_or_default().to_owned()
}

/// Checks that each id is in the chunk of its range, as sorted integers. Returns their number.
async fn are_in_order(core: &Core, expected: &BTreeSet<u64>) -> usize {
    let (chunks, mut all, mut above) = (chunks(core).await, BTreeSet::new(), u64::MAX);
    let held = core.store.postings(&chunks).await.expect("an answer");
    for (chunk, held) in chunks.iter().zip(held) {
        assert!(held.len() <= 512, "{} in {chunk:?}", held.len());
        if !held.is_empty() && !core.store.is_cluster() {
            assert_eq!(encoding(core, chunk), "intset");
        }
        for id in held.iter().map(|id| id.parse::<u64>().expect("a number")) {
            assert!((chunk.bound..above).contains(&id), "{id} in {chunk:?}");
            assert!(all.insert(id), "{id} is stored twice");
        }
        above = chunk.bound;
    }
    assert_eq!(all, *expected);
    chunks.len()
}

#[tokio::test]
async fn ids_that_come_in_any_order_lie_in_chunks_in_order_and_leave_nothing() {
    let core = Core::start();
    let numbers: Vec<u64> = (1..=COUNT).map(|number| number * 4096 + 7).collect();
    let backwards = numbers.iter().rev().copied().collect();
    let mixed = (0..COUNT)
        .map(|at| numbers[(at * 733 % COUNT) as usize])
        .collect();
    let nearly = numbers
        .chunks(5)
        .flat_map(|five| five.iter().rev().copied())
        .collect();
    let expected: BTreeSet<u64> = numbers.iter().copied().collect();
    for (order, most) in [(numbers, 5), (nearly, 5), (backwards, 8), (mixed, 40)] {
        let order: Vec<u64> = order;
        for number in order.iter().chain([&order[3]]) {
            // A call each: together they may take longer than one deadline.
            let call = core.store.begin().await.expect("an answer");
            enter(&core.store, &call, *number).await;
        }
        let chunks = are_in_order(&core, &expected).await;
        assert!((4..=most).contains(&chunks), "{chunks} chunks");
        let mut left = expected.clone();
        for (at, number) in order.iter().enumerate() {
            let id = StatusId::new(*number).expect("an id");
            let call = core.store.begin().await.expect("an answer");
            let out = core.store.remove_postings(&call, id, &[term()]).await;
            out.expect("an answer");
            left.remove(number);
            if at % 500 == 250 {
                are_in_order(&core, &left).await;
            }
        }
        assert_eq!(core.store.key_count().await.expect("an answer"), 0);
    }
}

#[tokio::test]
async fn a_search_over_many_chunks_finds_all_in_order() {
    let site = crate::support::Site::start().await;
    let alice = crate::support::Person::sign_up(&site, "alice").await;
    let call = site.store.begin().await.expect("an answer");
    let mut newest = 0;
    for _ in 0..3 {
        newest = alice.post("a word at the end").await;
    }
    // Ids of unknown statuses, as after a failover. None of them is shown.
    for number in 1..=1200 {
        enter(&site.store, &call, number * 4096).await;
    }
    site.drain().await;
    let path = super::path("word");
    let pages = alice.pages(&path).await;
    assert_eq!(pages[0].status_ids()[0], newest);
    let all: usize = pages.iter().map(|page| page.status_ids().len()).sum();
    assert_eq!(all, 3);
    assert!(pages.len() > 1, "matched too much to scan completely");
    assert_eq!(pages[0].text(".pager [rel=next]"), "Continue search");
    assert!(pages[0].text(".hint").contains("Add a word to narrow it"));
}

/// Returns all search results for the word, page by page from that position.
async fn found(store: &Store, before: Option<Cursor>) -> Vec<u64> {
    let (query, mut ids, mut before) = (Query::parse("word"), Vec::new(), before);
    loop {
        let page = store.search(Viewer::Anonymous, &query, before).await;
        let page = page.expect("an answer");
        ids.extend(page.items.iter().map(|status| status.id().get()));
        before = page.next;
        if before.is_none() {
            return ids;
        }
    }
}

/// Creates as many posts with the word as fill its newest chunk. Returns them newest first.
async fn a_full_chunk(core: &Core) -> Vec<u64> {
    let author = crowd::member(&core.store, "author").await;
    let mut ids = Vec::new();
    for number in 0..448 {
        let text = format!("word {number}");
        ids.push(crowd::post(&core.store, author, &text).await.get());
    }
    ids.reverse();
    ids
}

async fn forget_all(core: &Core) {
    for key in core.keys("postings:{word}").await {
        core.redis.command(&["DEL", &key]);
    }
}

#[tokio::test]
async fn a_search_while_a_chunk_is_split_skips_nothing() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let ids = a_full_chunk(&core).await;
    core.drain().await;
    assert_eq!(found(&core.store, None).await, ids);
    for trips in 0..12 {
        forget_all(&core).await;
        let call = core.store.begin().await.expect("an answer");
        for id in &ids {
            enter(&core.store, &call, *id).await;
        }
        assert_eq!(chunks(&core).await.len(), 0, "all are in one chunk");
        // An id older than all others moves them into a separate chunk.
        let split = async {
            for _ in 0..trips {
                core.store.key_count().await.expect("an answer");
            }
            enter(&core.store, &call, 4096).await;
        };
        let (seen, ()) = tokio::join!(found(&core.store, None), split);
        assert_eq!(seen, ids, "split after {trips} round trips");
        assert_eq!(chunks(&core).await.len(), 2, "it was split");
    }
}

#[tokio::test]
async fn pages_from_anywhere_over_chunks_of_any_size_are_one_list() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let ids = a_full_chunk(&core).await;
    core.drain().await;
    // Chunks of one id, of some, and of hundreds, with unknown ids in between.
    for step in [1, 7, 60, 447] {
        forget_all(&core).await;
        let oldest = ids.last().expect("one of them");
        let cuts: Vec<u64> = ids.iter().skip(step).step_by(step).copied().collect();
        core.redis.command(&["ZADD", "postings:{word}", "0", "0"]);
        for cut in &cuts {
            let (score, cut) = (format!("-{cut}"), cut.to_string());
            core.redis
                .command(&["ZADD", "postings:{word}", &score, &cut]);
        }
        let call = core.store.begin().await.expect("an answer");
        for id in &ids {
            enter(&core.store, &call, *id).await;
        }
        enter(&core.store, &call, oldest - 1).await;
        assert_eq!(found(&core.store, None).await, ids, "chunks of {step}");
        for at in (0..ids.len()).step_by(29) {
            let from = found(&core.store, Some(Cursor::before(ids[at]))).await;
            assert_eq!(from, ids[at + 1..], "chunks of {step}, after {at}");
        }
    }
}

#[tokio::test]
async fn chunks_are_searched_in_each_form_in_which_redis_stores_them() {
    for setting in [
        ["--rdbcompression", "yes"],
        ["--rdbcompression", "no"],
        ["--set-max-intset-entries", "16"],
    ] {
        let core = Core::on(Redis::Node(RedisServer::with(&setting)), &[]);
        let author = crowd::member(&core.store, "author").await;
        let mut ids = Vec::new();
        for number in 0..100 {
            let text = format!("a pair with the word {number}");
            ids.push(crowd::post(&core.store, author, &text).await);
        }
        core.drain().await;
        ids.reverse();
        for query in ["word", "pair word", "\"the word\"", "from:author word"] {
            assert_eq!(
                found_by(&core.store, query).await,
                ids,
                "{query} with {setting:?}"
            );
        }
    }
}
