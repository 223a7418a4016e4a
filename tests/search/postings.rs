//! The chunks in which the ids of a term lie: small, in order, and gone with what was in them.

use std::collections::BTreeSet;

use redwing::{
    domain::{StatusId, Term},
    store::{Call, Chunk, Store},
};

use crate::support::core::Core;

const COUNT: u64 = 2000;

fn term() -> Term {
    Term::stored("word").expect("a term")
}

async fn enter(store: &Store, call: &Call, number: u64) {
    let id = StatusId::new(number).expect("an id");
    let entered = store.enter_postings(call, id, &[term()]).await;
    entered.expect("an answer");
}

/// Every chunk of the term, newest first.
async fn chunks(core: &Core) -> Vec<Chunk> {
    let bounds = core.store.bounds(&term()).await.expect("an answer");
    let bound = |(bound, _): &(String, f64)| Chunk {
        term: term(),
        bound: bound.parse().expect("a number"),
    };
    bounds.iter().map(bound).collect()
}

fn encoding(core: &Core, chunk: &Chunk) -> String {
    let name = core.store.name_of_chunk(chunk);
    let asked = core.redis.one_node().ask(&["OBJECT", "ENCODING", &name]);
    asked.lines().nth(1).unwrap_or_default().to_owned()
}

/// All ids stand in the chunk whose range they lie in, of sorted integers; gives how many there are.
async fn are_in_order(core: &Core, expected: &BTreeSet<u64>) -> usize {
    let (chunks, mut all, mut above) = (chunks(core).await, BTreeSet::new(), u64::MAX);
    for chunk in &chunks {
        let held = core.store.postings(chunk).await.expect("an answer");
        assert!(held.len() <= 512, "{} in {chunk:?}", held.len());
        if !held.is_empty() && !core.store.is_cluster() {
            assert_eq!(encoding(core, chunk), "intset");
        }
        for id in held.iter().map(|id| id.parse::<u64>().expect("a number")) {
            assert!((chunk.bound..above).contains(&id), "{id} in {chunk:?}");
            assert!(all.insert(id), "{id} stands there twice");
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
        let call = core.store.begin().await.expect("an answer");
        for number in &order {
            enter(&core.store, &call, *number).await;
        }
        enter(&core.store, &call, order[3]).await;
        let chunks = are_in_order(&core, &expected).await;
        assert!((4..=most).contains(&chunks), "{chunks} chunks");
        let mut left = expected.clone();
        for (at, number) in order.iter().enumerate() {
            let id = StatusId::new(*number).expect("an id");
            let out = core.store.leave_postings(&call, id, &[term()]).await;
            out.expect("an answer");
            left.remove(number);
            if at % 500 == 250 {
                are_in_order(&core, &left).await;
            }
        }
        assert_eq!(core.store.size().await.expect("an answer"), 0);
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
    // Ids of which nothing is known, as after a failover: none of them is shown.
    for number in 1..=1200 {
        enter(&site.store, &call, number * 4096).await;
    }
    site.drain().await;
    let path = super::path("word");
    let pages = alice.pages(&path).await;
    assert_eq!(pages[0].status_ids()[0], newest);
    let all: usize = pages.iter().map(|page| page.status_ids().len()).sum();
    assert_eq!(all, 3);
    assert!(pages.len() > 1, "the search stopped on the way");
    assert_eq!(pages[0].text(".pager [rel=next]"), "Search on");
    assert!(pages[0].text(".hint").contains("further back"));
}
