//! Redis' own time for each script that is not O(log n), with the worst data that the default limits allow.
//! The store sends the scripts, so their passes have the sizes that it uses.

mod data;
mod steps;

use std::sync::Arc;

use clap::Parser;
use redwing::{config::Config, store::Store};
use tokio::runtime::{Builder, Runtime};

use crate::{
    redis::{Outcome, Redis, Reply},
    results::Row,
    site::Site,
    spread::Spread,
};

const PART: &str = "Scripts";
/// More commands than a case runs, with those of its scripts. Redis forgets the oldest.
const SLOWLOG_ENTRIES: usize = 20_000;

/// A script, the data that it meets, and the key by which its calls are known. A key that ends in a colon is the
/// beginning of one.
struct Case {
    script: &'static str,
    data: &'static str,
    key: &'static str,
}

const CASES: [Case; 28] = [
    case(
        "deliver",
        "20 homes, 20 tags of which the last is followed, 24 ranges seen",
        "home:{2}",
    ),
    case(
        "merge_timeline",
        "500 posts with 20 tags that are not followed",
        "home:{1}",
    ),
    case(
        "prune_timeline",
        "500 posts with 20 tags that are not followed",
        "home:{1}",
    ),
    case(
        "fill_rebuild",
        "500 posts with 20 tags that are not followed",
        "home:{1}",
    ),
    case(
        "finish_rebuild",
        "a home of 524, all below the floor",
        "home:{1}",
    ),
    case(
        "edit_list",
        "500 members; the list becomes exclusive",
        "lists:{1}",
    ),
    case(
        "delete_list",
        "an exclusive list of 500 members",
        "lists:{1}",
    ),
    case(
        "recount_excluded",
        "100 exclusive lists of 500 members, 500 wrong counts",
        "lists:{1}",
    ),
    case("read_home", "a home of 524, 24 ranges seen", "home:{1}"),
    case(
        "read_important",
        "a home of 524, 24 ranges seen, a reader who mutes somebody",
        "home:{1}",
    ),
    case("note_shown", "a home of 524, all examined", "home:{1}"),
    case("read_live", "2,000 notifications", "arrivals:{1}"),
    case(
        "notify",
        "1,000 notifications by as many people",
        "user:{1}",
    ),
    case(
        "read_notifications",
        "1,000 notifications and 1,000 retracted ones",
        "notifications:{1}",
    ),
    case(
        "unfile_status",
        "1,000 notifications and 1,000 retracted ones",
        "profile:{1}",
    ),
    case("enter_posting", "a full chunk is split", "postings:{word}"),
    case("drop_posting", "511 wrong entries", "postings:{word}"),
    case(
        "add_index_entry",
        "10,000 uses of the tag that are older than a day",
        "tag_index:{last}",
    ),
    case(
        "mirror_source",
        "500 posts and 500 replies are read, 1,000 notifications",
        "followers:{1}",
    ),
    case("move_due", "100 due tasks", "tasks:{0}:later"),
    case(
        "read_chat",
        "a page of large messages below 990 that the reader deleted for themselves",
        "chat:",
    ),
    case(
        "save_session",
        "1,000 sessions beyond the limit",
        "session:{1}:",
    ),
    case(
        "load_session",
        "1,000 notifications and 1,000 retracted ones",
        "session:{1}:",
    ),
    case("set_mute", "1,000 mutes that have ended", "muted:{1}"),
    case(
        "accept_request",
        "1,000 notifications by as many people",
        "following:{1}",
    ),
    case(
        "drop_notifications_by",
        "1,000 notifications and 1,000 retracted ones, all of these by one person",
        "notifications:{1}",
    ),
    case(
        "make_invitation",
        "1,000 invitations that have ended",
        "invitations:{1}",
    ),
    case(
        "finish_deletion",
        "the keys of a person with a full home and full notifications",
        "user:{1}",
    ),
];

const fn case(script: &'static str, data: &'static str, key: &'static str) -> Case {
    Case { script, data, key }
}

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    config: Config,
}

/// A Redis that logs the time of each command, and a store on it.
struct Scene {
    redis: Redis,
    store: Store,
    runtime: Runtime,
    /// Keeps Redis running.
    _site: Site,
}

pub fn run(rounds: usize) -> Outcome<Vec<Row>> {
    let mut scene = Scene::start()?;
    let mut rows = Vec::new();
    for case in &CASES {
        let (mut figures, mut calls) = (Vec::new(), 0);
        // The first call of a script also compiles it.
        for round in 0..=rounds {
            let times = scene.times_us(case)?;
            if round > 0 {
                calls = times.len();
                figures.push(times.iter().copied().max().unwrap_or_default() as f64 / 1e3);
            }
        }
        let row = Row::new(PART, case.script, "ms", Spread::of(figures));
        rows.push(row.with_details(format!("{}; {calls} calls", case.data)));
    }
    Ok(rows)
}

impl Scene {
    fn start() -> Outcome<Self> {
        let site = Site::start()?;
        let mut redis = site.redis()?;
        redis.command(&[&"CONFIG", &"SET", &"slowlog-log-slower-than", &0])?;
        redis.command(&[&"CONFIG", &"SET", &"slowlog-max-len", &SLOWLOG_ENTRIES])?;
        let config = Arc::new(CommandLine::try_parse_from(["bench"])?.config);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let entered = runtime.enter();
        let store = Store::open(&site.redis_url(), config)?;
        drop(entered);
        Ok(Self {
            redis,
            store,
            runtime,
            _site: site,
        })
    }

    /// Returns the time of each call of the script.
    fn times_us(&mut self, case: &Case) -> Outcome<Vec<u64>> {
        data::write(&mut self.redis)?;
        data::write_for(case.script, &mut self.redis)?;
        self.runtime
            .block_on(steps::prepare(&self.store, case.script))?;
        self.redis.command(&[&"SLOWLOG", &"RESET"])?;
        self.runtime
            .block_on(steps::act(&self.store, case.script))?;
        let Reply::List(entries) = self.redis.command(&[&"SLOWLOG", &"GET", &-1])? else {
            return Err("SLOWLOG says nothing".into());
        };
        let times: Vec<u64> = entries
            .iter()
            .filter_map(|entry| time_us(entry, case.key))
            .collect();
        match times.is_empty() {
            true => Err(format!("{} was not called", case.script).into()),
            false => Ok(times),
        }
    }
}

/// Returns the time of an entry of SLOWLOG if it is a script with this first key.
fn time_us(entry: &Reply, key: &str) -> Option<u64> {
    let Reply::List(fields) = entry else {
        return None;
    };
    let (Reply::Number(us), Reply::List(words)) = (fields.get(2)?, fields.get(3)?) else {
        return None;
    };
    let (Reply::Text(command), Reply::Text(first_key)) = (words.first()?, words.get(3)?) else {
        return None;
    };
    let is_key = first_key == key || key.ends_with(':') && first_key.starts_with(key);
    (command == "EVALSHA" && is_key).then_some(us.unsigned_abs())
}
