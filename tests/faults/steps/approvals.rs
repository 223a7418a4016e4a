//! Asking to join, answering, and vouching for newcomers, with each round trip failing.

use redwing::{
    actions::administration::set_role,
    domain::{AccountState, ActingPerson, Role},
};
use reqwest::StatusCode;

use super::{at_every_step, at_every_step_on, on_one_node, send_again};
use crate::support::{PASSWORD, Person, Site, crowd};

async fn state_of(site: &Site, login: &str) -> AccountState {
    let id = crowd::uid(&site.store, login).await;
    let user = site.store.user(id).await.expect("the store answers");
    user.expect("an account").state
}

/// Returns how often a person is in the queue of requests to join.
async fn places_of(site: &Site, login: &str) -> usize {
    let queue = site.store.applicants_after(None, 1000).await;
    let queue = queue.expect("the store answers").items;
    let own = queue.iter().filter(|one| one.login.as_str() == login);
    own.count()
}

#[tokio::test]
async fn a_request_to_join_is_in_the_queue_once() {
    at_every_step_on(
        on_one_node(&["--sign-up", "approval"]).await,
        async |site, name| {
            let mut visitor = Person::visitor(site);
            let form = visitor.open("/signup").await.form("/signup");
            visitor.login = format!("a_{name}");
            let form = form.set("login", &visitor.login).set("name", "Alice L.");
            let form = form.set("password", PASSWORD).set("answer", "I sail.");
            (visitor, form)
        },
        async |_, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let form = answer.form("/signup");
                assert_eq!(form.value("answer"), "I sail.");
                let again = form.set("password", PASSWORD);
                scene.person.submit_accepted(&again).await;
            }
        },
        async |site, scene| {
            let login = &scene.person.login;
            let state = state_of(site, login).await;
            assert!(matches!(state, AccountState::Waiting { .. }), "{state:?}");
            assert_eq!(places_of(site, login).await, 1, "{login}");
            assert_eq!(scene.person.get("/").await.location(), "/account");
        },
    )
    .await;
}

async fn check_answer(answer: &str, is_expected: impl Fn(&AccountState) -> bool) {
    at_every_step(
        async |site, name| {
            let moderator = Person::sign_up(site, &format!("m_{name}")).await;
            let id = crowd::uid(&site.store, &moderator.login).await;
            let role = Some(Role::Moderator);
            let given = set_role(&site.store, ActingPerson::Host, id, role).await;
            given.expect("the store answers");
            let person = crowd::applicant(&site.store, &format!("a_{name}")).await;
            let form = moderator.open("/admin/approvals").await;
            let form = form.form("/admin/approvals");
            let form = form.set("from", &person.to_string()).set_new("reason", "");
            (moderator, form.set_new("answer", answer))
        },
        send_again,
        async |site, scene| {
            let login = format!("a_{}", scene.name);
            let state = state_of(site, &login).await;
            assert!(is_expected(&state), "{login}: {state:?}");
            assert_eq!(places_of(site, &login).await, 0, "{login}");
        },
    )
    .await;
}

#[tokio::test]
async fn an_accepted_person_is_in_and_no_longer_in_the_queue() {
    check_answer("accept", |state| *state == AccountState::Active).await;
}

#[tokio::test]
async fn a_refused_person_is_refused_and_no_longer_in_the_queue() {
    check_answer("refuse", |state| {
        matches!(state, AccountState::Refused { .. })
    })
    .await;
}

#[tokio::test]
async fn a_newcomer_for_whom_a_welcomer_vouches_has_no_limits() {
    at_every_step_on(
        on_one_node(&["--new-account-days", "7"]).await,
        async |site, name| {
            let welcomer = Person::sign_up(site, &format!("w_{name}")).await;
            let id = crowd::uid(&site.store, &welcomer.login).await;
            let role = Some(Role::Welcomer);
            let given = set_role(&site.store, ActingPerson::Host, id, role).await;
            given.expect("the store answers");
            site.store
                .read_staff_state()
                .await
                .expect("the store answers");
            let newcomer = Person::sign_up(site, &format!("n_{name}")).await;
            let login = &newcomer.login;
            let profile = welcomer.open(&format!("/@{login}")).await;
            let form = profile.form(&format!("/admin/people/{login}/vouch"));
            (welcomer, form)
        },
        send_again,
        async |site, scene| {
            let id = crowd::uid(&site.store, &format!("n_{}", scene.name)).await;
            let user = site.store.user(id).await.expect("the store answers");
            assert_eq!(user.expect("an account").newcomer_since, None);
        },
    )
    .await;
}
