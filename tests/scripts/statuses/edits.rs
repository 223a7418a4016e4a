//! Edits: only by the author, in time, and of existing statuses. Earlier versions are preserved.

use redwing::store::calls::{EditStatus, NarrowStatus};

use crate::scripts::{Bench, calls::DEADLINE, statuses::bury};

/// User 2 gives a status that was not edited yet this text, without a warning or tags.
pub fn edit(id: u64, message: &str) -> EditStatus {
    EditStatus {
        status: format!("status:{{{id}}}"),
        versions: format!("versions:{{{id}}}"),
        deadline_ms: DEADLINE,
        user_id: 2,
        edit_window_ms: 900_000,
        max_edits: 20,
        base_revision: 0,
        new_message: message.into(),
        new_warning: String::new(),
        beyond_base_bytes: -1000,
        new_readers: String::new(),
        waits: "",
        age_ms: 0,
        fields: vec![("tags", String::new())],
    }
}

/// User 2 shows a status that was not edited yet and has this text to fewer people.
pub fn narrow(id: u64, message: &str, new_readers: &str) -> NarrowStatus {
    NarrowStatus {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        user_id: 2,
        edit_window_ms: 900_000,
        base_revision: 0,
        message: message.into(),
        warning: String::new(),
        new_readers: new_readers.into(),
        fields: vec![("mentioned", String::new()), ("unmentioned", "3".into())],
    }
}

/// The same edit of status 5 with these tags and former tags.
fn retag(message: &str, tags: &str, untagged: &str) -> EditStatus {
    EditStatus {
        fields: vec![("tags", tags.into()), ("untagged", untagged.into())],
        ..edit(5, message)
    }
}

#[test]
fn a_text_that_waits_is_marked_with_its_revision() {
    let mut redis = status();
    assert_eq!(redis.call(&edit(5, "words")), "edited");
    assert_eq!(redis.run("HGET status:{5} waiting"), "nil");
    let waiting = EditStatus {
        base_revision: 1,
        waits: "1",
        ..edit(5, "https://a.example")
    };
    for _ in 0..2 {
        assert_eq!(redis.call(&waiting), "edited");
        assert_eq!(redis.run("HGET status:{5} waiting"), "2");
    }
}

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
    let first = EditStatus {
        new_warning: "Careful".into(),
        ..retag("#two", "two", "one")
    };
    assert_eq!(redis.call(&first), "edited");
    let fields = "HMGET status:{5} message warning tags untagged revision";
    assert_eq!(redis.run(fields), "[#two, Careful, two, one, 1]");
    let edited = redis.run("HGET status:{5} edited");
    redis.call(&EditStatus {
        base_revision: 1,
        ..retag("three", "", "one two")
    });
    assert_eq!(redis.run(fields), "[three, nil, nil, one two, 2]");
    let earlier = |redis: &mut Bench, at| {
        let text = redis.run(&format!("LINDEX versions:{{5}} {at}"));
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        ["message", "warning", "since"].map(|name| json[name].as_str().expect("text").to_owned())
    };
    assert_eq!(earlier(&mut redis, 0), ["#one", "", "9000000000000"]);
    assert_eq!(earlier(&mut redis, 1), ["#two", "Careful", edited.as_str()]);
}

/// Returns the time of a Redis, in seconds.
fn seconds(redis: &mut Bench) -> u64 {
    let time = redis.run("TIME");
    let seconds = time.trim_start_matches('[').split(',').next();
    seconds.and_then(|text| text.parse().ok()).expect("a time")
}

#[test]
fn an_edit_of_an_older_status_is_dated_back_but_not_before_that_status() {
    const DAY_MS: u64 = 86_400_000;
    let mut redis = status();
    let posted = (seconds(&mut redis) - 600) * 1000 - DAY_MS;
    redis.given(&format!("HSET status:{{5}} posted {posted}"));
    assert_eq!(redis.call(&retag("two", "", "one")), "too_late");
    let dated_back = EditStatus {
        age_ms: DAY_MS,
        ..retag("two", "", "one")
    };
    assert_eq!(redis.call(&dated_back), "edited");
    let edited: u64 = redis
        .run("HGET status:{5} edited")
        .parse()
        .expect("a number");
    assert!((600_000..900_000).contains(&(edited - posted)), "{edited}");
    let before_it = EditStatus {
        base_revision: 1,
        age_ms: 2 * DAY_MS,
        ..retag("three", "", "one")
    };
    assert_eq!(redis.call(&before_it), "edited");
    assert_eq!(redis.run("HGET status:{5} edited"), edited.to_string());
}

#[test]
fn the_same_text_again_gets_the_same_answer_and_changes_nothing() {
    let mut redis = status();
    let edit = retag("two", "", "one");
    redis.call(&edit);
    redis.given("HSET status:{5} posted 1");
    let before = redis.everything();
    assert_eq!(redis.call(&edit), "edited");
    assert_eq!(redis.everything(), before);
}

