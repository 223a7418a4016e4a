//! Export and import of followed, blocked and muted people as CSV.

use redwing::{
    actions::{follows, mutes},
    domain::{HomeFilter, MuteTerm, PeopleFile},
    store::{Key, Store},
};
use reqwest::StatusCode;

use crate::{
    blocks::set_block,
    support::{
        Page, Person, Site, crowd, pool::Redis, redis::RedisServer, redis_counters::Counters,
    },
};

const PAGE: &str = "/settings/files";

/// Imports a file and returns the page with the report.
pub async fn import(person: &Person, file: &str, lines: &str) -> Page {
    let form = person.open(PAGE).await.form(PAGE);
    let page = person
        .submit(&form.set("file", file).set("lines", lines))
        .await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.visible_text());
    page
}

/// Returns account and result of each line of a report.
fn report(page: &Page) -> Vec<String> {
    let names = page.texts(".report .name").into_iter();
    let lines = names.zip(page.texts(".report .meta"));
    lines
        .map(|(name, words)| format!("{name} | {words}"))
        .collect()
}

async fn export(person: &Person, file: PeopleFile) -> String {
    let page = person.open(&format!("{PAGE}/{}", file.file_name())).await;
    let disposition = page.header("content-disposition").expect("a file");
    assert_eq!(
        disposition,
        format!("attachment; filename=\"{}\"", file.file_name())
    );
    assert_eq!(page.header("content-type"), Some("text/csv; charset=utf-8"));
    page.html
}

fn host(person: &Person) -> String {
    let host = person.origin().split_once("://").expect("an origin").1;
    host.to_owned()
}

async fn size(store: &Store, key: Key) -> u64 {
    store.cardinality(&key).await.expect("an answer")
}

