//! Random sequences of operations compared with a simple in-memory model of the network, on every
//! page of every view, including new posts. Homes are small here, so that trimming, refilling and
//! the part below the floor all happen.

mod collections;
mod conversations;
mod expected_network;
mod game;
mod groups;
mod importance;
mod notifications;
mod pages;
mod polls_and_edits;
mod search;
mod seen_statuses;
mod steps;
mod timelines;

use proptest::prelude::*;

use self::{
    game::Game,
    steps::{Step, step},
};
use crate::support::{
    Site,
    environment::{games, with_deep_stack},
};

/// Default number of sequences.
const CASES: u32 = 24;

async fn play(site: &Site, steps: &[Step]) {
    site.redis.command(&["FLUSHALL"]);
    let mut game = Game::start(site).await;
    for step in steps {
        game.perform(step).await;
    }
    game.drain().await;
    game.compare().await;
    game.compare_pages().await;
    site.assert_sound().await;
}

#[test]
fn every_view_matches_a_simple_model() {
    with_deep_stack(|| {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let site = runtime.block_on(Site::with(&[
            "--home-size",
            "40",
            "--pass-size",
            "2",
            "--group-age-days",
            "0",
        ]));
        proptest!(games(CASES), |(steps in prop::collection::vec(step(), 20..100))| {
            runtime.block_on(play(&site, &steps));
        });
    });
}
