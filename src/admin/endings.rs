//! `redwing admin lift`, `undo` and `answer`: decisions that are taken back, and answers to appeals.

use clap::Args;

use super::{
    Failure,
    arguments::{AccountArgs, holder, stored_login},
    outcome::Done,
};
use crate::{
    actions::moderation::{answer_appeal, end_decision, may_answer},
    domain::{ActingPerson, AppealAnswer, Explanation, Login, Measure, UserId},
    store::{EndOutcome, RecordedDecision, Store},
};

#[derive(Debug, Args)]
pub(super) struct LiftArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    measure: Lifted,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct UndoArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    /// The number of the decision, which `redwing admin case` prints.
    #[arg(value_name = "NUMBER")]
    number: u64,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("answer").required(true).args(["grant", "refuse"]))]
pub(super) struct AnswerArgs {
    #[command(flatten)]
    account: AccountArgs,

    /// Grant the appeal, which takes the decision back.
    #[arg(long)]
    grant: bool,

    /// Refuse the appeal.
    #[arg(long)]
    refuse: bool,

    /// The explanation for the person, at most 500 characters.
    #[arg(long, value_name = "TEXT", value_parser = parse_explanation)]
    explanation: Option<Explanation>,

    /// The number of the decision, which `redwing admin case` prints. Needed if several appeals of the person wait.
    #[arg(long, value_name = "NUMBER")]
    decision: Option<u64>,
}

/// A measure that lasts until it is taken back.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Lifted {
    Limit,
    Freeze,
}

impl Lifted {
    fn is_of(self, one: &RecordedDecision) -> bool {
        match self {
            Self::Limit => one.decision.measure == Measure::Limit,
            Self::Freeze => matches!(one.decision.measure, Measure::Freeze { .. }),
        }
    }

    fn participle(self) -> &'static str {
        match self {
            Self::Limit => "limited",
            Self::Freeze => "frozen",
        }
    }
}

pub(super) async fn lift(args: LiftArgs, store: &Store) -> Result<(), Failure> {
    let LiftArgs {
        login,
        measure,
        json,
    } = args;
    let person = holder(store, &login).await?;
    let (decisions, now) = tokio::try_join!(store.decisions(person), store.now())?;
    let standing = decisions
        .iter()
        .find(|one| measure.is_of(one) && one.is_in_force(now));
    let participle = measure.participle();
    let Some(standing) = standing else {
        return Err(format!("@{login} is not {participle}").into());
    };
    end(store, (person, &login), standing).await?;
    let lines = vec![format!("@{login} is no longer {participle}.")];
    Done::of_account("lift", (person, &login), lines).print(json)
}

/// Takes a decision back for the host.
///
/// # Errors
/// If it is too old, if the account is being deleted, or if Redis could not be reached.
pub(super) async fn end(
    store: &Store,
    (person, login): (UserId, &Login),
    decision: &RecordedDecision,
) -> Result<(), Failure> {
    match end_decision(store, ActingPerson::Host, person, decision).await? {
        EndOutcome::Ended | EndOutcome::Upheld | EndOutcome::Answered => Ok(()),
        EndOutcome::TooLate => Err("the decision is older than 30 days".into()),
        EndOutcome::NotFound => Err(format!("@{login} is being deleted").into()),
    }
}

pub(super) async fn undo(args: UndoArgs, store: &Store) -> Result<(), Failure> {
    let UndoArgs {
        login,
        number,
        json,
    } = args;
    let person = holder(store, &login).await?;
    let Some(decision) = store.decision(person, number).await? else {
        return Err(format!("there is no decision {number} about @{login}").into());
    };
    let words = decision.decision.measure.words();
    if !decision.decision.measure.is_undoable() {
        return Err(format!("a decision that {words} cannot be taken back").into());
    }
    if decision.ended.is_some() {
        return Err("the decision was taken back already".into());
    }
    end(store, (person, &login), &decision).await?;
    let line = format!("The decision about @{login} that {words} is taken back.");
    Done::of_account("undo", (person, &login), vec![line])
        .with("decision", number)
        .print(json)
}

pub(super) async fn answer(args: AnswerArgs, store: &Store) -> Result<(), Failure> {
    let AccountArgs { login, json } = args.account;
    let person = holder(store, &login).await?;
    let decisions = store.decisions(person).await?;
    let decision = appealed(&decisions, &login, args.decision)?;
    if !may_answer(store, decision, ActingPerson::Host).await? {
        let remedy = format!(
            "To take the decision back: redwing admin undo {login} {}",
            decision.number
        );
        return Err(
            format!("a moderator answers appeals against decisions of the host. {remedy}").into(),
        );
    }
    let answer = AppealAnswer {
        by: ActingPerson::Host,
        is_granted: args.grant,
        explanation: args.explanation.unwrap_or_default().as_str().to_owned(),
    };
    match answer_appeal(store, person, decision, answer).await? {
        EndOutcome::Ended | EndOutcome::Upheld => {}
        EndOutcome::Answered => return Err("someone has answered this appeal meanwhile".into()),
        EndOutcome::NotFound | EndOutcome::TooLate => {
            return Err(format!("@{login} is being deleted").into());
        }
    }
    let (word, line) = match args.grant {
        true => (
            "granted",
            format!("The appeal of @{login} is granted, and the decision is taken back."),
        ),
        false => ("refused", format!("The appeal of @{login} is refused.")),
    };
    Done::of_account("answer", (person, &login), vec![line])
        .with("decision", decision.number)
        .with("answer", word)
        .print(json)
}

/// Returns the decision with an appeal that waits for an answer.
fn appealed<'a>(
    decisions: &'a [RecordedDecision],
    login: &Login,
    number: Option<u64>,
) -> Result<&'a RecordedDecision, Failure> {
    let waiting = decisions.iter().filter(|one| one.awaits_answer());
    let mut waiting: Vec<&RecordedDecision> = waiting.collect();
    waiting.retain(|one| number.is_none_or(|number| number == one.number));
    match waiting[..] {
        [one] => Ok(one),
        [] => Err(format!("no such appeal of @{login} waits for an answer").into()),
        _ => {
            let numbers: Vec<String> = waiting.iter().map(|one| one.number.to_string()).collect();
            let numbers = numbers.join(" or ");
            Err(format!("several appeals of @{login} wait. Add --decision {numbers}").into())
        }
    }
}

fn parse_explanation(text: &str) -> Result<Explanation, String> {
    Explanation::parse(text).map_err(|error| error.to_string())
}
