//! What things weigh in Redis' memory, and what the app holds after all the load.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use crate::{
    member::{Member, get},
    network::HOME,
    open_loop::wait_until,
    redis::{Outcome, Redis},
    results::{Row, thousands},
    site::until,
    spread::Spread,
    world::World,
};

const PART: &str = "Memory";
/// Live streams that each reader has open, as many as a person may.
const STREAMS_EACH: usize = 8;

/// The app gives memory back that it has no use for, once nobody has asked for a page for some seconds.
const REST: Duration = Duration::from_secs(5);

/// The app after pages alone, and now that it has done all the rest as well, checked passwords
/// among it, which take 19 MiB each.
pub fn run(world: &mut World, after_pages_kib: Option<u64>) -> Outcome<Vec<Row>> {
    let weight = world.weight;
    let (mut sessions, mut readings) = (Vec::new(), Vec::new());
    for reader in &world.readers {
        sessions.push(session(&mut world.redis, reader.uid)?);
        readings.push(bytes(
            &mut world.redis,
            &format!("reading:{{{}}}", reader.uid),
        )?);
    }
    let row = |what: &str, figures: Vec<f64>| Row::new(PART, what, "bytes", Spread::of(figures));
    let each = |what: &str, bytes: f64| row(what, vec![bytes]);
    let mut rows = vec![
        each(
            "a person, without what they write and whom they follow",
            weight.person,
        ),
        each(
            "a status of 140 characters, on its author's profile",
            weight.status,
        ),
        each("what search finds that status by", weight.index),
        each("a follow, both its sides", weight.follow),
        Row::new(
            PART,
            format!(
                "a full home of {} to {} statuses",
                thousands(HOME as f64),
                thousands((HOME + 23) as f64)
            ),
            "bytes",
            Spread::of([weight.home]),
        ),
        row("what is remembered of reading home", readings),
        row("a session", sessions),
    ];
    let app = |what: &str, kib: u64| {
        let what = format!("the app {what}, resident");
        Row::new(PART, what, "MiB", Spread::of([kib as f64 / 1024.0]))
    };
    let kib = |line: &str| world.site.memory_kib(line);
    rows.extend(after_pages_kib.map(|kib| app("after the pages", kib)));
    rows.push(app("after log-ins and all else", kib("VmRSS")?));
    rows.push(app("at its largest", kib("VmHWM")?));
    wait_until(Instant::now() + REST);
    rows.push(app("at rest", kib("VmRSS")?));
    let stream = stream(world)?;
    rows.push(each("an open live stream, in the app", stream.app));
    rows.push(each("an open live stream, in Redis", stream.redis));
    Ok(rows)
}

/// What each live stream adds, in bytes.
struct Stream {
    app: f64,
    redis: f64,
}

/// Weighs as many of them as the readers may have. All are in the table of watchers once Redis has
/// been told so.
fn stream(world: &mut World) -> Outcome<Stream> {
    let weigh = |world: &mut World| -> Outcome<(f64, f64)> {
        let app = world.site.memory_kib("VmRSS")? as f64 * 1024.0;
        Ok((app, world.redis.gauge("memory", "used_memory")?))
    };
    let before = weigh(world)?;
    let mut open = Vec::new();
    for reader in &world.readers {
        for _ in 0..STREAMS_EACH {
            open.push(listen(world, reader)?);
        }
    }
    let watched = world.readers.len();
    until(
        "every reader's home is watched",
        Duration::from_millis(1),
        || {
            let channels = world.redis.texts(&[&"PUBSUB", &"SHARDCHANNELS"])?;
            Ok(channels.len() >= watched)
        },
    )?;
    let after = weigh(world)?;
    let each = |before: f64, after: f64| (after - before) / open.len() as f64;
    Ok(Stream {
        app: each(before.0, after.0),
        redis: each(before.1, after.1),
    })
}

/// A stream as an open page has it, whose first words were heard.
fn listen(world: &World, reader: &Member) -> Outcome<TcpStream> {
    let mut stream = TcpStream::connect(world.site.address)?;
    let path = format!("/live?login=p{}", reader.uid);
    stream.write_all(&get(&path, &reader.cookie))?;
    let mut heard = Vec::new();
    while !heard.windows(6).any(|words| words == b"retry:") {
        let mut some = [0; 1024];
        let read = stream.read(&mut some)?;
        if read == 0 {
            return Err("a live stream is refused".into());
        }
        heard.extend_from_slice(&some[..read]);
    }
    Ok(stream)
}

/// The newest session of a person, with its part of their list.
fn session(redis: &mut Redis, uid: u64) -> Outcome<f64> {
    let list = format!("sessions:{{{uid}}}");
    let digests = redis.texts(&[&"ZRANGE", &list, &0, &-1])?;
    let digest = digests.last().ok_or("they are logged in")?;
    let state = bytes(redis, &format!("session:{{{uid}}}:{digest}"))?;
    Ok(state + bytes(redis, &list)? / digests.len() as f64)
}

fn bytes(redis: &mut Redis, key: &str) -> Outcome<f64> {
    Ok(redis.number(&[&"MEMORY", &"USAGE", &key])? as f64)
}