#[test]
fn an_edit_makes_a_status_visible_to_fewer_people_and_never_to_more() {
    let mut redis = status();
    for (revision, (new, stored)) in (0..).zip([
        ("", "nil"),
        ("members", "members"),
        ("", "members"),
        ("followers:2", "followers:2"),
        ("members", "followers:2"),
        ("", "followers:2"),
    ]) {
        let edit = EditStatus {
            base_revision: revision,
            new_readers: new.into(),
            ..edit(5, &format!("text {revision}"))
        };
        assert_eq!(redis.call(&edit), "edited");
        assert_eq!(redis.run("HGET status:{5} readers"), stored, "{new}");
    }
}

#[test]
fn the_same_text_is_shown_to_fewer_people_without_a_new_version() {
    let mut redis = status();
    redis.given("HSET status:{5} mentioned 3");
    for (new, stored) in [
        ("", "nil"),
        ("members", "members"),
        ("", "members"),
        ("followers:2", "followers:2"),
        ("members", "followers:2"),
    ] {
        assert_eq!(redis.call(&narrow(5, "#one", new)), "edited");
        assert_eq!(redis.run("HGET status:{5} readers"), stored, "{new}");
    }
    let fields = redis.run("HMGET status:{5} mentioned unmentioned revision edited");
    assert_eq!(fields, "[nil, 3, nil, nil]");
    assert_eq!(redis.run("EXISTS versions:{5}"), "0");
}

#[test]
fn a_status_is_not_narrowed_by_others_or_late_or_with_another_text() {
    for (scene, call, reply) in [
        (
            "HSET status:{5} uid 3",
            narrow(5, "#one", "members"),
            "not_yours",
        ),
        ("DEL status:{5}", narrow(5, "#one", "members"), "not_yours"),
        (
            "HSET status:{5} deleted 7",
            narrow(5, "#one", "members"),
            "not_yours",
        ),
        (
            "HSET status:{5} repost_of 4:1",
            narrow(5, "#one", "members"),
            "not_yours",
        ),
        (
            "HSET status:{5} posted 1",
            narrow(5, "#one", "members"),
            "too_late",
        ),
        (
            "HSET status:{5} revision 1",
            narrow(5, "#one", "members"),
            "outdated",
        ),
        ("PING", narrow(5, "#two", "members"), "other_text"),
        (
            "HSET status:{5} warning Careful",
            narrow(5, "#one", "members"),
            "other_text",
        ),
    ] {
        let mut redis = status();
        redis.given(scene);
        let before = redis.everything();
        assert_eq!(redis.call(&call), reply, "{scene}");
        assert_eq!(redis.everything(), before, "{scene}");
    }
}

#[test]
fn an_invalid_edit_is_refused_and_changes_nothing() {
    for (scene, user_id, base_revision, reply) in [
        ("PING", 1, 0, "not_yours"),
        ("DEL status:{5}", 2, 0, "not_yours"),
        ("HSET status:{5} deleted 7", 2, 0, "not_yours"),
        ("HSET status:{5} repost_of 4:1", 2, 0, "not_yours"),
        ("HSET status:{5} posted 1", 2, 0, "too_late"),
        ("HSET status:{5} revision 20", 2, 20, "too_often"),
        ("HSET status:{5} revision 1", 2, 0, "outdated"),
        ("PING", 2, 1, "outdated"),
    ] {
        let mut redis = status();
        redis.given(scene);
        let before = redis.everything();
        let edit = EditStatus {
            user_id,
            base_revision,
            ..edit(5, "other")
        };
        assert_eq!(redis.call(&edit), reply, "{scene} {edit:?}");
        assert_eq!(redis.everything(), before, "{scene} {edit:?}");
    }
}

#[test]
fn versions_are_deleted_with_the_status_and_former_tags_are_remembered() {
    let mut redis = status();
    redis.call(&retag("two", "", "one"));
    redis.call(&bury(5, 2));
    assert_eq!(redis.run("EXISTS versions:{5}"), "0");
    assert_eq!(
        redis.run("HMGET status:{5} message untagged edited"),
        "[nil, one, nil]"
    );
}

#[test]
fn the_counted_bytes_include_earlier_versions_the_poll_and_the_fields() {
    let mut redis = status();
    let edit = |revision: u64, message: &str, beyond_base_bytes: i64| EditStatus {
        base_revision: revision,
        beyond_base_bytes,
        ..retag(message, "four", "")
    };
    let bytes = |redis: &mut Bench, field: &str| -> usize {
        let bytes = redis.run(&format!("HGET status:{{5}} {field}"));
        bytes.parse().unwrap_or_default()
    };
    redis.call(&edit(0, "two", 1000));
    let first = redis.run("LINDEX versions:{5} 0").len() + 128;
    assert_eq!(bytes(&mut redis, "version_bytes"), first);
    assert_eq!(bytes(&mut redis, "extra_bytes"), 1000 + first + 4);
    redis.given("HSET status:{5} poll one-24");
    redis.call(&edit(1, "three", 10));
    let both = first + redis.run("LINDEX versions:{5} 1").len() + 128;
    assert_eq!(bytes(&mut redis, "extra_bytes"), 10 + both + 4 + 6);
    redis.call(&edit(2, "four", -100_000));
    assert_eq!(redis.run("HEXISTS status:{5} extra_bytes"), "0");
}
