//! Blocking people. A block is with the person who blocks, its mirror with the blocked person. While it is set,
//! neither finds the other, and the scripts of follows, favourites, list memberships and notifications refuse
//! what would connect them. What connected them before is removed.

use crate::actions::{
    favourites, follow_requests, follows, lists,
    operations::{Effects, clear_by, set},
    polls,
};
use crate::{
    domain::{Cursor, Separation, SeparationPosition, StatusId, Task, Thing, UserId},
    store::{
        Actor, BlockEntries, Call, MirrorOutcome, Relation, Result, SetOutcome, SourceMirror,
        Store, Viewer,
    },
};

/// Number of favourites that one step compares with the posts of the other person, in two commands.
const ENTRIES_PER_STEP: usize = 1000;
/// Number of favourites or votes that one step removes.
const REMOVALS_PER_STEP: usize = 100;
/// Number of steps within the call: one for each kind of connection.
const STEPS_AT_ONCE: usize = 4;

/// Outcome of blocking a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    Done,
    Oneself,
    /// The person does not exist.
    Unknown,
    TooMany,
}

/// The after-effects of a block.
pub(in crate::actions) struct BlockEffects {
    pub(in crate::actions) by: UserId,
    pub(in crate::actions) blocked: UserId,
}

/// Blocks a person. When this returns, neither finds the other, and nothing connects them any more. Lifting the
/// block restores nothing.
pub async fn block(store: &Store, actor: impl Into<Actor>, blocked: UserId) -> Result<Block> {
    let actor = actor.into();
    let by = actor.id();
    if by == blocked {
        return Ok(Block::Oneself);
    }
    if store.user(blocked).await?.is_none() {
        return Ok(Block::Unknown);
    }
    let effects = BlockEffects { by, blocked };
    Ok(
        match set(store, &actor, &effects.relation(), &effects).await? {
            SetOutcome::Done => Block::Done,
            SetOutcome::TooMany => Block::TooMany,
            SetOutcome::Unknown => Block::Unknown,
        },
    )
}

/// Lifts a block. They find each other again, unless the other person blocks the actor too. If Redis failed during
/// the block, this first does what a block does within its call. Otherwise a follow between both could stay.
/// Favourites and votes that a task has still to remove stay.
pub async fn unblock(store: &Store, actor: impl Into<Actor>, blocked: UserId) -> Result<()> {
    let actor = actor.into();
    let by = actor.id();
    let effects = &BlockEffects { by, blocked };
    let call = &store.begin().await?;
    let write = async {
        if effects.truth(store).await? {
            Box::pin(effects.apply(store, call, true)).await?;
        }
        let relation = effects.relation();
        store.clear_relation(call, &actor, &relation).await
    };
    clear_by(store, call, effects, write).await.map(drop)
}

impl BlockEffects {
    fn relation(&self) -> Relation {
        Relation::Block(self.by, self.blocked)
    }
}

impl Effects for BlockEffects {
    type Truth = bool;

    fn thing(&self) -> Thing {
        self.relation().into()
    }

    async fn truth(&self, store: &Store) -> Result<bool> {
        store.has_relation(&self.relation()).await
    }

    fn truth_when_cleared(&self) -> Option<bool> {
        Some(false)
    }

    /// Writes the mirror first: from then on, scripts in both slots refuse new connections, so everything that
    /// connects both is found. Removing notifications makes the open streams of both read again.
    async fn apply(&self, store: &Store, call: &Call, is_blocked: bool) -> Result<()> {
        let Self { by, blocked } = *self;
        if !is_blocked {
            let mirror = SourceMirror::of_block(by, blocked);
            return store.unmirror_source(call, &mirror).await.map(drop);
        }
        if store.mirror_block(call, by, blocked).await? == MirrorOutcome::Deleted {
            // The account was deleted meanwhile.
            let cleared = store
                .clear_relation(call, &by.into(), &self.relation())
                .await;
            return cleared.map(drop);
        }
        // If the block was lifted meanwhile, nothing is removed, and the caller reads the source of truth again.
        let Some(entries) = store.block_entries(by, blocked).await? else {
            return Ok(());
        };
        for (entry, other) in [(&entries.of_blocker, blocked), (&entries.of_blocked, by)] {
            let actor = Actor::for_block(entry.clone());
            store.drop_notifications_by(actor.id(), &[other]).await?;
            Box::pin(disconnect(store, &actor, other)).await?;
        }
        // A small account is done now. A large one is done by tasks.
        let mut from = SeparationPosition::START;
        for _ in 0..STEPS_AT_ONCE {
            match Box::pin(separate(store, &entries, from)).await? {
                Some(Task::Separate { from: next, .. }) => from = next,
                _ => return Ok(()),
            }
        }
        store.enqueue(&Task::Separate { by, blocked, from }).await
    }
}

