//! A full disk: accepted data stays, and writes that cannot be stored are refused. When space is
//! free again, the site recovers without intervention.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    thread,
};

use reqwest::StatusCode;

use super::{IMPATIENCE, assert_unavailable};
use crate::support::{
    Person, Site, leftovers,
    pool::Redis,
    process::{Home, ORIGIN},
    redis::RedisServer,
    request::client,
    small_disk::SmallDisk,
    waiting::{eventually, eventually_blocking},
};

/// Makes the append-only file larger than any log that the limit could affect first.
const FILLER: &str = "\"redis.call('SET', 'filler', string.rep('x', 300000))\"";

#[tokio::test]
async fn a_redis_that_writes_every_second_goes_on_reading() {
    let dir = leftovers::directory("redwing-");
    let Some(disk) = SmallDisk::make(dir.path()) else {
        return;
    };
    let redis = RedisServer::of(&disk.server, &["--appendfsync", "everysec"]);
    let mut site = Site::on(Redis::Node(redis), &IMPATIENCE).await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("kept").await;
    let redis = site.redis.one_node();
    redis.command(&["EVAL", FILLER, "0"]);
    redis.command(&["DEL", "filler"]);
    disk.fill(redis.dir(), redis.id());
    // An error is allowed: Redis may have noticed the full disk while it wrote earlier data.
    redis.ask(&["SET", "filler", "1"]);
    eventually("Redis notices that its disk is full", async || {
        alice.get("/readyz").await.status == StatusCode::SERVICE_UNAVAILABLE
    })
    .await;
    assert_eq!(alice.get("/healthz").await.status, StatusCode::OK);
    assert_eq!(alice.open("/").await.messages(), ["kept"]);
    let form = alice.open("/").await.form("/statuses");
    let answer = alice.submit(&form.set("message", "given back")).await;
    assert_unavailable(&answer);
    disk.make_room(Some(redis.id()));
    eventually("there is room again", async || {
        alice.get("/readyz").await.status == StatusCode::OK
    })
    .await;
    alice.submit_accepted(&answer.form("/statuses")).await;
    let redis = site.redis.one_node_mut();
    redis.command(&["DEL", "filler"]);
    redis.kill();
    redis.restart();
    assert_eq!(alice.open("/").await.messages(), ["given back", "kept"]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_embedded_server_restarts_until_the_disk_has_space() {
    let home = Home::new();
    let Some(disk) = SmallDisk::make(home.outside()) else {
        return;
    };
    let server = disk.server.to_str().expect("temporary paths are text");
    let redwing = home.serve(&[&IMPATIENCE[2..], &["--redis-server", server]].concat());
    let robin = redwing.sign_up("robin").await;
    let id = robin.post("kept").await;
    home.ask(&format!("EVAL {FILLER} 0")).expect("it answers");
    home.ask("DEL filler").expect("it answers");
    let form = robin.open("/").await.form("/statuses");
    // The server could not append to its log either.
    let log = OpenOptions::new()
        .append(true)
        .open(home.path().join("redis/redis.log"));
    let filler = "x".repeat(400_000);
    writeln!(log.expect("it exists"), "{filler}").expect("there is space");
    disk.fill(
        &home.path().join("redis"),
        home.server_id().expect("it answers"),
    );
    let answer = robin.submit(&form.set("message", "given back")).await;
    assert_unavailable(&answer);
    assert_eq!(answer.form("/statuses").value("message"), "given back");
    eventually("the server has died repeatedly", async || {
        // The server ends with this write.
        let _gone = home.ask("SET filler 1");
        let log = redwing.log();
        let ends = ["starting it again", "does not start"].map(|words| log.matches(words).count());
        ends.iter().sum::<usize>() > 8
    })
    .await;
    let visitor = Person::at(client(), &redwing.base, ORIGIN);
    assert_eq!(visitor.get("/healthz").await.status, StatusCode::OK);
    assert!(
        redwing.log().contains("The disk is full"),
        "the reason is named"
    );
    disk.make_room(None);
    eventually("the site is ready", async || {
        visitor.get("/readyz").await.status == StatusCode::OK
    })
    .await;
    assert_eq!(robin.home_ids().await, [id]);
    robin.submit_accepted(&answer.form("/statuses")).await;
    assert_eq!(robin.open("/").await.messages(), ["given back", "kept"]);
    let check = home.run(&["check"]);
    assert!(
        check.status.success(),
        "{}",
        String::from_utf8_lossy(&check.stdout)
    );
    assert!(redwing.stop().success());
}

#[tokio::test]
async fn the_first_start_of_an_embedded_server_waits_until_the_disk_has_space() {
    let home = Home::new();
    let Some(disk) = SmallDisk::make(home.outside()) else {
        return;
    };
    disk.fill_before_start();
    let server = disk.server.to_str().expect("temporary paths are text");
    let redwing = thread::scope(|scope| {
        let start = scope.spawn(|| home.serve(&["--redis-server", server]));
        eventually_blocking("the start was tried repeatedly", || {
            // The file exists once the process is started.
            let log = fs::read_to_string(home.outside().join("redwing.log"));
            let log = log.unwrap_or_default();
            log.matches("does not start").count() > 2 && log.contains("The disk is full")
        });
        disk.make_room(None);
        start.join().expect("it starts")
    });
    let robin = redwing.sign_up("robin").await;
    let id = robin.post("There is room").await;
    assert_eq!(robin.home_ids().await, [id]);
    assert!(redwing.stop().success());
}
