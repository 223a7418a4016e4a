//! Decisions about people, and appeals. The case of a person is the source of truth. Its after-effects follow
//! from its events: places in the queue, notifications, and entries of the log.

mod holds;
mod reports;
pub mod shields;

use std::collections::BTreeSet;

pub(in crate::actions) use self::holds::queue_waiting_post;
pub use self::reports::{ReportResult, Reported, drop_old_reports, report, withdraw_report};
use super::{
    account_states::update_trends,
    accounts::draw_epoch,
    notifications::{notify, retract},
    operations::{Effects, reconcile, reconcile_copies, with_outbox},
    statuses::post_marks,
};
use crate::{
    actions::prelude::*,
    domain::{
        Act, ActingPerson, AppealAnswer, Decision, Ending, LoggedAct, Measure, Notification, Power,
        Role, SiteNotice, may_act_on, may_answer_appeal,
    },
    store::{
        AppealOutcome, Case, ClaimCaseOutcome, Claiming, DecideOutcome, EndOf, EndOutcome,
        NewDecision, QueuePlaces, RecordedDecision,
    },
};

/// Characters of the explanation of a decision while Redis is almost full. They take at most 1,600 bytes.
const MAX_CHARACTERS_WITHOUT_ROOM: usize = 100;

/// Refuses a long explanation of a decision if Redis is almost full. A decision revokes access, so it works then, with a
/// short explanation.
async fn check_room_for_explanation(store: &Store, explanation: &str) -> Result<()> {
    let max_characters = MAX_CHARACTERS_WITHOUT_ROOM;
    let is_long = explanation.chars().count() > max_characters;
    match is_long && store.is_almost_full().await? {
        true => Err(Error::LongExplanation { max_characters }),
        false => Ok(()),
    }
}

/// Decides about a person, and closes the reports that the moderator saw.
pub async fn decide(store: &Store, subject: UserId, new: &NewDecision) -> Result<DecideOutcome> {
    check_room_for_explanation(store, &new.decision.explanation).await?;
    let call = &store.begin().await?;
    let is_suspension = new.decision.measure == Measure::Suspend;
    let epoch = is_suspension.then(draw_epoch);
    let write = store.decide(call, subject, new, epoch.as_deref());
    with_case(store, call, subject, write).await
}

/// Takes a decision back.
pub async fn end_decision(
    store: &Store,
    by: ActingPerson,
    subject: UserId,
    decision: &RecordedDecision,
) -> Result<EndOutcome> {
    let call = &store.begin().await?;
    let end = EndOf {
        number: decision.number,
        measure: &decision.decision.measure,
        ending: Some(Ending { by }),
        answer: None,
    };
    let write = store.end_decision(call, subject, end);
    with_case(store, call, subject, write).await
}

/// Answers the appeal against a decision. A granted appeal takes the decision back in the same step.
pub async fn answer_appeal(
    store: &Store,
    subject: UserId,
    decision: &RecordedDecision,
    answer: AppealAnswer,
) -> Result<EndOutcome> {
    check_room_for_explanation(store, &answer.explanation).await?;
    let call = &store.begin().await?;
    let end = EndOf {
        number: decision.number,
        measure: &decision.decision.measure,
        ending: answer.is_granted.then_some(Ending { by: answer.by }),
        answer: Some(answer),
    };
    let write = store.end_decision(call, subject, end);
    with_case(store, call, subject, write).await
}

/// Returns whether the host or a moderator may answer the appeal against a decision. With two or more moderators, the
/// one who decided may not.
///
/// # Errors
/// If Redis could not be reached.
pub async fn may_answer(
    store: &Store,
    decision: &RecordedDecision,
    by: ActingPerson,
) -> Result<bool> {
    let roles = store.people_with_roles().await?;
    let moderators = roles.values().filter(|role| **role == Role::Moderator);
    Ok(may_answer_appeal(
        decision.decision.by,
        by,
        moderators.count(),
    ))
}

/// Appeals against a decision about oneself. Each decision can be appealed once.
pub async fn appeal(
    store: &Store,
    actor: &Actor,
    number: u64,
    text: &str,
) -> Result<AppealOutcome> {
    let call = &store.begin().await?;
    let write = store.appeal(call, actor, number, text);
    with_case(store, call, actor.id(), write).await
}

