//! Direct messages over HTTP: writing, requests, rules, unread counts, deleting.

mod access;
mod edits;
mod expiry;
mod forms;
mod leaving;
mod quota;
mod races;
mod replay;
mod requests;
mod search;
mod settings;
pub mod walk;

use redwing::{domain::Measure, store::DecideOutcome};
use reqwest::StatusCode;

use crate::{
    moderation::decisions::decide_by,
    support::{Page, Person, Site, crowd},
};

/// A site on which new accounts can write to everyone.
pub async fn site() -> Site {
    Site::with(&["--new-account-days", "0"]).await
}

/// Two people of whom the second follows the first.
pub async fn pair(site: &Site) -> (Person, Person) {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    bob.follow("alice").await;
    (alice, bob)
}

/// Writes to these logins through the form. Returns the answer.
pub async fn begin(author: &Person, people: &str, text: &str) -> Page {
    let form = author.open("/messages/new").await.form("/messages/new");
    let form = form.set("people", people).set("message", text);
    author.submit(&form).await
}

/// Begins a conversation and returns its path.
pub async fn begun(author: &Person, people: &str, text: &str) -> String {
    let answer = begin(author, people, text).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
    let path = answer.location().split('#').next().expect("a path");
    path.to_owned()
}

/// Writes in a conversation from its page.
pub async fn write(author: &Person, path: &str, text: &str) -> Page {
    let form = author.open(path).await.form(path);
    author.submit(&form.set("message", text)).await
}

/// Presses a button of a conversation.
pub async fn press(person: &Person, page: &str, action: &str) -> Page {
    let form = person.open(page).await.form(action);
    person.submit(&form).await
}

/// Returns the texts on a page of a conversation, oldest first.
pub async fn texts(person: &Person, path: &str) -> Vec<String> {
    texts_of_page(&person.open(path).await)
}

fn texts_of_page(page: &Page) -> Vec<String> {
    page.texts(".bubble > p[dir]:not(.by), .bubble > .gone, .event")
}

/// Returns the number of unread conversations in the navigation.
pub async fn unread(person: &Person) -> String {
    let shown = person.open("/settings").await.texts("[data-unread-chats]");
    shown.into_iter().next().unwrap_or_default()
}

#[tokio::test]
async fn a_message_reaches_the_other_and_the_answer_comes_back() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Hello <b>Bob</b>").await;
    assert_eq!(unread(&bob).await, "1");
    let list = bob.open("/messages").await;
    assert!(
        list.text(".chats").contains("Hello <b>Bob</b>"),
        "{}",
        list.html
    );
    assert_eq!(texts(&bob, &path).await, ["Hello <b>Bob</b>"]);
    assert_eq!(unread(&bob).await, "");
    write(&bob, &path, "Hello Alice").await;
    assert_eq!(unread(&alice).await, "1");
    assert_eq!(
        texts(&alice, &path).await,
        ["Hello <b>Bob</b>", "Hello Alice"]
    );
    assert_eq!(begun(&bob, "alice", "The same conversation").await, path);
}

/// Writes a message, and forgets the answer as a browser does that did not get it.
async fn write_and_lose_answer(person: &Person, path: &str, text: &str) {
    let form = person.open(path).await.form(path).set("message", text);
    let cookies = person.cookies.all();
    person.submit_accepted(&form).await;
    person.cookies.replace(cookies);
}

#[tokio::test]
async fn a_message_whose_answer_was_lost_can_be_sent_again_after_its_deletion() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "First").await;
    write_and_lose_answer(&alice, &path, "Again").await;
    let actions = alice.open(&path).await.form(&format!("{path}/hide"));
    let delete = actions
        .to(&format!("{path}/delete"))
        .set_new("message", "2");
    alice.submit_accepted(&delete).await;
    write(&alice, &path, "Again").await;
    let texts = texts(&bob, &path).await;
    assert_eq!(
        texts.iter().filter(|text| *text == "Again").count(),
        1,
        "{texts:?}"
    );
}

#[tokio::test]
async fn a_message_whose_answer_was_lost_can_be_sent_again_after_the_conversation_was_cleared() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "First").await;
    write_and_lose_answer(&alice, &path, "Again").await;
    press(&alice, &path, &format!("{path}/clear")).await;
    write(&alice, &path, "Again").await;
    assert_eq!(texts(&alice, &path).await, ["Again"]);
    assert_eq!(texts(&bob, &path).await, ["First", "Again", "Again"]);
}

#[tokio::test]
async fn the_same_form_sent_again_makes_one_message() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "First").await;
    let form = alice.open(&path).await.form(&path).set("message", "Second");
    for _ in 0..3 {
        alice.submit_accepted(&form).await;
    }
    assert_eq!(texts(&bob, &path).await, ["First", "Second"]);
    let other = form.set("message", "Another text with the same key");
    assert_eq!(alice.submit(&other).await.status, StatusCode::CONFLICT);
    assert_eq!(texts(&bob, &path).await, ["First", "Second"]);
}

