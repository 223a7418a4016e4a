//! The limits of groups, exact also if many come at once.

use futures_util::future::join_all;
use redwing::{
    actions::groups::{self, Join},
    domain::Joining,
};
use reqwest::StatusCode;

use super::{alice_and_bob, found, is_member, make};
use crate::support::{Site, core::Core, crowd};

#[tokio::test]
async fn a_group_never_has_more_members_than_its_limit() {
    let core = Core::with(&["--max-group-members", "4"]);
    let store = &core.store;
    let people = crowd::people(store, "person", 9).await;
    let group = found(store, people[0], "birds", Joining::Open).await;
    let joins = people[1..]
        .iter()
        .map(|person| groups::join(store, *person, group));
    let joins = join_all(joins).await;
    let joined = joins
        .iter()
        .filter(|one| matches!(one, Ok(Join::Joined)))
        .count();
    assert_eq!(joined, 3, "{joins:?}");
    let row = store
        .group(group)
        .await
        .expect("an answer")
        .expect("a group");
    assert_eq!(row.members, 4);
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_person_never_belongs_to_more_groups_than_the_limit() {
    let core = Core::with(&["--max-groups", "3"]);
    let store = &core.store;
    let people = crowd::people(store, "person", 8).await;
    let mut all = Vec::new();
    for (number, person) in people[1..].iter().enumerate() {
        all.push(found(store, *person, &format!("group-{number}"), Joining::Open).await);
    }
    let joins = all
        .iter()
        .map(|group| groups::join(store, people[0], *group));
    let joins = join_all(joins).await;
    let joined = joins
        .iter()
        .filter(|one| matches!(one, Ok(Join::Joined)))
        .count();
    let mut members = 0;
    for group in &all {
        members += usize::from(is_member(store, *group, people[0]).await);
    }
    assert_eq!((joined, members), (3, 3), "{joins:?}");
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn the_limits_are_explained() {
    let site = Site::with(&["--max-groups", "1", "--max-group-members", "1"]).await;
    let (alice, bob) = alice_and_bob(&site).await;
    let boats = super::found_form(&alice, "boats", &[]).await;
    let group = make(&alice, "birds", &[]).await;
    let form = bob.open(&group).await.form(&format!("{group}/join"));
    let full = bob.submit(&form).await;
    assert_eq!(full.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(full.visible_text().contains("limit of 1 members"));
    let page = alice.open("/groups/new").await;
    assert!(page.visible_text().contains("limit of 1 groups"));
    assert!(page.find_form("/groups/new").is_none());
    let many = alice.submit(&boats).await;
    assert_eq!(many.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(many.visible_text().contains("limit of 1 groups"));
    site.drain().await;
    site.assert_sound().await;
    assert!(
        alice.open("/groups").await.count(".groups > li") == 1,
        "boats was not founded"
    );
}
