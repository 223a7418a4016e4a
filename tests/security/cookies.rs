//! The session cookie: its attributes, and a new value at each log-in.

use crate::support::{
    PASSWORD, Person, Site,
    cookies::{SetCookie, set_cookies},
    page::Page,
};

const PUBLIC_URL: &str = "https://red.example";

/// Returns every cookie that signing up and logging in set.
async fn cookies_of(site: &Site) -> Vec<SetCookie> {
    let visitor = Person::visitor(site);
    let form = visitor.open("/signup").await;
    let filled = form
        .form("/signup")
        .set("login", "alice")
        .set("name", "Alice")
        .set("password", PASSWORD);
    let answers: [Page; 2] = [form, visitor.submit_accepted(&filled).await];
    answers
        .iter()
        .flat_map(|page| set_cookies(&page.headers))
        .filter(|cookie| !cookie.value.is_empty())
        .collect()
}

/// A host cookie must have the path "/". The device cookie is sent to the log-in only.
#[tokio::test]
async fn on_https_every_cookie_is_secure_and_all_but_the_device_cookie_are_host_cookies() {
    let site = Site::at(PUBLIC_URL).await;
    let cookies = cookies_of(&site).await;
    assert_eq!(cookies.len(), 4, "{cookies:?}");
    for cookie in &cookies {
        let (prefix, path) = match cookie.name.ends_with("redwing-device") {
            true => ("__Secure-", "/login"),
            false => ("__Host-", "/"),
        };
        assert!(cookie.name.starts_with(prefix), "{cookie:?}");
        assert!(cookie.attribute("secure").is_some(), "{cookie:?}");
        assert_eq!(cookie.attribute("path"), Some(path), "{cookie:?}");
        assert_eq!(cookie.attribute("domain"), None, "{cookie:?}");
    }
}

#[tokio::test]
async fn a_visitor_who_never_logged_in_gets_no_device_cookie() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    visitor.send_log_in("alice", "a wrong guess").await;
    let cookies = visitor.cookies.all();
    assert!(!cookies.is_empty());
    for (name, _) in cookies {
        assert!(!name.ends_with("redwing-device"));
    }
}

#[tokio::test]
async fn on_plain_http_to_this_machine_cookies_have_neither_prefix_nor_secure() {
    let site = Site::start().await;
    let cookies = cookies_of(&site).await;
    assert!(!cookies.is_empty());
    for cookie in &cookies {
        assert!(!cookie.name.starts_with("__"), "{cookie:?}");
        assert_eq!(
            cookie.attribute("secure"),
            None,
            "a browser would drop it: {cookie:?}"
        );
    }
}

#[tokio::test]
async fn every_cookie_is_http_only_and_lax_wherever_the_site_is() {
    for site in [Site::start().await, Site::at(PUBLIC_URL).await] {
        for cookie in cookies_of(&site).await {
            assert!(cookie.attribute("httponly").is_some(), "{cookie:?}");
            assert_eq!(cookie.attribute("samesite"), Some("Lax"), "{cookie:?}");
        }
    }
}

#[tokio::test]
async fn a_cookie_planted_before_the_log_in_does_not_become_the_session() {
    let site = Site::start().await;
    let mallory = Person::sign_up(&site, "mallory").await;
    let planted = mallory.cookies.all();
    Person::sign_up(&site, "alice").await;
    let victim = Person::visitor(&site);
    victim.cookies.replace(planted);
    mallory.log_out().await;
    victim.send_log_in("alice", PASSWORD).await;
    assert!(victim.is_logged_in().await);
    assert!(
        !mallory.is_logged_in().await,
        "the value that was planted opens nothing"
    );
}

#[tokio::test]
async fn each_log_in_has_a_session_of_its_own() {
    let site = Site::start().await;
    let first = Person::sign_up(&site, "alice").await;
    let second = Person::log_in(&site, "alice").await;
    let third = Person::log_in(&site, "alice").await;
    let mut values = [&first, &second, &third]
        .map(|person| person.cookies.session().expect("there is a session"));
    values.sort();
    assert!(values[0] != values[1] && values[1] != values[2]);
}

#[tokio::test]
async fn logging_in_again_ends_the_session_that_was_there() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let before = Person::visitor(&site);
    before.cookies.replace(alice.cookies.all());
    let page = alice.get("/login").await;
    if page.find_form("/login").is_some() {
        alice.send_log_in("alice", PASSWORD).await;
    } else {
        alice.log_out().await;
    }
    assert!(!before.is_logged_in().await);
}

#[tokio::test]
async fn a_session_cookie_that_was_tampered_with_opens_nothing() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let cookies = alice.cookies.all();
    let thief = Person::visitor(&site);
    let value = alice.cookies.session().expect("there is a session");
    let mut flipped = value.clone().into_bytes();
    let middle = flipped.len() / 2;
    flipped[middle] = if flipped[middle] == b'A' { b'B' } else { b'A' };
    let variants = [
        String::from_utf8(flipped).expect("cookies are ASCII"),
        value[1..].to_owned(),
        "1.x".to_owned(),
    ];
    for variant in variants {
        let forged = cookies.iter().map(|(name, old)| {
            (
                name.clone(),
                if *old == value {
                    variant.clone()
                } else {
                    old.clone()
                },
            )
        });
        thief.cookies.replace(forged.collect());
        assert!(!thief.is_logged_in().await, "{variant}");
    }
}

#[tokio::test]
async fn a_log_out_takes_the_cookie_away() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    assert!(alice.cookies.session().is_some());
    alice.log_out().await;
    assert_eq!(alice.cookies.session(), None);
}
