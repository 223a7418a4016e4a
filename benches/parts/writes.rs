//! Following, unfollowing with the refill of the home, deleting with the clean-up, and logging in.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use argon2::{Algorithm, Argon2, Block, Params, Version, password_hash::phc::PasswordHash};

use crate::{
    http::HttpConnection,
    member::{LogInForm, PASSWORD},
    network::{HOME, PROLIFIC},
    redis::{Outcome, Reply},
    results::{Row, format_thousands},
    site::until,
    spread::Spread,
    world::{World, ms},
};

const PART: &str = "Other writes";
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// Number of concurrent log-ins.
const LOG_INS: usize = 4;

pub fn run(
    world: &mut World,
    password_hash: &str,
    rounds: usize,
    lasting: Duration,
) -> Outcome<Vec<Row>> {
    let mut rows = follows(world, rounds)?;
    rows.extend(deletes(world, rounds)?);
    rows.extend(log_ins(world, password_hash, rounds, lasting)?);
    Ok(rows)
}

/// A reader follows a prolific author and then unfollows. The posts of that author fill nine tenths
/// of a home and are newer than everything else on it. So a tenth of the home remains, and a task
/// refills it.
fn follows(world: &mut World, rounds: usize) -> Outcome<Vec<Row>> {
    let (mut followed, mut left, mut filled) = (Vec::new(), Vec::new(), Vec::new());
    let author = world.network.prolific()?.uid;
    let reader = world.readers[0].clone();
    let (home, mark) = (
        format!("home:{{{}}}", reader.uid),
        format!("active:{{{}}}", reader.uid),
    );
    for _ in 0..rounds {
        let request = reader.send(&format!("/@p{author}/follow"), &[]);
        let begun = Instant::now();
        world.connection.expect(303, &request)?;
        followed.push(ms(begun.elapsed()));
        let request = reader.send(&format!("/@p{author}/unfollow"), &[]);
        let begun = Instant::now();
        world.connection.expect(303, &request)?;
        left.push(ms(begun.elapsed()));
        let redis = &mut world.redis;
        until("the home is full again", POLL_INTERVAL, || {
            let built = matches!(redis.command(&[&"GET", &mark])?, Reply::Text(mark) if !mark.starts_with('b'));
            Ok(built && redis.number(&[&"ZCARD", &home])? >= HOME.cast_signed())
        })?;
        filled.push(ms(begun.elapsed()));
    }
    let row = |label: &str, figures: Vec<f64>| Row::new(PART, label, "ms", Spread::of(figures));
    let label = format!("follow a person with {PROLIFIC} statuses: response");
    Ok(vec![
        row(&label, followed),
        row("unfollow that person: response", left),
        row("unfollow that person: home is full again", filled),
    ])
}

/// A star deletes the status just posted.
fn deletes(world: &mut World, rounds: usize) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for followers in world.audiences().into_iter().filter(|count| *count >= 100) {
        let star = world.network.star(followers)?.clone();
        let member = world.member(&star)?;
        let (mut answered, mut cleaned) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let sent = world.post(&star)?;
            let begun = Instant::now();
            answered.push(ms(world.delete(&member, sent.id)?));
            world.wait_for_home(star.followers.end - 1, sent.id, false)?;
            cleaned.push(ms(begun.elapsed()));
        }
        let followers = format_thousands(followers as f64);
        let label = |label: &str| format!("delete with {followers} followers: {label}");
        rows.push(Row::new(
            PART,
            label("response"),
            "ms",
            Spread::of(answered),
        ));
        rows.push(Row::new(
            PART,
            label("time until the last home lacks it"),
            "ms",
            Spread::of(cleaned),
        ));
    }
    Ok(rows)
}

fn log_ins(
    world: &World,
    password_hash: &str,
    rounds: usize,
    lasting: Duration,
) -> Outcome<Vec<Row>> {
    let (mut site, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        bare.push(bare_rate(password_hash, lasting)?);
        site.push(log_in_rate(world, lasting)?);
    }
    Ok(vec![
        Row::new(
            PART,
            "argon2 alone, on all cores",
            "per s",
            Spread::of(bare.iter().copied()),
        ),
        Row::new(PART, "log-ins", "per s", Spread::of(site.iter().copied()))
            .with_ratio(Spread::of_ratios(&site, &bare), "argon2 alone"),
    ])
}

/// Measures password hashes on all cores, one after the other on each, every core with its own
/// reused memory. This is the upper bound for any hasher.
fn bare_rate(password_hash: &str, lasting: Duration) -> Outcome<f64> {
    let cores = thread::available_parallelism()?.get();
    let hash = PasswordHash::new(password_hash)?;
    let params = Params::try_from(&hash)?;
    rate(cores, lasting, |_| {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let mut memory = vec![Block::default(); params.block_count()];
        Ok(move || {
            let mut out = [0; 32];
            argon2.hash_password_into_with_memory(
                PASSWORD.as_bytes(),
                b"salt of a bench",
                &mut out,
                &mut memory,
            )?;
            Ok(())
        })
    })
}

fn log_in_rate(world: &World, lasting: Duration) -> Outcome<f64> {
    let readers = &world.readers;
    rate(LOG_INS, lasting, |number| {
        let mut connection = HttpConnection::open(world.site.address)?;
        let form = LogInForm::get(&mut connection)?;
        let mut next_readers = readers.iter().cycle().skip(number);
        Ok(move || {
            let reader = next_readers.next().ok_or("there are readers")?;
            connection.expect(303, &form.sent_by(&format!("p{}", reader.uid)))?;
            Ok(())
        })
    })
}

/// Measures how often per second this many threads perform an action. Each thread is prepared
/// first.
fn rate<D: FnMut() -> Outcome<()>>(
    threads: usize,
    lasting: Duration,
    ready: impl Fn(usize) -> Outcome<D> + Sync,
) -> Outcome<f64> {
    let done = AtomicU64::new(0);
    let begun = Instant::now();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|number| {
                let (ready, done) = (&ready, &done);
                scope.spawn(move || -> Outcome<()> {
                    let mut act = ready(number)?;
                    while begun.elapsed() < lasting {
                        act()?;
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(())
                })
            })
            .collect();
        let ended: Outcome<Vec<()>> = threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a thread panicked")?)
            .collect();
        ended
    })?;
    Ok(done.into_inner() as f64 / begun.elapsed().as_secs_f64())
}
