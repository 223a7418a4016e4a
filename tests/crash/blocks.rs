//! Blocks and mutes, interrupted before each command of a change.

use redwing::{
    actions::{blocks, muted_conversations, muted_texts, mutes, polls, statuses},
    domain::{
        Ballot, Draft, IdempotencyKey, Message, MuteTerm, MutedText, SeparationPosition, StatusId,
        Task, UserId,
    },
    store::{Error, Fuse, Key, Relation, SetOutcome, Store},
};

use super::{MANY, cut_off_everywhere, notification_count};
use crate::{
    notifications::members,
    support::{
        core::Core,
        crowd::{favourite, follow, list, member, mute_text, post, post_poll},
    },
};

struct Scene {
    login: String,
    by: UserId,
    other: UserId,
    /// By the person who blocks.
    id: StatusId,
}

/// Two people who follow, list and favourite each other.
async fn scene(core: &Core, number: usize) -> Scene {
    let store = &core.store;
    let by = member(store, &format!("by_{number}")).await;
    let other = member(store, &format!("other_{number}")).await;
    follow(store, by, other).await;
    follow(store, other, by).await;
    let id = post(store, by, "between them").await;
    favourite(store, other, id).await;
    list(store, by, &[other]).await;
    let login = format!("by_{number}");
    Scene {
        login,
        by,
        other,
        id,
    }
}

/// Returns the number of things that connect both people, and whether one blocks the other.
async fn connections(core: &Core, scene: &Scene) -> (u64, bool) {
    let store: &Store = &core.store;
    let relations = [
        Relation::Block(scene.by, scene.other),
        Relation::Follow(scene.by, scene.other),
        Relation::Follow(scene.other, scene.by),
        Relation::Favourite(scene.other, scene.id),
    ];
    let set = store.have_relations(&relations).await.expect("an answer");
    let listed = store.cardinality(&Key::ListMemberships(scene.other)).await;
    let notified = notification_count(core, scene.by).await;
    let connected = set[1..].iter().filter(|is_set| **is_set).count() as u64;
    (connected + listed.expect("an answer") + notified, set[0])
}

#[tokio::test]
async fn a_block_cut_off_anywhere_removes_everything_between_both_or_nothing() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let blocked = blocks::block(store, scene.by, scene.other).await;
            blocked.map(drop)
        },
        async |scene| {
            let (connections, is_blocked) = connections(&core, scene).await;
            // A follow and a favourite notify.
            assert_eq!(connections, if is_blocked { 0 } else { 6 });
            let mirrored = core.store.cardinality(&Key::BlockedBy(scene.other)).await;
            assert_eq!(mirrored.expect("an answer"), u64::from(is_blocked));
        },
    )
    .await;
}

#[tokio::test]
async fn an_unblock_cut_off_anywhere_is_done_on_both_sides_or_on_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let blocked = blocks::block(&core.store, scene.by, scene.other).await;
            blocked.expect("the store answers");
            scene
        },
        async |store, scene| blocks::unblock(store, scene.by, scene.other).await,
        async |scene| {
            let (connections, is_blocked) = connections(&core, scene).await;
            assert_eq!(connections, 0);
            let mirrored = core.store.cardinality(&Key::BlockedBy(scene.other)).await;
            assert_eq!(mirrored.expect("an answer"), u64::from(is_blocked));
        },
    )
    .await;
}

#[tokio::test]
async fn an_unblock_after_a_block_was_cut_off_anywhere_restores_nothing() {
    let core = Core::start();
    let store = &core.store;
    for commands in 0..MANY {
        let scene = scene(&core, commands).await;
        let broken = store.with_fuse(Fuse::of(commands));
        let done = blocks::block(&broken, scene.by, scene.other).await;
        let (_, was_blocked) = connections(&core, &scene).await;
        let unblocked = blocks::unblock(store, scene.by, scene.other).await;
        unblocked.expect("the store answers");
        core.drain().await;
        let (connections, is_blocked) = connections(&core, &scene).await;
        assert!(!is_blocked);
        let expected = if was_blocked { 0 } else { 6 };
        assert_eq!(connections, expected, "cut off before command {commands}");
        if done.is_ok() {
            assert!(commands > 1, "the block was cut off at least twice");
            return core.assert_sound().await;
        }
    }
    panic!("the block never completed");
}

