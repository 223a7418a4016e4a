//! The progress of a long delivery, for the author.

use crate::{
    store::{Progress as Delivered, UnixMs},
    web::{parts::prelude::*, people::counts::followers},
};

/// Progress is not shown for posts older than this, even if tasks are left.
const SAID_FOR_MS: u64 = 24 * 3_600_000;

#[derive(Debug, Template)]
#[template(path = "statuses/_progress.html")]
pub struct Progress {
    reached: u64,
    all: u64,
    reached_words: String,
    all_words: String,
}

impl askama::filters::HtmlSafe for Progress {}

impl Progress {
    /// Returns `None` if nothing is left to deliver.
    pub fn new(visit: &Visit, posted: UnixMs, delivered: Delivered) -> Option<Self> {
        let is_old = visit.now.0.saturating_sub(posted.0) > SAID_FOR_MS;
        let is_under_way = delivered.reached < delivered.followers && !is_old;
        is_under_way.then(|| Self {
            reached: delivered.reached,
            all: delivered.followers,
            reached_words: count(delivered.reached),
            all_words: followers(delivered.followers),
        })
    }
}
