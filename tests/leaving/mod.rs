//! Suspended and deactivated accounts: what their people reach, and how they return.

mod command;
mod conversations;
pub mod deletion;
mod full_memory;
mod races;
pub mod sweep;

use redwing::{
    domain::{StatusId, UserId},
    store::{Key, Viewer},
    worker,
};
use reqwest::{Method, StatusCode};

use crate::support::{
    Form, PASSWORD, Page, Person, Site, crowd, pool::Redis, redis::RedisServer,
    redis_counters::Counters, request::Request,
};

/// Sends the form to leave with this password.
async fn leave(person: &Person, password: &str) -> Page {
    let form = person.open("/settings/leave").await.form("/settings/leave");
    person.submit(&form.set("current_password", password)).await
}

/// Returns the form that deletes the account, with this login as its confirmation.
async fn delete_form(person: &Person, login: &str) -> Form {
    let form = person.open("/account").await.form("/account/delete");
    form.set("login", login)
}

/// Returns what others see of a person: counts, posts, people and reactions.
async fn seen(viewer: &Person, login: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for path in [
        format!("/@{login}"),
        format!("/@{login}/replies"),
        format!("/@{login}/followers"),
        format!("/@{login}/following"),
        "/".to_owned(),
        "/tags/leaving".to_owned(),
        format!("/search?q={login}"),
        "/notifications".to_owned(),
    ] {
        let page = viewer.get(&path).await;
        seen.push(format!("{path}: {} {:?}", page.status, page.texts("main")));
    }
    seen
}

#[tokio::test]
async fn a_suspended_person_reads_the_reason_and_reaches_nothing_else() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("of alice").await;
    let posting = alice.open("/").await.form("/statuses");
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::set_suspended(&site.store, uid, true).await;
    assert!(!alice.is_logged_in().await, "sessions end at once");
    let refused = alice.submit(&posting.set("message", "too late")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);

    let alice = Person::log_in(&site, "alice").await;
    let page = alice.open("/").await;
    assert_eq!(page.text("h1"), "Your account is suspended");
    assert!(page.visible_text().contains("Spam."));
    let links = page.attributes("a", "href");
    assert_eq!(
        links,
        ["#main", "/", "/account/decisions", "/settings/export"]
    );
    for path in [
        "/",
        "/settings",
        "/settings/leave",
        "/notifications",
        "/live",
        "/help/posting",
        "/nothing-here",
        &format!("/@alice/{id}"),
    ] {
        for method in [Method::GET, Method::POST] {
            let answer = Request::new(&alice, method, path).send().await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path}");
            assert_eq!(answer.location(), "/account", "{path}");
        }
    }
    let form = page.form("/logout");
    alice.submit_accepted(&form).await;
    assert_eq!(alice.get("/").await.status, StatusCode::OK);

    let alice = Person::log_in(&site, "alice").await;
    crowd::set_suspended(&site.store, uid, false).await;
    assert_eq!(alice.get("/account").await.location(), "/settings");
    alice.post("back again").await;
    assert_eq!(alice.open("/@alice").await.messages().len(), 2);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_deactivated_account_is_gone_and_comes_back_complete() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let carol = Person::sign_up(&site, "carol").await;
    bob.follow("alice").await;
    alice.follow("bob").await;
    let post = alice.post("of alice #leaving").await;
    carol.post("of carol #leaving").await;
    let theirs = bob.post("of bob").await;
    alice.reply(theirs, "an answer to bob").await;
    alice.press("/@bob", "favourite", theirs).await;
    bob.press("/@alice", "repost", post).await;
    site.drain().await;
    let trends = async || carol.open("/tags").await.visible_text();
    // The pages above counted the trends, for a minute.
    site.redis.command(&["DEL", "tags:trending"]);
    assert!(trends().await.contains("leaving"));
    let before = seen(&bob, "alice").await;
    let phone = Person::log_in(&site, "alice").await;

    let wrong = leave(&alice, "not the password").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(alice.is_logged_in().await);
    let left = leave(&alice, PASSWORD).await;
    assert_eq!(
        (left.status, left.location()),
        (StatusCode::SEE_OTHER, "/login")
    );
    let notice = alice.open("/login").await.visible_text();
    assert!(notice.contains("Your account is deactivated"), "{notice}");
    for session in [&alice, &phone] {
        assert!(!session.is_logged_in().await);
    }
    assert_eq!(bob.get("/@alice").await.status, StatusCode::NOT_FOUND);
    for seen in seen(&bob, "alice").await {
        assert!(
            !seen.contains("of alice") && !seen.contains("an answer"),
            "{seen}"
        );
    }
    assert!(!trends().await.contains("leaving"));
    let people = bob.open(&format!("/@bob/{theirs}/favourites")).await;
    assert!(!people.has(".person"));

    let alice = Person::log_in(&site, "alice").await;
    let page = alice.open("/settings").await;
    assert_eq!(page.text("h1"), "Your account is deactivated");
    assert!(page.has("form[action=\"/logout\"]"), "stay away");
    alice
        .submit_accepted(&page.form("/account/reactivate"))
        .await;
    assert!(
        alice
            .open("/")
            .await
            .visible_text()
            .contains("Welcome back")
    );
    assert_eq!(seen(&bob, "alice").await, before);
    assert!(trends().await.contains("leaving"));
    let people = bob.open(&format!("/@bob/{theirs}/favourites")).await;
    assert!(people.has(".person"));
    assert_eq!(people_leaving(&site).await, 0);
    site.drain().await;
    site.assert_sound().await;
}

