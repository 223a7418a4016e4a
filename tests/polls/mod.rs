//! Polls and warnings: allowed content of a post, number of votes per user, and visibility of
//! results.

mod many_voters;
mod notes;
mod races;
mod warnings;

use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, action_path};

/// Returns alice's form for a post with a poll of these options.
async fn with_poll(alice: &Person, options: &[&str]) -> Form {
    let mut form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "Which one?");
    for (at, option) in options.iter().enumerate() {
        form = form.set(&format!("option_{}", at + 1), option);
    }
    form
}

/// Posts it. Returns the new status's id.
async fn post(alice: &Person, form: &Form) -> u64 {
    alice.submit_accepted(form).await;
    alice.open(&alice.profile()).await.status_ids()[0]
}

/// Returns the vote form of a page with these options chosen.
async fn vote(person: &Person, page: &str, id: u64, chosen: &[&str]) -> Form {
    let mut form = person.open(page).await.button(&action_path("vote", id));
    let name = format!("vote-{id}");
    form.fields.retain(|(field, _)| *field != name);
    let chosen = chosen
        .iter()
        .map(|number| (name.clone(), (*number).to_owned()));
    form.fields.extend(chosen);
    form
}

/// Returns the options of a poll's results as a page shows them.
fn results(page: &Page) -> Vec<String> {
    let lines = page.texts(".poll li").into_iter();
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// Ends the poll by making its post old enough.
fn end(site: &Site, id: u64) {
    site.redis
        .command(&["HSET", &format!("status:{{{id}}}"), "posted", "1000"]);
}

/// Signs up alice with a poll of two options, and bob.
async fn alice_and_bob(site: &Site) -> (Person, Person, u64) {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    let id = post(&alice, &with_poll(&alice, &["Tea", "Coffee"]).await).await;
    (alice, bob, id)
}

#[tokio::test]
async fn a_vote_is_counted_at_once_and_shows_the_results() {
    let site = Site::start().await;
    let (alice, bob, id) = alice_and_bob(&site).await;
    let before = bob.open("/@alice").await;
    assert_eq!(before.texts(".poll label"), ["Tea", "Coffee"]);
    assert!(!before.has("meter"), "no results before the vote");
    assert!(
        before
            .text(".poll")
            .contains("No votes yet · 24 hours left")
    );
    let answer = bob
        .submit_accepted(&vote(&bob, "/@alice", id, &["2"]).await)
        .await;
    assert_eq!(answer.location(), format!("/@alice#status-{id}"));
    let after = bob.open("/@alice").await;
    assert_eq!(
        results(&after),
        ["Tea 0 % 0 votes", "Coffee Your vote 100 % 1 vote"]
    );
    assert!(after.text(".poll").contains("1 person · 24 hours left"));
    assert!(!after.has(".poll input"));
    let alices = alice.open(&format!("/@alice/{id}")).await;
    assert_eq!(results(&alices), ["Tea 0 % 0 votes", "Coffee 100 % 1 vote"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_vote_leads_back_to_the_page_where_it_was_cast() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    bob.follow("alice").await;
    let answer = bob
        .submit_accepted(&vote(&bob, "/", id, &["1"]).await)
        .await;
    assert_eq!(answer.location(), format!("/#status-{id}"));
}

#[tokio::test]
async fn a_multiple_choice_vote_counts_one_voter() {
    let site = Site::start().await;
    let (alice, bob, _) = alice_and_bob(&site).await;
    let mut form = with_poll(&alice, &["Tea", "Coffee", "Cake"]).await;
    form.fields.push(("several".into(), "1".into()));
    let id = post(&alice, &form).await;
    let page = format!("/@alice/{id}");
    assert_eq!(bob.open(&page).await.count(".poll [type=checkbox]"), 3);
    bob.submit_accepted(&vote(&bob, &page, id, &["1", "3"]).await)
        .await;
    let carol = Person::sign_up(&site, "carol").await;
    carol
        .submit_accepted(&vote(&carol, &page, id, &["3"]).await)
        .await;
    let page = bob.open(&page).await;
    assert_eq!(
        results(&page),
        [
            "Tea Your vote 50 % 1 vote",
            "Coffee 0 % 0 votes",
            "Cake Your vote 100 % 2 votes"
        ]
    );
    assert!(page.text(".poll").contains("2 people"));
    site.assert_sound().await;
}

#[tokio::test]
async fn the_first_vote_counts_and_a_repetition_gets_the_same_answer() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    let first = vote(&bob, "/@alice", id, &["1"]).await;
    let other = vote(&bob, "/@alice", id, &["2"]).await;
    bob.submit_accepted(&first).await;
    bob.submit_accepted(&first).await;
    let refused = bob.submit(&other).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    refused.assert_helpful();
    assert!(refused.visible_text().contains("already voted"));
    end(&site, id);
    bob.submit_accepted(&first).await;
    assert_eq!(
        results(&bob.open("/@alice").await)[0],
        "Tea Your vote 100 % 1 vote"
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn an_invalid_choice_is_refused_and_changes_nothing() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    for chosen in [&[][..], &["0"], &["3"], &["5"], &["1", "2"], &["x"]] {
        let answer = bob.submit(&vote(&bob, "/@alice", id, chosen).await).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{chosen:?}"
        );
        answer.assert_helpful();
        let back = format!(".page-links a[href=\"/@alice#status-{id}\"]");
        assert!(answer.has(&back), "{}", answer.html);
    }
    assert!(
        bob.open("/@alice")
            .await
            .text(".poll")
            .contains("No votes yet")
    );
}

#[tokio::test]
async fn an_ended_poll_shows_its_results_and_refuses_votes() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    let too_late = vote(&bob, "/@alice", id, &["1"]).await;
    end(&site, id);
    let answer = bob.submit(&too_late).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.visible_text().contains("has ended"));
    for person in [&bob, &Person::visitor(&site)] {
        let page = person.open(&format!("/@alice/{id}")).await;
        assert_eq!(results(&page), ["Tea 0 % 0 votes", "Coffee 0 % 0 votes"]);
        assert!(page.text(".poll").contains("ended"));
    }
}

