//! The book's refill exercise: after an unfollow or many deletions a home or list is short. It is
//! refilled, and every page is correct meanwhile.

use redwing::{
    actions::{follows, homes},
    domain::{StatusId, Task, Timeline, UserId},
    store::{Begin, Mark},
};

use crate::support::{core::Core, crowd};

const SIZE: usize = 40;
const SETTINGS: [&str; 2] = ["--home-size", "40"];

/// A reader of two authors, with a list of one of them.
struct Scene {
    core: Core,
    reader: UserId,
    rare: UserId,
    frequent: UserId,
    list: Timeline,
    /// Posts of each user, oldest first: the reader, the rare author and the frequent one.
    posts: [Vec<StatusId>; 3],
}

impl Scene {
    async fn set() -> Self {
        let core = Core::with(&SETTINGS);
        let store = &core.store;
        let reader = crowd::member(store, "reader").await;
        let rare = crowd::member(store, "rare").await;
        let frequent = crowd::member(store, "frequent").await;
        let list = Timeline::List(crowd::list(store, reader, &[frequent]).await);
        crowd::timeline(store, list).await;
        for author in [rare, frequent] {
            crowd::follow(store, reader, author).await;
        }
        let posts = [
            crowd::posts(store, reader, 20).await,
            crowd::posts(store, rare, 30).await,
            crowd::posts(store, frequent, 80).await,
        ];
        core.drain().await;
        Self {
            core,
            reader,
            rare,
            frequent,
            list,
            posts,
        }
    }

    fn home(&self) -> Timeline {
        Timeline::Home(self.reader)
    }

    /// Returns the number of entries on a timeline above its floor.
    async fn entry_count(&self, timeline: Timeline) -> usize {
        let ids = self.core.store.timeline_ids(timeline).await;
        ids.expect("an answer").len()
    }

    async fn tasks(&self) -> u64 {
        let [now, _, _] = crate::support::state::task_counts(&self.core.store)
            .await
            .expect("an answer");
        now
    }

    async fn assert_shows(&self, timeline: Timeline, expected: &[StatusId]) {
        let shown = crowd::timeline(&self.core.store, timeline).await;
        assert_eq!(shown, newest_first(expected), "{timeline}");
    }
}

fn newest_first(ids: &[StatusId]) -> Vec<StatusId> {
    let mut ids = ids.to_vec();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    ids
}

#[tokio::test]
async fn a_home_is_full_again_after_an_unfollow_with_own_posts_in_it() {
    let scene = Scene::set().await;
    let [own, rare, _] = &scene.posts;
    assert!(scene.entry_count(scene.home()).await >= SIZE);
    follows::unfollow(&scene.core.store, scene.reader, scene.frequent)
        .await
        .expect("an answer");
    assert_eq!(
        scene.entry_count(scene.home()).await,
        0,
        "all posts were by that author"
    );
    assert_eq!(scene.tasks().await, 1, "filling it may take long");
    let left = [&own[..], rare].concat();
    scene.assert_shows(scene.home(), &left).await;
    scene.core.drain().await;
    let stored_ids = scene.core.store.timeline_ids(scene.home()).await;
    let newest = newest_first(&left);
    assert_eq!(stored_ids.expect("an answer"), newest[..SIZE]);
    assert!(newest[..SIZE].contains(&own[19]), "with own posts in it");
    scene.assert_shows(scene.home(), &left).await;
    scene.core.assert_sound().await;
}

#[tokio::test]
async fn homes_and_lists_are_full_again_after_many_deletes_and_show_no_hole_meanwhile() {
    let scene = Scene::set().await;
    let store = &scene.core.store;
    let [own, rare, frequent] = &scene.posts;
    let (kept, gone) = frequent.split_at(30);
    let theirs = Timeline::Home(scene.frequent);
    let readers = [
        (scene.home(), [&own[..], rare, kept].concat()),
        (scene.list, kept.to_vec()),
        (theirs, kept.to_vec()),
    ];
    for id in gone {
        crowd::delete(store, scene.frequent, *id).await;
    }
    for (timeline, left) in &readers {
        scene.assert_shows(*timeline, left).await;
    }
    scene.core.drain().await;
    for (timeline, left) in &readers {
        assert!(scene.entry_count(*timeline).await >= SIZE / 2, "{timeline}");
        scene.assert_shows(*timeline, left).await;
    }
    scene.core.assert_sound().await;
}

#[tokio::test]
async fn pages_are_right_while_a_home_is_being_refilled() {
    let scene = Scene::set().await;
    let store = &scene.core.store;
    let [own, rare, _] = &scene.posts;
    follows::unfollow(store, scene.reader, scene.frequent)
        .await
        .expect("an answer");
    let begun = store.begin_rebuild(scene.home(), "abc", Begin::Short).await;
    assert!(begun.expect("an answer"));
    let mut left = [&own[..], rare].concat();
    scene.assert_shows(scene.home(), &left).await;
    left.push(crowd::post(store, scene.rare, "meanwhile").await);
    scene.assert_shows(scene.home(), &left).await;
    let (mark, _) = store.mark(scene.home()).await.expect("an answer");
    assert_eq!(mark, Mark::Building, "only its builder continues");
}

/// Number of deleted entries above the ones that a merge needs: more than it looks at.
const IN_VAIN: u64 = 20 * SIZE as u64 + 100;

#[tokio::test]
async fn a_short_but_complete_home_is_not_rebuilt_at_each_delete() {
    let scene = Scene::set().await;
    let store = &scene.core.store;
    let [_, rare, frequent] = &scene.posts;
    let newest = frequent[79].get();
    let profile = format!("profile:{{{}}}", scene.rare);
    for id in newest + 1..=newest + IN_VAIN {
        let (score, id) = (format!("-{id}"), id.to_string());
        scene.core.redis.command(&["ZADD", &profile, &score, &id]);
    }
    follows::unfollow(store, scene.reader, scene.frequent)
        .await
        .expect("an answer");
    scene.core.drain().await;
    let posts = crowd::posts(store, scene.rare, 3).await;
    assert!(
        scene.entry_count(scene.home()).await < SIZE / 2,
        "it gave up"
    );
    let (mark, _) = store.mark(scene.home()).await.expect("an answer");
    assert!(
        matches!(mark, Mark::Floor(floor) if floor > newest),
        "{mark:?}"
    );
    for dead in [posts[1], posts[2], rare[0]] {
        let short = store.withdraw(dead, &[scene.home()]).await;
        assert!(short.expect("an answer").is_empty(), "{dead}");
    }
    assert_eq!(scene.entry_count(scene.home()).await, 1);
}

#[tokio::test]
async fn a_refilled_timeline_is_not_rebuilt_again() {
    let scene = Scene::set().await;
    let store = &scene.core.store;
    follows::unfollow(store, scene.reader, scene.frequent)
        .await
        .expect("an answer");
    let begun = async || {
        let begun = store.begin_rebuild(scene.home(), "abc", Begin::Short).await;
        begun.expect("an answer")
    };
    let refill = [Task::Rebuild(scene.home()), Task::Rebuild(scene.home())];
    store.enqueue_all(&refill).await.expect("an answer");
    scene.core.drain().await;
    assert!(!begun().await);
    homes::rebuild(store, scene.home(), Begin::Short)
        .await
        .expect("an answer");
    assert!(scene.entry_count(scene.home()).await >= SIZE);
}
