//! `redwing admin`: the commands for the people who run a site. Each is a variant of [`Act`] and a module or
//! function here. Results go to standard output. The commands call the actions of the web, as [`ActingPerson::Host`].

mod accounts;
mod approvals;
mod arguments;
mod case;
mod decide;
mod endings;
mod groups;
mod invitations;
mod lists;
mod log;
mod measures;
mod outcome;
mod people;
mod posts;
mod site;
mod waiting;

use std::error::Error;

use clap::{Args, Subcommand};

use self::{
    arguments::{AccountArgs, holder},
    outcome::Done,
};
use crate::{
    actions::{
        administration::{make_link, set_role},
        passwords::Hasher,
        recovery::disable_password,
    },
    domain::{ActingPerson, Role, SecretLink},
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
    Reset(ResetArgs),
    /// List accounts, newest first.
    People(people::ListArgs),
    /// Show one account.
    Show(AccountArgs),
    /// Give a person a role, or take it from them.
    Role(RoleArgs),
    /// List reported people, or people who appeal.
    Reports(lists::ReportsArgs),
    /// Show the reports about a person with the reported texts, and the decisions about the person.
    Case(case::CaseArgs),
    /// Close the reports of a case: no rule was broken. Posts that wait are shown.
    Dismiss(measures::DismissArgs),
    /// Leave a note in the case of a person. The person does not read it.
    Note(measures::NoteArgs),
    /// Warn a person.
    Warn(measures::MeasureArgs),
    /// Suspend an account. It is hidden and logged out. The person can log in to read the reason, to appeal, and to
    /// download or delete the account. A suspended account can be suspended again for another reason.
    Suspend(measures::MeasureArgs),
    /// End the suspension of an account.
    Restore(AccountArgs),
    /// Limit an account: only followers see what its person writes.
    Limit(measures::MeasureArgs),
    /// Freeze an account: its person reads and cannot write.
    Freeze(measures::FreezeArgs),
    /// Take a limit or a freeze back.
    Lift(endings::LiftArgs),
    /// Take a decision back: a limit, a freeze or a suspension at any time, others for 30 days.
    Undo(endings::UndoArgs),
    /// Answer the appeal of a person.
    Answer(endings::AnswerArgs),
    /// Hide a post from everybody but its author. It need not have been reported.
    HidePost(posts::HideArgs),
    /// Show a hidden post again.
    ShowPost(posts::ShowPostArgs),
    /// Show a post behind a warning.
    AddWarning(posts::WarningArgs),
    /// List the posts that wait for a moderator, or decide about one.
    Waiting(waiting::WaitingArgs),
    /// Vouch for a newcomer, which ends the limits of a new account.
    Vouch(AccountArgs),
    /// Delete an account. This cannot be undone.
    Delete(accounts::DeleteArgs),
    /// List the acts of the people who run the site, newest first.
    Log(log::LogArgs),
    /// List the requests to join that wait, longest first, or answer one.
    Approvals(approvals::ApprovalsArgs),
    /// List the unused invitations of a person, make one, or revoke one.
    Invitations(invitations::InvitationsArgs),
    /// List the groups of the directory, most active first.
    Groups(groups::GroupsArgs),
    /// Delete a group. This cannot be undone.
    DeleteGroup(groups::DeleteArgs),
    /// Show the settings of the site, or change some. A file `-` is the standard input. An empty text removes one.
    Site(Box<site::SiteArgs>),
    /// Print the numbers of the last 30 days.
    Stats(lists::PlainArgs),
}

#[derive(Debug, Args)]
struct ResetArgs {
    #[command(flatten)]
    account: AccountArgs,

    /// Also end all sessions now, and make the password and the recovery codes unusable. Without this option they work
    /// until the person uses the link.
    #[arg(long)]
    disable_password: bool,
}

#[derive(Debug, Args)]
struct RoleArgs {
    #[command(flatten)]
    account: AccountArgs,
    role: RoleOrNone,
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
        Act::Reset(args) => reset(args, store).await,
        Act::People(args) => people::list(args, store).await,
        Act::Show(args) => people::show(args, store).await,
        Act::Role(args) => give_role(args, store).await,
        Act::Reports(args) => lists::reports(args, store).await,
        Act::Case(args) => case::show(args, store).await,
        Act::Dismiss(args) => measures::dismiss(args, store).await,
        Act::Note(args) => measures::note(args, store).await,
        Act::Warn(args) => measures::warn(args, store).await,
        Act::Suspend(args) => measures::suspend(args, store).await,
        Act::Restore(args) => accounts::restore_account(args, store).await,
        Act::Limit(args) => measures::limit(args, store).await,
        Act::Freeze(args) => measures::freeze(args, store).await,
        Act::Lift(args) => endings::lift(args, store).await,
        Act::Undo(args) => endings::undo(args, store).await,
        Act::Answer(args) => endings::answer(args, store).await,
        Act::HidePost(args) => posts::hide(args, store).await,
        Act::ShowPost(args) => posts::show(args, store).await,
        Act::AddWarning(args) => posts::add_warning(args, store).await,
        Act::Waiting(args) => waiting::run(args, store).await,
        Act::Vouch(args) => accounts::vouch_for_newcomer(args, store).await,
        Act::Delete(args) => accounts::delete_account(args, store).await,
        Act::Log(args) => log::list(args, store).await,
        Act::Approvals(args) => approvals::run(args, store).await,
        Act::Invitations(args) => invitations::run(args, store).await,
        Act::Groups(args) => groups::list(args, store).await,
        Act::DeleteGroup(args) => groups::delete(args, store).await,
        Act::Site(args) => site::run(*args, store).await,
        Act::Stats(args) => lists::stats(args, store).await,
    }
}

async fn reset(args: ResetArgs, store: &Store) -> Result<(), Failure> {
    let AccountArgs { login, json } = args.account;
    let user = holder(store, &login).await?;
    if args.disable_password {
        let hasher = Hasher::new(store.config().limits.hash_memory_bytes, 1, 1);
        if !disable_password(store, &hasher, user).await? {
            return Err("another link was made at the same time. Run the command again".into());
        }
    }
    let link = make_link(store, ActingPerson::Host, user).await?;
    let address = store.config().public_url.join(&routes::reset(&link))?;
    let minutes = SecretLink::RESET_MS / 60_000;
    let mut lines = vec![
        address.to_string(),
        format!(
            "This link sets the password of @{login}. It works once, within {minutes} minutes."
        ),
    ];
    if args.disable_password {
        lines.push("The old password and recovery codes do not work any more.".to_owned());
    }
    let done = Done::of_account("reset", (user, &login), lines);
    done.with("link", String::from(address)).print(json)
}

async fn give_role(args: RoleArgs, store: &Store) -> Result<(), Failure> {
    let AccountArgs { login, json } = args.account;
    let role: Option<Role> = args.role.into();
    let user = holder(store, &login).await?;
    set_role(store, ActingPerson::Host, user, role).await?;
    let line = match role {
        Some(role) => format!("@{login} is {role}."),
        None => format!("@{login} has no role."),
    };
    let done = Done::of_account("role", (user, &login), vec![line]);
    match role {
        Some(role) => done.with("role", role.as_str()).print(json),
        None => done.print(json),
    }
}
