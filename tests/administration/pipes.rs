//! Commands that print to a closed pipe.

use std::process::Stdio;

use redwing::store::DATA_VERSION;

use crate::support::{Site, crowd, process::Home};

/// Runs a command with a standard output that no one reads, and returns its exit code and its errors.
fn run_unread(site: &Site, arguments: &[&str]) -> (Option<i32>, String) {
    let url = site.redis.url();
    let version = DATA_VERSION.number.to_string();
    site.redis.command(&["SET", "schema:version", &version]);
    let arguments = [arguments, &["--redis-url", &url]].concat();
    let mut command = Home::new().command(&arguments);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it is a child process");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), errors)
}

#[tokio::test]
async fn a_command_whose_reader_is_gone_ends_quietly() {
    let site = Site::start().await;
    crowd::member(&site.store, "alice").await;
    for command in [
        &["admin", "people"][..],
        &["admin", "people", "--json"],
        &["admin", "show", "alice"],
        &["admin", "case", "alice"],
        &["admin", "log", "--json"],
        &["admin", "stats"],
        &["admin", "site"],
        &["status"],
        &["status", "--json"],
        &["check"],
        &["check", "--json"],
    ] {
        let (code, errors) = run_unread(&site, command);
        assert_eq!(code, Some(141), "{command:?}: {errors}");
        assert!(!errors.contains("panicked"), "{command:?}: {errors}");
        assert!(!errors.contains("redwing: "), "{command:?}: {errors}");
    }
}