/// Gives a moderator a case for half an hour, or takes it from them.
pub async fn claim(
    store: &Store,
    actor: &Actor,
    subject: UserId,
    claiming: Claiming,
) -> Result<ClaimCaseOutcome> {
    store.check_session(actor).await?;
    let call = &store.begin().await?;
    let claimed = store.claim_case(call, subject, actor.id(), claiming);
    call.finish(claimed.await).await
}

/// Runs a write on the case of a person under its outbox entry, and its after-effects.
async fn with_case<T: Copy>(
    store: &Store,
    call: &Call,
    subject: UserId,
    write: impl Future<Output = Result<T>>,
) -> Result<T> {
    let effects = &CaseEffects(subject);
    // On the heap, because a future contains those of all its steps.
    Box::pin(with_outbox(store, call, effects.thing(), write, |_| {
        reconcile_copies(store, call, effects, None)
    }))
    .await
}

/// Runs the after-effects of a case after a crash. Returns the task that continues, if any.
pub async fn reconcile_case(store: &Store, subject: UserId) -> Result<Option<Task>> {
    Box::pin(reconcile(store, &CaseEffects(subject))).await
}

/// Brings the state of an account in line with the decisions about its person. Returns `false` if there was another
/// decision meanwhile.
pub async fn repair_measures(store: &Store, subject: UserId) -> Result<bool> {
    let (case, now) = futures_util::try_join!(store.case(subject), store.now())?;
    if !store.repair_measures(&case, now).await? {
        return Ok(false);
    }
    apply_measure(store, subject, &Measure::Suspend).await?;
    Ok(true)
}

/// The after-effects of the events of a case. Its source of truth is known by the time of the last event.
struct CaseEffects(UserId);

impl Effects for CaseEffects {
    type Truth = u64;

    fn thing(&self) -> Thing {
        Thing::Case(self.0)
    }

    async fn truth(&self, store: &Store) -> Result<u64> {
        store.last_event(self.0).await
    }

    async fn apply(&self, store: &Store, call: &Call, _: u64) -> Result<()> {
        let case = store.case(self.0).await?;
        store.mirror_case(self.0, QueuePlaces::of(&case)).await?;
        post_marks::reconcile(store, call, &case).await?;
        for (at_us, event) in new_events(&case) {
            Box::pin(handle(store, call, &case, (at_us, event))).await?;
        }
        store.handle_case(call, self.0, case.last_us).await
    }
}