#[tokio::test]
async fn an_export_has_mastodons_form_and_an_import_of_it_restores_all_people() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let me = crowd::uid(store, "alice").await;
    let others = crowd::people(store, "person", 6).await;
    for person in &others[..2] {
        crowd::follow(store, me, *person).await;
    }
    let hidden = follows::change_filter(
        store,
        me,
        others[1],
        follows::FilterChange::Set(HomeFilter::HiddenReposts),
    )
    .await;
    hidden.expect("an answer");
    set_block(store, me, others[2]).await;
    let muted = mutes::mute(store, me, others[3], MuteTerm::Forever).await;
    muted.expect("an answer");
    let host = host(&alice);
    let files = [
        (
            PeopleFile::Following,
            format!(
                "Account address,Show boosts,Notify on new posts,Languages\n\
                 person_0@{host},true,false,\nperson_1@{host},false,false,\n"
            ),
        ),
        (PeopleFile::Blocked, format!("person_2@{host}\n")),
        (
            PeopleFile::Muted,
            format!("Account address,Hide notifications\nperson_3@{host},true\n"),
        ),
    ];
    for (file, expected) in &files {
        assert_eq!(export(&alice, *file).await, *expected);
    }
    let bob = Person::sign_up(&site, "bob").await;
    for _ in 0..2 {
        for (file, lines) in &files {
            import(&bob, file.as_str(), lines).await;
        }
        for (file, expected) in &files {
            assert_eq!(export(&bob, *file).await, *expected);
        }
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_import_reports_each_line() {
    let site = Site::with(&["--max-following", "3"]).await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let me = crowd::uid(store, "alice").await;
    for login in ["bob", "carol", "dave", "eve", "mallory"] {
        crowd::member(store, login).await;
    }
    crowd::follow(store, me, crowd::uid(store, "bob").await).await;
    crowd::set_private(store, crowd::uid(store, "carol").await, true).await;
    set_block(store, crowd::uid(store, "mallory").await, me).await;
    let host = host(&alice);
    let lines = format!(
        "Account address,Show boosts\n@bob\ncarol@{host},true\nCAROL\n\ndave\nalice\nnobody_here\n\
         mallory\nzoe@mastodon.example,true\n<b>no address</b>\n"
    );
    let page = import(&alice, "following", &lines).await;
    assert_eq!(
        report(&page),
        [
            "@bob | Line 2: You follow them already".to_owned(),
            format!("carol@{host} | Line 3: Asked to follow"),
            "CAROL | Line 4: You follow them already".to_owned(),
            "dave | Line 6: Followed".to_owned(),
            "alice | Line 7: Refused: this is you".to_owned(),
            "nobody_here | Line 8: Refused: no one here has this login".to_owned(),
            "mallory | Line 9: Refused: no one here has this login".to_owned(),
            "zoe@mastodon.example | Line 10: Refused: this account is on another site".to_owned(),
            "<b>no address</b> | Line 11: Refused: this is no address".to_owned(),
        ]
    );
    let summary = page.text("main [role=status]");
    assert_eq!(summary, "2 done, 2 already there, 5 refused.");
    crowd::member(store, "frank").await;
    let page = import(&alice, "following", "eve\nfrank\nbob\n").await;
    assert_eq!(
        report(&page),
        [
            "eve | Line 1: Followed",
            "frank | Line 2: Refused: you have reached the limit of followed people",
            "bob | Line 3: You follow them already",
        ]
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_long_file_is_imported_in_parts() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let me = crowd::uid(store, "alice").await;
    let count = PeopleFile::LINES_PER_PART + 5;
    crowd::people(store, "person", count).await;
    let lines: Vec<String> = (0..count)
        .map(|number| format!("person_{number}"))
        .collect();
    let page = import(&alice, "muted", &lines.join("\r\n")).await;
    assert_eq!(size(store, Key::Muted(me)).await, 100);
    assert!(
        page.text("main [role=status]")
            .contains("Press Import again")
    );
    let form = page.form(PAGE);
    assert_eq!(form.value("file"), "muted");
    let page = alice.submit(&form).await;
    assert_eq!(report(&page).len(), 5);
    assert_eq!(page.form(PAGE).value("lines"), "");
    assert_eq!(size(store, Key::Muted(me)).await, count as u64);
}

#[tokio::test]
async fn an_empty_file_is_refused_and_imports_are_limited() {
    let site = Site::with(&["--follows-per-hour", "25"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open(PAGE).await.form(PAGE);
    let refused = alice.submit(&form.clone().set("lines", " \n\n")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        refused.text("#lines-error"),
        "Paste the content of the file first."
    );
    import(&alice, "blocked", "nobody_here").await;
    let refused = alice.submit(&form.set("lines", "somebody_else")).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.form(PAGE).value("lines"), "somebody_else");
    let visitor = Person::visitor(&site);
    for path in [PAGE, "/settings/files/blocked_accounts.csv"] {
        let page = visitor.get(path).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER);
        assert!(page.location().starts_with("/login"), "{path}");
    }
}

#[tokio::test]
async fn a_file_of_followed_people_does_not_merge_each_of_them_into_the_home() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let others = crowd::people(store, "person", 10).await;
    for author in &others {
        crowd::posts(store, *author, 60).await;
    }
    site.drain().await;
    alice.open("/").await;
    let lines: Vec<String> = (0..10).map(|number| format!("person_{number}")).collect();
    let before = Counters::of(site.redis.one_node());
    import(&alice, "following", &lines.join("\n")).await;
    let commands = before.spent_on(site.redis.one_node()).commands;
    assert!(commands < 10 * 80, "{commands}");
    // The next visit shows all of them.
    let newest = crowd::post(store, others[3], "the newest of all").await;
    let home = alice.home_ids().await;
    assert_eq!(home.first(), Some(&newest.get()));
    assert_eq!(home.len(), 601);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_import_of_mutes_reads_the_note_of_the_clock_once() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    crowd::people(&site.store, "person", 10).await;
    let lines: Vec<String> = (0..10).map(|number| format!("person_{number}")).collect();
    let redis = site.redis.one_node();
    redis.command(&["CONFIG", "SET", "slowlog-max-len", "100000"]);
    redis.command(&["CONFIG", "SET", "slowlog-log-slower-than", "0"]);
    let page = import(&alice, "muted", &lines.join("\n")).await;
    let commands = redis.ask(&["SLOWLOG", "GET", "-1"]);
    assert_eq!(report(&page).len(), 10);
    let me = crowd::uid(&site.store, "alice").await;
    assert_eq!(size(&site.store, Key::Muted(me)).await, 10);
    let reads = commands.matches("HMGET\r\n$6\r\nclock:\r\n").count();
    assert_eq!(reads, 1, "{commands}");
}
