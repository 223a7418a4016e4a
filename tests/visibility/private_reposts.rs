//! Reposts by private accounts: their followers see them, and others see no trace, also where someone else reposted
//! the same post.

use redwing::domain::StatusId;
use reqwest::StatusCode;

use super::sign_up;
use crate::{
    notifications::members,
    support::{
        Page, Person, Site,
        crowd::{self, uid},
    },
};

/// A post with reposts by three accounts: private ones, and one that was private when it reposted.
struct Scene {
    site: Site,
    follower: Person,
    stranger: Person,
    author: Person,
    original: StatusId,
    /// By an account that became private later.
    early: StatusId,
    /// By a private account.
    late: StatusId,
}

impl Scene {
    async fn set() -> Self {
        let site = Site::start().await;
        let store = &site.store;
        let [author, follower, stranger] = sign_up(&site, ["author", "follower", "stranger"]).await;
        let id = crowd::post(store, uid(store, "author").await, "of the author").await;
        let mut reposts = Vec::new();
        for login in ["early", "late", "once"] {
            let person = crowd::member(store, login).await;
            crowd::follow(store, uid(store, "follower").await, person).await;
            crowd::set_private(store, person, login != "early").await;
            reposts.push(crowd::repost(store, person, id).await);
            crowd::set_private(store, person, login != "once").await;
        }
        site.drain().await;
        Self {
            original: id,
            early: reposts[0],
            late: reposts[1],
            site,
            follower,
            stranger,
            author,
        }
    }
}

#[tokio::test]
async fn people_who_repost_in_private_are_listed_for_their_followers_alone() {
    let scene = Scene::set().await;
    let visitor = Person::visitor(&scene.site);
    let path = format!("/@author/{}/reposts", scene.original);
    let names = async |person: &Person| {
        let mut logins = person.open(&path).await.texts(".people .handle");
        logins.sort();
        logins
    };
    assert_eq!(names(&scene.follower).await, ["@early", "@late", "@once"]);
    for person in [&scene.stranger, &scene.author, &visitor] {
        assert!(names(person).await.is_empty(), "{}", person.login);
    }
    scene.site.assert_sound().await;
}

#[tokio::test]
async fn reposts_by_private_accounts_are_seen_by_their_followers_alone() {
    let scene = Scene::set().await;
    let store = &scene.site.store;
    let stranger = uid(store, "stranger").await;
    let mut listed = Vec::new();
    for login in ["early", "late", "once"] {
        listed.push(uid(store, login).await);
    }
    crowd::list(store, stranger, &listed).await;
    scene.site.drain().await;
    let has_it = |page: &Page| page.messages().contains(&"of the author".to_owned());
    assert!(has_it(&scene.follower.open("/").await));
    for login in ["early", "late", "once"] {
        let path = format!("/@{login}");
        assert!(has_it(&scene.follower.open(&path).await), "{login}");
        assert!(!has_it(&scene.stranger.open(&path).await), "{login}");
    }
    assert!(!has_it(&scene.stranger.open("/lists/1").await));
    for (login, id) in [("early", scene.early), ("late", scene.late)] {
        let path = format!("/@{login}/{id}");
        let there = scene.follower.get(&path).await.status;
        assert_eq!(there, StatusCode::SEE_OTHER, "{login}");
        let absent = scene.stranger.get(&path).await.status;
        assert_eq!(absent, StatusCode::NOT_FOUND, "{login}");
    }
    // The author of the original was notified of the repost from before the switch alone.
    let notified = members(store, uid(store, "author").await).await;
    assert_eq!(
        notified,
        [format!("repost:{}:{}", scene.original, listed[0])]
    );
}

#[tokio::test]
async fn a_repost_that_the_viewer_does_not_see_hides_no_other_repost_of_the_same_post() {
    let scene = Scene::set().await;
    let store = &scene.site.store;
    let [stranger, follower] = [uid(store, "stranger").await, uid(store, "follower").await];
    let open = crowd::member(store, "open").await;
    let mut listed = vec![open];
    for login in ["early", "late", "once"] {
        listed.push(uid(store, login).await);
    }
    crowd::follow(store, follower, open).await;
    crowd::list(store, stranger, &listed).await;
    let another = crowd::post(store, uid(store, "author").await, "another").await;
    crowd::repost(store, open, another).await;
    crowd::repost(store, listed[2], another).await;
    scene.site.drain().await;
    let list = scene.stranger.open("/lists/1").await;
    assert_eq!(list.messages(), ["another"]);
    assert_eq!(list.texts(".reposted"), ["open reposted"]);
    let newest = async || scene.follower.open("/").await.texts(".reposted")[0].clone();
    assert_eq!(newest().await, "late and 1 other reposted");
    // The same holds for a repost by a suspended account.
    crowd::set_suspended(store, listed[2], true).await;
    scene.site.drain().await;
    assert_eq!(newest().await, "open reposted");
}
