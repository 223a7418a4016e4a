//! Starts that fail completely or partially: they do no harm, and the message names the setting and
//! its correction. Uses the built binary without a reachable Redis.

use std::{fs, net::TcpListener, os::unix::fs::PermissionsExt, path::PathBuf, process::Command};

use crate::support::process::{Home, Process};

/// Returns the message of a start with these settings and no reachable Redis.
#[track_caller]
fn refusal(home: &Home, settings: &[&str]) -> String {
    let mut all = vec!["--redis-url", "redis+unix:///nowhere/redis.sock"];
    all.extend(settings);
    home.refusal(&all)
}

/// Creates a file in the data directory with this mode.
fn file(home: &Home, name: &str, content: &str, mode: u32) -> PathBuf {
    fs::create_dir_all(home.path()).expect("the directory is writable");
    let path = home.path().join(name);
    fs::write(&path, content).expect("the directory is writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("the file is writable");
    path
}

#[track_caller]
fn assert_names(output_text: &str, words: &[&str]) {
    for word in words {
        assert!(output_text.contains(word), "{word} in: {output_text}");
    }
}

#[test]
fn time_outs_that_contradict_each_other_are_refused_by_name() {
    let home = Home::new();
    let cases = [
        (
            ["--write-deadline-ms=5000", "--outbox-delay-ms=5000"],
            ["REDWING_OUTBOX_DELAY_MS", "REDWING_WRITE_DEADLINE_MS"],
        ),
        (
            ["--request-ms=1000", "--threads=1"],
            ["REDWING_REQUEST_MS", "REDWING_WRITE_DEADLINE_MS"],
        ),
        (
            ["--task-claim-ms=1000", "--threads=1"],
            ["REDWING_TASK_CLAIM_MS", "REDWING_WRITE_DEADLINE_MS"],
        ),
    ];
    for (settings, names) in cases {
        assert_names(&refusal(&home, &settings), &names);
    }
    assert!(!home.path().exists(), "refused before anything was started");
}

#[test]
fn a_number_out_of_bounds_is_refused_with_setting_bounds_and_value() {
    let home = Home::new();
    for (setting, words) in [
        (
            "--pass-size=5001",
            ["REDWING_PASS_SIZE", "from 1 to 5000", "'5001'"],
        ),
        (
            "--home-size=2001",
            ["REDWING_HOME_SIZE", "from 1 to 2000", "'2001'"],
        ),
        (
            "--max-list-members=0",
            ["REDWING_MAX_LIST_MEMBERS", "from 1 to 1000", "'0'"],
        ),
    ] {
        assert_names(&refusal(&home, &[setting]), &words);
    }
    assert!(!home.path().exists(), "refused before anything was started");
}

#[test]
fn metrics_are_served_to_this_machine_only() {
    let output_text = refusal(&Home::new(), &["--metrics-listen", "0.0.0.0:0"]);
    assert_names(&output_text, &["--metrics-listen", "loopback"]);
}

#[test]
fn a_file_at_the_socket_path_is_not_deleted() {
    let home = Home::new();
    let path = file(&home, "precious", "a key", 0o600);
    let output_text = refusal(&home, &["--listen", &format!("unix:{}", path.display())]);
    assert_eq!(fs::read_to_string(&path).expect("it stays"), "a key");
    assert_names(&output_text, &["precious", "REDWING_LISTEN"]);
}

#[test]
fn a_used_address_is_named_with_a_remedy() {
    let home = Home::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = taken.local_addr().expect("it is bound").to_string();
    let output_text = refusal(&home, &["--listen", &address]);
    assert_names(&output_text, &[&address, "REDWING_LISTEN"]);
    let output_text = refusal(&home, &["--metrics-listen", &address]);
    assert_names(&output_text, &[&address, "REDWING_METRICS_LISTEN"]);
}

#[test]
fn an_invalid_secret_key_is_named_with_a_remedy() {
    let home = Home::new();
    let output_text = refusal(&home, &["--secret-key", "abcd"]);
    assert_names(
        &output_text,
        &["REDWING_SECRET_KEY", "64 hexadecimal digits"],
    );
    assert!(
        !output_text.contains("abcd"),
        "and never shown: {output_text}"
    );
    file(&home, "secret.key", "torn", 0o600);
    let output_text = refusal(&home, &[]);
    assert_names(
        &output_text,
        &["secret.key", "64 hexadecimal digits", "remove it"],
    );
}

#[test]
fn a_secret_key_readable_by_others_is_refused() {
    let home = Home::new();
    file(&home, "secret.key", &"ab".repeat(32), 0o644);
    assert_names(&refusal(&home, &[]), &["secret.key", "chmod 600"]);
}

#[test]
fn a_data_directory_that_is_made_for_the_key_is_private() {
    let home = Home::new();
    let redis = ["--redis-url", "redis+unix:///nowhere/redis.sock"];
    home.serve(&redis).stop();
    let mode = fs::metadata(home.path()).expect("it is made").permissions();
    assert_eq!(mode.mode() & 0o777, 0o700);
}

#[test]
fn a_public_listener_with_a_local_url_names_the_wrong_setting() {
    let log_of = |settings: &[&str]| {
        let home = Home::new();
        let redis = ["serve", "--redis-url", "redis+unix:///nowhere/redis.sock"];
        let command = home.command(&[&redis[..], settings].concat());
        let site = Process::start(command, &home.outside().join("redwing.log"));
        let log = site.log();
        site.stop();
        log
    };
    let output_text = log_of(&["--listen", "0.0.0.0:0"]);
    assert_names(
        &output_text,
        &["http://127.0.0.1:8080", "REDWING_PUBLIC_URL"],
    );
    let public = ["--public-url", "https://red.example"];
    for settings in [
        &["--listen", "127.0.0.1:0"][..],
        &[&["--listen", "0.0.0.0:0"][..], &public].concat(),
    ] {
        let output_text = log_of(settings);
        assert!(!output_text.contains("REDWING_PUBLIC_URL"), "{output_text}");
    }
}

#[test]
fn an_invalid_redis_address_is_shown_a_valid_example() {
    let home = Home::new();
    for url in ["redis://127.0.0.1/first", "http://127.0.0.1", "127.0.0.1"] {
        let output_text = home.refusal(&["--redis-url", url]);
        assert_names(&output_text, &["REDIS_URL", "redis://"]);
        assert!(!output_text.contains("unexpected answer"), "{output_text}");
    }
}

#[test]
fn a_check_of_a_directory_without_data_is_refused_and_creates_nothing() {
    let home = Home::new();
    let output = Command::new(env!("CARGO_BIN_EXE_redwing"))
        .args(["check", "--data-dir"])
        .arg(home.path())
        .env_remove("REDIS_URL")
        .output()
        .expect("it runs");
    assert!(!output.status.success());
    let output_text = String::from_utf8_lossy(&output.stderr);
    assert_names(&output_text, &["no data", "--data-dir"]);
    assert!(!home.path().join("redis").exists());
}
