//! Savings from skipping dormant followers, and the cost of their return. Four stars post to
//! equally many followers, of whom 0, 10, 50 and 90 % are dormant.

use std::time::Instant;

use crate::{
    member::Member,
    network::{HOME, Star},
    redis::{Batch, Outcome, Redis},
    results::{Row, format_thousands},
    spread::Spread,
    world::{World, ms},
};

const PART: &str = "Dormant readers";
/// Dormant followers out of ten, by star.
const SHARES: [u64; 4] = [0, 1, 5, 9];
/// Number of followers of the last star who return.
const RETURNING: usize = 20;

/// Cost of a post in Redis.
struct Cost {
    zadds: f64,
    commands: f64,
    aof_bytes: f64,
    cpu_ms: f64,
    took_ms: f64,
}

/// Runs the part. It must run last because it deletes homes.
pub fn run(world: &mut World, rounds: usize) -> Outcome<Vec<Row>> {
    let stars = world.network.quarters().to_vec();
    let mut freed = Vec::new();
    for (star, share) in stars.iter().zip(SHARES) {
        freed.push(make_dormant(world, star, share)?);
    }
    let mut costs: Vec<Vec<Cost>> = SHARES.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds {
        for (star, costs) in stars.iter().zip(&mut costs) {
            costs.push(cost(world, star)?);
        }
    }
    let mut rows = Vec::new();
    for (place, share) in SHARES.iter().enumerate() {
        let followers = stars[place].followers.end - stars[place].followers.start;
        let figures =
            |of: fn(&Cost) -> f64, place: usize| costs[place].iter().map(of).collect::<Vec<_>>();
        let row = |label: &str, unit, of| {
            let (these, those) = (figures(of, place), figures(of, 0));
            let label = format!(
                "{} followers, {} % dormant: {label}",
                format_thousands(followers as f64),
                share * 10
            );
            let row = Row::new(PART, label, unit, Spread::of(these.iter().copied()));
            match place {
                0 => row,
                _ => row.with_ratio(Spread::of_ratios(&these, &those), "0 % dormant"),
            }
        };
        rows.push(row("inserts into homes", "ZADD", |cost| cost.zadds));
        rows.push(row("append-only file", "bytes", |cost| cost.aof_bytes));
        rows.push(row("commands of Redis", "commands", |cost| cost.commands));
        rows.push(row("processor time of Redis", "ms", |cost| cost.cpu_ms));
        rows.push(
            row("time until the last home has it", "ms", |cost| cost.took_ms).with_details(
                format!("frees {:.1} MiB of homes", freed[place] / 1_048_576.0),
            ),
        );
    }
    rows.extend(measure_returns(
        world,
        stars.last().ok_or("there are four")?,
    )?);
    Ok(rows)
}

/// Returns whether a follower of a star is dormant. The last follower never is.
fn is_dormant(star: &Star, uid: u64, share: u64) -> bool {
    (star.followers.end - 1 - uid) % 10 >= 10 - share
}

/// Expires the activity marks, as time would, and posts once so that the fan-out notices. Returns
/// the bytes freed.
fn make_dormant(world: &mut World, star: &Star, share: u64) -> Outcome<f64> {
    let before = used_memory(&mut world.redis)?;
    let mut batch = Batch::default();
    for uid in star
        .followers
        .clone()
        .filter(|uid| is_dormant(star, *uid, share))
    {
        batch.add(&[&"DEL", &format!("active:{{{uid}}}")]);
    }
    world.redis.send(&mut batch)?;
    world.post(star)?;
    Ok((before - used_memory(&mut world.redis)?).max(0.0))
}

fn used_memory(redis: &mut Redis) -> Outcome<f64> {
    redis.gauge("memory", "used_memory")
}

fn cost(world: &mut World, star: &Star) -> Outcome<Cost> {
    let before = counters(&mut world.redis)?;
    let sent = world.post(star)?;
    let after = counters(&mut world.redis)?;
    let [zadds, commands, aof_bytes, cpu_s] =
        [0, 1, 2, 3].map(|place| after[place] - before[place]);
    Ok(Cost {
        zadds,
        commands,
        aof_bytes,
        cpu_ms: cpu_s * 1e3,
        took_ms: ms(sent.everywhere),
    })
}

fn counters(redis: &mut Redis) -> Outcome<[f64; 4]> {
    Ok([
        redis.calls("zadd")? as f64,
        redis.gauge("stats", "total_commands_processed")?,
        redis.gauge("persistence", "aof_current_size")?,
        redis.gauge("cpu", "used_cpu_user_main_thread")?
            + redis.gauge("cpu", "used_cpu_sys_main_thread")?,
    ])
}

/// Dormant readers open home twice: the first request rebuilds it, the second finds it ready. The
/// rebuilt home must equal that of a neighbour who was never away.
fn measure_returns(world: &mut World, star: &Star) -> Outcome<Vec<Row>> {
    let dormant = star
        .followers
        .clone()
        .rev()
        .filter(|uid| is_dormant(star, *uid, 9));
    let returning: Vec<u64> = dormant.take(RETURNING).collect();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for uid in returning {
        let form = crate::member::LogInForm::get(&mut world.connection)?;
        let cookie = Member::begin(&mut world.connection, &form, uid)?;
        for times in [&mut first, &mut second] {
            let begun = Instant::now();
            world
                .connection
                .expect(200, &crate::member::get("/", &cookie))?;
            times.push(ms(begun.elapsed()));
        }
        let neighbour = star.followers.end - 1;
        let newest = |redis: &mut Redis, uid: u64| {
            redis.texts(&[&"ZRANGE", &format!("home:{{{uid}}}"), &0, &(HOME - 1)])
        };
        if newest(&mut world.redis, uid)? != newest(&mut world.redis, neighbour)? {
            return Err(format!("the home of {uid}, who came back, is not complete").into());
        }
    }
    Ok(vec![
        Row::new(
            PART,
            "home of an active reader",
            "ms",
            Spread::of(second.iter().copied()),
        ),
        Row::new(
            PART,
            "home of a returning reader, rebuilt first and complete",
            "ms",
            Spread::of(first.iter().copied()),
        )
        .with_ratio(Spread::of_ratios(&first, &second), "an active reader"),
    ])
}
