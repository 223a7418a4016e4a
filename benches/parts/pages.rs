//! Pages compared with a fixed page of the same size as home, at 1, 16 and 64 connections.

use std::{net::SocketAddr, time::Duration};

use crate::{
    fixed::FixedPageServer,
    load::{ClosedLoop, LoadFigures, PageRequest},
    redis::Outcome,
    results::{Row, format_figure, format_thousands},
    spread::Spread,
    world::{World, page_request},
};

const PART: &str = "Pages";
const CONNECTIONS: [usize; 3] = [1, 16, 64];

pub struct Case {
    pub name: &'static str,
    pub at: SocketAddr,
    pub requests: Vec<PageRequest>,
}

/// Result of one load of a case.
struct CaseFigures {
    load: LoadFigures,
    /// Processor time of the app and of Redis per request, in µs.
    app_us: f64,
    redis_us: f64,
}

/// The loads of each case: numbers of connections, rounds, and the duration of one.
#[derive(Clone, Copy)]
pub struct Loads<'a> {
    pub connections: &'a [usize],
    pub rounds: usize,
    pub lasting: Duration,
}

pub fn run(world: &mut World, rounds: usize, lasting: Duration) -> Outcome<Vec<Row>> {
    let cases = all(world)?;
    let loads = Loads {
        connections: &CONNECTIONS,
        rounds,
        lasting,
    };
    compare(world, PART, cases, loads)
}

/// Measures all cases in each round, and compares them with a static page that is as large as home.
pub fn compare(
    world: &mut World,
    part: &'static str,
    measured: Vec<Case>,
    loads: Loads<'_>,
) -> Outcome<Vec<Row>> {
    world.connection.expect(200, &world.homes()[0].request())?;
    let home = world.connection.text();
    let fixed = FixedPageServer::start(home.as_bytes(), world.site.directory())?;
    let mut cases = vec![static_page(fixed.address)];
    cases.extend(measured);
    let sizes = sizes(world, &cases, home.len())?;
    let mut rows = Vec::new();
    for connections in loads.connections.iter().copied() {
        let mut figures: Vec<Vec<CaseFigures>> = cases.iter().map(|_| Vec::new()).collect();
        for _ in 0..loads.rounds {
            for (case, figures) in cases.iter().zip(&mut figures) {
                figures.push(load(world, case, connections, loads.lasting)?);
            }
        }
        let ceiling = rates(&figures[0]);
        for ((case, figures), bytes) in cases.iter().zip(&figures).zip(&sizes) {
            let label = format!(
                "{}, {} bytes, c={connections}",
                case.name,
                format_thousands(*bytes as f64)
            );
            rows.push(row((part, label), figures, &ceiling));
        }
    }
    Ok(rows)
}

fn load(
    world: &mut World,
    case: &Case,
    connections: usize,
    lasting: Duration,
) -> Outcome<CaseFigures> {
    let measured = ClosedLoop {
        at: case.at,
        requests: &case.requests,
        connections,
        lasting,
    };
    let before = world.site.processors_s(&mut world.redis)?;
    let load = measured.run(world.site.directory())?;
    let after = world.site.processors_s(&mut world.redis)?;
    Ok(CaseFigures {
        load,
        app_us: (after.0 - before.0) * 1e6 / load.requests,
        redis_us: (after.1 - before.1) * 1e6 / load.requests,
    })
}

/// Returns the row of a case. The static page comes first and has no reference figure.
fn row((part, label): (&'static str, String), figures: &[CaseFigures], ceiling: &[f64]) -> Row {
    let rates = rates(figures);
    let median =
        |of: fn(&CaseFigures) -> f64| format_figure(Spread::of(figures.iter().map(of)).median);
    let times = format!(
        "p50 {} ms, p99 {} ms",
        median(|figures| figures.load.p50_ms),
        median(|figures| figures.load.p99_ms)
    );
    let row = Row::new(part, label, "req/s", Spread::of(rates.iter().copied()));
    if rates == ceiling {
        return row.with_details(times);
    }
    let processors = format!(
        "; processor: app {} µs, Redis {} µs",
        median(|figures| figures.app_us),
        median(|figures| figures.redis_us)
    );
    row.with_ratio(Spread::of_ratios(&rates, ceiling), "static")
        .with_details(times + &processors)
}

fn rates(figures: &[CaseFigures]) -> Vec<f64> {
    figures.iter().map(|figures| figures.load.per_s).collect()
}

/// Returns the static page, which is the reference for the others.
fn static_page(at: SocketAddr) -> Case {
    Case {
        name: "static page",
        at,
        requests: vec![visit()],
    }
}

/// Returns a request by a visitor who is not logged in.
fn visit() -> PageRequest {
    PageRequest {
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
        profiles.push(page_request(&format!("/@p{writer}"), reader));
        permalinks.push(page_request(&format!("/@p{writer}/{newest}"), reader));
    }
    let at = world.site.address;
    let case = |name, requests| Case { name, at, requests };
    Ok(vec![
        case("home", world.homes()),
        case("profile", profiles),
        case("permalink", permalinks),
        case("landing", vec![visit()]),
    ])
}

/// Returns the size of each case's first page. The static page comes first.
fn sizes(world: &mut World, cases: &[Case], of_static: usize) -> Outcome<Vec<usize>> {
    let mut sizes = vec![of_static];
    for case in &cases[1..] {
        world.connection.expect(200, &case.requests[0].request())?;
        sizes.push(world.connection.length());
    }
    Ok(sizes)
}