#[tokio::test]
async fn the_author_sees_the_results_and_has_no_vote() {
    let site = Site::start().await;
    let (alice, bob, id) = alice_and_bob(&site).await;
    let page = alice.open("/").await;
    assert!(page.has("meter") && !page.has(".poll input"));
    let bobs = vote(&bob, "/@alice", id, &["1"]).await;
    let csrf = page.form("/statuses").value("csrf_token").to_owned();
    let answer = alice.submit(&bobs.set("csrf_token", &csrf)).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.visible_text().contains("your own poll"));
}

#[tokio::test]
async fn a_visitor_sees_the_options_and_the_way_to_vote() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    bob.submit_accepted(&vote(&bob, "/@alice", id, &["1"]).await)
        .await;
    let page = Person::visitor(&site).open("/@alice").await;
    assert_eq!(page.texts(".poll li"), ["Tea", "Coffee"]);
    assert!(!page.has("meter, .poll input"));
    let log_in = page.attributes(".poll a", "href");
    assert_eq!(log_in, [format!("/login?next=%2F%40alice%2F{id}")]);
}

#[tokio::test]
async fn a_vote_goes_to_its_own_poll_among_several_on_a_page() {
    let site = Site::start().await;
    let (alice, bob, first) = alice_and_bob(&site).await;
    let second = post(&alice, &with_poll(&alice, &["Red", "Blue"]).await).await;
    let mut form = vote(&bob, "/@alice", first, &["2"]).await;
    form.fields.push((format!("vote-{second}"), "1".into()));
    bob.submit_accepted(&form).await;
    let page = bob.open("/@alice").await;
    assert_eq!(
        page.count(".poll input"),
        2,
        "the second poll is still open"
    );
    assert_eq!(results(&page)[1], "Coffee Your vote 100 % 1 vote");
}

