//! Following and unfollowing: home and profile change at once, for both users.

use reqwest::StatusCode;

use crate::support::{
    Form, Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer,
    redis_counters::Counters,
};

/// Returns a number on a profile: posts, following or followers.
async fn count(person: &Person, profile: &str, path: &str) -> String {
    let page = person.open(profile).await;
    let text = page.text(&format!("a[href=\"{profile}/{path}\"]"));
    text.chars().filter(char::is_ascii_digit).collect()
}

#[tokio::test]
async fn a_follow_brings_older_posts_home_at_once() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    let old = alice.post("before anybody followed").await;
    let own = bob.post("my own").await;
    bob.follow("alice").await;
    assert_eq!(bob.home_ids().await, [own, old]);
}

#[tokio::test]
async fn an_unfollow_removes_only_that_persons_posts() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    alice.post("one").await;
    let own = bob.post("my own").await;
    bob.follow("alice").await;
    alice.post("two").await;
    bob.unfollow("alice").await;
    assert_eq!(bob.home_ids().await, [own]);
}

#[tokio::test]
async fn both_sides_list_and_count_the_edge() {
    let site = Site::start().await;
    let (_, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    bob.follow("alice").await;
    assert!(bob.open("/@alice/followers").await.has("a[href=\"/@bob\"]"));
    assert!(bob.open("/@bob/following").await.has("a[href=\"/@alice\"]"));
    assert_eq!(count(&bob, "/@alice", "followers").await, "1");
    assert_eq!(count(&bob, "/@bob", "following").await, "1");
    bob.unfollow("alice").await;
    assert_eq!(count(&bob, "/@alice", "followers").await, "0");
    assert_eq!(count(&bob, "/@bob", "following").await, "0");
}

#[tokio::test]
async fn a_double_click_on_follow_counts_once() {
    let site = Site::start().await;
    let (_, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    let form = bob.open("/@alice").await.form("/@alice/follow");
    bob.submit_accepted(&form).await;
    bob.submit_accepted(&form).await;
    assert_eq!(count(&bob, "/@alice", "followers").await, "1");
}

#[tokio::test]
async fn following_oneself_is_refused() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    assert!(
        !alice
            .open("/@alice")
            .await
            .has("form[action=\"/@alice/follow\"]")
    );
    let for_bob = alice.open(&bob.profile()).await.form("/@bob/follow");
    let answer = alice
        .submit(&Form {
            action: "/@alice/follow".into(),
            ..for_bob
        })
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(count(&alice, "/@alice", "followers").await, "0");
}

#[tokio::test]
async fn a_missing_user_cannot_be_followed() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    let for_bob = alice.open(&bob.profile()).await.form("/@bob/follow");
    let answer = alice
        .submit(&Form {
            action: "/@nobody/follow".into(),
            ..for_bob
        })
        .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(count(&alice, "/@alice", "following").await, "0");
}

