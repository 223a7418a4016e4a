//! Pages of a talking network with many readers. Their requests follow Zipf's law, each round comes
//! after a pause of a minute, and posts arrive at a steady rate all the time. So when home is
//! measured, most sessions were not seen within the last minute, and most homes have changed. The
//! other pages follow without a pause.

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
    talk_pages::TalkingPages,
    world::page_request,
};

const PART: &str = "Pages";
const CONNECTIONS: usize = 16;
const MANY_CONNECTIONS: usize = 64;
/// Requests in one round for home, and for each other page.
const REQUESTS: usize = 2_000;
const OTHER_REQUESTS: usize = 1_000;
/// Pause before a round. A page that is read again within a minute costs less.
const PAUSE: Duration = Duration::from_secs(61);
/// Posts that arrive in a second.
const ARRIVALS_PER_S: f64 = 5.0;
/// Number of homes whose median size is the size of the static page.
const SIZED: usize = 31;

/// Requests for one page by many readers.
struct Load {
    label: String,
    connections: usize,
    requests: Vec<Vec<u8>>,
    /// Share of all sessions that make a request.
    seen: f64,
}

/// Figures of one load.
struct Figures {
    per_s: f64,
    p50_ms: f64,
    p99_ms: f64,
    /// Per page, without the arriving posts.
    app_ms: f64,
    redis_ms: f64,
    commands: f64,
    seen: f64,
    /// Size of the last page.
    bytes: f64,
}

/// Counters since the start of the site.
#[derive(Clone, Copy)]
struct Counters {
    at: Instant,
    app_s: f64,
    redis_s: f64,
    commands: f64,
}

/// The counters at the beginning and at the end of the pause, in which only posts arrive.
struct Idle(Counters, Counters);

pub fn run(talking: &mut TalkingSite, rounds: usize, lasting: Duration) -> Outcome<Vec<Row>> {
    let pages = TalkingPages::write(talking)?;
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
    let (mut labels, mut measured, mut static_per_s) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let loads = loads(talking, &pages);
        let round = while_posts_arrive(talking, |talking| round(talking, &loads))?;
        static_per_s.push(reference.run(talking.site.directory())?.per_s);
        measured.push(round);
        labels = loads.into_iter().map(|load| load.label).collect();
    }
    talking.site.check()?;
    let label = format!(
        "static page, {} bytes, c={CONNECTIONS}",
        format_thousands(page.len() as f64)
    );
    let spread = Spread::of(static_per_s.iter().copied());
    let mut rows = vec![Row::new(PART, label, "req/s", spread)];
    for (at, label) in labels.iter().enumerate() {
        let figures: Vec<&Figures> = measured.iter().map(|round| &round[at]).collect();
        rows.extend(rows_of(label, &figures, &static_per_s));
    }
    Ok(rows)
}

/// Returns the loads of a round. Home comes first.
fn loads(talking: &mut TalkingSite, pages: &TalkingPages) -> Vec<Load> {
    let mut loads = vec![
        load(talking, "home", CONNECTIONS, |_| "/".to_owned()),
        load(talking, "home", MANY_CONNECTIONS, |_| "/".to_owned()),
    ];
    type Path = fn(&TalkingPages, usize) -> String;
    let others: [(&str, Path); 5] = [
        ("profile", TalkingPages::profile),
        ("conversation of 40 replies", TalkingPages::conversation),
        ("notifications", |_, _| "/notifications".to_owned()),
        ("search for a common word", TalkingPages::search),
        ("Important", |_, _| "/important".to_owned()),
    ];
    for (name, path) in others {
        loads.push(load(talking, name, CONNECTIONS, |n| path(pages, n)));
    }
    let chats = (0..OTHER_REQUESTS).map(|number| pages.chat(number).request());
    loads.push(Load {
        label: format!("conversation of messages, c={CONNECTIONS}"),
        connections: CONNECTIONS,
        requests: chats.collect(),
        seen: f64::NAN,
    });
    loads
}

