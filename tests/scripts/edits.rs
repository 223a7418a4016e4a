//! Edits: only by the author, in time, and of existing statuses. Earlier versions are preserved.

use super::Bench;

const EDIT: &str = "edit_status status:{5} versions:{5} , DEADLINE";

/// Creates a status by bob that stays editable for long.
fn status() -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET status:{5} id 5 uid 2 login bob message #one posted 9000000000000 idempotency_key n5 tags one",
    );
    redis
}

#[test]
fn former_versions_are_stored_with_their_times() {
    let mut redis = status();
    let edit = |redis: &mut Bench, text: &str| redis.eval(&format!("{EDIT} {text}"));
    let first = edit(
        &mut redis,
        "2 900000 20 0 #two Careful tags two untagged one",
    );
    assert_eq!(first, "edited");
    let fields = "HMGET status:{5} message warning tags untagged revision";
    assert_eq!(redis.run(fields), "[#two, Careful, two, one, 1]");
    let edited = redis.run("HGET status:{5} edited");
    edit(
        &mut redis,
        "2 900000 20 1 three '' tags '' untagged 'one two'",
    );
    assert_eq!(redis.run(fields), "[three, nil, nil, one two, 2]");
    let earlier = |redis: &mut Bench, at| {
        let text = redis.run(&format!("LINDEX versions:{{5}} {at}"));
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        ["message", "warning", "since"].map(|name| json[name].as_str().expect("text").to_owned())
    };
    assert_eq!(earlier(&mut redis, 0), ["#one", "", "9000000000000"]);
    assert_eq!(earlier(&mut redis, 1), ["#two", "Careful", edited.as_str()]);
}

#[test]
fn the_same_text_again_gets_the_same_answer_and_changes_nothing() {
    let mut redis = status();
    let edit = format!("{EDIT} 2 900000 20 0 two '' tags '' untagged one");
    redis.eval(&edit);
    redis.given("HSET status:{5} posted 1");
    let before = redis.everything();
    assert_eq!(redis.eval(&edit), "edited");
    assert_eq!(redis.everything(), before);
}

#[test]
fn an_invalid_edit_is_refused_and_changes_nothing() {
    for (scene, arguments, answer) in [
        ("PING", "1 900000 20 0", "not_yours"),
        ("DEL status:{5}", "2 900000 20 0", "not_yours"),
        ("HSET status:{5} deleted 7", "2 900000 20 0", "not_yours"),
        (
            "HSET status:{5} repost_of 4:1",
            "2 900000 20 0",
            "not_yours",
        ),
        ("HSET status:{5} posted 1", "2 900000 20 0", "too_late"),
        ("HSET status:{5} revision 20", "2 900000 20 20", "too_often"),
        ("HSET status:{5} revision 1", "2 900000 20 0", "outdated"),
        ("PING", "2 900000 20 1", "outdated"),
    ] {
        let mut redis = status();
        redis.given(scene);
        let before = redis.everything();
        let edit = format!("{EDIT} {arguments} other '' tags ''");
        assert_eq!(redis.eval(&edit), answer, "{scene} {arguments}");
        assert_eq!(redis.everything(), before, "{scene} {arguments}");
    }
}

#[test]
fn versions_are_deleted_with_the_status_and_former_tags_are_remembered() {
    let mut redis = status();
    redis.eval(&format!("{EDIT} 2 900000 20 0 two '' tags '' untagged one"));
    redis.eval(
        "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 2 1000 60",
    );
    assert_eq!(redis.run("EXISTS versions:{5}"), "0");
    assert_eq!(
        redis.run("HMGET status:{5} message untagged edited"),
        "[nil, one, nil]"
    );
}
