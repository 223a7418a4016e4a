//! What things weigh in Redis' memory, and what the app holds after all the load.

use crate::{
    redis::{Outcome, Redis},
    results::Row,
    spread::Spread,
    world::World,
};

const PART: &str = "Memory";

/// The app after pages alone, and now that it has done all the rest as well, checked passwords
/// among it, which take 19 MiB each.
pub fn run(world: &mut World, after_pages_kib: u64) -> Outcome<Vec<Row>> {
    let weight = world.weight;
    let (mut sessions, mut readings) = (Vec::new(), Vec::new());
    for reader in &world.readers {
        sessions.push(session(&mut world.redis, reader.uid)?);
        readings.push(bytes(
            &mut world.redis,
            &format!("reading:{{{}}}", reader.uid),
        )?);
    }
    let each = |what: &str, bytes: f64| Row::new(PART, what, "bytes", Spread::of([bytes]));
    let app = |what: &str, mib: f64| Row::new(PART, what, "MiB", Spread::of([mib]));
    let kib = |line: &str| world.site.memory_kib(line);
    let mib = |kib: u64| kib as f64 / 1024.0;
    Ok(vec![
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
        each("a full home of 1,000 to 1,023 statuses", weight.home),
        Row::new(
            PART,
            "what is remembered of reading home",
            "bytes",
            Spread::of(readings),
        ),
        Row::new(PART, "a session", "bytes", Spread::of(sessions)),
        app("the app after the pages, resident", mib(after_pages_kib)),
        app(
            "the app after log-ins and all else, resident",
            mib(kib("VmRSS")?),
        )
        .besides(format!("at most {:.1} MiB", mib(kib("VmHWM")?))),
    ])
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
