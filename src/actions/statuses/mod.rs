//! Statuses: posting with its syndication, and deletion.

pub mod bookmarks;
pub(super) mod derived_copies;
pub mod edits;
pub mod favourites;
pub(super) mod hidden_posts;
pub(super) mod index_entries;
pub mod muted_conversations;
pub mod pinned_posts;
pub mod polls;
pub mod replies;
pub mod reply_control;
pub mod reposts;

use crate::{
    actions::{
        fan_out,
        operations::{Reconciled, after_truth},
        prelude::*,
        replies::Extent,
        search,
    },
    domain::{
        Draft, FanOutProgress, Login, ProfileView, Readers, ReplyTarget, Visibility,
        extra_bytes_of, joined,
    },
    store::{Bury, Create, Draw, Filing, TextToPost},
};

/// Maximum number of ids drawn per post. Each collides with every other status of the same millisecond
/// with a probability of 1 in 4096.
pub(in crate::actions) const DRAWS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Post {
    Posted(StatusId),
    /// This form already posted another text.
    KeyReused,
    /// The status that it replies to is gone, or the one that it quotes may not be quoted.
    TargetDeleted,
    /// The status that it replies to, or the first one of the conversation, does not let the author reply.
    ReplyRefused,
    /// The author of the other status does not let others quote it.
    QuoteRefused,
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
            Some(target) if target.may_reply => Some(target),
            Some(_) => {
                let earlier = find_living_post(store, author.id(), &draft, idempotency_key).await?;
                return Ok(earlier.map_or(Post::ReplyRefused, Post::Posted));
            }
            None => return find_earlier_post(store, author.id(), &draft, idempotency_key).await,
        },
    };
    let mut widest = Visibility::Public;
    if let Some(quoted) = draft.quote_of {
        let quoted = store
            .status(Viewer::Member(author.id()), quoted.status)
            .await?;
        let is_closed = quoted
            .as_ref()
            .is_some_and(VisibleStatus::is_quoting_closed);
        match quoted.and_then(|quoted| quoted.widest_quote()) {
            Some(of_quote) => widest = of_quote,
            None if is_closed => {
                let earlier = find_living_post(store, author.id(), &draft, idempotency_key).await?;
                return Ok(earlier.map_or(Post::QuoteRefused, Post::Posted));
            }
            None => return find_earlier_post(store, author.id(), &draft, idempotency_key).await,
        }
    }
    let call = store.begin().await?;
    let steps = post_steps(
        store,
        &call,
        &author,
        (&draft, target.as_ref(), widest),
        idempotency_key,
    );
    call.finish(steps.await).await
}

/// Returns the people that a draft for followers mentions and who would not see it. People whom the author does not find
/// are like logins that no one has.
pub async fn unreached_mentions(
    store: &Store,
    author: UserId,
    draft: &Draft,
) -> Result<Vec<Login>> {
    if draft.visibility != Visibility::Followers {
        return Ok(Vec::new());
    }
    let mentioned = store.mentioned_by(draft, author).await?;
    let target = match draft.reply_to {
        Some(parent) if !mentioned.is_empty() => {
            store.reply_target(Viewer::Member(author), parent).await?
        }
        _ => None,
    };
    let followed = target.as_ref().and_then(|target| target.followed);
    let header = StatusHeader {
        reply_to: target.map(|target| target.to),
        readers: Readers::FollowersOf(followed.unwrap_or(author)),
        ..StatusHeader::of(author)
    };
    let are_readers = store.are_readers(&header, &mentioned).await?;
    let unreached = mentioned.into_iter().zip(are_readers);
    let unreached = unreached.filter(|(_, is_reader)| !is_reader);
    let unreached: Vec<UserId> = unreached.map(|(person, _)| person).collect();
    let people = store.people(Viewer::Member(author), &unreached).await?;
    Ok(people
        .into_iter()
        .map(|person| person.user.login.clone())
        .collect())
}

/// Returns the outcome of a reply or quote whose other status is gone: the earlier status if the same form posted
/// it before.
async fn find_earlier_post(
    store: &Store,
    author: UserId,
    draft: &Draft,
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let posted = store.posted_by(author, draft, idempotency_key).await?;
    Ok(posted.map_or(Post::TargetDeleted, Post::Posted))
}

/// Returns the living status that the same form posted before the rule of the other status refused it.
async fn find_living_post(
    store: &Store,
    author: UserId,
    draft: &Draft,
    idempotency_key: &IdempotencyKey,
) -> Result<Option<StatusId>> {
    let Some(posted) = store.posted_by(author, draft, idempotency_key).await? else {
        return Ok(None);
    };
    let is_living = store.life(posted).await?.is_living();
    Ok(Some(posted).filter(|_| is_living))
}

