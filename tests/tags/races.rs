//! Tags that are followed and unfollowed while tagged posts come and go, in any order.

use futures_util::future::{join, join3};
use redwing::{
    actions::{homes, statuses, tag_follows},
    domain::{IdempotencyKey, Message, Timeline, UserId},
    store::{Begin, Key, MergeBudget, Relation, Store},
};

use crate::support::{Site, crowd};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 20;

struct Race {
    site: Site,
    author: UserId,
    reader: UserId,
}

async fn race() -> Race {
    let site = Site::start().await;
    let author = crowd::member(&site.store, "author").await;
    let reader = crowd::member(&site.store, "reader").await;
    crowd::home(&site.store, reader).await;
    Race {
        author,
        reader,
        site,
    }
}

async fn post(store: &Store, author: UserId) {
    let message = Message::parse("of #birds, @reader").expect("valid");
    let posted = statuses::post(store, author, &message, &IdempotencyKey::draw()).await;
    posted.expect("an answer");
}

async fn follow(store: &Store, reader: UserId) {
    let followed = tag_follows::follow(store, reader, &crowd::tag_named("birds")).await;
    followed.expect("an answer");
}

async fn unfollow(store: &Store, reader: UserId) {
    let left = tag_follows::unfollow(store, reader, &crowd::tag_named("birds")).await;
    left.expect("an answer");
}

#[tokio::test]
async fn a_post_that_meets_a_follow_is_on_the_home() {
    let Race {
        site,
        author,
        reader,
    } = race().await;
    let store = site.store.fork();
    for round in 1..=ROUNDS {
        join(post(&site.store, author), follow(&store, reader)).await;
        assert_eq!(crowd::home(&store, reader).await.len(), round);
        unfollow(&store, reader).await;
        assert!(crowd::home(&store, reader).await.is_empty());
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_post_that_meets_an_unfollow_is_on_no_home() {
    let Race {
        site,
        author,
        reader,
    } = race().await;
    let store = site.store.fork();
    for round in 0..ROUNDS {
        follow(&store, reader).await;
        join(post(&site.store, author), unfollow(&store, reader)).await;
        assert!(
            crowd::home(&store, reader).await.is_empty(),
            "round {round}"
        );
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn follow_against_unfollow_matches_the_source() {
    let Race {
        site,
        author,
        reader,
    } = race().await;
    let (one, other) = (site.store.fork(), site.store.fork());
    post(&site.store, author).await;
    for _ in 0..ROUNDS {
        join3(
            follow(&one, reader),
            unfollow(&other, reader),
            follow(&site.store, reader),
        )
        .await;
        site.drain().await;
        let relation = Relation::TagFollow(reader, crowd::tag_named("birds"));
        let follows = one.has_relation(&relation).await;
        let home = crowd::home(&one, reader).await;
        assert_eq!(home.len(), usize::from(follows.expect("an answer")));
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_delete_that_meets_a_post_that_is_sent_again_leaves_nothing() {
    let Race {
        site,
        author,
        reader,
    } = race().await;
    let store = site.store.fork();
    follow(&store, reader).await;
    for _ in 0..ROUNDS {
        let idempotency_key = IdempotencyKey::draw();
        let message = Message::parse("of #birds, @reader").expect("valid");
        let posted = statuses::post(&store, author, &message, &idempotency_key).await;
        let Ok(statuses::Post::Posted(id)) = posted else {
            panic!("{posted:?}");
        };
        let again = async {
            let again = statuses::post(&store, author, &message, &idempotency_key).await;
            again.expect("an answer");
        };
        let delete = async {
            let deleted = statuses::delete(&site.store, author, id).await;
            deleted.expect("an answer");
        };
        join(again, delete).await;
        for place in [
            Key::TagIndex(crowd::tag_named("birds")),
            Key::MentionIndex(reader),
        ] {
            let held = store.cardinality(&place).await;
            assert_eq!(held.expect("an answer"), 0, "{place:?}");
        }
    }
    site.assert_sound().await;
}

/// Replays, step by step, an order of events that a race rarely shows.
#[tokio::test]
async fn a_tag_taken_away_after_a_rebuild_has_read_the_post_takes_it_off_the_home() {
    let Race {
        site,
        author,
        reader,
    } = race().await;
    let store = &site.store;
    follow(store, reader).await;
    let going = crowd::post(store, author, "of #birds").await;
    let staying = crowd::post(store, author, "more of #birds").await;
    let home = Timeline::Home(reader);
    let begun = store.begin_rebuild(home, "abc", Begin::Wrong).await;
    assert!(begun.expect("an answer"));
    let sources = store.sources(home).await.expect("an answer");
    let mut budget = MergeBudget::of_rebuild(&sources, 100);
    let merged = store.merge_sources(&sources, None, 100, &mut budget).await;
    let merged = merged.expect("an answer");
    assert_eq!(merged.statuses.len(), 2);
    crowd::edit(store, author, going, "of nothing").await;
    site.drain().await;
    let finished = homes::finish_rebuild(store, home, "abc", merged).await;
    assert!(finished.expect("an answer"));
    let held = store.timeline_ids(home).await.expect("an answer");
    assert_eq!(held, [staying]);
    site.assert_sound().await;
}
