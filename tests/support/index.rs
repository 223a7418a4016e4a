//! The raw content of the post index, before search filters it.

use redwing::{
    domain::Term,
    store::{Chunk, Store},
};

/// Returns the number of ids stored under a rare term.
pub async fn held(store: &Store, term: &str) -> usize {
    let term = Term::stored(term).expect("a term");
    let held = store.postings(&[Chunk { term, bound: 0 }]).await;
    held.expect("an answer").iter().map(Vec::len).sum()
}
