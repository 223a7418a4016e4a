//! Edits: for 15 minutes an author can replace the text of a post. Earlier versions stay readable.

mod deleted;
mod races;

use redwing::domain::Message;
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, crowd};

fn edit_path(id: u64) -> String {
    format!("/statuses/{id}/edit")
}

async fn edit_form(person: &Person, id: u64) -> Form {
    person.open(&edit_path(id)).await.form(&edit_path(id))
}

async fn submit_edit(person: &Person, id: u64, message: &str) -> Page {
    let form = edit_form(person, id).await.set("message", message);
    person.submit_accepted(&form).await
}

/// Makes the status this many minutes older.
fn age(site: &Site, id: u64, minutes: u64) {
    let key = format!("status:{{{id}}}");
    let back = format!("-{}", minutes * 60_000);
    site.redis.command(&["HINCRBY", &key, "posted", &back]);
}

/// Returns the versions of a post, newest first.
async fn versions(person: &Person, login: &str, id: u64) -> Vec<String> {
    let page = person.open(&format!("/@{login}/{id}/versions")).await;
    page.texts(".versions .version-text")
}

#[tokio::test]
async fn an_edited_post_keeps_its_place_and_is_marked_as_edited() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.follow("alice").await;
    let id = alice.post("Helo wrold").await;
    let later = alice.post("another").await;
    let link = format!("a[href=\"{}\"]", edit_path(id));
    assert!(alice.open_menu("/", id).await.has(&link));
    assert!(!bob.open_menu("/", id).await.has(&link));
    let answer = submit_edit(&alice, id, "Hello world").await;
    assert_eq!(answer.location(), format!("/@alice/{id}"));
    let updated_page = alice.open(answer.location()).await;
    assert_eq!(updated_page.text(".flash"), "Your post was updated.");
    for path in ["/", "/@alice"] {
        let page = bob.open(path).await;
        assert_eq!(page.status_ids(), [later, id], "{path}");
        assert_eq!(page.messages(), ["another", "Hello world"], "{path}");
        let said = page.texts(".edited");
        assert_eq!(said, ["Edited now"], "{path}");
        assert_eq!(page.count("time.dt-updated"), 1);
        let leads_to = page.attributes(".edited a", "href");
        assert_eq!(leads_to, [format!("/@alice/{id}/versions")]);
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn every_reader_of_a_post_can_read_its_versions() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("one <b>").await;
    submit_edit(&alice, id, "two").await;
    let form = edit_form(&alice, id).await.set("message", "three");
    alice.submit_accepted(&form.set("warning", "Careful")).await;
    submit_edit(&alice, id, "four").await;
    let visitor = Person::visitor(&site);
    let said = versions(&visitor, "alice", id).await;
    assert_eq!(said, ["four", "three", "two", "one <b>"]);
    let page = visitor.open(&format!("/@alice/{id}/versions")).await;
    assert_eq!(page.texts("main details > summary"), ["Careful", "Careful"]);
    let times = page.attributes(".versions time", "datetime");
    assert!(
        times.is_sorted_by(|newer, older| newer >= older),
        "{times:?}"
    );
    Person::sign_up(&site, "bob").await;
    for path in [
        format!("/@bob/{id}/versions"),
        "/@alice/4096/versions".into(),
    ] {
        assert_eq!(visitor.get(&path).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn an_unedited_post_has_one_version() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("right at once").await;
    assert_eq!(versions(&alice, "alice", id).await, ["right at once"]);
    assert!(!alice.open("/").await.has(".edited"));
}

#[tokio::test]
async fn a_post_from_before_the_limit_of_bytes_is_readable_and_an_edit_makes_it_shorter() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("short").await;
    let long = "e\u{301}\u{302}\u{303}\u{304}".repeat(480);
    assert!(long.len() > Message::MAX_BYTES);
    let key = format!("status:{{{id}}}");
    site.redis.command(&["HSET", &key, "message", &long]);
    assert_eq!(alice.open("/").await.messages(), [long.as_str()]);
    let form = edit_form(&alice, id).await;
    assert_eq!(form.value("message"), long);
    let refused = alice.submit(&form.clone().set("warning", "Marks")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = "This is longer than 4096 bytes.";
    assert_eq!(refused.text("#message-error"), words);
    assert_eq!(refused.form(&edit_path(id)).value("message"), long);
    alice.submit_accepted(&form.set("message", "shorter")).await;
    assert_eq!(alice.open("/").await.messages(), ["shorter"]);
}

#[tokio::test]
async fn after_fifteen_minutes_an_edit_is_refused_and_its_text_preserved() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("Helo").await;
    age(&site, id, 14);
    let form = edit_form(&alice, id).await.set("message", "Hello");
    age(&site, id, 1);
    let answer = alice.submit(&form).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.form(&edit_path(id)).value("message"), "Hello");
    assert!(answer.text("#message-error").contains("15 minutes"));
    assert_eq!(alice.open("/").await.messages(), ["Helo"]);
    let link = format!("a[href=\"{}\"]", edit_path(id));
    assert!(!alice.open("/").await.has(&link));
    let form = alice.get(&edit_path(id)).await;
    assert_eq!(form.status, StatusCode::UNPROCESSABLE_ENTITY);
    form.assert_helpful();
}

