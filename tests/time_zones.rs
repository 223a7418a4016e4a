//! The time zone of a member: pages without scripts show full times in it.

use jiff::{Timestamp, tz::TimeZone};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site};

const PAGE: &str = "/settings/display";

async fn form(person: &Person, zone: &str) -> Form {
    person.open(PAGE).await.form(PAGE).set("zone", zone)
}

/// Returns the full time below the post of a page, and the same time in a zone.
fn full_time(page: &Page, zone: &str) -> (String, String) {
    let time: Timestamp = page.attributes(".full-time time", "datetime")[0]
        .parse()
        .expect("a time");
    let time = time.to_zoned(TimeZone::get(zone).expect("a zone"));
    let due = time.strftime("%-d %B %Y, %H:%M %Z").to_string();
    (page.text(".full-time time"), due)
}

#[tokio::test]
async fn full_times_follow_the_zone_in_all_sessions_of_the_member_and_for_no_one_else() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = alice.post("what time is it?").await;
    bob.press("/@alice", "favourite", id).await;
    let permalink = format!("/@alice/{id}");
    let phone = Person::log_in(&site, "alice").await;
    for zone in ["Asia/Kolkata", "America/New_York", "UTC"] {
        let chosen = form(&alice, zone).await;
        for _ in 0..2 {
            alice.submit_accepted(&chosen).await;
        }
        assert_eq!(alice.open(PAGE).await.form(PAGE).value("zone"), zone);
        for session in [&alice, &phone] {
            let (shown, due) = full_time(&session.open(&permalink).await, zone);
            assert_eq!(shown, due);
            let notifications = session.open("/notifications").await;
            let title = &notifications.attributes(".notifications time", "title")[0];
            let (_, abbreviation) = due.rsplit_once(' ').expect("an abbreviation");
            assert!(title.ends_with(abbreviation), "{title}");
            let edit = session.open(&format!("/statuses/{id}/edit")).await;
            let until = edit.text("[data-clock]");
            assert!(until.ends_with(&format!("{abbreviation}.")), "{until}");
        }
        for other in [&bob, &Person::visitor(&site)] {
            let (shown, due) = full_time(&other.open(&permalink).await, "UTC");
            assert_eq!(shown, due);
        }
    }
}

#[tokio::test]
async fn an_open_form_of_the_theme_keeps_the_zone_of_another_device() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let opened = phone.open(PAGE).await.form(PAGE);
    alice
        .submit_accepted(&form(&alice, "Europe/Berlin").await)
        .await;
    phone.submit_accepted(&opened.set("theme", "dark")).await;
    let shown = phone.open(PAGE).await.form(PAGE);
    assert_eq!(
        (shown.value("theme"), shown.value("zone")),
        ("dark", "Europe/Berlin")
    );
}

#[tokio::test]
async fn a_zone_that_is_not_offered_is_refused() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for zone in ["", "Europe/Atlantis", "EST", "<b>"] {
        let answer = alice.submit(&form(&alice, zone).await).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{zone}");
    }
    assert_eq!(alice.open(PAGE).await.form(PAGE).value("zone"), "UTC");
}
