//! `redwing admin invitations`: the unused invitations of a person.

use clap::Args;
use serde::Serialize;

use super::{
    Failure,
    arguments::{holder, stored_login},
    outcome::{Done, List, Row, time},
};
use crate::{
    actions::invitations::{invite_for_host, revoke_for_host},
    domain::{Login, SecretCode, SecretLink, UserId},
    store::{MakeOutcome, RevokeOutcome, Store},
    web::routes,
};

#[derive(Debug, Args)]
pub(super) struct InvitationsArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    /// Make another invitation of this person.
    #[arg(long, conflicts_with = "revoke")]
    make: bool,

    /// Revoke the unused invitation with this code or link.
    #[arg(long, value_name = "CODE", value_parser = parse_code)]
    revoke: Option<SecretCode>,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
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

pub(super) async fn run(args: InvitationsArgs, store: &Store) -> Result<(), Failure> {
    let InvitationsArgs {
        login,
        make,
        revoke,
        json,
    } = args;
    let person = holder(store, &login).await?;
    if make {
        make_invitation(store, (person, &login)).await?;
    }
    if let Some(code) = revoke {
        revoke_invitation(store, (person, &login), &code).await?;
        let line = format!("The invitation of @{login} is revoked. Its link admits no one.");
        return Done::of_account("revoke", (person, &login), vec![line]).print(json);
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

/// Revokes an unused invitation. One that was revoked already stays so.
async fn revoke_invitation(
    store: &Store,
    (person, login): (UserId, &Login),
    code: &SecretCode,
) -> Result<(), Failure> {
    if store.was_invitation_revoked(person, code).await? {
        return Ok(());
    }
    let unused = store.invitations(person).await?;
    let is_unused = unused.iter().any(|one| one.link.code == *code);
    if is_unused && revoke_for_host(store, person, code).await? == RevokeOutcome::Revoked {
        return Ok(());
    }
    Err(format!("@{login} has no such unused invitation").into())
}

/// Parses the code of an invitation, or its link, which ends with the id of the inviter and the code.
fn parse_code(text: &str) -> Result<SecretCode, &'static str> {
    let end = text.rsplit('/').next().unwrap_or_default();
    let of_link = SecretLink::parse(end).map(|link| link.code);
    let code = SecretCode::parse(end).or(of_link);
    code.ok_or("not the code or the link of an invitation")
}
