//! The archive read back by a program that shares no code with Redwing, and the CSV files of Mastodon.

use std::{fs, process::Command};

use redwing::{
    actions::mutes,
    domain::{ListNumber, MuteTerm},
};
use serde_json::{Value, json};

use super::{ExportSite, crowd, make_archive};
use crate::{
    blocks::set_block,
    groups::{found_form, join},
    people_files::import,
    support::{Person, request::Request},
};

/// Returns what the other program reads in the archive of a person.
async fn read_by_other_program(person: &Person) -> Value {
    let archive = Request::get(person, "/settings/export/archive.zip");
    let archive = archive.send_bytes().await;
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("archive.zip");
    fs::write(&file, archive).expect("written");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exports/read_archive.py");
    let read = Command::new("python3").arg(script).arg(&file).output();
    let read = read.expect("python3 runs");
    let errors = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success(), "{errors}");
    serde_json::from_slice(&read.stdout).expect("one JSON document")
}

/// Texts that a wrong writer of CSV, JSON or HTML breaks.
const TEXTS: [&str; 4] = [
    "=1+1, \"quoted\", 'single' & <b>bold</b> &amp; </p>",
    "two\nlines \\n \\u2028 🐦 שלום",
    "]]> <!-- no comment --> <script>alert(1)</script>",
    "#birds @bob https://a.example/?x=1&y=\"2\"",
];
const NAME: &str = "=A1, \"the\" birds;";

#[tokio::test]
async fn another_program_reads_exactly_what_was_written() {
    let export = ExportSite::start().await;
    let (site, store) = (&export.site, &export.site.store);
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    let [me, bobs] = [
        crowd::uid(store, "alice").await,
        crowd::uid(store, "bob").await,
    ];
    let others = crowd::people(store, "person", 3).await;
    for text in TEXTS {
        alice.post(text).await;
    }
    alice.follow("bob").await;
    set_block(store, me, others[0]).await;
    let muted = mutes::mute(store, me, others[1], MuteTerm::Forever).await;
    muted.expect("an answer");
    let list = crowd::list(store, me, &[bobs, others[2]]).await;
    let edit = format!("/lists/{}/edit", ListNumber::get(list.number));
    let form = alice.open(&edit).await.form(&edit);
    alice.submit_accepted(&form.set("name", NAME)).await;
    let theirs = bob.post("of bob").await;
    for kept in ["favourite", "bookmark", "repost"] {
        alice.press("/@bob", kept, theirs).await;
    }
    let form = found_form(&bob, "birds", &[]).await.set("name", NAME);
    let group = bob.submit_accepted(&form).await.location().to_owned();
    join(&alice, &group).await;
    make_archive(site, &alice).await;

    let read = read_by_other_program(&alice).await;
    let base = "http://127.0.0.1:8080";
    let address = format!("{base}/@bob/{theirs}");
    let at_host = |login: &str| format!("{login}@127.0.0.1:8080");
    assert_eq!(read["login"], "alice");
    assert_eq!(read["texts"], json!(TEXTS));
    assert_eq!(read["likes"], json!([address]));
    assert_eq!(read["bookmarks"], json!([address]));
    assert_eq!(
        read["groups"],
        json!([[format!("{base}{group}"), NAME, "member"]])
    );
    let tables = &read["tables"];
    assert_eq!(
        tables["following_accounts.csv"],
        json!([{
            "Account address": at_host("bob"),
            "Show boosts": "true",
            "Notify on new posts": "false",
            "Languages": "",
        }])
    );
    assert_eq!(
        tables["muted_accounts.csv"],
        json!([{"Account address": at_host("person_1"), "Hide notifications": "true"}])
    );
    assert_eq!(
        tables["blocked_accounts.csv"],
        json!([{"Account address": at_host("person_0")}])
    );
    assert_eq!(tables["bookmarks.csv"], json!([{"#uri": address}]));
    let mut listed: Vec<String> = tables["lists.csv"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            assert_eq!(row["List name"], NAME);
            row["Account address"].as_str().expect("a text").to_owned()
        })
        .collect();
    listed.sort();
    assert_eq!(listed, [at_host("bob"), at_host("person_2")]);
    site.assert_sound().await;
}

/// The examples have the columns of Mastodon's documentation: with and without optional columns, quoted cells, several
/// languages, a header and none.
#[tokio::test]
async fn files_in_the_shapes_of_mastodon_are_imported() {
    let export = ExportSite::start().await;
    let site = &export.site;
    let alice = Person::sign_up(site, "alice").await;
    crowd::people(&site.store, "person", 9).await;
    let host = alice.origin().split_once("://").expect("an origin").1;
    let at = |number: usize| format!("person_{number}@{host}");
    let following = format!(
        "Account address,Show boosts,Notify on new posts,Languages\n\
         {},true,false,\n\"{}\",false,true,\"en, de\"\r\n{},true,false,fr\n",
        at(0),
        at(1),
        at(2)
    );
    import(&alice, "following", &following).await;
    import(&alice, "following", &format!("{}\n", at(3))).await;
    let older = format!("Account address,Show boosts\n{},true\n", at(4));
    import(&alice, "following", &older).await;
    import(&alice, "blocked", &format!("{}\n\"{}\"\n", at(5), at(6))).await;
    let muted = format!(
        "Account address,Hide notifications\n{},true\n{},false\n",
        at(7),
        at(8)
    );
    import(&alice, "muted", &muted).await;
    make_archive(site, &alice).await;

    let read = read_by_other_program(&alice).await;
    let names = |name: &str| {
        let rows = read["tables"][name].as_array().expect("rows").iter();
        let addresses = rows.map(|row| row["Account address"].as_str().expect("a text"));
        let mut logins: Vec<&str> = addresses
            .map(|address| address.split_once('@').expect("an address").0)
            .collect();
        logins.sort_unstable();
        logins.join(" ")
    };
    let followed = "person_0 person_1 person_2 person_3 person_4";
    assert_eq!(names("following_accounts.csv"), followed);
    assert_eq!(names("blocked_accounts.csv"), "person_5 person_6");
    assert_eq!(names("muted_accounts.csv"), "person_7 person_8");
    let rows = read["tables"]["following_accounts.csv"].as_array();
    let hidden = rows
        .expect("rows")
        .iter()
        .filter(|row| row["Show boosts"] == "false");
    assert_eq!(hidden.count(), 1, "the reposts of person_1 are hidden");
}
