//! Tasks: each is completed once, and delayed ones move when they are due.

use redwing::store::calls::{
    AddOutboxEntry, CreateTaskGroup, FinishTask, MoveDue, RetireConsumer, SetScore,
};

use super::Bench;
use crate::support::redis::RedisServer;

fn finish(entry_id: &str, result: &'static str) -> FinishTask {
    let (task, attempts, detail) = match result {
        "next" => ("deliver 5 6", 0, ""),
        "retry" => ("rebuild 1", 3, "900000"),
        "dead" => ("rebuild 1", 8, "no use"),
        _ => ("rebuild 1", 2, ""),
    };
    FinishTask {
        tasks: "tasks:{0}".into(),
        later: "tasks:{0}:later".into(),
        dead: "tasks:{0}:dead".into(),
        entry_id: entry_id.into(),
        result,
        max_dead: 2,
        task: task.into(),
        attempts,
        retry_token: "ab".into(),
        detail: detail.into(),
    }
}

fn move_due(redis: &mut Bench, until_ms: &str, max_tasks: usize) -> String {
    redis.call(&MoveDue {
        later: "tasks:{0}:later".into(),
        tasks: "tasks:{0}".into(),
        until_ms: until_ms.into(),
        max_tasks,
        outbox_delay_ms: 10_000,
        max_retry_delay_ms: 300_000,
    })
}

fn retire(redis: &mut Bench, consumer: &str) -> String {
    redis.call(&RetireConsumer {
        tasks: "tasks:{0}".into(),
        consumer: consumer.into(),
    })
}

fn create_group(redis: &mut Bench) -> String {
    redis.call(&CreateTaskGroup {
        tasks: "tasks:{0}".into(),
        group: "workers",
    })
}

/// Returns the time of Redis, in ms.
fn now_ms(redis: &mut Bench) -> u64 {
    let time = redis.run("TIME");
    let numbers = time.trim_matches(['[', ']']).split(", ");
    let numbers: Vec<u64> = numbers.filter_map(|number| number.parse().ok()).collect();
    numbers[0] * 1000 + numbers[1] / 1000
}

/// Returns the time at which an entry is due, in ms.
fn due(redis: &mut Bench, entry: &str) -> u64 {
    let score = redis.run(&format!("ZSCORE tasks:{{0}}:later '{entry}'"));
    score.parse().expect("a time")
}

/// Creates a task that a worker has taken. Returns its entry's id.
fn taken() -> (Bench, String) {
    let mut redis = Bench::start();
    redis.given("XGROUP CREATE tasks:{0} workers 0 MKSTREAM");
    let id = redis.run("XADD tasks:{0} * task 'rebuild 1' attempts 2");
    redis.given("XREADGROUP GROUP workers one COUNT 1 STREAMS tasks:{0} >");
    (redis, id)
}

/// Returns the tasks in a stream, without the ids of their entries.
fn tasks(redis: &mut Bench, stream: &str) -> Vec<String> {
    let shown = redis.run(&format!("XRANGE {stream} - +"));
    let entries = shown
        .split("], [")
        .map(|entry| entry.replace(['[', ']'], ""));
    entries
        .filter_map(|entry| Some(entry.split_once("task, ")?.1.to_owned()))
        .collect()
}

#[test]
fn of_two_workers_with_the_same_task_one_adds_the_next_task() {
    for result in ["next", "retry", "dead", "done"] {
        let (mut redis, id) = taken();
        let finish = finish(&id, result);
        assert_eq!(redis.call(&finish), "finished", "{result}");
        let before = redis.everything();
        assert_eq!(redis.call(&finish), "already_finished", "{result}");
        assert_eq!(redis.everything(), before, "{result}");
    }
}

#[test]
fn a_task_that_is_finished_is_neither_pending_nor_in_the_stream() {
    let (mut redis, id) = taken();
    redis.call(&finish(&id, "done"));
    assert_eq!(redis.run("XLEN tasks:{0}"), "0");
    assert_eq!(redis.run("XPENDING tasks:{0} workers - + 9"), "[]");
}

#[test]
fn the_next_task_is_in_the_stream_without_attempts() {
    let (mut redis, id) = taken();
    redis.call(&FinishTask {
        attempts: 2,
        ..finish(&id, "next")
    });
    let next = "deliver 5 6, attempts, 0, continues, 1";
    assert_eq!(tasks(&mut redis, "tasks:{0}"), [next]);
}

