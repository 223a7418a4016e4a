//! Statuses: posting with its syndication, and deletion.

use crate::{
    actions::{derived_copies, fan_out, search},
    domain::{
        Draft, IdempotencyKey, ProfileView, Reach, ReplyTarget, StatusHeader, StatusId, Task,
        UserId, joined,
    },
    store::{Actor, Bury, Call, Create, Draw, Error, Life, Result, Store, Viewer},
};

/// Maximum number of ids drawn per post. Each collides with every other status of the same millisecond
/// with a probability of 1 in 4096.
pub(super) const DRAWS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Post {
    Posted(StatusId),
    /// This form already posted another text.
    KeyReused,
    /// The status that it replies to is gone.
    TargetDeleted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delete {
    Deleted,
    /// It does not exist or belongs to another author.
    NotFound,
}

/// Posts a status: listings 8.2 (create) and 8.6 (post) of the book. The same idempotency key again
/// creates nothing and returns the same answer. Authors see their own posts on their home, which the
/// book forgets. The first pass of followers runs within the call; tasks that survive the death of a
/// worker run the others.
pub async fn post(
    store: &Store,
    author: impl Into<Actor>,
    draft: impl Into<Draft>,
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let author = author.into();
    let draft = draft.into();
    let target = match draft.reply_to {
        None => None,
        Some(parent) => match store
            .reply_target(Viewer::Member(author.id()), parent)
            .await?
        {
            Some(target) => Some(target),
            None => return find_earlier_post(store, author.id(), &draft, idempotency_key).await,
        },
    };
    let call = store.begin().await?;
    let steps = post_steps(
        store,
        &call,
        &author,
        (&draft, target.as_ref()),
        idempotency_key,
    );
    call.finish(steps.await).await
}

/// Returns the outcome of a reply whose parent is gone: the earlier status if the same form posted it
/// before.
async fn find_earlier_post(
    store: &Store,
    author: UserId,
    draft: &Draft,
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let posted = store.posted_by(author, draft, idempotency_key).await?;
    Ok(posted.map_or(Post::TargetDeleted, Post::Posted))
}

async fn post_steps(
    store: &Store,
    call: &Call,
    actor: &Actor,
    (draft, target): (&Draft, Option<&ReplyTarget>),
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let author = actor.id();
    let mut fields = draft.fields();
    fields.extend(target.map(ReplyTarget::fields).into_iter().flatten());
    let mentioned = store.mentioned_by(draft, author).await?;
    if !mentioned.is_empty() {
        fields.push(("mentioned", joined(&mentioned)));
    }
    let view = target.map_or(ProfileView::Posts, |_| ProfileView::PostsAndReplies);
    let mut refused = None;
    for _ in 0..DRAWS {
        let (id, login) = match store
            .draw_status(actor, draft, idempotency_key, refused)
            .await?
        {
            Draw::Id { id, login } => (id, login),
            Draw::Conflict => return Ok(Post::KeyReused),
            Draw::UnknownAuthor => {
                return Err(Error::Unexpected {
                    what: "the author",
                    answer: format!("{author} is not there"),
                });
            }
        };
        let (created, outbox_entry) = store
            .create_status(call, id, (author, &login), &fields, idempotency_key)
            .await?;
        match created {
            Create::Created | Create::Already => publish(store, call, id, (author, view)).await?,
            Create::Buried => {}
            Create::Taken => refused = Some(id),
        }
        store.remove_outbox_entry(outbox_entry).await?;
        if created == Create::Created
            && draft.quote_of.is_some()
            && !store.life(id).await?.is_living()
        {
            return Ok(Post::TargetDeleted);
        }
        if created != Create::Taken {
            return Ok(Post::Posted(id));
        }
    }
    Err(Error::Unavailable("no free status id was drawn".into()))
}

/// Adds a living status to profile, own home, derived copies and followers' homes. If it died meanwhile,
/// all is taken back.
pub(super) async fn publish(
    store: &Store,
    call: &Call,
    id: StatusId,
    (author, view): (UserId, ProfileView),
) -> Result<()> {
    store.file_status(call, id, author, view).await?;
    match store.life(id).await? {
        Life::Living(status) => {
            derived_copies::add_copies(store, call, id, &status).await?;
            match fan_out::deliver_pass(store, call, id, Reach::START).await? {
                // The pass found it dead: it died while its copies were written, or later.
                Some(Task::Withdraw { .. }) => take_back(store, id, &status).await,
                task => fan_out::enqueue(store, task).await,
            }
        }
        Life::Dead(status) => take_back(store, id, &status).await,
        Life::Absent => take_back(store, id, &StatusHeader::of(author)).await,
    }
}

/// Deletes a status of the actor: listing 8.8 of the book, with the exercise "Cleaning out deleted IDs"
/// for timelines. The tombstone is the source of truth, and death is final. A fan-out in flight leaves
/// no deleted post behind, because each pass reads the tombstone at its start and end.
pub async fn delete(store: &Store, by: impl Into<Actor>, id: StatusId) -> Result<Delete> {
    let by = by.into();
    let call = store.begin().await?;
    store.check_session(&by).await?;
    call.finish(delete_steps(store, &call, by.id(), id).await)
        .await
}

async fn delete_steps(store: &Store, call: &Call, by: UserId, id: StatusId) -> Result<Delete> {
    let (buried, outbox_entry) = store.bury_status(call, id, by).await?;
    if buried != Bury::NotYours
        && let Life::Dead(status) = store.life(id).await?
    {
        take_back(store, id, &status).await?;
    }
    store.remove_outbox_entry(outbox_entry).await?;
    Ok(if buried == Bury::NotYours {
        Delete::NotFound
    } else {
        Delete::Deleted
    })
}

async fn take_back(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    store.unfile_status(id, status.author).await?;
    derived_copies::remove_copies(store, id, status).await?;
    store
        .enqueue(&Task::Withdraw {
            status: id,
            from: Reach::START,
        })
        .await
}

/// Reconciles all copies of a status after a crash: delivers a living one again, and takes back a dead
/// one.
pub async fn reconcile(store: &Store, id: StatusId) -> Result<()> {
    let call = store.begin().await?;
    let steps = async {
        match store.life(id).await? {
            Life::Living(status) => {
                publish(store, &call, id, (status.author, status.view())).await?;
                search::index_and_forget(store, id).await
            }
            Life::Dead(status) => take_back(store, id, &status).await,
            Life::Absent => Ok(()),
        }
    };
    call.finish(steps.await).await
}
