//! The limits of lists per user and of members per list, and the messages about them.

use futures_util::{StreamExt, TryStreamExt, stream};
use redwing::actions::lists;
use reqwest::StatusCode;

use super::{add, add_form, delete_form, make, remove_form};
use crate::support::{Person, Site, crowd};

#[tokio::test]
async fn a_user_can_have_a_hundred_lists() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    for _ in 0..99 {
        crowd::list(&site.store, uid, &[]).await;
    }
    let last = make(&alice, "The hundredth").await;
    assert_eq!(alice.open("/lists").await.count(".lists a"), 100);
    let form = alice.open("/lists").await.form("/lists");
    let form = form.set("name", "One too many");
    let answer = alice.submit(&form).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = "You have reached the limit of 100 lists.";
    assert_eq!(answer.text("#name-error"), words);
    assert_eq!(answer.form("/lists").value("name"), "One too many");
    let delete = delete_form(&alice, &last).await;
    alice.submit_accepted(&delete).await;
    alice.submit_accepted(&answer.form("/lists")).await;
    let names = alice.open("/lists").await.texts(".lists a");
    assert_eq!((names.len(), names[99].as_str()), (100, "One too many"));
}

#[tokio::test]
async fn a_list_can_have_five_hundred_members() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let people = crowd::people(&site.store, "person", 501).await;
    let list = crowd::list(&site.store, uid, &[]).await;
    let added: Vec<lists::Add> = stream::iter(&people[..499])
        .map(|person| lists::add(&site.store, uid, list.number, *person))
        .buffer_unordered(32)
        .try_collect()
        .await
        .expect("an answer");
    assert!(added.iter().all(|added| *added == lists::Add::Done));
    let path = "/lists/1";
    add(&alice, path, "person_499").await;
    let answer = alice
        .submit(&add_form(&alice, path, "person_500").await)
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = "This list has reached the limit of 500 people.";
    assert_eq!(answer.text("#login-error"), words);
    let form = answer.form("/lists/1/members");
    assert_eq!(form.value("login"), "person_500");
    add(&alice, path, "person_499").await;
    alice
        .submit_accepted(&remove_form(&alice, path).await)
        .await;
    alice.submit_accepted(&form).await;
    assert!(alice.open(path).await.visible_text().contains("500 people"));
    site.assert_sound().await;
}
