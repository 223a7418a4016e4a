//! The backup script, with stubs of `tar` and `redis-cli`: one backup at a time, and no archive that
//! lacks a file.

mod rewrites;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

use crate::support::leftovers;

/// A data directory, and the stubs that the script finds first on PATH.
struct Scene {
    directory: TempDir,
}

impl Scene {
    /// Creates a scene in which `tar` runs these lines after it created the archive.
    fn with_tar(lines: &str) -> Self {
        let scene = Self {
            directory: leftovers::directory("redwing-backup-"),
        };
        let files = scene.path("data/redis/appendonlydir");
        fs::create_dir_all(&files).expect("the directory is writable");
        fs::write(files.join("appendonly.aof.manifest"), "file one\n").expect("it is writable");
        fs::create_dir(scene.path("bin")).expect("the directory is writable");
        let asked = "echo \"$*\" >>\"$SCENE/commands\"";
        let rewritten = "case \"$*\" in *info*) echo aof_last_bgrewrite_status:ok ;; esac";
        scene.stub("redis-cli", &format!("{asked}\n{rewritten}"));
        scene.stub("tar", &format!("echo archive >\"$4\"\n{lines}"));
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn stub(&self, name: &str, lines: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{lines}\n")).expect("the directory is writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is a file");
    }

    fn backup(&self, archive: &str) -> Command {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/redwing-backup");
        let path = std::env::var("PATH").expect("there is a PATH");
        let mut command = Command::new("bash");
        command
            .arg(script)
            .args([self.path(archive), self.path("data")])
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("SCENE", self.directory.path())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self) -> Output {
        self.backup("archive").output().expect("the script runs")
    }

    fn leftovers(&self) -> Vec<&'static str> {
        let names = ["archive", "archive.part", "archive.messages"];
        let left = names.into_iter().filter(|name| self.path(name).exists());
        left.collect()
    }
}

fn assert_says(output: &Output, words: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(words), "{words} in: {said}");
}

#[test]
fn a_backup_during_which_a_file_grew_is_complete() {
    let grew = "echo 'tar: redis/one: file changed as we read it' >&2\nexit 1";
    for lines in [grew, "exit 0"] {
        let scene = Scene::with_tar(lines);
        let output = scene.run();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(scene.leftovers(), ["archive"]);
    }
}

#[test]
fn a_backup_rewrites_the_files_before_it_copies_them() {
    let scene = Scene::with_tar("echo tar >>\"$SCENE/commands\"");
    assert!(scene.run().status.success());
    let commands = fs::read_to_string(scene.path("commands")).expect("Redis was asked");
    let place = |word: &str| commands.lines().position(|line| line.ends_with(word));
    let order = [
        "1 rewrite: backup 3600",
        "bgrewriteaof",
        "tar",
        "1 rewrite: backup",
    ];
    assert!(order.map(place).is_sorted(), "{commands}");
    assert!(order.map(place)[0].is_some(), "{commands}");
    assert!(
        !commands.contains("config set"),
        "the server begins no rewrite by itself, before and after: {commands}"
    );
}

#[test]
fn a_backup_without_a_rewrite_is_refused() {
    let scene = Scene::with_tar("exit 0");
    scene.stub("redis-cli", "echo aof_last_bgrewrite_status:err");
    let output = scene.run();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_says(&output, "could not rewrite");
    assert!(scene.leftovers().is_empty());
}

#[test]
fn a_backup_during_which_a_file_vanished_is_refused() {
    let grew = "echo 'tar: redis/one: file changed as we read it' >&2";
    let vanished = "echo 'tar: redis/two: File removed before we read it' >&2\nexit 1";
    for lines in [
        vanished,
        &format!("{grew}\n{vanished}"),
        "exit 2",
        "echo 'file two' >\"$2/redis/appendonlydir/appendonly.aof.manifest\"",
    ] {
        let scene = Scene::with_tar(lines);
        let output = scene.run();
        assert_eq!(output.status.code(), Some(1), "{lines}: {output:?}");
        assert_says(&output, "Run the backup again");
        assert!(scene.leftovers().is_empty(), "{lines}");
    }
}

#[test]
fn a_second_backup_at_the_same_time_is_refused_and_does_not_disturb_the_first() {
    let scene = Scene::with_tar("case \"$4\" in *archive.part) cat <\"$SCENE/pipe\" ;; esac");
    let pipe = scene.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is on PATH").success());
    let first = scene.backup("archive").spawn().expect("the script runs");
    // Opening the pipe waits until the first `tar` reads from it.
    let opened = fs::File::options().write(true).open(&pipe);
    let second = scene.backup("second").output().expect("the script runs");
    assert_eq!(second.status.code(), Some(1), "{second:?}");
    assert_says(&second, "another backup of");
    let commands = fs::read_to_string(scene.path("commands")).expect("Redis was asked");
    let rewrites = commands.matches("bgrewriteaof").count();
    assert_eq!(rewrites, 1, "the first one is still copying: {commands}");
    drop(opened);
    let first = first.wait_with_output().expect("the script runs");
    assert!(first.status.success(), "{first:?}");
    assert_eq!(scene.leftovers(), ["archive"]);
    assert!(!scene.path("second").exists());
}
