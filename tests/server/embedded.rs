//! The embedded server, used if no Redis is configured, with the built binary: it recovers its
//! data, is found again, is shared, and stops last.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
};

use crate::support::{
    Person,
    process::{Home, ORIGIN, Process, server_is_gone, signal},
    request::{client, encode},
    waiting::eventually,
};

/// Returns the same browser at a restarted site on another port.
fn at(process: &Process, person: Person) -> Person {
    let mut moved = Person::at(client(), &process.base, ORIGIN);
    moved.cookies = person.cookies;
    moved.login = person.login;
    moved
}

async fn is_ready(person: &Person) -> bool {
    person.get("/readyz").await.status.is_success()
}

#[tokio::test]
async fn data_and_sessions_are_found_again_at_the_next_start() {
    let home = Home::new();
    let first = home.serve(&[]);
    let robin = first.sign_up("robin").await;
    let id = robin.post("Still here tomorrow").await;
    assert!(first.stop().success());
    assert!(home.ask("PING").is_err(), "the server ends with Redwing");

    let second = home.serve(&[]);
    let robin = at(&second, robin);
    assert_eq!(robin.home_ids().await, [id]);
}

#[tokio::test]
async fn a_server_that_dies_comes_back_with_everything() {
    let home = Home::new();
    let redwing = home.serve(&[]);
    let robin = redwing.sign_up("robin").await;
    let id = robin.post("Survives a kill").await;
    let killed = home.server_id().expect("it answers");
    signal("KILL", killed);

    eventually("a new server answers", async || {
        home.server_id().is_some_and(|id| id != killed)
    })
    .await;
    eventually("the site is ready", async || is_ready(&robin).await).await;
    assert_eq!(robin.home_ids().await, [id]);
    assert!(redwing.stop().success());
}

#[tokio::test]
async fn a_killed_redwing_does_not_block_the_next_one() {
    let home = Home::new();
    let first = home.serve(&[]);
    let robin = first.sign_up("robin").await;
    let id = robin.post("Survives a crash").await;
    first.crash();

    let second = home.serve(&[]);
    assert_eq!(at(&second, robin).home_ids().await, [id]);
}

#[tokio::test]
async fn a_second_process_shares_the_server_and_takes_it_over() {
    let home = Home::new();
    let first = home.serve(&[]);
    let robin = first.sign_up("robin").await;
    let id = robin.post("Read by two").await;
    let check = home.run(&["check"]);
    assert!(
        check.status.success(),
        "{}",
        String::from_utf8_lossy(&check.stdout)
    );

    let second = home.serve(&[]);
    let robin = at(&second, robin);
    assert_eq!(robin.home_ids().await, [id]);
    assert!(first.stop().success());
    eventually("the second has a server of its own", async || {
        is_ready(&robin).await
    })
    .await;
    assert_eq!(robin.home_ids().await, [id]);
    assert!(second.stop().success());
    server_is_gone(&home);
}

#[tokio::test]
async fn a_request_in_progress_is_finished_before_the_server_ends() {
    let home = Home::new();
    let redwing = home.serve(&[]);
    let robin = redwing.sign_up("robin").await;
    let form = robin
        .open("/")
        .await
        .form("/statuses")
        .set("message", "At the last moment");
    let body = encode(&form.fields);
    let address = redwing.base.trim_start_matches("http://").to_owned();

    let mut connection = TcpStream::connect(&address).expect("it listens");
    let (now, later) = body.split_at(body.len() / 2);
    write!(
        connection,
        "POST /statuses HTTP/1.1\r\nHost: {address}\r\nCookie: {}\r\nOrigin: {ORIGIN}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{now}",
        robin.cookies.header().expect("a session"),
        body.len(),
    )
    .expect("it reads");
    // The answer on a new connection shows that the first was accepted before, because one thread serves both. A client
    // without connections opens one.
    let visitor = Person::at(client(), &redwing.base, ORIGIN);
    assert!(visitor.get("/healthz").await.status.is_success());
    redwing.request_stop();
    eventually("it takes no more connections", async || {
        TcpStream::connect(&address).is_err()
    })
    .await;
    connection.write_all(later.as_bytes()).expect("it reads on");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    assert!(redwing.ended().success());

    let again = home.serve(&[]);
    assert_eq!(
        at(&again, robin).open("/").await.messages(),
        ["At the last moment"]
    );
}

#[test]
fn the_server_has_no_port_and_stores_every_write() {
    let home = Home::new();
    let _redwing = home.serve(&[]);
    for (setting, value) in [
        ("port", "0"),
        ("appendonly", "yes"),
        ("appendfsync", "always"),
        ("auto-aof-rewrite-percentage", "0"),
        ("maxmemory-policy", "noeviction"),
        ("zset-max-listpack-entries", "1024"),
        ("hash-max-listpack-value", "1024"),
    ] {
        let answer = home
            .ask(&format!("CONFIG GET {setting}"))
            .expect("it answers");
        assert!(
            answer.contains(&format!("\r\n{value}\r\n")),
            "{setting}: {answer}"
        );
    }
}

