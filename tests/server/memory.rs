//! Full memory: everything that frees memory or revokes access works, everything else is refused in words,
//! and the site recovers through its own deletions.

use futures_util::future::join;
use reqwest::StatusCode;

use crate::support::{
    Form, PASSWORD, Page, Person, Site, crowd, pool::Redis, process::Home, redis::RedisServer,
    running_worker::RunningWorker, waiting::eventually,
};
use crate::{administration::output_of, groups, messages};

pub(crate) async fn one_node() -> Site {
    Site::on(Redis::Node(RedisServer::start()), &[]).await
}

/// Returns a number of the memory section of INFO.
pub(super) fn memory(redis: &RedisServer, field: &str) -> u64 {
    let info = redis.ask(&["INFO", "memory"]);
    let number = info
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let number = number.and_then(|number| number.trim().parse().ok());
    number.expect("Redis states it")
}

pub(super) fn limit(redis: &RedisServer, bytes: u64) {
    redis.command(&["CONFIG", "SET", "maxmemory", &bytes.to_string()]);
}

/// A value that takes most of the memory, so buffers of connections do not change its share by much.
const BALLAST: &str = "ballast";

/// Sets the limit so that 97 % of it are used: posting is closed, and log-ins and deletions have room.
pub(super) fn leave_three_percent(redis: &RedisServer) {
    use_percent(redis, 97);
}

/// Sets the limit so that this share of it is used.
pub(crate) fn use_percent(redis: &RedisServer, percent: u64) {
    redis.command(&["SETRANGE", BALLAST, "100000000", "x"]);
    limit(redis, memory(redis, "used_memory") * 100 / percent);
}

/// Takes `leave_three_percent` back.
pub(crate) fn leave_all(redis: &RedisServer) {
    redis.command(&["DEL", BALLAST]);
    limit(redis, 0);
}

/// Fifty words that no other post has, so the post takes a few kilobytes.
fn long_message(number: usize) -> String {
    let words: Vec<String> = (0..50).map(|word| format!("w{number}x{word}")).collect();
    words.join(" ")
}

async fn compose(person: &Person, message: &str) -> Form {
    let form = person.open("/").await.form("/statuses");
    form.set("message", message)
}

/// Checks the answer of a site that is full.
fn assert_full(answer: &Page) {
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    let text = answer.visible_text();
    assert!(text.contains("The site is full for now"), "{text}");
    assert!(answer.header("retry-after").is_some());
    answer.assert_helpful();
}

#[tokio::test]
async fn a_full_site_says_so_and_is_emptied_by_its_own_deletions() {
    // One person fills the site.
    let quota = ["--post-bytes", "268435456"];
    let site = Site::on(Redis::Node(RedisServer::start()), &quota).await;
    let alice = Person::sign_up(&site, "alice").await;
    let worker = RunningWorker::start(&site.store);
    let redis = site.redis.one_node();
    // More than the connections take that are opened meanwhile.
    limit(redis, memory(redis, "used_memory") + 2_000_000);
    let mut posts = Vec::new();
    let refused = loop {
        let message = long_message(posts.len());
        let answer = alice.submit(&compose(&alice, &message).await).await;
        if answer.status != StatusCode::SEE_OTHER {
            assert_eq!(answer.form("/statuses").value("message"), message);
            break answer;
        }
        posts.push(alice.open("/").await.status_ids()[0]);
        alice.get("/readyz").await;
        assert!(posts.len() < 2000, "the site is never full");
    };
    assert_full(&refused);
    let used = memory(redis, "used_memory");
    assert!(used < memory(redis, "maxmemory"), "before the end");
    let warning = alice.get("/readyz").await;
    assert_eq!(warning.status, StatusCode::OK);
    assert!(warning.html.contains("posting is closed"));
    let home = alice.open("/").await;
    assert!(home.visible_text().contains("Posting is closed for now"));

    // Now there is no memory left at all.
    limit(redis, used * 97 / 100);
    for id in posts.iter().rev() {
        alice.delete(*id).await;
    }
    eventually("there is room for a post", async || {
        let form = compose(&alice, "room again").await;
        alice.submit(&form).await.status == StatusCode::SEE_OTHER
    })
    .await;
    let home = alice.open("/").await;
    assert!(!home.visible_text().contains("Posting is closed"));
    worker.stop().await;
    limit(redis, 0);
    site.assert_sound().await;
}

