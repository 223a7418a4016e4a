//! A quote that is detached, a reply that is hidden and a rule that is changed, interrupted before each command.

use redwing::{
    actions::{reply_control, statuses},
    domain::{Draft, IdempotencyKey, Message, ProfileView, Repliers, StatusId, UserId},
    store::{Key, Original, ReplyControlOutcome, Viewer, VisibleStatus},
};
use tokio::join;

use super::cut_off_everywhere;
use crate::{
    reply_control::only,
    support::{
        core::Core,
        crowd::{member, post, quote, reply},
    },
};

/// A post with a quote and a reply by another person.
struct Scene {
    author: UserId,
    other: UserId,
    id: StatusId,
    quote: StatusId,
    reply: StatusId,
}

async fn scene(core: &Core, number: usize) -> Scene {
    let store = &core.store;
    let author = member(store, &format!("author_{number}")).await;
    let other = member(store, &format!("other_{number}")).await;
    let id = post(store, author, "worth telling").await;
    Scene {
        author,
        other,
        id,
        quote: quote(store, other, id, "a comment").await,
        reply: reply(store, other, id, "an answer").await,
    }
}

#[tokio::test]
async fn a_detached_quote_cut_off_anywhere_is_detached_everywhere_or_nowhere() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let detached = reply_control::detach_quote(store, scene.author, scene.quote);
            detached.await.map(drop)
        },
        async |scene| {
            let status = store.status(Viewer::Anonymous, scene.quote).await;
            let status = status.expect("an answer").expect("it lives");
            let is_quote = matches!(status.quoted(), Some(Original::Status(_)));
            let quotes = store.cardinality(&Key::Quotes(scene.id)).await;
            assert_eq!(quotes.expect("an answer"), u64::from(is_quote));
            let original = store.status(Viewer::Anonymous, scene.id).await;
            let original = original.expect("an answer").expect("it lives");
            assert_eq!(original.quote_count(), u64::from(is_quote));
        },
    )
    .await;
}

#[tokio::test]
async fn a_hidden_reply_and_a_changed_rule_cut_off_anywhere_are_done_or_not() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let hidden = reply_control::set_hidden(store, scene.author, scene.reply, true);
            hidden.await?;
            let nobody = only(Repliers::NoOne);
            let set = reply_control::set_reply_control(store, scene.author, scene.id, nobody);
            set.await.map(drop)
        },
        async |scene| {
            let read = async |id| {
                let status = store.status(Viewer::Anonymous, id).await;
                status.expect("an answer").expect("it lives")
            };
            let (first, reply) = (read(scene.id).await, read(scene.reply).await);
            let is_closed = first.reply_control() == only(Repliers::NoOne);
            assert!(reply.is_hidden() || !is_closed, "in this order");
            assert_eq!(first.reply_count(), 1);
        },
    )
    .await;
}

/// The rule changes while the reply is written, so a process dies before the reply is decided again, before it is
/// deleted, or after both.
#[tokio::test]
async fn a_reply_during_a_change_of_the_rule_cut_off_anywhere_is_whole_or_absent() {
    let core = Core::start();
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, scene| {
            let draft = Draft {
                reply_to: Some(scene.id),
                ..Draft::from(&Message::parse("another answer").expect("valid"))
            };
            let idempotency_key = IdempotencyKey::draw();
            let nobody = only(Repliers::NoOne);
            let (posted, set) = join!(
                statuses::post(store, scene.other, draft, &idempotency_key),
                reply_control::set_reply_control(&core.store, scene.author, scene.id, nobody)
            );
            assert_eq!(set.expect("an answer"), ReplyControlOutcome::Done);
            posted.map(drop)
        },
        async |scene| {
            let view = ProfileView::PostsAndReplies;
            let profile = store.profile_page(Viewer::Anonymous, scene.other, view, None);
            let profile = profile.await.expect("an answer").items;
            let is_there = |status: &VisibleStatus| status.message() == "another answer";
            let count = profile.into_iter().filter(is_there).count() as u64;
            let first = store.status(Viewer::Anonymous, scene.id).await;
            let first = first.expect("an answer").expect("it lives");
            assert_eq!(first.reply_count(), 1 + count);
            let replies = store.cardinality(&Key::Replies(scene.id)).await;
            assert_eq!(replies.expect("an answer"), 1 + count);
        },
    )
    .await;
}
