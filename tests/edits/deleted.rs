//! Edits of posts that were deleted meanwhile. Their texts come back in a form for a new post.

use redwing::domain::GroupKind;
use reqwest::StatusCode;

use super::{edit_form, edit_path};
use crate::support::{Form, PASSWORD, Page, Person, Site, crowd, groups};

/// Posts for these readers, and returns the edit form with another text after the post was deleted.
async fn edit_of_deleted(person: &Person, visibility: &str) -> (u64, Form) {
    let form = person.open("/").await.form("/statuses");
    let form = form.set("message", "one").set("visibility", visibility);
    person.submit_accepted(&form).await;
    let id = person.home_ids().await[0];
    let form = edit_form(person, id).await.set("message", "another text");
    person.delete(id).await;
    (id, form)
}

#[tokio::test]
async fn the_text_of_an_edit_of_a_deleted_post_can_be_posted_for_no_more_people() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let (_, form) = edit_of_deleted(&alice, "members").await;
    let mut answers = Vec::new();
    for _ in 0..2 {
        let answer = alice.submit(&form.clone().set("warning", "Careful")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert_eq!(answer.text("h1"), "This post was deleted");
        let words = answer.visible_text();
        let advice = "To post the text as a new post, send it from here.";
        assert!(words.contains(advice), "{words}");
        let offered = answer.attributes("[name=visibility] option", "value");
        assert_eq!(offered, ["members", "followers"]);
        answers.push(answer.form("/statuses"));
    }
    assert_eq!(answers[0].value("visibility"), "members");
    assert_eq!(answers[0].value("repliers"), "everyone");
    assert_eq!(answers[0].value("warning"), "Careful");
    for again in &answers {
        alice.submit_accepted(again).await;
    }
    assert_eq!(alice.open("/").await.messages(), ["another text"]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_readers_of_an_edit_are_chosen_if_those_of_the_deleted_post_are_not_known_any_more() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let (id, form) = edit_of_deleted(&alice, "public").await;
    site.drain().await;
    site.redis.command(&["DEL", &format!("status:{{{id}}}")]);
    let answer = alice.submit(&form).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_is_to_check(&answer);
    assert_is_to_choose(&alice, &answer, "another text").await;
}

/// Checks that a page has the narrowest reply control, and tells the author to check it.
fn assert_is_to_check(page: &Page) {
    assert_eq!(page.text("h1"), "This post was deleted");
    let words = page.visible_text();
    let advice = "Check who can reply and quote. Then send the text as a new post.";
    assert!(words.contains(advice), "{words}");
    assert_has_control(page, "nobody", true);
    assert!(page.has("details.reply-control[open]"), "{}", page.html);
}

/// Checks who can reply and quote by the form of a page.
fn assert_has_control(page: &Page, repliers: &str, is_quoting_closed: bool) {
    let form = page.form("/statuses");
    assert_eq!(form.value("repliers"), repliers);
    let is_checked = form.fields.iter().any(|(name, _)| name == "quoting_closed");
    assert_eq!(is_checked, is_quoting_closed);
}

/// Checks that the form of a page is refused until its author chooses who can see the post, and that it then posts.
async fn assert_is_to_choose(person: &Person, page: &Page, text: &str) {
    let offered = page.attributes("[name=visibility] option", "value");
    assert_eq!(offered, ["not-chosen", "followers"]);
    let form = page.form("/statuses");
    let refused = person.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let error = refused.text("#message-error");
    assert_eq!(error, "Choose who can see this post.");
    let again = refused.form("/statuses");
    for field in ["visibility", "message", "edit_of"] {
        assert_eq!(again.value(field), form.value(field), "{field}");
    }
    assert_eq!(again.value("visibility"), "not-chosen");
    assert_eq!(again.value("message"), text);
    let again = again.set("visibility", "followers");
    person.submit_accepted(&again).await;
    assert_eq!(person.open("/").await.messages()[0], text);
}

/// Alice replies to a post of bob, made with these choices, and edits the reply after its deletion. Returns the answer.
async fn edit_of_a_deleted_reply(site: &Site, choose: impl FnOnce(Form) -> Form) -> (Person, Page) {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.follow("bob").await;
    let form = bob.open("/").await.form("/statuses");
    bob.submit_accepted(&choose(form.set("message", "one")))
        .await;
    let id = alice.reply(bob.home_ids().await[0], "a reply").await;
    let form = edit_form(&alice, id).await.set("message", "another text");
    alice.delete(id).await;
    let answer = alice.submit(&form).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    (alice, answer)
}

#[tokio::test]
async fn the_text_of_an_edit_of_a_reply_for_the_followers_of_another_is_not_offered_to_ones_own() {
    let site = Site::start().await;
    let (alice, answer) =
        edit_of_a_deleted_reply(&site, |form| form.set("visibility", "followers")).await;
    assert_is_to_choose(&alice, &answer, "another text").await;
}

#[tokio::test]
async fn the_text_of_an_edit_in_a_deleted_group_is_not_sent_before_its_author_chooses() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(store, "alice").await;
    let draft = groups::draft("birds", GroupKind::Private);
    let group = groups::found(store, uid, &draft).await;
    let id = groups::post(store, group, uid, "one").await;
    let form = edit_form(&alice, id.get()).await;
    let form = form.set("message", "another text");
    crowd::delete(store, uid, id).await;
    let deleted = redwing::actions::groups::delete(store, uid, (group, &draft.slug)).await;
    assert!(deleted.expect("an answer"));
    let mut answer = alice.submit(&form).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    for _ in 0..2 {
        let again = answer.form("/statuses");
        assert_eq!(again.value("visibility"), "not-chosen");
        assert_eq!(again.value("message"), "another text");
        answer = alice.submit(&again).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

#[tokio::test]
async fn the_text_of_an_edit_stays_if_the_post_is_deleted_before_the_log_in() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let id = desk.post("one").await;
    let form = edit_form(&phone, id).await.set("message", "another text");
    phone.log_out().await;
    let log_in = phone.submit(&form).await.form("/login");
    desk.delete(id).await;
    let log_in = log_in.set("login", "alice").set("password", PASSWORD);
    let logged_in = phone.submit_accepted(&log_in).await;
    assert_eq!(logged_in.location(), edit_path(id));
    let page = phone.get(logged_in.location()).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert_eq!(page.form("/statuses").value("message"), "another text");
}

#[tokio::test]
async fn the_text_of_an_edit_of_a_deleted_post_is_for_the_same_people_to_reply_and_quote() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    let form = form
        .set("message", "one")
        .set_new("repliers", "followers")
        .set_new("quoting_closed", "1");
    alice.submit_accepted(&form).await;
    let id = alice.home_ids().await[0];
    let form = edit_form(&alice, id).await.set("message", "another text");
    alice.delete(id).await;
    // The tombstone is first whole and then without what only its copies need.
    for _ in 0..2 {
        let answer = alice.submit(&form).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        let words = answer.visible_text();
        assert!(words.contains("send it from here"), "{words}");
        assert!(!words.contains("Check who can reply"), "{words}");
        assert_has_control(&answer, "followers", true);
        site.drain().await;
    }
    let again = alice.submit(&form).await.form("/statuses");
    alice.submit_accepted(&again).await;
    let id = alice.home_ids().await[0];
    let control = format!("/statuses/{id}/reply-control");
    let control = alice.open(&control).await.form(&control);
    assert_eq!(control.value("repliers"), "followers");
    assert_eq!(control.value("quoting_closed"), "1");
}

