//! `redwing admin reports` and `stats`: lists of the administration.

use clap::Args;
use jiff::civil::date;
use serde::Serialize;

use super::{
    Failure,
    outcome::{List, Row, time},
};
use crate::{
    domain::Cursor,
    store::{QueueOf, Store},
};

#[derive(Debug, Args)]
pub(super) struct ReportsArgs {
    /// List appeals instead of reports.
    #[arg(long)]
    appeals: bool,

    /// Continue a list: its number for the next one.
    #[arg(long, value_name = "NUMBER")]
    before: Option<u64>,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct PlainArgs {
    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ReportedPerson {
    login: String,
    open_reports: u64,
    at: String,
    /// User id of the moderator who claimed the case last.
    claimed_by: Option<u64>,
}

impl Row for ReportedPerson {
    fn line(&self) -> String {
        let Self {
            login,
            open_reports,
            at,
            ..
        } = self;
        format!("{at}  {open_reports:>4} open  @{login}")
    }
}

pub(super) async fn reports(args: ReportsArgs, store: &Store) -> Result<(), Failure> {
    let of = match args.appeals {
        true => QueueOf::Appeals,
        false => QueueOf::Reports,
    };
    let page = store
        .queue_page(of, args.before.map(Cursor::before))
        .await?;
    let rows = page.items.iter().map(|entry| ReportedPerson {
        login: entry.person.login.to_string(),
        open_reports: entry.report_count,
        at: time(entry.at),
        claimed_by: entry.claim.map(|(by, _)| by.get()),
    });
    let rows = rows.collect();
    let next = page.next.map(Cursor::get);
    List { rows, next }.print(args.json)
}

#[derive(Debug, Serialize)]
struct DayRow {
    day: String,
    people: u64,
    active: u64,
    posts: u64,
    deliveries: u64,
    /// Largest number of waiting tasks.
    waiting_tasks: u64,
    memory_percent: u64,
    disk_percent: u64,
}

impl Row for DayRow {
    fn line(&self) -> String {
        let Self {
            day,
            people,
            active,
            posts,
            ..
        } = self;
        format!("{day}  {people:>8} people  {active:>8} active  {posts:>8} posts")
    }
}

pub(super) async fn stats(args: PlainArgs, store: &Store) -> Result<(), Failure> {
    let days = store.site_days().await?;
    let rows = days.iter().map(|one| DayRow {
        day: day(one.day),
        people: one.people,
        active: one.active,
        posts: one.posts,
        deliveries: one.deliveries,
        waiting_tasks: one.queue,
        memory_percent: one.memory,
        disk_percent: one.disk,
    });
    let rows = rows.collect();
    List { rows, next: None }.print(args.json)
}

/// Returns the date of a day since 1970.
fn day(number: u64) -> String {
    let days = i64::try_from(number).unwrap_or_default();
    let span = jiff::Span::new().try_days(days).unwrap_or_default();
    date(1970, 1, 1).saturating_add(span).to_string()
}
