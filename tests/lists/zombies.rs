//! A deleted status leaves every home and list that it reached, in passes, even during a fan-out.
//! While it is still stored there, no reader sees it, a gap or a short page.

use futures_util::future::join;
use redwing::{
    actions::{fan_out, statuses},
    domain::{FanOutProgress, ListId, StatusId, Task, Timeline, UserId},
};

use super::{add, make};
use crate::support::{Person, Site, crowd};

/// Creates an author with four followers, who each have a list with the author.
async fn audience(site: &Site) -> (UserId, Vec<Timeline>) {
    let author = crowd::member(&site.store, "author").await;
    let readers = crowd::followers(&site.store, author, 4).await;
    let mut timelines: Vec<Timeline> = readers.iter().copied().map(Timeline::Home).collect();
    for reader in readers {
        let list: ListId = crowd::list(&site.store, reader, &[author]).await;
        timelines.push(Timeline::List(list));
    }
    (author, timelines)
}

/// Returns the timelines on which a status is stored, visible or not.
async fn timelines_with(site: &Site, timelines: &[Timeline], id: StatusId) -> Vec<Timeline> {
    let mut found = Vec::new();
    for timeline in timelines {
        let ids = site.store.timeline_ids(*timeline).await;
        if ids.expect("an answer").contains(&id) {
            found.push(*timeline);
        }
    }
    found
}

#[tokio::test]
async fn a_deletion_leaves_every_home_and_list_that_the_post_reached() {
    let site = Site::with(&["--pass-size", "3"]).await;
    let (author, timelines) = audience(&site).await;
    let kept = crowd::post(&site.store, author, "stays").await;
    let id = crowd::post(&site.store, author, "goes").await;
    site.drain().await;
    assert_eq!(timelines_with(&site, &timelines, id).await, timelines);
    let deleted = statuses::delete(&site.store, author, id).await;
    deleted.expect("an answer");
    let left = timelines_with(&site, &timelines, id).await.len();
    assert!(
        (1..=8).contains(&left),
        "the rest is done in passes: {left}"
    );
    site.drain().await;
    assert_eq!(timelines_with(&site, &timelines, id).await, []);
    assert_eq!(timelines_with(&site, &timelines, kept).await, timelines);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_deletion_between_any_two_passes_leaves_it_nowhere() {
    let site = Site::with(&["--pass-size", "2"]).await;
    let store = &site.store;
    let (author, timelines) = audience(&site).await;
    for passes in 0..=4 {
        let id = crowd::post(store, author, "on its way").await;
        let mut next = Some(FanOutProgress::START);
        for _ in 0..passes {
            let from = next.expect("eight timelines are four passes");
            let call = store.begin().await.expect("an answer");
            let pass = fan_out::deliver_pass(store, &call, id, from).await;
            next = match pass.expect("an answer") {
                Some(Task::Deliver { from, .. }) => Some(from),
                other => {
                    assert_eq!(other, None);
                    None
                }
            };
        }
        let reached = timelines_with(&site, &timelines, id).await.len();
        assert_eq!(reached, 2 * passes.max(1), "after {passes} passes");
        let deleted = statuses::delete(store, author, id).await;
        deleted.expect("an answer");
        if let Some(from) = next {
            let call = store.begin().await.expect("an answer");
            let late = fan_out::deliver_pass(store, &call, id, from).await;
            assert!(matches!(late, Ok(Some(Task::Withdraw { .. }))), "{late:?}");
        }
        site.drain().await;
        assert_eq!(timelines_with(&site, &timelines, id).await, [], "{passes}");
    }
    site.assert_sound().await;
}

/// Creates two readers with a list each, where one pass serves one timeline, and 75 posts, oldest
/// first.
async fn readers(site: &Site) -> (UserId, [Person; 2], Vec<StatusId>) {
    let author = crowd::member(&site.store, "author").await;
    let readers = [
        Person::sign_up(site, "alice").await,
        Person::sign_up(site, "bob").await,
    ];
    for reader in &readers {
        reader.follow("author").await;
        let list = make(reader, "The same").await;
        add(reader, &list, "author").await;
        reader.open(&list).await;
    }
    let ids = crowd::posts(&site.store, author, 75).await;
    site.drain().await;
    (author, readers, ids)
}

/// Checks that every page of both homes and both lists is full, and that together they hold exactly
/// these statuses.
async fn assert_whole(readers: &[Person], due: &[u64], when: &str) {
    for reader in readers {
        for path in ["/", "/lists/1"] {
            let pages = reader.pages(path).await;
            let sizes: Vec<usize> = pages.iter().map(|page| page.status_ids().len()).collect();
            let (last, full) = sizes.split_last().expect("a page");
            assert!(full.iter().all(|size| *size == 30), "{when}: {sizes:?}");
            assert_eq!(*last, due.len() - 30 * full.len(), "{when}: {sizes:?}");
            let shown: Vec<u64> = pages.iter().flat_map(|page| page.status_ids()).collect();
            assert_eq!(shown, due, "{when} {} {path}", reader.login);
        }
    }
}

#[tokio::test]
async fn pages_stay_full_while_passes_remove_deleted_posts() {
    let site = Site::with(&["--pass-size", "1"]).await;
    let store = &site.store;
    let (author, readers, ids) = readers(&site).await;
    let gone = [&ids[5..8], &ids[30..60], &ids[70..75]].concat();
    for id in &gone {
        statuses::delete(store, author, *id)
            .await
            .expect("an answer");
    }
    let living = ids.iter().rev().filter(|id| !gone.contains(id));
    let due: Vec<u64> = living.map(|id| id.get()).collect();
    let bob = crowd::uid(store, "bob").await;
    let left = store.timeline_ids(Timeline::Home(bob)).await;
    assert_eq!(left.expect("an answer").len(), ids.len(), "not reached yet");
    assert_whole(&readers, &due, "before any worker ran").await;
    let mut next = Some(FanOutProgress::START);
    while let Some(from) = next {
        let mut on = None;
        for id in &gone {
            let pass = fan_out::withdraw_pass(store, *id, from).await;
            on = match pass.expect("an answer") {
                Some(Task::Withdraw { from, .. }) => Some(from),
                other => {
                    assert_eq!(other, None);
                    None
                }
            };
        }
        assert_whole(&readers, &due, &format!("after the pass from {from:?}")).await;
        next = on;
    }
    site.drain().await;
    assert_whole(&readers, &due, "at the end").await;
    site.assert_sound().await;
}

#[tokio::test]
async fn readers_see_full_pages_while_posts_are_deleted() {
    let site = Site::with(&["--pass-size", "1"]).await;
    let (author, readers, ids) = readers(&site).await;
    let delete = async {
        for id in ids[20..75].iter().rev().step_by(2) {
            let deleted = statuses::delete(&site.store, author, *id).await;
            deleted.expect("an answer");
            site.drain().await;
        }
    };
    let (stays, end) = (&ids[..20], std::cell::Cell::new(false));
    let read = async {
        while !end.get() {
            for reader in &readers {
                for path in ["/", "/lists/1"] {
                    let page = reader.open(path).await.status_ids();
                    assert_eq!(page.len(), 30, "{path}");
                    assert!(page.is_sorted_by(|newer, older| newer > older));
                }
                let all = reader.ids("/lists/1").await;
                assert!(stays.iter().all(|id| all.contains(&id.get())));
            }
        }
    };
    let deleting = async {
        delete.await;
        end.set(true);
    };
    join(deleting, read).await;
    site.assert_sound().await;
}
