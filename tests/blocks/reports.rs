//! Which people a person can block and report, and which posts.

use redwing::{
    domain::{Login, StatusId, UserId},
    store::{NotReportable, PostToReport, ShownPost, Store, Viewer},
};

use super::set_block;
use crate::support::{core::Core, crowd};

#[tokio::test]
async fn a_person_is_blocked_and_reported_by_those_who_find_or_block_them() {
    let core = Core::start();
    let store = &core.store;
    let [alice, bob, carol] = ["alice", "bob", "carol"].map(|login| crowd::member(store, login));
    let (alice, bob, carol) = (alice.await, bob.await, carol.await);
    set_block(store, alice, bob).await;
    let may = async |viewer: UserId, login: &str| {
        let login = Login::parse(login).expect("valid");
        let found = store.find_user_to_report(Viewer::Member(viewer), &login);
        found.await.expect("an answer").is_some()
    };
    assert!(may(alice, "bob").await, "alice blocks bob already");
    assert!(!may(bob, "alice").await);
    assert!(may(carol, "bob").await);
    crowd::set_suspended(store, bob, true).await;
    assert!(!may(alice, "bob").await);
    assert!(!may(carol, "bob").await);
}

/// Returns the post as a form shows it to the reader.
async fn shown_to(store: &Store, reader: UserId, id: StatusId) -> ShownPost {
    let status = store.status(Viewer::Member(reader), id).await;
    let status = status.expect("an answer").expect("a post");
    let shown = store.shown_post(reader, &status).await;
    shown.expect("an answer")
}

/// Returns the revision that the reader can report, and whether it is one that a form showed.
async fn decide(
    store: &Store,
    reader: UserId,
    id: StatusId,
    shown: Option<&ShownPost>,
) -> Result<(u64, bool), NotReportable> {
    let decided = store.post_to_report(reader, id, shown.cloned()).await;
    decided.expect("an answer").map(|post| match post {
        PostToReport::Visible(status) => (status.revision(), false),
        PostToReport::Shown(shown) | PostToReport::Edited(shown, _) => (shown.revision(), true),
    })
}

#[tokio::test]
async fn a_post_is_reported_by_those_who_see_it_or_saw_it_in_their_form() {
    let core = Core::start();
    let store = &core.store;
    let [alice, bob, carol] = ["alice", "bob", "carol"].map(|login| crowd::member(store, login));
    let (alice, bob, carol) = (alice.await, bob.await, carol.await);
    let one = crowd::post(store, bob, "one").await;
    let other = crowd::post(store, bob, "other").await;
    let repost = crowd::repost(store, alice, other).await;
    let shown = shown_to(store, carol, one).await;
    let visible = Ok((0, false));
    assert_eq!(decide(store, carol, one, None).await, visible);
    assert_eq!(decide(store, carol, one, Some(&shown)).await, visible);
    assert_eq!(decide(store, carol, other, Some(&shown)).await, visible);
    let own = Err(NotReportable::Own);
    assert_eq!(decide(store, bob, one, None).await, own);
    let unseen = Err(NotReportable::Unseen);
    assert_eq!(decide(store, carol, repost, None).await, unseen);
    crowd::edit(store, bob, one, "edited").await;
    let as_shown = Ok((0, true));
    assert_eq!(decide(store, carol, one, None).await, Ok((1, false)));
    assert_eq!(decide(store, carol, one, Some(&shown)).await, as_shown);
    assert_eq!(
        decide(store, alice, one, Some(&shown)).await,
        Ok((1, false))
    );
    set_block(store, bob, carol).await;
    set_block(store, bob, alice).await;
    assert_eq!(decide(store, carol, one, None).await, unseen);
    assert_eq!(decide(store, carol, one, Some(&shown)).await, as_shown);
    assert_eq!(decide(store, carol, other, Some(&shown)).await, unseen);
    assert_eq!(decide(store, alice, one, Some(&shown)).await, unseen);
}

#[tokio::test]
async fn a_shown_post_older_than_the_account_of_its_author_is_not_reportable() {
    let core = Core::start();
    let store = &core.store;
    let bob = crowd::member(store, "bob").await;
    let carol = crowd::member(store, "carol").await;
    let id = crowd::post(store, bob, "one").await;
    let shown = shown_to(store, carol, id).await;
    let is_known = async || store.is_known_author(&shown).await.expect("an answer");
    assert!(is_known().await);
    let key = format!("user:{{{bob}}}");
    let later = (store.now().await.expect("a time").0 + 1000).to_string();
    core.redis.command(&["HSET", &key, "signup", &later]);
    assert!(!is_known().await);
}
