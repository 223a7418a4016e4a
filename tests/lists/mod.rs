//! Named lists of people: created, filled, read, renamed and deleted, and visible only to their
//! owner.

mod exclusive;
mod limits;
mod races;
mod zombies;

use futures_util::future::join_all;
use redwing::domain::StatusId;
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, crowd};

/// Creates a list through the site. Returns its path.
async fn make(person: &Person, name: &str) -> String {
    let form = person.open("/lists").await.form("/lists");
    let answer = person.submit_accepted(&form.set("name", name)).await;
    let path = answer.location().strip_suffix("/members");
    path.expect("the form to add people").to_owned()
}

async fn add(person: &Person, list: &str, login: &str) {
    person
        .submit_accepted(&add_form(person, list, login).await)
        .await;
}

async fn add_form(person: &Person, list: &str, login: &str) -> Form {
    let members = format!("{list}/members");
    let page = person.open(&members).await;
    page.form(&members).set("login", login)
}

async fn remove_form(person: &Person, list: &str) -> Form {
    let page = person.open(&format!("{list}/members")).await;
    page.form(&format!("{list}/members/remove"))
}

async fn edit(person: &Person, list: &str, name: &str, exclusive: bool) -> Page {
    let path = format!("{list}/edit");
    let mut form = person.open(&path).await.form(&path).set("name", name);
    form.fields.retain(|(field, _)| field != "exclusive");
    if exclusive {
        form.fields.push(("exclusive".into(), "1".into()));
    }
    person.submit_accepted(&form).await
}

async fn delete_form(person: &Person, list: &str) -> Form {
    let path = format!("{list}/delete");
    person.open(&path).await.form(&path)
}

async fn alice_and_bob(site: &Site) -> (Person, Person) {
    (
        Person::sign_up(site, "alice").await,
        Person::sign_up(site, "bob").await,
    )
}

#[tokio::test]
async fn a_list_shows_its_members_posts_followed_or_not() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let before = bob.post("from before").await;
    let list = make(&alice, "Neighbours").await;
    add(&alice, &list, "bob").await;
    let after = bob.post("from after").await;
    assert_eq!(alice.ids(&list).await, [after, before]);
    assert!(
        alice.home_ids().await.is_empty(),
        "alice does not follow bob"
    );
    bob.delete(after).await;
    assert_eq!(alice.ids(&list).await, [before], "before any worker ran");
    site.drain().await;
    let form = remove_form(&alice, &list).await;
    alice.submit_accepted(&form).await;
    assert!(alice.ids(&list).await.is_empty());
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_list_is_visible_only_to_its_owner() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let list = make(&alice, "Neighbours").await;
    for path in ["", "/members", "/edit", "/delete"] {
        let path = format!("{list}{path}");
        assert_eq!(alice.get(&path).await.status, StatusCode::OK, "{path}");
        assert_eq!(bob.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
        let visitor = Person::visitor(&site).get(&path).await;
        assert_eq!(visitor.status, StatusCode::SEE_OTHER, "{path}: to log in");
    }
    let theirs = add_form(&alice, &list, "bob").await;
    let own = bob.open("/lists").await.form("/lists");
    let forms = [
        theirs.clone(),
        Form {
            action: format!("{list}/members/remove"),
            ..theirs.clone()
        },
        Form {
            action: format!("{list}/edit"),
            ..own.clone()
        },
        Form {
            action: format!("{list}/delete"),
            ..own.clone()
        },
    ];
    for form in forms {
        let mut form = form;
        form.fields.retain(|(name, _)| name != "csrf_token");
        form.fields
            .push(("csrf_token".into(), own.value("csrf_token").to_owned()));
        let answer = bob.submit(&form).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{}", form.action);
    }
    assert!(
        !bob.open("/lists")
            .await
            .visible_text()
            .contains("Neighbours")
    );
    assert!(
        !bob.open("/@alice")
            .await
            .visible_text()
            .contains("Neighbours")
    );
}

#[tokio::test]
async fn a_profile_shows_and_changes_the_viewers_lists_with_that_person() {
    let site = Site::start().await;
    let (alice, _bob) = alice_and_bob(&site).await;
    assert!(
        alice
            .open("/@bob")
            .await
            .has(".add-to-list a[href=\"/lists\"]")
    );
    let list = make(&alice, "Neighbours").await;
    let members = format!("{list}/members");
    let profile = alice.open("/@bob").await;
    let answer = alice.submit_accepted(&profile.form(&members)).await;
    assert_eq!(answer.location(), "/@bob", "back to the page of the button");
    let profile = alice.open("/@bob").await;
    assert_eq!(profile.texts(".add-to-list .badge"), ["Added"]);
    let remove = profile.form(&format!("{members}/remove"));
    alice.submit_accepted(&remove).await;
    assert!(!alice.open("/@bob").await.has(".add-to-list .badge"));
    assert!(
        !Person::visitor(&site)
            .open("/@bob")
            .await
            .has(".add-to-list")
    );
}

