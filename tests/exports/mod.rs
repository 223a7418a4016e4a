//! The archive of an account: made in passes, read back by other programs, and open to its person alone.

mod large;
mod messages;
mod other_program;
mod passes;
mod space;

use std::{fs, path::PathBuf, process::Command};

use redwing::domain::UserId;
use reqwest::StatusCode;
use serde_json::Value;

use crate::support::{Person, Site, crowd, request::Request};

/// Pages with the navigation of members.
const NAVIGATION: &str = "body.with-tabs";

/// A site with a directory for exports that ends with the test.
struct ExportSite {
    site: Site,
    directory: tempfile::TempDir,
}

impl ExportSite {
    async fn start() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().display().to_string();
        let site = Site::with(&["--exports-dir", &path]).await;
        Self { site, directory }
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.directory.path()).expect("a directory");
        entries
            .map(|entry| entry.expect("an entry").path())
            .collect()
    }
}

/// Presses the button and lets the tasks run.
async fn make_archive(site: &Site, person: &Person) {
    let form = person
        .open("/settings/export")
        .await
        .form("/settings/export");
    person.submit_accepted(&form).await;
    site.drain().await;
}

/// Downloads the archive and unpacks it with Python's module, which did not write it.
async fn unpack(person: &Person) -> tempfile::TempDir {
    let answer = Request::get(person, "/settings/export/archive.zip")
        .send_bytes()
        .await;
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("archive.zip");
    fs::write(&file, answer).expect("written");
    let script = "import sys, zipfile; a = zipfile.ZipFile(sys.argv[1]); assert a.testzip() is None; a.extractall(sys.argv[2])";
    let unpacked = Command::new("python3")
        .args(["-c", script])
        .arg(&file)
        .arg(directory.path())
        .output()
        .expect("python3 runs");
    assert!(
        unpacked.status.success(),
        "{}",
        String::from_utf8_lossy(&unpacked.stderr)
    );
    directory
}

