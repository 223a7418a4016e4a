//! Home timelines: posts by the user and by followed people, page by page, during changes.

mod budget;
mod dormancy;
mod endless;
mod everybody;
mod refilling;

use std::collections::BTreeSet;

use crate::support::{Person, Site, crowd};

#[tokio::test]
async fn a_visitor_sees_a_description_and_how_to_join() {
    let site = Site::start().await;
    let landing = Person::visitor(&site).open("/").await;
    assert!(landing.has("a[href=\"/signup\"]") && landing.has("a[href=\"/login\"]"));
    assert!(!landing.has("form[action=\"/statuses\"]"));
}

#[tokio::test]
async fn an_empty_home_suggests_people_to_follow() {
    let site = Site::start().await;
    crowd::member(&site.store, "popular").await;
    let alice = Person::sign_up(&site, "alice").await;
    let home = alice.open("/").await;
    assert!(home.has("a[href=\"/@popular\"]"));
    assert!(home.has("form[action=\"/@popular/follow\"]"));
    assert!(
        !home.has("form[action=\"/@alice/follow\"]"),
        "no user is suggested to themself"
    );
}

#[tokio::test]
async fn a_post_reaches_the_followers_homes() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    bob.follow("alice").await;
    let id = alice.post("to all who follow").await;
    assert_eq!(bob.home_ids().await, [id]);
}

#[tokio::test]
async fn pages_hold_30_and_never_repeat_skip_or_come_short() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let mut ids: Vec<u64> = crowd::posts(&site.store, uid, 75)
        .await
        .iter()
        .map(|id| id.get())
        .collect();
    ids.reverse();
    for path in ["/", "/@alice"] {
        let pages = alice.pages(path).await;
        let sizes: Vec<usize> = pages.iter().map(|page| page.status_ids().len()).collect();
        assert_eq!(sizes, [30, 30, 15], "{path}");
        assert_eq!(alice.ids(path).await, ids, "{path}");
    }
}

#[tokio::test]
async fn the_last_page_has_no_link_to_older_posts() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::posts(&site.store, uid, 30).await;
    for path in ["/", "/@alice"] {
        assert_eq!(
            alice.open(path).await.older(),
            None,
            "{path}: thirty posts are one page"
        );
    }
}

#[tokio::test]
async fn a_page_stays_full_while_posts_arrive_and_vanish_between_two_reads() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let ids = crowd::posts(&site.store, uid, 70).await;
    let first = alice.open("/").await;
    crowd::posts(&site.store, uid, 5).await;
    alice.delete(ids[69].get()).await;
    alice.delete(ids[30].get()).await;
    let second = alice
        .open(&first.older().expect("there are older ones"))
        .await;
    let expected: Vec<u64> = (9..40)
        .rev()
        .filter(|&at| at != 30)
        .map(|at| ids[at].get())
        .collect();
    assert_eq!(second.status_ids(), expected);
}

#[tokio::test]
async fn a_home_continues_below_its_floor() {
    let site = Site::with(&["--home-size", "40"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let (a, b) = (
        crowd::member(&site.store, "a").await,
        crowd::member(&site.store, "b").await,
    );
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::follow(&site.store, uid, a).await;
    crowd::follow(&site.store, uid, b).await;
    let mut posted = BTreeSet::new();
    for _ in 0..4 {
        for author in [a, b, uid] {
            posted.extend(
                crowd::posts(&site.store, author, 10)
                    .await
                    .iter()
                    .map(|id| id.get()),
            );
        }
    }
    site.drain().await;
    let expected: Vec<u64> = posted.into_iter().rev().collect();
    assert_eq!(
        alice.home_ids().await,
        expected,
        "120 posts, and the home stores a third"
    );
}

#[tokio::test]
async fn a_malformed_cursor_is_not_found() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for cursor in ["x", "-1", "1.5", "99999999999999999999", "", "1e3"] {
        let page = alice.get(&format!("/?before={cursor}")).await;
        assert!(
            matches!(page.status.as_u16(), 400 | 404 | 422),
            "before={cursor}: {}",
            page.status
        );
    }
}

#[tokio::test]
async fn a_home_is_whole_again_after_a_long_absence() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let (uid, bob) = (
        crowd::uid(&site.store, "alice").await,
        crowd::member(&site.store, "bob").await,
    );
    crowd::follow(&site.store, uid, bob).await;
    let mut ids = crowd::posts(&site.store, bob, 20).await;
    site.redis.command(&["DEL", &format!("active:{{{uid}}}")]);
    ids.extend(crowd::posts(&site.store, bob, 20).await);
    site.drain().await;
    let expected: Vec<u64> = ids.iter().rev().map(|id| id.get()).collect();
    assert_eq!(
        alice.home_ids().await,
        expected,
        "including posts from the dormant time"
    );
    site.drain().await;
    assert_eq!(alice.home_ids().await, expected);
    site.assert_sound().await;
}
