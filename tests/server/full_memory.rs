//! Full memory: blocks, mutes and the like work at once, through the site. Decisions have few words.

use reqwest::StatusCode;

use super::memory::{leave_all, leave_three_percent, limit, one_node};
use crate::{
    administration::{output_of, refuse},
    moderation,
    support::{Form, Person, Site, waiting::eventually},
};

async fn submit(person: &Person, page: &str, path: &str) {
    let form = person.open(page).await.form(path);
    person.submit_accepted(&form).await;
}

async fn sign_up<const N: usize>(site: &Site, logins: [&str; N]) -> [Person; N] {
    let mut people = Vec::new();
    for login in logins {
        people.push(Person::sign_up(site, login).await);
    }
    people.try_into().ok().expect("as many")
}

#[tokio::test]
async fn people_are_blocked_muted_and_removed_without_memory_left() {
    let site = one_node().await;
    let [alice, bob, carol, dave] = sign_up(&site, ["alice", "bob", "carol", "dave"]).await;
    for person in [&bob, &dave] {
        person.follow("alice").await;
    }
    alice.follow("bob").await;
    alice.follow("carol").await;
    let first = alice.post("first").await;
    let rude = bob.reply(first, "rude").await;
    bob.press("/@alice", "favourite", first).await;
    carol.post("about #birds").await;
    site.drain().await;
    limit(site.redis.one_node(), 1);

    let conversation = format!("/@alice/{first}");
    alice.press(&conversation, "hide", rude).await;
    let menu = alice.open_menu(&conversation, first).await;
    let mute = menu.button(&format!("/statuses/{first}/mute"));
    alice.submit_accepted(&mute).await;
    submit(&alice, "/settings/followers", "/@dave/remove").await;
    let profile = alice.open("/@carol").await;
    let form = profile.form("/@carol/mute").without("term");
    alice.submit_accepted(&with(form, "term", "forever")).await;
    let words = "/settings/muted-words";
    let form = alice.open(words).await.form(words);
    let form = form.set("text", "#birds").set("term", "forever");
    alice.submit_accepted(&form).await;
    submit(&alice, "/@bob", "/@bob/block").await;

    let page = Person::visitor(&site).open(&conversation).await;
    assert!(page.has(".hidden-replies"));
    assert_eq!(bob.get("/@alice").await.status, StatusCode::NOT_FOUND);
    assert_eq!(alice.get("/@bob").await.status, StatusCode::NOT_FOUND);
    let followers = alice.open("/@alice/followers").await;
    assert!(!followers.has(".person"), "{}", followers.visible_text());
    assert_eq!(alice.open("/").await.messages(), ["first"]);
    for page in [
        "/settings/muted",
        words,
        "/settings/muted-conversations",
        "/settings/blocked",
    ] {
        assert!(!alice.open(page).await.has(".empty"), "{page}");
    }
    limit(site.redis.one_node(), 0);
    site.drain().await;
    site.assert_sound().await;
}

fn with(mut form: Form, name: &str, value: &str) -> Form {
    form.fields.push((name.to_owned(), value.to_owned()));
    form
}

async fn wait_until_posting_is_closed(person: &Person) {
    eventually("the site notices", async || {
        let ready = person.get("/readyz").await;
        ready.html.contains("posting is closed")
    })
    .await;
}

#[tokio::test]
async fn a_post_is_narrowed_without_memory_left_and_a_new_text_is_refused() {
    let site = one_node().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    let id = alice.post("for all, and @bob").await;
    site.drain().await;
    let path = format!("/@alice/{id}");
    let edit = format!("/statuses/{id}/edit");
    let form = alice.open(&edit).await.form(&edit);
    let narrow = form.set("visibility", "followers");
    limit(site.redis.one_node(), 1);
    wait_until_posting_is_closed(&alice).await;

    let longer = narrow.clone().set("message", "for all, and more");
    let refused = alice.submit(&longer).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(bob.open(&path).await.messages(), ["for all, and @bob"]);
    // The second try finds that the edit stands.
    for _ in 0..2 {
        alice.submit_accepted(&narrow).await;
    }
    let refused = alice.submit(&longer).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    for person in [&bob, &Person::visitor(&site)] {
        assert_eq!(person.get(&path).await.status, StatusCode::NOT_FOUND);
        let profile = person.open("/@alice").await.messages();
        assert!(profile.is_empty(), "{profile:?}");
    }
    assert!(bob.open("/mentions").await.messages().is_empty());
    assert_eq!(alice.open(&path).await.messages(), ["for all, and @bob"]);
    limit(site.redis.one_node(), 0);
    site.drain().await;
    site.assert_sound().await;
}

/// At 95 %, decisions about people work with few words, so that they do not fill the rest.
#[tokio::test]
async fn decisions_have_few_words_before_memory_is_full() {
    const CASE: &str = "/admin/reports/bob";
    const DECIDE: &str = "/admin/reports/bob/decide";
    const SUSPEND: &str = "/admin/people/carol/suspend";
    let site = one_node().await;
    let [alice, bob, carol] = moderation::three(&site).await;
    let post = bob.post("a post").await.to_string();
    moderation::report(&carol, "/@bob/report").await;
    let redis = site.redis.one_node();
    leave_three_percent(redis);
    wait_until_posting_is_closed(&alice).await;
    let long = "x".repeat(101);
    for command in [
        &["note", "bob", &long][..],
        &["warn", "bob", "--reason", &long],
        &["suspend", "bob", "--reason", &long],
        &["hide-post", &post, "--reason", &long],
    ] {
        refuse(&site, &[(command, "Write at most 100 characters")]);
    }
    output_of(&site, &["note", "bob", &long[1..]]);
    let form = alice.open(CASE).await.form(DECIDE);
    let decision = form.choose("measure", "freeze").choose("reason", "spam");
    let decision = decision.set("days", "7");
    let suspension = alice.open(SUSPEND).await.form(SUSPEND);
    let forms = [(decision, "explanation"), (suspension, "reason")];
    for (form, field) in forms {
        let refused = alice.submit(&form.clone().set(field, &long)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        let text = refused.visible_text();
        assert!(text.contains("Write at most 100 characters"), "{text}");
        assert!(refused.html.contains(&long), "the text is kept");
        let short = form.set(field, &"x".repeat(100));
        alice.submit_accepted(&short).await;
    }
    assert!(!carol.is_logged_in().await);
    leave_all(redis);
    site.assert_sound().await;
}
