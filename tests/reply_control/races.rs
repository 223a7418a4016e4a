//! Changes of rules, hidden replies and detached quotes against what others do at the same moment.

use redwing::{
    actions::{
        edits, reply_control, reposts,
        statuses::{self, Post},
    },
    domain::{Draft, EditState, IdempotencyKey, Message, ProfileView, Repliers, ReplyControl},
    store::{ControlOutcome, Key, Viewer},
};
use tokio::join;

use super::{only, set_control};
use crate::support::{core::Core, crowd};

/// Number of tries of each race.
const TRIES: usize = 24;

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_during_a_change_of_the_rule_is_whole_or_refused_without_a_trace() {
    let core = Core::start();
    let store = &core.store;
    let mut refused = 0;
    for number in 0..TRIES {
        let people = crowd::people(store, &format!("person_{number}"), 3).await;
        let [host, guest, fan] = people[..] else {
            panic!("there are three")
        };
        for followed in [host, guest] {
            crowd::follow(store, fan, followed).await;
        }
        let first = crowd::post(store, host, "first").await;
        crowd::home(store, fan).await;
        let (answer, ()) = join!(
            crowd::try_reply(store, guest, first, "an answer"),
            set_control(store, host, first, only(Repliers::NoOne))
        );
        let late = crowd::try_reply(store, guest, first, "too late").await;
        assert_eq!(late, Post::ReplyRefused);
        core.drain().await;
        let count = usize::from(answer != Post::ReplyRefused);
        refused += 1 - count;
        let viewer = Viewer::Member(fan);
        let status = store
            .status(viewer, first)
            .await
            .expect("an answer")
            .expect("it lives");
        assert_eq!(status.reply_count(), count as u64, "{answer:?}");
        assert_eq!(crowd::home(store, fan).await.len(), 1 + count);
        let view = ProfileView::PostsAndReplies;
        let profile = store.profile_page(viewer, guest, view, None).await;
        assert_eq!(profile.expect("an answer").items.len(), count);
        let notified = store.cardinality(&Key::Notifications(host)).await;
        assert_eq!(
            notified.expect("an answer"),
            1 + count as u64,
            "a follow, and the reply"
        );
    }
    assert!(refused > 0, "no change was in flight with a reply");
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quote_while_quotes_are_closed_is_whole_or_refused_without_a_trace() {
    let core = Core::start();
    let store = &core.store;
    let closed = ReplyControl {
        is_quoting_closed: true,
        ..ReplyControl::default()
    };
    for number in 0..TRIES {
        let people = crowd::people(store, &format!("person_{number}"), 2).await;
        let [author, guest] = people[..] else {
            panic!("there are two")
        };
        let id = crowd::post(store, author, "worth telling").await;
        let draft = Draft {
            quote_of: reposts::original_of(store, guest, id)
                .await
                .expect("an answer"),
            ..Draft::from(&Message::parse("a comment").expect("valid"))
        };
        let key = IdempotencyKey::draw();
        let (answer, ()) = join!(
            statuses::post(store, guest, draft, &key),
            set_control(store, author, id, closed)
        );
        core.drain().await;
        let answer = answer.expect("an answer");
        let count = u64::from(answer != Post::QuoteRefused);
        let quotes = store.cardinality(&Key::Quotes(id)).await;
        assert_eq!(quotes.expect("an answer"), count, "{answer:?}");
        let posts = store.cardinality(&Key::Profile(guest)).await;
        assert_eq!(posts.expect("an answer"), count);
    }
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hiding_a_reply_while_it_is_deleted_leaves_no_trace_of_it() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let people = crowd::people(store, &format!("person_{number}"), 2).await;
        let [host, guest] = people[..] else {
            panic!("there are two")
        };
        let first = crowd::post(store, host, "first").await;
        let reply = crowd::reply(store, guest, first, "an answer").await;
        let ((), hidden) = join!(
            crowd::delete(store, guest, reply),
            reply_control::set_hidden(store, host, reply, true)
        );
        hidden.expect("an answer");
        core.drain().await;
        let status = store
            .status(Viewer::Anonymous, first)
            .await
            .expect("an answer");
        assert_eq!(status.expect("it lives").reply_count(), 0);
    }
    // A tombstone with the field is a fault.
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_while_a_quote_is_detached_does_not_attach_it_again() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let people = crowd::people(store, &format!("person_{number}"), 2).await;
        let [author, guest] = people[..] else {
            panic!("there are two")
        };
        let id = crowd::post(store, author, "worth telling").await;
        let quote = crowd::quote(store, guest, id, "a comment").await;
        let edit = EditState {
            message: Message::parse("another comment").expect("valid"),
            warning: None,
            revision: 0,
            visibility: None,
        };
        let (edited, detached) = join!(
            edits::edit(store, guest, quote, &edit),
            reply_control::detach_quote(store, author, quote)
        );
        assert_eq!(edited.expect("an answer"), redwing::store::Edit::Done);
        assert_eq!(detached.expect("an answer"), ControlOutcome::Done);
        core.drain().await;
        let quotes = store.cardinality(&Key::Quotes(id)).await;
        assert_eq!(quotes.expect("an answer"), 0);
        let status = store
            .status(Viewer::Anonymous, quote)
            .await
            .expect("an answer");
        let status = status.expect("it lives");
        assert_eq!(status.message(), "another comment");
        assert!(matches!(
            status.quoted(),
            Some(redwing::store::Original::Detached)
        ));
    }
    core.assert_sound().await;
}
