//! Replies, and deletions of the replied-to status, interrupted before each command.

use redwing::{
    actions::statuses,
    domain::{Draft, IdempotencyKey, Message, StatusId, UserId},
    store::{Key, Viewer},
};

use super::{cut_off_everywhere, home, profile};
use crate::support::{
    core::Core,
    crowd::{follow, member, post, reply},
};

struct Scene {
    author: UserId,
    other: UserId,
    reader: UserId,
    root: StatusId,
    idempotency_key: IdempotencyKey,
}

/// Creates a post, a replier, and a reader who follows both.
async fn scene(core: &Core, number: usize) -> Scene {
    let author = member(&core.store, &format!("author_{number}")).await;
    let other = member(&core.store, &format!("other_{number}")).await;
    let reader = member(&core.store, &format!("reader_{number}")).await;
    follow(&core.store, reader, author).await;
    follow(&core.store, reader, other).await;
    Scene {
        author,
        other,
        reader,
        root: post(&core.store, author, "root").await,
        idempotency_key: IdempotencyKey::draw(),
    }
}

async fn cardinality(core: &Core, place: Key) -> u64 {
    let count = core.store.cardinality(&place).await;
    count.expect("the store answers")
}

/// Returns the reply count and the gap count of a living status.
async fn counts(core: &Core, id: StatusId) -> [u64; 2] {
    let status = core.store.status(Viewer::Anonymous, id).await;
    let status = status.expect("the store answers").expect("it lives");
    [
        status.reply_count(),
        status.reply_and_gap_count() - status.reply_count(),
    ]
}

#[tokio::test]
async fn a_reply_cut_off_anywhere_is_everywhere_or_nowhere() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let message = Message::parse("answer").expect("valid");
            let draft = Draft {
                reply_to: Some(scene.root),
                ..Draft::from(&message)
            };
            statuses::post(store, scene.other, draft, &scene.idempotency_key)
                .await
                .map(drop)
        },
        async |scene| {
            let posted = profile(&core.store, scene.other).await;
            let one = posted.len() as u64;
            assert!(one <= 1);
            let due: Vec<StatusId> = posted.iter().copied().chain([scene.root]).collect();
            assert_eq!(home(&core.store, scene.reader).await, due);
            assert_eq!(cardinality(&core, Key::Replies(scene.root)).await, one);
            assert_eq!(
                cardinality(&core, Key::ReceivedReplies(scene.author)).await,
                one
            );
            assert_eq!(cardinality(&core, Key::Posts(scene.other)).await, 0);
            assert_eq!(counts(&core, scene.root).await, [one, 0]);
        },
    )
    .await;
}

#[tokio::test]
async fn a_deletion_of_a_parent_cut_off_anywhere_leaves_a_gap_or_has_no_effect() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let answer = reply(&core.store, scene.other, scene.root, "answer").await;
            reply(&core.store, scene.author, answer, "below").await;
            (scene, answer)
        },
        async |store, (scene, answer)| {
            statuses::delete(store, scene.other, *answer)
                .await
                .map(drop)
        },
        async |(scene, answer)| {
            let lives = !profile(&core.store, scene.other).await.is_empty();
            let due = if lives { [1, 0] } else { [0, 1] };
            assert_eq!(counts(&core, scene.root).await, due);
            assert_eq!(cardinality(&core, Key::Replies(*answer)).await, 1);
            assert_eq!(
                cardinality(&core, Key::ReceivedReplies(scene.author)).await,
                due[0]
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_deletion_of_the_last_reply_below_gaps_cut_off_anywhere_removes_all_gaps_or_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let (mut line, store) = (vec![scene.root], &core.store);
            for _ in 0..3 {
                let to = *line.last().expect("the first");
                line.push(reply(store, scene.other, to, "answer").await);
            }
            for id in &line[1..3] {
                let deleted = statuses::delete(store, scene.other, *id).await;
                deleted.expect("the store answers");
            }
            core.drain().await;
            (scene, line)
        },
        async |store, (scene, line)| {
            statuses::delete(store, scene.other, line[3])
                .await
                .map(drop)
        },
        async |(scene, line)| {
            let left = profile(&core.store, scene.other).await.len() as u64;
            assert_eq!(counts(&core, scene.root).await, [0, left]);
            assert_eq!(cardinality(&core, Key::Gaps(line[1])).await, left);
            assert_eq!(cardinality(&core, Key::Replies(line[2])).await, left);
        },
    )
    .await;
}
