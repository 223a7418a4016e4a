//! Recovery cut off anywhere: the password is the old one and the code unused, or the password is the new one
//! and the code used.

use redwing::{
    actions::{
        passwords::{HashError, Hasher},
        recovery::{make_codes, recover},
    },
    domain::{Password, RECOVERY_CODES, UserId},
    store::{Actor, Error},
};

use super::{MANY, cut_off_everywhere};
use crate::support::{core::Core, crowd::member, site::cheap_hasher};

fn store_error(error: HashError) -> Error {
    match error {
        HashError::Store(error) => error,
        other => panic!("{other}"),
    }
}

/// Sets a password that is known here.
async fn person_with_password(core: &Core, hasher: &Hasher, number: usize) -> (UserId, String) {
    let login = format!("person_{number}");
    let who = member(&core.store, &login).await;
    let password = Password::parse("the first password").expect("valid");
    let hash = hasher.hash(&password).await.expect("hashed");
    let key = format!("auth:{{{who}}}");
    core.redis.command(&["HSET", &key, "hash", &hash]);
    (who, login)
}

#[tokio::test]
async fn a_recovery_cut_off_anywhere_uses_the_code_with_the_password() {
    let core = Core::start();
    let hasher = cheap_hasher(MANY);
    let new = Password::parse("the second password").expect("valid");
    cut_off_everywhere(
        &core,
        async |number| {
            let (who, login) = person_with_password(&core, &hasher, number).await;
            let actor = Actor::from(who);
            let codes = make_codes(&core.store, &hasher, actor, "the first password").await;
            let codes = codes.expect("made").expect("the right password");
            (who, login, codes)
        },
        async |store, (_, login, codes)| {
            let code = codes[0].to_string();
            let recovered = recover(store, &hasher, (login, &code), &new).await;
            recovered.map(drop).map_err(store_error)
        },
        async |(who, login, codes)| {
            let left = core.store.recovery_codes(*who).await.expect("an answer");
            let unused = left.expect("codes").unused;
            let auth = core
                .store
                .auth(*who)
                .await
                .expect("an answer")
                .expect("there");
            let is_new = hasher.verify(new.as_bytes(), Some(&auth.hash)).await;
            let is_new = is_new.expect("verified") != redwing::actions::passwords::Verdict::Wrong;
            assert_eq!(unused, RECOVERY_CODES - usize::from(is_new));
            let code = codes[0].to_string();
            let again = recover(&core.store, &hasher, (login, &code), &new).await;
            assert_eq!(again.expect("an answer").is_some(), !is_new);
        },
    )
    .await;
}

#[tokio::test]
async fn new_codes_cut_off_anywhere_are_all_there_or_the_old_ones_are() {
    let core = Core::start();
    let hasher = cheap_hasher(MANY);
    let password = "the first password";
    cut_off_everywhere(
        &core,
        async |number| {
            let (who, login) = person_with_password(&core, &hasher, number).await;
            let old = make_codes(&core.store, &hasher, Actor::from(who), password).await;
            let old = old.expect("made");
            (who, login, old.expect("the right password"))
        },
        async |store, (who, ..)| {
            let made = make_codes(store, &hasher, Actor::from(*who), password).await;
            made.map(drop).map_err(store_error)
        },
        async |(who, login, old)| {
            let left = core.store.recovery_codes(*who).await.expect("an answer");
            assert_eq!(left.expect("codes").unused, RECOVERY_CODES);
            let new = Password::parse("the second password").expect("valid");
            let code = old[0].to_string();
            let with_old = recover(&core.store, &hasher, (login, &code), &new).await;
            let used = usize::from(with_old.expect("an answer").is_some());
            let left = core.store.recovery_codes(*who).await.expect("an answer");
            assert_eq!(left.expect("codes").unused, RECOVERY_CODES - used);
        },
    )
    .await;
}