#[tokio::test]
async fn only_the_author_can_edit_and_only_a_living_post() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = alice.post("mine").await;
    assert_eq!(bob.get(&edit_path(id)).await.status, StatusCode::NOT_FOUND);
    let own = bob.post("his").await;
    let form = Form {
        action: edit_path(id),
        ..edit_form(&bob, own).await
    };
    assert_eq!(bob.submit(&form).await.status, StatusCode::NOT_FOUND);
    let form = edit_form(&alice, id).await.set("message", "changed");
    alice.delete(id).await;
    assert_eq!(alice.submit(&form).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        alice.get(&edit_path(id)).await.status,
        StatusCode::NOT_FOUND
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_unchanged_text_has_no_effect_and_a_form_sent_twice_is_one_edit() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("Helo").await;
    alice.submit_accepted(&edit_form(&alice, id).await).await;
    assert_eq!(versions(&alice, "alice", id).await.len(), 1);
    let form = edit_form(&alice, id).await.set("message", "Hello");
    alice.submit_accepted(&form).await;
    age(&site, id, 20);
    alice.submit_accepted(&form).await;
    assert_eq!(versions(&alice, "alice", id).await, ["Hello", "Helo"]);
}

#[tokio::test]
async fn of_two_editing_devices_the_second_gets_a_conflict_and_keeps_its_text() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let id = desk.post("one").await;
    let typed = edit_form(&phone, id).await.set("message", "by phone");
    submit_edit(&desk, id, "by desk").await;
    let conflict = phone.submit(&typed).await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    assert_eq!(phone.open("/").await.messages(), ["by desk"]);
    let error = conflict.text("#message-error");
    assert!(error.contains("It is now “by desk”."), "{error}");
    assert!(!conflict.has("#warning-error"));
    let again = conflict.form(&edit_path(id));
    assert_eq!(again.value("message"), "by phone");
    phone.submit_accepted(&again).await;
    let said = versions(&desk, "alice", id).await;
    assert_eq!(said, ["by phone", "by desk", "one"]);
}

#[tokio::test]
async fn a_conflict_shows_the_other_warning_too() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let id = desk.post("one").await;
    let typed = edit_form(&phone, id).await.set("warning", "by phone");
    let form = edit_form(&desk, id).await.set("warning", "by desk");
    desk.submit_accepted(&form).await;
    let conflict = phone.submit(&typed).await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    let error = conflict.text("#warning-error");
    assert!(error.contains("It is now “by desk”."), "{error}");
    assert!(!conflict.has("#message-error"));
}

#[tokio::test]
async fn a_refused_edit_comes_back_in_the_form_with_the_reason() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("fine").await;
    let (long, line) = ("x".repeat(501), "x".repeat(101));
    for (message, warning, wrong) in [
        (" ", "", "message"),
        (&long, "", "message"),
        ("fine", &line, "warning"),
    ] {
        let form = edit_form(&alice, id).await.set("message", message);
        let answer = alice.submit(&form.set("warning", warning)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{message}");
        let again = answer.form(&edit_path(id));
        assert_eq!(again.value("message"), message);
        assert_eq!(again.value("warning"), warning);
        assert_eq!(answer.attributes("[aria-invalid]", "name"), [wrong]);
    }
    assert_eq!(versions(&alice, "alice", id).await, ["fine"]);
}

