//! Accounts and sessions: the effects of a claim, a commit and a password change.

use super::Bench;

const CLAIM: &str =
    "claim_user user:{7} auth:{7} active:{7} , DEADLINE 7 Alice 'Alice L' 123 hash e1 n1 60";

#[test]
fn a_claim_creates_an_empty_user() {
    let mut redis = Bench::start();
    assert_eq!(redis.eval(CLAIM), "claimed");
    assert_eq!(
        redis.run("HMGET user:{7} id login name bio signup posts followers following last"),
        "[7, Alice, Alice L, , 123, 0, 0, 0, 0]"
    );
    assert_eq!(
        redis.run("HMGET auth:{7} hash epoch idempotency_key"),
        "[hash, e1, n1]"
    );
}

#[test]
fn a_used_id_is_refused() {
    let mut redis = Bench::start();
    redis.eval(CLAIM);
    let before = redis.everything();
    assert_eq!(redis.eval(&CLAIM.replace("n1", "n2")), "taken");
    assert_eq!(redis.eval(CLAIM), "claimed", "a call that is sent twice");
    assert_eq!(redis.everything(), before);
    redis.eval("remove_user user:{7} auth:{7} active:{7} , 999");
    assert_eq!(redis.eval(CLAIM), "taken");
}

#[test]
fn a_removed_user_leaves_only_a_tombstone() {
    let mut redis = Bench::start();
    redis.eval(CLAIM);
    redis.given("SET active:{7} 0 EX 60");
    for _ in 0..2 {
        assert_eq!(
            redis.eval("remove_user user:{7} auth:{7} active:{7} , 999"),
            "removed"
        );
        assert_eq!(redis.run("KEYS *"), "[user:{7}]");
        assert_eq!(redis.run("HGETALL user:{7}"), "[gone, 999]");
        assert_eq!(redis.run("TTL user:{7}"), "-1");
    }
}

#[test]
fn a_login_belongs_to_its_first_claimant_and_others_learn_the_owner() {
    let mut redis = Bench::start();
    for id in ["7", "8", "7"] {
        assert_eq!(
            redis.eval(&format!("commit_login login:{{alice}} , DEADLINE {id}")),
            "7"
        );
    }
    assert_eq!(redis.run("TTL login:{alice}"), "-1");
}

#[test]
fn only_an_existing_user_is_edited() {
    let mut redis = Bench::start();
    assert_eq!(
        redis.eval("edit_user user:{7} , DEADLINE Al ''"),
        "unknown_user"
    );
    redis.given("HSET user:{8} gone 1");
    assert_eq!(
        redis.eval("edit_user user:{8} , DEADLINE Al ''"),
        "unknown_user"
    );
    assert_eq!(redis.run("HGETALL user:{8}"), "[gone, 1]");
    redis.eval(CLAIM);
    assert_eq!(
        redis.eval("edit_user user:{7} , DEADLINE Al 'of few words'"),
        "edited"
    );
    assert_eq!(
        redis.run("HMGET user:{7} login name bio"),
        "[Alice, Al, of few words]"
    );
}

#[test]
fn a_password_is_replaced_only_if_the_verified_one_is_current() {
    let mut redis = Bench::start();
    assert_eq!(
        redis.eval("set_password auth:{7} live:{7} , DEADLINE old new e2"),
        "outdated"
    );
    assert_eq!(redis.run("EXISTS auth:{7}"), "0");
    redis.given("HSET auth:{7} hash old epoch e1 idempotency_key n");
    assert_eq!(
        redis.eval("set_password auth:{7} live:{7} , DEADLINE older new e2"),
        "outdated"
    );
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[old, e1]");
    assert_eq!(
        redis.eval("set_password auth:{7} live:{7} , DEADLINE old rehashed ''"),
        "replaced"
    );
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[rehashed, e1]");
    assert_eq!(
        redis.eval("set_password auth:{7} live:{7} , DEADLINE rehashed new e2 e0"),
        "outdated",
        "the session that asks has ended"
    );
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[rehashed, e1]");
    assert_eq!(
        redis.eval("set_password auth:{7} live:{7} , DEADLINE rehashed new e2 e1"),
        "replaced"
    );
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[new, e2]");
}

#[test]
fn an_epoch_is_drawn_only_for_an_existing_user() {
    let mut redis = Bench::start();
    assert_eq!(
        redis.eval("new_epoch auth:{7} live:{7} , DEADLINE e2"),
        "unknown_user"
    );
    assert_eq!(redis.run("EXISTS auth:{7}"), "0");
    redis.given("HSET auth:{7} hash old epoch e1");
    assert_eq!(
        redis.eval("new_epoch auth:{7} live:{7} , DEADLINE e2"),
        "renewed"
    );
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[old, e2]");
}

fn save(redis: &mut Bench, digest: &str, epoch: &str, now: u32) -> String {
    redis.eval(&format!(
        "save_session session:{{7}}:{digest} sessions:{{7}} auth:{{7}} , {epoch} {digest} state 60 {now} 2"
    ))
}

#[test]
fn a_session_of_an_ended_epoch_is_not_started() {
    let mut redis = Bench::start();
    assert_eq!(save(&mut redis, "aa", "e1", 1), "[session_ended]");
    redis.given("HSET auth:{7} hash h epoch e2");
    let before = redis.everything();
    assert_eq!(save(&mut redis, "aa", "e1", 1), "[session_ended]");
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_session_is_listed_and_both_expire() {
    let mut redis = Bench::start();
    redis.given("HSET auth:{7} hash h epoch e1");
    assert_eq!(save(&mut redis, "aa", "e1", 5), "[saved]");
    assert_eq!(redis.run("GET session:{7}:aa"), "state");
    assert_eq!(redis.run("ZRANGE sessions:{7} 0 -1 WITHSCORES"), "[aa, 5]");
    for key in ["session:{7}:aa", "sessions:{7}"] {
        assert!((1..=60_000).contains(&redis.ttl_ms(key)), "{key}");
    }
}

#[test]
fn an_excess_session_removes_the_least_recently_seen_one() {
    let mut redis = Bench::start();
    redis.given("HSET auth:{7} hash h epoch e1");
    assert_eq!(save(&mut redis, "aa", "e1", 30), "[saved]");
    assert_eq!(save(&mut redis, "bb", "e1", 10), "[saved]");
    assert_eq!(save(&mut redis, "cc", "e1", 20), "[saved, bb]");
    assert_eq!(redis.run("ZRANGE sessions:{7} 0 -1"), "[cc, aa]");
}
