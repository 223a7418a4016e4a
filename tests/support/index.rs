//! What the index of posts holds, past what search makes of it.

use redwing::{
    domain::Term,
    store::{Chunk, Store},
};

/// How many ids stand under a term that few have.
pub async fn held(store: &Store, term: &str) -> usize {
    let term = Term::stored(term).expect("a term");
    let held = store.postings(&[Chunk { term, bound: 0 }]).await;
    held.expect("an answer").iter().map(Vec::len).sum()
}
