//! Finding people by the beginning of their login, or of any word of their name.

use redwing::{
    actions::accounts,
    domain::{Bio, DisplayName},
};

use super::{found, path};
use crate::support::{Person, Site, crowd};

async fn logins(site: &Site, who: &Person, query: &str) -> Vec<String> {
    found(site, who, query).await.texts(".person .p-nickname")
}

/// Creates a user with a login and a name.
async fn named(site: &Site, login: &str, name: &str) {
    let id = crowd::member(&site.store, login).await;
    let (name, bio) = (
        DisplayName::parse(name).expect("valid"),
        Bio::parse("").expect("valid"),
    );
    let edited = accounts::edit_profile(&site.store, id, &name, &bio).await;
    edited.expect("an answer");
}

#[tokio::test]
async fn the_beginning_of_any_word_finds_a_person() {
    let site = Site::start().await;
    named(&site, "ada_l", "Augusta Ada King-Noel").await;
    named(&site, "grace", "Grâce Höpper").await;
    named(&site, "taro", "山田太郎").await;
    let visitor = Person::visitor(&site);
    for (query, login) in [
        ("ada", "ada_l"),
        ("@ada_", "ada_l"),
        ("aug king", "ada_l"),
        ("NOEL", "ada_l"),
        ("hop", "grace"),
        ("GRACE höpp", "grace"),
        ("山田", "taro"),
        ("太", "taro"),
    ] {
        assert_eq!(logins(&site, &visitor, query).await, [login], "{query}");
    }
    for query in ["usta", "aug grace", "ada #tag", "ada after:2026-01-01", "_"] {
        assert!(logins(&site, &visitor, query).await.is_empty(), "{query}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_new_name_is_found_at_once_and_the_old_one_is_not() {
    let site = Site::start().await;
    let robin = Person::sign_up(&site, "robin").await;
    assert_eq!(logins(&site, &robin, "tests").await, ["robin"]);
    let form = robin.open("/settings").await.form("/settings/profile");
    robin
        .submit_accepted(&form.set("name", "Wren of the tests"))
        .await;
    assert_eq!(logins(&site, &robin, "wren").await, ["robin"]);
    let form = robin.open("/settings").await.form("/settings/profile");
    robin.submit_accepted(&form.set("name", "Finch")).await;
    assert!(logins(&site, &robin, "wren").await.is_empty());
    assert_eq!(logins(&site, &robin, "fin").await, ["robin"]);
    let left = site.store.names_after('w', None).await;
    assert!(left.expect("an answer").is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn whole_words_come_first_then_the_most_followed_and_ten_at_most() {
    let site = Site::start().await;
    let people = crowd::people(&site.store, "robinson", 12).await;
    let robin = crowd::member(&site.store, "robin").await;
    for star in [people[11], people[4]] {
        crowd::follow(&site.store, robin, star).await;
    }
    crowd::follow(&site.store, people[0], people[4]).await;
    let visitor = Person::visitor(&site);
    let found = logins(&site, &visitor, "robin").await;
    assert_eq!(found[..3], ["robin", "robinson_4", "robinson_11"]);
    assert_eq!(found.len(), 10);
}

#[tokio::test]
async fn a_user_can_follow_people_from_the_results() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    Person::sign_up(&site, "bob").await;
    let form = found(&site, &alice, "bob").await.form("/@bob/follow");
    let answer = alice.submit_accepted(&form).await;
    assert_eq!(answer.location(), path("bob"));
    assert!(
        alice
            .open(&path("bob"))
            .await
            .has("form[action=\"/@bob/unfollow\"]")
    );
}
