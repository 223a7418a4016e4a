//! Named lists of people: the exercise "Lists of users" of section 8.3 of the book, with the lists of
//! its bonus, whose members stay off home, on the mechanisms of follow edges and homes. A list is its
//! owner's alone, so all that is true of it lies in their slot; the lists that a person stands in are
//! an audience of theirs, as their followers are.

use crate::{
    actions::{
        follows::Settled,
        homes,
        timelines::{bring_in, take_out},
    },
    domain::{IdempotencyKey, ListId, ListName, ListNumber, Source, Task, Thing, Timeline, UserId},
    store::{Actor, Begin, Call, CreateList, DeleteList, EditList, Error, Result, Store},
};

/// How often a copy is brought to the truth when that changes meanwhile, before it is left to the
/// reminder.
const ROUNDS: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    Created(ListId),
    /// This form made another list already.
    NonceReused,
    TooMany {
        limit: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    Done,
    /// No such list of this owner.
    NoList,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Add {
    Done,
    NoList,
    /// No such person.
    Unknown,
    Full {
        limit: usize,
    },
}

/// Makes a list. The same nonce again makes nothing new and is answered as the first time.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
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
    Ok(match call.settle(created).await? {
        CreateList::Created(list) => Create::Created(list),
        CreateList::Conflict => Create::NonceReused,
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

/// Names a list, and says whether it is exclusive: whether its members' posts stay out of its
/// owner's home. Where that changes, the home goes in the same step and is built anew at once, or
/// at the next visit.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
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
    call.settle(steps.await).await
}

/// Puts a person into a list, whether its owner follows them or not. Their newest statuses stand on
/// the list's timeline when this returns.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
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
    let call = store.begin().await?;
    let steps = async {
        let (added, outbox_entry) = store.add_member(&call, &actor, list, member).await?;
        let (answer, settled) = match added {
            EditList::Done { home_dropped } => {
                let settled = settle(store, &call, list, member).await?;
                refill_home(store, list.owner, home_dropped).await?;
                (Add::Done, settled)
            }
            EditList::Full => {
                let limit = store.config().limits.max_list_members;
                (Add::Full { limit }, Settled::Yes)
            }
            EditList::Unknown => (Add::NoList, Settled::Yes),
        };
        if settled == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(answer)
    };
    call.settle(steps.await).await
}

/// Takes a person out of a list: their statuses leave its timeline by author, and a pass in flight
/// cannot bring one back, as it looks at the members where it writes.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn remove(
    store: &Store,
    actor: impl Into<Actor>,
    number: ListNumber,
    member: UserId,
) -> Result<Edit> {
    let (actor, list) = own(actor, number);
    let call = store.begin().await?;
    let steps = async {
        let (removed, outbox_entry) = store.remove_member(&call, &actor, list, member).await?;
        let (answer, settled) = match removed {
            EditList::Done { home_dropped } => {
                let settled = settle(store, &call, list, member).await?;
                refill_home(store, list.owner, home_dropped).await?;
                (Edit::Done, settled)
            }
            EditList::Unknown | EditList::Full => (Edit::NoList, Settled::Yes),
        };
        if settled == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(answer)
    };
    call.settle(steps.await).await
}

/// Deletes a list. Its timeline goes in the step that ends it; who stood in it is told afterwards.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn delete(store: &Store, actor: impl Into<Actor>, number: ListNumber) -> Result<Edit> {
    let (actor, list) = own(actor, number);
    let call = store.begin().await?;
    let steps = async {
        let (deleted, outbox_entry) = store.delete_list(&call, &actor, list).await?;
        let answer = match deleted {
            DeleteList::Deleted { home_dropped } => {
                dissolve(store, list).await?;
                refill_home(store, list.owner, home_dropped).await?;
                Edit::Done
            }
            DeleteList::Unknown => Edit::NoList,
        };
        store.forget(outbox_entry).await?;
        Ok(answer)
    };
    call.settle(steps.await).await
}

/// A list of whoever asks: nobody changes another's.
fn own(actor: impl Into<Actor>, number: ListNumber) -> (Actor, ListId) {
    let actor = actor.into();
    let owner = actor.id();
    (actor, ListId { owner, number })
}

/// Brings the copies of a listing to its truth after a crash. Answers with the task that goes on
/// where the truth would not hold still.
pub async fn reconcile_list_membership(
    store: &Store,
    list: ListId,
    member: UserId,
) -> Result<Option<Task>> {
    let call = store.begin().await?;
    let settled = settle(store, &call, list, member).await;
    Ok(match call.settle(settled).await? {
        Settled::Yes => None,
        Settled::No => Some(Task::Reconcile(Thing::ListMembership(list, member))),
    })
}

/// Finishes the deletion of a list after a crash; one that is there is left alone.
pub async fn reconcile(store: &Store, list: ListId) -> Result<()> {
    if store.list(list).await?.is_some() {
        return Ok(());
    }
    dissolve(store, list).await
}

/// Brings the member's side and the list's timeline to what the truth of a listing says, and looks
/// at the truth once more afterwards: whoever finishes last has seen the final one.
async fn settle(store: &Store, call: &Call, list: ListId, member: UserId) -> Result<Settled> {
    let timeline = Timeline::List(list);
    let mut listed = store.is_listed(list, member).await?;
    for _ in 0..ROUNDS {
        if listed {
            let count = store.config().limits.home_size;
            let mirror = store
                .mirror_list_membership(call, list, member, count)
                .await?;
            bring_in(store, call, timeline, Source::Person(member), &mirror).await?;
        } else {
            store.unmirror_list_membership(call, list, member).await?;
            take_out(store, timeline, |status| status.involves(member)).await?;
        }
        let now = store.is_listed(list, member).await?;
        if now == listed {
            return Ok(Settled::Yes);
        }
        listed = now;
    }
    Ok(Settled::No)
}

/// Tells those who stood in a deleted list. Nobody joins it meanwhile: its name is gone.
async fn dissolve(store: &Store, list: ListId) -> Result<()> {
    let members = store.members(list).await?;
    store.unlist_all(list, &members).await?;
    store.clear_list(list).await
}

/// Builds a home anew that went because whom it leaves out changed, so that posts reach it again
/// before its owner comes. Where this is cut off, their next visit does it.
async fn refill_home(store: &Store, owner: UserId, dropped: bool) -> Result<()> {
    if dropped {
        homes::rebuild(store, Timeline::Home(owner), Begin::Visit).await?;
    }
    Ok(())
}
