//! The space of archives: a limit for the whole site, free space on the disk, and the files that stay.

use std::{fs, path::Path};

use redwing::{
    domain::{Export, ExportStage, UserId},
    export::{self, BeginResult},
    store::Store,
};
use reqwest::StatusCode;

use super::make_archive;
use crate::support::{Person, Site, core::Core, crowd};

const NO_SPACE: &str = "The site has no space for archives now. Try again later.";

async fn state(store: &Store, person: UserId) -> Export {
    let export = store.export(person).await.expect("an answer");
    export.expect("an export")
}

/// Returns the bytes of all files below a directory.
fn bytes_in(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).expect("a directory");
    let bytes = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => bytes_in(&path),
            false => fs::metadata(path).expect("a file").len(),
        }
    });
    bytes.sum()
}

fn core_with(directory: &tempfile::TempDir, setting: &str, value: &str) -> Core {
    let path = directory.path().display().to_string();
    Core::with(&["--exports-dir", &path, setting, value])
}

#[tokio::test]
async fn a_site_without_space_refuses_an_archive_in_words() {
    for setting in [
        ["--exports-bytes", "4000"],
        ["--exports-free-bytes", "1099511627776"],
    ] {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().display().to_string();
        let site = Site::with(&[&["--exports-dir", &path], &setting[..]].concat()).await;
        let alice = Person::sign_up(&site, "alice").await;
        let page = alice.open("/settings/export").await;
        let answer = alice.submit(&page.form("/settings/export")).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.visible_text().contains(NO_SPACE), "{setting:?}");
        assert_eq!(bytes_in(directory.path()), 0);
    }
}

#[tokio::test]
async fn an_archive_that_grows_beyond_the_share_of_a_person_is_given_up_and_leaves_no_files() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().display().to_string();
    let site = Site::with(&["--exports-dir", &path, "--exports-bytes", "48000"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::posts(&site.store, uid, 300).await;
    make_archive(&site, &alice).await;
    assert_eq!(state(&site.store, uid).await.stage, ExportStage::NoSpace);
    let page = alice.open("/settings/export").await;
    assert!(page.visible_text().contains(NO_SPACE));
    assert_eq!(bytes_in(directory.path()), 0);
    // Another person with little text still gets an archive.
    let bob = Person::sign_up(&site, "bob").await;
    make_archive(&site, &bob).await;
    assert!(
        bob.open("/settings/export")
            .await
            .visible_text()
            .contains("is ready")
    );
}

#[tokio::test]
async fn the_archives_of_all_people_share_the_limit() {
    let directory = tempfile::tempdir().expect("a directory");
    let core = core_with(&directory, "--exports-bytes", "80000");
    let store = &core.store;
    let mut refused = 0;
    for number in 0..24 {
        let person = crowd::member(store, &format!("person{number}")).await;
        crowd::posts(store, person, 20).await;
        let begun = export::begin(store, person).await.expect("an answer");
        if begun == BeginResult::NoSpace {
            refused += 1;
            continue;
        }
        core.drain().await;
    }
    assert!(refused > 0 && refused < 24, "{refused}");
    let used = bytes_in(directory.path());
    assert!(used <= 80_000, "{used}");
    core.assert_sound().await;
}

#[tokio::test]
async fn the_parts_of_an_archive_are_compressed() {
    let directory = tempfile::tempdir().expect("a directory");
    let core = core_with(&directory, "--exports-free-bytes", "0");
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    crowd::posts(store, alice, 300).await;
    core.drain().await;
    export::begin(store, alice).await.expect("an answer");
    let token = state(store, alice).await.token;
    let mut most = 0;
    while export::run_pass(store, alice, &token)
        .await
        .expect("a pass")
        .is_some()
    {
        most = most.max(bytes_in(directory.path()));
    }
    let archive = export::archive_of(store, alice).await.expect("an answer");
    let size = fs::metadata(archive.expect("an archive"))
        .expect("a file")
        .len();
    assert!(most > 0 && most < 2 * size, "{most} bytes of parts, {size}");
}

#[tokio::test]
async fn a_new_archive_removes_the_one_before_at_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let core = core_with(&directory, "--exports-free-bytes", "0");
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    let bob = crowd::member(store, "bob").await;
    crowd::posts(store, alice, 10).await;
    for person in [bob, alice, alice] {
        export::begin(store, person).await.expect("an answer");
        let mut next = Some(state(store, person).await.token);
        while let Some(token) = next {
            let task = export::run_pass(store, person, &token).await;
            next = task.expect("a pass").map(|_| token);
        }
    }
    let files = fs::read_dir(directory.path()).expect("a directory").count();
    assert_eq!(files, 2, "one of each person");
    for person in [alice, bob] {
        let archive = export::archive_of(store, person).await.expect("an answer");
        assert!(archive.is_some());
    }
}
