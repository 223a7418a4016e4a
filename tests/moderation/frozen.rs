//! Forms of a frozen person: each has a notice with a link to appeal and cannot be sent. Its text can be copied.

use super::{DECISIONS, decide, report_path, three};
use crate::{
    groups::make,
    support::{Page, Site, ended_session::send_and_log_in},
};

/// Returns whether the page has a form for a text whose button to send works.
fn can_send(page: &Page) -> bool {
    assert!(page.has("main form textarea"), "{}", page.html);
    let has_notice = page.has(&format!("main form a[href=\"{DECISIONS}\"]"));
    let is_locked = page.has("main form fieldset[disabled] [type=submit]:not([name])");
    assert_eq!(has_notice, is_locked, "{}", page.html);
    !is_locked
}

#[tokio::test]
async fn a_notice_is_in_each_form_that_a_frozen_person_cannot_send() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = carol.post("hello").await;
    let own = bob.post("mine").await;
    let pages = [
        "/".to_owned(),
        "/important".to_owned(),
        "/everybody".to_owned(),
        "/compose".to_owned(),
        "/messages/new".to_owned(),
        make(&bob, "birds", &[]).await,
        format!("/@carol/{id}"),
        format!("/statuses/{id}/quote"),
        format!("/statuses/{own}/edit"),
        report_path(id),
    ];
    for page in &pages {
        assert!(can_send(&bob.open(page).await), "{page}");
    }
    decide(&alice, "freeze").await;
    for page in &pages {
        assert!(!can_send(&bob.open(page).await), "{page}");
    }
}

#[tokio::test]
async fn a_text_that_waited_for_the_log_in_of_a_frozen_person_can_be_copied() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let form = bob.open("/").await.form("/statuses");
    let form = form.set("message", "words");
    decide(&alice, "freeze").await;
    let page = send_and_log_in(&site, &bob, &form).await;
    assert!(!can_send(&page));
    assert_eq!(page.form("/statuses").value("message"), "words");
}
