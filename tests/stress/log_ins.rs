//! Very many concurrent log-ins: a bounded number is hashed, the others are asked to try again, and
//! pages are still answered.

use std::time::Instant;

use tokio::task::JoinSet;

use super::idle::{memory_of, time_of};
use crate::support::{
    Form, PASSWORD, Person,
    process::{Home, ORIGIN},
    request::client,
};

const AT_ONCE: usize = 200;

/// Opens the page to log in, and tries again as long as the site asks for it.
async fn log_in_form(visitor: &Person) -> Form {
    loop {
        let page = visitor.get("/login").await;
        if page.status != 503 {
            return page.form("/login");
        }
        assert_eq!(page.header("retry-after"), Some("5"));
        tokio::task::yield_now().await;
    }
}

/// Logs in, and tries again as long as the site asks for it.
async fn log_in(base: String, password: &'static str) -> (Person, Vec<u16>) {
    let visitor = Person::at(client(), &base, ORIGIN);
    let form = log_in_form(&visitor).await;
    let mut form = form.set("login", "alice").set("password", password);
    let mut statuses = Vec::new();
    loop {
        let page = visitor.submit(&form).await;
        statuses.push(page.status.as_u16());
        if page.status != 503 {
            return (visitor, statuses);
        }
        assert_eq!(page.header("retry-after"), Some("5"));
        form = page.form("/login");
        assert_eq!(form.value("login"), "alice", "the form comes back");
        form = form.set("password", password);
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn two_hundred_concurrent_log_ins_delay_no_one_and_the_valid_ones_succeed() {
    let home = Home::new();
    let site = home.serve(&["--log-ins-per-quarter", "1000000", "--max-sessions", "1000"]);
    let alice = site.sign_up("alice").await;
    alice.post("hello").await;
    let before = memory_of(&site, "VmRSS");
    let mut trying = JoinSet::new();
    for number in 0..AT_ONCE {
        let password = if number % 4 == 0 {
            PASSWORD
        } else {
            "a wrong guess"
        };
        trying.spawn(log_in(site.base.clone(), password));
    }
    let (mut times, mut tries, mut let_in) = (Vec::new(), Vec::new(), 0);
    let since = Instant::now();
    while !trying.is_empty() {
        while let Some(tried) = trying.try_join_next() {
            let (person, statuses) = tried.expect("it is answered");
            let_in += usize::from(person.cookies.session().is_some());
            tries.extend(statuses);
        }
        times.push(time_of(&alice, "/healthz").await);
        times.push(time_of(&alice, "/").await);
    }
    let (took, peak) = (since.elapsed(), memory_of(&site, "VmHWM"));
    let after = memory_of(&site, "VmRSS");
    let told_to_come_back = tries.iter().filter(|status| **status == 503).count();
    times.sort_unstable();
    eprintln!(
        "RSS {before} before, peak {peak}, {after} after; {took:?}; 503: {told_to_come_back} of {}; pages: \
         median {:?}, slowest {:?}",
        tries.len(),
        times[times.len() / 2],
        times[times.len() - 1]
    );
    assert_eq!(
        let_in,
        AT_ONCE / 4,
        "all valid passwords and no others succeed"
    );
    assert!(told_to_come_back > 0, "the queue is bounded");
    assert!(peak < before + 150_000_000, "{peak} bytes");
    let one_hash = 19 * 1024 * 1024;
    assert!(after < before + one_hash, "{after} bytes, {before} before");
    assert!(
        times[times.len() / 2] * 4 < took,
        "pages do not wait for all the log-ins: {times:?}"
    );
}
