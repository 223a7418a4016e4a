//! `redwing admin suspend`, `redwing admin restore`, `redwing admin vouch` and `redwing admin delete`.

use clap::Args;

use super::{Done, Failure, holder, stored_login};
use crate::{
    actions::administration::{delete, restore, suspend, vouch},
    domain::{AccountState, ActingPerson, Login, SuspensionReason},
    store::{ChangeOutcome, DecideOutcome, Store},
};

/// A measure against a person, with its reason.
#[derive(Debug, Args)]
pub(super) struct MeasureArgs {
    #[arg(value_parser = stored_login)]
    pub(super) login: Login,

    /// The reason, at most 500 characters. The person reads it.
    #[arg(long, value_parser = parse_reason, value_name = "TEXT")]
    pub(super) reason: SuspensionReason,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct VouchArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct DeleteArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    /// Confirms the deletion. It cannot be undone.
    #[arg(long, required = true)]
    now: bool,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

pub(super) async fn suspend_account(args: MeasureArgs, store: &Store) -> Result<(), Failure> {
    let MeasureArgs {
        login,
        reason,
        json,
    } = args;
    let person = holder(store, &login).await?;
    let decided = suspend(store, ActingPerson::Host, person, &reason).await?;
    check_decided(decided, &login)?;
    let mut lines = vec![
        format!("@{login} is suspended. The person can log in to read the reason."),
        format!("To end it: redwing admin restore {login}"),
    ];
    let branch = store.invited_branch(person).await?;
    let free = branch.people.iter().filter(|one| one.is_free);
    let invited: Vec<String> = free.map(|one| one.account.login.to_string()).collect();
    if !invited.is_empty() {
        let people = invited.join(", ");
        lines.push(format!("@{login} invited, directly or not: {people}"));
        lines.push(
            "To freeze one of them: redwing admin freeze LOGIN --days N --reason TEXT".into(),
        );
    }
    Done {
        invited: Some(invited),
        ..Done::new("suspend", person, &login, lines)
    }
    .print(json)
}

pub(super) async fn restore_account(args: RestoreArgs, store: &Store) -> Result<(), Failure> {
    let RestoreArgs { login, json } = args;
    let person = holder(store, &login).await?;
    let user = store.user(person).await?;
    let is_suspended = |state| matches!(state, AccountState::Suspended { .. });
    if !user.is_some_and(|user| is_suspended(user.state)) {
        return Err(format!("@{login} is not suspended").into());
    }
    check(restore(store, ActingPerson::Host, person).await?, &login)?;
    let lines = vec![format!("@{login} is no longer suspended.")];
    Done::new("restore", person, &login, lines).print(json)
}

pub(super) async fn vouch_for_newcomer(args: VouchArgs, store: &Store) -> Result<(), Failure> {
    let VouchArgs { login, json } = args;
    let person = holder(store, &login).await?;
    if !vouch(store, ActingPerson::Host, person).await? {
        return Err(format!("@{login} has no limits of a new account").into());
    }
    let lines = vec![format!("@{login} has no limits of a new account any more.")];
    Done::new("vouch", person, &login, lines).print(json)
}

pub(super) async fn delete_account(args: DeleteArgs, store: &Store) -> Result<(), Failure> {
    let DeleteArgs {
        login,
        now: _,
        json,
    } = args;
    let person = holder(store, &login).await?;
    let user = store.user(person).await?;
    if user.is_none_or(|user| user.state == AccountState::BeingDeleted) {
        return Err(format!("@{login} is deleted already, or is being deleted").into());
    }
    check(delete(store, ActingPerson::Host, person).await?, &login)?;
    let lines = vec![
        format!("@{login} is hidden, and the data is being deleted. The login stays reserved."),
        "The workers of the site do the rest. To see what is left: redwing check".to_owned(),
    ];
    Done::new("delete", person, &login, lines).print(json)
}

pub(super) fn check_decided(outcome: DecideOutcome, login: &Login) -> Result<(), Failure> {
    match outcome {
        DecideOutcome::Decided => Ok(()),
        DecideOutcome::Unknown => check(ChangeOutcome::Unknown, login),
        DecideOutcome::Full => Err(format!("there are too many decisions about @{login}").into()),
        DecideOutcome::Refused | DecideOutcome::Claimed | DecideOutcome::Outdated => {
            Err(format!("@{login} is in that state already, or is being deleted").into())
        }
    }
}

fn check(outcome: ChangeOutcome, login: &Login) -> Result<(), Failure> {
    match outcome {
        ChangeOutcome::Changed => Ok(()),
        ChangeOutcome::Refused => Err(format!("@{login} is being deleted").into()),
        ChangeOutcome::Unknown => Err(format!("the account of {login} is incomplete").into()),
    }
}

fn parse_reason(text: &str) -> Result<SuspensionReason, String> {
    match SuspensionReason::parse(text) {
        Ok(Some(reason)) => Ok(reason),
        Ok(None) => Err("give a reason".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
