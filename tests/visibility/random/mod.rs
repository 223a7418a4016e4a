//! Random games of people who post, reply, narrow, delete, follow, ask to follow, block, mute and make their account
//! private, compared with a plain model of who sees what. The model knows the rules of docs/access.md, and nothing of
//! the code.

mod game;
mod model;
mod steps;

use proptest::prelude::*;

use self::{
    game::Game,
    model::Model,
    steps::{PEOPLE, Step, step},
};
use crate::support::{
    core::Core,
    crowd,
    environment::{games, with_deep_stack},
};

/// Default number of games.
const CASES: u32 = 12;

async fn play(core: &Core, number: usize, steps: &[Step]) {
    let people = crowd::people(&core.store, &format!("game_{number}"), PEOPLE).await;
    let mut game = Game {
        store: &core.store,
        people,
        tag: format!("birds{number}"),
        number,
        model: Model::default(),
    };
    for step in steps {
        game.perform(step).await;
        if matches!(step, Step::Compare) {
            core.drain().await;
            game.compare().await;
        }
    }
    core.drain().await;
    game.compare().await;
    core.assert_sound().await;
}

#[test]
fn what_everyone_sees_matches_a_simple_model() {
    with_deep_stack(|| {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let core = runtime.block_on(async { Core::start() });
        let number = std::cell::Cell::new(0);
        proptest!(games(CASES), |(steps in prop::collection::vec(step(), 20..70))| {
            number.set(number.get() + 1);
            runtime.block_on(play(&core, number.get(), &steps));
        });
    });
}