#[tokio::test]
async fn a_vote_on_a_deleted_post_is_not_found_and_one_without_a_poll_says_so() {
    let site = Site::start().await;
    let (alice, bob, id) = alice_and_bob(&site).await;
    let plain = alice.post("no poll here").await;
    let form = vote(&bob, "/@alice", id, &["1"]).await;
    bob.submit_accepted(&form).await;
    alice.delete(id).await;
    site.drain().await;
    for (id, status, words) in [
        (id, StatusCode::NOT_FOUND, "This post was deleted"),
        (4096, StatusCode::NOT_FOUND, "This post was deleted"),
        (
            plain,
            StatusCode::UNPROCESSABLE_ENTITY,
            "This post has no poll.",
        ),
    ] {
        let form = Form {
            action: action_path("vote", id),
            fields: [
                form.fields.clone(),
                vec![(format!("vote-{id}"), "1".into())],
            ]
            .concat(),
            ..form.clone()
        };
        let answer = bob.submit(&form).await;
        assert_eq!(answer.status, status, "{id}");
        assert!(answer.visible_text().contains(words), "{id}: {words}");
        answer.assert_helpful();
    }
    let left = site.store.look_up(&[format!("ballots:{{{id}}}")]).await;
    assert!(
        left.expect("an answer").is_empty(),
        "a deletion leaves nothing"
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn voting_too_often_is_refused_with_a_retry_time() {
    let site = Site::with(&["--saves-per-hour", "1"]).await;
    let (_, bob, id) = alice_and_bob(&site).await;
    let form = vote(&bob, "/@alice", id, &["1"]).await;
    bob.submit_accepted(&form).await;
    let refused = bob.submit(&form).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_vote_of_an_ended_session_leads_to_the_log_in_and_does_not_count() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    let phone = Person::log_in(&site, "bob").await;
    let form = vote(&phone, "/@alice", id, &["1"]).await;
    let sessions = bob.open("/settings/sessions").await;
    bob.submit_accepted(&sessions.form("/settings/sessions/revoke-all"))
        .await;
    let refused = phone.submit(&form).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.find_form("/login").is_some());
    let page = Person::visitor(&site).open("/@alice").await;
    assert!(page.text(".poll").contains("No votes yet"));
}

#[tokio::test]
async fn an_invalid_poll_comes_back_complete_with_the_reasons() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let long = "x".repeat(51);
    for (options, wrong) in [
        (["Tea", "", "", ""], "option_2"),
        (["Tea", "Coffee", "tea", ""], "option_3"),
        (["Tea", &long, "", ""], "option_2"),
        (["Tea", "a\u{202e}b", "", ""], "option_2"),
    ] {
        let mut form = with_poll(&alice, &options).await;
        form = form.set("warning", "About breakfast").set("hours", "72");
        form.fields.push(("several".into(), "1".into()));
        let answer = alice.submit(&form).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{options:?}"
        );
        let again = answer.form("/statuses");
        for (name, text) in &form.fields {
            if !["idempotency_key", "csrf_token"].contains(&name.as_str()) {
                assert_eq!(again.value(name), text, "{name}");
            }
        }
        let invalid = answer.attributes("[aria-invalid]", "name");
        assert_eq!(invalid, [wrong], "{options:?}");
        let described = &answer.attributes("[aria-invalid]", "aria-describedby")[0];
        assert!(answer.has(&format!("#{described}.error")));
        assert!(answer.has("details.extras[open]"));
    }
    assert!(alice.home_ids().await.is_empty());
}

#[tokio::test]
async fn a_warning_of_more_than_a_hundred_characters_comes_back_with_the_reason() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let long = "é".repeat(101);
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "The end");
    let answer = alice.submit(&form.set("warning", &long)).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.form("/statuses").value("warning"), long);
    assert_eq!(answer.attributes("[aria-invalid]", "name"), ["warning"]);
    assert_eq!(answer.form("/statuses").value("message"), "The end");
}

#[tokio::test]
async fn a_text_with_a_warning_is_hidden_behind_it_everywhere() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = with_poll(&alice, &["Tea", "Coffee"]).await;
    let id = post(&alice, &form.set("warning", "<b>Spoilers</b>\n ahead")).await;
    let visitor = Person::visitor(&site);
    let permalink = format!("/@alice/{id}");
    for (who, path) in [(&alice, "/"), (&visitor, "/@alice"), (&visitor, &permalink)] {
        let page = who.open(path).await;
        let folded = ".h-entry details:not([open])";
        let line = page.text(&format!("{folded} > summary.p-summary"));
        assert_eq!(line, "<b>Spoilers</b> ahead", "{path}");
        assert_eq!(page.text(&format!("{folded} > .e-content")), "Which one?");
        assert!(page.has(&format!("{folded} > .poll")), "{path}");
    }
    let title = visitor.open(&permalink).await.text("title");
    assert!(
        title.contains("Spoilers") && !title.contains("Which one?"),
        "{title}"
    );
    let who = visitor.open(&format!("{permalink}/favourites")).await;
    assert!(
        !who.html.contains("Which one?"),
        "nor does the favourites page show it"
    );
}

#[tokio::test]
async fn the_same_form_with_another_poll_is_a_conflict_that_keeps_everything() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = with_poll(&alice, &["Tea", "Coffee"]).await;
    alice.submit_accepted(&form).await;
    alice.submit_accepted(&form).await;
    let other = form.set("option_2", "Cake").set("warning", "Sweet");
    let conflict = alice.submit(&other).await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    let again = conflict.form("/statuses");
    assert_eq!(
        (again.value("option_2"), again.value("warning")),
        ("Cake", "Sweet")
    );
    alice.submit_accepted(&again).await;
    assert_eq!(alice.home_ids().await.len(), 2);
}
