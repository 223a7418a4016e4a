//! Tasks: each is completed once, and delayed ones move when they are due.

use super::Bench;

const FINISH: &str = "finish_task tasks:{0} tasks:{0}:later tasks:{0}:dead ,";
const MOVE: &str = "move_due tasks:{0}:later tasks:{0} ,";

/// Creates a task that a worker holds. Returns its entry's id.
fn held() -> (Bench, String) {
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
    for (how, rest) in [
        ("next", "'deliver 5 6' 0 ab ''"),
        ("retry", "'rebuild 1' 3 ab 900"),
        ("dead", "'rebuild 1' 3 ab 'no use'"),
        ("done", "'rebuild 1' 2 ab ''"),
    ] {
        let (mut redis, id) = held();
        assert_eq!(
            redis.eval(&format!("{FINISH} {id} {how} {rest}")),
            "finished",
            "{how}"
        );
        let before = redis.everything();
        assert_eq!(
            redis.eval(&format!("{FINISH} {id} {how} {rest}")),
            "already_finished",
            "{how}"
        );
        assert_eq!(redis.everything(), before, "{how}");
    }
}

#[test]
fn a_task_that_is_finished_is_neither_pending_nor_in_the_stream() {
    let (mut redis, id) = held();
    redis.eval(&format!("{FINISH} {id} done 'rebuild 1' 2 ab ''"));
    assert_eq!(redis.run("XLEN tasks:{0}"), "0");
    assert_eq!(redis.run("XPENDING tasks:{0} workers - + 9"), "[]");
}

#[test]
fn the_next_task_is_in_the_stream_without_attempts() {
    let (mut redis, id) = held();
    redis.eval(&format!("{FINISH} {id} next 'deliver 5 6' 2 ab ''"));
    assert_eq!(tasks(&mut redis, "tasks:{0}"), ["deliver 5 6, attempts, 0"]);
}

#[test]
fn a_retry_is_due_later_with_its_attempts_and_moves_back_with_them() {
    let (mut redis, id) = held();
    redis.eval(&format!("{FINISH} {id} retry 'rebuild 1' 3 ab 900"));
    let later = redis.run("ZRANGE tasks:{0}:later 0 -1 WITHSCORES");
    assert_eq!(later, "[ab 3 rebuild 1, 900]");
    assert_eq!(redis.eval(&format!("{MOVE} 900 10")), "1");
    assert_eq!(tasks(&mut redis, "tasks:{0}"), ["rebuild 1, attempts, 3"]);
}

#[test]
fn a_task_given_up_keeps_its_reason() {
    let (mut redis, id) = held();
    redis.eval(&format!("{FINISH} {id} dead 'rebuild 1' 8 ab 'no use'"));
    assert_eq!(
        tasks(&mut redis, "tasks:{0}:dead"),
        ["rebuild 1, attempts, 8, error, no use"]
    );
    assert_eq!(redis.run("XLEN tasks:{0}"), "0");
}

#[test]
fn due_tasks_move_oldest_first_up_to_the_limit() {
    let mut redis = Bench::start();
    redis.given(
        "ZADD tasks:{0}:later 20 'b 0 rebuild 2' 10 'a 0 rebuild 1' 30 'c 0 rebuild 3' 41 'd 0 rebuild 4'",
    );
    assert_eq!(redis.eval(&format!("{MOVE} 40 2")), "2");
    let moved = ["rebuild 1, attempts, 0", "rebuild 2, attempts, 0"];
    assert_eq!(tasks(&mut redis, "tasks:{0}"), moved);
    assert_eq!(redis.eval(&format!("{MOVE} 40 2")), "1");
    assert_eq!(redis.eval(&format!("{MOVE} 40 2")), "0");
    assert_eq!(redis.run("ZRANGE tasks:{0}:later 0 -1"), "[d 0 rebuild 4]");
    assert_eq!(
        redis.eval(&format!("{MOVE} 41 2")),
        "1",
        "due at that very time"
    );
}

#[test]
fn without_a_time_the_currently_due_tasks_move() {
    let mut redis = Bench::start();
    redis.given("ZADD tasks:{0}:later 10 'a 0 rebuild 1' 99999999999999 'b 0 rebuild 2'");
    assert_eq!(redis.eval(&format!("{MOVE} '' 10")), "1");
    assert_eq!(redis.run("ZRANGE tasks:{0}:later 0 -1"), "[b 0 rebuild 2]");
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
    assert_eq!(redis.eval("retire_consumer tasks:{0} , busy"), "has_tasks");
    assert_eq!(redis.eval("retire_consumer tasks:{0} , resting"), "removed");
    let left = redis.run("XINFO CONSUMERS tasks:{0} workers");
    assert!(left.contains("busy") && !left.contains("resting"), "{left}");
}
