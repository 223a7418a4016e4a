//! Important without muted people: their posts take no place of others, and their reactions do not count.

use redwing::{
    actions::{
        importance::{ImportantRead, important_page},
        mutes,
    },
    domain::{MuteTerm, Reason, UserId},
    store::ReadMode,
};

use crate::support::{core::Core, crowd};

/// Returns a reader with a home, and two people whom the reader follows.
async fn reader_and_friends(core: &Core) -> (UserId, [UserId; 2]) {
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let friends = [
        crowd::member(store, "loud").await,
        crowd::member(store, "quiet").await,
    ];
    for friend in friends {
        crowd::follow(store, reader, friend).await;
    }
    crowd::home(store, reader).await;
    (reader, friends)
}

async fn mute(core: &Core, by: UserId, person: UserId) {
    let muted = mutes::mute(&core.store, by, person, MuteTerm::Forever).await;
    assert_eq!(muted.expect("an answer"), mutes::Mute::Done);
}

async fn read(core: &Core, reader: UserId) -> ImportantRead {
    let page = important_page(&core.store, reader, None, ReadMode::Prefetch).await;
    page.expect("an answer")
}

#[tokio::test]
async fn more_posts_of_a_muted_person_than_are_ranked_hide_no_others() {
    let core = Core::start();
    let (reader, [loud, quiet]) = reader_and_friends(&core).await;
    let mut expected = crowd::posts(&core.store, quiet, 5).await;
    crowd::posts(&core.store, loud, 210).await;
    mute(&core, reader, loud).await;
    let read = read(&core, reader).await;
    assert_eq!(read.new, 5);
    let posts = read.posts.iter().map(|post| post.item.id());
    expected.reverse();
    assert_eq!(posts.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_favourite_of_a_muted_person_is_no_reason() {
    let core = Core::start();
    let (reader, [loud, quiet]) = reader_and_friends(&core).await;
    let id = crowd::post(&core.store, quiet, "hello").await;
    crowd::favourite(&core.store, loud, id).await;
    let reasons = async || read(&core, reader).await.posts.remove(0).reasons;
    assert_eq!(reasons().await, [Reason::Favourites(1)]);
    mute(&core, reader, loud).await;
    assert_eq!(reasons().await, []);
}
