//! Changes of one membership at the same time: one order is the outcome, and all copies follow it.

use futures_util::{future::join_all, join};
use redwing::{
    actions::groups,
    domain::{GroupAct, GroupEvent, GroupRole, GroupTie, Joining},
    store::{ManageOutcome, OwnChange},
};

use super::{found, tie};
use crate::support::{core::Core, crowd};

const ROUNDS: usize = 12;

#[tokio::test]
async fn a_ban_at_the_moment_of_joining_leaves_no_member() {
    let core = Core::start();
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    let group = found(store, alice, "birds", Joining::Open).await;
    for person in crowd::people(store, "person", ROUNDS).await {
        let note = String::new();
        let ban = GroupAct::Ban(GroupEvent { person, note });
        let (joined, banned) = join!(
            groups::join(store, person, group),
            groups::manage(store, alice, group, ban)
        );
        joined.expect("an answer");
        assert_eq!(banned.expect("an answer"), ManageOutcome::Done);
        assert_eq!(tie(store, group, person).await, GroupTie::Banned);
        let own = store.own_groups(person).await.expect("an answer");
        assert!(own.memberships.is_empty());
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn two_answers_and_a_withdrawal_at_once_have_one_outcome() {
    let core = Core::start();
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    let group = found(store, alice, "birds", Joining::Request).await;
    for person in crowd::people(store, "person", ROUNDS).await {
        groups::join(store, person, group).await.expect("an answer");
        let (accepted, refused, withdrawn) = join!(
            groups::manage(store, alice, group, GroupAct::Accept(person)),
            groups::manage(store, alice, group, GroupAct::Refuse(person)),
            groups::change(store, person, group, OwnChange::Withdraw)
        );
        withdrawn.expect("an answer");
        let outcomes = [accepted.expect("an answer"), refused.expect("an answer")];
        let done = outcomes
            .iter()
            .filter(|one| **one == ManageOutcome::Done)
            .count();
        assert!(done <= 1, "{outcomes:?}");
        let is_member = tie(store, group, person).await.membership().is_some();
        assert_eq!(is_member, outcomes[0] == ManageOutcome::Done);
        let own = store.own_groups(person).await.expect("an answer");
        assert_eq!(own.memberships.len(), usize::from(is_member));
        assert!(own.asked.is_empty());
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_group_taken_over_and_offered_to_others_at_once_has_one_owner() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 4).await;
    let group = found(store, people[0], "birds", Joining::Open).await;
    for person in &people[1..] {
        groups::join(store, *person, group)
            .await
            .expect("an answer");
    }
    for _ in 0..ROUNDS {
        let offers = people.iter().flat_map(|by| {
            people
                .iter()
                .map(|to| groups::manage(store, *by, group, GroupAct::OfferOwnership(*to)))
        });
        let takes = people
            .iter()
            .map(|by| groups::manage(store, *by, group, GroupAct::TakeOver(*by)));
        let (offers, takes) = join!(join_all(offers), join_all(takes));
        for outcome in offers.into_iter().chain(takes) {
            outcome.expect("an answer");
        }
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn an_owner_and_moderators_whose_accounts_go_at_once_leave_the_group_to_a_member() {
    let core = Core::start();
    let store = &core.store;
    for round in 0..ROUNDS {
        let people = crowd::people(store, &format!("person_{round}"), 4).await;
        let [owner, first, second, member] = people[..] else {
            panic!("there are four")
        };
        let group = found(store, owner, &format!("birds-{round}"), Joining::Open).await;
        for person in [first, second, member] {
            groups::join(store, person, group).await.expect("an answer");
        }
        for person in [first, second] {
            let promote = GroupAct::SetRole(person, GroupRole::Moderator);
            let promoted = groups::manage(store, owner, group, promote).await;
            assert_eq!(promoted.expect("an answer"), ManageOutcome::Done);
        }
        let gone = [owner, first, second];
        let goes = gone.map(|person| groups::change(store, person, group, OwnChange::Go));
        for outcome in join_all(goes).await {
            outcome.expect("an answer");
        }
        for person in gone {
            assert_eq!(tie(store, group, person).await, GroupTie::None);
        }
        let role = tie(store, group, member).await.role();
        assert_eq!(role, Some(GroupRole::Owner));
    }
    core.drain().await;
    core.assert_sound().await;
}
