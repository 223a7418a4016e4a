//! Reports and decisions, interrupted before each command.

use redwing::{
    actions::{
        administration::set_role,
        moderation::{self, Reported},
    },
    domain::{
        Act, ActingPerson, Decision, Measure, ReportNote, ReportReason, Role, StatusId, UserId,
    },
    store::{NewDecision, Viewer},
};

use super::{cut_off_everywhere, notification_count};
use crate::{
    moderation::report_by,
    support::{
        core::Core,
        crowd::{member, post},
    },
};

#[tokio::test]
async fn a_report_cut_off_anywhere_is_in_the_queue_or_absent() {
    let core = Core::start();
    let moderator = member(&core.store, "helper").await;
    let role = Some(Role::Moderator);
    set_role(&core.store, ActingPerson::Host, moderator, role)
        .await
        .expect("an answer");
    cut_off_everywhere(
        &core,
        async |number| {
            let subject = member(&core.store, &format!("subject_{number}")).await;
            let reporter = member(&core.store, &format!("reporter_{number}")).await;
            let told = notification_count(&core, moderator).await;
            (subject, reporter, told)
        },
        async |store, (subject, reporter, _): &(UserId, UserId, u64)| {
            let note = ReportNote::default();
            let reported = Reported::Person(*subject);
            let words = (ReportReason::Spam, &note);
            moderation::report(store, &(*reporter).into(), reported, words)
                .await
                .map(drop)
        },
        async |(subject, _, told)| {
            let case = core.store.case(*subject).await.expect("an answer");
            let is_queued = core.store.queue_places(*subject).await.expect("an answer");
            assert_eq!(case.open().count() == 1, is_queued.reports.is_some());
            let now = notification_count(&core, moderator).await;
            assert_eq!(now - told, case.open().count() as u64, "told once");
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_suspension_cut_off_anywhere_is_told_and_logged_once_or_absent() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let subject = member(&core.store, &format!("subject_{number}")).await;
            let reporter = member(&core.store, &format!("reporter_{number}")).await;
            report_by(&core.store, reporter, Reported::Person(subject)).await;
            (subject, reporter)
        },
        async |store, (subject, _): &(UserId, UserId)| {
            let decision = Decision {
                by: ActingPerson::Host,
                measure: Measure::Suspend,
                reason: ReportReason::Spam,
                explanation: String::new(),
            };
            let new = NewDecision {
                seen_us: 9_007_199_254_740_991,
                ..NewDecision::without_case(decision)
            };
            moderation::decide(store, *subject, &new).await.map(drop)
        },
        async |(subject, reporter)| {
            let case = core.store.case(*subject).await.expect("an answer");
            let decided = case.decisions.len();
            assert_eq!(
                core.store.is_hidden(*subject).await.expect("an answer"),
                decided == 1
            );
            assert_eq!(case.open().count() + decided, 1);
            assert_eq!(notification_count(&core, *subject).await, decided as u64);
            assert_eq!(notification_count(&core, *reporter).await, decided as u64);
            let log = core.store.acts_before(None, 1000).await.expect("an answer");
            let of_subject = log.items.iter().filter(|act| match act.act {
                Act::Decide { person, .. } => person == *subject,
                _ => false,
            });
            assert_eq!(of_subject.count(), decided);
            core.assert_sound().await;
        },
    )
    .await;
}

/// Cuts a decision off anywhere. It is told once and takes effect, or neither.
async fn decision_cut_off_everywhere(
    measure: impl Fn(StatusId) -> Measure,
    has_effect: impl AsyncFn(&Core, StatusId) -> bool,
) {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let subject = member(&core.store, &format!("subject_{number}")).await;
            let status = post(&core.store, subject, "words").await;
            (subject, status)
        },
        async |store, (subject, status): &(UserId, StatusId)| {
            let decision = Decision {
                by: ActingPerson::Host,
                measure: measure(*status),
                reason: ReportReason::Spam,
                explanation: String::new(),
            };
            let new = NewDecision::without_case(decision);
            moderation::decide(store, *subject, &new).await.map(drop)
        },
        async |(subject, status)| {
            let case = core.store.case(*subject).await.expect("an answer");
            let decided = case.decisions.len();
            assert_eq!(has_effect(&core, *status).await, decided == 1);
            assert_eq!(notification_count(&core, *subject).await, decided as u64);
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_hidden_post_cut_off_anywhere_is_hidden_and_told_once_or_neither() {
    decision_cut_off_everywhere(
        |status| Measure::HidePost { status },
        async |core, status| {
            let seen = core.store.status(Viewer::Anonymous, status).await;
            seen.expect("an answer").is_none()
        },
    )
    .await;
}

#[tokio::test]
async fn a_limit_cut_off_anywhere_takes_effect_and_is_told_once_or_neither() {
    decision_cut_off_everywhere(
        |_| Measure::Limit,
        async |core, status| {
            let seen = core.store.status(Viewer::Anonymous, status).await;
            seen.expect("an answer").is_none()
        },
    )
    .await;
}

#[tokio::test]
async fn a_warning_cut_off_anywhere_is_before_the_post_and_told_once_or_neither() {
    decision_cut_off_everywhere(
        |status| Measure::AddWarning {
            status,
            warning: "Spiders".to_owned(),
        },
        async |core, status| {
            let seen = core.store.status(Viewer::Anonymous, status).await;
            let seen = seen.expect("an answer").expect("visible");
            seen.warning() == Some("Spiders")
        },
    )
    .await;
}