#[tokio::test]
async fn the_text_of_an_edit_of_a_reply_is_closed_if_its_conversation_limited_replies() {
    let site = Site::start().await;
    let (_, answer) =
        edit_of_a_deleted_reply(&site, |form| form.set_new("repliers", "followers")).await;
    assert_is_to_check(&answer);
}

#[tokio::test]
async fn the_rest_of_a_thread_knows_the_deleted_post_of_its_text() {
    let site = Site::with(&["--posts-per-hour", "3"]).await;
    let lift_limit = async || {
        for key in site.keys("rate:").await {
            site.redis.command(&["DEL", &key]);
        }
    };
    let alice = Person::sign_up(&site, "alice").await;
    let (id, form) = edit_of_deleted(&alice, "members").await;
    let mut form = alice.submit(&form).await.form("/statuses");
    for name in ["post_2", "post_3"] {
        let page = alice.submit(&form.set_new("extras", "thread")).await;
        form = page.form("/statuses").set(name, name);
    }
    lift_limit().await;
    alice.post("zero").await;
    let stopped = alice.submit(&form).await;
    assert_eq!(stopped.status, StatusCode::TOO_MANY_REQUESTS);
    let rest = stopped.form("/statuses");
    assert_eq!(rest.value("message"), "post_3");
    assert_eq!(rest.value("edit_of"), id.to_string());
    // Without the post above it, the rest is a new post.
    let last = rest.value("reply_to").parse().expect("an id");
    alice.delete(last).await;
    for sent in [rest, form] {
        lift_limit().await;
        let refused = alice.submit(&sent).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND);
        let again = refused.form("/statuses");
        assert_eq!(again.value("message"), "post_3");
        assert_eq!(again.value("edit_of"), id.to_string());
        assert_eq!(again.value("visibility"), "members");
        assert!(again.fields.iter().all(|(name, _)| name != "reply_to"));
    }
}

