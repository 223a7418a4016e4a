//! `redwing admin approvals`: the requests to join, and the answers to them.

use clap::Args;
use serde::Serialize;

use super::{
    Failure,
    arguments::{holder, stored_login},
    outcome::{Done, List, Row, quote, time},
};
use crate::{
    actions::approvals::{Decision, answer_all},
    domain::{ActingPerson, Answer, Login, RefusalReason},
    store::Store,
};

/// Maximum number of requests to join in one list.
const MAX_APPLICANTS: usize = 1000;

#[derive(Debug, Args)]
pub(super) struct ApprovalsArgs {
    /// Let the person with this login in.
    #[arg(long, value_name = "LOGIN", value_parser = stored_login, conflicts_with = "refuse")]
    accept: Option<Login>,

    /// Refuse the request of the person with this login.
    #[arg(long, value_name = "LOGIN", value_parser = stored_login)]
    refuse: Option<Login>,

    /// The reason of a refusal, at most 300 characters. The person reads it.
    #[arg(long, value_name = "TEXT", value_parser = parse_reason, requires = "refuse")]
    reason: Option<RefusalReason>,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ApplicantRow {
    id: u64,
    login: String,
    name: String,
    asked: String,
    answer: String,
}

impl Row for ApplicantRow {
    fn line(&self) -> String {
        let answer = quote(&self.answer).join("\n");
        format!("{}  @{}\n{answer}", self.asked, self.login)
    }
}

pub(super) async fn run(args: ApprovalsArgs, store: &Store) -> Result<(), Failure> {
    let ApprovalsArgs {
        accept,
        refuse,
        reason,
        json,
    } = args;
    let (login, answer) = match (accept, refuse) {
        (Some(login), _) => (login, Answer::Accept),
        (None, Some(login)) => (login, Answer::Refuse),
        (None, None) => return list(store, json).await,
    };
    let person = holder(store, &login).await?;
    let decision = Decision { answer, reason };
    if answer_all(store, ActingPerson::Host, &[person], &decision).await? == 0 {
        return Err(format!("@{login} has no request to join that waits").into());
    }
    let (did, line) = match answer {
        Answer::Accept => ("accept", format!("@{login} is a member now.")),
        Answer::Refuse => ("refuse", format!("The request of @{login} is refused.")),
    };
    Done::of_account(did, (person, &login), vec![line]).print(json)
}

async fn list(store: &Store, json: bool) -> Result<(), Failure> {
    let page = store.applicants_after(None, MAX_APPLICANTS).await?;
    let rows = page.items.iter().map(|one| ApplicantRow {
        id: one.id.get(),
        login: one.login.to_string(),
        name: one.name.clone(),
        asked: time(one.asked),
        answer: one.answer.clone(),
    });
    let rows = rows.collect();
    List { rows, next: None }.print(json)
}

fn parse_reason(text: &str) -> Result<RefusalReason, String> {
    match RefusalReason::parse(text) {
        Ok(Some(reason)) => Ok(reason),
        Ok(None) => Err("The reason is empty. Enter one, or omit `--reason`.".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
