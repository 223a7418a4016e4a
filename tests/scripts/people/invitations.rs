//! Invitations, and the set-up of the site: each admits one person.

use redwing::store::calls::{
    ChangeSite, ClaimInvitation, ClaimSite, KeepSite, MakeInvitation, ReleaseInvitation,
    ReleaseSite, RevokeInvitation,
};

use crate::scripts::{Bench, calls::DEADLINE};

/// User 1 makes an invitation.
pub fn make_invitation(code: &str) -> MakeInvitation {
    MakeInvitation {
        invitations: "invitations:{1}".into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        deadline_ms: DEADLINE,
        session_epoch: String::new(),
        code: code.into(),
        term_ms: 60_000,
        limit: 2,
        min_age_ms: 0,
        removable_ms: DEADLINE,
    }
}

pub fn revoke_invitation(code: &str) -> RevokeInvitation {
    RevokeInvitation {
        invitations: "invitations:{1}".into(),
        auth: "auth:{1}".into(),
        deadline_ms: DEADLINE,
        session_epoch: String::new(),
        code: code.into(),
    }
}

/// A person uses an invitation of user 1.
pub fn claim_invitation(code: &str, person: u64) -> ClaimInvitation {
    ClaimInvitation {
        invitations: "invitations:{1}".into(),
        invited: "invited:{1}".into(),
        user: "user:{1}".into(),
        deadline_ms: DEADLINE,
        code: code.into(),
        person,
    }
}

fn release_invitation(code: &str, person: u64) -> ReleaseInvitation {
    ReleaseInvitation {
        invitations: "invitations:{1}".into(),
        invited: "invited:{1}".into(),
        code: code.into(),
        end_ms: DEADLINE,
        person,
    }
}

pub fn claim_site(owner: u64) -> ClaimSite {
    ClaimSite {
        site: "site:".into(),
        deadline_ms: DEADLINE,
        owner,
        name: "Harbour".into(),
        description: "Boats".into(),
        contact: String::new(),
        rules: "[1]".into(),
        question: String::new(),
        entrance: "closed",
        group_founders: "members",
        hue: 31,
        everybody: "visitors",
        public_log: "1",
        inviters: "1",
    }
}

/// Changes fields from their former values.
pub fn change_site(fields: &[[&str; 3]]) -> ChangeSite {
    let fields = fields.iter().flatten().copied();
    ChangeSite {
        site: "site:".into(),
        deadline_ms: DEADLINE,
        fields: fields.map(str::to_owned).collect(),
    }
}

fn release_site(owner: u64) -> ReleaseSite {
    ReleaseSite {
        site: "site:".into(),
        owner,
    }
}

fn keep_site(owner: u64) -> KeepSite {
    KeepSite {
        site: "site:".into(),
        owner,
    }
}

#[test]
fn an_invitation_admits_one_person() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} signup 1 login alice");
    assert_eq!(redis.call(&make_invitation("a")), "made");
    for (person, answer) in [(7, "claimed"), (7, "claimed"), (8, "gone")] {
        assert_eq!(redis.call(&claim_invitation("a", person)), answer);
    }
    assert_eq!(redis.run("ZRANGE invited:{1} 0 -1"), "[7]");
    assert_eq!(redis.run("ZRANGE invitations:{1} 0 -1"), "[claimed:a]");
}

#[test]
fn an_invitation_of_a_suspended_or_leaving_person_admits_nobody() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} signup 1 login alice");
    assert_eq!(redis.call(&make_invitation("a")), "made");
    for field in ["suspended", "leaving"] {
        redis.given(&format!("HSET user:{{1}} {field} 5"));
        assert_eq!(redis.call(&claim_invitation("a", 7)), "gone", "{field}");
        redis.given(&format!("HDEL user:{{1}} {field}"));
    }
    assert_eq!(redis.call(&claim_invitation("a", 7)), "claimed");
    redis.given("HSET user:{1} suspended Spam.");
    assert_eq!(redis.call(&claim_invitation("a", 7)), "claimed");
}

#[test]
fn an_invitation_is_given_back_once() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} signup 1 login alice");
    redis.call(&make_invitation("a"));
    redis.call(&claim_invitation("a", 7));
    assert_eq!(redis.call(&release_invitation("a", 7)), "released");
    assert_eq!(redis.call(&claim_invitation("a", 8)), "claimed");
    assert_eq!(redis.call(&release_invitation("a", 7)), "released");
    assert_eq!(redis.run("ZRANGE invitations:{1} 0 -1"), "[claimed:a]");
    assert_eq!(redis.run("ZRANGE invited:{1} 0 -1"), "[8]");
}

#[test]
fn an_invitation_that_is_revoked_during_a_sign_up_never_comes_back() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} signup 1 login alice");
    redis.call(&make_invitation("a"));
    redis.call(&claim_invitation("a", 7));
    for _ in 0..2 {
        assert_eq!(redis.call(&revoke_invitation("a")), "revoked");
    }
    assert_eq!(redis.call(&claim_invitation("a", 7)), "claimed", "again");
    for _ in 0..2 {
        assert_eq!(redis.call(&release_invitation("a", 7)), "released");
    }
    assert_eq!(redis.call(&claim_invitation("a", 8)), "gone");
    assert_eq!(redis.run("EXISTS invited:{1}"), "0");
    assert_eq!(redis.run("ZRANGE invitations:{1} 0 -1"), "[revoked:a]");
    assert_eq!(redis.call(&revoke_invitation("b")), "gone");
}

