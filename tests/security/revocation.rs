//! The session epoch, checked on every request: a revocation takes effect at once.

use crate::support::{PASSWORD, Person, Site, crowd};

/// Changes the password in the given browser.
async fn change_password(person: &Person) {
    let form = person.open("/settings").await.form("/settings/password");
    person
        .submit_accepted(
            &form
                .set("current_password", PASSWORD)
                .set("new_password", "another mountain lake"),
        )
        .await;
}

#[tokio::test]
async fn a_password_change_takes_effect_at_once_in_every_other_browser() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let (phone, tablet) = (
        Person::log_in(&site, "alice").await,
        Person::log_in(&site, "alice").await,
    );
    change_password(&desk).await;
    assert_eq!(
        (phone.is_logged_in().await, tablet.is_logged_in().await),
        (false, false)
    );
    assert!(
        desk.is_logged_in().await,
        "the browser that changed it stays logged in"
    );
}

#[tokio::test]
async fn a_form_opened_before_the_password_changed_does_nothing_afterwards() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let form = phone
        .open("/")
        .await
        .form("/statuses")
        .set("message", "by whoever stole the phone");
    change_password(&desk).await;
    phone.submit(&form).await;
    assert!(desk.home_ids().await.is_empty());
}

#[tokio::test]
async fn the_cookie_from_before_a_password_change_is_invalid_in_the_same_browser_too() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let copy = Person::visitor(&site);
    copy.cookies.replace(desk.cookies.all());
    change_password(&desk).await;
    assert!(!copy.is_logged_in().await);
}

#[tokio::test]
async fn logging_out_everywhere_takes_effect_at_once() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let form = phone
        .open("/")
        .await
        .form("/statuses")
        .set("message", "too late");
    let everywhere = desk
        .open("/settings/sessions")
        .await
        .form("/settings/sessions/revoke-all");
    desk.submit_accepted(&everywhere).await;
    phone.submit(&form).await;
    let again = Person::log_in(&site, "alice").await;
    assert!(again.home_ids().await.is_empty());
    assert!(!phone.is_logged_in().await);
}

/// A revocation also deletes the sessions, but a crash may prevent that. The epoch alone must
/// suffice.
#[tokio::test]
async fn a_session_of_an_earlier_epoch_is_invalid_although_it_is_stored() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "too late");
    let uid = crowd::uid(&site.store, "alice").await;
    site.redis
        .command(&["HSET", &format!("auth:{{{uid}}}"), "epoch", "another"]);
    alice.submit(&form).await;
    assert!(!alice.is_logged_in().await);
    assert!(
        Person::log_in(&site, "alice")
            .await
            .home_ids()
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn another_persons_sessions_are_out_of_reach() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let _phone = Person::log_in(&site, "alice").await;
    let hers = alice
        .open("/settings/sessions")
        .await
        .form("/settings/sessions/revoke");
    let mallory = Person::sign_up(&site, "mallory").await;
    let _other = Person::log_in(&site, "mallory").await;
    let mut form = mallory
        .open("/settings/sessions")
        .await
        .form("/settings/sessions/revoke");
    for (name, value) in hers.fields.iter().filter(|(name, _)| name != "csrf_token") {
        form = form.set(name, value);
    }
    mallory.submit(&form).await;
    assert!(_phone.is_logged_in().await);
    assert!(alice.is_logged_in().await);
}
