//! Closed loops: a number of connections, each of which sends the next request as soon as it has a
//! response. `wrk` runs them if it is on PATH, otherwise threads of this process do.

use std::{
    fs,
    net::SocketAddr,
    path::Path,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use hdrhistogram::Histogram;

use super::{http::HttpConnection, redis::Outcome};

/// Script for `wrk`: sends the requests of a file in turn and prints figures at the end.
const SCRIPT: &str = r#"
local requests, at = {}, 0
function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, cookie = line:match('^(%S+) ?(.*)$')
    local headers = {Host = '127.0.0.1:8080'}
    if cookie ~= '' then headers.Cookie = cookie end
    requests[#requests + 1] = wrk.format('GET', path, headers)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('figures %d %d %d %d %d\n', summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
"#;

/// Request for a page.
#[derive(Clone)]
pub struct PageRequest {
    pub path: String,
    /// Name and value of the cookie; empty for a visitor.
    pub cookie: String,
}

/// Result of a closed loop.
#[derive(Debug, Clone, Copy)]
pub struct LoadFigures {
    pub requests: f64,
    pub per_s: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
}

/// Closed loop over these pages, requested in turn.
pub struct ClosedLoop<'a> {
    pub at: SocketAddr,
    pub requests: &'a [PageRequest],
    pub connections: usize,
    pub lasting: Duration,
}

/// Returns whether `wrk` runs the closed loops.
pub fn has_wrk() -> bool {
    Command::new("wrk").arg("-v").output().is_ok()
}

impl ClosedLoop<'_> {
    /// Runs the loop. Fails if a page is not answered with 200.
    pub fn run(&self, directory: &Path) -> Outcome<LoadFigures> {
        if has_wrk() {
            self.run_wrk(directory)
        } else {
            self.run_threads()
        }
    }

    fn run_wrk(&self, directory: &Path) -> Outcome<LoadFigures> {
        let (script, list) = (
            directory.join("requests.lua"),
            directory.join("requests.txt"),
        );
        fs::write(&script, SCRIPT)?;
        let lines = self
            .requests
            .iter()
            .map(|request| format!("{} {}\n", request.path, request.cookie));
        fs::write(&list, lines.collect::<String>())?;
        let output = Command::new("wrk")
            .arg(format!("--threads={}", self.connections.min(2)))
            .arg(format!("--connections={}", self.connections))
            .arg(format!("--duration={}s", self.lasting.as_secs().max(1)))
            .arg("--latency")
            .arg("--script")
            .arg(&script)
            .arg(format!("http://{}", self.at))
            .arg(&list)
            .output()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let figures = said.lines().find_map(|line| line.strip_prefix("figures "));
        let figures: Vec<f64> = figures
            .into_iter()
            .flat_map(|line| line.split(' ').filter_map(|figure| figure.parse().ok()))
            .collect();
        let [requests, micros, failed, p50, p99] = figures[..] else {
            return Err(format!("wrk says:\n{said}").into());
        };
        if failed > 0.0 {
            return Err(format!("{failed} requests of {requests} failed:\n{said}").into());
        }
        Ok(LoadFigures {
            requests,
            per_s: requests * 1e6 / micros,
            p50_ms: p50 / 1e3,
            p99_ms: p99 / 1e3,
        })
    }

    fn run_threads(&self) -> Outcome<LoadFigures> {
        let requests: Vec<_> = self.requests.iter().map(PageRequest::request).collect();
        let latencies = run_closed_loop(self.at, &requests, self.connections, self.lasting)?;
        Ok(LoadFigures {
            requests: latencies.len() as f64,
            per_s: latencies.len() as f64 / self.lasting.as_secs_f64(),
            p50_ms: latencies.value_at_quantile(0.5) as f64 / 1e3,
            p99_ms: latencies.value_at_quantile(0.99) as f64 / 1e3,
        })
    }
}

impl PageRequest {
    pub fn request(&self) -> Vec<u8> {
        super::member::get(&self.path, &self.cookie)
    }
}

/// Runs a closed loop in this process. Returns latencies in µs.
pub fn run_closed_loop(
    at: SocketAddr,
    requests: &[Vec<u8>],
    connections: usize,
    lasting: Duration,
) -> Outcome<Histogram<u64>> {
    let end = Instant::now() + lasting;
    let one = |first: usize| -> Outcome<Histogram<u64>> {
        let mut connection = HttpConnection::open(at)?;
        let mut latencies = Histogram::new(3)?;
        for number in (first..).step_by(connections) {
            let begun = Instant::now();
            if begun >= end {
                break;
            }
            connection.expect(200, &requests[number % requests.len()])?;
            latencies.record(micros(begun.elapsed()))?;
        }
        Ok(latencies)
    };
    run_in_parallel(connections, one)
}

/// Sends each request once over some connections. Returns latencies in µs and the whole duration.
pub fn send_each_once(
    at: SocketAddr,
    requests: &[Vec<u8>],
    connections: usize,
) -> Outcome<(Histogram<u64>, Duration)> {
    let next = AtomicUsize::new(0);
    let begun = Instant::now();
    let one = |_| -> Outcome<Histogram<u64>> {
        let mut connection = HttpConnection::open(at)?;
        let mut latencies = Histogram::new(3)?;
        while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begun = Instant::now();
            connection.expect(200, request)?;
            latencies.record(micros(begun.elapsed()))?;
        }
        Ok(latencies)
    };
    let latencies = run_in_parallel(connections, one)?;
    Ok((latencies, begun.elapsed()))
}

/// Runs this many loops in parallel and merges their latencies.
pub fn run_in_parallel(
    many: usize,
    one: impl Fn(usize) -> Outcome<Histogram<u64>> + Sync,
) -> Outcome<Histogram<u64>> {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..many)
            .map(|number| {
                scope.spawn({
                    let one = &one;
                    move || one(number)
                })
            })
            .collect();
        let mut all = Histogram::new(3)?;
        for thread in threads {
            all.add(thread.join().map_err(|_| "a thread panicked")??)?;
        }
        Ok(all)
    })
}

pub fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
