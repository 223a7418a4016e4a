//! Wrong log-ins of others never lock a member out: they use up limits of the sender, and a device that
//! the member has logged in on has a limit of its own.

use std::time::Instant;

use redwing::{
    actions::{
        recovery::make_reset_link,
        rename::{Rename, change_login},
    },
    domain::Login,
};
use reqwest::StatusCode;

use crate::{
    device_log_ins::{code, confirm, continue_form, make_link},
    recovery::{make_codes, recover_form},
    support::{Form, PASSWORD, Page, Person, Site, crowd, pool::Redis, request::Request},
};

/// A site behind a proxy, with this limit of log-ins.
async fn site_with_limit(log_ins: &str) -> Site {
    Site::with(&[
        "--log-ins-per-quarter",
        log_ins,
        "--trusted-proxies",
        "127.0.0.0/8",
    ])
    .await
}

/// Sends the log-in form from this address.
async fn log_in_from(person: &Person, address: &str, login: &str, password: &str) -> Page {
    let form = person.open("/login").await.form("/login");
    let form = form.set("login", login).set("password", password);
    let request = Request::submit(person, &form).header("x-forwarded-for", address);
    request.send().await
}

/// Sends one wrong password from each of many networks until the login is at its limit, with its spare tries.
async fn exhaust(site: &Site, login: &str) {
    let mallory = Person::visitor(site);
    for last in 0..250 {
        let address = format!("198.51.{last}.1");
        let answer = log_in_from(&mallory, &address, login, "a wrong guess").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            let stranger = log_in_from(&mallory, "203.0.113.1", login, PASSWORD).await;
            assert_eq!(stranger.status, StatusCode::TOO_MANY_REQUESTS);
            return;
        }
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    panic!("{login} has no limit");
}

/// Returns the status of a log-in with the right password from an address not seen before.
async fn right_log_in(person: &Person, login: &str) -> StatusCode {
    log_in_from(person, "203.0.113.2", login, PASSWORD)
        .await
        .status
}