async fn people_leaving(site: &Site) -> u64 {
    let count = site.store.cardinality(&Key::PeopleLeaving).await;
    count.expect("the store answers")
}

#[tokio::test]
async fn a_person_deletes_a_deactivated_account_by_typing_its_login() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("of alice").await;
    let active = alice.get("/account").await;
    assert_eq!(
        active.location(),
        "/settings",
        "an active account has settings"
    );
    leave(&alice, PASSWORD).await;
    let alice = Person::log_in(&site, "alice").await;
    let wrong = alice.submit(&delete_form(&alice, "bob").await).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.visible_text().contains("This is not your login."));
    let deleted = alice
        .submit_accepted(&delete_form(&alice, "@Alice").await)
        .await;
    assert_eq!(deleted.location(), "/login");
    let visitor = Person::visitor(&site);
    for _ in 0..2 {
        let again = visitor.send_log_in("alice", PASSWORD).await;
        assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(visitor.get("/@alice").await.status, StatusCode::NOT_FOUND);
        let taken = visitor.send_sign_up("alice").await;
        assert_eq!(
            taken.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "it is reserved"
        );
        site.drain().await;
    }
    // A mention of the login is a text like any other.
    let bob = Person::sign_up(&site, "bob").await;
    bob.post("I miss @alice").await;
    assert_eq!(bob.open("/@bob").await.messages(), ["I miss @alice"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_suspension_of_a_person_with_many_followers_and_posts_takes_one_step() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let followers = crowd::followers(store, author, 60).await;
    let posts = crowd::posts(store, author, 40).await;
    worker::drain(store).await.expect("an answer");
    // 100,000 further followers and 20,000 old posts.
    for (key, count) in [
        ("followers", 100_000),
        ("profile", 20_000),
        ("posts", 20_000),
    ] {
        for first in (1..count).step_by(1000) {
            let sign = if key == "followers" { 1 } else { -1 };
            let members = (first..first + 1000).map(|id: i64| format!("{} {id}", sign * id));
            let members: Vec<String> = members.collect();
            let line = format!("ZADD {key}:{{{author}}} {}", members.join(" "));
            site.redis.one_node().pipe(&line);
        }
    }
    let cost = async |who: UserId| {
        let before = Counters::of(site.redis.one_node());
        crowd::set_suspended(store, who, true).await;
        before.spent_on(site.redis.one_node())
    };
    let (many, few) = (cost(author).await, cost(followers[0]).await);
    assert!(
        many.round_trips <= few.round_trips + 6,
        "{many:?} for many, {few:?} for few"
    );
    // The newest posts leave the trends. Nothing depends on the number of followers and of older posts.
    assert!(
        many.commands <= few.commands + 250,
        "{many:?} for many, {few:?} for few"
    );
    let before = Counters::of(site.redis.one_node());
    worker::drain(store).await.expect("an answer");
    let later = before.spent_on(site.redis.one_node()).commands;
    assert!(later < 250, "{later} commands of tasks");
    for viewer in followers.iter().take(3).map(|id| Viewer::Member(*id)) {
        let visible = store.visible(viewer, &posts).await.expect("an answer");
        let visible: Vec<StatusId> = visible.iter().map(|status| status.id()).collect();
        assert!(visible.is_empty(), "{visible:?}");
    }
}
