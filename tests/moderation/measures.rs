//! The check compares the state of an account with the decisions about its person.

use redwing::{
    audit::{self, Repair, Report, Scope},
    domain::{AccountState, Decision, Measure, ReportReason, UserId},
    store::{DecideOutcome, NewDecision, Store},
};

use super::decisions::decide_by;
use crate::support::{core::Core, crowd};

const FOREVER_MS: u64 = 9_007_199_254_740;

async fn check(store: &Store, repair: Repair) -> Report {
    let checked = audit::perform(store, Scope::Everything, repair).await;
    checked.expect("an answer")
}

/// Returns whether an account is limited, the end of its freeze, and its state.
async fn state(store: &Store, person: UserId) -> (bool, Option<String>, AccountState) {
    let user = store.user_snapshot(person).await.expect("an answer");
    (user.is_limited, user.frozen, user.state)
}

#[tokio::test]
async fn a_measure_that_is_lost_is_found_by_the_login_and_repaired() {
    let core = Core::start();
    let measures = [
        (
            "limited",
            Measure::Limit,
            "is not limited, although a decision says so",
        ),
        (
            "frozen",
            Measure::Freeze {
                until_ms: FOREVER_MS,
            },
            "is not frozen until the time that a decision says",
        ),
        (
            "suspended",
            Measure::Suspend,
            "is not suspended, although a decision says so",
        ),
    ];
    for (field, measure, words) in measures {
        let login = format!("{field}_person");
        let person = crowd::member(&core.store, &login).await;
        decide_by(&core.store, person, measure).await;
        core.drain().await;
        core.assert_sound().await;
        let user = format!("user:{{{person}}}");
        let before = state(&core.store, person).await;
        core.redis.command(&["HDEL", &user, field]);
        let found = check(&core.store, Repair::No).await;
        let expected = format!("@{login} (user {person}) {words}");
        assert!(found.to_string().contains(&expected), "{found}");
        let repaired = check(&core.store, Repair::Yes).await;
        assert!(repaired.is_clean(), "{repaired}");
        assert_eq!(state(&core.store, person).await, before);
        core.assert_sound().await;
    }
}

#[tokio::test]
async fn a_person_whom_the_host_suspended_twice_is_free_after_one_restore() {
    let core = Core::start();
    let bob = crowd::member(&core.store, "bob").await;
    let by = redwing::domain::ActingPerson::Host;
    for (reason, decided) in [
        ("Ads.", DecideOutcome::Decided),
        ("Ads.", DecideOutcome::Refused),
        ("Many ads.", DecideOutcome::Decided),
    ] {
        let decision = Decision {
            by,
            measure: Measure::Suspend,
            reason: ReportReason::SomethingElse,
            explanation: reason.to_owned(),
        };
        let new = NewDecision::without_case(decision);
        let outcome = redwing::actions::moderation::decide(&core.store, bob, &new).await;
        assert_eq!(outcome.expect("an answer"), decided, "{reason}");
    }
    core.assert_sound().await;
    let restored = redwing::actions::administration::restore(&core.store, by, bob).await;
    restored.expect("an answer");
    let case = core.store.case(bob).await.expect("a case");
    assert!(!case.is_suspended);
    assert!(case.decisions.iter().all(|one| one.ended.is_some()));
    core.drain().await;
    core.assert_sound().await;
}
