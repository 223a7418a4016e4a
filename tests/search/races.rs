//! Posts are deleted while tasks index their words. In the end a search finds only existing posts.

use futures_util::future::join_all;

use super::path;
use crate::support::{Person, Site, crowd};

#[tokio::test]
async fn after_concurrent_deletes_and_indexing_only_living_posts_are_found() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let ids = crowd::posts(&site.store, uid, 40).await;
    let (gone, kept): (Vec<_>, Vec<_>) = ids.into_iter().partition(|id| id.get() % 2 == 0);
    let store = &site.store;
    let deletes = gone.iter().map(|id| crowd::delete(store, uid, *id));
    let indexes = gone.iter().map(|id| async {
        let indexed = redwing::actions::search::index(store, *id).await;
        indexed.expect("an answer");
    });
    tokio::join!(join_all(deletes), join_all(indexes));
    site.drain().await;
    let mut kept: Vec<u64> = kept.iter().map(|id| id.get()).collect();
    kept.reverse();
    assert_eq!(alice.ids(&path("post")).await, kept);
    site.assert_sound().await;
}