/// Returns the newest file that the server appends to.
fn appended_file(home: &Home) -> PathBuf {
    let files = fs::read_dir(home.path().join("redis/appendonlydir")).expect("it has written");
    files
        .map(|file| file.expect("readable").path())
        .filter(|file| file.to_string_lossy().ends_with(".incr.aof"))
        .max()
        .expect("there is a file to append to")
}

#[tokio::test]
async fn zeros_after_the_last_write_are_cut_off_and_logged() {
    let home = Home::new();
    let first = home.serve(&[]);
    let robin = first.sign_up("robin").await;
    eventually("the first rewrite is done", async || {
        let due_in_s = home.ask("TTL rewrite:");
        due_in_s.is_ok_and(|answer| answer.starts_with(":86"))
    })
    .await;
    let id = robin.post("Before the power failed").await;
    assert!(first.stop().success());
    let appended = appended_file(&home);
    let file = fs::File::options().append(true).open(&appended);
    let mut file = file.expect("it is ours");
    let length = file.metadata().expect("readable").len();
    // The beginning of a command that the server was writing.
    file.write_all(b"*3\r\n$3\r\nSET\r\n$4")
        .expect("it is ours");
    file.set_len(length + 4096).expect("it is ours");

    let second = home.serve(&[]);
    assert_eq!(at(&second, robin).home_ids().await, [id]);
    let log = second.log();
    assert!(
        log.contains("The 4096 bytes after its last complete"),
        "{log}"
    );
}

#[test]
fn a_damaged_file_is_named_with_its_remedy() {
    let home = Home::new();
    assert!(home.serve(&[]).stop().success());
    fs::write(appended_file(&home), "neither fish nor fowl\r\n").expect("it is ours");

    let output_text = home.refusal(&[]);
    assert!(output_text.contains("check-aof --fix"), "{output_text}");
}

/// Starts a site, changes its directory `appendonlydir`, and returns the message of the next start.
fn refusal_after(damage: impl FnOnce(&Path)) -> String {
    let home = Home::new();
    assert!(home.serve(&[]).stop().success());
    damage(&home.path().join("redis/appendonlydir"));
    home.refusal(&[])
}

#[test]
fn unreadable_data_files_are_named_with_their_remedy() {
    const MANIFEST: &str = "appendonly.aof.manifest";
    let write = |path: PathBuf, text: &str| fs::write(path, text).expect("it is ours");
    let base = |files: &Path| {
        let mut paths = fs::read_dir(files)
            .expect("it has written")
            .map(|file| file.expect("readable").path());
        paths.find(|path| path.extension().is_some_and(|kind| kind == "rdb"))
    };
    let refusals = [
        (
            "The list of its data files",
            refusal_after(|files| write(files.join(MANIFEST), "")),
        ),
        (
            "The list of its data files",
            refusal_after(|files| write(files.join(MANIFEST), "neither fish nor fowl\n")),
        ),
        (
            "A data file is missing",
            refusal_after(|files| {
                fs::remove_file(base(files).expect("the base")).expect("it is ours")
            }),
        ),
    ];
    for (fault, refusal) in refusals {
        assert!(refusal.contains(fault), "{fault}: {refusal}");
        assert!(
            refusal.contains("restore the whole directory"),
            "{fault}: {refusal}"
        );
    }
}

#[test]
fn a_wrong_path_ends_the_first_start_at_once() {
    let home = Home::new();
    fs::create_dir_all(home.path().join("redis")).expect("the directory is writable");
    fs::write(home.path().join("redis/appendonlydir"), "").expect("the directory is writable");
    let refusal = home.refusal(&[]);
    assert!(
        refusal.contains("append-only dir appendonlydir: Not a directory"),
        "{refusal}"
    );

    let no_directory = Home::new();
    fs::write(no_directory.path(), "").expect("the directory is writable");
    let refusal = no_directory.refusal(&[]);
    assert!(refusal.contains("cannot be used"), "{refusal}");
}

#[test]
fn without_any_server_the_message_names_ways_to_get_one() {
    let home = Home::new();
    let mut command = home.command(&["serve"]);
    let output = command
        .env("PATH", "")
        .env_remove("REDWING_REDIS_SERVER")
        .output()
        .expect("it runs");
    let output_text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        output_text.contains("apt install redis-server")
            && output_text.contains("scripts/fetch-server"),
        "{output_text}"
    );
}

#[tokio::test]
async fn a_data_directory_with_a_long_path_works() {
    let home = Home::deep();
    let redwing = home.serve(&[]);
    redwing.sign_up("robin").await;
    assert!(redwing.stop().success());
}
