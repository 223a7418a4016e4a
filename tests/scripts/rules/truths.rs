//! Promises of the data model about the source of truth, outbox entries, deadlines and floors in
//! the hardest cases: refused outbox entries, a constantly changing edge, a slow first round trip, a repeated
//! form.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    sync::Arc,
};

use futures_util::join;

use redwing::{
    actions::{
        accounts::{self, NewAccount, SignUp},
        follows,
        invitations::Entry,
        statuses,
    },
    domain::{DisplayName, IdempotencyKey, Login, UserId},
    store::{Call, Error, Fuse, RateLimit, Relation, SetOutcome, Store},
};

use crate::{
    scripts::{Bench, bench::source},
    support::{
        core::Core,
        crowd::{follow, member, people, post},
        proxy::{Fault, Proxy, When},
        state::task_counts,
        waiting::eventually,
    },
};

fn newcomer(login: &str, idempotency_key: &IdempotencyKey) -> NewAccount {
    NewAccount {
        login: Login::parse(login).expect("valid"),
        name: DisplayName::parse(login).expect("valid"),
        password_hash: "$argon2id$v=19$m=8,t=1,p=1$bm90aGluZw$bm90aGluZw".into(),
        idempotency_key: idempotency_key.clone(),
        entry: Entry::Open,
    }
}

fn uid_of(answer: SignUp) -> UserId {
    match answer {
        SignUp::Created(credentials) => credentials.uid,
        other => panic!("{other:?}"),
    }
}

/// Makes Redis refuse outbox entries: their key has another type.
fn refuse_outbox_entries(core: &Core) {
    core.redis.command(&["SET", "tasks:{0}:later", "refused"]);
}

fn accept_outbox_entries(core: &Core) {
    core.redis.command(&["DEL", "tasks:{0}:later"]);
}

#[tokio::test]
async fn an_unfollow_without_an_outbox_entry_changes_nothing() {
    let core = Core::with(&["--write-deadline-ms", "1500"]);
    let who = people(&core.store, "person", 2).await;
    follow(&core.store, who[0], who[1]).await;
    core.drain().await;
    refuse_outbox_entries(&core);
    let answer = follows::unfollow(&core.store, who[0], who[1]).await;
    assert!(
        matches!(answer, Err(Error::Unexpected { .. })),
        "{answer:?}"
    );
    accept_outbox_entries(&core);
    let follow = Relation::Follow(who[0], who[1]);
    assert!(core.store.has_relation(&follow).await.expect("an answer"));
    core.assert_sound().await;
}

#[tokio::test]
async fn a_delete_without_an_outbox_entry_changes_nothing() {
    let core = Core::with(&["--write-deadline-ms", "1500"]);
    let author = member(&core.store, "author").await;
    let id = post(&core.store, author, "still there").await;
    core.drain().await;
    refuse_outbox_entries(&core);
    let answer = statuses::delete(&core.store, author, id).await;
    assert!(
        matches!(answer, Err(Error::Unexpected { .. })),
        "{answer:?}"
    );
    accept_outbox_entries(&core);
    assert!(core.store.life(id).await.expect("an answer").is_living());
    core.assert_sound().await;
}

fn connect(core: &Core) -> UnixStream {
    let url = core.redis.url();
    let path = url.strip_prefix("redis+unix://").expect("a unix socket");
    UnixStream::connect(path).expect("the server answers")
}

/// Returns the commands that Redis runs from now on, one a line.
fn monitor(core: &Core) -> impl Iterator<Item = String> + use<> {
    let mut monitor = connect(core);
    writeln!(monitor, "MONITOR\r").expect("the server listens");
    let mut seen = BufReader::new(monitor).lines().map_while(Result::ok);
    seen.next();
    seen
}

/// Number of times that one operation reads an edge: before its copies are written, and after each of five times.
const LOOKS: usize = 6;

/// Adds an edge that is missing, or removes it.
fn flip(core: &Core, (from, to): (UserId, UserId)) {
    let script = format!(
        "if redis.call('ZREM', KEYS[1], {to}) == 0 then redis.call('ZADD', KEYS[1], 1, {to}) end \
         redis.call('HSET', KEYS[2], 'following', redis.call('ZCARD', KEYS[1]))"
    );
    let keys = format!("following:{{{from}}} user:{{{from}}}");
    core.redis
        .one_node()
        .pipe(&format!("EVAL \"{script}\" 2 {keys}"));
}

#[tokio::test]
async fn an_edge_not_reconciled_in_five_rounds_is_left_to_the_outbox_entry() {
    let core = Core::start();
    let who = people(&core.store, "person", 2).await;
    let proxy = Proxy::start(&core.redis.one_node().socket());
    let store =
        Store::open(&proxy.url(), Arc::new(core.store.config().clone())).expect("a valid address");
    store.ready().await.expect("a connection");
    // The end of the read of a relation and the beginning of the next one: the whole edge is read.
    let look = format!(
        "hidden_reposts:{{{}}}\r\n$1\r\n{}\r\n*3\r\n$6\r\nZSCORE",
        who[0], who[1]
    );
    proxy.strike(Fault::Hold, When::Only(1), &look);
    let flips = async {
        for look in 1..=LOOKS {
            eventually("the edge is read", async || proxy.struck() == look).await;
            flip(&core, (who[0], who[1]));
            proxy.hold_next();
        }
        proxy.pass();
    };
    let (followed, ()) = join!(follows::follow(&store, who[0], who[1]), flips);
    followed.expect("the edge was written");
    let counts = task_counts(&core.store).await;
    assert_eq!(counts.expect("an answer"), [0, 1, 0]);
    core.assert_sound().await;
}

