//! The command: its exit codes, its table and its JSON document.

use std::process::Output;

use redwing::store::DATA_VERSION;
use serde_json::Value;

use super::scene::Scene;
use crate::{
    scripts::Bench,
    support::{core::Core, crowd, pool::Redis, process::Home, redis::RedisServer},
};

fn run(scene: &Scene, arguments: &[&str]) -> Output {
    run_on(&scene.core, arguments)
}

fn run_on(core: &Core, arguments: &[&str]) -> Output {
    let url = core.redis.url();
    let arguments = [&["check", "--redis-url", &url], arguments].concat();
    Home::new().run(&arguments)
}

fn output_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

#[tokio::test]
async fn it_exits_with_0_without_faults_with_1_on_faults_and_with_0_after_a_repair() {
    let scene = Scene::set(&[]).await;
    let well = run(&scene, &[]);
    assert!(well.status.success(), "{}", output_text(&well));
    assert!(
        output_text(&well).ends_with("No faults.\n"),
        "{}",
        output_text(&well)
    );
    assert!(well.stderr.is_empty(), "no progress bar without a terminal");

    scene.damage("DEL profile:{BOB}");
    let broken = run(&scene, &[]);
    assert_eq!(broken.status.code(), Some(1), "{}", output_text(&broken));
    assert!(output_text(&broken).ends_with("There are faults.\n"));

    let repaired = run(&scene, &["--repair"]);
    assert!(repaired.status.success(), "{}", output_text(&repaired));
    let words = scene.filled("Repaired: reconciled all copies of #LIVING.");
    assert!(
        output_text(&repaired).contains(&words),
        "{}",
        output_text(&repaired)
    );
    assert!(output_text(&repaired).ends_with("All faults are repaired.\n"));
    assert!(run(&scene, &[]).status.success());
}

#[tokio::test]
async fn a_repair_exits_with_1_if_faults_remain() {
    let scene = Scene::set(&[]).await;
    scene.damage("HDEL auth:{BOB} hash");
    let repair = run(&scene, &["--repair"]);
    assert_eq!(repair.status.code(), Some(1), "{}", output_text(&repair));
}

#[tokio::test]
async fn the_document_has_the_numbers_of_the_table() {
    let scene = Scene::set(&[]).await;
    scene.damage("HSET user:{BOB} posts 99 followers 99\nDEL home:{ALICE}");
    let table = output_text(&run(&scene, &[]));
    let output = run(&scene, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let document = document(&output);
    assert_eq!(document["clean"], false);
    let rows = document["invariants"].as_array().expect("a list");
    assert_eq!(rows.len(), 51);
    for row in rows {
        let claim = row["claim"].as_str().expect("a text");
        let line = table.lines().find(|line| line.contains(claim));
        let numbers: Vec<u64> = line
            .unwrap_or_else(|| panic!("{claim}: {table}"))
            .split_whitespace()
            .map_while(|word| word.parse().ok())
            .collect();
        let expected = ["examined", "wrong", "repaired"].map(|column| row[column].as_u64());
        assert_eq!(
            numbers.iter().copied().map(Some).collect::<Vec<_>>(),
            expected
        );
        for example in row["examples"].as_array().expect("a list") {
            assert!(table.contains(example.as_str().expect("a text")), "{table}");
        }
    }
}

#[tokio::test]
async fn one_person_is_checked_and_repaired_alone() {
    let scene = Scene::set(&[]).await;
    scene.damage("HSET user:{ALICE} posts 99\nHSET user:{BOB} posts 99");
    let carol = run(&scene, &["--user", "carol"]);
    assert!(carol.status.success(), "{}", output_text(&carol));
    let bob = run(&scene, &["--user", "@Bob", "--json"]);
    assert_eq!(bob.status.code(), Some(1));
    let rows = document(&bob)["invariants"].clone();
    let counts = rows.as_array().expect("a list").iter();
    let wrong: u64 = counts.filter_map(|row| row["wrong"].as_u64()).sum();
    assert_eq!(wrong, 1);

    assert!(run(&scene, &["--user", "bob", "--repair"]).status.success());
    assert!(run(&scene, &["--user", "bob"]).status.success());
    assert_eq!(run(&scene, &["--user", "alice"]).status.code(), Some(1));
}

#[tokio::test]
async fn an_unknown_person_is_named() {
    let scene = Scene::set(&[]).await;
    let output = run(&scene, &["--user", "nobody"]);
    assert!(!output.status.success());
    let output_text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output_text.contains("no one has the login nobody"),
        "{output_text}"
    );
}

#[tokio::test]
async fn a_person_without_a_login_is_named_by_id() {
    let scene = Scene::set(&[]).await;
    scene.damage("DEL login:{bob}");
    let bob = scene.bob.to_string();
    assert!(!run(&scene, &["--user", "bob"]).status.success());
    let broken = run(&scene, &["--user", &bob]);
    assert_eq!(broken.status.code(), Some(1), "{}", output_text(&broken));
    let repaired = run(&scene, &["--user", &bob, "--repair"]);
    assert!(repaired.status.success(), "{}", output_text(&repaired));
    assert!(run(&scene, &["--user", "bob"]).status.success());
    assert!(!run(&scene, &["--user", "987654"]).status.success());
}

#[tokio::test]
async fn orphans_are_dropped_only_on_request() {
    let scene = Scene::set(&[]).await;
    scene.damage("SET login:{ghost} 999");
    let repair = run(&scene, &["--repair"]);
    assert_eq!(repair.status.code(), Some(1), "{}", output_text(&repair));
    assert!(output_text(&repair).contains("--repair --drop-orphans"));
    let document = document(&run(&scene, &["--json"]));
    assert_eq!(
        (&document["orphans"], &document["complete"]),
        (&1.into(), &true.into())
    );
    assert!(!run(&scene, &["--drop-orphans"]).status.success());
    let dropped = run(&scene, &["--repair", "--drop-orphans"]);
    assert!(dropped.status.success(), "{}", output_text(&dropped));
}

/// Starts a site with a person, whose Redis holds back all answers for some time.
async fn slow_site(ms: u32) -> Core {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let prepared = core.store.prepare_data(DATA_VERSION).await;
    prepared.expect("an empty database");
    crowd::member(&core.store, "alice").await;
    core.drain().await;
    let pause = format!("CLIENT PAUSE {ms} ALL");
    assert_eq!(Bench::on(core.redis.one_node()).run(&pause), "OK");
    core
}

#[tokio::test]
async fn it_waits_longer_for_a_slow_redis_than_a_page_does() {
    let core = slow_site(4000).await;
    let short_timeouts = ["--redis-response-ms", "300", "--redis-connect-ms", "300"];
    let output = run_on(&core, &short_timeouts);
    assert!(output.status.success(), "{output:?}");
}

#[tokio::test]
async fn a_redis_that_does_not_answer_is_a_failure_with_advice() {
    let core = slow_site(60_000).await;
    let output = run_on(
        &core,
        &[
            "--redis-response-ms",
            "300",
            "--redis-connect-ms",
            "300",
            "--write-deadline-ms",
            "300",
            "--task-claim-ms",
            "1000",
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr);
    let advice =
        "The check waits 0.3 s for each answer. Run it again when the machine is less busy";
    assert!(text.contains(advice), "{text}");
}
