//! The version of the stored data: refusals of the built binary, and migrations by steps of a test.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use futures_util::future::LocalBoxFuture;
use redwing::{
    actions::polls,
    domain::{Act, ActingPerson, Ballot, Measure, ReportReason},
    store::{
        DATA_VERSION, DataVersion, DataVersionError, Error, Fuse, Key, MigrationStep, Result, Store,
    },
};
use tokio::time::sleep;

use crate::support::{Person, Site, core::Core, crowd, process::Home, redis::RedisServer};

/// A step that deletes all counters of rate limits, one after the other.
fn delete_rates(store: &Store) -> LocalBoxFuture<'_, Result<()>> {
    Box::pin(async move {
        let mut walk = store.begin_walk().await?;
        while let Some(keys) = store.walk(&mut walk, 2).await? {
            for key in keys.iter().filter(|key| key.name.starts_with("rate:")) {
                store.unlink(&key.name).await?;
            }
        }
        Ok(())
    })
}

/// The step after that one: it deletes the active marks of homes.
fn delete_active_marks(store: &Store) -> LocalBoxFuture<'_, Result<()>> {
    Box::pin(async move {
        let mut walk = store.begin_walk().await?;
        while let Some(keys) = store.walk(&mut walk, 2).await? {
            for key in keys.iter().filter(|key| key.name.starts_with("active:")) {
                store.unlink(&key.name).await?;
            }
        }
        Ok(())
    })
}

const STEPS: [MigrationStep; 2] = [
    MigrationStep {
        to: DATA_VERSION.number,
        change: "deletes rate limits",
        run: delete_rates,
    },
    MigrationStep {
        to: DATA_VERSION.number + 1,
        change: "deletes active marks",
        run: delete_active_marks,
    },
];

/// A version above that of the binary.
const NEWER: DataVersion = DataVersion {
    number: DATA_VERSION.number + 1,
    steps: &STEPS,
};

/// Sets data of the first version, with three keys for each step.
fn set_data_of_version_1(core: &Core) {
    for command in [
        ["SET", "schema:version", "1"],
        ["SET", "user:id:", "3"],
        ["SET", "rate:{post:1}", "5"],
        ["SET", "rate:{post:2}", "5"],
        ["SET", "rate:{post:3}", "5"],
        ["SET", "active:{1}", "0"],
        ["SET", "active:{2}", "0"],
        ["SET", "active:{3}", "0"],
    ] {
        core.redis.command(&command);
    }
}

/// The data after both steps: nothing is left but the version and the counter.
async fn assert_migrated(core: &Core) {
    let mut keys = core.keys("").await;
    keys.sort();
    assert_eq!(keys, ["schema:version", "user:id:"]);
    let refusal = core.store.prepare_data(DATA_VERSION).await;
    assert!(
        matches!(refusal, Err(DataVersionError::Newer { found, known }) if found == known + 1),
        "{refusal:?}"
    );
}

#[test]
fn data_of_a_newer_version_is_refused_by_every_command() {
    let (home, redis) = (Home::new(), RedisServer::start());
    let newer = (DATA_VERSION.number + 1).to_string();
    redis.command(&["SET", "schema:version", &newer]);
    let url = redis.url();
    for command in [&["serve"] as &[_], &["work"], &["check"], &["seed"]] {
        let output = home.run(&[command, &["--redis-url", &url]].concat());
        let output_text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{command:?}: {output_text}");
        assert!(
            output_text.contains(&format!("data has version {newer}")),
            "{command:?}: {output_text}"
        );
        assert!(
            output_text.contains("newer Redwing"),
            "{command:?}: {output_text}"
        );
    }
    assert_eq!(
        redis.ask(&["GET", "schema:version"]).lines().nth(1),
        Some(newer.as_str())
    );
}

#[test]
fn an_empty_database_takes_the_version_of_the_binary() {
    let (home, redis) = (Home::new(), RedisServer::start());
    let output = home.run(&["check", "--redis-url", &redis.url()]);
    assert!(output.status.success(), "{output:?}");
    let version = DATA_VERSION.number.to_string();
    let output_text = redis.ask(&["GET", "schema:version"]);
    assert_eq!(output_text.lines().nth(1), Some(version.as_str()));
}

/// A process can start before Redis. Its first sign-up must not come before the version.
#[tokio::test]
async fn writes_that_are_held_are_refused_until_the_version_is_set() {
    let core = Core::start();
    let other_thread = core.store.fork();
    core.store.hold_writes();
    for store in [&core.store, &other_thread] {
        let refused = store.begin().await.map(drop);
        assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    }
    let prepared = core.store.prepare_data(DATA_VERSION).await;
    prepared.expect("an empty database takes the version");
    for store in [&core.store, &other_thread] {
        store.begin().await.map(drop).expect("writes are accepted");
    }
}

