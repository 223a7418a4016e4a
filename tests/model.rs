//! Random sequences of operations against a plain in-memory model of the network, on every timeline
//! and every page of it, and on what is new. Homes are small here, so that trimming, refilling and
//! the part below the floor all happen.

mod game;
mod important;
mod looks;
mod news;
mod plain;
mod search;
mod steps;
mod words;

use proptest::prelude::*;

use self::{
    game::Game,
    steps::{Step, step},
};
use crate::support::{core::Core, environment::variable};

/// Sequences that are played, where REDWING_MODEL_CASES says no other number.
const CASES: u32 = 24;

async fn play(core: &Core, steps: &[Step]) {
    core.redis.command(&["FLUSHALL"]);
    let mut game = Game::begin(core).await;
    for step in steps {
        game.take(step).await;
    }
    game.drain().await;
    game.compare().await;
    core.assert_sound().await;
}

#[test]
fn every_timeline_is_what_a_plain_model_says() {
    let core = Core::with(&["--home-size", "40", "--pass-size", "2"]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let asked = variable("REDWING_MODEL_CASES").and_then(|cases| cases.to_str()?.parse().ok());
    let config = ProptestConfig {
        cases: asked.unwrap_or(CASES),
        max_shrink_iters: 512,
        failure_persistence: None,
        ..Default::default()
    };
    proptest!(config, |(steps in prop::collection::vec(step(), 20..80))| {
        runtime.block_on(play(&core, &steps));
    });
}
