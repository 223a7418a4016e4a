//! Named lists of people: the exercise "Lists of users" of section 8.3 of the book, with exclusive lists
//! from its bonus, which keep their members off home. The source of truth of a list lies in its owner's slot. The
//! lists that a person is a member of are an audience of theirs, like their followers.

use crate::{
    actions::{
        homes,
        operations::{Effects, Reconciled, reconcile_copies, save_form, with_outbox},
        prelude::*,
        timelines::{add_statuses_of, remove_statuses},
    },
    domain::{ListName, ListNumber, SaveOutcome, ShownValues, Source},
    store::{Begin, CreateList, EditListOutcome, ListChange, ListOutcome, SourceMirror},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    Created(ListId),
    /// This form already created another list, or one that was renamed or deleted since.
    KeyReused,
    TooMany {
        limit: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    Done,
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

impl Edit {
    fn of(outcome: ListOutcome) -> Self {
        match outcome {
            ListOutcome::Done | ListOutcome::HomeDropped => Self::Done,
            ListOutcome::NoList | ListOutcome::Full | ListOutcome::Blocked => Self::NoList,
        }
    }
}

pub(in crate::actions) struct MembershipEffects {
    pub(in crate::actions) list: ListId,
    pub(in crate::actions) member: UserId,
}

/// Creates a list. The same idempotency key again creates nothing.
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
pub async fn edit<'a>(
    store: &Store,
    actor: impl Into<Actor>,
    number: ListNumber,
    name: impl Into<Option<&'a ListName>>,
    exclusive: impl Into<Option<bool>>,
) -> Result<EditListOutcome> {
    let (actor, list) = own(actor, number);
    let change = ListChange {
        name: name.into(),
        exclusive: exclusive.into(),
        based_on: None,
    };
    change_list(store, &actor, list, change).await
}

/// Saves the name of a list and whether it is exclusive, if the sender of a form changed them, unless another
/// device changed the name too.
pub async fn save(
    store: &Store,
    actor: impl Into<Actor>,
    number: ListNumber,
    (name, exclusive): (&ListName, bool),
    shown: &ShownValues,
) -> Result<SaveOutcome> {
    let (actor, list) = own(actor, number);
    save_form(async || {
        let Some(stored) = store.list(list).await? else {
            return Ok(Some(SaveOutcome::NotFound));
        };
        let conflicts = shown.conflicts([("name", name.as_str(), stored.name.as_str())]);
        if !conflicts.is_empty() {
            return Ok(Some(SaveOutcome::Conflicts(conflicts)));
        }
        let change = ListChange {
            name: shown.changed("name", name),
            exclusive: shown.changed("exclusive", exclusive),
            based_on: Some(&stored),
        };
        Ok(match change_list(store, &actor, list, change).await? {
            EditListOutcome::Done | EditListOutcome::HomeDropped => Some(SaveOutcome::Saved),
            EditListOutcome::NoList => Some(SaveOutcome::NotFound),
            EditListOutcome::Conflict => None,
        })
    })
    .await
}

async fn change_list(
    store: &Store,
    actor: &Actor,
    list: ListId,
    change: ListChange<'_>,
) -> Result<EditListOutcome> {
    let call = store.begin().await?;
    let steps = async {
        let edited = store.edit_list(&call, actor, list, change).await?;
        if edited == EditListOutcome::HomeDropped {
            refill_home(store, list.owner).await?;
        }
        Ok(edited)
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
    let write = store.add_member(call, &actor, (list, member));
    let added = change_member(store, call, (list, member), write).await?;
    Ok(match added {
        ListOutcome::Done | ListOutcome::HomeDropped => Add::Done,
        ListOutcome::Full => Add::Full {
            limit: store.config().limits.max_list_members,
        },
        ListOutcome::NoList => Add::NoList,
        ListOutcome::Blocked => Add::Unknown,
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
    let write = store.remove_member(call, &actor, (list, member));
    let removed = change_member(store, call, (list, member), write).await?;
    Ok(Edit::of(removed))
}

/// Adds or removes a member by this write, then reconciles the membership, and the owner's home if it
/// changed too.
async fn change_member(
    store: &Store,
    call: &Call,
    (list, member): (ListId, UserId),
    write: impl Future<Output = Result<ListOutcome>>,
) -> Result<ListOutcome> {
    let effects = &MembershipEffects { list, member };
    with_outbox(store, call, effects.thing(), write, |changed| async move {
        let reconciled = match changed {
            Some(ListOutcome::Done | ListOutcome::HomeDropped) | None => {
                reconcile_copies(store, call, effects, None).await?
            }
            Some(ListOutcome::Full | ListOutcome::NoList | ListOutcome::Blocked) => Reconciled::Yes,
        };
        if changed == Some(ListOutcome::HomeDropped) {
            refill_home(store, list.owner).await?;
        }
        Ok(reconciled)
    })
    .await
}

/// Deletes a list. Its timeline goes in the same step; the list memberships follow.
pub async fn delete(store: &Store, actor: impl Into<Actor>, number: ListNumber) -> Result<Edit> {
    let (actor, list) = own(actor, number);
    let call = &store.begin().await?;
    let delete = store.delete_list(call, &actor, list);
    let deleted = with_outbox(
        store,
        call,
        Thing::List(list),
        delete,
        |deleted| async move {
            let Some(deleted) = deleted else {
                return Ok(Reconciled::No);
            };
            if deleted == ListOutcome::NoList {
                return Ok(Reconciled::Yes);
            }
            dissolve(store, list).await?;
            if deleted == ListOutcome::HomeDropped {
                refill_home(store, list.owner).await?;
            }
            Ok(Reconciled::Yes)
        },
    );
    deleted.await.map(Edit::of)
}

/// Returns a list of the actor. A list of another person cannot be named.
fn own(actor: impl Into<Actor>, number: ListNumber) -> (Actor, ListId) {
    let actor = actor.into();
    let owner = actor.id();
    (actor, ListId { owner, number })
}

/// Completes the deletion of a list after a crash. An existing list is left alone.
pub async fn reconcile(store: &Store, list: ListId) -> Result<()> {
    if store.list(list).await?.is_some() {
        return Ok(());
    }
    dissolve(store, list).await
}

impl Effects for MembershipEffects {
    type Truth = bool;

    fn thing(&self) -> Thing {
        Thing::ListMembership(self.list, self.member)
    }

    async fn truth(&self, store: &Store) -> Result<bool> {
        store.is_listed(self.list, self.member).await
    }

    fn timeline(&self) -> Option<Timeline> {
        Some(Timeline::List(self.list))
    }

    /// Brings the member's side and the list's timeline in line with the membership.
    async fn apply(&self, store: &Store, call: &Call, is_member: bool) -> Result<()> {
        let Self { list, member } = *self;
        let timeline = Timeline::List(list);
        let mirror = SourceMirror::of_list_membership(list, member);
        if is_member {
            let count = store.config().limits.home_size;
            let Some(source) = store.mirror_source(call, &mirror, count).await? else {
                // The account was deleted meanwhile.
                let owner = list.owner.into();
                let removed = store.remove_member(call, &owner, (list, member));
                return removed.await.map(drop);
            };
            add_statuses_of(store, call, timeline, Source::Person(member), &source).await
        } else {
            store.unmirror_source(call, &mirror).await?;
            remove_statuses(store, timeline, |status| status.involves(member)).await
        }
    }
}

/// Removes the memberships of a deleted list. No one can join it meanwhile, because its name is gone.
async fn dissolve(store: &Store, list: ListId) -> Result<()> {
    let members = store.members(list).await?;
    store.unlist_all(list, &members).await?;
    store.clear_list(list).await
}

/// Rebuilds a home that was dropped because its exclusions changed, so that posts reach it before its
/// owner's next visit. After a crash or an outage the next visit does it.
async fn refill_home(store: &Store, owner: UserId) -> Result<()> {
    match homes::rebuild(store, Timeline::Home(owner), Begin::Visit).await {
        Err(error) if error.is_outage() => Ok(()),
        rebuilt => rebuilt,
    }
}
