//! A change of a login cut off anywhere: the person has the old login or the new one, and no other login is held.

use redwing::{
    actions::rename::{Rename, change_login},
    domain::{Login, UserId},
    store::Error,
};

use super::cut_off_everywhere;
use crate::support::{core::Core, crowd::member};

fn login(text: &str) -> Login {
    Login::parse(text).expect("valid")
}

struct Scene {
    person: UserId,
    old: Login,
    new: Login,
}

#[tokio::test]
async fn a_change_of_a_login_cut_off_anywhere_is_made_or_not() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let old = login(&format!("old_{number}"));
            Scene {
                person: member(store, old.as_str()).await,
                new: login(&format!("new_{number}")),
                old,
            }
        },
        async |store, scene| {
            let changed = change_login(store, scene.person, &scene.new).await?;
            assert_eq!(changed, Rename::Renamed);
            Ok(())
        },
        async |scene| {
            let user = store
                .user(scene.person)
                .await
                .expect("an answer")
                .expect("there");
            let holder = store.holder(&scene.new).await.expect("an answer");
            let is_new = user.login == scene.new;
            assert!(is_new || user.login == scene.old);
            assert_eq!(holder, is_new.then_some(scene.person));
            let by_old = store.user_by_login(&scene.old).await.expect("an answer");
            assert_eq!(by_old.map(|user| user.id), Some(scene.person));
            if !is_new {
                // What was cut off does not stand in the way of the next try.
                let again = change_login(store, scene.person, &scene.new).await;
                assert_eq!(again.expect("an answer"), Rename::Renamed);
            }
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_refused_change_cut_off_anywhere_holds_no_login() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let person = member(store, &format!("person_{number}")).await;
            let (first, second) = (format!("first_{number}"), format!("second_{number}"));
            let changed = change_login(store, person, &login(&first)).await;
            assert_eq!(changed.expect("an answer"), Rename::Renamed);
            (person, login(&second))
        },
        async |store, (person, second)| match change_login(store, *person, second).await? {
            Rename::TooSoon => Ok(()),
            other => Err(Error::Unavailable(format!("{other:?}"))),
        },
        async |(_, second)| {
            assert_eq!(store.holder(second).await.expect("an answer"), None);
        },
    )
    .await;
}