#[test]
fn a_retry_is_due_later_with_its_attempts_and_moves_back_with_them() {
    let (mut redis, id) = taken();
    redis.call(&finish(&id, "retry"));
    assert_eq!(redis.run("ZRANGE tasks:{0}:later 0 -1"), "[ab 3 rebuild 1]");
    let due = due(&mut redis, "ab 3 rebuild 1");
    let ahead = due - now_ms(&mut redis);
    assert!((840_000..=900_000).contains(&ahead), "{ahead}");
    assert_eq!(move_due(&mut redis, &(due - 1).to_string(), 10), "0");
    assert_eq!(move_due(&mut redis, &due.to_string(), 10), "1");
    assert_eq!(tasks(&mut redis, "tasks:{0}"), ["rebuild 1, attempts, 3"]);
}

#[test]
fn a_task_given_up_keeps_its_reason() {
    let (mut redis, id) = taken();
    redis.call(&finish(&id, "dead"));
    assert_eq!(
        tasks(&mut redis, "tasks:{0}:dead"),
        ["rebuild 1, attempts, 8, error, no use"]
    );
    assert_eq!(redis.run("XLEN tasks:{0}"), "0");
}

#[test]
fn only_the_newest_tasks_that_were_given_up_are_kept() {
    let (mut redis, id) = taken();
    redis.given(
        "XADD tasks:{0}:dead 1-1 task first attempts 8 error no
         XADD tasks:{0}:dead 2-1 task second attempts 8 error no",
    );
    redis.call(&finish(&id, "dead"));
    assert_eq!(
        tasks(&mut redis, "tasks:{0}:dead"),
        [
            "second, attempts, 8, error, no",
            "rebuild 1, attempts, 8, error, no use"
        ]
    );
}

#[test]
fn due_tasks_move_oldest_first_up_to_the_limit() {
    let mut redis = Bench::start();
    redis.given(
        "ZADD tasks:{0}:later 20 'b 0 rebuild 2' 10 'a 0 rebuild 1' 30 'c 0 rebuild 3' 41 'd 0 rebuild 4'",
    );
    assert_eq!(move_due(&mut redis, "40", 2), "2");
    let moved = ["rebuild 1, attempts, 0", "rebuild 2, attempts, 0"];
    assert_eq!(tasks(&mut redis, "tasks:{0}"), moved);
    assert_eq!(move_due(&mut redis, "40", 2), "1");
    assert_eq!(move_due(&mut redis, "40", 2), "0");
    assert_eq!(redis.run("ZRANGE tasks:{0}:later 0 -1"), "[d 0 rebuild 4]");
    assert_eq!(move_due(&mut redis, "41", 2), "1", "due at that very time");
}

#[test]
fn without_a_time_the_currently_due_tasks_move() {
    let mut redis = Bench::start();
    let soon = now_ms(&mut redis) + 5_000;
    redis.given(&format!(
        "ZADD tasks:{{0}}:later 10 'a 0 rebuild 1' {soon} 'b 0 rebuild 2'"
    ));
    assert_eq!(move_due(&mut redis, "", 10), "1");
    assert_eq!(redis.run("ZRANGE tasks:{0}:later 0 -1"), "[b 0 rebuild 2]");
    assert_eq!(due(&mut redis, "b 0 rebuild 2"), soon, "it stays as it is");
}

#[test]
fn after_the_clock_was_set_back_no_entry_waits_as_long_as_the_step() {
    let mut redis = Bench::start();
    let now = now_ms(&mut redis);
    let (minute, hour) = (now + 60_000, now + 3_600_000);
    redis.given(&format!(
        "ZADD tasks:{{0}}:later {minute} 'a 0 outbox' {minute} 'b 2 retry' {hour} 'c 0 outbox' {hour} 'd 7 retry'"
    ));
    assert_eq!(move_due(&mut redis, "", 10), "0");
    for entry in ["a 0 outbox", "c 0 outbox", "d 7 retry"] {
        let ahead = due(&mut redis, entry) - now;
        assert!((10_000..60_000).contains(&ahead), "{entry}: {ahead}");
    }
    assert_eq!(due(&mut redis, "b 2 retry"), minute, "a retry may wait");
}

/// Moves the times at which tasks were taken ahead by so many ms, which is the same as a step of the clock back. No command
/// sets such a time, so a copy of the stream is changed. Returns the latest time.
const MOVE_TAKEN_AHEAD: &str = r#"
    local function fields(list)
        local named = {}
        for i = 1, #list, 2 do named[list[i]] = list[i + 1] end
        return named
    end
    local copy, latest = redis.call("DUMP", KEYS[1]), 0
    local groups = fields(redis.call("XINFO", "STREAM", KEYS[1], "FULL")).groups
    for _, taken in ipairs(fields(groups[1]).pending) do
        local from, to = string.find(copy, struct.pack("<I8", taken[3]), 1, true)
        local moved = taken[3] + ARGV[1]
        copy = string.sub(copy, 1, from - 1) .. struct.pack("<I8", moved) .. string.sub(copy, to + 1)
        latest = math.max(latest, moved)
    end
    redis.call("RESTORE", KEYS[1], 0, copy, "REPLACE")
    return string.format("%.0f", latest)