#[tokio::test]
async fn seventy_five_wrong_log_ins_from_one_address_do_not_lock_the_member_out() {
    let site = site_with_limit("6").await;
    Person::sign_up(&site, "alice").await;
    let mallory = Person::visitor(&site);
    let mut refused = 0;
    for _ in 0..75 {
        let answer = log_in_from(&mallory, "198.51.100.1", "alice", "a wrong guess").await;
        refused += usize::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(refused, 72);
    let alice = Person::visitor(&site);
    assert_eq!(right_log_in(&alice, "alice").await, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_known_device_logs_in_while_the_login_is_at_its_limit() {
    let site = site_with_limit("2").await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.log_out().await;
    exhaust(&site, "alice").await;
    assert_eq!(right_log_in(&alice, "alice").await, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_known_device_logs_in_while_its_address_is_at_its_limit() {
    let site = site_with_limit("2").await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.log_out().await;
    let mallory = Person::visitor(&site);
    for number in 0..3 {
        let login = format!("guess_{number}");
        log_in_from(&mallory, "203.0.113.2", &login, "a wrong guess").await;
    }
    let stranger = Person::visitor(&site);
    let refused = right_log_in(&stranger, "alice").await;
    assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(right_log_in(&alice, "alice").await, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_log_in_makes_a_device_known_too() {
    let site = site_with_limit("2").await;
    Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    phone.log_out().await;
    exhaust(&site, "alice").await;
    assert_eq!(right_log_in(&phone, "alice").await, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_known_device_needs_the_password_and_has_a_limit_of_its_own() {
    let site = site_with_limit("4").await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.log_out().await;
    let mut statuses = Vec::new();
    for last in 0..3 {
        let address = format!("203.0.113.{last}");
        let answer = log_in_from(&alice, &address, "alice", "a wrong guess").await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [422, 422, 429]);
}

#[tokio::test]
async fn right_log_ins_on_a_known_device_have_a_limit_too() {
    let site = site_with_limit("4").await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut statuses = Vec::new();
    for _ in 0..17 {
        alice.log_out().await;
        statuses.push(right_log_in(&alice, "alice").await.as_u16());
    }
    assert_eq!(statuses, [vec![303; 16], vec![429]].concat());
}

#[tokio::test]
async fn wrong_log_ins_on_one_known_device_do_not_lock_out_another() {
    let site = site_with_limit("60").await;
    let shared = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    for person in [&shared, &phone] {
        person.log_out().await;
    }
    let wrong = async || log_in_from(&shared, "203.0.113.1", "alice", "a wrong guess").await;
    let mut tries = 0;
    while wrong().await.status != StatusCode::TOO_MANY_REQUESTS {
        tries += 1;
        assert!(tries <= 60, "the device has no limit");
    }
    assert_eq!(right_log_in(&phone, "alice").await, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn the_device_of_one_member_is_unknown_to_another() {
    let site = site_with_limit("2").await;
    Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.log_out().await;
    exhaust(&site, "alice").await;
    let refused = right_log_in(&bob, "alice").await;
    assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_device_cookie_that_was_tampered_with_makes_no_device_known() {
    let site = site_with_limit("2").await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.log_out().await;
    exhaust(&site, "alice").await;
    let genuine = alice.cookies.all();
    for at in 0..3 {
        let forged = genuine.iter().map(|(name, value)| {
            let mut parts: Vec<String> = value.split('.').map(str::to_owned).collect();
            if let (true, Some(part)) = (name.ends_with("redwing-device"), parts.get_mut(at)) {
                let last = if part.ends_with('1') { "2" } else { "1" };
                part.replace_range(part.len() - 1.., last);
            }
            (name.clone(), parts.join("."))
        });
        let thief = Person::visitor(&site);
        thief.cookies.replace(forged.collect());
        let refused = right_log_in(&thief, "alice").await;
        assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS, "part {at}");
    }
    assert_eq!(right_log_in(&alice, "alice").await, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn logging_out_everywhere_revokes_the_known_devices() {
    let site = site_with_limit("2").await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    phone.log_out().await;
    let form = desk.open("/settings/sessions").await;
    desk.submit_accepted(&form.form("/settings/sessions/revoke-all"))
        .await;
    exhaust(&site, "alice").await;
    let refused = right_log_in(&phone, "alice").await;
    assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
    let device_that_asked = right_log_in(&desk, "alice").await;
    assert_eq!(device_that_asked, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_new_password_revokes_the_known_devices() {
    const NEW_PASSWORD: &str = "another mountain lake";
    let site = site_with_limit("2").await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    phone.log_out().await;
    let form = desk.open("/settings").await.form("/settings/password");
    let form = form.set("current_password", PASSWORD);
    desk.submit_accepted(&form.set("new_password", NEW_PASSWORD))
        .await;
    desk.log_out().await;
    exhaust(&site, "alice").await;
    for (device, status) in [
        (&phone, StatusCode::TOO_MANY_REQUESTS),
        (&desk, StatusCode::SEE_OTHER),
    ] {
        let answer = log_in_from(device, "203.0.113.2", "alice", NEW_PASSWORD).await;
        assert_eq!(answer.status, status);
    }
}

#[tokio::test]
async fn an_ipv6_network_gets_no_limit_for_each_of_its_subnets() {
    let site = site_with_limit("2").await;
    let mallory = Person::visitor(&site);
    let mut statuses = Vec::new();
    for number in 0..9 {
        let (address, login) = (format!("2001:db8:1:{number}::1"), format!("guess_{number}"));
        let answer = log_in_from(&mallory, &address, &login, "a wrong guess").await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [422, 422, 422, 422, 422, 422, 422, 422, 429]);
    let elsewhere = log_in_from(&mallory, "2001:db8:2::1", "guess", "a wrong guess").await;
    assert_eq!(elsewhere.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn one_ipv6_network_cannot_lock_a_member_out() {
    let site = site_with_limit("2").await;
    Person::sign_up(&site, "alice").await;
    let mallory = Person::visitor(&site);
    for number in 0..40 {
        let address = format!("2001:db8:1:{number}::1");
        log_in_from(&mallory, &address, "alice", "a wrong guess").await;
    }
    let alice = Person::visitor(&site);
    assert_eq!(right_log_in(&alice, "alice").await, StatusCode::SEE_OTHER);
}

/// Uses up the tries of alice's login: 20 at once. Each address can use 3 of them. Then one more is due in 15 seconds.
async fn use_up(site: &Site) {
    let mallory = Person::visitor(site);
    for last in 0..10 {
        let address = format!("198.51.100.{last}");
        for _ in 0..3 {
            log_in_from(&mallory, &address, "alice", "a wrong guess").await;
        }
    }
}

#[tokio::test]
async fn wrong_log_ins_from_many_addresses_do_not_lock_out_a_new_device_in_a_new_network() {
    let site = site_with_limit("6").await;
    Person::sign_up(&site, "alice").await;
    use_up(&site).await;
    let alice = Person::visitor(&site);
    let mistyped = log_in_from(&alice, "203.0.113.2", "alice", "a wrong guess").await;
    assert_eq!(mistyped.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(right_log_in(&alice, "alice").await, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn the_spare_attempts_of_a_login_are_bounded_for_each_network_and_in_total() {
    let site = site_with_limit("6").await;
    Person::sign_up(&site, "alice").await;
    let mallory = Person::visitor(&site);
    let began = Instant::now();
    use_up(&site).await;
    let neighbours = (0..20).map(|last| format!("192.0.2.{last}"));
    let subnets = (0..12).map(|subnet| format!("2001:db8:1:{subnet}::1"));
    let networks = (0..60).map(|network| format!("203.0.{network}.1"));
    let attacks: [(Vec<String>, usize); 3] = [
        (neighbours.collect(), 8),
        (subnets.collect(), 2),
        (networks.collect(), 20),
    ];
    for (addresses, bound) in attacks {
        let mut admitted = 0;
        for address in addresses {
            let answer = log_in_from(&mallory, &address, "alice", "a wrong guess").await;
            admitted += usize::from(answer.status == StatusCode::UNPROCESSABLE_ENTITY);
        }
        // Two limits of all addresses have let further tries in since.
        let due = 2 * (began.elapsed().as_secs() as usize / 15 + 1);
        assert!((1..=bound + due).contains(&admitted), "{admitted}");
    }
}

/// Sends a recovery code from this address.
async fn recover_from(person: &Person, address: &str, login: &str, code: &str) -> StatusCode {
    let form = recover_form(person, login, code).await;
    let request = Request::submit(person, &form).header("x-forwarded-for", address);
    request.send().await.status
}

#[tokio::test]
async fn wrong_recovery_codes_count_as_log_ins_of_their_address() {
    let site = site_with_limit("2").await;
    let mallory = Person::visitor(&site);
    let mut statuses = Vec::new();
    for number in 0..3 {
        let login = format!("guess_{number}");
        let status = recover_from(&mallory, "198.51.100.1", &login, "wrong").await;
        statuses.push(status.as_u16());
    }
    assert_eq!(statuses, [422, 422, 429]);
}

#[tokio::test]
async fn wrong_log_ins_of_others_lock_nobody_out_of_recovery_on_any_device() {
    let site = site_with_limit("4").await;
    let alice = Person::sign_up(&site, "alice").await;
    let codes = make_codes(&alice).await;
    alice.log_out().await;
    exhaust(&site, "alice").await;
    // No one can guess a code, so it needs no limit of the login.
    let new_device = Person::visitor(&site);
    for (device, code) in [(&new_device, &codes[0]), (&alice, &codes[1])] {
        let accepted = recover_from(device, "203.0.113.2", "alice", code).await;
        assert_eq!(accepted, StatusCode::SEE_OTHER);
    }
}

#[tokio::test]
async fn a_former_login_has_no_limit_of_its_own() {
    let site = site_with_limit("2").await;
    Person::sign_up(&site, "alice").await;
    let id = crowd::uid(&site.store, "alice").await;
    let robin = Login::parse("robin").expect("valid");
    let renamed = change_login(&site.store, id, &robin).await;
    assert_eq!(renamed.expect("an answer"), Rename::Renamed);
    exhaust(&site, "alice").await;
    let mallory = Person::visitor(&site);
    let guess = log_in_from(&mallory, "203.0.113.9", "robin", "a wrong guess").await;
    assert_eq!(guess.status, StatusCode::TOO_MANY_REQUESTS);
    let other = log_in_from(&mallory, "203.0.113.9", "carol", "a wrong guess").await;
    assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// Seven IPv6 networks of a /48 each use up the limit of a login.
#[tokio::test]
async fn many_ipv6_networks_lock_no_one_out_of_a_network_that_the_person_has_used() {
    const HOME: &str = "2001:db8:ffff:1::1";
    let site = site_with_limit("6").await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.log_out().await;
    let log_in = log_in_from(&alice, HOME, "alice", PASSWORD).await;
    assert_eq!(log_in.status, StatusCode::SEE_OTHER);
    let mallory = Person::visitor(&site);
    for network in 0..60 {
        for subnet in 0..4 {
            let address = format!("2001:db8:{network:x}:{subnet:x}::1");
            log_in_from(&mallory, &address, "alice", "a wrong guess").await;
        }
    }
    let elsewhere = Person::visitor(&site);
    let refused = right_log_in(&elsewhere, "alice").await;
    assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
    // A new device in another subnet at home.
    let new_device = Person::visitor(&site);
    let at_home = "2001:db8:ffff:2::7";
    let log_in = log_in_from(&new_device, at_home, "alice", PASSWORD).await;
    assert_eq!(log_in.status, StatusCode::SEE_OTHER);
    let stored = site.keys("known_networks:").await;
    assert_eq!(stored.len(), 1);
    if let Redis::Node(node) = &site.redis {
        let listed = node.ask(&["ZRANGE", &stored[0], "0", "-1"]);
        assert!(!listed.contains("2001"), "{listed}");
    }
}

#[tokio::test]
async fn a_known_network_has_a_limit_of_its_own_and_is_revoked_with_the_sessions() {
    const HOME: &str = "192.0.2.7";
    const OFFICE: &str = "192.0.2.8";
    let site = site_with_limit("4").await;
    let alice = Person::sign_up(&site, "alice").await;
    for address in [HOME, OFFICE] {
        alice.log_out().await;
        let log_in = log_in_from(&alice, address, "alice", PASSWORD).await;
        assert_eq!(log_in.status, StatusCode::SEE_OTHER);
    }
    exhaust(&site, "alice").await;
    let mallory = Person::visitor(&site);
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let guess = log_in_from(&mallory, HOME, "alice", "a wrong guess").await;
        statuses.push(guess.status.as_u16());
    }
    assert_eq!(statuses, [422, 422, 429], "as few guesses as anywhere");
    let form = alice.open("/settings/sessions").await;
    alice
        .submit_accepted(&form.form("/settings/sessions/revoke-all"))
        .await;
    let other = Person::visitor(&site);
    let refused = log_in_from(&other, OFFICE, "alice", PASSWORD).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
}

async fn submit_from(person: &Person, address: &str, form: &Form) -> Page {
    let request = Request::submit(person, form);
    request.header("x-forwarded-for", address).send().await
}

/// Many people share the address of a mobile network or of a dormitory.
#[tokio::test]
async fn a_neighbour_at_the_same_address_leaves_a_new_device_every_way_in_but_the_password() {
    const SHARED: &str = "198.51.100.1";
    let site = site_with_limit("6").await;
    let alice = Person::sign_up(&site, "alice").await;
    let codes = make_codes(&alice).await;
    let device_link = make_link(&alice).await;
    Person::sign_up(&site, "bob").await;
    let bob = crowd::uid(&site.store, "bob").await;
    let reset_link = make_reset_link(&site.store, bob).await.expect("a link");
    let mallory = Person::visitor(&site);
    for number in 0..6 {
        log_in_from(&mallory, SHARED, &format!("guess_{number}"), "a guess").await;
    }
    let phone = Person::visitor(&site);
    let refused = log_in_from(&phone, SHARED, "alice", PASSWORD).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);

    let form = phone.open(&device_link).await.form(&device_link);
    let waiting = submit_from(&phone, SHARED, &form).await;
    assert_eq!(waiting.status, StatusCode::OK, "{}", waiting.html);
    confirm(&alice, &code(&waiting)).await;
    let entered = submit_from(&phone, SHARED, &continue_form(&waiting)).await;
    assert_eq!(entered.status, StatusCode::SEE_OTHER);

    let tablet = Person::visitor(&site);
    let wrong = recover_from(&tablet, SHARED, "alice", "wrong").await;
    assert_eq!(wrong, StatusCode::TOO_MANY_REQUESTS);
    let recovered = recover_from(&tablet, SHARED, "alice", &codes[0]).await;
    assert_eq!(recovered, StatusCode::SEE_OTHER);

    let laptop = Person::visitor(&site);
    let path = format!("/login/reset/{reset_link}");
    let form = laptop.open(&path).await.form(&path);
    let form = form.set("new_password", "another mountain lake");
    let reset = submit_from(&laptop, SHARED, &form).await;
    assert_eq!(reset.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn valid_secrets_have_a_limit_for_their_owner() {
    let site = site_with_limit("2").await;
    let alice = Person::sign_up(&site, "alice").await;
    let codes = make_codes(&alice).await;
    let mut statuses = Vec::new();
    for (number, code) in codes.iter().take(3).enumerate() {
        let address = format!("203.0.113.{number}");
        let phone = Person::visitor(&site);
        statuses.push(recover_from(&phone, &address, "alice", code).await.as_u16());
    }
    assert_eq!(statuses, [303, 303, 429]);
}

/// A restored backup lacks the newest accounts, so their ids are given to others.
#[tokio::test]
async fn a_browser_of_an_account_that_a_restored_backup_lacks_opens_no_other_account() {
    let site = site_with_limit("2").await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = crowd::uid(&site.store, "alice").await;
    let codes = make_codes(&alice).await;
    let device_link = make_link(&alice).await;
    let reset_link = make_reset_link(&site.store, id).await.expect("a link");
    site.redis.command(&["FLUSHALL"]);
    let bob = Person::sign_up(&site, "bob").await;
    assert_eq!(crowd::uid(&site.store, "bob").await, id, "the same id");

    assert!(!alice.is_logged_in().await);
    let recovered = recover_from(&alice, "203.0.113.3", "bob", &codes[0]).await;
    assert_eq!(recovered, StatusCode::UNPROCESSABLE_ENTITY);
    for link in [device_link, format!("/login/reset/{reset_link}")] {
        let form = Person::visitor(&site).get(&link).await;
        assert_eq!(form.status, StatusCode::NOT_FOUND, "{link}");
    }
    bob.log_out().await;
    exhaust(&site, "bob").await;
    let refused = right_log_in(&alice, "bob").await;
    assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS, "an unknown device");
    assert_eq!(right_log_in(&bob, "bob").await, StatusCode::SEE_OTHER);
}
