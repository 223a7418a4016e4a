//! Reports when an account is deleted.

use redwing::{
    actions::{account_states, moderation::Reported},
    domain::Measure,
};

use super::{decisions::decide_by, report_by};
use crate::{
    leaving::deletion::everything,
    support::{core::Core, crowd},
};

#[tokio::test]
async fn the_reports_of_a_deleted_reporter_and_about_a_deleted_person_go() {
    let core = Core::start();
    let store = &core.store;
    let bob = crowd::member(store, "bob").await;
    let carol = crowd::member(store, "carol").await;
    let dave = crowd::member(store, "dave").await;
    report_by(store, carol, Reported::Person(bob)).await;
    report_by(store, dave, Reported::Person(bob)).await;
    report_by(store, dave, Reported::Person(carol)).await;
    decide_by(store, carol, Measure::Warn).await;
    let deleted = account_states::delete(store, carol).await;
    deleted.expect("the store answers");
    core.assert_sound().await;
    let case = store.case(bob).await.expect("a case");
    let reporters: Vec<_> = case
        .reports
        .iter()
        .filter_map(|one| one.name.reporter.person())
        .collect();
    assert_eq!(reporters, [dave]);
    for kind in [
        "case",
        "reports",
        "open_reports",
        "closed_reports",
        "decisions",
        "own_reports",
    ] {
        let key = format!("{kind}:{{{carol}}}");
        assert!(core.keys(&key).await.is_empty(), "{key}");
    }
    let own = store.own_reports(dave, None).await.expect("an answer");
    assert_eq!(own.items.len(), 1);
}

#[tokio::test]
async fn the_page_of_own_reports_forgets_old_notes_alone() {
    let core = Core::start();
    let store = &core.store.clone();
    let bob = crowd::member(store, "bob").await;
    let carol = crowd::member(store, "carol").await;
    report_by(store, carol, Reported::Person(bob)).await;
    let notes = format!("own_reports:{{{carol}}}");
    // The reports are not there yet, or not any more.
    for kind in ["reports", "open_reports"] {
        let key = format!("{kind}:{{{bob}}}");
        core.redis.command(&["DEL", &key]);
    }
    let old = format!("{bob}:7");
    core.redis.command(&["ZADD", &notes, "5", &old]);
    let own = store.own_reports(carol, None).await.expect("an answer");
    assert!(own.items.is_empty());
    let left = everything(&core).into_iter();
    let left: String = left
        .filter(|(key, _)| *key == notes)
        .map(|(_, held)| held)
        .collect();
    assert!(left.contains(&format!("{bob}:0")), "{left}");
    assert!(!left.contains(&old), "{left}");
}