#[test]
fn people_without_a_version_are_refused_with_the_reason() {
    let (home, redis) = (Home::new(), RedisServer::start());
    redis.command(&["SET", "user:id:", "5"]);
    let output_text = home.refusal(&["--redis-url", &redis.url()]);
    assert!(
        output_text.contains("before the first release"),
        "{output_text}"
    );
    assert!(output_text.contains("empty database"), "{output_text}");
    redis.command(&["SET", "schema:version", "one"]);
    let output_text = home.refusal(&["--redis-url", &redis.url()]);
    assert!(
        output_text.contains("schema:version holds \"one\""),
        "{output_text}"
    );
}

#[tokio::test]
async fn a_migration_that_is_killed_anywhere_ends_with_the_same_data_at_the_next_start() {
    let core = Core::start();
    for cut in 0.. {
        set_data_of_version_1(&core);
        let killed = core
            .store
            .with_fuse(Fuse::of(cut))
            .prepare_data(NEWER)
            .await;
        match killed {
            Err(DataVersionError::Store(Error::Failpoint)) => {}
            other => {
                assert!(other.is_ok(), "{other:?}");
                assert!(cut > 20, "both steps were cut, not {cut} commands");
                break;
            }
        }
        // The lease of a killed process ends by itself.
        core.redis.command(&["DEL", "schema:lease"]);
        let next = core.store.prepare_data(NEWER).await;
        assert!(next.is_ok(), "cut before command {cut}: {next:?}");
        assert_migrated(&core).await;
    }
    assert_migrated(&core).await;
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

fn count_runs(_: &Store) -> LocalBoxFuture<'_, Result<()>> {
    Box::pin(async move {
        RUNS.fetch_add(1, Ordering::SeqCst);
        sleep(Duration::from_millis(300)).await;
        Ok(())
    })
}

#[tokio::test]
async fn two_processes_that_start_at_once_migrate_once() {
    let core = Core::start();
    core.redis.command(&["SET", "schema:version", "1"]);
    let steps = [MigrationStep {
        to: 2,
        change: "counts",
        run: count_runs,
    }];
    let second = DataVersion {
        number: 2,
        steps: &steps,
    };
    let [one, other] = [core.store.fork(), core.store.fork()];
    let (one, other) = tokio::join!(one.prepare_data(second), other.prepare_data(second));
    assert!(one.is_ok() && other.is_ok(), "{one:?} {other:?}");
    assert_eq!(RUNS.load(Ordering::SeqCst), 1);
    assert!(core.keys("schema:lease").await.is_empty());
}

/// Writes the search index of a post as version 1 had it: each pair of characters has a key.
async fn index_as_version_1(site: &Site, id: u64) {
    for key in site.keys("postings:{~").await {
        site.redis.command(&["DEL", &key]);
    }
    for pair in ["東京", "京都"] {
        let (bounds, chunk) = (
            format!("postings:{{{pair}}}"),
            format!("postings:{{{pair}}}:0"),
        );
        site.redis.command(&["SADD", &chunk, &id.to_string()]);
        site.redis
            .command(&["ZADD", &bounds, "0", "0", "-4096", "4096"]);
        let second = format!("postings:{{{pair}}}:4096");
        site.redis.command(&["SADD", &second, &id.to_string()]);
    }
    site.redis.command(&["SET", "schema:version", "1"]);
}

#[tokio::test]
async fn the_step_to_version_2_lets_pairs_share_terms_wherever_it_is_stopped() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("東京都 and kettles").await;
    alice.post("no pair").await;
    let gone = alice.post("京都").await;
    alice.delete(gone).await;
    site.drain().await;
    let mut commands = 0;
    loop {
        index_as_version_1(&site, id).await;
        let store = site.store.with_fuse(Fuse::of(commands));
        let stopped = store.prepare_data(DATA_VERSION).await.is_err();
        // The lease of a killed process ends by itself.
        site.redis.command(&["DEL", "schema:lease"]);
        let prepared = site.store.prepare_data(DATA_VERSION).await;
        prepared.expect("the step runs again");
        assert_eq!(
            site.keys("postings:{東京").await,
            [""; 0],
            "after {commands}"
        );
        assert_eq!(
            site.keys("postings:{京都").await,
            [""; 0],
            "after {commands}"
        );
        site.assert_sound().await;
        let found = alice.open("/search?q=%E4%BA%AC%E9%83%BD").await;
        assert_eq!(found.status_ids(), [id]);
        if !stopped {
            break;
        }
        commands += 1 + commands / 4;
    }
    assert!(commands > 5, "{commands}");
}