/// A count that is read before the rank is written could be older than that of a concurrent call.
#[tokio::test(flavor = "multi_thread")]
async fn followers_are_counted_after_the_rank_even_if_redis_has_forgotten_the_script() {
    let core = Core::start();
    let who = people(&core.store, "person", 1).await;
    core.redis.command(&["SCRIPT", "FLUSH"]);
    let seen = monitor(&core);
    let ranked = core.store.rank_followed(who[0], 0).await;
    ranked.expect("the store answers");
    core.redis.command(&["ECHO", "ranking-is-over"]);
    let seen = seen.take_while(|line| !line.contains("ranking-is-over"));
    let seen: Vec<String> = seen.collect();
    let last = |word: &str| seen.iter().rposition(|line| line.contains(word));
    let (ranked, counted) = (last("\"EVAL\""), last("\"ZCARD\""));
    assert!(ranked.is_some() && counted > ranked, "{seen:#?}");
}

#[tokio::test]
async fn an_unknown_outcome_is_answered_only_when_the_write_can_no_longer_happen() {
    let core = Core::with(&["--write-deadline-ms", "3000"]);
    let who = people(&core.store, "person", 2).await;
    let store = Store::open(&core.redis.url(), Arc::new(core.store.config().clone()))
        .expect("a valid address");
    store.ready().await.expect("a connection");
    let follow = async |call: &Call, from: UserId, to| {
        let relation = Relation::Follow(from, to);
        store.set_relation(call, &from.into(), &relation).await
    };
    let call = loop {
        Bench::on(core.redis.one_node()).run("CLIENT PAUSE 600 ALL");
        let call = store.begin().await.expect("Redis is back");
        // A machine that stalls for longer than the deadline proves nothing, so the scene begins again.
        if follow(&call, who[1], who[0]).await.is_ok() {
            break call;
        }
    };
    let unknown = call
        .finish::<()>(Err(Error::Unavailable("cut off".into())))
        .await;
    assert!(unknown.is_err());
    let late = follow(&call, who[0], who[1]).await;
    assert!(
        !matches!(late, Ok(SetOutcome::Done)),
        "written after \"unknown\" was answered"
    );
}

#[tokio::test]
async fn a_script_that_redis_cannot_run_now_is_unavailable_as_a_command_is() {
    let core = Core::start();
    core.store.ready().await.expect("a connection");
    for words in [
        &["CONFIG", "SET", "replica-serve-stale-data", "no"][..],
        &["REPLICAOF", "127.0.0.1", "1"],
    ] {
        core.redis.command(words);
    }
    let login = Login::parse("somebody").expect("valid");
    let single = core.store.holder(&login).await;
    assert!(matches!(single, Err(Error::Unavailable(_))), "{single:?}");
    let script = core.store.load_session("1.0123").await;
    assert!(matches!(script, Err(Error::Unavailable(_))), "{script:?}");
}

#[tokio::test]
async fn a_sign_up_form_logs_in_no_more_after_a_password_change() {
    let core = Core::start();
    let idempotency_key = IdempotencyKey::draw();
    let first = accounts::sign_up(&core.store, newcomer("alice", &idempotency_key)).await;
    let alice = uid_of(first.expect("an answer"));
    let call = core.store.begin().await.expect("a call");
    let old = newcomer("alice", &idempotency_key).password_hash;
    let set = core
        .store
        .set_password(&call, alice, &old, "$another", None)
        .await;
    assert!(set.expect("an answer"));
    let again = accounts::sign_up(&core.store, newcomer("alice", &idempotency_key))
        .await
        .expect("an answer");
    assert!(!matches!(again, SignUp::Created(_)), "{again:?}");
}

#[tokio::test]
async fn a_form_sent_again_never_calls_a_dormant_home_complete() {
    let core = Core::start();
    let idempotency_key = IdempotencyKey::draw();
    let first = accounts::sign_up(&core.store, newcomer("reader", &idempotency_key)).await;
    let reader = uid_of(first.expect("an answer"));
    let author = member(&core.store, "author").await;
    follow(&core.store, reader, author).await;
    core.redis
        .command(&["DEL", &format!("active:{{{reader}}}")]);
    post(&core.store, author, "unseen").await;
    let _ = accounts::sign_up(&core.store, newcomer("reader", &idempotency_key)).await;
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_sign_up_cut_off_after_its_commit_never_calls_an_empty_home_complete() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    post(&core.store, author, "to be seen").await;
    for commands in 0..16 {
        let login = format!("reader_{commands}");
        let fused = core.store.with_fuse(Fuse::of(commands));
        let _ = accounts::sign_up(&fused, newcomer(&login, &IdempotencyKey::draw())).await;
        let login = Login::parse(&login).expect("valid");
        if let Some(reader) = core.store.holder(&login).await.expect("an answer") {
            follow(&core.store, reader, author).await;
        }
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn logins_that_differ_have_limits_of_their_own() {
    let core = Core::with(&["--log-ins-per-quarter", "2"]);
    let from = |last| std::net::IpAddr::from([192, 0, 2, last]);
    for (last, login) in [(1, "a_b"), (2, "ab")] {
        let from = from(last);
        let rate = core
            .store
            .charge_rate_limit(RateLimit::LogIn {
                from,
                login,
                network: "",
            })
            .await
            .expect("an answer");
        assert_eq!(rate, redwing::store::Rate::Within, "{login}");
    }
}

/// A command can be delayed in the network for minutes: past the outbox entry of its own operation,
/// and past a later operation. A value that no later operation can find must not be written then.
#[test]
fn a_write_that_could_undo_a_later_one_has_a_deadline() {
    for script in [
        "mirror_source",
        "mirror_relation",
        "unmirror_relation",
        "merge_timeline",
        "deliver",
    ] {
        assert!(source(script).contains("late("), "{script}");
    }
}
