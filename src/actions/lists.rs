//! Named lists of people: the exercise "Lists of users" of section 8.3 of the book, with exclusive lists
//! from its bonus, which keep their members off home. The source of truth of a list lies in its owner's slot. The
//! lists that a person is a member of are an audience of theirs, like their followers.

use crate::{
    actions::{
        homes,
        operations::{Reconciled, reconcile_thing, reconcile_until_stable, with_outbox},
        timelines::{bring_in, take_out},
    },
    domain::{IdempotencyKey, ListId, ListName, ListNumber, Source, Task, Thing, Timeline, UserId},
    store::{Actor, Begin, Call, CreateList, DeleteList, EditList, Error, Result, Store},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    Created(ListId),
    /// This form already created another list.
    KeyReused,
    TooMany {
        limit: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    Done,
    /// The owner has no such list.
    NoList,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Add {
    Done,
    NoList,
    /// The person does not exist.
    Unknown,
    Full {
        limit: usize,
    },
}

/// Creates a list. The same idempotency key again creates nothing and returns the same answer.
pub async fn create(
    store: &Store,
    actor: impl Into<Actor>,
    name: &ListName,
    idempotency_key: &IdempotencyKey,
) -> Result<Create> {
    let actor = actor.into();
    let call = store.begin().await?;
    let created = store
        .create_list(&call, &actor, name, idempotency_key)
        .await;
    Ok(match call.finish(created).await? {
        CreateList::Created(list) => Create::Created(list),
        CreateList::Conflict => Create::KeyReused,
        CreateList::TooMany => Create::TooMany {
            limit: store.config().limits.max_lists,
        },
        CreateList::UnknownOwner => {
            return Err(Error::Unexpected {
                what: "the owner of a list",
                answer: format!("{} is not there", actor.id()),
            });
        }
    })
}

/// Changes the name of a list and whether it is exclusive. If the latter changes, the owner's home goes in
/// the same step and is rebuilt at once, or at the next visit.
pub async fn edit(
    store: &Store,
    actor: impl Into<Actor>,
    number: ListNumber,
    name: &ListName,
    exclusive: bool,
) -> Result<Edit> {
    let (actor, list) = own(actor, number);
    let call = store.begin().await?;
    let steps = async {
        Ok(
            match store
                .edit_list(&call, &actor, list, name, exclusive)
                .await?
            {
                EditList::Done { home_dropped } => {
                    refill_home(store, list.owner, home_dropped).await?;
                    Edit::Done
                }
                EditList::Unknown | EditList::Full => Edit::NoList,
            },
        )
    };
    call.finish(steps.await).await
}

/// Adds a person to a list, whether or not its owner follows them. When this returns, the list's timeline
/// has their newest statuses.
pub async fn add(
    store: &Store,
    actor: impl Into<Actor>,
    number: ListNumber,
    member: UserId,
) -> Result<Add> {
    let (actor, list) = own(actor, number);
    if store.user(member).await?.is_none() {
        return Ok(Add::Unknown);
    }
    let call = &store.begin().await?;
    let add = store.add_member(call, &actor, list, member);
    let added = with_outbox(store, call, add, |added| {
        follow_change(store, call, list, member, added)
    });
    Ok(match added.await? {
        EditList::Done { .. } => Add::Done,
        EditList::Full => Add::Full {
            limit: store.config().limits.max_list_members,
        },
        EditList::Unknown => Add::NoList,
    })
}

/// Removes a person from a list. Their statuses leave its timeline by author. A pass in flight cannot add
/// one again, because it reads the members where it writes.
pub async fn remove(
    store: &Store,
    actor: impl Into<Actor>,
    number: ListNumber,
    member: UserId,
) -> Result<Edit> {
    let (actor, list) = own(actor, number);
    let call = &store.begin().await?;
    let remove = store.remove_member(call, &actor, list, member);
    let removed = with_outbox(store, call, remove, |removed| {
        follow_change(store, call, list, member, removed)
    });
    Ok(match removed.await? {
        EditList::Done { .. } => Edit::Done,
        EditList::Unknown | EditList::Full => Edit::NoList,
    })
}

/// Reconciles a membership after a change of the list's members, and the owner's home if it changed too.
async fn follow_change(
    store: &Store,
    call: &Call,
    list: ListId,
    member: UserId,
    change: EditList,
) -> Result<Reconciled> {
    let EditList::Done { home_dropped } = change else {
        return Ok(Reconciled::Yes);
    };
    let reconciled = reconcile_membership(store, call, list, member).await?;
    refill_home(store, list.owner, home_dropped).await?;
    Ok(reconciled)
}

/// Deletes a list. Its timeline goes in the same step; the list memberships follow.
pub async fn delete(store: &Store, actor: impl Into<Actor>, number: ListNumber) -> Result<Edit> {
    let (actor, list) = own(actor, number);
    let call = &store.begin().await?;
    let deleted = with_outbox(
        store,
        call,
        store.delete_list(call, &actor, list),
        |deleted| async move {
            if let DeleteList::Deleted { home_dropped } = deleted {
                dissolve(store, list).await?;
                refill_home(store, list.owner, home_dropped).await?;
            }
            Ok(Reconciled::Yes)
        },
    );
    Ok(match deleted.await? {
        DeleteList::Deleted { .. } => Edit::Done,
        DeleteList::Unknown => Edit::NoList,
    })
}

/// Returns a list of the actor. A list of another person cannot be named.
fn own(actor: impl Into<Actor>, number: ListNumber) -> (Actor, ListId) {
    let actor = actor.into();
    let owner = actor.id();
    (actor, ListId { owner, number })
}

/// Reconciles a list membership after a crash. Returns the task that continues, if any.
pub async fn reconcile_list_membership(
    store: &Store,
    list: ListId,
    member: UserId,
) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = reconcile_membership(store, call, list, member);
    reconcile_thing(call, Thing::ListMembership(list, member), reconciled).await
}

/// Completes the deletion of a list after a crash. An existing list is left alone.
pub async fn reconcile(store: &Store, list: ListId) -> Result<()> {
    if store.list(list).await?.is_some() {
        return Ok(());
    }
    dissolve(store, list).await
}

/// Brings the member's side and the list's timeline in line with the membership.
async fn reconcile_membership(
    store: &Store,
    call: &Call,
    list: ListId,
    member: UserId,
) -> Result<Reconciled> {
    let timeline = Timeline::List(list);
    reconcile_until_stable(
        || store.is_listed(list, member),
        |is_member| async move {
            if is_member {
                let count = store.config().limits.home_size;
                let mirror = store
                    .mirror_list_membership(call, list, member, count)
                    .await?;
                bring_in(store, call, timeline, Source::Person(member), &mirror).await
            } else {
                store.unmirror_list_membership(call, list, member).await?;
                take_out(store, timeline, |status| status.involves(member)).await
            }
        },
    )
    .await
}

/// Removes the memberships of a deleted list. No one can join it meanwhile, because its name is gone.
async fn dissolve(store: &Store, list: ListId) -> Result<()> {
    let members = store.members(list).await?;
    store.unlist_all(list, &members).await?;
    store.clear_list(list).await
}

/// Rebuilds a home that was dropped because its exclusions changed, so that posts reach it before its
/// owner's next visit. After a crash the next visit does it.
async fn refill_home(store: &Store, owner: UserId, dropped: bool) -> Result<()> {
    if dropped {
        homes::rebuild(store, Timeline::Home(owner), Begin::Visit).await?;
    }
    Ok(())
}
