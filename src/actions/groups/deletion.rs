//! The deletion of a group. It does not exist for anyone from the first step on. Its people and keys are removed in
//! passes.

use futures_util::future::try_join_all;

use super::founding::reconcile_copies_of_group;
use crate::{
    actions::{
        operations::{Reconciled, with_outbox},
        prelude::*,
        timelines::groups::reconcile_home,
    },
    domain::{Act, ActingPerson, GroupId, GroupSlug, NotificationKind},
    store::{ClearGroupOutcome, DeleteGroupOutcome, former_words_of, words_of},
};

/// Number of people that one pass removes, and number of homes that it changes at once.
const PER_PASS: usize = 200;
const HOMES_AT_ONCE: usize = 20;

/// Begins the deletion of a group, by its owner. Returns `false` if the actor does not own such a group.
pub async fn delete(
    store: &Store,
    actor: impl Into<Actor>,
    (group, slug): (GroupId, &GroupSlug),
) -> Result<bool> {
    let actor = actor.into();
    let call = &store.begin().await?;
    let write = async {
        store.check_session(&actor).await?;
        let by = ActingPerson::Person(actor.id());
        store.delete_group(call, (group, by)).await
    };
    begin(store, call, (group, slug), write).await
}

/// Begins the deletion of a group for the host, and logs it. Returns `false` if there is no such group.
///
/// # Errors
/// If Redis could not be reached.
pub async fn delete_for_host(store: &Store, (group, slug): (GroupId, &GroupSlug)) -> Result<bool> {
    let call = &store.begin().await?;
    let write = async {
        let act = Act::DeleteGroup { slug: slug.clone() };
        store.log_act(call, ActingPerson::Host, act).await?;
        store.delete_group(call, (group, ActingPerson::Host)).await
    };
    begin(store, call, (group, slug), write).await
}

/// Runs the first step of a deletion under its outbox entry, and the first pass.
async fn begin(
    store: &Store,
    call: &Call,
    (group, slug): (GroupId, &GroupSlug),
    write: impl Future<Output = Result<DeleteGroupOutcome>>,
) -> Result<bool> {
    let thing = Thing::Group(group, slug.clone());
    let deleted = with_outbox(store, call, thing, write, async |outcome| match outcome {
        Some(DeleteGroupOutcome::NotFound) => Ok(Reconciled::Yes),
        Some(DeleteGroupOutcome::Deleted) | None => {
            reconcile_copies_of_group(store, call, group, slug).await
        }
    });
    Ok(deleted.await? == DeleteGroupOutcome::Deleted)
}

/// Runs one pass of the deletion of a group. Returns the task that continues. A pass that takes half of its call's time
/// ends early, and the next one continues with the other people.
pub async fn delete_pass(store: &Store, id: GroupId, slug: &GroupSlug) -> Result<Option<Task>> {
    let Some(group) = store.group(id).await? else {
        return Ok(None);
    };
    if !group.is_gone || group.slug != *slug {
        return Ok(None);
    }
    let call = &store.begin().await?;
    let steps = async {
        let mut words = words_of(&group);
        words.extend(former_words_of(&group));
        store.enter_group(call, &group, &words).await?;
        let mut people = store.some_people_of_group(id, PER_PASS).await?;
        if people.is_empty() {
            let cleared = store.clear_group(call, id).await?;
            if cleared == ClearGroupOutcome::Cleared {
                store.free_group_name(call, slug, id).await?;
            }
            return Ok(cleared == ClearGroupOutcome::InUse);
        }
        let served = leave_people(store, call, id, &people).await?;
        people.truncate(served);
        let over = [
            NotificationKind::GroupInvitation(id).beginning(),
            NotificationKind::GroupRequest(id).beginning(),
        ];
        store.drop_notifications_of(call, &people, &over).await?;
        store.drop_people_of_group(id, &people).await?;
        Ok(true)
    };
    let is_left = call.finish(steps.await).await?;
    Ok(is_left.then(|| Task::DeleteGroup(id, slug.clone())))
}

/// Removes the group from the first of these people and from their homes. Returns their number.
async fn leave_people(
    store: &Store,
    call: &Call,
    group: GroupId,
    people: &[UserId],
) -> Result<usize> {
    let mut served = 0;
    for some in people.chunks(HOMES_AT_ONCE) {
        store.unmirror_memberships(call, group, some).await?;
        let homes = some.iter();
        try_join_all(homes.map(|person| reconcile_home(store, call, (group, *person), false)))
            .await?;
        served += some.len();
        if call.is_half_over() {
            break;
        }
    }
    Ok(served)
}