#[tokio::test]
async fn a_new_post_of_the_text_of_an_edit_survives_the_log_in() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let (id, form) = edit_of_deleted(&alice, "members").await;
    let form = alice.submit(&form).await.form("/statuses");
    alice.log_out().await;
    let log_in = alice.submit(&form).await.form("/login");
    let log_in = log_in.set("login", "alice").set("password", PASSWORD);
    alice.submit_accepted(&log_in).await;
    for path in ["/", "/compose"] {
        let page = alice.open(path).await;
        assert_offers_members(&page, id);
        assert_eq!(page.form("/statuses").value("message"), "another text");
    }
    let form = alice.open("/").await.form("/statuses");
    alice.submit_accepted(&form).await;
    let next = alice.open("/").await.form("/statuses");
    assert!(next.fields.iter().all(|(name, _)| name != "edit_of"));
}

/// Checks that the form of a page is for the text of an edit of this post, and offers no more than its members.
fn assert_offers_members(page: &Page, id: u64) {
    let offered = page.attributes("[name=visibility] option", "value");
    assert_eq!(offered, ["members", "followers"]);
    let form = page.form("/statuses");
    assert_eq!(form.value("visibility"), "members");
    assert_eq!(form.value("edit_of"), id.to_string());
}

#[tokio::test]
async fn a_new_post_of_the_text_of_an_edit_is_for_no_more_people_when_its_form_is_shown_again() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let (id, form) = edit_of_deleted(&alice, "members").await;
    let form = alice.submit(&form).await.form("/statuses");
    let elsewhere = form.clone().set_new("next", "/everybody");
    for form in [form, elsewhere] {
        for extras in ["preview", "poll", "replies", "thread"] {
            let page = alice.submit(&form.clone().set_new("extras", extras)).await;
            assert_eq!(page.status, StatusCode::OK, "{extras}");
            assert_offers_members(&page, id);
        }
        let refused = alice.submit(&form.clone().set("message", " ")).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_offers_members(&refused, id);
        // A narrower choice does not limit the next one.
        let narrow = form.set("visibility", "followers").set("message", " ");
        let refused = alice.submit(&narrow).await;
        let again = refused.form("/statuses").set("visibility", "members");
        assert_offers_members(&alice.submit(&again).await, id);
    }
}

#[tokio::test]
async fn a_new_post_of_the_text_of_an_edit_is_for_no_more_people_after_an_error() {
    let site = Site::with(&["--posts-per-hour", "3"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let (id, form) = edit_of_deleted(&alice, "members").await;
    let form = alice.submit(&form).await.form("/statuses");
    for text in ["two", "three"] {
        let other = alice.open("/").await.form("/statuses").set("message", text);
        alice.submit(&other).await;
    }
    let stopped = alice.submit(&form).await;
    assert_eq!(stopped.status, StatusCode::TOO_MANY_REQUESTS);
    assert_offers_members(&stopped, id);
}
