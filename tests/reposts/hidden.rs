//! Reposts by a followed person can be hidden.

use reqwest::StatusCode;

use super::{Scene, lines};
use crate::support::Person;

#[tokio::test]
async fn the_reposts_of_one_person_leave_home_and_come_back() {
    let Scene {
        site,
        bob,
        carol,
        id,
        ..
    } = Scene::set(&[]).await;
    bob.press("/@alice", "repost", id).await;
    bob.post("in my own words").await;
    let hide = carol.open("/@bob").await.form("/@bob/reposts/hide");
    for _ in 0..2 {
        carol.submit_accepted(&hide).await;
    }
    assert_eq!(carol.open("/").await.messages(), ["in my own words"]);
    assert_eq!(
        lines(&carol.open("/@bob").await).len(),
        1,
        "the profile stays"
    );
    bob.press("/", "unrepost", id).await;
    bob.press("/@alice", "repost", id).await;
    assert_eq!(carol.open("/").await.messages(), ["in my own words"]);
    site.drain().await;
    site.assert_sound().await;
    let show = carol.open("/@bob").await.form("/@bob/reposts/show");
    for _ in 0..2 {
        carol.submit_accepted(&show).await;
    }
    let home = carol.open("/").await;
    assert_eq!(home.messages(), ["worth telling", "in my own words"]);
    assert!(
        carol
            .open("/@bob")
            .await
            .find_form("/@bob/reposts/hide")
            .is_some()
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn following_a_person_again_shows_their_reposts() {
    let Scene {
        site,
        bob,
        carol,
        id,
        ..
    } = Scene::set(&[]).await;
    bob.press("/@alice", "repost", id).await;
    let hide = carol.open("/@bob").await.form("/@bob/reposts/hide");
    carol.submit_accepted(&hide).await;
    carol.unfollow("bob").await;
    let refused = carol.submit(&hide).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    carol.follow("bob").await;
    assert_eq!(carol.open("/").await.messages(), ["worth telling"]);
    for person in [&bob, &Person::visitor(&site)] {
        let page = person.open("/@bob").await;
        assert!(page.find_form("/@bob/reposts/hide").is_none());
    }
    site.drain().await;
    site.assert_sound().await;
}
