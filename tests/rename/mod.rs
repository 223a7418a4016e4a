//! The change of a login: the old one leads to the person, and everything follows.

mod races;

use redwing::{
    actions::rename::{Rename, change_login},
    domain::{Login, UserId},
};
use reqwest::StatusCode;

use crate::support::{Form, PASSWORD, Page, Person, Site, core::Core, crowd};

/// Returns the form that changes the login, filled in.
async fn rename_form(person: &Person, login: &str) -> Form {
    let form = person.open("/settings/login").await.form("/settings/login");
    form.set("login", login).set("current_password", PASSWORD)
}

/// Sends the form that changes the login.
pub async fn rename(person: &Person, login: &str) -> Page {
    person.submit(&rename_form(person, login).await).await
}

/// Lets the last change of the login be so long ago that another is possible.
fn forget_last_change(site: &Site, person: UserId) {
    let key = format!("user:{{{person}}}");
    site.redis.command(&["HSET", &key, "renamed", "5"]);
}

/// Lets the year after the last change be over.
fn end_redirect(site: &Site, person: UserId, old: &str) {
    let key = format!("user:{{{person}}}");
    let value = format!("\"{old}\\x205\"");
    site.redis.command(&["HSET", &key, "former_logins", &value]);
}

async fn error(person: &Person, login: &str) -> String {
    let answer = rename(person, login).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.form("/settings/login").value("login"), login);
    assert_eq!(answer.attributes("[aria-invalid=true]", "name"), ["login"]);
    answer.text("#login-error")
}

