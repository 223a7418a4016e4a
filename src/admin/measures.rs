//! `redwing admin limit`, `redwing admin freeze` and `redwing admin lift`.

use clap::Args;

use super::{
    Done, Failure,
    accounts::{MeasureArgs, check_decided},
    holder, stored_login,
};
use crate::{
    actions::{administration::take_measure, moderation::end_decision},
    domain::{ActingPerson, Login, Measure},
    store::{EndOutcome, RecordedDecision, Store},
};

const DAY_MS: u64 = 86_400_000;

#[derive(Debug, Args)]
pub(super) struct FreezeArgs {
    #[command(flatten)]
    measure: MeasureArgs,

    /// Number of days, at most 30.
    #[arg(long, value_parser = clap::value_parser!(u64).range(Measure::FREEZE_DAYS))]
    days: u64,
}

#[derive(Debug, Args)]
pub(super) struct LiftArgs {
    #[arg(value_parser = stored_login)]
    login: Login,

    measure: Lifted,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
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

pub(super) async fn limit(args: MeasureArgs, store: &Store) -> Result<(), Failure> {
    let MeasureArgs {
        login,
        reason,
        json,
    } = args;
    let person = holder(store, &login).await?;
    let measure = (Measure::Limit, &reason);
    let decided = take_measure(store, ActingPerson::Host, person, measure).await?;
    check_decided(decided, &login)?;
    let lines = vec![
        format!("@{login} is limited: only followers see what the person writes."),
        format!("To end it: redwing admin lift {login} limit"),
    ];
    Done::new("limit", person, &login, lines).print(json)
}

pub(super) async fn freeze(args: FreezeArgs, store: &Store) -> Result<(), Failure> {
    let FreezeArgs { measure, days } = args;
    let MeasureArgs {
        login,
        reason,
        json,
    } = measure;
    let person = holder(store, &login).await?;
    let now = store.now().await?;
    let until_ms = now.0.saturating_add(days * DAY_MS);
    let measure = (Measure::Freeze { until_ms }, &reason);
    let decided = take_measure(store, ActingPerson::Host, person, measure).await?;
    check_decided(decided, &login)?;
    let lines = vec![
        format!("@{login} can read and cannot write, for {days} days."),
        format!("To end it: redwing admin lift {login} freeze"),
    ];
    Done::new("freeze", person, &login, lines).print(json)
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
    match end_decision(store, ActingPerson::Host, person, standing).await? {
        EndOutcome::Ended | EndOutcome::Upheld | EndOutcome::Answered => {}
        EndOutcome::TooLate | EndOutcome::NotFound => {
            return Err(format!("@{login} is being deleted").into());
        }
    }
    let lines = vec![format!("@{login} is no longer {participle}.")];
    Done::new("lift", person, &login, lines).print(json)
}