"#;

fn move_taken_ahead(redis: &mut Bench, ms: u64) -> u64 {
    let moved = redis.run(&format!("EVAL '{MOVE_TAKEN_AHEAD}' 1 tasks:{{0}} {ms}"));
    moved.parse().expect("a time")
}

#[test]
fn after_the_clock_was_set_back_no_taken_task_waits_as_long_as_the_step() {
    const STEP_MS: u64 = 86_400_000;
    let server = RedisServer::with(&["--enable-debug-command", "yes"]);
    let mut redis = Bench::on(&server);
    redis.given("XGROUP CREATE tasks:{0} workers 0 MKSTREAM");
    for number in 1..=3 {
        let task = format!("XADD tasks:{{0}} * task 'rebuild {number}' attempts 0");
        redis.given(&task);
        let take = format!("XREADGROUP GROUP workers w{number} COUNT 1 STREAMS tasks:{{0}} >");
        redis.given(&take);
    }
    // A changed copy has another checksum.
    redis.given("DEBUG SET-SKIP-CHECKSUM-VALIDATION 1");
    let before = move_taken_ahead(&mut redis, STEP_MS);
    assert!(before > now_ms(&mut redis) + STEP_MS / 2);
    // More than one step of the script.
    assert_eq!(move_due(&mut redis, "", 2), "0");
    let after = move_taken_ahead(&mut redis, 0);
    assert!(after <= now_ms(&mut redis), "{after}");
    let pending = redis.run("XPENDING tasks:{0} workers");
    assert!(
        pending.contains("w1, 1") && pending.contains("w3, 1"),
        "{pending}"
    );
}

#[test]
fn an_outbox_entry_is_due_after_its_delay_on_the_clock_of_redis() {
    let mut redis = Bench::start();
    redis.call(&AddOutboxEntry {
        later: "tasks:{0}:later".into(),
        delay_ms: 10_000,
        entry: "ab 0 rebuild 1".into(),
    });
    let ahead = due(&mut redis, "ab 0 rebuild 1") - now_ms(&mut redis);
    assert!((1..=10_000).contains(&ahead), "{ahead}");
}

#[test]
fn a_consumer_is_forgotten_only_when_it_holds_nothing() {
    let mut redis = Bench::start();
    redis.given(
        "XGROUP CREATE tasks:{0} workers 0 MKSTREAM
         XADD tasks:{0} * task 'rebuild 1' attempts 0
         XREADGROUP GROUP workers busy COUNT 1 STREAMS tasks:{0} >
         XGROUP CREATECONSUMER tasks:{0} workers resting",
    );
    assert_eq!(retire(&mut redis, "busy"), "has_tasks");
    assert_eq!(retire(&mut redis, "resting"), "removed");
    let left = redis.run("XINFO CONSUMERS tasks:{0} workers");
    assert!(left.contains("busy") && !left.contains("resting"), "{left}");
}

#[test]
fn a_task_group_is_created_once_also_with_full_memory() {
    let mut redis = Bench::start();
    redis.given("CONFIG SET maxmemory 1");
    assert_eq!(create_group(&mut redis), "created");
    assert_eq!(create_group(&mut redis), "exists");
    redis.given("CONFIG SET maxmemory 0");
    redis.given("XADD tasks:{0} * task 'rebuild 1' attempts 0");
    let read = redis.run("XREADGROUP GROUP workers one COUNT 1 STREAMS tasks:{0} >");
    assert!(read.contains("rebuild 1"), "{read}");
    redis.given("SET tasks:{0} text");
    let failed = create_group(&mut redis);
    assert!(failed.contains("WRONGTYPE"), "{failed}");
}

#[test]
fn a_score_of_a_mirror_is_set_also_with_full_memory() {
    let mut redis = Bench::start();
    redis.given("CONFIG SET maxmemory 1");
    for score in [5, 7] {
        let set = SetScore {
            mirror: "people:leaving".into(),
            score,
            member: "1".into(),
        };
        assert_eq!(redis.call(&set), "set");
    }
    let scores = redis.run("ZRANGE people:leaving 0 -1 WITHSCORES");
    assert_eq!(scores, "[1, 7]");
}
