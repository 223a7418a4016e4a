//! Whom a person can block and report.

use redwing::{
    domain::{Login, UserId},
    store::Viewer,
};

use super::set_block;
use crate::support::{core::Core, crowd};

#[tokio::test]
async fn a_person_is_blocked_and_reported_by_those_who_find_or_block_them() {
    let core = Core::start();
    let store = &core.store;
    let [alice, bob, carol] = ["alice", "bob", "carol"].map(|login| crowd::member(store, login));
    let (alice, bob, carol) = (alice.await, bob.await, carol.await);
    set_block(store, alice, bob).await;
    let may = async |viewer: UserId, login: &str| {
        let login = Login::parse(login).expect("valid");
        let found = store.find_user_to_report(Viewer::Member(viewer), &login);
        found.await.expect("an answer").is_some()
    };
    assert!(may(alice, "bob").await, "alice blocks bob already");
    assert!(!may(bob, "alice").await);
    assert!(may(carol, "bob").await);
    crowd::set_suspended(store, bob, true).await;
    assert!(!may(alice, "bob").await);
    assert!(!may(carol, "bob").await);
}
