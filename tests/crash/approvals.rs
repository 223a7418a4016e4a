//! A request to join and its answer, interrupted before each command.

use redwing::{
    actions::{
        accounts::{self, NewAccount},
        approvals::{Decision, answer_all},
        invitations::Entry,
    },
    domain::{
        AccountState, ActingPerson, Answer, ApplicationAnswer, DisplayName, IdempotencyKey, Login,
        RefusalReason, UserId,
    },
    store::Store,
};

use super::cut_off_everywhere;
use crate::support::{core::Core, crowd::member};

async fn ask(store: &Store, login: &str) -> Result<(), redwing::store::Error> {
    let answer = ApplicationAnswer::parse("I sail.").expect("valid");
    let account = NewAccount {
        login: Login::parse(login).expect("valid"),
        name: DisplayName::parse("Newcomer").expect("valid"),
        password_hash: "$argon2id$v=19$m=8,t=1,p=1$bm90aGluZw$bm90aGluZw".into(),
        idempotency_key: IdempotencyKey::draw(),
        entry: Entry::Approval(answer),
    };
    accounts::sign_up(store, account).await.map(drop)
}

async fn holder(store: &Store, login: &str) -> Option<UserId> {
    let login = Login::parse(login).expect("valid");
    store.holder(&login).await.expect("an answer")
}

async fn is_queued(store: &Store, person: UserId) -> bool {
    let queue = store.applicants_after(None, 1000).await.expect("an answer");
    queue.items.iter().any(|one| one.id == person)
}

#[tokio::test]
async fn a_request_cut_off_anywhere_waits_in_the_queue_or_does_not_exist() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| format!("asking_{number}"),
        async |store, login| ask(store, login).await,
        async |login| {
            if let Some(person) = holder(&core.store, login).await {
                assert!(is_queued(&core.store, person).await, "not in the queue");
            }
            core.assert_sound().await;
        },
    )
    .await;
}

/// Interrupts an answer to a request everywhere.
async fn cut_off_answers(answer: Answer) {
    let core = Core::start();
    let decision = Decision {
        answer,
        reason: RefusalReason::parse("No boat.").expect("valid"),
    };
    cut_off_everywhere(
        &core,
        async |number| {
            let by = member(&core.store, &format!("by_{number}")).await;
            let login = format!("asked_{number}");
            ask(&core.store, &login).await.expect("asked");
            (by, holder(&core.store, &login).await.expect("an account"))
        },
        async |store, (by, person)| {
            let answered =
                answer_all(store, ActingPerson::Person(*by), &[*person], &decision).await?;
            assert_eq!(answered, 1);
            Ok(())
        },
        async |(_, person)| {
            let user = core.store.user(*person).await.expect("an answer");
            let state = user.expect("an account").state;
            let waits = matches!(state, AccountState::Waiting { .. });
            assert_eq!(is_queued(&core.store, *person).await, waits);
            match answer {
                Answer::Accept => assert!(waits || state == AccountState::Active),
                Answer::Refuse => {
                    assert!(waits || matches!(state, AccountState::Refused { .. }));
                }
            }
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn an_acceptance_cut_off_anywhere_lets_the_person_in_or_changes_nothing() {
    cut_off_answers(Answer::Accept).await;
}

#[tokio::test]
async fn a_refusal_cut_off_anywhere_refuses_the_person_or_changes_nothing() {
    cut_off_answers(Answer::Refuse).await;
}
