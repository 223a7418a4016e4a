//! `redwing admin reports`, `invitations`, `groups` and `stats`: the lists of the administration.

use clap::Args;
use jiff::civil::date;
use serde::Serialize;

use super::{Failure, holder, people::time, stored_login};
use crate::{
    actions::invitations::invite_for_host,
    domain::{Cursor, Login, SecretLink, UserId},
    store::{MakeOutcome, QueueOf, Store},
    web::routes,
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
pub(super) struct InvitationsArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    /// Make another invitation of this person.
    #[arg(long)]
    make: bool,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct GroupsArgs {
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

/// A row of a list, with the same for a reader.
pub(super) trait Row: Serialize {
    fn line(&self) -> String;
}

#[derive(Debug, Serialize)]
pub(super) struct List<T> {
    pub(super) rows: Vec<T>,
    /// The number for `--before` of the next list.
    pub(super) next: Option<u64>,
}

impl<T: Row> List<T> {
    pub(super) fn print(&self, json: bool) -> Result<(), Failure> {
        if json {
            println!("{}", serde_json::to_string_pretty(self)?);
            return Ok(());
        }
        for row in &self.rows {
            println!("{}", row.line());
        }
        if let Some(next) = self.next {
            println!("More: --before {next}");
        }
        Ok(())
    }
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
struct InvitationRow {
    link: String,
    end: String,
}

impl Row for InvitationRow {
    fn line(&self) -> String {
        format!("{}  until {}", self.link, self.end)
    }
}

pub(super) async fn invitations(args: InvitationsArgs, store: &Store) -> Result<(), Failure> {
    let InvitationsArgs { login, make, json } = args;
    let person = holder(store, &login).await?;
    if make {
        make_invitation(store, (person, &login)).await?;
    }
    let mut rows = Vec::new();
    for invitation in store.invitations(person).await? {
        let link = address(store, &invitation.link)?;
        let end = time(invitation.end);
        rows.push(InvitationRow { link, end });
    }
    List { rows, next: None }.print(json)
}

async fn make_invitation(store: &Store, (person, login): (UserId, &Login)) -> Result<(), Failure> {
    match invite_for_host(store, person).await? {
        MakeOutcome::Made => Ok(()),
        MakeOutcome::TooMany => Err(format!("@{login} has too many unused invitations").into()),
        MakeOutcome::TooYoung => Err(format!("the account of @{login} is too young").into()),
    }
}

fn address(store: &Store, link: &SecretLink) -> Result<String, Failure> {
    let path = routes::invitation(link);
    Ok(store.config().public_url.join(&path)?.to_string())
}

#[derive(Debug, Serialize)]
struct GroupRow {
    id: u64,
    slug: String,
    name: String,
    members: u64,
    requests: u64,
    founded: String,
}

impl Row for GroupRow {
    fn line(&self) -> String {
        let Self {
            founded,
            members,
            slug,
            name,
            ..
        } = self;
        format!("{founded}  {members:>6} members  {slug}: {name}")
    }
}

pub(super) async fn groups(args: GroupsArgs, store: &Store) -> Result<(), Failure> {
    let page = store.listed_groups(args.before.map(Cursor::before)).await?;
    let rows = page.items.iter().map(|group| GroupRow {
        id: group.id.get(),
        slug: group.slug.to_string(),
        name: group.name.clone(),
        members: group.members,
        requests: group.requests,
        founded: time(group.founded),
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