fn read(directory: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn document(directory: &tempfile::TempDir, name: &str) -> Value {
    serde_json::from_str(&read(directory, name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "it reads each file of one archive")]
async fn the_archive_has_everything_in_the_form_of_mastodons() {
    let ExportSite {
        site,
        directory: _directory,
    } = ExportSite::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    Person::sign_up(&site, "carol").await;
    alice.follow("bob").await;
    let first = alice
        .post("first <b>post</b> #birds @bob\nhttps://a.example/?x=1&y=2")
        .await;
    let theirs = bob.post("of bob").await;
    let reply = alice.reply(theirs, "an answer").await;
    alice.press("/@bob", "repost", theirs).await;
    alice.press("/@bob", "favourite", theirs).await;
    alice.press("/@bob", "bookmark", theirs).await;
    let uid = crowd::uid(&site.store, "alice").await;
    let (bobs, carols) = (
        crowd::uid(&site.store, "bob").await,
        crowd::uid(&site.store, "carol").await,
    );
    crowd::list(&site.store, uid, &[bobs, carols]).await;
    alice.press("/@alice", "pin", first).await;
    let group = crate::groups::make(&bob, "birds", &[]).await;
    crate::groups::join(&alice, &group).await;
    make_archive(&site, &alice).await;
    let unpacked = unpack(&alice).await;

    let actor = document(&unpacked, "actor.json");
    let pinned = &actor["featured"]["orderedItems"];
    assert_eq!(pinned[0], format!("http://127.0.0.1:8080/@alice/{first}"));
    assert_eq!(actor["type"], "Person");
    assert_eq!(actor["preferredUsername"], "alice");
    let outbox = document(&unpacked, "outbox.json");
    assert_eq!(outbox["type"], "OrderedCollection");
    assert_eq!(outbox["totalItems"], 3);
    let items = outbox["orderedItems"].as_array().expect("items");
    assert_eq!(items.len(), 3);
    let base = "http://127.0.0.1:8080";
    let note = &items[0]["object"];
    assert_eq!(items[0]["type"], "Create");
    assert_eq!(note["id"], format!("{base}/@alice/{first}"));
    assert_eq!(
        note["content"],
        format!(
            "<p>first &#60;b&#62;post&#60;/b&#62; <a class=\"mention hashtag\" rel=\"tag\" href=\"{base}/tags/birds\">#birds</a> \
             <a class=\"mention\" href=\"{base}/@bob\">@bob</a><br><a href=\"https://a.example/?x=1&#38;y=2\" \
             rel=\"nofollow noopener\">https://a.example/?x=1&#38;y=2</a></p>"
        )
    );
    let names: Vec<&str> = note["tag"]
        .as_array()
        .expect("tags")
        .iter()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    assert_eq!(names, ["#birds", "@bob"]);
    assert_eq!(items[1]["object"]["id"], format!("{base}/@alice/{reply}"));
    assert_eq!(
        items[1]["object"]["inReplyTo"],
        format!("{base}/@bob/{theirs}")
    );
    assert_eq!(items[2]["type"], "Announce");
    assert_eq!(items[2]["object"], format!("{base}/@bob/{theirs}"));

    let address = format!("{base}/@bob/{theirs}");
    for name in ["likes.json", "bookmarks.json"] {
        let collection = document(&unpacked, name);
        assert_eq!(collection["type"], "OrderedCollection", "{name}");
        assert_eq!(
            collection["orderedItems"],
            serde_json::json!([address]),
            "{name}"
        );
    }
    assert_eq!(read(&unpacked, "bookmarks.csv"), format!("{address}\n"));
    let following = read(&unpacked, "following_accounts.csv");
    assert_eq!(
        following,
        "Account address,Show boosts,Notify on new posts,Languages\nbob@127.0.0.1:8080,true,false,\n"
    );
    let lists = read(&unpacked, "lists.csv");
    assert_eq!(lists.lines().count(), 2, "{lists}");
    assert!(lists.contains(",bob@127.0.0.1:8080\n") && lists.contains(",carol@127.0.0.1:8080\n"));
    assert_eq!(
        read(&unpacked, "groups.csv"),
        "http://127.0.0.1:8080/groups/birds,The birds,member\n"
    );
    assert_eq!(read(&unpacked, "blocked_accounts.csv"), "");
    assert_eq!(
        read(&unpacked, "muted_accounts.csv"),
        "Account address,Hide notifications\n"
    );

    let index = scraper::Html::parse_document(&read(&unpacked, "index.html"));
    let articles = scraper::Selector::parse("article").expect("a selector");
    let texts: Vec<String> = index
        .select(&articles)
        .map(|one| one.text().collect())
        .collect();
    assert_eq!(texts.len(), 3);
    assert!(
        texts[2].contains("first <b>post</b> #birds @bob"),
        "the newest is first"
    );
    let outside = scraper::Selector::parse("script, link, img, iframe").expect("a selector");
    assert_eq!(
        index.select(&outside).count(),
        0,
        "it reads without the site"
    );

    // The files of people can be imported again.
    let dora = Person::sign_up(&site, "dora").await;
    let form = dora.open("/settings/files").await.form("/settings/files");
    let form = form.set("file", "following").set("lines", &following);
    let imported = dora.submit(&form).await;
    assert_eq!(imported.status, StatusCode::OK, "{}", imported.html);
    assert!(
        dora.open("/@bob")
            .await
            .has("form[action=\"/@bob/unfollow\"]")
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn an_archive_is_of_its_person_alone_and_one_is_made_at_a_time() {
    let export = ExportSite::start().await;
    let site = &export.site;
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.post("of alice").await;
    let path = "/settings/export/archive.zip";
    assert_eq!(alice.get(path).await.status, StatusCode::NOT_FOUND);
    let form = alice
        .open("/settings/export")
        .await
        .form("/settings/export");
    alice.submit_accepted(&form).await;
    alice.submit_accepted(&form).await;
    let page = alice.open("/settings/export").await;
    assert!(page.has("progress") && page.find_form("/settings/export").is_none());
    assert_eq!(page.header("refresh"), Some("5"));
    site.drain().await;
    assert_eq!(export.files().len(), 1, "{:?}", export.files());

    let page = alice.open("/settings/export").await;
    assert_eq!(page.attributes("a[download]", "href"), [path]);
    assert_eq!(page.header("refresh"), None);
    let answer = alice.get(path).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("content-type"), Some("application/zip"));
    let disposition = answer.header("content-disposition");
    assert_eq!(
        disposition,
        Some("attachment; filename=\"redwing-alice.zip\"")
    );
    assert!(
        answer
            .header("cache-control")
            .is_some_and(|text| text.contains("no-store"))
    );
    assert_eq!(bob.get(path).await.status, StatusCode::NOT_FOUND);
    let visitor = Person::visitor(site).get(path).await;
    assert!(
        visitor.location().starts_with("/login"),
        "{}",
        visitor.location()
    );

    // A new archive replaces the one before.
    let form = page.form("/settings/export");
    alice.submit_accepted(&form).await;
    site.drain().await;
    assert_eq!(export.files().len(), 1);
    assert_eq!(alice.get(path).await.status, StatusCode::OK);
    site.assert_sound().await;
}

#[tokio::test]
async fn archives_are_limited_and_go_after_their_time_and_with_the_account() {
    let export = ExportSite::start().await;
    let site = &export.site;
    let alice = Person::sign_up(site, "alice").await;
    let uid: UserId = crowd::uid(&site.store, "alice").await;
    let mut refused = 0;
    for _ in 0..8 {
        let form = alice
            .open("/settings/export")
            .await
            .form("/settings/export");
        let answer = alice.submit(&form).await;
        refused += usize::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
        site.drain().await;
    }
    assert_eq!(refused, 2, "six archives in an hour");
    redwing::export::remove_old_files(&site.store)
        .await
        .expect("an answer");
    assert_eq!(export.files().len(), 1);
    // After its time Redis forgets the export.
    let key = format!("export:{{{uid}}}");
    site.redis.command(&["DEL", &key]);
    assert_eq!(
        alice.get("/settings/export/archive.zip").await.status,
        StatusCode::NOT_FOUND
    );
    redwing::export::remove_old_files(&site.store)
        .await
        .expect("an answer");
    assert_eq!(export.files().len(), 0);

    let bob = Person::sign_up(site, "bob").await;
    make_archive(site, &bob).await;
    assert_eq!(export.files().len(), 1);
    let uid = crowd::uid(&site.store, "bob").await;
    let deleted = redwing::actions::account_states::delete(&site.store, uid).await;
    deleted.expect("an answer");
    site.drain().await;
    redwing::export::remove_old_files(&site.store)
        .await
        .expect("an answer");
    assert_eq!(export.files().len(), 0, "it goes with the account");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_warning_of_the_moderators_is_no_text_of_the_person() {
    let export = ExportSite::start().await;
    let site = &export.site;
    let alice = Person::sign_up(site, "alice").await;
    let id = alice.post("of alice").await.to_string();
    let warning = ["add-warning", &id, "Spiders", "--reason", "Big ones."];
    crate::administration::output_of(site, &warning);
    make_archive(site, &alice).await;
    let unpacked = unpack(&alice).await;
    let index = read(&unpacked, "index.html");
    assert!(index.contains("of alice"), "{index}");
    assert!(!index.contains("Spiders"), "{index}");
    let outbox = document(&unpacked, "outbox.json");
    let note = &outbox["orderedItems"][0]["object"];
    assert!(note["summary"].is_null(), "{note}");
}

#[tokio::test]
async fn a_suspended_frozen_or_deactivated_person_downloads_the_account() {
    let export = ExportSite::start().await;
    let site = &export.site;
    let alice = Person::sign_up(site, "alice").await;
    alice.post("of alice").await;
    let uid: UserId = crowd::uid(&site.store, "alice").await;
    crowd::set_suspended(&site.store, uid, true).await;
    let alice = Person::log_in(site, "alice").await;
    let links = alice.open("/account").await.attributes("main a", "href");
    assert!(links.contains(&"/settings/export".to_owned()), "{links:?}");
    make_archive(site, &alice).await;
    let outbox = document(&unpack(&alice).await, "outbox.json");
    assert_eq!(outbox["totalItems"], 1);
    let above = alice.open("/settings/export").await;
    assert_eq!(above.attributes(".breadcrumb a", "href"), ["/account"]);
    assert!(!above.has(NAVIGATION), "no other page is open");

    crowd::set_suspended(&site.store, uid, false).await;
    let reason = ["--days", "3", "--reason", "Spam."];
    let freeze = [&["freeze", "alice"], &reason[..]].concat();
    crate::administration::output_of(site, &freeze);
    assert!(alice.open("/settings/export").await.has(NAVIGATION));
    make_archive(site, &alice).await;
    assert_eq!(
        document(&unpack(&alice).await, "outbox.json")["totalItems"],
        1
    );
    crate::administration::output_of(site, &["lift", "alice", "freeze"]);

    let leave = "/settings/leave";
    let form = alice.open(leave).await.form(leave);
    let form = form.set("current_password", crate::support::PASSWORD);
    alice.submit_accepted(&form).await;
    let alice = Person::log_in(site, "alice").await;
    assert_eq!(alice.get("/").await.location(), "/account");
    make_archive(site, &alice).await;
    assert_eq!(
        document(&unpack(&alice).await, "outbox.json")["totalItems"],
        1
    );
    // Nothing else is open.
    assert_eq!(alice.get("/settings").await.location(), "/account");
}
