//! Posting: accepted posts, their presentation, and refusals that preserve the text.

mod composer;
mod deletes;
mod places;
mod preview;
mod quota;
mod rich_text;
mod shared_cards;
mod threads;

use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, action_path};

/// Sends the post form of the home page.
async fn send_post(person: &Person, message: &str) -> Page {
    let form = person.open("/").await.form("/statuses");
    person.submit(&form.set("message", message)).await
}

#[tokio::test]
async fn a_post_appears_on_home_profile_and_its_own_page() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("Good morning!").await;
    let permalink = format!("/@alice/{id}");
    for path in ["/", "/@alice", &permalink] {
        let page = alice.open(path).await;
        assert_eq!(page.status_ids(), [id], "{path}");
        assert_eq!(page.messages(), ["Good morning!"], "{path}");
    }
}

#[tokio::test]
async fn visitors_can_read_a_permalink() {
    let site = Site::start().await;
    let id = Person::sign_up(&site, "alice")
        .await
        .post("For all to read")
        .await;
    let page = Person::visitor(&site).open(&format!("/@alice/{id}")).await;
    assert_eq!(page.messages(), ["For all to read"]);
}

#[tokio::test]
async fn a_permalink_under_another_login_does_not_exist() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    Person::sign_up(&site, "bob").await;
    let id = alice.post("mine").await;
    assert_eq!(
        alice.get(&format!("/@bob/{id}")).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn posts_are_listed_newest_first() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut ids = Vec::new();
    for text in ["one", "two", "three"] {
        ids.insert(0, alice.post(text).await);
    }
    assert_eq!(alice.home_ids().await, ids);
}

#[tokio::test]
async fn urls_become_links_and_everything_else_stays_text() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice
        .post("See https://example.org/a?b=1&c=2, http://example.net. Not javascript:alert(1) nor ftp://example.com/x")
        .await;
    let page = alice.open(&format!("/@alice/{id}")).await;
    assert_eq!(
        page.attributes(".e-content a", "href"),
        ["https://example.org/a?b=1&c=2", "http://example.net"],
    );
    let rel = page.attributes(".e-content a", "rel");
    assert!(
        rel.iter()
            .all(|rel| rel.contains("nofollow") && rel.contains("noopener")),
        "{rel:?}"
    );
}

#[tokio::test]
async fn line_breaks_are_kept() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("one\ntwo\r\nthree").await;
    let page = alice.open(&format!("/@alice/{id}")).await;
    assert_eq!(page.count(".e-content br"), 2);
}

#[tokio::test]
async fn a_message_of_500_characters_as_a_person_counts_them_is_accepted() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let flags = "🇨🇭".repeat(250) + &"e\u{301}".repeat(250);
    assert_eq!(
        send_post(&alice, &flags).await.status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn a_line_end_counts_once_however_the_browser_sends_it() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let lines = "a\n".repeat(249) + "bc";
    assert_eq!(
        send_post(&alice, &lines).await.status,
        StatusCode::SEE_OTHER,
        "500 with CRLF counted as one"
    );
}

#[tokio::test]
async fn a_refused_message_comes_back_in_the_form_with_the_reason() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let too_long = "x".repeat(501);
    let too_many_bytes = "👨‍👩‍👧‍👦".repeat(400);
    let refused = [
        "",
        "   ",
        "\u{200b}",
        "a\u{202e}b",
        "bell\u{7}",
        &too_long,
        &too_many_bytes,
    ];
    for message in refused {
        let answer = send_post(&alice, message).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{message:?}"
        );
        assert_eq!(
            answer.form("/statuses").value("message"),
            message,
            "the text typed is not lost"
        );
        assert!(
            answer.has("[name=message][aria-invalid=true]"),
            "{message:?}"
        );
    }
    assert!(alice.home_ids().await.is_empty());
}

#[tokio::test]
async fn a_double_click_on_post_makes_one_status() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "once");
    let first = alice.submit(&form).await;
    let second = alice.submit(&form).await;
    assert_eq!(
        (first.status, second.status),
        (StatusCode::SEE_OTHER, StatusCode::SEE_OTHER)
    );
    assert_eq!(
        first.location(),
        second.location(),
        "the second click gets the same response"
    );
    assert_eq!(alice.home_ids().await.len(), 1);
}

#[tokio::test]
async fn the_same_form_with_another_text_is_a_conflict_that_keeps_the_text() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    alice
        .submit_accepted(&form.clone().set("message", "the first text"))
        .await;
    let conflict = alice.submit(&form.set("message", "another text")).await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    let again = conflict.form("/statuses");
    assert_eq!(again.value("message"), "another text");
    alice.submit_accepted(&again).await;
    assert_eq!(
        alice.open("/").await.messages(),
        ["another text", "the first text"]
    );
}

#[tokio::test]
async fn two_answers_to_a_refused_form_publish_its_text_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    alice
        .submit_accepted(&form.clone().set("message", "the first text"))
        .await;
    let other = form.set("message", "another text");
    let mut answers = Vec::new();
    for _ in 0..2 {
        let conflict = alice.submit(&other).await;
        assert_eq!(conflict.status, StatusCode::CONFLICT);
        answers.push(conflict.form("/statuses"));
    }
    for again in &answers {
        alice.submit_accepted(again).await;
    }
    assert_eq!(
        alice.open("/").await.messages(),
        ["another text", "the first text"]
    );
}

