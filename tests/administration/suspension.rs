//! Suspending people in the browser: who may suspend whom, and what the person and the log are told.

use reqwest::StatusCode;

use super::output_of;
use crate::support::{Form, Person, Site};

const PERSON: &str = "/admin/people/bob";
const SUSPEND: &str = "/admin/people/bob/suspend";
const RESTORE: &str = "/admin/people/bob/restore";

/// Alice with a role, and bob.
async fn two(site: &Site, role: &str) -> [Person; 2] {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    output_of(site, &["role", "alice", role]);
    [alice, bob]
}

async fn suspend_form(person: &Person) -> Form {
    person.open(SUSPEND).await.form(SUSPEND)
}

async fn log_of(person: &Person) -> Vec<String> {
    let page = person.open("/admin").await;
    page.texts(".log p[dir]")
}

#[tokio::test]
async fn a_moderator_suspends_a_person_and_ends_the_suspension() {
    let site = Site::start().await;
    let [alice, bob] = two(&site, "moderator").await;
    let id = bob.post("of bob").await;
    let links = alice.open(PERSON).await.attributes("main a", "href");
    assert!(links.contains(&SUSPEND.to_owned()), "{links:?}");
    let form = suspend_form(&alice).await.set("reason", "Spam <b>.");
    alice.submit_accepted(&form).await;
    let page = alice.open(PERSON).await;
    assert_eq!(page.text("#suspended span"), "Spam <b>.");

    assert!(!bob.is_logged_in().await, "sessions end at once");
    let visitor = Person::visitor(&site);
    for path in ["/@bob".to_owned(), format!("/@bob/{id}")] {
        assert_eq!(visitor.get(&path).await.status, StatusCode::NOT_FOUND);
    }
    let bob = Person::log_in(&site, "bob").await;
    assert!(bob.open("/").await.visible_text().contains("Spam <b>."));

    let restore = alice.open(PERSON).await.form(RESTORE);
    for _ in 0..2 {
        alice.submit_accepted(&restore).await;
    }
    assert_eq!(bob.open("/@bob").await.messages(), ["of bob"]);
    let expected = [
        "@alice ended the suspension of @bob",
        "@alice suspended @bob: Spam <b>.",
    ];
    assert_eq!(log_of(&alice).await[..2], expected);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_suspension_needs_a_reason_and_gives_back_the_text() {
    let site = Site::start().await;
    let [alice, bob] = two(&site, "owner").await;
    let form = suspend_form(&alice).await;
    let long = "x".repeat(501);
    for reason in [" ", &long] {
        let refused = alice.submit(&form.clone().set("reason", reason)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.has("#reason-error"));
    }
    let forged = form.set("reason", "Spam.").set("csrf_token", "forged");
    let refused = alice.submit(&forged).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(refused.attributes("#reason", "value"), ["Spam."]);
    assert!(bob.is_logged_in().await);
    assert_eq!(log_of(&alice).await.len(), 1, "only the role of alice");
}

#[tokio::test]
async fn only_owners_and_moderators_suspend_and_only_people_below_them() {
    let site = Site::start().await;
    let [alice, _] = two(&site, "owner").await;
    let suspend = suspend_form(&alice).await.set("reason", "Spam.");
    let roles = ["owner", "moderator", "welcomer", "none"];
    let permitted = [
        [false, true, true, true],
        [false, false, true, true],
        [false; 4],
        [false; 4],
    ];
    for (role, row) in roles.into_iter().zip(permitted) {
        for (of_bob, is_permitted) in roles.into_iter().zip(row) {
            output_of(&site, &["role", "alice", role]);
            output_of(&site, &["role", "bob", of_bob]);
            let seen = alice.get(SUSPEND).await.status;
            let answer = alice.submit(&suspend).await.status;
            let bob = Person::log_in(&site, "bob").await;
            let is_suspended = bob.get("/").await.status == StatusCode::SEE_OTHER;
            assert_eq!(is_suspended, is_permitted, "{role} {of_bob}");
            let expected = match is_permitted {
                true => [StatusCode::OK, StatusCode::SEE_OTHER],
                false => [StatusCode::FORBIDDEN; 2],
            };
            assert_eq!([seen, answer], expected, "{role} {of_bob}");
            if is_suspended {
                output_of(&site, &["restore", "bob"]);
            }
        }
    }
}

#[tokio::test]
async fn nobody_suspends_a_person_who_does_not_exist() {
    let site = Site::start().await;
    let [alice, _] = two(&site, "moderator").await;
    for path in ["/admin/people/carol", "/admin/people/carol/suspend"] {
        assert_eq!(alice.get(path).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn two_moderators_suspend_one_person_at_once() {
    let site = Site::start().await;
    let [alice, bob] = two(&site, "moderator").await;
    let carol = Person::sign_up(&site, "carol").await;
    output_of(&site, &["role", "carol", "moderator"]);
    let by_alice = suspend_form(&alice).await.set("reason", "Spam.");
    let by_carol = suspend_form(&carol).await.set("reason", "Noise.");
    let (of_alice, of_carol) = tokio::join!(alice.submit(&by_alice), carol.submit(&by_carol));
    let is_by_alice = of_alice.status == StatusCode::SEE_OTHER;
    assert_ne!(
        is_by_alice,
        of_carol.status == StatusCode::SEE_OTHER,
        "one acts"
    );
    assert!(!bob.is_logged_in().await);
    let reason = alice.open(PERSON).await.text("#suspended span");
    assert_eq!(reason, if is_by_alice { "Spam." } else { "Noise." });
    let restore = carol.open(PERSON).await.form(RESTORE);
    carol.submit_accepted(&restore).await;
    assert_eq!(
        Person::visitor(&site).get("/@bob").await.status,
        StatusCode::OK
    );
    assert_eq!(log_of(&alice).await.len(), 4);
    site.drain().await;
    site.assert_sound().await;
}
