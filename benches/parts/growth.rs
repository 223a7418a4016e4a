//! Growth of pages, search and posting with the number of people, and of a post with its followers.
//! A constant cost has an exponent of 0.

use std::time::Duration;

use super::{
    pages::{self, Case},
    posting::{self, Audience},
};
use crate::{
    load::ClosedLoop,
    plot::{Axes, Series},
    redis::Outcome,
    results::{Row, format_thousands},
    spread::Spread,
    world::{World, ms},
};

const PART: &str = "Growth";
const CONNECTIONS: usize = 16;
/// Followers of the star that is compared between networks.
const AUDIENCE: u64 = 100;
/// Posts of that star in one round.
const POSTS: usize = 5;

/// Rows and charts of this part.
pub struct Growth {
    pub rows: Vec<Row>,
    pub charts: [(Axes, Vec<Series>); 3],
}

/// Measures the networks, which are ordered from the smallest to the largest.
pub fn run(worlds: &mut [World], rounds: usize, lasting: Duration) -> Outcome<Growth> {
    let mut pages = with_people(worlds, rounds, lasting)?;
    let search = pages.pop();
    let post = post_with_people(worlds, rounds)?;
    let largest = worlds.last_mut().ok_or("there is a network")?;
    let followers = with_followers(&posting::measure(largest, rounds)?);
    let chart = |title, x, series| {
        let y = "ms, median";
        (Axes { title, x, y }, series)
    };
    let charts = [
        chart("Time of a page by number of people", "people", pages),
        chart(
            "Time of a search and of a post by number of people",
            "people",
            search.into_iter().chain([post]).collect(),
        ),
        chart(
            "Time of a post by number of followers",
            "followers",
            followers,
        ),
    ];
    let series = charts.iter().flat_map(|(_, series)| series);
    Ok(Growth {
        rows: series.flat_map(rows).collect(),
        charts,
    })
}

/// Measures the processor time for one page of each kind; the search comes last.
fn with_people(worlds: &mut [World], rounds: usize, lasting: Duration) -> Outcome<Vec<Series>> {
    let mut cases: Vec<Vec<Case>> = Vec::new();
    for world in &mut *worlds {
        let mut of_world = pages::all(world)?;
        // Each person has written six posts on average.
        of_world.push(Case {
            name: "search for the most common word",
            at: world.site.address,
            requests: world.searches(),
        });
        cases.push(of_world);
    }
    let mut took = vec![vec![Vec::new(); worlds.len()]; cases[0].len()];
    for _ in 0..rounds {
        for (took, number) in took.iter_mut().zip(0..) {
            for ((took, cases), world) in took.iter_mut().zip(&cases).zip(&*worlds) {
                let measured = ClosedLoop {
                    at: cases[number].at,
                    requests: &cases[number].requests,
                    connections: CONNECTIONS,
                    lasting,
                };
                let load = measured.run(world.site.directory())?;
                took.push(1e3 / load.per_s);
            }
        }
    }
    let named = |(case, took): (&Case, _)| {
        let name = format!("{} at c={CONNECTIONS}, 1 s / rate", case.name);
        series(name, worlds, took)
    };
    Ok(cases[0].iter().zip(took).map(named).collect())
}

fn post_with_people(worlds: &mut [World], rounds: usize) -> Outcome<Series> {
    let mut took = vec![Vec::new(); worlds.len()];
    for _ in 0..rounds {
        for (took, world) in took.iter_mut().zip(&mut *worlds) {
            let star = world.network.star(AUDIENCE)?.clone();
            for _ in 0..POSTS {
                took.push(ms(world.post(&star)?.answered));
            }
        }
    }
    let name = format!("a post to {AUDIENCE} followers: response");
    Ok(series(name, worlds, took))
}

/// Returns one figure of each network, over its number of people.
fn series(name: String, worlds: &[World], figures: Vec<Vec<f64>>) -> Series {
    let people = worlds.iter().map(|world| world.network.people as f64);
    let spreads = figures.into_iter().map(Spread::of);
    Series {
        name,
        points: people.zip(spreads).collect(),
    }
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
        of("a post: response", Audience::answered),
        of(
            "a post: time until the last home has it",
            Audience::everywhere,
        ),
    ]
}

/// Returns one row for each point, and the growth rate in the first of them.
fn rows(series: &Series) -> Vec<Row> {
    let points = series
        .points
        .iter()
        .enumerate()
        .map(|(place, (x, spread))| {
            let row = Row::new(
                PART,
                format!("{}, at {}", series.name, format_thousands(*x)),
                "ms",
                *spread,
            );
            if place == 0 {
                row.with_details(series.growth())
            } else {
                row
            }
        });
    points.collect()
}
