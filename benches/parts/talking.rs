//! Home of a talking network with many readers. Their requests follow Zipf's law, each round comes
//! after a pause of a minute, and posts arrive at a steady rate all the time. So most sessions were
//! not seen within the last minute, and most homes have changed when they are read.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::{
    fixed::FixedPageServer,
    http::HttpConnection,
    load::{ClosedLoop, PageRequest, send_each_once},
    member::Member,
    open_loop::wait_until,
    redis::Outcome,
    results::{Row, format_figure, format_thousands},
    spread::Spread,
    talk::TalkingSite,
    world::page_request,
};

const PART: &str = "Pages";
const CONNECTIONS: usize = 16;
/// Requests in one round.
const REQUESTS: usize = 2_000;
/// Pause before a round. A page that is read again within a minute costs less.
const PAUSE: Duration = Duration::from_secs(61);
/// Posts that arrive in a second.
const ARRIVALS_PER_S: f64 = 5.0;
/// Number of homes whose median size is the size of the static page.
const SIZED: usize = 31;

/// Figures of one round.
struct Round {
    static_per_s: f64,
    per_s: f64,
    p50_ms: f64,
    p99_ms: f64,
    /// Per page, without the arriving posts.
    app_ms: f64,
    redis_ms: f64,
    commands: f64,
    /// Share of all sessions that made a request.
    seen: f64,
}

/// Counters since the start of the site.
#[derive(Clone, Copy)]
struct Counters {
    at: Instant,
    app_s: f64,
    redis_s: f64,
    commands: f64,
}

pub fn run(talking: &mut TalkingSite, rounds: usize, lasting: Duration) -> Outcome<Vec<Row>> {
    let page = typical_home(talking)?;
    let fixed = FixedPageServer::start(&page, talking.site.directory())?;
    let reference = ClosedLoop {
        at: fixed.address,
        requests: &[PageRequest {
            path: "/".into(),
            cookie: String::new(),
        }],
        connections: CONNECTIONS,
        lasting,
    };
    let mut measured = Vec::new();
    for _ in 0..rounds {
        let mut round = while_posts_arrive(talking, round)?;
        round.static_per_s = reference.run(talking.site.directory())?.per_s;
        measured.push(round);
    }
    talking.site.check()?;
    Ok(rows(&measured, page.len()))
}

/// Waits for a minute and sends the requests of a round.
fn round(talking: &mut TalkingSite) -> Outcome<Round> {
    let (mut requests, mut seen) = (Vec::new(), HashSet::new());
    for _ in 0..REQUESTS {
        let reader = talking.reader();
        requests.push(page_request("/", reader).request());
        seen.insert(reader.uid);
    }
    let idle = Counters::of(talking)?;
    wait_until(Instant::now() + PAUSE);
    let before = Counters::of(talking)?;
    let (latencies, took) = send_each_once(talking.site.address, &requests, CONNECTIONS)?;
    let after = Counters::of(talking)?;
    let per_page = |of: fn(Counters) -> f64| {
        let pause_s = (before.at - idle.at).as_secs_f64();
        let arrivals_per_s = (of(before) - of(idle)) / pause_s;
        let load_s = (after.at - before.at).as_secs_f64();
        (of(after) - of(before) - arrivals_per_s * load_s) / REQUESTS as f64
    };
    Ok(Round {
        static_per_s: f64::NAN,
        per_s: REQUESTS as f64 / took.as_secs_f64(),
        p50_ms: latencies.value_at_quantile(0.5) as f64 / 1e3,
        p99_ms: latencies.value_at_quantile(0.99) as f64 / 1e3,
        app_ms: per_page(|counters| counters.app_s) * 1e3,
        redis_ms: per_page(|counters| counters.redis_s) * 1e3,
        commands: per_page(|counters| counters.commands),
        seen: seen.len() as f64 / talking.members.len() as f64,
    })
}

impl Counters {
    fn of(talking: &mut TalkingSite) -> Outcome<Self> {
        let (app_s, redis_s) = talking.site.processors_s(&mut talking.redis)?;
        Ok(Self {
            at: Instant::now(),
            app_s,
            redis_s,
            commands: talking.redis.gauge("stats", "total_commands_processed")?,
        })
    }
}

/// Posts through the form at a steady rate while `work` runs.
fn while_posts_arrive<T>(
    talking: &mut TalkingSite,
    work: impl FnOnce(&mut TalkingSite) -> Outcome<T>,
) -> Outcome<T> {
    let authors: Vec<Member> = (0..REQUESTS).map(|_| talking.anyone().clone()).collect();
    let (at, over) = (talking.site.address, AtomicBool::new(false));
    let post = || -> Outcome<()> {
        let mut connection = HttpConnection::open(at)?;
        let begun = Instant::now();
        for (number, author) in authors.iter().cycle().enumerate() {
            wait_until(begun + Duration::from_secs_f64(number as f64 / ARRIVALS_PER_S));
            if over.load(Ordering::Relaxed) {
                break;
            }
            connection.expect(303, &author.post())?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let posts = scope.spawn(post);
        let result = work(talking);
        over.store(true, Ordering::Relaxed);
        posts.join().map_err(|_| "a thread panicked")??;
        result
    })
}

/// Returns a home of median size.
fn typical_home(talking: &mut TalkingSite) -> Outcome<Vec<u8>> {
    let mut connection = HttpConnection::open(talking.site.address)?;
    let mut pages = Vec::new();
    for _ in 0..SIZED {
        connection.expect(200, &page_request("/", talking.anyone()).request())?;
        pages.push(connection.text().into_bytes());
    }
    pages.sort_by_key(Vec::len);
    Ok(pages.swap_remove(SIZED / 2))
}

fn rows(rounds: &[Round], bytes: usize) -> Vec<Row> {
    let all = |of: fn(&Round) -> f64| rounds.iter().map(of).collect::<Vec<_>>();
    let median = |of| format_figure(Spread::of(all(of)).median);
    let row = |label: &str, unit, of| {
        let label = format!("home, talking network, many readers, c={CONNECTIONS}{label}");
        Row::new(PART, label, unit, Spread::of(all(of)))
    };
    let bytes = format_thousands(bytes as f64);
    let fixed = all(|round| round.static_per_s);
    vec![
        Row::new(
            PART,
            format!("static page, {bytes} bytes, c={CONNECTIONS}"),
            "req/s",
            Spread::of(fixed.iter().copied()),
        ),
        row("", "req/s", |round| round.per_s)
            .with_ratio(
                Spread::of_ratios(&all(|round| round.per_s), &fixed),
                "static",
            )
            .with_details(format!(
                "p50 {} ms, p99 {} ms; {} of the sessions seen within the minute",
                median(|round| round.p50_ms),
                median(|round| round.p99_ms),
                median(|round| round.seen),
            )),
        row(": processor of the app", "ms", |round| round.app_ms),
        row(": processor of Redis", "ms", |round| round.redis_ms),
        row(": commands of Redis", "commands", |round| round.commands),
    ]
}
