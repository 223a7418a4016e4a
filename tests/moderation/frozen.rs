//! Forms of a frozen person: words with the way to appeal are in the place of what the site would refuse.

use super::{DECISIONS, decide, given_back::send_and_log_in, report_path, three};
use crate::{
    groups::make,
    support::{Page, Site},
};

fn has_words(page: &Page) -> bool {
    page.has(&format!("main .compose a[href=\"{DECISIONS}\"]"))
}

#[tokio::test]
async fn words_are_in_the_place_of_each_form_that_a_frozen_person_cannot_send() {
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
        report_path(id),
    ];
    for page in &pages {
        let shown = bob.open(page).await;
        assert!(shown.has("main textarea") && !has_words(&shown), "{page}");
    }
    decide(&alice, "freeze").await;
    for page in &pages {
        let shown = bob.open(page).await;
        assert!(!shown.has("main textarea") && has_words(&shown), "{page}");
    }
    let edit = bob.open(&format!("/statuses/{own}/edit")).await;
    assert!(edit.has("main textarea") && has_words(&edit));
}

#[tokio::test]
async fn a_text_that_waited_for_the_log_in_of_a_frozen_person_can_be_copied() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let form = bob.open("/").await.form("/statuses");
    let form = form.set("message", "words");
    decide(&alice, "freeze").await;
    let page = send_and_log_in(&site, &bob, &form).await;
    assert!(has_words(&page), "{}", page.html);
    assert_eq!(page.form("/statuses").value("message"), "words");
}
