//! Posting: time until the response, and time until the last home has the post.

use crate::{
    redis::Outcome,
    results::{Row, thousands},
    spread::Spread,
    world::{Sent, World},
};

const PART: &str = "Posting";

/// Measurements of posts to one number of followers.
pub struct Audience {
    pub followers: u64,
    pub sent: Vec<Sent>,
}

/// Posts to each audience in each round.
pub fn measure(world: &mut World, rounds: usize) -> Outcome<Vec<Audience>> {
    let audiences = world.audiences();
    let mut measured: Vec<Audience> = audiences
        .into_iter()
        .map(|followers| Audience {
            followers,
            sent: Vec::new(),
        })
        .collect();
    for _ in 0..rounds {
        for audience in &mut measured {
            let star = world.network.star(audience.followers)?.clone();
            audience.sent.push(world.post(&star)?);
        }
    }
    Ok(measured)
}

pub fn run(world: &mut World, rounds: usize) -> Outcome<Vec<Row>> {
    let measured = measure(world, rounds)?;
    let none = measured.first().map(Audience::answered).unwrap_or_default();
    let mut rows = Vec::new();
    for audience in measured.iter().filter(|audience| audience.followers != 10) {
        let (answered, everywhere) = (audience.answered(), audience.everywhere());
        let followers = thousands(audience.followers as f64);
        let what = |what: &str| format!("post to {followers} followers: {what}");
        let answer = Row::new(
            PART,
            what("answer"),
            "ms",
            Spread::of(answered.iter().copied()),
        );
        rows.push(if audience.followers == 0 {
            answer
        } else {
            answer.beside(Spread::of_ratios(&answered, &none), "that to none")
        });
        rows.push(Row::new(
            PART,
            what("in the last home"),
            "ms",
            Spread::of(everywhere),
        ));
    }
    Ok(rows)
}

impl Audience {
    /// Returns the milliseconds until each response.
    pub fn answered(&self) -> Vec<f64> {
        self.sent
            .iter()
            .map(|sent| sent.answered.as_secs_f64() * 1e3)
            .collect()
    }

    /// Returns the milliseconds until the last home had each post.
    pub fn everywhere(&self) -> Vec<f64> {
        self.sent
            .iter()
            .map(|sent| sent.everywhere.as_secs_f64() * 1e3)
            .collect()
    }
}
