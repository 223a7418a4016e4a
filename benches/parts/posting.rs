//! Posting: time until the response, and time until the last home has the post.

use crate::{
    redis::Outcome,
    results::{Row, format_thousands},
    spread::Spread,
    world::{SentPost, World, ms},
};

const PART: &str = "Posting";

/// Measurements of posts to one number of followers.
pub struct Audience {
    pub followers: u64,
    pub sent: Vec<SentPost>,
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
        let followers = format_thousands(audience.followers as f64);
        let label = |label: &str| format!("post to {followers} followers: {label}");
        let answer = Row::new(
            PART,
            label("response"),
            "ms",
            Spread::of(answered.iter().copied()),
        );
        rows.push(if audience.followers == 0 {
            answer
        } else {
            answer.with_ratio(Spread::of_ratios(&answered, &none), "a post to 0 followers")
        });
        rows.push(Row::new(
            PART,
            label("time until the last home has it"),
            "ms",
            Spread::of(everywhere),
        ));
    }
    Ok(rows)
}

impl Audience {
    /// Returns the milliseconds until each response.
    pub fn answered(&self) -> Vec<f64> {
        self.sent.iter().map(|sent| ms(sent.answered)).collect()
    }

    /// Returns the milliseconds until the last home had each post.
    pub fn everywhere(&self) -> Vec<f64> {
        self.sent.iter().map(|sent| ms(sent.everywhere)).collect()
    }
}