#[tokio::test]
async fn two_warnings_about_unreached_people_publish_the_text_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    Person::sign_up(&site, "bob").await;
    let form = alice.open("/").await.form("/statuses");
    let form = form.set("message", "about @bob");
    let form = form.choose("visibility", "followers");
    let mut answers = Vec::new();
    for _ in 0..2 {
        let warning = alice.submit(&form).await;
        assert_eq!(warning.status, StatusCode::UNPROCESSABLE_ENTITY);
        answers.push(warning.form("/statuses"));
    }
    for again in &answers {
        alice.submit_accepted(again).await;
    }
    assert_eq!(alice.home_ids().await.len(), 1);
}

#[tokio::test]
async fn the_same_text_can_be_posted_twice_from_two_forms() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("again").await;
    alice.post("again").await;
    assert_eq!(alice.home_ids().await.len(), 2);
}

#[tokio::test]
async fn a_post_needs_a_log_in() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "not mine to post");
    let visitor = Person::visitor(&site);
    assert_ne!(visitor.submit(&form).await.status, StatusCode::OK);
    assert!(alice.home_ids().await.is_empty());
}

/// Sends a form whose answer does not arrive: the cookies of the answer are lost too.
async fn send_without_answer(person: &Person, form: &Form) {
    let cookies = person.cookies.all();
    person.submit_accepted(form).await;
    person.cookies.replace(cookies);
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_is_not_posted_again_from_a_page_loaded_anew() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    send_without_answer(&alice, &form.set("message", "once")).await;
    let form = alice.open("/").await.form("/statuses");
    send_without_answer(&alice, &form.set("message", "once")).await;
    send_post(&alice, "once").await;
    assert_eq!(alice.open("/").await.messages(), ["once"]);
    // The last answer arrived. The same text is a new post.
    send_post(&alice, "once").await;
    assert_eq!(alice.open("/").await.messages(), ["once", "once"]);
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_blocks_no_other_post() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let [first, second] = [alice.open("/").await, alice.open("/").await];
    let form = first.form("/statuses").set("message", "one");
    send_without_answer(&alice, &form).await;
    let form = second.form("/statuses").set("message", "two");
    send_without_answer(&alice, &form).await;
    send_post(&alice, "three").await;
    assert_eq!(alice.open("/").await.messages(), ["three", "two", "one"]);
    // Another session of hers does not know of the lost answers.
    let phone = Person::log_in(&site, "alice").await;
    send_post(&phone, "one").await;
    assert_eq!(
        phone.open("/").await.messages(),
        ["one", "three", "two", "one"]
    );
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_can_be_posted_again_after_its_deletion() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    send_without_answer(&alice, &form.set("message", "once")).await;
    phone.delete(phone.home_ids().await[0]).await;
    send_post(&alice, "once").await;
    assert_eq!(alice.open("/").await.messages(), ["once"]);
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_can_be_posted_again_after_an_edit() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    send_without_answer(&alice, &form.set("message", "hello")).await;
    let edit = action_path("edit", phone.home_ids().await[0]);
    let form = phone.open(&edit).await.form(&edit);
    phone.submit_accepted(&form.set("message", "goodbye")).await;
    send_post(&alice, "hello").await;
    assert_eq!(alice.open("/").await.messages(), ["hello", "goodbye"]);
}

#[tokio::test]
async fn a_quote_whose_answer_was_lost_is_not_offered_as_a_post_after_the_deletion_of_its_original()
{
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = alice.post("a question").await;
    let path = action_path("quote", id);
    let [sent, unsent] = [bob.open(&path).await, bob.open(&path).await];
    let [sent, unsent] = [sent, unsent].map(|page| page.form(&path).set("message", "indeed"));
    send_without_answer(&bob, &sent).await;
    alice.delete(id).await;
    bob.submit_accepted(&sent).await;
    assert_eq!(bob.open("/@bob").await.messages(), ["indeed"]);
    assert_eq!(bob.submit(&unsent).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_reply_and_a_quote_whose_answer_was_lost_are_not_posted_again() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = alice.post("a question").await;
    let quote = action_path("quote", id);
    let permalink = format!("/@alice/{id}");
    for (page, action) in [(&permalink, "/statuses"), (&quote, quote.as_str())] {
        for _ in 0..2 {
            let form = bob.open(page).await.form(action);
            send_without_answer(&bob, &form.set("message", "indeed")).await;
        }
    }
    let profile = bob.open("/@bob/replies").await;
    assert_eq!(profile.messages().len(), 2, "{:?}", profile.messages());
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_buttons_of_the_composer_show_the_rest_of_it_with_the_typed_text() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let home = alice.open("/").await;
    assert_eq!(
        home.attributes("[data-compose] button[name=extras]", "value"),
        ["warning", "poll", "replies", "thread"]
    );
    assert!(!home.has("#warning, #repliers"));
    let form = home.form("/statuses").set("message", "half a text");
    let form = form.set("visibility", "followers");
    for part in ["warning", "poll", "replies"] {
        let shown = alice.submit(&form.clone().set_new("extras", part)).await;
        assert_eq!(shown.status, StatusCode::OK, "{part}");
        assert_eq!(shown.count("details.extras[open]"), 1, "{part}");
        let open = format!("details.extras[data-extras={part}][open]");
        assert!(shown.has(&open), "{part}");
        let has_options = shown.has(&format!("{open} [name=option_1]"));
        assert_eq!(has_options, part == "poll", "{part}");
        assert!(shown.has("#warning") && shown.has("#repliers"), "{part}");
        let whole = shown.form("/statuses");
        for name in ["message", "visibility", "idempotency_key"] {
            assert_eq!(whole.value(name), form.value(name), "{part}");
        }
    }
    assert!(alice.home_ids().await.is_empty());
}
