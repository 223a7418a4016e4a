//! A failed log-in reveals nothing, neither in its text nor in its time.

use std::time::{Duration, Instant};

use reqwest::StatusCode;

use crate::{
    recovery::{make_codes, recover_form},
    support::{Page, Person, Site},
};

/// Returns the text of the page, without parts that always differ between answers.
fn words(page: &Page, login: &str) -> String {
    words_of("/login", page, login)
}

/// Returns the same of a page with a form for this path.
fn words_of(action: &str, page: &Page, login: &str) -> String {
    let id = page.header("x-request-id").unwrap_or("-").to_owned();
    let form = page.form(action);
    page.html
        .replace(&id, "")
        .replace(form.value("csrf_token"), "")
        .replace(login, "LOGIN")
}

#[tokio::test]
async fn an_unknown_login_and_a_wrong_password_get_the_same_answer() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let wrong = visitor.send_log_in("alice", "a wrong guess").await;
    let unknown = visitor.send_log_in("carla", "a wrong guess").await;
    assert_eq!(wrong.status, unknown.status);
    assert_eq!(words(&wrong, "alice"), words(&unknown, "carla"));
}

#[tokio::test]
async fn an_invalid_login_gets_the_same_answer_too() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let unknown = visitor.send_log_in("carla", "a wrong guess").await;
    let impossible = visitor.send_log_in("no-login", "a wrong guess").await;
    assert_eq!(unknown.status, impossible.status);
    assert_eq!(words(&unknown, "carla"), words(&impossible, "no-login"));
}

/// Maximum number of attempts on a machine so busy that the two differ by chance.
const TRIES: usize = 40;

/// Hashing takes more than nine tenths of a log-in. Without it, the fastest answer for an unknown
/// login would be far faster than any that hashes. Other load only slows requests down.
#[tokio::test]
async fn an_unknown_login_takes_as_long_as_a_wrong_password() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let form = visitor
        .open("/login")
        .await
        .form("/login")
        .set("password", "a wrong guess");
    let time = async |login: &str| {
        let form = form.clone().set("login", login);
        let start = Instant::now();
        visitor.submit(&form).await;
        start.elapsed()
    };
    let (mut wrong, mut unknown) = (Duration::MAX, Duration::MAX);
    let alike = |wrong: Duration, unknown: Duration| unknown < wrong * 2 && wrong < unknown * 2;
    for attempt in 0..TRIES {
        wrong = wrong.min(time("alice").await);
        unknown = unknown.min(time("carla").await);
        if attempt >= 3 && alike(wrong, unknown) {
            return;
        }
    }
    panic!("unknown login {unknown:?}, wrong password {wrong:?}");
}

/// A code that nobody has.
const WRONG_CODE: &str = "0000-1111-2222-3333";

#[tokio::test]
async fn a_wrong_code_an_unknown_login_and_a_used_code_get_the_same_answer() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let codes = make_codes(&alice).await;
    let first = Person::visitor(&site);
    let form = recover_form(&first, "alice", &codes[0]).await;
    first.submit_accepted(&form).await;
    let visitor = Person::visitor(&site);
    let mut answers = Vec::new();
    for (login, code) in [
        ("alice", WRONG_CODE),
        ("alice", &codes[0]),
        ("alice", "no code"),
        ("carla", WRONG_CODE),
        ("carla", &codes[1]),
        ("no-login", WRONG_CODE),
    ] {
        let form = recover_form(&visitor, login, code).await;
        let answer = visitor.submit(&form).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        answers.push(words_of("/login/recover", &answer, login));
    }
    for answer in &answers {
        assert_eq!(*answer, answers[0]);
    }
}

#[tokio::test]
async fn an_unknown_login_takes_as_long_as_a_wrong_and_a_used_code() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let codes = make_codes(&alice).await;
    let first = Person::visitor(&site);
    let form = recover_form(&first, "alice", &codes[0]).await;
    first.submit_accepted(&form).await;
    let visitor = Person::visitor(&site);
    let time = async |login: &str, code: &str| {
        let form = recover_form(&visitor, login, code).await;
        let start = Instant::now();
        visitor.submit(&form).await;
        start.elapsed()
    };
    let mut fastest = [Duration::MAX; 3];
    for attempt in 0..TRIES {
        let times = [
            time("alice", WRONG_CODE).await,
            time("alice", &codes[0]).await,
            time("carla", WRONG_CODE).await,
        ];
        for (least, time) in fastest.iter_mut().zip(times) {
            *least = time.min(*least);
        }
        let (least, most) = (fastest.iter().min(), fastest.iter().max());
        let alike = least
            .zip(most)
            .is_some_and(|(least, most)| *most < *least * 2);
        if attempt >= 3 && alike {
            return;
        }
    }
    panic!("wrong, used, unknown: {fastest:?}");
}