#[derive(Debug, Clone, Copy)]
enum Event<'a> {
    /// The first report came.
    Opened,
    Decided(&'a RecordedDecision),
    Ended(&'a RecordedDecision, Ending),
    Appealed,
    Answered(&'a AppealAnswer),
}

/// Returns the events whose after-effects are not done, the oldest first.
fn new_events(case: &Case) -> Vec<(u64, Event<'_>)> {
    let opened = case
        .open()
        .map(|(at_us, _)| (at_us, Event::Opened))
        .min_by_key(|one| one.0);
    let decisions = case.decisions.iter().flat_map(events_of);
    let new = opened.into_iter().chain(decisions);
    let mut new: Vec<(u64, Event<'_>)> =
        new.filter(|(at_us, _)| *at_us > case.handled_us).collect();
    new.sort_by_key(|(at_us, _)| *at_us);
    new
}

fn events_of(one: &RecordedDecision) -> impl Iterator<Item = (u64, Event<'_>)> {
    let decided = Some((one.number, Event::Decided(one)));
    let ended = one
        .ended
        .map(|(at_us, ending)| (at_us, Event::Ended(one, ending)));
    let appeal = one.appeal.as_ref();
    let appeal = appeal.map(|(at_us, _)| (*at_us, Event::Appealed));
    let answer = one.answer.as_ref();
    let answer = answer.map(|(at_us, answer)| (*at_us, Event::Answered(answer)));
    [decided, ended, appeal, answer].into_iter().flatten()
}

async fn handle(
    store: &Store,
    call: &Call,
    case: &Case,
    (at_us, event): (u64, Event<'_>),
) -> Result<()> {
    let subject = case.subject;
    match event {
        Event::Opened => {
            notify_moderators(store, call, subject, (SiteNotice::Reports, at_us)).await
        }
        Event::Appealed => {
            notify_moderators(store, call, subject, (SiteNotice::Appeal, at_us)).await
        }
        Event::Decided(recorded) => {
            let decision = &recorded.decision;
            log_event(store, call, decision.by, (act_of(subject, decision), at_us)).await?;
            apply_measure(store, subject, &decision.measure).await?;
            if decision.measure.is_told() {
                tell(store, call, subject, (SiteNotice::Decision, at_us)).await?;
            }
            for post in case.posts_shown_by(recorded.number) {
                // A post that waited again after an edit is news again.
                let news = Notification::approved(subject, post);
                retract(store, call, subject, news).await?;
                notify(store, call, subject, news, at_us).await?;
            }
            let closed = case.closed_by(recorded.number);
            let reporters: BTreeSet<UserId> = closed
                .filter_map(|one| one.name.reporter.person())
                .collect();
            for reporter in reporters {
                tell(store, call, reporter, (SiteNotice::ReportClosed, at_us)).await?;
            }
            Ok(())
        }
        Event::Ended(recorded, ending) => {
            let measure = recorded.decision.measure.clone();
            apply_measure(store, subject, &measure).await?;
            let act = Act::EndDecision {
                person: subject,
                measure,
                reason: Some(recorded.decision.reason.clone()),
            };
            log_event(store, call, ending.by, (act, at_us)).await?;
            // An answered appeal is news of its own.
            match recorded.answer {
                Some((answered_us, _)) if answered_us == at_us => Ok(()),
                _ => tell(store, call, subject, (SiteNotice::Decision, at_us)).await,
            }
        }
        Event::Answered(answer) => {
            let act = Act::AnswerAppeal {
                person: subject,
                is_granted: answer.is_granted,
            };
            log_event(store, call, answer.by, (act, at_us)).await?;
            tell(store, call, subject, (SiteNotice::AppealAnswered, at_us)).await
        }
    }
}

fn act_of(person: UserId, decision: &Decision) -> Act {
    Act::Decide {
        person,
        measure: decision.measure.clone(),
        reason: decision.reason.clone(),
        grounds: match decision.measure {
            Measure::Note => String::new(),
            _ => decision.grounds(),
        },
    }
}

async fn log_event(
    store: &Store,
    call: &Call,
    by: ActingPerson,
    (act, at_us): (Act, u64),
) -> Result<()> {
    let entry = LoggedAct::of_event(by, act, at_us);
    store.log_entry(call, &entry).await
}

async fn tell(
    store: &Store,
    call: &Call,
    to: UserId,
    (notice, at_us): (SiteNotice, u64),
) -> Result<()> {
    let news = Notification::from_site(to, notice, at_us);
    notify(store, call, to, news, at_us).await
}

/// Notifies everybody who may decide about a person.
async fn notify_moderators(
    store: &Store,
    call: &Call,
    subject: UserId,
    news: (SiteNotice, u64),
) -> Result<()> {
    let roles = store.people_with_roles().await?;
    let role_of_subject = roles.get(&subject).copied();
    for (person, role) in &roles {
        if *person != subject && may_act_on(Some(*role), Power::Moderate, role_of_subject) {
            tell(store, call, *person, news).await?;
        }
    }
    Ok(())
}

/// Brings the copies of a measure in line, after it was taken or taken back.
async fn apply_measure(store: &Store, subject: UserId, measure: &Measure) -> Result<()> {
    match measure {
        Measure::Dismiss
        | Measure::Note
        | Measure::Warn
        | Measure::HidePost { .. }
        | Measure::ApprovePost { .. }
        | Measure::AddWarning { .. }
        | Measure::Freeze { .. } => Ok(()),
        Measure::Limit => update_trends(store, subject).await,
        Measure::Suspend => {
            if store.is_hidden(subject).await? {
                store.clear_sessions(subject).await?;
            }
            update_trends(store, subject).await
        }
    }
}