#[tokio::test]
async fn the_step_to_version_3_notes_all_votes_wherever_it_is_stopped() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [alice, bob, carol] = people[..] else {
        panic!("there are three")
    };
    let ballot = Ballot::stored(1).expect("a choice");
    for author in [alice, bob] {
        let poll = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
        for voter in people.iter().filter(|person| **person != author) {
            polls::vote(store, *voter, poll, ballot)
                .await
                .expect("a vote");
        }
    }
    core.drain().await;
    let mut commands = 0;
    loop {
        for key in core.keys("votes:").await {
            core.redis.command(&["DEL", &key]);
        }
        core.redis.command(&["SET", "schema:version", "2"]);
        let fused = store.with_fuse(Fuse::of(commands));
        let stopped = fused.prepare_data(DATA_VERSION).await.is_err();
        // The lease of a killed process ends by itself.
        core.redis.command(&["DEL", "schema:lease"]);
        let prepared = store.prepare_data(DATA_VERSION).await;
        prepared.expect("the step runs again");
        for (voter, notes) in [(alice, 1), (bob, 1), (carol, 2)] {
            let count = store.cardinality(&Key::Votes(voter)).await;
            assert_eq!(count.expect("an answer"), notes, "after {commands}");
        }
        core.assert_sound().await;
        if !stopped {
            break;
        }
        commands += 1;
    }
    assert!(commands > 5, "{commands}");
}

#[tokio::test]
async fn the_steps_to_versions_4_and_6_count_the_acts_of_the_log_wherever_they_are_stopped() {
    let core = Core::start();
    let store = &core.store;
    let person = crowd::member(store, "bob").await;
    let call = store.begin().await.expect("a call");
    for _ in 0..3 {
        let warned = Act::Decide {
            person,
            measure: Measure::Warn,
            reason: ReportReason::Rule("Be kind.".to_owned()),
            grounds: String::new(),
        };
        for act in [Act::Delete { person }, warned] {
            let logged = store.log_act(&call, ActingPerson::Host, act).await;
            logged.expect("an entry");
        }
    }
    let counted = store.act_counts().await.expect("an answer");
    assert_eq!(counted.fields().map(|(_, count)| count).max(), Some(3));
    assert_eq!(counted.by_reason().into_values().collect::<Vec<_>>(), [3]);
    let mut commands = 0;
    loop {
        let version = if commands % 2 == 0 { "3" } else { "4" };
        core.redis.command(&["DEL", "act_counts:{admin:log}"]);
        core.redis.command(&["SET", "schema:version", version]);
        let fused = store.with_fuse(Fuse::of(commands));
        let stopped = fused.prepare_data(DATA_VERSION).await.is_err();
        core.redis.command(&["DEL", "schema:lease"]);
        let prepared = store.prepare_data(DATA_VERSION).await;
        prepared.expect("the step runs again");
        let again = store.act_counts().await.expect("an answer");
        assert_eq!(again, counted, "after {commands}");
        core.assert_sound().await;
        if !stopped && version == "3" {
            break;
        }
        commands += 1;
    }
    assert!(commands > 4, "{commands}");
}

#[tokio::test]
async fn the_step_to_version_5_lists_all_words_wherever_it_is_stopped() {
    let core = Core::start();
    let store = &core.store;
    let author = crowd::member(store, "alice").await;
    crowd::post(store, author, "garlic and ginger #garlic").await;
    crowd::post(store, author, "garden tea 東京").await;
    core.drain().await;
    let mut expected = core.keys("words:").await;
    expected.sort();
    assert_eq!(expected, ["words:{gar}", "words:{gin}"]);
    let mut commands = 0;
    loop {
        for key in &expected {
            core.redis.command(&["DEL", key.as_str()]);
        }
        core.redis.command(&["SET", "schema:version", "4"]);
        let fused = store.with_fuse(Fuse::of(commands));
        let stopped = fused.prepare_data(DATA_VERSION).await.is_err();
        // The lease of a killed process ends by itself.
        core.redis.command(&["DEL", "schema:lease"]);
        let prepared = store.prepare_data(DATA_VERSION).await;
        prepared.expect("the step runs again");
        let mut keys = core.keys("words:").await;
        keys.sort();
        assert_eq!(keys, expected, "after {commands}");
        core.assert_sound().await;
        if !stopped {
            break;
        }
        commands += 1;
    }
    assert!(commands > 5, "{commands}");
}
