//! Suspending, deactivating and deleting an account, interrupted before each command.

use redwing::{
    actions::{account_deletion, account_states, reconcile::reconcile},
    domain::{Task, Thing, UserId},
    store::{Error, Store},
};

use super::{MANY, cut_off_everywhere};
use crate::{
    leaving::deletion::{connect, traces},
    support::{
        core::Core,
        crowd::{follow, member, post, set_suspended},
    },
};

/// Number of commands between two interruptions of a deletion: a prime number, so that the repetitions do not meet
/// the same commands of each step.
const STRIDE: usize = 13;

#[tokio::test]
async fn a_suspension_cut_off_anywhere_hides_the_person_or_not() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let person = member(&core.store, &format!("person_{number}")).await;
            let follower = member(&core.store, &format!("follower_{number}")).await;
            follow(&core.store, follower, person).await;
            post(&core.store, person, "a line #birds").await;
            person
        },
        async |store, person| {
            let reason = redwing::domain::SuspensionReason::parse("Spam.").expect("valid");
            account_states::suspend(store, *person, &reason.expect("a reason"))
                .await
                .map(drop)
        },
        async |person| {
            let is_hidden = core.store.is_hidden(*person).await.expect("an answer");
            if is_hidden {
                set_suspended(&core.store, *person, false).await;
            }
            core.assert_sound().await;
        },
    )
    .await;
}

/// Runs a deletion from its begin to its end without a worker.
async fn delete(store: &Store, person: UserId) -> Result<(), Error> {
    account_states::delete(store, person).await?;
    let mut next = reconcile(store, &Thing::Leaving(person)).await?;
    while let Some(task) = next.take() {
        next = match task {
            Task::DeleteAccount(person) => account_deletion::delete_pass(store, person).await?,
            Task::SweepAccount { person, from } => {
                account_deletion::sweep_pass(store, person, from).await?
            }
            other => panic!("{other}"),
        };
    }
    Ok(())
}

#[tokio::test]
async fn a_deletion_cut_off_anywhere_is_completed_or_has_not_begun() {
    for commands in (0..20 * MANY).step_by(STRIDE) {
        let mut core = Core::start();
        let store = core.store.clone();
        let other = member(&store, "other").await;
        let third = member(&store, "third").await;
        for number in 0..20 {
            member(&store, &format!("filler_{number}")).await;
        }
        let gone = member(&store, "gone").await;
        connect(&core, gone, other, third).await;
        let done = delete(&store.with_fuse(redwing::store::Fuse::of(commands)), gone).await;
        core.drain().await;
        let is_deleted = store.user(gone).await.expect("an answer").is_none();
        if is_deleted {
            assert_eq!(
                traces(&mut core, gone, "gone"),
                Vec::<String>::new(),
                "{commands}"
            );
        }
        match done {
            Ok(()) => {
                assert!(is_deleted && commands > 100, "{commands}");
                core.assert_sound().await;
                return;
            }
            Err(Error::Failpoint) => assert!(is_deleted || commands < 20, "{commands}"),
            Err(error) => panic!("cut off before command {commands}: {error}"),
        }
        if commands % 10 == 0 {
            core.assert_sound().await;
        }
    }
    panic!("the deletion never completed");
}
