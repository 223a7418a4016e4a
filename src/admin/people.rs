//! `redwing admin people` and `redwing admin show`.

use clap::Args;
use serde::Serialize;

use super::{
    Failure,
    arguments::{AccountArgs, holder},
    outcome::{plain, time},
};
use crate::{
    domain::{AccountState, Cursor, Role, UnixMs, UserId},
    output::{print_document, print_line},
    store::{AccountAccess, AccountRecord, Store},
};

/// Most accounts of one list.
const MOST: u16 = 1000;

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Number of accounts, at most 1000.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST)))]
    limit: u16,

    /// Continue a list: accounts with smaller ids than this one.
    #[arg(long, value_name = "ID")]
    before: Option<u64>,

    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

/// An account in JSON.
#[derive(Debug, Serialize)]
struct Account {
    id: u64,
    login: String,
    name: String,
    signed_up: String,
    posts: u64,
    followers: u64,
    following: u64,
    private: bool,
    limited: bool,
    role: Option<Role>,
    /// User id of the person who invited them.
    inviter: Option<u64>,
}

impl From<&AccountRecord> for Account {
    fn from(record: &AccountRecord) -> Self {
        Self {
            id: record.id.get(),
            login: record.login.to_string(),
            name: record.name.clone(),
            signed_up: time(record.signup),
            posts: record.posts,
            followers: record.followers,
            following: record.following,
            private: record.is_private,
            limited: record.is_limited,
            role: record.role,
            inviter: record.inviter.map(UserId::get),
        }
    }
}

#[derive(Debug, Serialize)]
struct List {
    people: Vec<Account>,
    /// The id for `--before` of the next list.
    next: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    account: Account,
    sessions: usize,
    last_seen: Option<String>,
    recovery_codes_unused: usize,
    post_bytes: u64,
    state: &'static str,
    suspension: Option<String>,
    frozen_until: Option<String>,
    /// The time at which a deactivated account is deleted.
    deletion: Option<String>,
}

impl Shown {
    fn new(
        record: &AccountRecord,
        access: &AccountAccess,
        (state, frozen_until): (&AccountState, Option<UnixMs>),
    ) -> Self {
        Self {
            state: name_of(state),
            suspension: match state {
                AccountState::Suspended { reason } => Some(reason.clone()),
                _ => None,
            },
            deletion: match state {
                AccountState::Deactivated { deletion } | AccountState::Refused { deletion, .. } => {
                    Some(time(*deletion))
                }
                _ => None,
            },
            frozen_until: frozen_until.map(time),
            account: record.into(),
            sessions: access.sessions,
            last_seen: access.last_seen.map(time),
            recovery_codes_unused: access.recovery_codes.map_or(0, |codes| codes.unused),
            post_bytes: access.post_bytes,
        }
    }
}

pub(super) async fn list(args: ListArgs, store: &Store) -> Result<(), Failure> {
    let before = args.before.map(Cursor::before);
    let page = store.accounts_before(before, args.limit.into()).await?;
    let people: Vec<Account> = page.items.iter().map(Account::from).collect();
    let next = page.next.map(Cursor::get);
    if args.json {
        return print_document(&List { people, next });
    }
    print_line(format_args!(
        "{:<30} {:<20} {:>8} {:>9} {:<10} name",
        "login", "signed up", "posts", "followers", "role"
    ))?;
    for person in people {
        let Account {
            login,
            name,
            signed_up,
            posts,
            followers,
            role,
            ..
        } = person;
        let role = role.map_or("", Role::as_str);
        let name = plain(&name);
        print_line(format_args!(
            "{login:<30} {signed_up:<20} {posts:>8} {followers:>9} {role:<10} {name}"
        ))?;
    }
    match next {
        Some(next) => print_line(format_args!("More: --before {next}")),
        None => Ok(()),
    }
}

pub(super) async fn show(args: AccountArgs, store: &Store) -> Result<(), Failure> {
    let id = holder(store, &args.login).await?;
    let records = store.account_records(&[id]).await?;
    let Some(record) = records.first() else {
        return Err(format!("the account of {} is incomplete", args.login).into());
    };
    let (access, user, case, now) = tokio::try_join!(
        store.account_access(id),
        store.user(id),
        store.case(id),
        store.now()
    )?;
    let state = user.map_or(AccountState::BeingDeleted, |user| user.state.clone());
    let frozen_until = case.standing_measures(now).frozen_until;
    let shown = serde_json::to_value(Shown::new(record, &access, (&state, frozen_until)))?;
    if args.json {
        return print_document(&shown);
    }
    for (field, value) in shown.as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), plain);
        print_line(format_args!("{:<22} {text}", field.replace('_', " ")))?;
    }
    Ok(())
}

/// Returns the name of the state of an account.
pub(super) fn name_of(state: &AccountState) -> &'static str {
    match state {
        AccountState::Active => "active",
        AccountState::Deactivated { .. } => "deactivated",
        AccountState::Suspended { .. } => "suspended",
        AccountState::Waiting { .. } => "waiting",
        AccountState::Refused { .. } => "refused",
        AccountState::BeingDeleted => "being_deleted",
    }
}