#[tokio::test]
async fn the_old_login_redirects_to_the_new_one_everywhere() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.follow("alice").await;
    let post = alice.post("of alice #rename").await;
    let theirs = bob.post("hello @Alice").await;
    alice.reply(theirs, "an answer").await;
    let phone = Person::log_in(&site, "alice").await;
    site.drain().await;

    let changed = rename(&alice, "@Robin_7").await;
    assert_eq!(
        (changed.status, changed.location()),
        (StatusCode::SEE_OTHER, "/settings/login")
    );
    let page = alice.open("/settings/login").await;
    let text = page.visible_text();
    assert!(text.contains("Your login is now @Robin_7."), "{text}");
    assert!(text.contains("@alice leads to you until"), "{text}");
    assert!(text.contains("You can change it again on"), "{text}");
    assert!(
        !page.has("input[name=login]"),
        "there is no form until then"
    );

    // Links to the old login lead to the new one, with what is behind it.
    for (old, new) in [
        ("/@alice".to_owned(), "/@Robin_7".to_owned()),
        (
            "/@ALICE/replies?before=9".to_owned(),
            "/@Robin_7/replies?before=9".to_owned(),
        ),
        (format!("/@alice/{post}"), format!("/@Robin_7/{post}")),
        (
            "/@alice/followers".to_owned(),
            "/@Robin_7/followers".to_owned(),
        ),
    ] {
        for visitor in [&bob, &Person::visitor(&site)] {
            let answer = visitor.get(&old).await;
            let redirect = (answer.status, answer.location());
            assert_eq!(redirect, (StatusCode::PERMANENT_REDIRECT, &*new));
        }
    }
    // Cards, lists of people, search and both sessions have the new login at once.
    for path in [
        "/",
        "/tags/rename",
        "/search?q=%23rename",
        &format!("/@Robin_7/{post}"),
    ] {
        let page = bob.open(path).await;
        assert!(page.has(&format!("a[href=\"/@Robin_7/{post}\"]")), "{path}");
        assert!(!page.html.contains("/@alice"), "{path}");
    }
    let found = bob.open("/search?q=robin_7").await;
    assert!(found.has(".person a[href=\"/@Robin_7\"]"));
    for session in [&alice, &phone] {
        assert!(session.open("/").await.has("a[href=\"/@Robin_7\"]"));
    }
    // Old mentions still notify, and the text is as it was.
    let notifications = phone.open("/notifications").await.visible_text();
    assert!(notifications.contains("hello @Alice"), "{notifications}");
    assert!(
        phone
            .open("/mentions")
            .await
            .visible_text()
            .contains("hello @Alice")
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_new_mention_and_a_log_in_by_the_old_login_reach_the_person() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    rename(&alice, "robin").await;
    let uid = crowd::uid(&site.store, "robin").await;
    bob.post("do you read this, @alice?").await;
    let mentions = alice.open("/mentions").await.visible_text();
    assert!(mentions.contains("do you read this"), "{mentions}");
    let notifications = alice.open("/notifications").await.visible_text();
    assert!(
        notifications.contains("do you read this"),
        "{notifications}"
    );
    let visitor = Person::visitor(&site);
    let entered = visitor.send_log_in("alice", PASSWORD).await;
    assert_eq!(entered.status, StatusCode::SEE_OTHER);
    assert!(visitor.open("/").await.has("a[href=\"/@robin\"]"));
    // A button on a page that was loaded before works.
    let mut follow = bob.open("/@robin").await.form("/@robin/follow");
    follow.action = "/@alice/follow".to_owned();
    bob.submit_accepted(&follow).await;
    assert!(
        bob.open("/@robin")
            .await
            .has("form[action=\"/@robin/unfollow\"]")
    );

    // After the year it leads nowhere, and no one else can have it.
    end_redirect(&site, uid, "alice");
    assert_eq!(bob.get("/@alice").await.status, StatusCode::NOT_FOUND);
    bob.post("and this, @alice?").await;
    assert!(
        !alice
            .open("/mentions")
            .await
            .visible_text()
            .contains("and this")
    );
    let taken = Person::visitor(&site).send_sign_up("alice").await;
    assert_eq!(taken.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = alice.open("/settings/login").await.visible_text();
    assert!(text.contains("@alice is reserved for you."), "{text}");
    // Its person can.
    forget_last_change(&site, uid);
    let back = rename(&alice, "alice").await;
    assert_eq!(back.status, StatusCode::SEE_OTHER, "{}", back.html);
    assert_eq!(bob.get("/@alice").await.status, StatusCode::OK);
    assert_eq!(bob.get("/@robin").await.location(), "/@alice");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_refused_login_is_explained_and_changes_nothing() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    rename(&bob, "rob").await;
    for (login, sentence) in [
        ("", "Choose a login."),
        ("no login", "A login can only have letters"),
        ("settings", "This login is reserved."),
        ("admin", "This login is reserved."),
        ("rob", "This login is taken."),
        ("BOB", "This login is taken."),
        ("alice", "This is your login already."),
    ] {
        let error = error(&alice, login).await;
        assert!(error.contains(sentence), "{login}: {error}");
    }
    let form = rename_form(&alice, "robin").await;
    let wrong = alice.submit(&form.set("current_password", "a guess")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        wrong
            .visible_text()
            .contains("This is not your current password.")
    );
    assert_eq!(alice.get("/@robin").await.status, StatusCode::NOT_FOUND);
    // Another spelling of the own login is no former login.
    let spelled = rename(&alice, "Alice").await;
    assert_eq!(spelled.status, StatusCode::SEE_OTHER);
    assert_eq!(bob.get("/@alice").await.location(), "/@Alice");
    assert!(!alice.open("/settings/login").await.has("#former-title"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_second_change_waits_for_the_time_of_the_setting() {
    let site = Site::with(&["--rename-days", "2"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = rename_form(&alice, "rob").await;
    rename(&alice, "robin").await;
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains("once in 2 days"));
    let uid = crowd::uid(&site.store, "robin").await;
    let day_ms = 86_400_000;
    let now = site.store.now().await.expect("a time").0;
    let key = format!("user:{{{uid}}}");
    for (ago_ms, is_accepted) in [(2 * day_ms - 60_000, false), (2 * day_ms + 60_000, true)] {
        let at = (now - ago_ms).to_string();
        site.redis.command(&["HSET", &key, "renamed", &at]);
        let answer = alice.submit(&form).await;
        assert_eq!(
            answer.status == StatusCode::SEE_OTHER,
            is_accepted,
            "{ago_ms}"
        );
    }
    for old in ["alice", "robin"] {
        assert_eq!(alice.get(&format!("/@{old}")).await.location(), "/@rob");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_logins_of_a_deleted_person_stay_reserved() {
    let core = Core::start();
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    let robin = Login::parse("robin").expect("valid");
    let renamed = change_login(store, alice, &robin).await;
    assert_eq!(renamed.expect("an answer"), Rename::Renamed);
    core.drain().await;
    let deleted = redwing::actions::account_states::delete(store, alice).await;
    deleted.expect("an answer");
    core.drain().await;
    for login in ["alice", "robin"] {
        let login = Login::parse(login).expect("valid");
        let holder = store.login_holder(&login).await.expect("an answer");
        assert_eq!(holder, redwing::store::LoginHolder::Reserved);
    }
    core.assert_sound().await;
}
