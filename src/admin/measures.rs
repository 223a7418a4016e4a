//! `redwing admin suspend`, `limit`, `freeze`, `warn`, `note` and `dismiss`: decisions about a person.

use clap::Args;

use super::{
    Failure,
    arguments::{DecisionOptions, Grounds, GroundsArgs, holder, parse_reason, stored_login},
    decide::{CaseView, closed_line, decide},
    outcome::Done,
};
use crate::{
    domain::{Login, Measure, SuspensionReason, UserId},
    store::Store,
};

const DAY_MS: u64 = 86_400_000;

/// A measure against a person, with its reason.
#[derive(Debug, Args)]
pub(super) struct MeasureArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    #[command(flatten)]
    grounds: GroundsArgs,

    #[command(flatten)]
    options: DecisionOptions,
}

#[derive(Debug, Args)]
pub(super) struct FreezeArgs {
    #[command(flatten)]
    measure: MeasureArgs,

    /// Number of days, at most 30.
    #[arg(long, value_parser = clap::value_parser!(u64).range(Measure::FREEZE_DAYS))]
    days: u64,
}

#[derive(Debug, Args)]
pub(super) struct NoteArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    /// The note, at most 500 characters.
    #[arg(value_parser = parse_reason)]
    text: SuspensionReason,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct DismissArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    /// The number that `redwing admin case` prints below the reports that you have read. Reports that came later stay
    /// open. The command is refused if someone has decided since.
    #[arg(long, value_name = "NUMBER")]
    seen: u64,

    /// The reason, at most 500 characters. People who moderate read it.
    #[arg(long, value_parser = parse_reason, value_name = "TEXT")]
    reason: Option<SuspensionReason>,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

/// A measure that was taken.
struct Taken {
    did: &'static str,
    person: UserId,
    login: Login,
    closed: usize,
    json: bool,
}

impl Taken {
    fn done(&self, mut lines: Vec<String>) -> Done {
        lines.extend(closed_line(self.closed));
        let done = Done::of_account(self.did, (self.person, &self.login), lines);
        done.with("closed_reports", self.closed)
    }
}

/// Takes a measure for the host.
async fn take(args: MeasureArgs, store: &Store, measure: Measure) -> Result<Taken, Failure> {
    let MeasureArgs {
        login,
        grounds,
        options: DecisionOptions { seen, json },
    } = args;
    let did = measure.name();
    let person = holder(store, &login).await?;
    let grounds = grounds.read(store).await?;
    let view = CaseView::read(store, (person, &login), seen).await?;
    let closed = decide(store, (person, &login), (measure, grounds), view).await?;
    Ok(Taken {
        did,
        person,
        login,
        closed,
        json,
    })
}

pub(super) async fn suspend(args: MeasureArgs, store: &Store) -> Result<(), Failure> {
    let taken = take(args, store, Measure::Suspend).await?;
    let login = &taken.login;
    let mut lines = vec![
        format!("@{login} is suspended. The person can log in to read the reason."),
        format!("To end it: redwing admin restore {login}"),
    ];
    let branch = store.invited_branch(taken.person).await?;
    let free = branch.people.iter().filter(|one| one.is_free);
    let invited: Vec<String> = free.map(|one| one.account.login.to_string()).collect();
    if !invited.is_empty() {
        let people = invited.join(", ");
        lines.push(format!("@{login} invited, directly or not: {people}"));
        lines.push(
            "To freeze one of them: redwing admin freeze LOGIN --days N --reason TEXT".into(),
        );
    }
    let done = taken.done(lines).with("invited", invited);
    done.print(taken.json)
}

pub(super) async fn limit(args: MeasureArgs, store: &Store) -> Result<(), Failure> {
    let taken = take(args, store, Measure::Limit).await?;
    let login = &taken.login;
    let lines = vec![
        format!("@{login} is limited: only followers see what the person writes."),
        format!("To end it: redwing admin lift {login} limit"),
    ];
    taken.done(lines).print(taken.json)
}

pub(super) async fn freeze(args: FreezeArgs, store: &Store) -> Result<(), Failure> {
    let FreezeArgs { measure, days } = args;
    let until_ms = store.now().await?.0.saturating_add(days * DAY_MS);
    let taken = take(measure, store, Measure::Freeze { until_ms }).await?;
    let login = &taken.login;
    let days = match days {
        1 => "1 day".to_owned(),
        days => format!("{days} days"),
    };
    let lines = vec![
        format!("@{login} can read and cannot write, for {days}."),
        format!("To end it: redwing admin lift {login} freeze"),
    ];
    taken.done(lines).print(taken.json)
}

pub(super) async fn warn(args: MeasureArgs, store: &Store) -> Result<(), Failure> {
    let taken = take(args, store, Measure::Warn).await?;
    let line = format!("@{} is warned and reads the reason.", taken.login);
    taken.done(vec![line]).print(taken.json)
}

pub(super) async fn note(args: NoteArgs, store: &Store) -> Result<(), Failure> {
    let NoteArgs { login, text, json } = args;
    let person = holder(store, &login).await?;
    let note = (Measure::Note, Grounds::of_text(Some(text)));
    decide(store, (person, &login), note, CaseView::default()).await?;
    let line = format!("The note is in the case of @{login}. The person does not read it.");
    Done::of_account("note", (person, &login), vec![line]).print(json)
}

pub(super) async fn dismiss(args: DismissArgs, store: &Store) -> Result<(), Failure> {
    let DismissArgs {
        login,
        seen,
        reason,
        json,
    } = args;
    let person = holder(store, &login).await?;
    let case = store.case(person).await?;
    let view = CaseView::of_seen(&case, seen, &login)?;
    if !case.open().any(|(at_us, _)| at_us <= seen) {
        return Err(format!("@{login} has no open report of that case").into());
    }
    let dismissal = (Measure::Dismiss, Grounds::of_text(reason));
    let closed = decide(store, (person, &login), dismissal, view).await?;
    let taken = Taken {
        did: Measure::Dismiss.name(),
        person,
        login,
        closed,
        json,
    };
    taken.done(Vec::new()).print(json)
}
