//! A change that is based on a stored value writes nothing if another device changed the value meanwhile.

use redwing::store::calls::{EditGroup, EditList, EditUser, ScriptCall, SetReplyControl};

use super::{
    Bench, groups::edit_group, lists::edit_list, people::edit_user, statuses::set_control,
};

/// Runs two changes to the same values. `stale` is based on another value than the stored one, and `known` on that one.
/// `done` has the word of a change and the values that it stores.
fn check<'a, C>(redis: &mut Bench, [stale, known]: [&'a C; 2], stored: &str, done: [&str; 2])
where
    ScriptCall: From<&'a C>,
{
    let [word, value] = done;
    let before = redis.everything();
    assert_eq!(redis.call(stale), "conflict");
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.call(known), word);
    assert_eq!(redis.run(stored), value);
    // The value is stored already, by an earlier try of each call.
    for again in [known, stale] {
        assert_eq!(redis.call(again), word);
        assert_eq!(redis.run(stored), value);
    }
}

#[test]
fn a_name_or_a_bio_that_was_changed_meanwhile_is_not_overwritten() {
    let mut redis = Bench::start();
    let stored = "HMGET user:{7} name bio";
    let edit = |changes, expected_name: &str, expected_bio: &str| EditUser {
        changes,
        expected_name: expected_name.into(),
        expected_bio: expected_bio.into(),
        ..edit_user(7, "Al", "I sail.")
    };
    for (changes, expected, value) in [
        ("name", [["=Bo", ""], ["=Cy", ""]], "[Al, nil]"),
        ("bio", [["", "=I row."], ["", "="]], "[Cy, I sail.]"),
        ("name bio", [["=Bo", "="], ["=Cy", "="]], "[Al, I sail.]"),
        (
            "name bio",
            [["=Cy", "=I row."], ["=Cy", "="]],
            "[Al, I sail.]",
        ),
    ] {
        redis.given("DEL user:{7}\nHSET user:{7} login alice name Cy");
        let [stale, known] = expected.map(|[name, bio]| edit(changes, name, bio));
        check(&mut redis, [&stale, &known], stored, ["edited", value]);
    }
    // An unchanged field has no conflict.
    redis.given("HSET user:{7} name Dan");
    assert_eq!(redis.call(&edit("bio", "=Bo", "=I sail.")), "edited");
    assert_eq!(redis.run(stored), "[Dan, I sail.]");
}

#[test]
fn a_name_of_a_list_that_was_changed_meanwhile_is_not_overwritten() {
    let mut redis = Bench::start();
    redis.given("HSET auth:{1} epoch e1\nHSET lists:{1} last 1 1 0:Boats:2");
    let stored = "HGET lists:{1} 1";
    let edit = |expected: &str| EditList {
        expected_name: expected.into(),
        ..edit_list(1, "")
    };
    let changes = [&edit("=Birds"), &edit("=Boats:2")];
    check(&mut redis, changes, stored, ["done", "0:Ships"]);
    // An unchanged name has no conflict.
    let exclusive = EditList {
        name: String::new(),
        exclusive: "1",
        ..edit("=Birds")
    };
    assert_eq!(redis.call(&exclusive), "home_dropped");
    assert_eq!(redis.run(stored), "1:Ships");
}

#[test]
fn a_field_of_a_group_that_was_changed_meanwhile_is_not_overwritten() {
    let mut redis = Bench::start();
    redis.given("HSET group:{7}:roles 1 owner");
    let scene = "DEL group:{7} group:{7}:log\nHSET group:{7} slug birds name Birds rules Sing.";
    let stored = "HMGET group:{7} name description rules";
    let edit = |name: &str, expected: &str, fields: [&str; 6]| EditGroup {
        expected_name: expected.into(),
        entry: fields.concat(),
        fields: fields.map(str::to_owned).into(),
        ..edit_group(name)
    };
    for (name, expected, value) in [
        (
            "Owls",
            [["=Cats", "=", "=Sing."], ["=Birds", "=", "=Sing."]],
            "Owls",
        ),
        (
            "",
            [["=Cats", "=By day.", "=Sing."], ["=Cats", "=", "=Sing."]],
            "Birds",
        ),
        ("", [["", "=", "="], ["", "=", "=Sing."]], "Birds"),
    ] {
        redis.given(scene);
        let [stale, known] = expected.map(|[of_name, of_description, of_rules]| {
            let texts = [
                "description",
                of_description,
                "At night.",
                "rules",
                of_rules,
                "",
            ];
            edit(name, of_name, texts)
        });
        let value = format!("[{value}, At night., nil]");
        check(&mut redis, [&stale, &known], stored, ["done", &value]);
    }
}

#[test]
fn repliers_that_were_changed_meanwhile_are_not_overwritten() {
    let mut redis = Bench::start();
    let stored = "HGET status:{5} reply_control";
    let set = |expected: &str, repliers, quoting| SetReplyControl {
        expected_repliers: expected.into(),
        ..set_control(5, 1, (repliers, quoting))
    };
    for (field, expected) in [
        ("", "=everyone"),
        ("nobody", "=nobody"),
        ("'nobody quoting_closed'", "=nobody"),
        // Texts that this version cannot read. Pages show that no one can reply.
        ("friends", "=nobody"),
        ("'followers open'", "=nobody"),
        ("everyone", "=nobody"),
        ("''", "=nobody"),
    ] {
        redis.given("DEL status:{5}\nHSET status:{5} uid 1 message one");
        if !field.is_empty() {
            redis.given(&format!("HSET status:{{5}} reply_control {field}"));
        }
        let changes = [
            &set("=mentioned", "followers", "open"),
            &set(expected, "followers", "open"),
        ];
        check(&mut redis, changes, stored, ["done", "followers"]);
    }
    // Unchanged repliers have no conflict.
    assert_eq!(redis.call(&set("=nobody", "", "closed")), "done");
    assert_eq!(redis.run(stored), "followers quoting_closed");
    // A text that this version cannot read stays closed if only the quotes change.
    for (field, quoting, expected) in [
        ("friends", "open", "nobody"),
        ("''", "", "nobody quoting_closed"),
    ] {
        redis.given(&format!("HSET status:{{5}} reply_control {field}"));
        assert_eq!(redis.call(&set("", "", quoting)), "done");
        assert_eq!(redis.run(stored), expected);
    }
}