#[test]
fn unused_invitations_have_a_limit_and_ended_ones_make_room() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} signup 1 login alice\nZADD invitations:{1} 5 ended");
    assert_eq!(redis.call(&claim_invitation("ended", 7)), "gone");
    for (code, answer) in [
        ("a", "made"),
        ("b", "made"),
        ("b", "made"),
        ("c", "too_many"),
    ] {
        assert_eq!(redis.call(&make_invitation(code)), answer, "{code}");
    }
    for _ in 0..2 {
        assert_eq!(redis.call(&revoke_invitation("a")), "revoked");
    }
    assert_eq!(redis.call(&claim_invitation("a", 7)), "gone");
    assert_eq!(redis.call(&make_invitation("c")), "made");
    assert_eq!(redis.call(&revoke_invitation("a")), "gone");
}

#[test]
fn invitations_that_ended_by_a_wrong_clock_stay_and_do_not_count() {
    let mut redis = Bench::start();
    redis.given("ZADD invitations:{1} 5 old 6 valid_again");
    let make = |code| MakeInvitation {
        removable_ms: 5,
        ..make_invitation(code)
    };
    for (code, answer) in [("a", "made"), ("b", "made"), ("c", "too_many")] {
        assert_eq!(redis.call(&make(code)), answer, "{code}");
    }
    let stored = redis.run("ZRANGE invitations:{1} 0 -1");
    assert!(stored.starts_with("[valid_again, "), "{stored}");
}

#[test]
fn an_account_whose_sign_up_is_ahead_makes_an_invitation_if_no_age_is_needed() {
    let mut redis = Bench::start();
    redis.given(&format!("HSET user:{{1}} signup {DEADLINE} login alice"));
    assert_eq!(redis.call(&make_invitation("a")), "made");
}

#[test]
fn a_young_account_and_an_ended_session_make_no_invitation() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} signup 1 login alice\nHSET auth:{1} epoch e1");
    let old_enough = MakeInvitation {
        min_age_ms: DEADLINE,
        ..make_invitation("a")
    };
    assert_eq!(redis.call(&old_enough), "too_young");
    let ended = MakeInvitation {
        session_epoch: "e0".into(),
        ..make_invitation("a")
    };
    assert_eq!(redis.call(&ended), "session_ended");
    assert_eq!(redis.run("EXISTS invitations:{1}"), "0");
}

#[test]
fn a_site_is_set_up_once() {
    let mut redis = Bench::start();
    for (owner, answer) in [(7, "claimed"), (7, "claimed"), (8, "gone")] {
        assert_eq!(redis.call(&claim_site(owner)), answer);
    }
    let named = change_site(&[["name", "Harbour", "Port"], ["entrance", "closed", "open"]]);
    for try_again in ["changed", "changed"] {
        assert_eq!(redis.call(&named), try_again);
    }
    // A change is made whole or not at all.
    let stale = change_site(&[["rules", "[1]", "[2]"], ["name", "Harbour", "Stale"]]);
    assert_eq!(redis.call(&stale), "other_fields");
    // Other fields stay.
    let about = change_site(&[["about", "", "We sail."], ["holds_links", "", "1"]]);
    assert_eq!(redis.call(&about), "changed");
    assert_eq!(
        redis.run("HMGET site: about holds_links name rules"),
        "[We sail., 1, Port, [1]]"
    );
    redis.call(&release_site(8));
    let fields = "HMGET site: owner name entrance";
    assert_eq!(redis.run(fields), "[7, Port, open]");
    // All other settings come from the changes.
    redis.call(&release_site(7));
    let left = "HMGET site: owner name entrance description hue about";
    assert_eq!(redis.run(left), "[nil, Port, open, nil, nil, We sail.]");
}

#[test]
fn a_set_up_that_fails_takes_nothing_back_that_others_set() {
    let mut redis = Bench::start();
    redis.given("HSET site: about 'We sail.' contact Before hue 5 question Why? entrance ''");
    let before = redis.everything();
    redis.call(&claim_site(7));
    redis.call(&release_site(7));
    assert_eq!(redis.everything(), before);
    redis.call(&claim_site(7));
    let changed = change_site(&[["contact", "", "Since"], ["description", "Boats", "Boats"]]);
    assert_eq!(redis.call(&changed), "changed");
    // A try that is sent again changes nothing.
    assert_eq!(redis.call(&claim_site(7)), "claimed");
    redis.call(&release_site(7));
    let fields = "HMGET site: owner contact description hue question entrance name";
    assert_eq!(redis.run(fields), "[nil, Since, Boats, 5, Why?, , nil]");
    assert_eq!(redis.run("HLEN site:"), "6");
}

#[test]
fn a_complete_set_up_keeps_only_its_own_settings() {
    let mut redis = Bench::start();
    redis.given("HSET site: contact Before");
    redis.call(&claim_site(7));
    assert_eq!(redis.call(&keep_site(8)), "kept");
    assert_eq!(redis.run("HGET site: before:contact"), "=Before");
    assert_eq!(redis.call(&keep_site(7)), "kept");
    assert_eq!(redis.run("HLEN site:"), "12");
}
