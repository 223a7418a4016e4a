//! `redwing admin log`.

use clap::Args;
use serde::Serialize;

use super::{
    Failure,
    outcome::{plain, time},
};
use crate::{
    domain::{Act, Cursor},
    output::{print_document, print_line},
    store::{ActRecord, Store},
};

/// Most entries of one list.
const MOST: i64 = 1000;

#[derive(Debug, Args)]
pub(super) struct LogArgs {
    /// Number of acts, at most 1000.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=MOST))]
    limit: u16,

    /// Continue a list: acts before this time (µs).
    #[arg(long, value_name = "TIME")]
    before: Option<u64>,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    at: String,
    by: &'a str,
    act: &'a Act,
    words: String,
}

#[derive(Debug, Serialize)]
struct List<'a> {
    acts: Vec<Entry<'a>>,
    /// The time for `--before` of the next list.
    next: Option<u64>,
}

pub(super) async fn list(args: LogArgs, store: &Store) -> Result<(), Failure> {
    let before = args.before.map(Cursor::before);
    let page = store.acts_before(before, args.limit.into()).await?;
    let entry = |record: &'_ ActRecord| (time(record.at()), record.words());
    let next = page.next.map(Cursor::get);
    if args.json {
        let entries = page.items.iter().map(|record| {
            let (at, words) = entry(record);
            let (by, act) = (record.by.as_str(), &record.act);
            Entry { at, by, act, words }
        });
        let acts = entries.collect();
        return print_document(&List { acts, next });
    }
    for record in &page.items {
        let (at, words) = entry(record);
        print_line(format_args!("{at}  {}", plain(&words)))?;
    }
    match next {
        Some(next) => print_line(format_args!("More: --before {next}")),
        None => Ok(()),
    }
}