#[tokio::test]
async fn a_stranger_writes_one_message_until_the_request_is_accepted() {
    let site = site().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let path = begun(&alice, "bob", "May I?").await;
    assert_eq!(
        unread(&bob).await,
        "",
        "a request counts nowhere but under Requests"
    );
    assert!(!bob.open("/messages").await.has(".chats"));
    assert!(bob.open("/messages").await.html.contains("Requests (1)"));
    let again = write(&alice, &path, "Hello?").await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(again.html.contains("when your first message is accepted"));
    assert_eq!(texts(&bob, &path).await, ["May I?"]);
    let accept = format!("{path}/accept");
    let accepted = press(&bob, "/messages/requests", &accept).await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER);
    assert_eq!(
        write(&alice, &path, "Thanks").await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(texts(&bob, &path).await, ["May I?", "Thanks"]);
}

#[tokio::test]
async fn an_ignored_request_is_gone_and_its_author_does_not_learn_it() {
    let site = site().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let path = begun(&alice, "bob", "May I?").await;
    let before = write(&alice, &path, "Hello?").await;
    let page = bob.open("/messages/requests").await;
    let form = page.form(&format!("{path}/accept"));
    let ignored = bob.submit(&form.to(&format!("{path}/ignore"))).await;
    assert_eq!(ignored.status, StatusCode::SEE_OTHER);
    assert!(!bob.open("/messages/requests").await.has(".chats"));
    let after = write(&alice, &path, "Hello?").await;
    assert_eq!(after.status, before.status);
    assert_eq!(after.text(".error"), before.text(".error"));
}

#[tokio::test]
async fn ten_requests_a_day_and_no_more() {
    let site = Site::with(&["--new-account-days", "0", "--message-requests-per-day", "2"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    for login in ["bob", "carol", "dave", "erin"] {
        Person::sign_up(&site, login).await;
    }
    begun(&alice, "bob", "One").await;
    begun(&alice, "carol", "Two").await;
    let third = begin(&alice, "dave", "Three").await;
    assert_eq!(third.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(third.html.contains("2 people a day"), "{}", third.html);
}

#[tokio::test]
async fn a_new_account_writes_only_to_people_who_follow_it() {
    let site = Site::with(&["--new-account-days", "7"]).await;
    let (alice, _bob) = pair(&site).await;
    Person::sign_up(&site, "carol").await;
    begun(&alice, "bob", "You follow me").await;
    let refused = begin(&alice, "carol", "You do not").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.html.contains("Your account is new. Until "));
}

#[tokio::test]
async fn a_limited_person_writes_only_to_people_who_follow_them() {
    let site = site().await;
    let (alice, _bob) = pair(&site).await;
    Person::sign_up(&site, "carol").await;
    let subject = crowd::uid(&site.store, "alice").await;
    let limited = decide_by(&site.store, subject, Measure::Limit).await;
    assert_eq!(limited, DecideOutcome::Decided);
    begun(&alice, "bob", "You follow me").await;
    let refused = begin(&alice, "carol", "You do not").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused
            .html
            .contains("The moderators limited your account.")
    );
}

#[tokio::test]
async fn a_member_chooses_who_can_write() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let choose = async |choice: &str| {
        let form = bob
            .open("/settings/messages")
            .await
            .form("/settings/messages");
        bob.submit_accepted(&form.set("messages_from", choice))
            .await;
    };
    choose("followed").await;
    let refused = begin(&carol, "bob", "Hello").await;
    assert!(refused.html.contains("only from people that they follow"));
    let path = begun(&alice, "bob", "You follow me").await;
    choose("no_one").await;
    let dave = Person::sign_up(&site, "dave").await;
    bob.follow("dave").await;
    let refused = begin(&dave, "bob", "Hello").await;
    assert!(refused.html.contains("gets no messages"));
    let open = write(&alice, &path, "Our conversation stays open").await;
    assert_eq!(open.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_block_stops_messages_at_once_and_the_conversation_stays_readable() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Before").await;
    let form = alice.open(&path).await.form(&path).set("message", "After");
    let block = bob.open("/@alice").await.form("/@alice/block");
    bob.submit_accepted(&block).await;
    assert_eq!(
        alice.submit(&form).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    for person in [&alice, &bob] {
        assert_eq!(texts(person, &path).await, ["Before"]);
        assert!(!person.open(&path).await.has(".message-form"));
    }
    let absent = begin(&alice, "nobody_here", "Hello").await;
    let blocked = begin(&alice, "bob", "Hello").await;
    assert_eq!(blocked.status, absent.status);
    assert_eq!(blocked.text(".error"), absent.text(".error"));
}

#[tokio::test]
async fn the_people_of_a_group_see_the_same_and_can_rename_and_leave_it() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob, carol", "Hello both").await;
    write(&bob, &path, "Hello").await;
    let name = bob.open(&path).await.form(&format!("{path}/name"));
    bob.submit_accepted(&name.set("name", "Boats")).await;
    assert!(carol.open(&path).await.text("h1").contains("Boats"));
    assert_eq!(
        texts(&carol, &path).await[..2],
        texts(&alice, &path).await[..2]
    );
    let left = press(&carol, &path, &format!("{path}/leave")).await;
    assert_eq!(left.status, StatusCode::SEE_OTHER);
    assert_eq!(carol.get(&path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(carol.get("/messages").await.status, StatusCode::OK);
    write(&alice, &path, "Carol is gone").await;
    assert_eq!(unread(&carol).await, "");
    assert!(
        texts(&bob, &path)
            .await
            .iter()
            .any(|text| text.contains("left"))
    );
}

#[tokio::test]
async fn a_message_by_a_blocked_person_in_a_group_is_behind_one_click() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob carol", "Hello both").await;
    let block = carol.open("/@bob").await.form("/@bob/block");
    carol.submit_accepted(&block).await;
    write(&bob, &path, "Can you see me").await;
    let page = carol.open(&path).await;
    assert_eq!(
        page.text(".bubble > details:not(.message-menu) > summary"),
        "Message by somebody you blocked"
    );
    assert!(
        !carol
            .open("/messages")
            .await
            .html
            .contains("Can you see me")
    );
}

#[tokio::test]
async fn a_muted_conversation_is_not_counted() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "One").await;
    press(&bob, &path, &format!("{path}/mute")).await;
    write(&alice, &path, "Two").await;
    assert_eq!(unread(&bob).await, "");
    press(&bob, &path, &format!("{path}/unmute")).await;
    write(&alice, &path, "Three").await;
    assert_eq!(unread(&bob).await, "1");
}

