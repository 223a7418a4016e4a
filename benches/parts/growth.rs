//! How home, search and posting grow with the number of people, and a post with its followers. What is
//! flat has an exponent of 0.

use std::time::Duration;

use super::posting::{self, Audience};
use crate::{
    load::Loop,
    plot::{Axes, Series},
    redis::Outcome,
    results::{Row, short, thousands},
    spread::{Spread, exponent},
    world::World,
};

const PART: &str = "Growth";
const CONNECTIONS: usize = 16;
/// Followers of the star whose posts are compared between networks.
const AUDIENCE: u64 = 100;

/// What was found, and the two charts of it.
pub struct Growth {
    pub rows: Vec<Row>,
    pub charts: [(Axes, Vec<Series>); 2],
}

/// The networks are given from the smallest to the largest.
pub fn run(worlds: &mut [World], rounds: usize, lasting: Duration) -> Outcome<Growth> {
    let people = with_people(worlds, rounds, lasting)?;
    let largest = worlds.last_mut().ok_or("there is a network")?;
    let followers = with_followers(&posting::measure(largest, rounds)?);
    let rows = people.iter().chain(&followers).flat_map(rows).collect();
    let axes = |x, title| Axes {
        title,
        x,
        y: "ms, median",
    };
    Ok(Growth {
        rows,
        charts: [
            (
                axes("people", "What a network of more people costs"),
                people,
            ),
            (axes("followers", "What more followers cost"), followers),
        ],
    })
}

fn with_people(worlds: &mut [World], rounds: usize, lasting: Duration) -> Outcome<Vec<Series>> {
    let mut homes = vec![Vec::new(); worlds.len()];
    let mut searches = vec![Vec::new(); worlds.len()];
    let mut posts = vec![Vec::new(); worlds.len()];
    for _ in 0..rounds {
        for (place, world) in worlds.iter_mut().enumerate() {
            for (asks, took) in [
                (world.homes(), &mut homes[place]),
                (world.searches(), &mut searches[place]),
            ] {
                let measured = Loop {
                    at: world.site.address,
                    asks: &asks,
                    connections: CONNECTIONS,
                    lasting,
                };
                let pace = measured.run(world.site.directory())?;
                took.push(1e3 / pace.per_s);
            }
            let star = world.network.star(AUDIENCE)?.clone();
            for _ in 0..5 {
                posts[place].push(world.post(&star)?.answered.as_secs_f64() * 1e3);
            }
        }
    }
    let of = |name: &str, figures: Vec<Vec<f64>>| Series {
        name: name.to_owned(),
        points: worlds
            .iter()
            .zip(figures)
            .map(|(world, figures)| (world.network.people as f64, Spread::of(figures)))
            .collect(),
    };
    Ok(vec![
        of("home at c=16, 1 s / rate", homes),
        // Each person has written six posts on the average.
        of("the commonest word at c=16, 1 s / rate", searches),
        of("a post to 100 followers, its answer", posts),
    ])
}

fn with_followers(measured: &[Audience]) -> Vec<Series> {
    let of = |name: &str, figures: fn(&Audience) -> Vec<f64>| Series {
        name: name.to_owned(),
        points: measured
            .iter()
            .filter(|audience| audience.followers > 0)
            .map(|audience| (audience.followers as f64, Spread::of(figures(audience))))
            .collect(),
    };
    vec![
        of("a post: its answer", Audience::answered),
        of("a post: in the last home", Audience::everywhere),
    ]
}

/// A line for each point, and the exponent with the first of them.
fn rows(series: &Series) -> Vec<Row> {
    let medians: Vec<(f64, f64)> = series
        .points
        .iter()
        .map(|(x, spread)| (*x, spread.median))
        .collect();
    let tail = &medians[medians.len().saturating_sub(3)..];
    let grows = format!(
        "exponent {}, of the last {} points {}",
        short(exponent(&medians)),
        tail.len(),
        short(exponent(tail))
    );
    let points = series
        .points
        .iter()
        .enumerate()
        .map(|(place, (x, spread))| {
            let row = Row::new(
                PART,
                format!("{}, at {}", series.name, thousands(*x)),
                "ms",
                *spread,
            );
            if place == 0 {
                row.besides(grows.clone())
            } else {
                row
            }
        });
    points.collect()
}