/// Returns the refusal of a reply or quote by the rules that are stored now. The rules can have changed since the
/// first decision.
async fn find_refusal(
    store: &Store,
    author: UserId,
    draft: &Draft,
    target: Option<&ReplyTarget>,
) -> Result<Option<Post>> {
    if let Some(target) = target
        && !store.permits_reply(author, target).await?
    {
        return Ok(Some(Post::ReplyRefused));
    }
    if let Some(quoted) = draft.quote_of
        && !store.permits_quote(author, quoted).await?
    {
        return Ok(Some(Post::QuoteRefused));
    }
    Ok(None)
}

async fn post_steps(
    store: &Store,
    call: &Call,
    actor: &Actor,
    (draft, target, widest): (&Draft, Option<&ReplyTarget>, Visibility),
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let author = actor.id();
    let mut fields = draft.fields();
    fields.extend(target.map(ReplyTarget::fields).into_iter().flatten());
    let readers = match target {
        Some(target) => target.readers(author, draft.visibility.min(widest)),
        None => Readers::of(draft.visibility.min(widest), author),
    };
    let mentioned = store.mentioned_by(draft, author).await?;
    let text = TextToPost {
        author,
        link_count: draft.link_count(),
        mentioned: &mentioned,
        answered: target.map(|target| target.to.author),
    };
    if let Some(refusal) = store.newcomer_refusal(text).await? {
        let earlier = find_living_post(store, author, draft, idempotency_key).await?;
        return earlier.map(Post::Posted).ok_or(Error::Newcomer(refusal));
    }
    if !mentioned.is_empty() {
        fields.push(("mentioned", joined(&mentioned)));
    }
    let filing = Filing {
        author,
        view: target.map_or(ProfileView::Posts, |_| ProfileView::PostsAndReplies),
        extra_bytes: extra_bytes_of(draft),
    };
    if filing.extra_bytes > 0 {
        fields.push(("extra_bytes", filing.extra_bytes.to_string()));
    }
    let mut refused = None;
    for _ in 0..DRAWS {
        let (id, login, readers) = match store
            .draw_status(actor, draft, idempotency_key, refused)
            .await?
        {
            Draw::Id {
                id,
                login,
                is_private: true,
            } => (id, login, readers.narrowed(author)),
            Draw::Id { id, login, .. } => (id, login, readers),
            Draw::Conflict => return Ok(Post::KeyReused),
            Draw::UnknownAuthor => {
                return Err(Error::Unexpected {
                    what: "the author",
                    answer: format!("{author} is not there"),
                });
            }
        };
        let fields: Vec<_> = fields.iter().cloned().chain(readers.field()).collect();
        let (created, outbox_entry) = store
            .create_status(call, id, (author, &login), &fields, idempotency_key)
            .await?;
        if created == Create::Created
            && let Some(refusal) = find_refusal(store, author, draft, target).await?
        {
            delete_steps(store, call, author, id).await?;
            store.remove_outbox_entry(outbox_entry).await?;
            return Ok(refusal);
        }
        if created == Create::Taken {
            store.remove_outbox_entry(outbox_entry).await?;
            refused = Some(id);
            continue;
        }
        let steps = async {
            if created != Create::Buried {
                publish(store, call, id, filing).await?;
            }
            store.remove_outbox_entry(outbox_entry).await?;
            Ok(Reconciled::Yes)
        };
        after_truth(call, steps.await)?;
        return Ok(Post::Posted(id));
    }
    Err(Error::Unavailable("no free status id was drawn".into()))
}

/// Adds a living status to profile, own home, derived copies and followers' homes. If it died meanwhile,
/// all is taken back.
pub(in crate::actions) async fn publish(
    store: &Store,
    call: &Call,
    id: StatusId,
    filing: Filing,
) -> Result<()> {
    match add_to_author(store, call, id, filing).await? {
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
    match fan_out::deliver_pass(store, call, id, FanOutProgress::START).await? {
        // The pass found it dead: it died while its copies were written, or later.
        Some(Task::Withdraw { .. }) => withdraw_deleted(store, id, status, Extent::All).await,
        task => fan_out::enqueue(store, task).await,
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
    if buried == Bury::NotYours {
        store.remove_outbox_entry(outbox_entry).await?;
        return Ok(Delete::NotFound);
    }
    let steps = async {
        if let Life::Dead(status) = store.life(id).await? {
            withdraw_deleted(store, id, &status, Extent::Affected).await?;
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
    store.unfile_status(id, status.author).await?;
    derived_copies::remove_copies(store, id, status, extent).await?;
    store
        .enqueue(&Task::Withdraw {
            status: id,
            from: FanOutProgress::START,
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
                publish(store, &call, id, Filing::from(&status)).await?;
                search::index_and_forget(store, id).await?;
                if store.user(status.author).await?.is_none() {
                    // The author deleted their account meanwhile.
                    delete_steps(store, &call, status.author, id).await?;
                }
                Ok(())
            }
            Life::Dead(status) => withdraw_deleted(store, id, &status, Extent::All).await,
            Life::Absent => Ok(()),
        }
    };
    call.finish(steps.await).await
}