#[tokio::test]
async fn an_author_edits_and_deletes_a_message_for_everybody() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Tpyo").await;
    write(&alice, &path, "Wrong").await;
    let edit = alice
        .open(&format!("{path}/1/edit"))
        .await
        .form(&format!("{path}/1/edit"));
    alice.submit_accepted(&edit.set("message", "Typo")).await;
    let actions = alice.open(&path).await.form(&format!("{path}/hide"));
    let delete = actions
        .to(&format!("{path}/delete"))
        .set_new("message", "2");
    alice.submit_accepted(&delete).await;
    assert_eq!(unread(&bob).await, "1");
    assert_eq!(texts(&bob, &path).await, ["Typo", "Message deleted"]);
    assert!(bob.open(&path).await.html.contains("Edited"));
    let foreign = bob.open(&path).await.form(&format!("{path}/hide"));
    let foreign = foreign
        .to(&format!("{path}/delete"))
        .set_new("message", "1");
    assert_eq!(bob.submit(&foreign).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        bob.get(&format!("{path}/1/edit")).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn deleting_for_me_leaves_the_message_with_the_others() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "One").await;
    write(&alice, &path, "Two").await;
    let hide = bob.open(&path).await.form(&format!("{path}/hide"));
    bob.submit_accepted(&hide.set_new("message", "1")).await;
    assert_eq!(texts(&bob, &path).await, ["Two"]);
    press(&bob, &path, &format!("{path}/clear")).await;
    assert!(!bob.open("/messages").await.has(".chats"));
    assert_eq!(texts(&alice, &path).await, ["One", "Two"]);
    write(&alice, &path, "Three").await;
    assert_eq!(texts(&bob, &path).await, ["Three"]);
}

#[tokio::test]
async fn seen_is_shown_only_where_both_switched_it_on() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Hello").await;
    let switch = async |person: &Person| {
        let form = person
            .open("/settings/messages")
            .await
            .form("/settings/messages");
        person
            .submit_accepted(&form.set_new("read_marks", "1"))
            .await;
    };
    switch(&alice).await;
    bob.open(&path).await;
    assert!(!alice.open(&path).await.has(".seen"));
    switch(&bob).await;
    assert_eq!(alice.open(&path).await.text(".seen"), "Seen");
}

#[tokio::test]
async fn a_long_conversation_has_pages_upwards_without_gaps() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "message 1").await;
    for number in 2..=90 {
        write(&alice, &path, &format!("message {number}")).await;
    }
    let (mut all, mut at) = (Vec::new(), path.clone());
    loop {
        let page = bob.open(&at).await;
        let mut texts = page.texts(".bubble > p[dir]");
        texts.extend(all);
        all = texts;
        match page.older() {
            Some(older) => at = older,
            None => break,
        }
    }
    let expected: Vec<String> = (1..=90).map(|number| format!("message {number}")).collect();
    assert_eq!(all, expected);
}

#[tokio::test]
async fn a_deleted_account_leaves_its_messages_without_its_name() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Farewell").await;
    let id = crowd::uid(&site.store, "alice").await;
    let by = redwing::domain::ActingPerson::Host;
    let deleted = redwing::actions::administration::delete(&site.store, by, id).await;
    deleted.expect("an answer");
    redwing::worker::drain(&site.store)
        .await
        .expect("every task succeeds");
    assert_eq!(texts(&bob, &path).await, ["Farewell"]);
    let page = bob.open(&path).await;
    assert!(page.text("h1").contains("Deleted account"), "{}", page.html);
    assert!(!page.html.contains("alice"), "{}", page.html);
}
