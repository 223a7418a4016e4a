//! Author preferences: seeing more or less of a person.

use reqwest::StatusCode;

use super::{ImportantHome, reasons};
use crate::support::{Form, Page, Person, Site, crowd};

/// Returns the form of a profile as the button with that value submits it.
fn pressed(profile: &Page, login: &str, preference: &str) -> Form {
    let mut form = profile
        .form(&format!("/@{login}/preference"))
        .without("preference");
    form.fields
        .push(("preference".to_owned(), preference.to_owned()));
    form
}

async fn set_preference(person: &Person, login: &str, preference: &str) -> Page {
    let profile = person.open(&format!("/@{login}")).await;
    person
        .submit_accepted(&pressed(&profile, login, preference))
        .await
}

/// Returns the pressed preference buttons of a profile.
fn pressed_buttons(profile: &Page) -> Vec<String> {
    profile.attributes(".author-preference [aria-pressed=true]", "value")
}

#[tokio::test]
async fn more_raises_less_lowers_and_the_reasons_name_it() {
    let reading = ImportantHome::start().await;
    for friend in 0..3 {
        reading.posted(friend, &format!("of {friend}")).await;
    }
    let alice = &reading.alice;
    let answer = set_preference(alice, "friend_0", "more").await;
    assert_eq!(answer.location(), "/@friend_0");
    set_preference(alice, "friend_2", "less").await;
    let page = reading.important().await;
    assert_eq!(page.messages(), ["of 0", "of 1", "of 2"]);
    assert_eq!(
        reasons(&page),
        [
            "You asked to see more of friend_0",
            "New",
            "You asked to see less of friend_2"
        ]
    );
    assert_eq!(pressed_buttons(&alice.open("/@friend_0").await), ["more"]);
    assert_eq!(pressed_buttons(&alice.open("/@friend_1").await), ["normal"]);
    set_preference(alice, "friend_0", "normal").await;
    assert_eq!(pressed_buttons(&alice.open("/@friend_0").await), ["normal"]);
    set_preference(alice, "friend_2", "more").await;
    assert_eq!(reading.important().await.messages()[0], "of 2");
    reading.site.drain().await;
    reading.site.assert_sound().await;
}

#[tokio::test]
async fn the_profile_shows_the_preference() {
    let reading = ImportantHome::start().await;
    for (preference, words) in [
        (
            "more",
            "Important shows posts by @friend_0 higher from now on.",
        ),
        (
            "less",
            "Important shows posts by @friend_0 lower from now on.",
        ),
        (
            "normal",
            "Important shows posts by @friend_0 by their normal score.",
        ),
    ] {
        set_preference(&reading.alice, "friend_0", preference).await;
        assert_eq!(reading.alice.open("/@friend_0").await.text(".flash"), words);
    }
}

#[tokio::test]
async fn a_preference_is_visible_only_to_its_owner() {
    let reading = ImportantHome::start().await;
    set_preference(&reading.alice, "friend_0", "less").await;
    let other = Person::sign_up(&reading.site, "other").await;
    other.follow("friend_0").await;
    assert_eq!(pressed_buttons(&other.open("/@friend_0").await), ["normal"]);
    let visitor = Person::visitor(&reading.site);
    assert!(!visitor.open("/@friend_0").await.has(".author-preference"));
}

#[tokio::test]
async fn a_preference_ends_with_the_follow() {
    let reading = ImportantHome::start().await;
    set_preference(&reading.alice, "friend_0", "more").await;
    reading.alice.unfollow("friend_0").await;
    assert!(
        !reading
            .alice
            .open("/@friend_0")
            .await
            .has(".author-preference")
    );
    reading.alice.follow("friend_0").await;
    assert_eq!(
        pressed_buttons(&reading.alice.open("/@friend_0").await),
        ["normal"]
    );
}

#[tokio::test]
async fn preferences_need_a_followed_author_and_a_valid_value() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    crowd::member(&site.store, "bob").await;
    assert!(!alice.open("/@bob").await.has(".author-preference"));
    assert!(!alice.open("/@alice").await.has(".author-preference"));
    alice.follow("bob").await;
    let profile = alice.open("/@bob").await;
    for preference in ["", "most", "more "] {
        let answer = alice.submit(&pressed(&profile, "bob", preference)).await;
        assert!(
            answer.status.is_client_error(),
            "{preference:?}: {}",
            answer.status
        );
    }
    alice.unfollow("bob").await;
    let answer = alice.submit(&pressed(&profile, "bob", "more")).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    answer.assert_helpful();
    site.drain().await;
    site.assert_sound().await;
}
