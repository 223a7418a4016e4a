//! Statuses: posting with its syndication, and deletion.

use crate::{
    actions::{fan_out, records, search},
    domain::{
        Answer, Draft, IdempotencyKey, ProfileView, Reach, StatusHeader, StatusId, Task, UserId,
        joined,
    },
    store::{Actor, Bury, Call, Create, Draw, Error, Life, Result, Store, Viewer},
};

/// How often an id is drawn before giving up: each collides with a chance of one in 4096 with
/// each other status of the same millisecond.
pub(super) const DRAWS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Post {
    Posted(StatusId),
    /// This form posted another text already.
    NonceReused,
    /// What it was to answer is not there any more.
    NothingToAnswer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delete {
    Deleted,
    /// Not there, or another's.
    NotFound,
}

/// Posts a status: listings 8.2 (create) and 8.6 (post) of the book. The same nonce again
/// makes nothing new and is answered as the first time. Own posts stand on the own home, which
/// the book forgets. The first pass of followers is served within the call, the rest by tasks
/// that survive the death of whoever works on them.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks was over when the id was to be drawn.
pub async fn post(
    store: &Store,
    author: impl Into<Actor>,
    draft: impl Into<Draft>,
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let author = author.into();
    let draft = draft.into();
    let answer = match draft.answers {
        None => None,
        Some(answered) => match answer_to(store, author.id(), answered).await? {
            Some(answer) => Some(answer),
            None => return without_answered(store, author.id(), &draft, idempotency_key).await,
        },
    };
    let call = store.begin().await?;
    let steps = post_steps(
        store,
        &call,
        &author,
        (&draft, answer.as_ref()),
        idempotency_key,
    );
    call.settle(steps.await).await
}

async fn answer_to(store: &Store, author: UserId, answered: StatusId) -> Result<Option<Answer>> {
    store.answer_to(Viewer::Member(author), answered).await
}

/// What was to be answered is gone. A form that had posted its answer before is answered as then.
async fn without_answered(
    store: &Store,
    author: UserId,
    draft: &Draft,
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let posted = store.posted_by(author, draft, idempotency_key).await?;
    Ok(posted.map_or(Post::NothingToAnswer, Post::Posted))
}

async fn post_steps(
    store: &Store,
    call: &Call,
    actor: &Actor,
    (draft, answer): (&Draft, Option<&Answer>),
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let author = actor.id();
    let mut fields = draft.fields();
    fields.extend(answer.map(Answer::fields).into_iter().flatten());
    let mentioned = store.mentioned_by(draft, author).await?;
    if !mentioned.is_empty() {
        fields.push(("mentioned", joined(&mentioned)));
    }
    let view = answer.map_or(ProfileView::Posts, |_| ProfileView::PostsAndReplies);
    let mut refused = None;
    for _ in 0..DRAWS {
        let (id, login) = match store
            .draw_status(actor, draft, idempotency_key, refused)
            .await?
        {
            Draw::Id { id, login } => (id, login),
            Draw::Conflict => return Ok(Post::NonceReused),
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
        store.forget(outbox_entry).await?;
        if created == Create::Created
            && draft.quotes.is_some()
            && !store.life(id).await?.is_living()
        {
            return Ok(Post::NothingToAnswer);
        }
        if created != Create::Taken {
            return Ok(Post::Posted(id));
        }
    }
    Err(Error::Unavailable("no free status id was drawn".into()))
}

/// Brings a living status to profile, own home, to where it is looked for, and to followers. Where it
/// died meanwhile, what was written is taken back.
pub(super) async fn publish(
    store: &Store,
    call: &Call,
    id: StatusId,
    (author, view): (UserId, ProfileView),
) -> Result<()> {
    store.file_status(call, id, author, view).await?;
    match store.life(id).await? {
        Life::Living(status) => {
            records::enter(store, call, id, &status).await?;
            match fan_out::deliver_pass(store, call, id, Reach::START).await? {
                // The pass found it dead: it died while its records were written, or after.
                Some(Task::Withdraw { .. }) => take_back(store, id, &status).await,
                task => fan_out::enqueue(store, task).await,
            }
        }
        Life::Dead(status) => take_back(store, id, &status).await,
        Life::Absent => take_back(store, id, &StatusHeader::of(author)).await,
    }
}

/// Deletes a status: listing 8.8 of the book, with its exercise "Cleaning out deleted IDs" from the
/// timelines that it stands in. A tombstone is the truth, and death is final; so a fan-out in flight
/// cannot leave zombies, as each pass looks at the truth at its start and its end. Only its author can.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session that
/// asks was over at the beginning.
pub async fn delete(store: &Store, by: impl Into<Actor>, id: StatusId) -> Result<Delete> {
    let by = by.into();
    let call = store.begin().await?;
    store.stands(&by).await?;
    call.settle(delete_steps(store, &call, by.id(), id).await)
        .await
}

async fn delete_steps(store: &Store, call: &Call, by: UserId, id: StatusId) -> Result<Delete> {
    let (buried, outbox_entry) = store.bury_status(call, id, by).await?;
    if buried != Bury::NotYours
        && let Life::Dead(status) = store.life(id).await?
    {
        take_back(store, id, &status).await?;
    }
    store.forget(outbox_entry).await?;
    Ok(if buried == Bury::NotYours {
        Delete::NotFound
    } else {
        Delete::Deleted
    })
}

async fn take_back(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    store.unfile_status(id, status.author).await?;
    records::leave(store, id, status).await?;
    store
        .enqueue(&Task::Withdraw {
            status: id,
            from: Reach::START,
        })
        .await
}

/// Brings every copy of a status to what the truth says, after a crash: a living one is filed and
/// delivered again, a dead one taken back.
pub async fn reconcile(store: &Store, id: StatusId) -> Result<()> {
    let call = store.begin().await?;
    let steps = async {
        match store.life(id).await? {
            Life::Living(status) => {
                publish(store, &call, id, (status.author, status.view())).await?;
                search::bring(store, id).await
            }
            Life::Dead(status) => take_back(store, id, &status).await,
            Life::Absent => Ok(()),
        }
    };
    call.settle(steps.await).await
}