/// Returns requests by readers of Zipf's law. `path` is that of the n-th request.
fn load(
    talking: &mut TalkingSite,
    name: &str,
    connections: usize,
    path: impl Fn(usize) -> String,
) -> Load {
    let (mut requests, mut seen) = (Vec::new(), HashSet::new());
    let count = match name {
        "home" => REQUESTS,
        _ => OTHER_REQUESTS,
    };
    for number in 0..count {
        let reader = talking.reader();
        requests.push(page_request(&path(number), reader).request());
        seen.insert(reader.uid);
    }
    Load {
        label: format!("{name}, talking network, many readers, c={connections}"),
        connections,
        requests,
        seen: seen.len() as f64 / talking.members.len() as f64,
    }
}

/// Waits for a minute and sends the requests of a round.
fn round(talking: &mut TalkingSite, loads: &[Load]) -> Outcome<Vec<Figures>> {
    let begin = Counters::of(talking)?;
    wait_until(Instant::now() + PAUSE);
    let idle = Idle(begin, Counters::of(talking)?);
    let mut figures = Vec::new();
    for load in loads {
        figures.push(measure(talking, load, &idle)?);
    }
    Ok(figures)
}

fn measure(talking: &mut TalkingSite, load: &Load, idle: &Idle) -> Outcome<Figures> {
    let before = Counters::of(talking)?;
    let (latencies, took) = send_each_once(talking.site.address, &load.requests, load.connections)?;
    let after = Counters::of(talking)?;
    let count = load.requests.len() as f64;
    let per_page = |of: fn(Counters) -> f64| {
        let pause_s = (idle.1.at - idle.0.at).as_secs_f64();
        let arrivals_per_s = (of(idle.1) - of(idle.0)) / pause_s;
        let load_s = (after.at - before.at).as_secs_f64();
        (of(after) - of(before) - arrivals_per_s * load_s) / count
    };
    let mut connection = HttpConnection::open(talking.site.address)?;
    let last = load.requests.last().ok_or("a load has requests")?;
    connection.expect(200, last)?;
    Ok(Figures {
        per_s: count / took.as_secs_f64(),
        p50_ms: latencies.value_at_quantile(0.5) as f64 / 1e3,
        p99_ms: latencies.value_at_quantile(0.99) as f64 / 1e3,
        app_ms: per_page(|counters| counters.app_s) * 1e3,
        redis_ms: per_page(|counters| counters.redis_s) * 1e3,
        commands: per_page(|counters| counters.commands),
        seen: load.seen,
        bytes: connection.length() as f64,
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

fn rows_of(label: &str, rounds: &[&Figures], static_per_s: &[f64]) -> Vec<Row> {
    let all = |of: fn(&Figures) -> f64| -> Vec<f64> {
        rounds.iter().map(|figures| of(figures)).collect()
    };
    let median = |of| format_figure(Spread::of(all(of)).median);
    let row =
        |what: &str, unit, of| Row::new(PART, format!("{label}{what}"), unit, Spread::of(all(of)));
    let seen = match all(|figures| figures.seen)[0].is_nan() {
        true => String::new(),
        false => format!(
            "; {} of the sessions make a request",
            median(|figures| figures.seen)
        ),
    };
    vec![
        row("", "req/s", |figures| figures.per_s)
            .with_ratio(
                Spread::of_ratios(&all(|figures| figures.per_s), static_per_s),
                "static",
            )
            .with_details(format!(
                "p50 {} ms, p99 {} ms; {} bytes{seen}",
                median(|figures| figures.p50_ms),
                median(|figures| figures.p99_ms),
                median(|figures| figures.bytes),
            )),
        row(": processor of the app", "ms", |figures| figures.app_ms),
        row(": processor of Redis", "ms", |figures| figures.redis_ms),
        row(": commands of Redis", "commands", |figures| {
            figures.commands
        }),
    ]
}
