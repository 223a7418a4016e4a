//! Deleted texts leave Redis' append-only files: on a schedule, on request, and before a backup.

use std::{
    fs,
    process::{Command, Output},
};

use crate::support::{
    Person,
    core::Core,
    pool::Redis,
    process::{Home, Process},
    redis::RedisServer,
    waiting::eventually,
};

/// A text that no file of a new site contains.
const TEXT: &str = "a secret of xq7";

/// A site with a deleted post by alice and a living one. Redis has forgotten the text of the deleted one.
async fn site_with_deleted_text(home: &Home) -> (Process, Person) {
    let site = home.serve(&[]);
    let alice = site.sign_up("alice").await;
    alice.post("the living one").await;
    // The first start has rewritten the files.
    eventually("the next rewrite is due tomorrow", async || {
        rewrite_is_due_in_s(home) > 86_000
    })
    .await;
    let id = alice.post(TEXT).await;
    assert!(files_contain(home, TEXT));
    alice.delete(id).await;
    eventually("Redis has forgotten the text", async || {
        let status = home.ask(&format!("HGETALL status:{{{id}}}"));
        let status = status.expect("the server answers");
        assert!(status.contains("deleted"), "{status}");
        !status.contains(TEXT)
    })
    .await;
    assert!(files_contain(home, TEXT), "the files are not rewritten yet");
    (site, alice)
}

fn rewrite_is_due_in_s(home: &Home) -> i64 {
    let answer = home.ask("TTL rewrite:").expect("the server answers");
    let number = answer
        .lines()
        .next()
        .and_then(|line| line.strip_prefix(':'));
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

/// Returns whether Redis' append-only files contain this text.
fn files_contain(home: &Home, text: &str) -> bool {
    let files = fs::read_dir(home.path().join("redis/appendonlydir")).expect("it exists");
    // A file may vanish meanwhile.
    let mut contents = files.filter_map(|file| fs::read(file.ok()?.path()).ok());
    contents.any(|bytes| contains(&bytes, text))
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[tokio::test]
async fn the_files_are_rewritten_when_it_is_due() {
    let home = Home::new();
    let (site, alice) = site_with_deleted_text(&home).await;
    home.ask("DEL rewrite:").expect("the server answers");
    eventually("the text has left the files", async || {
        !files_contain(&home, TEXT)
    })
    .await;
    eventually("the next rewrite is due tomorrow", async || {
        rewrite_is_due_in_s(&home) > 86_000
    })
    .await;
    assert_eq!(alice.open("/").await.messages(), ["the living one"]);
    assert!(site.stop().success());
}

/// A script that adds 70 MiB to the files of a server and leaves no key.
const GROW: &str = "EVAL \"for _ = 1, 70 do redis.call('SET', 'large', string.rep('a', 1048576)) end \
                    redis.call('DEL', 'large')\" 0";

#[tokio::test]
async fn doubled_files_are_rewritten_early_unless_an_attempt_or_a_backup_is_under_way() {
    let server = RedisServer::with(&["--auto-aof-rewrite-percentage", "0"]);
    let core = Core::on(Redis::Node(server), &[]);
    let rewrites = async || {
        let rewritten = core.store.rewrite_files_if_due().await;
        rewritten.expect("the server answers")
    };
    assert!(rewrites().await, "the first one is due");
    assert!(!rewrites().await, "the next one is due tomorrow");
    let server = core.redis.one_node();
    server.pipe(GROW);
    server.command(&["SET", "rewrite:", "backup", "EX", "3600"]);
    assert!(!rewrites().await, "a backup copies the files");
    server.command(&["SET", "rewrite:", "done", "EX", "86400"]);
    assert!(rewrites().await, "the files have doubled");
    assert!(!rewrites().await, "they are small again");
}

#[tokio::test]
async fn a_rewrite_leaves_the_key_of_a_backup_that_began_meanwhile() {
    let server = RedisServer::with(&["--auto-aof-rewrite-percentage", "0"]);
    let core = Core::on(Redis::Node(server), &[]);
    let server = core.redis.one_node();
    let rewrite = core.store.rewrite_files_if_due();
    let begin_backup = async {
        eventually("a rewrite has begun", async || {
            server.ask(&["EXISTS", "rewrite:"]).contains(":1")
        })
        .await;
        server.command(&["SET", "rewrite:", "backup", "EX", "3600"]);
    };
    let (rewritten, ()) = tokio::join!(rewrite, begin_backup);
    assert!(rewritten.expect("the server answers"));
    assert!(server.ask(&["GET", "rewrite:"]).contains("backup"));
    let left = server.ask(&["TTL", "rewrite:"]);
    let number = left.lines().next().and_then(|line| line.strip_prefix(':'));
    let number = number.and_then(|number| number.parse::<u64>().ok());
    assert!(number.is_some_and(|seconds| seconds <= 3600), "{left}");
}

#[tokio::test]
async fn the_files_are_rewritten_on_request_with_and_without_a_running_site() {
    for is_running in [true, false] {
        let home = Home::new();
        let (site, _) = site_with_deleted_text(&home).await;
        let mut site = Some(site);
        if !is_running {
            site.take().map(Process::stop);
        }
        let output = home.run(&["rewrite"]);
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("rewritten"), "{said}");
        eventually("the text has left the files", async || {
            !files_contain(&home, TEXT)
        })
        .await;
        drop(site);
        let site = home.serve(&[]);
        let visitor = Person::at(crate::support::request::client(), &site.base, &site.base);
        let messages = visitor.open("/@alice").await.messages();
        assert_eq!(messages, ["the living one"]);
    }
}

#[tokio::test]
async fn the_files_are_rewritten_and_saved_with_full_memory() {
    let home = Home::new();
    let (site, _) = site_with_deleted_text(&home).await;
    home.ask("CONFIG SET maxmemory 1")
        .expect("the server answers");
    home.ask("DEL rewrite:").expect("the server answers");
    eventually("the text has left the files", async || {
        !files_contain(&home, TEXT)
    })
    .await;
    if Command::new("redis-cli").arg("--version").output().is_err() {
        eprintln!("SKIPPED: redis-cli is missing");
        return;
    }
    let (output, content) = saved(&home);
    assert!(output.status.success(), "{output:?}");
    assert!(contains(&content, "alice"));
    let lease = home.ask("GET rewrite:").expect("the server answers");
    assert!(!lease.contains("backup"), "{lease}");
    assert!(site.stop().success());
}

/// Runs the backup script. Returns its output and the content of the archive.
fn saved(home: &Home) -> (Output, Vec<u8>) {
    let archive = home.outside().join("backup.tar.gz");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/redwing-backup");
    let mut backup = Command::new("bash");
    backup.arg(script).arg(&archive).arg(home.path());
    let output = backup.output().expect("the script runs");
    let mut extract = Command::new("tar");
    let content = extract.args(["-xzOf"]).arg(&archive).output();
    (output, content.expect("tar runs").stdout)
}

#[tokio::test]
async fn a_backup_holds_no_text_that_was_deleted_before_it() {
    if Command::new("redis-cli").arg("--version").output().is_err() {
        eprintln!("SKIPPED: redis-cli is missing");
        return;
    }
    let home = Home::new();
    let (site, _) = site_with_deleted_text(&home).await;
    let (output, content) = saved(&home);
    assert!(output.status.success(), "{output:?}");
    assert!(contains(&content, "alice"));
    assert!(!contains(&content, TEXT));
    // The next rewrite is due, or another process has begun it.
    let lease = home.ask("GET rewrite:").expect("the server answers");
    assert!(!lease.contains("backup"), "{lease}");
    assert!(site.stop().success());
}
