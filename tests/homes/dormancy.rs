//! Dormancy: the fan-out skips readers who were inactive for a long time. One request of such a
//! reader restores the whole home, down to the last post.

use futures_util::future::join;
use redwing::{
    domain::{StatusId, Timeline, UserId},
    store::Mark,
};

use crate::support::{core::Core, crowd};

/// Number of times that a reader returns while others post.
const RETURNS: usize = 12;

/// Two readers of one author. One of them stays away until the timelines become dormant.
struct Scene {
    core: Core,
    author: UserId,
    /// Home and list of the reader who stays away.
    dormant: [Timeline; 2],
    /// Home of the active reader.
    active: Timeline,
    /// The author's posts, oldest first.
    posts: Vec<StatusId>,
}

impl Scene {
    async fn set() -> Self {
        let core = Core::with(&["--home-size", "40"]);
        let store = &core.store;
        let author = crowd::member(store, "author").await;
        let (away, here) = (
            crowd::member(store, "away").await,
            crowd::member(store, "here").await,
        );
        for reader in [away, here] {
            crowd::follow(store, reader, author).await;
        }
        let list = Timeline::List(crowd::list(store, away, &[author]).await);
        crowd::timeline(store, list).await;
        let posts = crowd::posts(store, author, 50).await;
        let scene = Self {
            author,
            dormant: [Timeline::Home(away), list],
            active: Timeline::Home(here),
            posts,
            core,
        };
        scene.expire_marks();
        scene
    }

    /// Expires the activity marks of the inactive reader.
    fn expire_marks(&self) {
        for timeline in self.dormant {
            let mark = crate::support::state::mark_name(timeline);
            self.core.redis.command(&["PEXPIRE", &mark, "0"]);
        }
    }

    async fn post(&mut self, count: usize) {
        let posted = crowd::posts(&self.core.store, self.author, count).await;
        self.posts.extend(posted);
    }

    async fn entry_count(&self, timeline: Timeline) -> usize {
        let ids = self.core.store.timeline_ids(timeline).await;
        ids.expect("an answer").len()
    }

    fn newest_first(&self) -> Vec<StatusId> {
        self.posts.iter().rev().copied().collect()
    }
}

#[tokio::test]
async fn dormant_readers_get_no_deliveries_and_lose_their_homes() {
    let mut scene = Scene::set().await;
    for timeline in scene.dormant {
        assert!(scene.entry_count(timeline).await >= 40, "{timeline}");
    }
    scene.post(1).await;
    scene.core.drain().await;
    for timeline in scene.dormant {
        assert_eq!(scene.entry_count(timeline).await, 0, "{timeline}");
    }
    assert!(scene.entry_count(scene.active).await >= 40);
    scene.post(3).await;
    scene.core.drain().await;
    for timeline in scene.dormant {
        assert_eq!(scene.entry_count(timeline).await, 0, "{timeline}");
        let (mark, _) = scene.core.store.mark(timeline).await.expect("an answer");
        assert_eq!(mark, Mark::Dormant, "{timeline}");
    }
    scene.core.assert_sound().await;
}

#[tokio::test]
async fn one_request_restores_everything_to_the_last_post() {
    let mut scene = Scene::set().await;
    scene.post(70).await;
    for timeline in scene.dormant {
        let shown = crowd::timeline(&scene.core.store, timeline).await;
        assert_eq!(shown, scene.newest_first(), "{timeline}");
        assert_eq!(scene.entry_count(timeline).await, 40, "{timeline}");
        let (mark, _) = scene.core.store.mark(timeline).await.expect("an answer");
        assert_eq!(mark, Mark::Floor(scene.posts[80].get()), "{timeline}");
    }
    scene.post(1).await;
    for timeline in scene.dormant {
        assert_eq!(
            scene.entry_count(timeline).await,
            41,
            "{timeline}: from now on"
        );
    }
    scene.core.assert_sound().await;
}

#[tokio::test]
async fn a_reader_who_returns_while_others_post_misses_nothing() {
    let mut scene = Scene::set().await;
    for round in 0..RETURNS {
        scene.expire_marks();
        let store = &scene.core.store;
        let known = scene.posts.len();
        let [home, list] = scene.dormant;
        let coming = join(crowd::timeline(store, home), crowd::timeline(store, list));
        let posting = crowd::posts(store, scene.author, 6);
        let ((on_home, on_list), posted) = join(coming, posting).await;
        scene.posts.extend(posted);
        for shown in [on_home, on_list] {
            let new = shown.len() - known;
            let expected = &scene.newest_first()[6 - new..];
            assert_eq!(
                shown, expected,
                "round {round}: existing posts and the first new one"
            );
        }
        for timeline in scene.dormant {
            let shown = crowd::timeline(&scene.core.store, timeline).await;
            assert_eq!(shown, scene.newest_first(), "round {round}: {timeline}");
        }
    }
    scene.core.drain().await;
    scene.core.assert_sound().await;
}
