//! Pages compared with a fixed page of the same size as home, at 1, 16 and 64 connections.

use std::{net::SocketAddr, time::Duration};

use crate::{
    fixed::Fixed,
    load::{Ask, Loop, LoopFigures},
    redis::Outcome,
    results::{Row, short, thousands},
    spread::Spread,
    world::{World, ask},
};

const PART: &str = "Pages";
const CONNECTIONS: [usize; 3] = [1, 16, 64];

pub struct Case {
    pub name: &'static str,
    pub at: SocketAddr,
    pub asks: Vec<Ask>,
}

/// Result of one load of a case.
struct Shown {
    pace: LoopFigures,
    /// Processor time of the app and of Redis per request, in µs.
    app_us: f64,
    redis_us: f64,
}

/// Measures all cases in each round.
pub fn run(world: &mut World, rounds: usize, lasting: Duration) -> Outcome<Vec<Row>> {
    world.wire.expect(200, &world.homes()[0].request())?;
    let home = world.wire.text();
    let fixed = Fixed::start(home.as_bytes(), world.site.directory())?;
    let mut cases = vec![static_page(fixed.address)];
    cases.extend(all(world)?);
    let sizes = sizes(world, &cases)?;
    let mut rows = Vec::new();
    for connections in CONNECTIONS {
        let mut shown: Vec<Vec<Shown>> = cases.iter().map(|_| Vec::new()).collect();
        for _ in 0..rounds {
            for (case, shown) in cases.iter().zip(&mut shown) {
                shown.push(load(world, case, connections, lasting)?);
            }
        }
        let ceiling = rates(&shown[0]);
        for ((case, shown), bytes) in cases.iter().zip(&shown).zip(&sizes) {
            let what = format!(
                "{}, {} bytes, c={connections}",
                case.name,
                thousands(*bytes as f64)
            );
            rows.push(row(what, shown, &ceiling));
        }
    }
    Ok(rows)
}

fn load(world: &mut World, case: &Case, connections: usize, lasting: Duration) -> Outcome<Shown> {
    let measured = Loop {
        at: case.at,
        asks: &case.asks,
        connections,
        lasting,
    };
    let before = world.site.processors_s(&mut world.redis)?;
    let pace = measured.run(world.site.directory())?;
    let after = world.site.processors_s(&mut world.redis)?;
    Ok(Shown {
        pace,
        app_us: (after.0 - before.0) * 1e6 / pace.requests,
        redis_us: (after.1 - before.1) * 1e6 / pace.requests,
    })
}

/// Returns the row of a case. The static page comes first and has no reference figure.
fn row(what: String, shown: &[Shown], ceiling: &[f64]) -> Row {
    let rates = rates(shown);
    let median = |of: fn(&Shown) -> f64| short(Spread::of(shown.iter().map(of)).median);
    let times = format!(
        "p50 {} ms, p99 {} ms",
        median(|shown| shown.pace.p50_ms),
        median(|shown| shown.pace.p99_ms)
    );
    let row = Row::new(PART, what, "req/s", Spread::of(rates.iter().copied()));
    if rates == ceiling {
        return row.besides(times);
    }
    let processors = format!(
        "; processor: app {} µs, Redis {} µs",
        median(|shown| shown.app_us),
        median(|shown| shown.redis_us)
    );
    row.beside(Spread::of_ratios(&rates, ceiling), "static")
        .besides(times + &processors)
}

fn rates(shown: &[Shown]) -> Vec<f64> {
    shown.iter().map(|shown| shown.pace.per_s).collect()
}

/// Returns the static page, which is the reference for the others.
fn static_page(at: SocketAddr) -> Case {
    Case {
        name: "static page",
        at,
        asks: vec![visit()],
    }
}

/// Returns a request by a visitor who is not logged in.
fn visit() -> Ask {
    Ask {
        path: "/".into(),
        cookie: String::new(),
    }
}

/// Returns the pages of a network, each as its readers request it.
pub fn all(world: &mut World) -> Outcome<Vec<Case>> {
    let (mut profiles, mut permalinks) = (Vec::new(), Vec::new());
    for (number, reader) in (0..).zip(&world.readers) {
        let writer = world.network.writer(number, number * 7);
        let newest = world
            .redis
            .texts(&[&"ZRANGE", &format!("profile:{{{writer}}}"), &0, &0])?;
        let newest = newest.first().ok_or("every writer has written")?;
        profiles.push(ask(&format!("/@p{writer}"), reader));
        permalinks.push(ask(&format!("/@p{writer}/{newest}"), reader));
    }
    let at = world.site.address;
    let case = |name, asks| Case { name, at, asks };
    Ok(vec![
        case("home", world.homes()),
        case("profile", profiles),
        case("permalink", permalinks),
        case("landing", vec![visit()]),
    ])
}

/// Returns the size of each case's first page. The static page has the size of home.
fn sizes(world: &mut World, cases: &[Case]) -> Outcome<Vec<usize>> {
    let mut sizes = Vec::new();
    for case in cases {
        world.wire.expect(200, &case.asks[0].request())?;
        sizes.push(world.wire.length());
    }
    sizes[0] = sizes[1];
    Ok(sizes)
}
