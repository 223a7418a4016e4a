//! Memory that things take in Redis, and memory of the app after all loads.

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
    results::{Row, format_thousands},
    site::{Site, until},
    spread::Spread,
    world::World,
};

const PART: &str = "Memory";
/// Number of live streams that each reader has open: the maximum for one person.
const STREAMS_EACH: usize = 8;

/// Time after which an idle site returns unused memory to the system.
const REST: Duration = Duration::from_secs(5);

/// Memory of the app in KiB: right after a load, and at rest.
#[derive(Debug, Clone, Copy)]
pub struct Resident {
    at_once: u64,
    at_rest: u64,
}

impl Resident {
    pub fn of(site: &Site) -> Outcome<Self> {
        let at_once = site.memory_kib("VmRSS")?;
        wait_until(Instant::now() + REST);
        Ok(Self {
            at_once,
            at_rest: site.memory_kib("VmRSS")?,
        })
    }

    fn row(self, after: &str) -> Row {
        let mib = |kib: u64| kib as f64 / 1024.0;
        let label = format!("the app after {after}, resident");
        Row::new(PART, label, "MiB", Spread::of([mib(self.at_rest)]))
            .with_details(format!("directly after {:.1} MiB", mib(self.at_once)))
    }
}

/// Measures the app after page loads alone, and after all the other work. The latter includes
/// password checks, which take 19 MiB each.
pub fn run(world: &mut World, after_pages: Option<Resident>) -> Outcome<Vec<Row>> {
    let memory_per_item = world.memory_per_item;
    let (mut sessions, mut readings) = (Vec::new(), Vec::new());
    for reader in &world.readers {
        sessions.push(session(&mut world.redis, reader.uid)?);
        readings.push(bytes(
            &mut world.redis,
            &format!("reading:{{{}}}", reader.uid),
        )?);
    }
    let row = |label: &str, figures: Vec<f64>| Row::new(PART, label, "bytes", Spread::of(figures));
    let each = |label: &str, bytes: f64| row(label, vec![bytes]);
    let mut rows = vec![
        each(
            "a person, without posts and follows",
            memory_per_item.person,
        ),
        each(
            "a status of 140 characters, on its author's profile",
            memory_per_item.status,
        ),
        each("the search entries of that status", memory_per_item.index),
        each("a follow, on both sides", memory_per_item.follow),
        Row::new(
            PART,
            format!(
                "a full home of {} to {} statuses",
                format_thousands(HOME as f64),
                format_thousands((HOME + 23) as f64)
            ),
            "bytes",
            Spread::of([memory_per_item.home]),
        ),
        row("the read ranges of a home", readings),
        row("a session", sessions),
    ];
    let most = world.site.memory_kib("VmHWM")? as f64 / 1024.0;
    rows.extend(after_pages.map(|resident| resident.row("page loads, at rest")));
    rows.push(Resident::of(&world.site)?.row("all other work, at rest"));
    rows.push(Row::new(
        PART,
        "the app at its maximum, resident",
        "MiB",
        Spread::of([most]),
    ));
    let stream = stream(world)?;
    rows.push(each("an open live stream, in the app", stream.app));
    rows.push(each("an open live stream, in Redis", stream.redis));
    Ok(rows)
}

/// Memory added by each live stream, in bytes.
struct Stream {
    app: f64,
    redis: f64,
}

/// Opens as many streams as the readers may have, and measures once Redis has a channel for each
/// reader's home.
fn stream(world: &mut World) -> Outcome<Stream> {
    let measure = |world: &mut World| -> Outcome<(f64, f64)> {
        let app = world.site.memory_kib("VmRSS")? as f64 * 1024.0;
        Ok((app, world.redis.gauge("memory", "used_memory")?))
    };
    let before = measure(world)?;
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
    let after = measure(world)?;
    let each = |before: f64, after: f64| (after - before) / open.len() as f64;
    Ok(Stream {
        app: each(before.0, after.0),
        redis: each(before.1, after.1),
    })
}

/// Opens a stream as a page does, and reads its first event.
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

/// Measures the newest session of a person, with its entry in the session list.
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
