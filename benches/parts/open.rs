//! Latency of home at 50, 70 and 90 % of the site's maximum rate, counted from the intended send
//! time.

use std::time::Duration;

use crate::{
    load::{PageRequest, run_closed_loop},
    open_loop::OpenLoop,
    redis::Outcome,
    results::{Row, format_figure},
    spread::Spread,
    world::World,
};

const PART: &str = "Home at a steady rate";
const SHARES: [f64; 3] = [0.5, 0.7, 0.9];
/// Connections of the closed loop that finds the maximum rate.
const CONNECTIONS: usize = 64;

pub fn run(world: &World, rounds: usize, lasting: Duration) -> Outcome<Vec<Row>> {
    let requests: Vec<_> = world.homes().iter().map(PageRequest::request).collect();
    let at = world.site.address;
    let mut knees = Vec::new();
    let mut latencies = vec![Vec::new(); SHARES.len()];
    for _ in 0..rounds {
        let answered = run_closed_loop(at, &requests, CONNECTIONS, lasting)?.len();
        let knee = answered as f64 / lasting.as_secs_f64();
        knees.push(knee);
        for (share, latencies) in SHARES.iter().zip(&mut latencies) {
            let steady = OpenLoop {
                at,
                requests: &requests,
                per_s: knee * share,
            };
            latencies.push(steady.lasting(lasting)?);
        }
    }
    let mut rows = vec![Row::new(
        PART,
        "maximum rate: c=64 by the same generator",
        "req/s",
        Spread::of(knees),
    )];
    for (share, latencies) in SHARES.iter().zip(&latencies) {
        let at = |quantile: f64| {
            let rounds = latencies
                .iter()
                .map(|round| round.value_at_quantile(quantile) as f64 / 1e3);
            Spread::of(rounds)
        };
        let quantiles = [("p50", 0.5), ("p90", 0.9), ("p99.9", 0.999), ("most", 1.0)];
        let others = quantiles
            .map(|(name, quantile)| format!("{name} {}", format_figure(at(quantile).median)));
        let label = format!("{:.0} % of the maximum rate, p99", share * 100.0);
        rows.push(Row::new(PART, label, "ms", at(0.99)).with_details(others.join(", ") + " ms"));
    }
    Ok(rows)
}