#[tokio::test]
async fn following_too_many_is_refused_with_the_limit() {
    let site = Site::with(&["--max-following", "2"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    for login in ["bob", "carol", "dave"] {
        crowd::member(&site.store, login).await;
    }
    alice.follow("bob").await;
    alice.follow("carol").await;
    let form = alice.open("/@dave").await.form("/@dave/follow");
    let answer = alice.submit(&form).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.visible_text().contains('2'), "the limit is named");
    assert_eq!(count(&alice, "/@alice", "following").await, "2");
}

#[tokio::test]
async fn a_visitor_must_log_in_to_follow() {
    let site = Site::start().await;
    crowd::member(&site.store, "alice").await;
    let profile = Person::visitor(&site).open("/@alice").await;
    assert!(!profile.has("form[action=\"/@alice/follow\"]") || profile.has("a[href^=\"/login\"]"));
}

#[tokio::test]
async fn people_are_listed_newest_first_page_by_page() {
    let site = Site::start().await;
    let alice = crowd::member(&site.store, "alice").await;
    for number in 0..65 {
        let follower = crowd::member(&site.store, &format!("fan_{number}")).await;
        crowd::follow(&site.store, follower, alice).await;
    }
    let pages = Person::visitor(&site).pages("/@alice/followers").await;
    let people: Vec<Vec<String>> = pages
        .iter()
        .map(|page| page.texts("main .h-card .p-nickname"))
        .collect();
    assert_eq!(people.iter().map(Vec::len).collect::<Vec<_>>(), [30, 30, 5]);
    let listed: Vec<String> = people
        .concat()
        .iter()
        .map(|login| login.trim_start_matches('@').to_owned())
        .collect();
    let expected: Vec<String> = (0..65)
        .rev()
        .map(|number| format!("fan_{number}"))
        .collect();
    assert_eq!(listed, expected);
}

/// Follows with the button of a page. Returns the target of the redirect and the messages there.
async fn follow_on(person: &Person, path: &str, login: &str) -> (String, Vec<String>) {
    let form = person.open(path).await.form(&format!("/@{login}/follow"));
    let answer = person.submit_accepted(&form).await;
    let next = answer.location().to_owned();
    let texts = person.open(&next).await.texts(".flash");
    (next, texts)
}

#[tokio::test]
async fn a_follow_returns_to_the_page_of_its_button() {
    let site = Site::start().await;
    let alice = crowd::member(&site.store, "alice").await;
    for number in 0..32 {
        let fan = crowd::member(&site.store, &format!("fan_{number}")).await;
        crowd::follow(&site.store, fan, alice).await;
    }
    let bob = Person::sign_up(&site, "bob").await;
    let older = bob
        .open("/@alice/followers")
        .await
        .older()
        .expect("a second page");
    for (path, login) in [
        ("/", "alice"),
        ("/@alice/followers", "fan_31"),
        (&older, "fan_0"),
        ("/@fan_5", "fan_5"),
    ] {
        let (next, texts) = follow_on(&bob, path, login).await;
        assert_eq!(next, path);
        assert_eq!(texts, [format!("You now follow @{login}.")]);
    }
    let form = bob.open("/@bob/following").await.form("/@fan_5/unfollow");
    assert_eq!(
        bob.submit_accepted(&form).await.location(),
        "/@bob/following"
    );
    let page = bob.open("/@bob/following").await;
    let unfollowed = "You no longer follow @fan_5. Undo";
    assert_eq!(page.texts(".flash"), [unfollowed]);
    let undo = page.form("/@fan_5/follow");
    assert_eq!(
        bob.submit_accepted(&undo).await.location(),
        "/@bob/following",
        "the undo of the notice returns to the page of the notice"
    );
    let followed = bob.open("/@fan_5").await;
    assert_eq!(followed.texts(".flash"), ["You now follow @fan_5."]);
}

#[tokio::test]
async fn a_follow_never_leads_off_the_site() {
    let site = Site::start().await;
    crowd::member(&site.store, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    for next in [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "",
        "/a//b",
    ] {
        let form = bob.open("/@alice").await;
        let form = form
            .find_form("/@alice/follow")
            .unwrap_or_else(|| form.form("/@alice/unfollow"));
        let answer = bob.submit_accepted(&form.set("next", next)).await;
        assert_eq!(answer.location(), "/@alice", "{next}");
    }
}

/// Two concurrent follows of one person can report their follower counts to the ranking in the
/// wrong order.
#[tokio::test]
async fn a_late_follower_count_does_not_stay_in_the_ranking() {
    let site = Site::start().await;
    let popular = crowd::member(&site.store, "popular").await;
    crowd::followers(&site.store, popular, 3).await;
    for stale in [2, 0, 7] {
        let ranked = site.store.rank_followed(popular, stale).await;
        ranked.expect("the store answers");
        let suggested = site.store.suggestion_ranks(popular).await;
        let rank = suggested.expect("the store answers").as_followed;
        assert_eq!(rank, Some(3.0), "late count {stale}");
    }
}

#[tokio::test]
async fn suggestions_stay_above_the_timeline_until_five_people_are_followed() {
    let site = Site::start().await;
    for number in 0..8 {
        crowd::member(&site.store, &format!("person_{number}")).await;
    }
    let bob = Person::sign_up(&site, "bob").await;
    bob.post("hello").await;
    for number in 0..6 {
        let home = bob.open("/").await;
        assert_eq!(home.count("#suggestions-title"), 1);
        assert_eq!(
            home.has(".column #suggestions-title"),
            number < 5,
            "{number}"
        );
        bob.follow(&format!("person_{number}")).await;
    }
}

/// A follow reads the newest statuses of the person, as far as they can belong on the home.
#[tokio::test]
async fn a_follow_reads_no_status_that_cannot_come_to_the_home() {
    let redis = Redis::Node(RedisServer::start());
    let core = Core::on(redis, &["--home-size", "100"]);
    let store = &core.store;
    let people = crowd::people(store, "person", 4).await;
    let [old, new, reader, dormant] = people[..] else {
        panic!("there are four")
    };
    crowd::posts(store, old, 100).await;
    crowd::home(store, reader).await;
    crowd::follow(store, reader, new).await;
    crowd::posts(store, new, 140).await;
    core.drain().await;
    core.redis
        .command(&["DEL", &format!("active:{{{dormant}}}")]);
    let mut spent = Vec::new();
    for follower in [reader, dormant] {
        let before = Counters::of(core.redis.one_node());
        crowd::follow(store, follower, old).await;
        spent.push(before.spent_on(core.redis.one_node()).commands);
    }
    assert!(spent[0] < 150 && spent[1] < 100, "{spent:?}");
    assert_eq!(crowd::home(store, dormant).await[0], "post 99");
    core.assert_sound().await;
}
