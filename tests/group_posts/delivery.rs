//! A post in a group comes to the homes of members who want it there, and leaves them with the membership.

use redwing::{
    actions::{fan_out, homes, lists},
    domain::{
        Audience, Delivery, FanOutProgress, GroupAct, GroupKind, ListName, StatusId, Task,
        Timeline, UserId,
    },
    store::{Begin, Mark, Store},
};

use super::group_of;
use crate::support::{
    core::Core,
    crowd::{self, delete, follow, follow_tag, member, people},
    groups::{self, act, deliver_to, event, join, leave, post},
};

const AT_ANY_AGE: [&str; 2] = ["--group-age-days", "0"];

/// Returns the ids that are stored on a home.
async fn stored(store: &Store, home: UserId) -> Vec<StatusId> {
    let ids = store.timeline_ids(Timeline::Home(home)).await;
    ids.expect("an answer")
}

/// Opens the homes of these people, so that posts come to them.
async fn open_homes(store: &Store, people: &[UserId]) {
    for person in people {
        crowd::home(store, *person).await;
    }
}

#[tokio::test]
async fn a_post_comes_to_members_by_the_group_alone_and_a_reply_to_no_home() {
    let core = Core::with(&AT_ANY_AGE);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let [at_home, on_page, follower, by_tag, apart] =
        people(store, "person", 5).await.try_into().expect("five");
    let group = group_of(store, GroupKind::Public, owner, &[at_home, on_page, apart]).await;
    deliver_to(store, group, on_page, Delivery::Page).await;
    for reader in [on_page, follower] {
        follow(store, reader, owner).await;
    }
    follow_tag(store, by_tag, "birds").await;
    let list = crowd::list(store, follower, &[owner]).await;
    let exclusive = crowd::list(store, apart, &[owner]).await;
    let name = ListName::parse("Apart").expect("valid");
    let edited = lists::edit(store, apart, exclusive.number, &name, true).await;
    edited.expect("an answer");
    open_homes(store, &[owner, at_home, on_page, follower, by_tag, apart]).await;
    let id = post(store, group, owner, "to the group #birds").await;
    let reply = crowd::reply(store, at_home, id, "a reply").await;
    core.drain().await;
    assert_eq!(stored(store, owner).await, [id]);
    assert_eq!(
        stored(store, at_home).await,
        [reply, id],
        "own statuses too"
    );
    for other in [on_page, follower, by_tag, apart] {
        assert!(stored(store, other).await.is_empty(), "{other}");
    }
    assert!(crowd::list_ids(store, list).await.is_empty());
    core.assert_sound().await;
}

#[tokio::test]
async fn a_member_of_an_exclusive_list_leaves_a_home_that_has_them_by_a_group_alone() {
    let core = Core::with(&AT_ANY_AGE);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let [reader, author] = people(store, "person", 2).await.try_into().expect("two");
    let group = group_of(store, GroupKind::Public, owner, &[reader, author]).await;
    let list = crowd::list(store, reader, &[]).await;
    let name = ListName::parse("Apart").expect("valid");
    let edited = lists::edit(store, reader, list.number, &name, true).await;
    edited.expect("an answer");
    open_homes(store, &[reader]).await;
    let id = post(store, group, author, "to the group").await;
    assert_eq!(stored(store, reader).await, [id]);
    let added = lists::add(store, reader, list.number, author).await;
    added.expect("an answer");
    assert!(stored(store, reader).await.is_empty());
    core.assert_sound().await;
    let removed = lists::remove(store, reader, list.number, author).await;
    removed.expect("an answer");
    assert_eq!(crowd::home(store, reader).await, ["to the group"]);
    core.assert_sound().await;
}

#[tokio::test]
async fn joining_brings_the_newest_posts_and_leaving_or_removal_takes_them_away() {
    let core = Core::with(&AT_ANY_AGE);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let [leaver, removed, banned, turned] =
        people(store, "person", 4).await.try_into().expect("four");
    let all = [leaver, removed, banned, turned];
    let group = group_of(store, GroupKind::Private, owner, &[]).await;
    let other_group = group_of(store, GroupKind::Public, owner, &all).await;
    open_homes(store, &all).await;
    let id = post(store, group, owner, "before they joined").await;
    let other = post(store, other_group, owner, "in another group").await;
    for person in all {
        join(store, group, person).await;
        let mut home = stored(store, person).await;
        home.sort_unstable();
        assert_eq!(home, [id, other], "joined");
    }
    let own = post(store, group, leaver, "their own").await;
    leave(store, group, leaver).await;
    act(store, group, owner, GroupAct::Remove(event(removed))).await;
    act(store, group, owner, GroupAct::Ban(event(banned))).await;
    deliver_to(store, group, turned, Delivery::Page).await;
    assert_eq!(
        stored(store, leaver).await,
        [own, other],
        "authors keep theirs"
    );
    for person in [removed, banned, turned] {
        assert_eq!(stored(store, person).await, [other], "{person}");
    }
    // A pass that is under way brings nothing back.
    let call = store.begin().await.expect("an answer");
    let pass = fan_out::deliver_pass(store, &call, own, FanOutProgress::START).await;
    pass.expect("an answer");
    core.drain().await;
    for person in [removed, banned, turned] {
        assert_eq!(stored(store, person).await, [other], "{person}");
    }
    deliver_to(store, group, turned, Delivery::Home).await;
    assert_eq!(
        stored(store, turned).await,
        [other, own, id]
            .into_iter()
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
    );
    core.assert_sound().await;
}

