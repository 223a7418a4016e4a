//! Narrowing a post against what others do at the same moment.

use redwing::{
    actions::{follows, reposts},
    domain::{ProfileView, Visibility},
    store::{Key, Viewer},
};
use tokio::join;

use crate::support::{core::Core, crowd};

/// Number of tries of each race.
const TRIES: usize = 12;

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_while_a_post_is_narrowed_shows_it_to_nobody_else() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let people = crowd::people(store, &format!("person_{number}"), 4).await;
        let [author, guest, reader, by_tag] = people[..] else {
            panic!("there are four")
        };
        crowd::follow(store, reader, guest).await;
        crowd::follow_tag(store, by_tag, "birds").await;
        crowd::home(store, by_tag).await;
        let id = crowd::post(store, author, "#birds for all").await;
        let ((), repost, reply) = join!(
            crowd::narrow(store, author, id, Visibility::Followers),
            reposts::repost(store, guest, id),
            crowd::try_reply(store, guest, id, "an answer")
        );
        repost.expect("the store answers");
        core.drain().await;
        for viewer in [
            Viewer::Anonymous,
            Viewer::Member(reader),
            Viewer::Member(by_tag),
        ] {
            assert!(store.status(viewer, id).await.expect("an answer").is_none());
            if let redwing::actions::statuses::Post::Posted(reply) = reply {
                let seen = store.status(viewer, reply).await;
                assert!(seen.expect("an answer").is_none(), "a reply in it");
            }
        }
        for of in [reader, by_tag] {
            assert!(crowd::home(store, of).await.is_empty());
        }
        let stored = store.cardinality(&Key::Home(by_tag)).await;
        assert_eq!(
            stored.expect("an answer"),
            0,
            "no delivery by the tag is left"
        );
    }
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfollow_during_the_delivery_leaves_nothing_on_the_home() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let people = crowd::people(store, &format!("person_{number}"), 2).await;
        let [author, reader] = people[..] else {
            panic!("there are two")
        };
        crowd::follow(store, reader, author).await;
        crowd::home(store, reader).await;
        let (id, left) = join!(
            crowd::post_to(store, author, Visibility::Followers, "for followers"),
            follows::unfollow(store, reader, author)
        );
        left.expect("the store answers");
        core.drain().await;
        let stored = store.cardinality(&Key::Home(reader)).await;
        assert_eq!(stored.expect("an answer"), 0);
        let seen = store.status(Viewer::Member(reader), id).await;
        assert!(seen.expect("an answer").is_none());
    }
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_read_while_an_account_becomes_private_show_nothing_after_the_switch() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let people = crowd::people(store, &format!("switch_{number}"), 2).await;
        let [author, reader] = people[..] else {
            panic!("there are two")
        };
        let posts = crowd::posts(store, author, 3).await;
        let page = async || {
            let author = store.user(author).await.expect("an answer");
            let author = author.expect("they stay");
            let view = ProfileView::Posts;
            let page = store.account_page(Viewer::Member(reader), &author, view, None);
            page.await.expect("an answer").statuses.items.len()
        };
        let ((), first, second) = join!(crowd::set_private(store, author, true), page(), page());
        assert!(first <= posts.len() && second <= posts.len());
        assert_eq!(page().await, 0, "nothing of it is cached");
        let seen = store.visible(Viewer::Member(reader), &posts).await;
        assert!(seen.expect("an answer").is_empty());
    }
    core.assert_sound().await;
}