/// Removes what connects a person to another one and is found without a walk: the follow or the request to follow, and
/// list memberships. A person who does not follow costs one read: an unfollow would read the whole home. The actor acts
/// for the block.
async fn disconnect(store: &Store, actor: &Actor, other: UserId) -> Result<()> {
    let person = actor.id();
    let follow = Relation::Follow(person, other);
    let relations = [Relation::FollowRequest(person, other), follow];
    let [asks, follows] = store.have_relations(&relations).await?[..] else {
        return Ok(());
    };
    // On the heap, because a future contains those of all its steps.
    if asks {
        Box::pin(follow_requests::withdraw(store, actor.clone(), other)).await?;
    }
    // An accepted request is a follow.
    if asks || follows {
        Box::pin(follows::unfollow(store, actor.clone(), other)).await?;
    }
    let lists = store
        .list_memberships(Viewer::Member(person), other)
        .await?;
    for list in lists.into_iter().filter(|list| list.is_member) {
        lists::remove(store, actor.clone(), list.list.number, other).await?;
    }
    Ok(())
}

/// Removes the favourites and votes between two people while a block separates them, and returns the task that
/// continues. Each kind is found from the person who favourited or voted, so the number of posts of both does not
/// matter. Both people see neither meanwhile.
pub async fn separate_pass(
    store: &Store,
    by: UserId,
    blocked: UserId,
    from: SeparationPosition,
) -> Result<Option<Task>> {
    match store.block_entries(by, blocked).await? {
        Some(entries) => separate(store, &entries, from).await,
        None => Ok(None),
    }
}

/// Runs a pass of [`separate_pass`] for a block with these entries.
async fn separate(
    store: &Store,
    entries: &BlockEntries,
    from: SeparationPosition,
) -> Result<Option<Task>> {
    let before = from.before.map(Cursor::before);
    let of_blocker = Actor::for_block(entries.of_blocker.clone());
    let of_blocked = Actor::for_block(entries.of_blocked.clone());
    let (by, blocked) = (of_blocker.id(), of_blocked.id());
    let next = match from.kind {
        Separation::Favourites => remove_favourites(store, &of_blocker, blocked, before).await?,
        Separation::FavouritesOfBlocked => {
            remove_favourites(store, &of_blocked, by, before).await?
        }
        Separation::Votes => remove_votes(store, entries, (by, blocked)).await?,
        Separation::VotesOfBlocked => remove_votes(store, entries, (blocked, by)).await?,
    };
    let next = match next {
        Continuation::Nothing => from.next_kind(),
        Continuation::Before(cursor) => Some(SeparationPosition {
            before: Some(cursor.get()),
            ..from
        }),
        Continuation::SamePlace => Some(from),
    };
    Ok(next.map(|from| Task::Separate { by, blocked, from }))
}

/// The place where the next step continues.
enum Continuation {
    Nothing,
    /// The entries before this position.
    Before(Cursor),
    /// The entries that are now in the same place.
    SamePlace,
}

/// Removes the favourites of a person on statuses by another one, among those before a position.
async fn remove_favourites(
    store: &Store,
    actor: &Actor,
    author: UserId,
    before: Option<Cursor>,
) -> Result<Continuation> {
    let favourites = store.favourites_before(actor.id(), before, ENTRIES_PER_STEP);
    let favourites = favourites.await?;
    let ids: Vec<StatusId> = favourites.iter().map(|(id, _)| *id).collect();
    let are_by_author = store.are_by(author, &ids).await?;
    let mut removed_count = 0;
    for ((id, cursor), is_by_author) in favourites.iter().zip(are_by_author) {
        if is_by_author {
            favourites::unfavourite(store, actor.clone(), *id).await?;
            removed_count += 1;
            if removed_count == REMOVALS_PER_STEP {
                return Ok(Continuation::Before(*cursor));
            }
        }
    }
    let last = favourites.last().map(|(_, cursor)| *cursor);
    let last = last.filter(|_| favourites.len() == ENTRIES_PER_STEP);
    Ok(last.map_or(Continuation::Nothing, Continuation::Before))
}

/// Removes some votes of a person in polls by another one. A vote lies in the slot of its poll, which knows no block. So
/// the block is read again here.
async fn remove_votes(
    store: &Store,
    entries: &BlockEntries,
    (person, author): (UserId, UserId),
) -> Result<Continuation> {
    let votes = store.votes_in_polls_of(person, author, REMOVALS_PER_STEP);
    let votes = votes.await?;
    let (by, blocked) = (entries.of_blocker.person(), entries.of_blocked.person());
    if votes.is_empty() || store.block_entries(by, blocked).await?.as_ref() != Some(entries) {
        return Ok(Continuation::Nothing);
    }
    polls::remove(store, person, &votes).await?;
    Ok(match votes.len() {
        REMOVALS_PER_STEP => Continuation::SamePlace,
        _ => Continuation::Nothing,
    })
}