/// At 95 %, reports of messages and notes in group logs are refused. Acts without a note work.
#[tokio::test]
async fn reports_of_messages_and_notes_of_acts_in_groups_are_closed_before_memory_is_full() {
    let site = one_node().await;
    let (alice, bob) = join(
        Person::sign_up(&site, "alice"),
        Person::sign_up(&site, "bob"),
    )
    .await;
    let group = groups::make(&alice, "birds", &[]).await;
    groups::join(&bob, &group).await;
    alice.follow("bob").await;
    let chat = messages::begun(&bob, "alice", "buy this").await;
    let of_message = format!("{chat}/1/report");
    let of_person = "/@bob/report";
    let report = async |path: &str| {
        let form = alice.open(path).await.form(path);
        let form = groups::with_choices(form, &[("reason", "spam")]);
        alice.submit(&form).await
    };
    let redis = site.redis.one_node();
    leave_three_percent(redis);
    eventually("the site notices", async || {
        alice
            .get("/readyz")
            .await
            .html
            .contains("posting is closed")
    })
    .await;
    assert_full(&report(&of_message).await);
    let noted = groups::act(&alice, &group, "bob", "remove", "Bye.").await;
    assert_eq!(noted.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(noted.visible_text().contains("has no room for notes now"));
    assert!(noted.text("#note").contains("Bye."), "the note is kept");
    let removed = groups::act(&alice, &group, "bob", "remove", "").await;
    assert_eq!(removed.status, StatusCode::SEE_OTHER);
    leave_all(redis);
    for path in [&of_message, of_person] {
        assert_eq!(report(path).await.status, StatusCode::SEE_OTHER, "{path}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn everything_that_frees_memory_works_without_memory_left() {
    let site = one_node().await;
    let (alice, bob) = join(
        Person::sign_up(&site, "alice"),
        Person::sign_up(&site, "bob"),
    )
    .await;
    let old = bob.post("about #birds for @alice").await;
    let (favourite, reposted) = (bob.post("good").await, bob.post("better").await);
    let own = alice.post("my #boats for @bob").await;
    let reply = alice.reply(old, "a reply").await;
    bob.reply(reply, "below it").await;
    alice.follow("bob").await;
    let who = crowd::uid(&site.store, "alice").await;
    let bob_id = crowd::uid(&site.store, "bob").await;
    crowd::follow_tag(&site.store, who, "birds").await;
    let list = crowd::list(&site.store, who, &[bob_id]).await;
    let exclusive = crowd::list(&site.store, who, &[bob_id]).await;
    let (list, exclusive) = (list.number, exclusive.number);
    let edit = format!("/lists/{exclusive}/edit");
    let mut form = alice.open(&edit).await.form(&edit);
    form.fields.push(("exclusive".into(), "1".into()));
    alice.submit_accepted(&form).await;
    let status = format!("/statuses/{favourite}");
    alice.press(&status, "favourite", favourite).await;
    alice.press(&status, "bookmark", favourite).await;
    let original = format!("/statuses/{reposted}");
    alice.press(&original, "repost", reposted).await;
    site.drain().await;
    let post = compose(&alice, "too much").await;
    let follow = bob.open("/@alice").await.form("/@alice/follow");
    let redis = site.redis.one_node();
    limit(redis, 1);

    assert_full(&alice.submit(&post).await);
    assert_full(&bob.submit(&follow).await);
    alice.press(&status, "unfavourite", favourite).await;
    alice.press(&status, "unbookmark", favourite).await;
    alice.press(&original, "unrepost", reposted).await;
    alice.delete(reply).await;
    alice.delete(own).await;
    bob.delete(old).await;
    for (page, form) in [
        ("/tags/birds".to_owned(), "/tags/birds/unfollow".to_owned()),
        (
            format!("/lists/{list}/members"),
            format!("/lists/{list}/members/remove"),
        ),
        (
            format!("/lists/{exclusive}/delete"),
            format!("/lists/{exclusive}/delete"),
        ),
    ] {
        let form = alice.open(&page).await.form(&form);
        alice.submit_accepted(&form).await;
    }
    alice.unfollow("bob").await;
    let left = alice.open("/@alice").await.messages();
    assert!(left.is_empty(), "{left:?}");
    limit(redis, 0);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_refused_change_leaves_no_outbox_entry() {
    let site = one_node().await;
    let (alice, bob) = join(
        Person::sign_up(&site, "alice"),
        Person::sign_up(&site, "bob"),
    )
    .await;
    let post = bob.post("about #birds").await;
    let who = crowd::uid(&site.store, "alice").await;
    let list = crowd::list(&site.store, who, &[]).await.number;
    site.drain().await;
    let members = format!("/lists/{list}/members");
    let profile = alice.open("/@bob").await;
    let settings = alice.open("/settings").await.form("/settings/profile");
    let forms = [
        profile.form("/@bob/follow"),
        profile.button(&format!("/statuses/{post}/favourite")),
        alice.open("/tags/birds").await.form("/tags/birds/follow"),
        alice
            .open(&members)
            .await
            .form(&members)
            .set("login", "bob"),
        settings.set("name", "Another"),
    ];
    limit(site.redis.one_node(), 1);
    for form in forms {
        assert_full(&alice.submit(&form).await);
        let [_, later, _] = crate::support::state::task_counts(&site.store)
            .await
            .expect("an answer");
        assert_eq!(later, 0, "{}", form.action);
    }
    limit(site.redis.one_node(), 0);
    site.assert_sound().await;
}

#[tokio::test]
async fn everything_that_revokes_access_works_without_memory_left() {
    const NEW: &str = "another mountain lake";
    let site = one_node().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    limit(site.redis.one_node(), 1);

    let tablet = Person::log_in(&site, "alice").await;
    let sessions = desk.open("/settings/sessions").await;
    let revoke = sessions.form("/settings/sessions/revoke");
    desk.submit_accepted(&revoke).await;
    let is_in = async |person: &Person| person.is_logged_in().await;
    let left = [&phone, &tablet, &desk];
    let mut count = 0;
    for person in left {
        count += usize::from(is_in(person).await);
    }
    assert_eq!(count, 2, "one session was ended");

    let desk = Person::log_in(&site, "alice").await;
    let form = desk.open("/settings").await.form("/settings/password");
    let form = form.set("current_password", PASSWORD);
    desk.submit_accepted(&form.set("new_password", NEW)).await;
    assert!(!is_in(&phone).await && !is_in(&tablet).await);
    let sessions = desk.open("/settings/sessions").await;
    let form = sessions.form("/settings/sessions/revoke-all");
    desk.submit_accepted(&form).await;
    assert!(!is_in(&desk).await);
    let answer = Person::visitor(&site).send_log_in("alice", NEW).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

/// The people who run the site stop an account that floods it. Each act is in the log.
#[tokio::test]
async fn a_flooder_is_suspended_and_invitations_are_revoked_without_memory_left() {
    let site = one_node().await;
    let alice = Person::sign_up(&site, "alice").await;
    let flooder = Person::sign_up(&site, "flooder").await;
    output_of(&site, &["role", "alice", "moderator"]);
    let invitations = "/settings/invitations";
    let form = alice.open(invitations).await.form(invitations);
    alice.submit_accepted(&form).await;
    limit(site.redis.one_node(), 1);

    let page = alice.open(invitations).await;
    let revoke = page.form("/settings/invitations/revoke");
    alice.submit_accepted(&revoke).await;
    let page = alice.open(invitations).await;
    assert!(!page.has(".invitations input[readonly]"));

    let suspend = "/admin/people/flooder/suspend";
    let form = alice.open(suspend).await.form(suspend);
    let form = form.set("reason", "Floods the site.");
    alice.submit_accepted(&form).await;
    assert!(!flooder.is_logged_in().await);
    let log = alice.open("/admin").await.texts(".log p[dir]");
    let expected = [
        "@alice suspended @flooder: Floods the site.",
        "@alice revoked an invitation",
    ];
    assert_eq!(log[..2], expected);

    let privacy = "/settings/privacy";
    let page = alice.open(privacy).await;
    let form = page.form("/settings/account");
    alice.submit_accepted(&form.set("account", "private")).await;
}

/// Many new accounts cannot close posting for everybody.
#[tokio::test]
async fn at_85_percent_only_newcomers_and_sign_ups_are_refused() {
    let days = ["--new-account-days", "7"];
    let site = Site::on(Redis::Node(RedisServer::start()), &days).await;
    let [alice, bob] = ["alice", "bob"].map(|login| Person::sign_up(&site, login));
    let (alice, bob) = join(alice, bob).await;
    let alice_id = crowd::uid(&site.store, "alice").await.to_string();
    let redis = site.redis.one_node();
    redis.command(&["HDEL", &format!("user:{{{alice_id}}}"), "newcomer_since"]);
    bob.follow("alice").await;
    let chat = messages::begun(&alice, "bob", "hello").await;
    use_percent(redis, 85);
    eventually("the site notices", async || {
        let ready = alice.get("/readyz").await;
        ready.html.contains("warning:")
    })
    .await;

    assert_full(&bob.submit(&compose(&bob, "too much").await).await);
    let message = bob.open(&chat).await.form(&chat).set("message", "too much");
    assert_full(&bob.submit(&message).await);
    assert_full(&Person::visitor(&site).send_sign_up("carol").await);
    alice.post("there is room").await;
    let message = alice.open(&chat).await.form(&chat);
    alice
        .submit_accepted(&message.set("message", "and here"))
        .await;
    leave_all(redis);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_dormant_home_is_readable_without_memory_left() {
    let site = one_node().await;
    let (alice, bob) = join(
        Person::sign_up(&site, "alice"),
        Person::sign_up(&site, "bob"),
    )
    .await;
    alice.follow("bob").await;
    bob.post("hello").await;
    let who = crowd::uid(&site.store, "alice").await;
    let redis = site.redis.one_node();
    redis.command(&["DEL", &format!("active:{{{who}}}")]);
    limit(redis, 1);
    assert_eq!(alice.open("/").await.messages(), ["hello"]);
}

#[tokio::test]
async fn the_embedded_server_has_a_memory_limit_and_the_log_warns_at_80_percent() {
    let home = Home::new();
    let redwing = home.serve(&["--embedded-redis-bytes", "50000000"]);
    let answer = home.ask("CONFIG GET maxmemory").expect("it answers");
    assert!(answer.contains("\r\n50000000\r\n"), "{answer}");
    home.ask("SETRANGE filler 39000000 x").expect("it answers");
    let visitor = Person::at(
        crate::support::request::client(),
        &redwing.base,
        crate::support::process::ORIGIN,
    );
    let answer = visitor.get("/readyz").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.html.contains("warning: "), "{}", answer.html);
    let log = redwing.log();
    assert!(log.contains("Redis uses much of its memory"), "{log}");
    assert!(redwing.stop().success());

    let redwing = home.serve(&[]);
    let answer = home.ask("CONFIG GET maxmemory").expect("it answers");
    assert!(!answer.contains("\r\n0\r\n"), "a share of the machine's");
    assert!(redwing.stop().success());
}

/// Returns the bytes of all keys with one of these prefixes.
async fn bytes_of(site: &Site, prefixes: &[&str]) -> u64 {
    let mut bytes = 0;
    for prefix in prefixes {
        for key in site.keys(prefix).await {
            let answer = site.redis.one_node().ask(&["MEMORY", "USAGE", &key]);
            let number = answer.trim_start_matches(':').lines().next();
            let number: Option<u64> = number.and_then(|number| number.trim().parse().ok());
            bytes += number.expect("the key exists");
        }
    }
    bytes
}

/// docs/decisions/key-bounds.md states the numbers.
#[tokio::test]
async fn mentions_and_tags_of_a_post_take_their_stated_bytes_and_go_with_it() {
    let site = one_node().await;
    let alice = Person::sign_up(&site, "alice").await;
    crowd::people(&site.store, "p", 25).await;
    let mentions: Vec<String> = (0..25).map(|number| format!("@p_{number}")).collect();
    let tags: Vec<String> = (0..25).map(|number| format!("#t{number}")).collect();
    let text = format!("{} {}", mentions.join(" "), tags.join(" "));
    let id = alice.post(&text).await;
    site.drain().await;
    for prefix in ["mention_index:", "tag_index:"] {
        let count = site.keys(prefix).await.len();
        assert_eq!(count, 20, "{prefix}");
        let bytes = bytes_of(&site, &[prefix]).await;
        assert!((1..=3000).contains(&bytes), "{prefix} {bytes}");
    }
    alice.delete(id).await;
    site.drain().await;
    for prefix in ["mention_index:", "tag_index:"] {
        assert!(site.keys(prefix).await.is_empty(), "{prefix}");
    }
}

/// docs/decisions/key-bounds.md states the numbers.
#[tokio::test]
async fn replies_of_dead_posts_take_their_stated_bytes_and_go_with_the_last_reply() {
    const DEPTH: u64 = 30;
    let prefixes = ["replies:", "gaps:"];
    let site = one_node().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut thread = vec![alice.post("the beginning").await];
    for _ in 0..DEPTH {
        let last = thread[thread.len() - 1];
        thread.push(alice.reply(last, "below it").await);
    }
    let last = thread.pop().expect("the last reply");
    for id in thread {
        alice.delete(id).await;
    }
    site.drain().await;
    let gaps = site.keys("gaps:").await.len();
    assert!(gaps > 0, "deleted replies above a living one stay");
    let bytes = bytes_of(&site, &prefixes).await;
    assert!((1..=150 * DEPTH).contains(&bytes), "{bytes}");
    alice.delete(last).await;
    site.drain().await;
    for prefix in prefixes {
        assert!(site.keys(prefix).await.is_empty(), "{prefix}");
    }
}
