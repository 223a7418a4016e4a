//! Posts to many followers: several passes of the worker, and changes between two passes.

mod progress;
mod shares;
mod slow;

use redwing::{
    actions::{
        follows,
        statuses::{self, Delete},
    },
    domain::{Audience, FanOutProgress, StatusHeader, StatusId, Timeline, UserId},
    store::{Fuse, Store},
    worker,
};
use tokio::sync::watch;

use crate::support::{
    Person, Site,
    core::Core,
    crowd::{self, readers_who_see},
    waiting::eventually,
};

/// Settings for several passes with few people.
const SMALL_PASSES: [&str; 2] = ["--pass-size", "20"];
const SMALL_CROWD: usize = 70;

#[tokio::test]
async fn a_post_reaches_2500_followers_in_passes() {
    let site = Site::start().await;
    let author = crowd::member(&site.store, "author").await;
    let followers = crowd::followers(&site.store, author, 2500).await;
    let id = crowd::post(&site.store, author, "to all of you").await;
    let at_once = readers_who_see(&site.store, &followers, id).await.len();
    assert_eq!(at_once, 100, "the first pass runs within the call");
    site.drain().await;
    assert_eq!(
        readers_who_see(&site.store, &followers, id).await.len(),
        2500
    );
    let deleted = statuses::delete(&site.store, author, id)
        .await
        .expect("the store answers");
    assert!(matches!(deleted, Delete::Deleted));
    site.drain().await;
    assert!(
        readers_who_see(&site.store, &followers, id)
            .await
            .is_empty()
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn a_delete_between_two_passes_leaves_no_zombie() {
    let site = Site::with(&SMALL_PASSES).await;
    let author = crowd::member(&site.store, "author").await;
    let followers = crowd::followers(&site.store, author, SMALL_CROWD).await;
    let kept = crowd::post(&site.store, author, "stays").await;
    let id = crowd::post(&site.store, author, "goes").await;
    statuses::delete(&site.store, author, id)
        .await
        .expect("the store answers");
    site.drain().await;
    assert!(
        readers_who_see(&site.store, &followers, id)
            .await
            .is_empty()
    );
    assert_eq!(
        readers_who_see(&site.store, &followers, kept).await.len(),
        SMALL_CROWD
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn an_unfollow_is_never_overtaken_by_a_post_in_flight() {
    let site = Site::with(&SMALL_PASSES).await;
    let author = crowd::member(&site.store, "author").await;
    let followers = crowd::followers(&site.store, author, SMALL_CROWD).await;
    let id = crowd::post(&site.store, author, "in flight").await;
    let (gone, staying) = followers.split_at(SMALL_CROWD / 2);
    for follower in gone {
        follows::unfollow(&site.store, *follower, author)
            .await
            .expect("the store answers");
    }
    site.drain().await;
    assert!(readers_who_see(&site.store, gone, id).await.is_empty());
    assert_eq!(
        readers_who_see(&site.store, staying, id).await.len(),
        staying.len()
    );
    site.assert_sound().await;
}

/// Replays, step by step, an order of events that a race rarely shows.
#[tokio::test]
async fn a_pass_that_read_the_followers_before_an_unfollow_does_not_deliver_after_it() {
    let site = Site::start().await;
    let author = crowd::member(&site.store, "author").await;
    let followers = crowd::followers(&site.store, author, 2).await;
    let (gone, staying) = followers.split_at(1);
    let store = &site.store;
    let id = crowd::post(store, author, "in flight").await;
    let read = store
        .timelines_from((id, &StatusHeader::of(author)), FanOutProgress::START, 1000)
        .await
        .expect("Redis is there");
    follows::unfollow(store, gone[0], author)
        .await
        .expect("Redis is there");
    let call = store.begin().await.expect("Redis is there");
    store
        .deliver(&call, (id, &StatusHeader::of(author)), &read.timelines)
        .await
        .expect("Redis is there");
    assert_eq!(read.timelines.len(), 2);
    assert_eq!(readers_who_see(store, &followers, id).await, staying);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_follow_between_two_passes_delivers_the_post_once() {
    let site = Site::with(&SMALL_PASSES).await;
    let author = crowd::member(&site.store, "author").await;
    crowd::followers(&site.store, author, SMALL_CROWD).await;
    let late = Person::sign_up(&site, "late").await;
    let id = crowd::post(&site.store, author, "in flight").await;
    late.follow("author").await;
    site.drain().await;
    assert_eq!(late.home_ids().await, [id.get()]);
    site.assert_sound().await;
}

#[tokio::test]
async fn passes_of_many_posts_at_once_deliver_each_once() {
    let site = Site::with(&SMALL_PASSES).await;
    let reader = Person::sign_up(&site, "reader").await;
    let author = crowd::member(&site.store, "author").await;
    reader.follow("author").await;
    crowd::followers(&site.store, author, SMALL_CROWD).await;
    let mut expected: Vec<u64> = crowd::posts(&site.store, author, 35)
        .await
        .iter()
        .map(|id| id.get())
        .collect();
    expected.reverse();
    site.drain().await;
    assert_eq!(reader.home_ids().await, expected);
}

#[tokio::test]
async fn draining_twice_changes_nothing() {
    let site = Site::with(&SMALL_PASSES).await;
    let author = crowd::member(&site.store, "author").await;
    let followers = crowd::followers(&site.store, author, SMALL_CROWD).await;
    let id = crowd::post(&site.store, author, "once").await;
    site.drain().await;
    site.drain().await;
    assert_eq!(
        readers_who_see(&site.store, &followers, id).await.len(),
        SMALL_CROWD
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn a_page_is_full_although_many_of_the_newest_were_deleted() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let ids = crowd::posts(&site.store, uid, 100).await;
    for id in &ids[40..95] {
        statuses::delete(&site.store, uid, *id)
            .await
            .expect("the store answers");
    }
    let expected: Vec<u64> = ids[95..]
        .iter()
        .rev()
        .chain(ids[15..40].iter().rev())
        .map(|id| id.get())
        .collect();
    for path in ["/", "/@alice"] {
        let page = alice.open(path).await;
        assert_eq!(
            page.status_ids(),
            expected,
            "{path}: deleted posts do not count towards its thirty"
        );
    }
}

#[tokio::test]
async fn a_worker_beside_the_site_makes_the_passes_by_itself() {
    let site = Site::with(&SMALL_PASSES).await;
    let author = crowd::member(&site.store, "author").await;
    let followers = crowd::followers(&site.store, author, SMALL_CROWD).await;
    let (stop, stopped) = watch::channel(false);
    let working = tokio::spawn(worker::run(site.store.fork(), stopped));
    let id = crowd::post(&site.store, author, "for the worker").await;
    eventually("every follower has the post", async || {
        readers_who_see(&site.store, &followers, id).await.len() == SMALL_CROWD
    })
    .await;
    stop.send(true).expect("the worker listens");
    working
        .await
        .expect("the worker ends when it is asked to stop");
}

/// Creates an author with a follower, a list and three readers, who follow 20 tags and the author not at all.
/// Returns a post with all these tags, and the readers.
async fn post_with_many_tags(store: &Store) -> (StatusId, StatusHeader, Vec<UserId>) {
    let author = crowd::member(store, "author").await;
    let followers = crowd::followers(store, author, 1).await;
    crowd::list(store, followers[0], &[author]).await;
    let readers = crowd::people(store, "reader", 3).await;
    let tags: Vec<String> = (0..20).map(|number| format!("tag{number}")).collect();
    for (number, tag) in tags.iter().enumerate() {
        crowd::follow_tag(store, readers[number % 3], tag).await;
        crowd::follow_tag(store, readers[(number + 1) % 3], tag).await;
        crowd::follow_tag(store, followers[0], tag).await;
    }
    let id = crowd::post(store, author, "all at once").await;
    let status = StatusHeader {
        tags: tags.iter().map(|tag| crowd::tag_named(tag)).collect(),
        ..StatusHeader::of(author)
    };
    (id, status, readers)
}

#[tokio::test]
async fn all_recipients_of_a_post_with_many_tags_are_found_once_and_in_one_round_trip() {
    let core = Core::start();
    let store = &core.store;
    let (id, status, _) = post_with_many_tags(store).await;
    let status = (id, &status);
    let fuse = Fuse::endless();
    let counted = store.with_fuse(fuse.clone());
    let all = counted
        .timelines_from(status, FanOutProgress::START, 1000)
        .await;
    let all = all.expect("an answer");
    assert_eq!((all.timelines.len(), all.next), (1 + 1 + 3, None));
    assert_eq!(fuse.trips(), 1);
    for count in [1, 2, 3, 5, 61, 62] {
        let (mut found, mut from) = (Vec::new(), Some(FanOutProgress::START));
        while let Some(at) = from {
            let some = store
                .timelines_from(status, at, count)
                .await
                .expect("an answer");
            assert!(some.timelines.len() <= count);
            found.extend(some.timelines);
            from = some.next;
        }
        assert_eq!(found, all.timelines, "{count} at a time");
    }
    for served in 1..5 {
        let rest = all.position_after(served).expect("a position");
        let rest = store.timelines_from(status, rest, 1000).await;
        let rest = rest.expect("an answer").timelines;
        assert_eq!(rest, all.timelines[served..], "after {served}");
    }
}

/// The pass for the first tag is over when a reader of the second one follows the first.
#[tokio::test]
async fn a_reader_who_joins_an_earlier_audience_behind_the_pass_is_still_served() {
    let core = Core::start();
    let store = &core.store;
    let (id, status, readers) = post_with_many_tags(store).await;
    let second_tag = FanOutProgress {
        audience: Audience::Tag(1),
        after: 0,
    };
    let served = async || {
        let served = store.timelines_from((id, &status), second_tag, 1000).await;
        served.expect("an answer").timelines
    };
    let home = Timeline::Home(readers[2]);
    assert_eq!(served().await, [home], "the others follow the first tag");
    crowd::follow_tag(store, readers[2], "tag0").await;
    assert_eq!(served().await, [home]);
}

#[tokio::test]
async fn a_post_with_many_tags_is_delivered_and_withdrawn_in_small_passes() {
    let core = Core::with(&["--pass-size", "2"]);
    let store = &core.store;
    let (_, status, readers) = post_with_many_tags(store).await;
    let tags: Vec<String> = status.tags.iter().map(|tag| format!("#{tag}")).collect();
    let id = crowd::post(store, status.author, &tags.join(" ")).await;
    core.drain().await;
    assert_eq!(readers_who_see(store, &readers, id).await, readers);
    let deleted = statuses::delete(store, status.author, id).await;
    assert_eq!(deleted.expect("an answer"), Delete::Deleted);
    core.drain().await;
    assert!(readers_who_see(store, &readers, id).await.is_empty());
    core.assert_sound().await;
}