/// Runs the tasks that remove what is found by a walk, from the first one on.
async fn separate(store: &Store, scene: &Scene) -> Result<(), Error> {
    let mut from = SeparationPosition::START;
    while let Some(Task::Separate { from: next, .. }) =
        blocks::separate_pass(store, scene.by, scene.other, from).await?
    {
        from = next;
    }
    Ok(())
}

#[tokio::test]
async fn a_separation_cut_off_anywhere_is_completed_by_the_next_task() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let mut scene = scene(&core, number).await;
            scene.id = post_poll(store, scene.by, &["Tea", "Coffee"]).await;
            favourite(store, scene.other, scene.id).await;
            let ballot = Ballot::stored(1).expect("a choice");
            let vote = polls::vote(store, scene.other, scene.id, ballot).await;
            vote.expect("the store answers");
            // The block without its effects, as if the process had died after its first two steps.
            let call = store.begin().await.expect("the store answers");
            let block = Relation::Block(scene.by, scene.other);
            let set = store.set_relation(&call, &scene.by.into(), &block).await;
            assert_eq!(set.expect("the store answers"), SetOutcome::Done);
            let mirrored = store.mirror_block(&call, scene.by, scene.other).await;
            mirrored.expect("the store answers");
            scene
        },
        async |store, scene| separate(store, scene).await,
        async |scene| {
            separate(store, scene).await.expect("the store answers");
            for key in [Key::Favourites(scene.other), Key::Ballots(scene.id)] {
                let count = store.cardinality(&key).await;
                assert_eq!(count.expect("an answer"), 0, "{key:?}");
            }
            let blocked = blocks::block(store, scene.by, scene.other).await;
            assert_eq!(blocked.expect("an answer"), blocks::Block::Done);
            assert_eq!(connections(&core, scene).await, (0, true));
        },
    )
    .await;
}

#[tokio::test]
async fn a_mute_cut_off_anywhere_is_set_or_not_and_the_data_is_consistent() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            for term in [MuteTerm::Day, MuteTerm::Forever] {
                mutes::mute(store, scene.by, scene.other, term).await?;
                mutes::unmute(store, scene.by, scene.other).await?;
            }
            Ok(())
        },
        async |_| core.assert_sound().await,
    )
    .await;
}

/// Mutes a word after a post with it has notified.
#[tokio::test]
async fn a_muted_word_cut_off_anywhere_removes_notifications_or_changes_nothing() {
    let core = Core::start();
    let text = MutedText::parse("rust").expect("valid");
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            let mention = format!("@by_{number}, rust");
            let id = post(&core.store, scene.other, &mention).await;
            Scene { id, ..scene }
        },
        async |store, scene| {
            let muted = muted_texts::mute_text(store, scene.by, &text, MuteTerm::Forever).await;
            muted.map(drop)
        },
        async |scene| {
            let muted = core.store.cardinality(&Key::MutedTexts(scene.by)).await;
            let muted = muted.expect("an answer");
            let notified = members(&core.store, scene.by).await;
            let mention = format!("mention:{}:{}", scene.id, scene.other);
            assert_eq!(notified.contains(&mention), muted == 0, "{notified:?}");
        },
    )
    .await;
}

#[tokio::test]
async fn a_muted_conversation_cut_off_anywhere_is_set_or_not() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            muted_conversations::mute_conversation(store, scene.by, scene.id).await?;
            muted_conversations::unmute_conversation(store, scene.by, scene.id).await
        },
        async |_| core.assert_sound().await,
    )
    .await;
}

/// A mention of a person who mutes other words, and so is notified after a decision.
#[tokio::test]
async fn a_mention_of_a_person_with_mutes_cut_off_anywhere_notifies_with_the_post_or_not_at_all() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            mute_text(&core.store, scene.by, "tea").await;
            scene
        },
        async |store, scene| {
            let text = Message::parse(&format!("@{}, hello", scene.login)).expect("valid");
            let key = IdempotencyKey::of(u128::from(scene.by.get()));
            let posted = statuses::post(store, scene.other, Draft::from(&text), &key).await;
            posted.map(drop)
        },
        async |scene| {
            let notified = members(&core.store, scene.by).await;
            let mentions = notified.iter().filter(|one| one.starts_with("mention:"));
            let posts = core.store.cardinality(&Key::Posts(scene.other)).await;
            assert_eq!(mentions.count() as u64, posts.expect("an answer"));
        },
    )
    .await;
}
