//! `redwing admin`: the commands for the people who run a site. Each is a variant of [`Act`] and a module or
//! function here. Results go to standard output.

mod accounts;
mod approvals;
mod lists;
mod log;
mod measures;
mod people;
mod site;

use std::error::Error;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::{
    actions::administration::{make_link, set_role},
    domain::{ActingPerson, Login, Role, SecretLink, UserId},
    store::Store,
    web::routes,
};

pub(crate) type Failure = Box<dyn Error + Send + Sync>;

#[derive(Debug, Args)]
pub struct AdminArgs {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Print a link with which a person sets a new password. It works once, for an hour, and logs them out
    /// everywhere.
    Reset {
        #[arg(value_parser = stored_login)]
        login: Login,

        /// Print one JSON document instead of lines.
        #[arg(long)]
        json: bool,
    },
    /// List accounts, newest first.
    People(people::ListArgs),
    /// Show one account.
    Show(people::ShowArgs),
    /// Give a person a role, or take it from them.
    Role {
        #[arg(value_parser = stored_login)]
        login: Login,
        role: RoleOrNone,

        /// Print one JSON document instead of lines.
        #[arg(long)]
        json: bool,
    },
    /// Suspend an account: its person reads the reason and reaches nothing else, and no one else finds it.
    Suspend(accounts::MeasureArgs),
    /// End the suspension of an account.
    Restore(accounts::RestoreArgs),
    /// Limit an account: only followers see what its person writes.
    Limit(accounts::MeasureArgs),
    /// Freeze an account: its person reads and cannot write.
    Freeze(measures::FreezeArgs),
    /// Take a limit or a freeze back.
    Lift(measures::LiftArgs),
    /// Vouch for a newcomer, which ends the limits of a new account.
    Vouch(accounts::VouchArgs),
    /// Delete an account. This cannot be undone.
    Delete(accounts::DeleteArgs),
    /// List the acts of the people who run the site, newest first.
    Log(log::LogArgs),
    /// List reported people, or people who appeal.
    Reports(lists::ReportsArgs),
    /// List the requests to join that wait, longest first, or answer one.
    Approvals(approvals::ApprovalsArgs),
    /// List the unused invitations of a person, or make one.
    Invitations(lists::InvitationsArgs),
    /// List the groups of the directory, most active first.
    Groups(lists::GroupsArgs),
    /// Show the settings of the site, or change some. A file `-` is the standard input. An empty text removes one.
    Site(Box<site::SiteArgs>),
    /// Print the numbers of the last 30 days.
    Stats(lists::PlainArgs),
}

/// A role, or the word for none.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum RoleOrNone {
    Owner,
    Moderator,
    Welcomer,
    None,
}

impl From<RoleOrNone> for Option<Role> {
    fn from(role: RoleOrNone) -> Self {
        match role {
            RoleOrNone::Owner => Some(Role::Owner),
            RoleOrNone::Moderator => Some(Role::Moderator),
            RoleOrNone::Welcomer => Some(Role::Welcomer),
            RoleOrNone::None => None,
        }
    }
}

/// Runs a command. An error is worded for the operator.
pub(crate) async fn run(args: AdminArgs, store: &Store) -> Result<(), Failure> {
    match args.act {
        Act::Reset { login, json } => reset(store, &login).await?.print(json),
        Act::People(args) => people::list(args, store).await,
        Act::Show(args) => people::show(args, store).await,
        Act::Role { login, role, json } => {
            let done = give_role(store, &login, role.into()).await?;
            done.print(json)
        }
        Act::Suspend(args) => accounts::suspend_account(args, store).await,
        Act::Restore(args) => accounts::restore_account(args, store).await,
        Act::Vouch(args) => accounts::vouch_for_newcomer(args, store).await,
        Act::Delete(args) => accounts::delete_account(args, store).await,
        Act::Limit(args) => measures::limit(args, store).await,
        Act::Freeze(args) => measures::freeze(args, store).await,
        Act::Lift(args) => measures::lift(args, store).await,
        Act::Log(args) => log::list(args, store).await,
        Act::Reports(args) => lists::reports(args, store).await,
        Act::Approvals(args) => approvals::run(args, store).await,
        Act::Invitations(args) => lists::invitations(args, store).await,
        Act::Groups(args) => lists::groups(args, store).await,
        Act::Site(args) => site::run(*args, store).await,
        Act::Stats(args) => lists::stats(args, store).await,
    }
}

/// The outcome of a command about one account.
#[derive(Debug, Serialize)]
struct Done {
    id: u64,
    login: String,
    /// The word of the command.
    did: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    /// The people below a suspended person in the tree of invitations whose accounts are not frozen or suspended.
    #[serde(skip_serializing_if = "Option::is_none")]
    invited: Option<Vec<String>>,
    /// The same for a reader.
    #[serde(skip)]
    lines: Vec<String>,
}

impl Done {
    fn new(did: &'static str, id: UserId, login: &Login, lines: Vec<String>) -> Self {
        Self {
            id: id.get(),
            login: login.to_string(),
            did,
            link: None,
            role: None,
            invited: None,
            lines,
        }
    }

    /// Prints the document, or the lines for a reader.
    fn print(&self, json: bool) -> Result<(), Failure> {
        if json {
            println!("{}", serde_json::to_string_pretty(self)?);
            return Ok(());
        }
        for line in &self.lines {
            println!("{line}");
        }
        Ok(())
    }
}

async fn reset(store: &Store, login: &Login) -> Result<Done, Failure> {
    let user = holder(store, login).await?;
    let link = make_link(store, ActingPerson::Host, user).await?;
    let address = store.config().public_url.join(&routes::reset(&link))?;
    let minutes = SecretLink::RESET_MS / 60_000;
    let lines = vec![
        address.to_string(),
        format!(
            "This link sets the password of @{login}. It works once, within {minutes} minutes."
        ),
    ];
    Ok(Done {
        link: Some(address.into()),
        ..Done::new("reset", user, login, lines)
    })
}

async fn give_role(store: &Store, login: &Login, role: Option<Role>) -> Result<Done, Failure> {
    let user = holder(store, login).await?;
    set_role(store, ActingPerson::Host, user, role).await?;
    let line = match role {
        Some(role) => format!("@{login} is {role}."),
        None => format!("@{login} has no role."),
    };
    Ok(Done {
        role,
        ..Done::new("role", user, login, vec![line])
    })
}

/// Returns the person with this login.
async fn holder(store: &Store, login: &Login) -> Result<UserId, Failure> {
    let holder = store.holder(login).await?;
    holder.ok_or_else(|| format!("no one has the login {login}").into())
}

fn stored_login(text: &str) -> Result<Login, &'static str> {
    Login::stored(Login::typed(text)).ok_or("not a login")
}