#[tokio::test]
async fn a_post_can_be_edited_twenty_times() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("0").await;
    for nth in 1..=20 {
        submit_edit(&alice, id, &nth.to_string()).await;
    }
    let link = format!("a[href=\"{}\"]", edit_path(id));
    assert!(!alice.open("/").await.has(&link));
    let page = alice.get(&edit_path(id)).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.text("main").contains("20 times"), "{}", page.html);
    let form = alice.open("/").await.form("/statuses");
    let form = Form {
        action: edit_path(id),
        fields: vec![
            ("csrf_token".into(), form.value("csrf_token").into()),
            ("message".into(), "21".into()),
            ("revision".into(), "20".into()),
        ],
        ..form
    };
    let answer = alice.submit(&form).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text("#message-error").contains("20 times"));
    assert_eq!(versions(&alice, "alice", id).await.len(), 21);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_edit_of_the_text_leaves_the_poll_unchanged() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "Wich?");
    alice
        .submit_accepted(&form.set("option_1", "Tea").set("option_2", "Coffee"))
        .await;
    let id = alice.open("/").await.status_ids()[0];
    submit_edit(&alice, id, "Which?").await;
    let page = alice.open("/").await;
    assert_eq!(page.messages(), ["Which?"]);
    assert_eq!(page.count(".poll li"), 2);
    assert!(!alice.open(&edit_path(id)).await.has("[name^=option]"));
}

#[tokio::test]
async fn a_warning_can_be_added_and_removed() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("The keeper did it").await;
    let form = edit_form(&alice, id).await.set("warning", "Spoilers");
    alice.submit_accepted(&form).await;
    assert_eq!(alice.open("/").await.text(".warned > summary"), "Spoilers");
    let form = edit_form(&alice, id).await;
    assert_eq!(form.value("warning"), "Spoilers");
    alice.submit_accepted(&form.set("warning", "")).await;
    assert!(!alice.open("/").await.has(".warned"));
    assert_eq!(versions(&alice, "alice", id).await.len(), 3);
}

#[tokio::test]
async fn tags_follow_the_text_and_former_tags_are_remembered() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = crowd::member(store, "alice").await;
    let id = crowd::post(store, alice, "#birds and #cats").await;
    let tags = async || {
        let life = store.life(id).await.expect("an answer");
        let status = life.living().expect("it lives");
        [status.tags, status.untagged]
            .map(|tags| tags.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    crowd::edit(store, alice, id, "#cats and #dogs").await;
    assert_eq!(tags().await, [vec!["cats", "dogs"], vec!["birds"]]);
    crowd::edit(store, alice, id, "no tag at all").await;
    assert_eq!(tags().await, [vec![], vec!["cats", "dogs", "birds"]]);
    crowd::edit(store, alice, id, "#birds after all").await;
    assert_eq!(tags().await, [vec!["birds"], vec!["cats", "dogs"]]);
    crowd::delete(store, alice, id).await;
    let redwing::store::Life::Dead(status) = store.life(id).await.expect("an answer") else {
        panic!("it is dead");
    };
    assert_eq!(status.untagged.len(), 2, "a tombstone has both");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn mentions_tag_pages_and_homes_follow_the_text() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let carol = Person::sign_up(&site, "carol").await;
    for (person, tag) in [("bob", "birds"), ("carol", "cats")] {
        let who = crowd::uid(&site.store, person).await;
        crowd::follow_tag(&site.store, who, tag).await;
    }
    bob.open("/").await;
    carol.open("/").await;
    let id = alice.post("@bob likes #birds").await;
    site.drain().await;
    assert_eq!(
        (bob.home_ids().await, bob.ids("/mentions").await),
        (vec![id], vec![id])
    );
    submit_edit(&alice, id, "@carol likes #cats").await;
    site.drain().await;
    for (person, tag, has) in [(&bob, "birds", vec![]), (&carol, "cats", vec![id])] {
        assert_eq!(person.home_ids().await, has, "{tag}");
        assert_eq!(person.ids("/mentions").await, has, "{tag}");
        assert_eq!(person.ids(&format!("/tags/{tag}")).await, has, "{tag}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_deletion_removes_all_versions() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("one").await;
    submit_edit(&alice, id, "two").await;
    alice.delete(id).await;
    site.drain().await;
    let left = site.store.look_up(&[format!("versions:{{{id}}}")]).await;
    assert!(left.expect("an answer").is_empty());
    let page = alice.get(&format!("/@alice/{id}/versions")).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_edit_form_counts_characters_and_shows_its_deadline() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("Helo wrold").await;
    age(&site, id, 5);
    let page = alice.open(&edit_path(id)).await;
    assert!(page.has("form[data-compose] .counter[data-limit=\"500\"]"));
    assert_eq!(page.text(".counter"), "490 left");
    let lead = page.text(".lead");
    assert!(
        lead.contains(" You can edit it for 10 minutes, until "),
        "{lead}"
    );
    assert!(lead.ends_with(" UTC."), "{lead}");
}
