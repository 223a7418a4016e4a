//! One login belongs to one person, whoever asks for it at the same time.

use futures_util::{future::join_all, join};
use redwing::{
    actions::rename::{Rename, change_login},
    domain::Login,
};
use reqwest::StatusCode;

use super::rename_form;
use crate::support::{Person, Site, core::Core, crowd};

const ROUNDS: usize = 8;

#[tokio::test]
async fn of_many_people_who_want_a_login_one_gets_it() {
    let core = Core::start();
    let store = &core.store;
    for round in 0..ROUNDS {
        let login = Login::parse(&format!("wanted_{round}")).expect("valid");
        let mut people = Vec::new();
        for number in 0..6 {
            people.push(crowd::member(store, &format!("person_{round}_{number}")).await);
        }
        let changes = people
            .iter()
            .map(|person| change_login(store, *person, &login));
        let outcomes = join_all(changes).await;
        let outcomes: Vec<Rename> = outcomes
            .into_iter()
            .map(|one| one.expect("an answer"))
            .collect();
        let count = |wanted| outcomes.iter().filter(|one| **one == wanted).count();
        assert_eq!(
            (count(Rename::Renamed), count(Rename::Taken)),
            (1, 5),
            "{outcomes:?}"
        );
        let holder = store.holder(&login).await.expect("an answer");
        let winner = outcomes.iter().position(|one| *one == Rename::Renamed);
        assert_eq!(holder, winner.map(|at| people[at]));
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn of_two_changes_of_one_person_one_is_made() {
    let core = Core::start();
    let store = &core.store;
    for round in 0..ROUNDS {
        let person = crowd::member(store, &format!("person_{round}")).await;
        let login = |name: &str| Login::parse(&format!("{name}_{round}")).expect("valid");
        let (one, two) = (login("one"), login("two"));
        let (first, second) = join!(
            change_login(store, person, &one),
            change_login(store, person, &two)
        );
        let outcomes = [first.expect("an answer"), second.expect("an answer")];
        let made = outcomes
            .iter()
            .filter(|one| **one == Rename::Renamed)
            .count();
        assert_eq!(made, 1, "{outcomes:?}");
        let holders = [store.holder(&one).await, store.holder(&two).await];
        let held = holders
            .into_iter()
            .filter(|holder| matches!(holder, Ok(Some(_))));
        assert_eq!(held.count(), 1);
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_sign_up_and_a_change_never_share_a_login() {
    let site = Site::start().await;
    for round in 0..ROUNDS {
        let alice = Person::sign_up(&site, &format!("alice_{round}")).await;
        let wanted = format!("wanted_{round}");
        let form = rename_form(&alice, &wanted).await;
        let visitor = Person::visitor(&site);
        let (changed, signed_up) = join!(alice.submit(&form), visitor.send_sign_up(&wanted));
        let accepted = [changed.status, signed_up.status]
            .iter()
            .filter(|status| **status == StatusCode::SEE_OTHER)
            .count();
        assert_eq!(accepted, 1, "{} {}", changed.status, signed_up.status);
        let is_hers = crowd::uid(&site.store, &wanted).await;
        let name = site
            .store
            .user(is_hers)
            .await
            .expect("an answer")
            .expect("there")
            .login;
        assert_eq!(name.as_str(), wanted);
    }
    site.drain().await;
    site.assert_sound().await;
}