#[tokio::test]
async fn passes_serve_the_group_and_a_deletion_leaves_every_home() {
    let core = Core::with(&["--group-age-days", "0", "--pass-size", "2"]);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let members = people(store, "person", 5).await;
    let group = group_of(store, GroupKind::Private, owner, &members).await;
    open_homes(store, &members).await;
    let kept = post(store, group, owner, "stays").await;
    core.drain().await;
    for passes in 0..=3 {
        let id = post(store, group, owner, "on its way").await;
        let mut next = Some(FanOutProgress::START);
        for _ in 0..passes {
            let from = next.expect("six homes are three passes");
            let call = store.begin().await.expect("an answer");
            let pass = fan_out::deliver_pass(store, &call, id, from).await;
            next = match pass.expect("an answer") {
                Some(Task::Deliver { from, .. }) => Some(from),
                other => {
                    assert_eq!(other, None);
                    None
                }
            };
            if let Some(next) = next {
                assert_eq!(next.audience, Audience::Group);
            }
        }
        delete(store, owner, id).await;
        if let Some(from) = next {
            let call = store.begin().await.expect("an answer");
            let late = fan_out::deliver_pass(store, &call, id, from).await;
            assert!(matches!(late, Ok(Some(Task::Withdraw { .. }))), "{late:?}");
        }
        core.drain().await;
        for person in members.iter().chain([&owner]) {
            assert_eq!(
                stored(store, *person).await,
                [kept],
                "after {passes} passes"
            );
        }
        assert_eq!(
            super::page_of(store, redwing::store::Viewer::Member(owner), group).await,
            [kept]
        );
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn a_home_is_rebuilt_and_read_on_below_its_floor_with_the_posts_of_groups() {
    let core = Core::with(&["--group-age-days", "0", "--home-size", "40"]);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let [reader, author] = people(store, "person", 2).await.try_into().expect("two");
    let group = group_of(store, GroupKind::Private, owner, &[reader]).await;
    follow(store, reader, author).await;
    open_homes(store, &[reader]).await;
    let (mut due, mut by_author) = (Vec::new(), Vec::new());
    for number in 0..50 {
        due.push(post(store, group, owner, &format!("in the group {number}")).await);
        by_author.push(crowd::post(store, author, &format!("by an author {number}")).await);
    }
    due.extend(&by_author);
    by_author.reverse();
    // Posts of the same millisecond are ordered by their ids.
    due.sort_unstable();
    due.reverse();
    core.drain().await;
    let home = Timeline::Home(reader);
    let mark = store.mark(home).await.expect("an answer");
    assert!(matches!(mark, (Mark::Floor(1..), _)), "{mark:?}");
    assert_eq!(crowd::timeline(store, home).await, due);
    homes::rebuild(store, home, Begin::Wrong)
        .await
        .expect("an answer");
    assert_eq!(crowd::timeline(store, home).await, due);
    // A home that loses the posts of a group is filled again.
    leave(store, group, reader).await;
    core.drain().await;
    assert_eq!(crowd::timeline(store, home).await, by_author);
    join(store, group, reader).await;
    assert_eq!(crowd::timeline(store, home).await, due);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_deleted_group_leaves_the_homes_and_its_posts_to_the_authors() {
    let core = Core::with(&AT_ANY_AGE);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let reader = member(store, "reader").await;
    let draft = groups::draft("birds", GroupKind::Private);
    let group = groups::found(store, owner, &draft).await;
    join(store, group, reader).await;
    open_homes(store, &[reader]).await;
    let id = post(store, group, owner, "for the group").await;
    core.drain().await;
    assert_eq!(stored(store, reader).await, [id]);
    let deleted = redwing::actions::groups::delete(store, owner, (group, &draft.slug)).await;
    assert!(deleted.expect("an answer"));
    core.drain().await;
    assert!(stored(store, reader).await.is_empty());
    for (viewer, sees) in [(owner, true), (reader, false)] {
        let viewer = redwing::store::Viewer::Member(viewer);
        let seen = store.status(viewer, id).await.expect("an answer");
        assert_eq!(seen.is_some(), sees);
    }
    core.assert_sound().await;
}