#[tokio::test]
async fn a_form_sent_many_times_creates_one_list() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/lists").await.form("/lists").set("name", "One");
    let answers = join_all((0..8).map(|_| alice.submit(&form))).await;
    for answer in &answers {
        assert_eq!(answer.location(), "/lists/1/members");
    }
    assert_eq!(alice.open("/lists").await.texts(".lists a"), ["One"]);
    let other = alice.submit(&form.set("name", "Two")).await;
    assert_eq!(other.status, StatusCode::CONFLICT);
    assert_eq!(other.form("/lists").value("name"), "Two");
}

#[tokio::test]
async fn a_list_whose_answer_was_lost_is_not_created_again_from_a_page_loaded_anew() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let cookies = alice.cookies.all();
    for _ in 0..2 {
        alice.cookies.replace(cookies.clone());
        let form = alice.open("/lists").await.form("/lists").set("name", "One");
        let answer = alice.submit_accepted(&form).await;
        assert_eq!(answer.location(), "/lists/1/members");
    }
    assert_eq!(alice.open("/lists").await.texts(".lists a"), ["One"]);
    let form = alice.open("/lists").await.form("/lists").set("name", "One");
    alice.submit_accepted(&form).await;
    assert_eq!(alice.open("/lists").await.texts(".lists a"), ["One", "One"]);
}

#[tokio::test]
async fn a_list_whose_answer_was_lost_can_be_created_again_after_it_was_renamed_or_deleted() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let send_without_answer = async || {
        let cookies = alice.cookies.all();
        let form = alice.open("/lists").await.form("/lists").set("name", "One");
        let answer = alice.submit_accepted(&form).await;
        alice.cookies.replace(cookies);
        answer.location().to_owned()
    };
    assert_eq!(send_without_answer().await, "/lists/1/members");
    let form = phone.open("/lists/1/edit").await.form("/lists/1/edit");
    phone.submit_accepted(&form.set("name", "Other")).await;
    assert_eq!(send_without_answer().await, "/lists/2/members");
    let form = phone.open("/lists/2/delete").await.form("/lists/2/delete");
    phone.submit_accepted(&form).await;
    assert_eq!(send_without_answer().await, "/lists/3/members");
    assert_eq!(send_without_answer().await, "/lists/3/members");
}

#[tokio::test]
async fn the_form_of_a_list_that_was_renamed_or_deleted_is_not_answered_as_created() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/lists").await.form("/lists").set("name", "One");
    let first = alice.submit_accepted(&form).await;
    assert_eq!(first.location(), "/lists/1/members");
    edit(&alice, "/lists/1", "Other", false).await;
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let form = refused.form("/lists");
    assert_eq!(form.value("name"), "One");
    for _ in 0..2 {
        let second = alice.submit_accepted(&form).await;
        assert_eq!(second.location(), "/lists/2/members");
    }
    alice
        .submit_accepted(&delete_form(&alice, "/lists/2").await)
        .await;
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let third = alice.submit_accepted(&refused.form("/lists")).await;
    assert_eq!(third.location(), "/lists/3/members");
    assert_eq!(
        alice.open("/lists").await.texts(".lists a"),
        ["One", "Other"]
    );
}

#[tokio::test]
async fn an_open_form_of_a_list_leaves_what_another_device_saved_meanwhile() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let path = format!("{}/edit", make(&alice, "Neighbours").await);
    let former = phone.open(&path).await.form(&path);
    edit(&alice, "/lists/1", "Neighbours", true).await;
    let refused = phone.submit(&former.set("name", " ")).await;
    let former = refused.form(&path).set("name", "Boats");
    phone.submit_accepted(&former).await;
    let saved = alice.open(&path).await.form(&path);
    assert_eq!(saved.value("name"), "Boats");
    assert_eq!(saved.value("exclusive"), "1");
    alice.submit_accepted(&saved.without("exclusive")).await;
    let saved = alice.open(&path).await.form(&path);
    assert!(saved.fields.iter().all(|(field, _)| field != "exclusive"));
    site.assert_sound().await;
}

#[tokio::test]
async fn a_name_that_two_devices_changed_is_overwritten_by_a_second_save() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let path = format!("{}/edit", make(&alice, "Neighbours").await);
    let former = phone.open(&path).await.form(&path);
    edit(&alice, "/lists/1", "Friends", true).await;
    let conflict = phone.submit(&former.set("name", "Boats")).await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    let error = conflict.text("#name-error");
    assert!(error.contains("It is now “Friends”."), "{error}");
    assert_eq!(alice.open("/lists/1").await.text("h1"), "Friends");
    let again = conflict.form(&path);
    assert_eq!(again.value("name"), "Boats");
    phone.submit_accepted(&again).await;
    let saved = alice.open(&path).await.form(&path);
    assert_eq!(saved.value("name"), "Boats");
    assert_eq!(saved.value("exclusive"), "1");
    site.assert_sound().await;
}

