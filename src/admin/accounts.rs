//! `redwing admin restore`, `redwing admin vouch` and `redwing admin delete`.

use clap::Args;

use super::{
    Failure,
    arguments::{AccountArgs, holder},
    outcome::Done,
};
use crate::{
    actions::administration::{delete, restore, vouch},
    domain::{AccountState, ActingPerson, Login},
    store::{ChangeOutcome, Store},
};

#[derive(Debug, Args)]
pub(super) struct DeleteArgs {
    #[command(flatten)]
    account: AccountArgs,

    /// Confirms the deletion. It cannot be undone.
    #[arg(long, required = true)]
    now: bool,
}

pub(super) async fn restore_account(args: AccountArgs, store: &Store) -> Result<(), Failure> {
    let AccountArgs { login, json } = args;
    let person = holder(store, &login).await?;
    let user = store.user(person).await?;
    let is_suspended = |state| matches!(state, AccountState::Suspended { .. });
    if !user.is_some_and(|user| is_suspended(user.state)) {
        return Err(format!("@{login} is not suspended").into());
    }
    check(restore(store, ActingPerson::Host, person).await?, &login)?;
    let lines = vec![format!("@{login} is no longer suspended.")];
    Done::of_account("restore", (person, &login), lines).print(json)
}

pub(super) async fn vouch_for_newcomer(args: AccountArgs, store: &Store) -> Result<(), Failure> {
    let AccountArgs { login, json } = args;
    let person = holder(store, &login).await?;
    if !vouch(store, ActingPerson::Host, person).await? {
        return Err(format!("@{login} has no limits of a new account").into());
    }
    let lines = vec![format!("@{login} has no limits of a new account any more.")];
    Done::of_account("vouch", (person, &login), lines).print(json)
}

pub(super) async fn delete_account(args: DeleteArgs, store: &Store) -> Result<(), Failure> {
    let AccountArgs { login, json } = args.account;
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
    Done::of_account("delete", (person, &login), lines).print(json)
}

fn check(outcome: ChangeOutcome, login: &Login) -> Result<(), Failure> {
    match outcome {
        ChangeOutcome::Changed => Ok(()),
        ChangeOutcome::Refused => Err(format!("@{login} is being deleted").into()),
        ChangeOutcome::Unknown => Err(format!("the account of {login} is incomplete").into()),
    }
}
