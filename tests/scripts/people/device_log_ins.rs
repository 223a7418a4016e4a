//! The log-in on another device: offered, claimed by one device, confirmed by its code, used by one device.

use redwing::store::calls::{ClaimDevice, ConfirmDevice, FinishDevice, OfferDevice};

use super::accounts::end_session;
use crate::scripts::{Bench, calls::DEADLINE};

pub fn offer_device(id: u64, link: &str) -> OfferDevice {
    OfferDevice {
        device_log_in: format!("device_log_in:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        link: link.into(),
        ttl_s: 240,
        session_epoch: String::new(),
    }
}

/// Claims a link for a device that shows 123456.
pub fn claim_device(id: u64, link: &str, device: &str) -> ClaimDevice {
    ClaimDevice {
        device_log_in: format!("device_log_in:{{{id}}}"),
        deadline_ms: DEADLINE,
        link: link.into(),
        device: device.into(),
        code: "123456".into(),
        agent: "Browser".into(),
    }
}

pub fn confirm_device(id: u64, code: &str) -> ConfirmDevice {
    ConfirmDevice {
        device_log_in: format!("device_log_in:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        code: code.into(),
        max_tries: 2,
        session_epoch: String::new(),
    }
}

pub fn finish_device(id: u64, device: &str) -> FinishDevice {
    FinishDevice {
        device_log_in: format!("device_log_in:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        device: device.into(),
        repeat_s: 60,
    }
}

const ALICE: &str = "HSET auth:{1} hash h epoch e1 idempotency_key n";

/// Starts Redis with a link of Alice that the device `d` has claimed.
fn claimed() -> Bench {
    let mut redis = Bench::start();
    redis.given(ALICE);
    assert_eq!(redis.call(&offer_device(1, "l")), "offered");
    assert_eq!(redis.call(&claim_device(1, "l", "d")), "claimed");
    redis
}

#[test]
fn a_confirmed_device_enters_and_gets_the_same_answer_for_a_minute() {
    let mut redis = claimed();
    assert_eq!(redis.call(&finish_device(1, "d")), "[waiting, 123456]");
    for _ in 0..2 {
        assert_eq!(redis.call(&confirm_device(1, "123456")), "confirmed");
    }
    assert_eq!(redis.call(&finish_device(1, "other")), "[gone]");
    assert_eq!(redis.call(&finish_device(1, "d")), "[entered, e1]");
    // Its first answer was lost.
    assert_eq!(redis.call(&finish_device(1, "d")), "[entered, e1]");
    assert_eq!(redis.call(&finish_device(1, "other")), "[gone]");
    assert_eq!(redis.call(&claim_device(1, "l", "other")), "gone");
    assert_eq!(redis.run("TTL device_log_in:{1}"), "60");
    redis.given("HSET auth:{1} epoch e2");
    assert_eq!(redis.call(&finish_device(1, "d")), "[gone]");
}

#[test]
fn a_log_out_ends_the_time_in_which_a_device_can_enter_again() {
    let mut redis = claimed();
    // A link that waits stays.
    redis.call(&end_session(1, "s"));
    redis.call(&confirm_device(1, "123456"));
    assert_eq!(redis.call(&finish_device(1, "d")), "[entered, e1]");
    redis.call(&end_session(1, "s"));
    assert_eq!(redis.call(&finish_device(1, "d")), "[gone]");
    assert_eq!(redis.run("EXISTS device_log_in:{1}"), "0");
}

#[test]
fn a_link_belongs_to_the_first_device_and_lives_for_minutes() {
    let mut redis = claimed();
    assert_eq!(
        redis.call(&claim_device(1, "l", "d")),
        "claimed",
        "sent twice"
    );
    assert_eq!(redis.call(&claim_device(1, "l", "other")), "gone");
    assert_eq!(redis.call(&claim_device(1, "wrong", "d")), "gone");
    assert_eq!(redis.call(&claim_device(2, "l", "d")), "gone");
    assert_eq!(redis.run("TTL device_log_in:{1}"), "240");
    // A new link ends the one before, with its device.
    redis.call(&confirm_device(1, "123456"));
    redis.call(&offer_device(1, "new"));
    assert_eq!(redis.call(&finish_device(1, "d")), "[gone]");
    assert_eq!(redis.call(&claim_device(1, "l", "d")), "gone");
}

#[test]
fn wrong_codes_end_the_link() {
    let mut redis = claimed();
    assert_eq!(redis.call(&confirm_device(1, "000000")), "wrong");
    assert_eq!(redis.call(&confirm_device(1, "000001")), "gone");
    assert_eq!(redis.call(&confirm_device(1, "123456")), "gone");
    assert_eq!(redis.call(&finish_device(1, "d")), "[gone]");
    redis.call(&offer_device(1, "l"));
    assert_eq!(
        redis.call(&confirm_device(1, "")),
        "gone",
        "no device waits"
    );
}

#[test]
fn the_end_of_all_sessions_ends_the_link() {
    let mut redis = claimed();
    redis.call(&confirm_device(1, "123456"));
    redis.given("HSET auth:{1} epoch e2");
    assert_eq!(redis.call(&finish_device(1, "d")), "[gone]");
    let of_epoch = OfferDevice {
        session_epoch: "e1".into(),
        ..offer_device(1, "l")
    };
    assert_eq!(redis.call(&of_epoch), "session_ended");
    let of_epoch = ConfirmDevice {
        session_epoch: "e1".into(),
        ..confirm_device(1, "123456")
    };
    assert_eq!(redis.call(&of_epoch), "session_ended");
    assert_eq!(redis.call(&offer_device(2, "l")), "unknown_user");
    assert_eq!(redis.run("EXISTS device_log_in:{2}"), "0");
}
