//! Blocking a person: both no longer find each other, and nothing connects them any more.

mod cost;
mod matrix;
mod races;
mod reports;

use redwing::{
    actions::{
        blocks::{self, Block},
        polls,
    },
    domain::{Ballot, UserId},
    store::{Key, Relation, Store},
};
use reqwest::StatusCode;

use crate::{
    live::page::{OpenPage, since},
    notifications::members,
    support::{Form, Page, Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer},
};

/// Makes a person block another one, without HTTP.
pub async fn set_block(store: &Store, by: UserId, blocked: UserId) {
    let answer = blocks::block(store, by, blocked).await;
    assert_eq!(answer.expect("the store answers"), Block::Done);
}

async fn block(person: &Person, login: &str) -> Page {
    let profile = person.open(&format!("/@{login}")).await;
    person
        .submit_accepted(&profile.form(&format!("/@{login}/block")))
        .await
}

async fn unblock(person: &Person, login: &str) -> Page {
    let page = person.open("/settings/blocked").await;
    let form = page.form("/settings/blocked/remove").set("login", login);
    person.submit_accepted(&form).await
}

async fn sign_up<const N: usize>(site: &Site, logins: [&str; N]) -> [Person; N] {
    let mut people = Vec::new();
    for login in logins {
        people.push(Person::sign_up(site, login).await);
    }
    people.try_into().ok().expect("as many")
}

