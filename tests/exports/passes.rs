//! The passes of an export: interrupted, repeated, and of an account with many posts.

use std::fs;

use redwing::{
    domain::{ExportStage, Task, UserId},
    export,
    store::{Fuse, Store},
};

use crate::support::{core::Core, crowd};

/// Runs the passes of the newest export of a person without a worker.
async fn run(store: &Store, person: UserId) -> Result<(), redwing::store::Error> {
    let state = store.export(person).await?.expect("an export");
    let mut next = Some(Task::Export {
        person,
        token: state.token,
    });
    while let Some(Task::Export { person, token }) = next {
        next = export::run_pass(store, person, &token).await?;
    }
    Ok(())
}

fn core_in(directory: &tempfile::TempDir) -> Core {
    let path = directory.path().display().to_string();
    Core::with(&["--exports-dir", &path])
}

async fn archive_size(store: &Store, person: UserId) -> Option<u64> {
    let archive = export::archive_of(store, person)
        .await
        .expect("an answer")?;
    Some(fs::metadata(archive).expect("a file").len())
}

#[tokio::test]
async fn an_export_killed_at_any_command_is_continued_to_the_same_archive() {
    let directory = tempfile::tempdir().expect("a directory");
    let core = core_in(&directory);
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    let other = crowd::member(store, "other").await;
    crowd::posts(store, alice, 30).await;
    let theirs = crowd::post(store, other, "of the other").await;
    crowd::favourite(store, alice, theirs).await;
    core.drain().await;
    export::begin(store, alice).await.expect("begun");
    core.drain().await;
    let whole = archive_size(store, alice).await.expect("an archive");
    for commands in 0..400 {
        export::begin(store, alice).await.expect("begun");
        let done = run(&store.with_fuse(Fuse::of(commands)), alice).await;
        let state = store
            .export(alice)
            .await
            .expect("an answer")
            .expect("an export");
        assert_eq!(state.stage == ExportStage::Done, done.is_ok(), "{commands}");
        core.drain().await;
        let size = archive_size(store, alice).await.expect("an archive");
        assert!(
            size.abs_diff(whole) < 40,
            "{commands}: {size} instead of {whole}"
        );
        if done.is_ok() {
            assert!(commands > 3);
            core.assert_sound().await;
            return;
        }
    }
    panic!("the export never completed");
}

#[tokio::test]
async fn an_export_ends_with_a_reason_where_its_files_are_missing_or_cannot_be_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let core = core_in(&directory);
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    crowd::posts(store, alice, 300).await;
    export::begin(store, alice).await.expect("begun");
    let token = store
        .export(alice)
        .await
        .expect("an answer")
        .expect("an export")
        .token;
    export::run_pass(store, alice, &token)
        .await
        .expect("a pass");
    // The next pass runs on a machine that does not share the directory.
    for entry in fs::read_dir(directory.path()).expect("a directory") {
        fs::remove_dir_all(entry.expect("an entry").path()).expect("removed");
    }
    let next = export::run_pass(store, alice, &token)
        .await
        .expect("an answer");
    assert_eq!(next, None);
    let state = store
        .export(alice)
        .await
        .expect("an answer")
        .expect("an export");
    assert_eq!(state.stage, ExportStage::Failed);
    // The person makes another.
    export::begin(store, alice).await.expect("begun");
    core.drain().await;
    assert!(archive_size(store, alice).await.is_some());
}

#[tokio::test]
async fn a_pass_reads_a_bounded_part_of_an_account() {
    let directory = tempfile::tempdir().expect("a directory");
    let core = core_in(&directory);
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    let posts = crowd::posts(store, alice, 700).await;
    core.drain().await;
    export::begin(store, alice).await.expect("begun");
    let token = store
        .export(alice)
        .await
        .expect("an answer")
        .expect("an export")
        .token;
    let (mut passes, mut most, mut last) = (0, 0, 0);
    while export::run_pass(store, alice, &token)
        .await
        .expect("a pass")
        .is_some()
    {
        let state = store
            .export(alice)
            .await
            .expect("an answer")
            .expect("an export");
        most = most.max(state.done - last);
        last = state.done;
        passes += 1;
    }
    assert_eq!(last as usize, posts.len());
    assert!(passes > 2 && most <= 300, "{passes} passes of up to {most}");
}
