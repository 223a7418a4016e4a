//! Statuses: the syndication of a post, and deletion. `posting` has the decisions before it.

pub mod bookmarks;
pub(super) mod derived_copies;
pub mod edits;
pub mod favourites;
pub mod group_posts;
pub(super) mod index_entries;
pub mod mentions;
pub mod muted_conversations;
pub mod pinned_posts;
pub mod polls;
pub(super) mod post_marks;
mod posting;
pub mod replies;
pub mod reply_control;
pub mod reposts;
pub(super) mod tombstones;

pub use posting::{Post, post};

use crate::{
    actions::{
        fan_out,
        moderation::queue_waiting_post,
        operations::{Reconciled, after_truth},
        prelude::*,
        replies::Extent,
        search,
    },
    domain::FanOutProgress,
    store::{Bury, Filing},
};

/// Maximum number of ids drawn per post. Each collides with every other status of the same millisecond
/// with a probability of 1 in 4096.
pub(in crate::actions) const DRAWS: usize = 16;

/// Bytes of tags and mentions that a tombstone may keep. With more, the outbox entry of the deletion stays, and its
/// reconciliation drops them.
const KEPT_FIELD_BYTES: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delete {
    Deleted,
    /// It does not exist or belongs to another author.
    NotFound,
}

/// Adds a living status to profile, own home, derived copies and followers' homes. If it waits for a moderator, it is
/// queued instead of delivered. If it died meanwhile, all is taken back.
pub(in crate::actions) async fn publish(
    store: &Store,
    call: &Call,
    id: StatusId,
    filing: Filing,
) -> Result<()> {
    match add_to_author(store, call, id, filing).await? {
        Some(status) if status.waiting_since.is_some() => {
            queue_waiting_post(store, id, &status).await
        }
        Some(status) => start_delivery(store, call, id, &status).await,
        None => Ok(()),
    }
}

/// Adds a living status to profile, own home and derived copies. If it died meanwhile, all is taken back
/// and nothing is returned.
pub(in crate::actions) async fn add_to_author(
    store: &Store,
    call: &Call,
    id: StatusId,
    mut filing: Filing,
) -> Result<Option<StatusHeader>> {
    // A status can be edited a limited number of times, so this ends.
    let dead = loop {
        store.file_status(call, id, filing).await?;
        match store.life(id).await? {
            Life::Living(status) if status.extra_bytes != filing.extra_bytes => {
                filing.extra_bytes = status.extra_bytes;
            }
            Life::Living(status) => {
                derived_copies::add_copies(store, call, id, &status).await?;
                return Ok(Some(status));
            }
            Life::Dead(status) => break status,
            Life::Absent => break StatusHeader::of(filing.author),
        }
    };
    withdraw_deleted(store, id, &dead, Extent::All).await?;
    Ok(None)
}

/// Runs the first pass of a delivery and queues the next.
async fn start_delivery(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    match fan_out::deliver_first_pass(store, call, id).await? {
        // The pass found it dead: it died while its copies were written, or later.
        Some(Task::Withdraw { .. }) => withdraw_deleted(store, id, status, Extent::All).await,
        task => fan_out::enqueue(store, task).await,
    }
}

/// Deletes a status of the actor: listing 8.8 of the book, with the exercise "Cleaning out deleted IDs"
/// for timelines. The tombstone is the source of truth, and death is final. A fan-out in flight leaves
/// no deleted post behind, because each pass reads the tombstone at its start and end. The outbox entry of a status with
/// many tags or mentions stays, so that the tombstone loses them when no call can write their copies any more.
pub async fn delete(store: &Store, by: impl Into<Actor>, id: StatusId) -> Result<Delete> {
    let by = by.into();
    let call = store.begin().await?;
    store.check_session(&by).await?;
    call.finish(delete_steps(store, &call, by.id(), id).await)
        .await
}

async fn delete_steps(store: &Store, call: &Call, by: UserId, id: StatusId) -> Result<Delete> {
    let (buried, outbox_entry) = store.bury_status(call, id, by).await?;
    if buried == Bury::NotYours {
        store.remove_outbox_entry(outbox_entry).await?;
        return Ok(Delete::NotFound);
    }
    let steps = async {
        if let Life::Dead(status) = store.life(id).await? {
            withdraw_deleted(store, id, &status, Extent::Affected).await?;
            if status.bytes_of_text_fields() > KEPT_FIELD_BYTES {
                return Ok(Reconciled::No);
            }
        }
        store.remove_outbox_entry(outbox_entry).await?;
        Ok(Reconciled::Yes)
    };
    after_truth(call, steps.await)?;
    Ok(Delete::Deleted)
}

async fn withdraw_deleted(
    store: &Store,
    id: StatusId,
    status: &StatusHeader,
    extent: Extent,
) -> Result<()> {
    remove_copies(store, id, status, extent).await?;
    let from = FanOutProgress::START;
    store.enqueue(&Task::Withdraw { status: id, from }).await
}

async fn remove_copies(
    store: &Store,
    id: StatusId,
    status: &StatusHeader,
    extent: Extent,
) -> Result<()> {
    store.unfile_status(id, status.author).await?;
    derived_copies::remove_copies(store, id, status, extent).await?;
    tombstones::count(store, id).await
}

/// Reconciles the copies of a dead status. If it died before every call of now began, no call can write copies any more,
/// and the tombstone loses the fields that lead to them.
async fn reconcile_deleted(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    let is_over = store.was_deleted_before_all_calls(id).await?;
    if !is_over || status.bytes_of_text_fields() <= KEPT_FIELD_BYTES {
        return withdraw_deleted(store, id, status, Extent::All).await;
    }
    remove_copies(store, id, status, Extent::All).await?;
    let from = FanOutProgress::START;
    store
        .enqueue(&Task::LastWithdraw { status: id, from })
        .await
}

/// Reconciles all copies of a status after a crash: delivers a living one again, and takes back a dead
/// one.
pub async fn reconcile(store: &Store, id: StatusId) -> Result<()> {
    let call = store.begin().await?;
    let steps = async {
        match store.life(id).await? {
            Life::Living(status) => {
                publish(store, &call, id, Filing::from(&status)).await?;
                search::index_and_forget(store, id).await?;
                if status.group.is_some() {
                    group_posts::reconcile_removal(store, &call, id).await?;
                }
                if store.user(status.author).await?.is_none() {
                    // The author deleted their account meanwhile.
                    delete_steps(store, &call, status.author, id).await?;
                }
                Ok(())
            }
            Life::Dead(status) => reconcile_deleted(store, id, &status).await,
            Life::Absent => Ok(()),
        }
    };
    call.finish(steps.await).await
}
