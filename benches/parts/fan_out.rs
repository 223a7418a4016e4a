//! Delivery to many followers: its rate compared with Redis' own insert-and-trim on the same homes,
//! and its effect on readers.

use std::time::{Duration, Instant};

use crate::{
    load::run_closed_loop,
    network::HOME,
    open_loop::OpenLoop,
    redis::{Batch, Outcome},
    results::{Row, format_figure, format_thousands},
    spread::Spread,
    world::World,
};

const PART: &str = "Fan-out";
/// Number of homes that the raw loop writes to, and number of commands in one batch, as in a pass.
const RAW_HOMES: u64 = 10_000;
const RAW_TRIP: u64 = 100;
/// How many times longer than a load the home is measured without a fan-out. Otherwise p99 would
/// rest on few samples.
const BASELINE_LOADS: u32 = 5;
/// Share of the site's maximum rate that is requested during the fan-out.
const SHARE: f64 = 0.25;

pub fn run(world: &mut World, rounds: usize, lasting: Duration) -> Outcome<Vec<Row>> {
    let audience = world.audiences().last().copied().unwrap_or_default();
    let (mut delivered, mut raw) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        raw.push(raw_rate(world)?);
        let star = world.network.star(audience)?.clone();
        let sent = world.post(&star)?;
        delivered.push(audience as f64 / sent.everywhere.as_secs_f64());
    }
    let mut rows = vec![
        Row::new(
            PART,
            "insert and trim by Redis alone, pipelined",
            "per s",
            Spread::of(raw.iter().copied()),
        ),
        Row::new(
            PART,
            format!(
                "deliveries to {} full homes",
                format_thousands(audience as f64)
            ),
            "per s",
            Spread::of(delivered.iter().copied()),
        )
        .with_ratio(Spread::of_ratios(&delivered, &raw), "insert and trim"),
    ];
    rows.extend(measure_home_during_fan_out(
        world, audience, rounds, lasting,
    )?);
    Ok(rows)
}

/// Measures inserts into copies of homes, each trimmed to its size every time.
fn raw_rate(world: &mut World) -> Outcome<f64> {
    let homes = RAW_HOMES.min(world.network.people);
    let redis = &mut world.redis;
    let mut batch = Batch::default();
    let raw = |uid: u64| format!("raw:{{{uid}}}");
    for uid in 1..=homes {
        batch.add(&[&"COPY", &format!("home:{{{uid}}}"), &raw(uid), &"REPLACE"]);
        redis.send_full(&mut batch)?;
    }
    redis.send(&mut batch)?;
    let newest = redis.texts(&[&"ZRANGE", &raw(homes), &0, &0])?;
    let id = newest.first().ok_or("homes are full")?.parse::<u64>()? + (1 << 30);
    let begun = Instant::now();
    for first in (1..=homes).step_by(RAW_TRIP as usize) {
        for uid in first..(first + RAW_TRIP).min(homes + 1) {
            batch.add(&[&"ZADD", &raw(uid), &-id.cast_signed(), &id]);
            batch.add(&[&"ZREMRANGEBYRANK", &raw(uid), &HOME, &-1]);
        }
        redis.send(&mut batch)?;
    }
    let took = begun.elapsed();
    for uid in 1..=homes {
        batch.add(&[&"UNLINK", &raw(uid)]);
        redis.send_full(&mut batch)?;
    }
    redis.send(&mut batch)?;
    Ok(homes as f64 / took.as_secs_f64())
}

/// Measures home at a steady rate, without and with a fan-out.
fn measure_home_during_fan_out(
    world: &mut World,
    audience: u64,
    rounds: usize,
    lasting: Duration,
) -> Outcome<Vec<Row>> {
    let requests: Vec<_> = world
        .homes()
        .iter()
        .map(crate::load::PageRequest::request)
        .collect();
    let at = world.site.address;
    let most = run_closed_loop(at, &requests, 64, lasting)?.len() as f64 / lasting.as_secs_f64();
    let steady = OpenLoop {
        at,
        requests: &requests,
        per_s: most * SHARE,
    };
    let star = world.network.star(audience)?.clone();
    let (mut baseline, mut busy, mut took) = (Vec::new(), Vec::new(), Vec::new());
    let p99 =
        |latencies: &hdrhistogram::Histogram<u64>| latencies.value_at_quantile(0.99) as f64 / 1e3;
    for _ in 0..rounds {
        baseline.push(p99(&steady.lasting(lasting * BASELINE_LOADS)?));
        let (latencies, sent) = steady.during(|| world.post(&star))?;
        busy.push(p99(&latencies));
        took.push(sent.everywhere.as_secs_f64());
    }
    let (rate, audience) = (
        format_figure(steady.per_s),
        format_thousands(audience as f64),
    );
    Ok(vec![
        Row::new(
            PART,
            format!("home at {rate} req/s, p99, without a fan-out"),
            "ms",
            Spread::of(baseline.iter().copied()),
        ),
        Row::new(
            PART,
            format!("home at {rate} req/s, p99, during a fan-out to {audience}"),
            "ms",
            Spread::of(busy.iter().copied()),
        )
        .with_ratio(Spread::of_ratios(&busy, &baseline), "no fan-out")
        .with_details(format!(
            "the fan-out takes {} s",
            format_figure(Spread::of(took).median)
        )),
    ])
}
