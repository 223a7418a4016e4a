//! The clock of Redis is set back or ahead: nothing waits as long as the step, and no data is removed because of it. The
//! tests move stored times instead, which is the same for a site.

use redwing::{
    actions::{
        account_states, follow_requests, messages,
        messages::{NewMessage, Send},
        moderation::{self, Reported},
        mutes,
    },
    domain::{
        Answer, ChatId, ChatText, ExportToken, IdempotencyKey, MessageExpiry, MuteTerm, UserId,
    },
    store::{BeginExportOutcome, ChatChange, ChatPart, ClaimCaseOutcome, Claiming, Fuse, Key},
    worker,
};
use reqwest::StatusCode;

use crate::moderation::report_by;
use crate::support::{
    Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer,
    running_worker::RunningWorker, waiting::eventually,
};

/// The step of the clock: a day.
const STEP_MS: u64 = 86_400_000;

async fn one_node(settings: &[&str]) -> Site {
    Site::on(Redis::Node(RedisServer::start()), settings).await
}

/// Returns the number in an answer of Redis.
fn number(answer: &str) -> Option<u64> {
    answer.lines().find_map(|line| line.trim().parse().ok())
}

#[tokio::test]
async fn a_rate_limit_waits_for_one_action_and_not_for_the_step() {
    let site = one_node(&["--posts-per-hour", "3600"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("before").await;
    let key = format!("rate:{{post:{}}}", crowd::uid(&site.store, "alice").await);
    let redis = site.redis.one_node();
    let schedule = redis.ask(&["GET", &key]);
    let due = number(schedule.split_once("\r\n").expect("a length").1).expect("µs");
    let ahead = (due + STEP_MS * 1000).to_string();
    redis.command(&["SET", &key, &ahead, "EX", "99999"]);
    let form = alice.open("/").await.form("/statuses");
    let refused = alice.submit(&form.set("message", "after")).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    let wait: Option<u64> = refused.header("retry-after").and_then(|s| s.parse().ok());
    assert!(wait.is_some_and(|seconds| seconds <= 1), "{wait:?}");
    eventually("the next try is within the limit", async || {
        let form = alice.open("/").await.form("/statuses");
        let answer = alice.submit(&form.set("message", "after")).await;
        answer.status == StatusCode::SEE_OTHER
    })
    .await;
}

#[tokio::test]
async fn an_interrupted_write_is_completed_after_the_usual_delay() {
    let settings = [
        "--redis-response-ms",
        "3000",
        "--write-deadline-ms",
        "3000",
        "--outbox-delay-ms",
        "4000",
    ];
    let site = one_node(&settings).await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    site.drain().await;
    let [alice_id, bob_id] = ["alice", "bob"].map(|login| crowd::uid(&site.store, login));
    let (alice_id, bob_id) = (alice_id.await, bob_id.await);
    let redis = site.redis.one_node();
    let follows = format!("following:{{{bob_id}}}");
    for commands in 1.. {
        let fused = site.store.with_fuse(Fuse::of(commands));
        let followed = redwing::actions::follows::follow(&fused, bob_id, alice_id).await;
        assert!(followed.is_err(), "it is interrupted after its first write");
        if redis.ask(&["EXISTS", &follows]).starts_with(":1") {
            break;
        }
    }
    let ahead = format!(
        "for _, entry in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZINCRBY', KEYS[1], {STEP_MS}, entry) end"
    );
    redis.command(&["EVAL", &format!("\"{ahead}\""), "1", "tasks:{0}:later"]);
    let worker = RunningWorker::start(&site.store);
    eventually("the follow is completed", async || {
        let [.., later, _] = crate::support::state::task_counts(&site.store)
            .await
            .expect("an answer");
        later == 0
    })
    .await;
    worker.stop().await;
    let page = alice.open("/@alice/followers").await;
    assert!(page.has("a[href=\"/@bob\"]"), "{}", page.html);
    assert!(bob.is_logged_in().await);
    site.assert_sound().await;
}

/// Due work: a deactivated account, a message and old reports.
struct Due {
    leaving: UserId,
    reader: UserId,
    chat: ChatId,
}

async fn due(core: &Core) -> Due {
    let store = &core.store;
    let leaving = crowd::member(store, "leaving").await;
    let (author, reader) = (
        crowd::member(store, "author").await,
        crowd::member(store, "reader").await,
    );
    crowd::follow(store, reader, author).await;
    let text = ChatText::parse("Gone in a week").expect("valid");
    let write = async || {
        let key = IdempotencyKey::draw();
        let message = NewMessage {
            text: &text,
            key: &key,
        };
        match messages::write_to(store, author, &[reader], message).await {
            Ok(Send::Sent(chat, _)) => chat,
            other => panic!("{other:?}"),
        }
    };
    let chat = write().await;
    let week = MessageExpiry::parse("7").expect("valid");
    let expiry = ChatChange::Expiry(week);
    let changed = messages::change_chat(store, author, chat, expiry).await;
    changed.expect("an answer");
    write().await;
    let redis = &core.redis;
    redis.command(&["ZADD", &format!("chat:{{{chat}}}:expiring"), "1", "3"]);
    redis.command(&["HSET", &format!("chat:{{{chat}}}"), "expires", "1"]);
    redis.command(&["ZADD", "chats:expiring", "1", &chat.to_string()]);
    redis.command(&["HSET", &format!("user:{{{leaving}}}"), "leaving", "1"]);
    let scheduled = account_states::reconcile(store, leaving).await;
    scheduled.expect("an answer");
    redis.command(&["ZADD", &format!("closed_reports:{{{author}}}"), "1", "9:0"]);
    redis.command(&["ZADD", "admin:closed_reports", "1", &author.to_string()]);
    // They are no reports, so the check would find them.
    Due {
        leaving,
        reader,
        chat,
    }
}

impl Due {
    /// Returns how many of the three are still there, and the number of messages that a person of the chat sees.
    async fn left(&self, core: &Core) -> (u64, usize) {
        let store = &core.store;
        let mut left = u64::from(store.user(self.leaving).await.expect("an answer").is_some());
        for key in [Key::ChatExpiring(self.chat), Key::AdminClosedReports] {
            left += store.cardinality(&key).await.expect("an answer");
        }
        let seen = store
            .chat(self.reader, self.chat, ChatPart::newest(9))
            .await;
        let seen = seen.expect("an answer").expect("the chat");
        (left, seen.messages.len())
    }

    /// Runs the chores of a minute after a note that is so many ms before now, of a clock without a jump for so many ms.
    async fn left_after(
        &self,
        core: &Core,
        seen_before_ms: i64,
        since_ago_ms: u64,
    ) -> (u64, usize) {
        let now = core.store.now().await.expect("a time").0;
        let seen = now.saturating_add_signed(-seen_before_ms).to_string();
        let since = match since_ago_ms {
            0 => "0".to_owned(),
            ago => (now - ago).to_string(),
        };
        let note = ["HSET", "clock:", "seen", &seen, "since", &since];
        core.redis.command(&note);
        worker::chores::run(&core.store).await;
        core.drain().await;
        self.left(core).await
    }
}

#[tokio::test]
async fn nothing_is_removed_for_a_day_after_a_jump_of_the_clock() {
    const HOUR_MS: u64 = 3_600_000;
    let core = Core::start();
    let due = due(&core).await;
    // The expired message is hidden meanwhile.
    let everything = (3, 2);
    // 31 days forwards, and back.
    for seen_before_ms in [31, -31].map(|days| days * 86_400_000) {
        assert_eq!(due.left_after(&core, seen_before_ms, 0).await, everything);
        // The next minute.
        worker::chores::run(&core.store).await;
        core.drain().await;
        assert_eq!(due.left(&core).await, everything);
    }
    assert_eq!(due.left_after(&core, 60_000, HOUR_MS).await, everything);
    let day_ms = 24 * HOUR_MS;
    assert_eq!(
        due.left_after(&core, 60_000, day_ms - 60_000).await,
        everything
    );
    assert_eq!(due.left_after(&core, 60_000, day_ms + 1).await, (0, 2));
}

#[tokio::test]
async fn a_site_without_jumps_removes_what_is_due() {
    let core = Core::start();
    let due = due(&core).await;
    // The first note. A site that is stopped for less than a day has no jump either.
    worker::chores::run(&core.store).await;
    core.drain().await;
    assert_eq!(due.left(&core).await, (0, 2));
    for seen_before_ms in [23, -1].map(|hours| hours * 3_600_000 + 10_000) {
        let left = due.left_after(&core, seen_before_ms, 0).await;
        assert_eq!(left, (0, 2));
        let answer = core.store.last_clock_note().await.expect("an answer");
        assert_eq!(answer.and_then(|note| note.wait_ms()), None);
    }
}

#[tokio::test]
async fn a_chore_that_fails_does_not_stop_the_others() {
    let core = Core::start();
    let due = due(&core).await;
    core.redis.command(&["DEL", "people:leaving"]);
    core.redis.command(&["SET", "people:leaving", "text"]);
    worker::chores::run(&core.store).await;
    assert_eq!(due.left(&core).await, (1, 2), "only the account is left");
}

#[tokio::test]
async fn a_member_with_sessions_of_a_later_time_can_log_in() {
    let site = one_node(&["--max-sessions", "2"]).await;
    let first = Person::sign_up(&site, "alice").await;
    let second = Person::log_in(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let ahead = format!(
        "for _, one in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZINCRBY', KEYS[1], {STEP_MS}, one) end"
    );
    let sessions = format!("sessions:{{{uid}}}");
    let ahead = ["EVAL", &format!("\"{ahead}\""), "1", &sessions];
    site.redis.one_node().command(&ahead);
    let third = Person::log_in(&site, "alice").await;
    let fourth = Person::log_in(&site, "alice").await;
    let mut are_logged_in = Vec::new();
    for person in [&first, &second, &third, &fourth] {
        are_logged_in.push(person.is_logged_in().await);
    }
    assert_eq!(are_logged_in, [false, false, true, true]);
}

#[tokio::test]
async fn all_requests_are_answered_also_those_of_a_later_time() {
    let core = Core::start();
    let store = &core.store;
    let person = crowd::member(store, "person").await;
    crowd::set_private(store, person, true).await;
    let from = crowd::people(store, "asking", 3).await;
    for one in &from {
        crowd::ask_to_follow(store, *one, person).await;
    }
    core.drain().await;
    let newest = store.newest_request_us(person).await.expect("an answer");
    let ahead = (newest.expect("a request") + STEP_MS * 1000).to_string();
    let member = from[1].to_string();
    let requests = format!("requests:{{{person}}}");
    core.redis.command(&["ZADD", &requests, &ahead, &member]);
    crowd::set_private(store, person, false).await;
    let answered = follow_requests::answer_all_waiting(store, person, Answer::Accept).await;
    answered.expect("an answer");
    core.drain().await;
    for (key, expected) in [(Key::Requests(person), 0), (Key::Followers(person), 3)] {
        let count = store.cardinality(&key).await.expect("an answer");
        assert_eq!(count, expected);
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn a_case_that_was_claimed_at_a_later_time_can_be_claimed() {
    let core = Core::start();
    let store = &core.store;
    let [bob, carol, dave] = ["bob", "carol", "dave"].map(|login| crowd::member(store, login));
    let (bob, carol, dave) = (bob.await, carol.await, dave.await);
    report_by(store, carol, Reported::Person(bob)).await;
    let claim = async |by: UserId| {
        let claimed = moderation::claim(store, &by.into(), bob, Claiming::Claim).await;
        claimed.expect("an answer")
    };
    assert_eq!(claim(carol).await, ClaimCaseOutcome::Done);
    let now = store.now().await.expect("a time").0;
    let claim_at = async |at_ms: u64| {
        let key = format!("case:{{{bob}}}");
        let at_ms = at_ms.to_string();
        core.redis.command(&["HSET", &key, "claimed", &at_ms]);
        claim(dave).await
    };
    let minute_ahead = claim_at(now + 60_000).await;
    assert_eq!(minute_ahead, ClaimCaseOutcome::Taken);
    assert_eq!(claim_at(now + STEP_MS).await, ClaimCaseOutcome::Done);
}

#[tokio::test]
async fn an_export_of_a_later_time_is_interrupted_and_another_begins() {
    let core = Core::start();
    let store = &core.store;
    let person = crowd::member(store, "person").await;
    let begin = async || {
        let call = store.begin().await.expect("an answer");
        let token = ExportToken::draw();
        let begun = store.begin_export(&call, &person.into(), &token, 0).await;
        begun.expect("an answer")
    };
    assert_eq!(begin().await, BeginExportOutcome::Begun);
    assert_eq!(begin().await, BeginExportOutcome::UnderWay);
    let now = store.now().await.expect("a time");
    let key = format!("export:{{{person}}}");
    let ahead = (now.0 + STEP_MS).to_string();
    core.redis.command(&["HSET", &key, "at", &ahead]);
    let export = store.export(person).await.expect("an answer");
    assert!(export.expect("an export").is_interrupted(now));
    assert_eq!(begin().await, BeginExportOutcome::Begun);
}

/// Notes a clock that was seen so many ms ago.
async fn note_clock(core: &Core, seen_before_ms: u64) {
    let now = core.store.now().await.expect("a time").0;
    let seen = (now - seen_before_ms).to_string();
    let note = ["HSET", "clock:", "seen", &seen, "since", "0"];
    core.redis.command(&note);
}

#[tokio::test]
async fn a_mute_that_a_jump_of_the_clock_has_ended_is_not_removed() {
    let core = Core::start();
    let alice = crowd::member(&core.store, "alice").await;
    let bob = crowd::member(&core.store, "bob").await;
    let carol = crowd::member(&core.store, "carol").await;
    let key = format!("muted:{{{alice}}}");
    let mute_carol = async || {
        let muted = mutes::mute(&core.store, alice, carol, MuteTerm::Forever).await;
        assert_eq!(muted.expect("an answer"), mutes::Mute::Done);
    };
    let is_bob_stored = async || {
        let stored = core.store.cardinality(&Key::Muted(alice)).await;
        stored.expect("an answer") == 2
    };
    // It ended an hour ago.
    let ended_us = (core.store.now().await.expect("a time").0 - 3_600_000) * 1000;
    let (ended, member) = (ended_us.to_string(), bob.to_string());
    core.redis.command(&["ZADD", &key, &ended, &member]);
    mute_carol().await;
    assert!(is_bob_stored().await, "there is no note");
    // The clock jumped after this note. The jump is not noted yet.
    note_clock(&core, 31 * STEP_MS).await;
    mute_carol().await;
    assert!(is_bob_stored().await);
    worker::chores::run(&core.store).await;
    mute_carol().await;
    assert!(is_bob_stored().await, "the jump was noted a moment ago");
    note_clock(&core, 60_000).await;
    mute_carol().await;
    assert!(!is_bob_stored().await);
}
