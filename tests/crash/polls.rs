//! Votes and edits, interrupted before each command.

use redwing::{
    actions::{edits, polls, statuses},
    domain::{Ballot, EditState, Message, StatusId, UserId},
    store::{Cast, Edit, Key, Viewer},
};

use super::{cut_off_everywhere, home};
use crate::support::{
    core::Core,
    crowd::{edit, follow, member, post, post_poll},
};

struct Scene {
    author: UserId,
    reader: UserId,
    id: StatusId,
}

/// Creates an author with a poll or with a tagged text, and a follower.
async fn scene(core: &Core, number: usize, poll: bool) -> Scene {
    let author = member(&core.store, &format!("author_{number}")).await;
    let reader = member(&core.store, &format!("reader_{number}")).await;
    follow(&core.store, reader, author).await;
    let id = if poll {
        post_poll(&core.store, author, &["Tea", "Coffee"]).await
    } else {
        post(&core.store, author, "as it was, #one").await
    };
    Scene { author, reader, id }
}

fn poll_edit() -> EditState {
    EditState {
        message: Message::parse("as it is, #two").expect("valid"),
        warning: None,
        revision: 0,
        visibility: None,
    }
}

#[tokio::test]
async fn a_vote_cut_off_anywhere_is_counted_or_not_and_once_when_it_is_sent_again() {
    let core = Core::start();
    let store = &core.store;
    let tea = Ballot::of(&[0]).expect("a ballot");
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number, true).await,
        async |fused, scene| {
            let cut_off = polls::vote(fused, scene.reader, scene.id, tea).await;
            let status = store.status(Viewer::Member(scene.reader), scene.id).await?;
            let status = status.expect("it lives");
            let (_, tally) = status.poll().expect("a poll");
            let ballots = store.cardinality(&Key::Ballots(scene.id)).await?;
            assert_eq!(
                (tally.people, status.ballot().is_some()),
                (ballots, ballots == 1)
            );
            let again = polls::vote(store, scene.reader, scene.id, tea).await?;
            assert_eq!(again, Cast::Counted);
            cut_off.map(drop)
        },
        async |scene| {
            let status = store.status(Viewer::Anonymous, scene.id).await;
            let status = status.expect("an answer").expect("it lives");
            assert_eq!(status.poll().expect("a poll").1.votes, [1, 0]);
        },
    )
    .await;
}

#[tokio::test]
async fn an_edit_cut_off_anywhere_applies_completely_or_not_at_all() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number, false).await,
        async |store, scene| {
            let edited = edits::edit(store, scene.author, scene.id, &poll_edit()).await;
            edited.map(drop)
        },
        async |scene| {
            let status = store.status(Viewer::Anonymous, scene.id).await;
            let status = status.expect("an answer").expect("it lives");
            let earlier = store.earlier_versions(&status).await.expect("an answer");
            let life = store.life(scene.id).await.expect("an answer");
            let tag = life.living().expect("it lives").tags[0].to_string();
            let made = status.message() == poll_edit().message.as_str();
            assert_eq!(
                (status.revision(), earlier.len()),
                (u64::from(made), usize::from(made))
            );
            assert_eq!(tag, if made { "two" } else { "one" });
            assert_eq!(home(store, scene.reader).await, [scene.id]);
            let again = edits::edit(store, scene.author, scene.id, &poll_edit()).await;
            assert_eq!(again.expect("an answer"), Edit::Done);
        },
    )
    .await;
}

#[tokio::test]
async fn a_delete_cut_off_anywhere_removes_ballots_versions_and_status_or_none() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number, true).await;
            let tea = Ballot::of(&[0]).expect("a ballot");
            let cast = polls::vote(store, scene.reader, scene.id, tea).await;
            assert_eq!(cast.expect("an answer"), Cast::Counted);
            edit(store, scene.author, scene.id, "as it is").await;
            scene
        },
        async |store, scene| {
            let deleted = statuses::delete(store, scene.author, scene.id).await;
            deleted.map(drop)
        },
        async |scene| {
            let lives = store.life(scene.id).await.expect("an answer").is_living();
            let names = ["ballots", "versions"].map(|kind| format!("{kind}:{{{}}}", scene.id));
            let left = store.look_up(&names).await.expect("an answer");
            assert_eq!(left.len(), if lives { 2 } else { 0 });
        },
    )
    .await;
}