#[tokio::test]
async fn the_name_of_a_list_that_was_deleted_meanwhile_is_in_the_form_of_a_new_one() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let list = make(&alice, "Neighbours").await;
    let path = format!("{list}/edit");
    let form = alice.open(&path).await.form(&path).set("name", "Boats");
    let delete = format!("{list}/delete");
    let delete = alice.open(&delete).await.form(&delete);
    alice.submit_accepted(&delete).await;
    for _ in 0..2 {
        let answer = alice.submit(&form).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert_eq!(answer.text("h1"), "This list was deleted");
        let again = answer.form("/lists");
        assert_eq!(again.value("name"), "Boats");
        alice.submit_accepted(&again).await;
    }
    assert_eq!(alice.open("/lists").await.texts(".lists a"), ["Boats"]);
}

#[tokio::test]
async fn an_invalid_name_is_returned_with_the_reason() {
    let site = Site::with(&["--max-lists", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/lists").await.form("/lists");
    let long = "x".repeat(51);
    for (name, words) in [(" ", "Enter a name"), (&long, "At most 50 characters")] {
        let answer = alice.submit(&form.clone().set("name", name)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text("#name-error").contains(words), "{name}");
        assert_eq!(answer.form("/lists").value("name"), name);
    }
    make(&alice, "The only one").await;
    let form = alice.open("/lists").await.form("/lists");
    let answer = alice.submit(&form.set("name", "One more")).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text("#name-error").contains("the limit of 1 lists"));
    assert_eq!(answer.form("/lists").value("name"), "One more");
}

#[tokio::test]
async fn a_login_that_cannot_be_added_is_returned_with_the_reason() {
    let site = Site::with(&["--max-list-members", "1"]).await;
    let (alice, _bob) = alice_and_bob(&site).await;
    let list = make(&alice, "Small").await;
    for (login, words) in [
        ("nobody", "No account has this login"),
        ("a b", "No account has this login"),
    ] {
        let form = add_form(&alice, &list, login).await;
        let answer = alice.submit(&form).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text("#login-error").contains(words));
        assert_eq!(answer.form(&form.action).value("login"), login);
    }
    add(&alice, &list, "@BOB").await;
    let form = add_form(&alice, &list, "alice").await;
    let answer = alice.submit(&form).await;
    assert!(
        answer
            .text("#login-error")
            .contains("the limit of 1 people")
    );
    add(&alice, &list, "bob").await;
}

#[tokio::test]
async fn a_deleted_list_is_gone_and_its_number_is_not_used_again() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let list = make(&alice, "First").await;
    add(&alice, &list, "bob").await;
    let form = delete_form(&alice, &list).await;
    for time in ["once", "twice"] {
        let answer = alice.submit_accepted(&form).await;
        assert_eq!(answer.location(), "/lists", "{time}");
    }
    bob.post("to nobody").await;
    assert_eq!(alice.get(&list).await.status, StatusCode::NOT_FOUND);
    assert_eq!(make(&alice, "Second").await, "/lists/2");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_list_continues_below_its_floor_and_is_refilled_when_short() {
    let site = Site::with(&["--home-size", "40"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let authors = crowd::people(&site.store, "author", 3).await;
    let list = make(&alice, "Many").await;
    let mut posted = [const { Vec::new() }; 3];
    for _ in 0..3 {
        for (at, author) in authors.iter().enumerate() {
            posted[at].extend(crowd::posts(&site.store, *author, 15).await);
        }
    }
    for number in 0..3 {
        add(&alice, &list, &format!("author_{number}")).await;
    }
    let newest_first = |some: &[Vec<StatusId>]| {
        let mut ids: Vec<u64> = some.concat().iter().map(|id| id.get()).collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids
    };
    assert_eq!(alice.ids(&list).await, newest_first(&posted));
    let pages = alice.pages(&list).await;
    assert!(pages[..4].iter().all(|page| page.status_ids().len() == 30));
    let form = remove_form(&alice, &list).await;
    assert_eq!(form.value("login"), "author_2", "newest first");
    alice.submit_accepted(&form).await;
    for time in ["at once", "refilled"] {
        assert_eq!(alice.ids(&list).await, newest_first(&posted[..2]), "{time}");
        site.drain().await;
        site.assert_sound().await;
    }
}

#[tokio::test]
async fn a_list_is_whole_again_after_a_long_absence() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let list = make(&alice, "Seldom").await;
    add(&alice, &list, "bob").await;
    alice.open(&list).await;
    let uid = crowd::uid(&site.store, "alice").await;
    site.redis
        .command(&["DEL", &format!("list:{{{uid}}}:1:active")]);
    let id = bob.post("meanwhile").await;
    assert_eq!(alice.ids(&list).await, [id]);
    site.assert_sound().await;
}