#[tokio::test]
async fn two_people_no_longer_find_each_other_and_do_after_an_unblock() {
    let site = Site::start().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    let status = alice.post("of alice").await;
    let answer = block(&alice, "bob").await;
    assert_eq!(answer.location(), "/");
    for (viewer, login) in [(&alice, "bob"), (&bob, "alice")] {
        for path in ["", "/replies", "/followers", "/following"] {
            let page = viewer.get(&format!("/@{login}{path}")).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{login}{path}");
        }
    }
    for path in [
        format!("/@alice/{status}"),
        format!("/statuses/{status}"),
        format!("/@alice/{status}/versions"),
        format!("/@alice/{status}/favourites"),
        format!("/@alice/{status}/reposts"),
        format!("/statuses/{status}/quote"),
    ] {
        let page = bob.get(&path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
    }
    let visitor = Person::visitor(&site);
    assert_eq!(visitor.open("/@alice").await.messages(), ["of alice"]);
    assert_eq!(
        alice.open("/settings/blocked").await.texts(".p-nickname"),
        ["bob"]
    );
    assert!(!bob.open("/settings/blocked").await.has(".person"));
    unblock(&alice, "bob").await;
    assert_eq!(bob.open("/@alice").await.messages(), ["of alice"]);
    assert!(!alice.open("/settings/blocked").await.has(".person"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn everything_that_connects_them_is_removed_for_good() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [alice, bob, carol] = people[..] else {
        panic!("there are three")
    };
    for (one, other) in [(alice, bob), (bob, alice)] {
        crowd::follow(store, one, other).await;
        crowd::list(store, one, &[other, carol]).await;
    }
    let of_alice = crowd::post_poll(store, alice, &["Tea", "Coffee"]).await;
    let of_bob = crowd::post(store, bob, "of bob").await;
    crowd::favourite(store, alice, of_bob).await;
    for other in [bob, carol] {
        crowd::favourite(store, other, of_alice).await;
        let ballot = Ballot::stored(1).expect("a choice");
        polls::vote(store, other, of_alice, ballot)
            .await
            .expect("the store answers");
    }
    crowd::reply(store, bob, of_alice, "an answer").await;
    core.drain().await;
    set_block(store, alice, bob).await;
    let follows = [Relation::Follow(alice, bob), Relation::Follow(bob, alice)];
    assert_eq!(
        store.have_relations(&follows).await.expect("an answer"),
        [false; 2]
    );
    for person in [alice, bob] {
        let user = store
            .user(person)
            .await
            .expect("an answer")
            .expect("a user");
        assert_eq!((user.followers, user.following), (0, 0));
        let memberships = store.cardinality(&Key::ListMemberships(person)).await;
        assert_eq!(memberships.expect("an answer"), 0);
        let favourites = store.cardinality(&Key::Favourites(person)).await;
        assert_eq!(favourites.expect("an answer"), 0);
    }
    let voters = store.cardinality(&Key::Ballots(of_alice)).await;
    assert_eq!(voters.expect("an answer"), 1, "carol's vote stays");
    let fans = store.cardinality(&Key::FavouritedBy(of_alice)).await;
    assert_eq!(fans.expect("an answer"), 1, "carol's favourite stays");
    let notified = members(store, alice).await;
    assert!(
        notified
            .iter()
            .all(|one| one.ends_with(&format!(":{carol}"))),
        "{notified:?}"
    );
    assert!(members(store, bob).await.is_empty());
    core.drain().await;
    core.assert_sound().await;
    blocks::unblock(store, alice, bob).await.expect("an answer");
    assert_eq!(
        store.have_relations(&follows).await.expect("an answer"),
        [false; 2]
    );
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_block_is_answered_the_same_when_its_form_is_sent_again() {
    let site = Site::start().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    let form = alice.open("/@bob").await.form("/@bob/block");
    let back = bob.open("/@alice").await.form("/@alice/block");
    for _ in 0..2 {
        assert_eq!(alice.submit_accepted(&form).await.location(), "/");
    }
    // Bob does not find alice, so he gets the answer for a login that nobody has.
    assert_eq!(bob.submit(&back).await.status, StatusCode::NOT_FOUND);
    for login in ["bob", "bob", "nobody"] {
        let mut unblock = Form {
            action: "/settings/blocked/remove".to_owned(),
            ..form.clone()
        };
        unblock.fields.push(("login".to_owned(), login.to_owned()));
        alice.submit_accepted(&unblock).await;
    }
    assert_eq!(alice.get("/@bob").await.status, StatusCode::OK);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn forms_made_before_the_block_are_refused() {
    let site = Site::start().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    let status = alice.post("of alice").await;
    let profile = bob.open("/@alice").await;
    let permalink = bob.open(&format!("/@alice/{status}")).await;
    let forms: Vec<Form> = [
        profile.form("/@alice/follow"),
        profile.button(&format!("/statuses/{status}/favourite")),
        profile.button(&format!("/statuses/{status}/bookmark")),
        profile.button(&format!("/statuses/{status}/repost")),
        permalink.form("/statuses").set("message", "an answer"),
    ]
    .into();
    block(&alice, "bob").await;
    for form in forms {
        let answer = bob.submit(&form).await;
        assert!(
            answer.status.is_client_error(),
            "{}: {}",
            form.action,
            answer.status
        );
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_page_of_blocked_people_says_when_there_are_none_and_nobody_blocks_themselves() {
    let site = Site::with(&["--max-blocked", "1"]).await;
    let [alice, _bob, _carol] = sign_up(&site, ["alice", "bob", "carol"]).await;
    assert!(
        alice
            .open("/settings")
            .await
            .has("a[href=\"/settings/blocked\"]")
    );
    assert!(
        alice
            .open("/settings/blocked")
            .await
            .visible_text()
            .contains("You have not blocked anyone")
    );
    let form = alice.open("/@bob").await.form("/@bob/block");
    let own = Form {
        action: "/@alice/block".to_owned(),
        ..form.clone()
    };
    assert_eq!(
        alice.submit(&own).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let second = alice.open("/@carol").await.form("/@carol/block");
    alice.submit_accepted(&form).await;
    let refused = alice.submit(&second).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains("limit of 1 blocked people"));
}

#[tokio::test]
async fn open_streams_of_both_sides_count_again_at_once() {
    let site = Site::start().await;
    let [alice, bob, carol] = sign_up(&site, ["alice", "bob", "carol"]).await;
    let bobs = bob.post("of bob").await;
    let own = alice.post("of alice").await;
    for (reader, author) in [(&alice, "carol"), (&bob, "carol")] {
        reader.follow(author).await;
    }
    let mut page = OpenPage::since(&alice, &since(&alice).await).await;
    page.wait_for_arrivals(0).await;
    let mut page_of_bob = OpenPage::since(&bob, &since(&bob).await).await;
    page_of_bob.wait_for_arrivals(0).await;
    carol.press("/@bob", "repost", bobs).await;
    page.wait_for_arrivals(1).await;
    carol.press("/@alice", "repost", own).await;
    page_of_bob.wait_for_arrivals(1).await;
    block(&alice, "bob").await;
    page.wait_for_arrivals(0).await;
    page_of_bob.wait_for_arrivals(0).await;
}

#[tokio::test]
async fn a_hidden_reply_leaves_no_trace_or_a_nameless_gap() {
    let site = Site::start().await;
    let [alice, bob, carol] = sign_up(&site, ["alice", "bob", "carol"]).await;
    let start = carol.post("of carol").await;
    bob.reply(start, "without answers").await;
    let answered = bob.reply(start, "with an answer").await;
    carol.reply(answered, "the answer").await;
    site.drain().await;
    block(&alice, "bob").await;
    // The first page names the blocked person in its notice.
    alice.open("/").await;
    let page = alice.open(&format!("/@carol/{start}")).await;
    assert_eq!(page.messages(), ["of carol", "the answer"]);
    assert_eq!(page.texts(".gap"), ["A deleted post"]);
    assert!(!page.html.contains("@bob"));
    let everyone = Person::visitor(&site)
        .open(&format!("/@carol/{start}"))
        .await;
    assert_eq!(everyone.messages().len(), 4);
}

#[tokio::test]
async fn hidden_replies_do_not_shorten_the_page_of_a_conversation() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let reader = crowd::uid(store, "alice").await;
    let (bob, carol) = (
        crowd::member(store, "bob").await,
        crowd::member(store, "carol").await,
    );
    let start = crowd::post(store, carol, "of carol").await;
    for number in 0..30 {
        crowd::reply(store, bob, start, &format!("of bob {number}")).await;
        crowd::reply(store, carol, start, &format!("of carol {number}")).await;
    }
    site.drain().await;
    set_block(store, reader, bob).await;
    let path = format!("/@carol/{start}");
    let first = alice.open(&path).await;
    let expected = |numbers: std::ops::Range<usize>| {
        let replies = numbers.map(|number| format!("of carol {number}"));
        ["of carol".to_owned()]
            .into_iter()
            .chain(replies)
            .collect::<Vec<_>>()
    };
    assert_eq!(first.messages(), expected(0..20));
    let next = first.attributes("a[rel=\"next\"]", "href");
    let next = next.first().expect("there are more replies");
    let second = alice.open(next).await;
    assert_eq!(second.messages(), expected(20..30));
    assert!(!second.has("a[rel=\"next\"]"));
}

/// Returns the number of bytes that Redis has sent since its start.
fn bytes_sent(redis: &RedisServer) -> u64 {
    let stats = redis.ask(&["INFO", "stats"]);
    let sent = stats
        .lines()
        .find_map(|line| line.strip_prefix("total_net_output_bytes:"));
    sent.and_then(|bytes| bytes.trim().parse().ok())
        .expect("Redis counts it")
}

#[tokio::test]
async fn a_page_of_a_person_blocked_by_many_asks_only_about_the_people_on_it() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let [alice, bob, carol] = sign_up(&site, ["alice", "bob", "carol"]).await;
    alice.follow("bob").await;
    bob.post("of bob").await;
    let of_carol = carol.post("of carol").await;
    bob.press("/@carol", "repost", of_carol).await;
    site.drain().await;
    let uid = crowd::uid(&site.store, "alice").await;
    let redis = site.redis.one_node();
    let key = Key::BlockedBy(uid).name();
    let blockers: String = (1..=20_000)
        .map(|number| format!("ZADD {key} {number} {}\n", 1_000_000 + number))
        .collect();
    redis.pipe(&blockers);
    let carols = crowd::uid(&site.store, "carol").await;
    redis.command(&["ZADD", &key, "20001", &carols.to_string()]);
    for (path, messages) in [
        ("/", &["of bob"][..]),
        ("/@bob", &["of bob"]),
        ("/search?q=of", &["of bob"]),
    ] {
        let before = bytes_sent(redis);
        let page = alice.open(path).await;
        assert_eq!(page.messages(), messages, "{path}");
        let sent = bytes_sent(redis) - before;
        assert!(sent < 60_000, "{path}: {sent} bytes");
    }
}

#[tokio::test]
async fn the_menu_of_a_post_blocks_at_once_returns_to_the_page_and_offers_to_undo_it() {
    let site = Site::start().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    let id = bob.post("of bob #birds").await;
    alice.follow("bob").await;
    let path = "/@bob/block";
    let on_profile = alice.open_menu("/@bob", id).await.button(path);
    let answer = alice.submit_accepted(&on_profile).await;
    assert_eq!(answer.location(), "/", "the pages of bob are gone");
    let home = alice.open("/").await;
    let undo = home.form("/settings/blocked/remove");
    assert_eq!(undo.value("login"), "bob");
    assert!(home.visible_text().contains("were removed for good"));
    alice.submit_accepted(&undo).await;
    assert_eq!(alice.open(&format!("/@bob/{id}")).await.status_ids(), [id]);
    let profile = alice.open("/@bob").await;
    assert!(
        profile.find_form("/@bob/follow").is_some(),
        "no follow returns"
    );
    let on_tag = alice.open_menu("/tags/birds", id).await.button(path);
    let answer = alice.submit_accepted(&on_tag).await;
    assert_eq!(answer.location(), format!("/tags/birds#status-{id}"));
    assert!(alice.open("/tags/birds").await.status_ids().is_empty());
}
