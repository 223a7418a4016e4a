//! `redwing status`: the health of a site, beside the running site.

use std::process::Output;

use redwing::store::DATA_VERSION;
use serde_json::Value;

use crate::support::{Site, crowd, pool::Redis, process::Home, redis::RedisServer};

pub fn status(site: &Site, arguments: &[&str]) -> Output {
    let url = site.redis.url();
    let home = Home::new();
    std::fs::create_dir_all(home.path()).expect("a directory");
    home.run(&[&["status", "--redis-url", &url], arguments].concat())
}

/// Returns the level and the remedy of a part.
fn part<'a>(document: &'a Value, part: &str) -> (&'a str, Option<&'a str>) {
    let checks = document["checks"].as_array().expect("checks");
    let check = checks.iter().find(|check| check["part"] == part);
    let check = check.unwrap_or_else(|| panic!("{part}: {document}"));
    (
        check["level"].as_str().expect("a level"),
        check["remedy"].as_str(),
    )
}

fn document(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[tokio::test]
async fn a_running_site_is_well() {
    let home = Home::new();
    let site = home.serve(&[]);
    site.sign_up("robin").await;
    let output = home.run(&["status"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    for part in [
        "Redis", "memory", "storage", "files", "data", "clock", "queue", "workers", "given up",
        "disk",
    ] {
        assert!(
            text.lines()
                .any(|line| line.starts_with(&format!("ok       {part}"))),
            "{part}: {text}"
        );
    }
    assert!(text.trim_end().ends_with("All is well."), "{text}");
}

#[tokio::test]
async fn each_warning_has_its_remedy_and_the_exit_code_says_how_bad_it_is() {
    let site = Site::start().await;
    // No worker runs beside this site, and its data has no version.
    let output = status(&site, &["--json"]);
    assert_eq!(output.status.code(), Some(2));
    let report = document(&output);
    assert_eq!(report["level"], "failure");
    assert_eq!(part(&report, "workers").0, "failure");
    assert!(
        part(&report, "workers")
            .1
            .is_some_and(|remedy| remedy.contains("redwing work"))
    );
    assert_eq!(part(&report, "data").0, "warning");
    let version = DATA_VERSION.number;
    for (stored, level) in [(version, "ok"), (version + 1, "failure"), (1, "warning")] {
        site.redis
            .command(&["SET", "schema:version", &stored.to_string()]);
        assert_eq!(
            part(&document(&status(&site, &["--json"])), "data").0,
            level
        );
    }
    site.redis.command(&[
        "XADD",
        "tasks:{0}:dead",
        "*",
        "task",
        "x",
        "attempts",
        "9",
        "error",
        "e",
    ]);
    let report = document(&status(&site, &["--json"]));
    let (level, remedy) = part(&report, "given up");
    assert_eq!(level, "warning");
    assert!(remedy.is_some_and(|remedy| remedy.contains("redwing check --repair")));
    let text = status(&site, &[]);
    let text = String::from_utf8_lossy(&text.stdout);
    assert!(text.contains("WARNING  given up   1 tasks"), "{text}");
    site.redis.command(&["DEL", "tasks:{0}:dead"]);
    let now = site.store.now().await.expect("a time").0.to_string();
    let jump = ["HSET", "clock:", "seen", &now, "since", &now];
    site.redis.command(&jump);
    let text = status(&site, &[]);
    let text = String::from_utf8_lossy(&text.stdout);
    let expected = "WARNING  clock      it jumped; due deletions wait for 24 hours";
    assert!(text.contains(expected), "{text}");
}

#[tokio::test]
async fn a_redis_that_cannot_be_reached_is_a_failure_in_words() {
    let home = Home::new();
    let output = home.run(&["status", "--redis-url", "redis://127.0.0.1:1/"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("FAILURE  Redis"), "{text}");
    assert!(text.contains("Start Redis"), "{text}");
}

#[tokio::test]
async fn the_people_who_use_most_memory_are_named_and_more_than_a_tenth_is_a_warning() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    crowd::people(&site.store, "quiet", 3).await;
    for (login, bytes) in [("small", "1048576"), ("large", "5242880")] {
        let person = crowd::member(&site.store, login).await;
        let key = format!("post_bytes:{{{person}}}");
        site.redis.command(&["HSET", &key, "sum", bytes]);
    }
    let text = status(&site, &[]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    let expected = "storage    @large 5.0 MiB, @small 1.0 MiB";
    assert!(text.contains(expected), "{text}");
    for (limit, expected) in [("52428800", "ok"), ("52428799", "warning")] {
        site.redis.command(&["CONFIG", "SET", "maxmemory", limit]);
        let report = document(&status(&site, &["--json"]));
        assert_eq!(part(&report, "storage").0, expected, "{limit}");
    }
}
