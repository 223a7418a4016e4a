//! The processor time of pages, in multiples of the time of a fixed response. Ratios differ less
//! between machines than times do. The figures are compared with `benches/processor.md` and printed.

use std::{collections::HashMap, ffi::OsString, fmt::Write as _, fs, path::Path};

use super::{is_to_be_written, print_uncaptured};
use crate::support::{
    Person,
    process::{Home, ORIGIN, Process},
    request::client,
};

const FILE: &str = "benches/processor.md";
const HEAD: &str = "\
# Processor time of pages

In multiples of the time of `/robots.txt`, without the time of Redis, on the build of `make test` (profile
`all-tests`). Written by the test `costs::processor`. `make test` prints each new figure beside the one in this table.

| page | times |
|---|---|
";
const FIXED: &str = "/robots.txt";
/// Number of requests per page and round. The minimum over all rounds counts, because other
/// processes take time away.
const ASKED: usize = 30;
const ROUNDS: usize = 25;

#[tokio::test]
async fn changed_processor_times_of_pages_are_reported() {
    let home = Home::new();
    let site = home.serve(&[]);
    let reader = site.sign_up("reader").await;
    for login in ["author", "writer"] {
        let author = site.sign_up(login).await;
        reader.follow(login).await;
        for number in 0..16 {
            author.post(&format!("number {number} of {login}")).await;
        }
    }
    let visitor = Person::at(client(), &site.base, ORIGIN);
    let newest = reader.open("/@author").await.status_ids()[0];
    let permalink = format!("/@author/{newest}");
    let pages = [
        ("home", &reader, "/"),
        ("profile", &reader, "/@author"),
        ("permalink", &reader, &permalink),
        ("landing", &visitor, "/"),
    ];
    let (mut least_fixed, mut least) = (f64::MAX, pages.map(|_| f64::MAX));
    for _ in 0..ROUNDS {
        least_fixed = least_fixed.min(taken(&site, &visitor, FIXED).await);
        for (least, (_, who, path)) in least.iter_mut().zip(pages) {
            *least = least.min(taken(&site, who, path).await);
        }
    }
    let figures = pages.iter().zip(least);
    let figures: Vec<(&str, f64)> = figures
        .map(|((label, _, _), least)| (*label, least / least_fixed))
        .collect();
    report_changes(&figures);
}

/// Returns the processor time for this many answers, in nanoseconds.
async fn taken(site: &Process, who: &Person, path: &str) -> f64 {
    let before = on_processor(site);
    for _ in 0..ASKED {
        assert_eq!(who.get(path).await.status, 200, "{path}");
    }
    let taken: u64 = on_processor(site)
        .into_iter()
        .map(|(thread, now)| now - before.get(&thread).copied().unwrap_or_default())
        .sum();
    assert!(
        taken > 0,
        "the system reports the processor time of threads"
    );
    taken as f64
}

/// Returns the processor time of each thread of the process, in nanoseconds.
fn on_processor(process: &Process) -> HashMap<OsString, u64> {
    let threads = fs::read_dir(format!("/proc/{}/task", process.id())).expect("it runs");
    let threads = threads.filter_map(|thread| {
        let thread = thread.ok()?;
        let report = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        Some((thread.file_name(), report.split(' ').next()?.parse().ok()?))
    });
    threads.collect()
}

/// Prints each figure beside the committed one.
fn report_changes(figures: &[(&str, f64)]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if is_to_be_written() {
        let mut table = HEAD.to_owned();
        for (label, times) in figures {
            let _ = writeln!(table, "| {label} | {times:.1} |");
        }
        fs::write(&file, table).expect("the file can be written");
        return;
    }
    let table = fs::read_to_string(&file).expect("the file is committed");
    let mut report = String::new();
    for (label, now) in figures {
        let row = format!("| {label} | ");
        let before = table.lines().find_map(|line| line.strip_prefix(&row));
        let before = before.and_then(|rest| rest.strip_suffix(" |")?.parse::<f64>().ok());
        let Some(before) = before else {
            panic!("{FILE} has no row {label}: REDWING_COSTS=write rewrites it");
        };
        let percent = (now / before - 1.0) * 100.0;
        let _ = writeln!(
            report,
            "cost: {label}: {now:.1} times the processor time of a fixed answer, committed {before:.1} ({percent:+.0} %)"
        );
    }
    print_uncaptured(&report);
}
