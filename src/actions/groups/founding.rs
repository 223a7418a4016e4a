//! Founding groups, and changing their texts and settings. SET NX of the name in addresses commits a founding, as a login
//! commits a sign-up.

use futures_util::try_join;

use super::{members::MemberEffects, notices::deliver_notices};
use crate::{
    actions::{
        operations::{
            ATTEMPTS, Reconciled, reconcile_copies, reconcile_thing, save_form, with_outbox,
        },
        prelude::*,
    },
    domain::{
        FieldConflicts, GroupAct, GroupId, GroupSlug, LoggedGroupAct, Power, SaveOutcome,
        ShownValues, UnixMs, may,
    },
    store::{
        EditGroupOutcome, FoundOutcome, Group, GroupDraft, GroupSettings, former_words_of, words_of,
    },
};

/// Milliseconds of a day.
const DAY_MS: u64 = 86_400_000;

/// The outcome of founding a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// By this call or an earlier one with the same form.
    Founded(GroupId),
    /// Another group has the name in addresses.
    NameTaken,
    /// The form founded a group with other texts, or one that was deleted or that the founder has left.
    KeyReused,
    Refused(FoundingRefusal),
}

/// Why a person founds no group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundingRefusal {
    /// The account is too young, until this time.
    TooYoung {
        days: u64,
        until: UnixMs,
    },
    /// Only the people who run the site found groups.
    NotAllowed,
    TooMany {
        limit: usize,
    },
}

/// The outcome of the writes of a founding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Founded,
    NameTaken,
    Conflict,
}

/// Founds a group. The same form again founds nothing and returns the same answer.
pub async fn found(
    store: &Store,
    actor: impl Into<Actor>,
    draft: &GroupDraft,
    key: &IdempotencyKey,
) -> Result<Found> {
    let actor = actor.into();
    match refusal(store, actor.id()).await? {
        Some(refusal) => Ok(Found::Refused(refusal)),
        None => found_for_host(store, actor, draft, key).await,
    }
}

/// Founds a group for a person who may found one. The seed founds groups of people with new accounts.
pub async fn found_for_host(
    store: &Store,
    actor: impl Into<Actor>,
    draft: &GroupDraft,
    key: &IdempotencyKey,
) -> Result<Found> {
    let actor = actor.into();
    let founder = actor.id();
    let group = GroupId::of_form(founder, key);
    let call = &store.begin().await?;
    let write = write(store, call, (&actor, group), draft);
    let thing = Thing::Group(group, draft.slug.clone());
    let written = with_outbox(store, call, thing, write, |_| {
        reconcile_copies_of_group(store, call, group, &draft.slug)
    });
    Ok(match written.await? {
        Written::NameTaken => Found::NameTaken,
        Written::Conflict => Found::KeyReused,
        // The founder may have become a member of other groups meanwhile.
        Written::Founded
            if store
                .group_tie(group, founder)
                .await?
                .membership()
                .is_none() =>
        {
            Found::Refused(FoundingRefusal::TooMany {
                limit: store.config().limits.max_groups,
            })
        }
        Written::Founded => Found::Founded(group),
    })
}

/// Returns why a person cannot found a group now.
pub async fn founding_refusal(store: &Store, founder: UserId) -> Result<Option<FoundingRefusal>> {
    let (refusal, has_room) =
        try_join!(refusal(store, founder), store.has_room_for_group(founder))?;
    let limit = store.config().limits.max_groups;
    let too_many = (!has_room).then_some(FoundingRefusal::TooMany { limit });
    Ok(refusal.or(too_many))
}

/// Returns why a person may not found a group, however many they have.
async fn refusal(store: &Store, founder: UserId) -> Result<Option<FoundingRefusal>> {
    let (role, site, user, now) = try_join!(
        store.role(founder),
        store.site(),
        store.user(founder),
        store.now()
    )?;
    if may(role, Power::Moderate) {
        return Ok(None);
    }
    if !site.lets_members_found_groups {
        return Ok(Some(FoundingRefusal::NotAllowed));
    }
    let Some(user) = user else {
        return Err(Error::Ended);
    };
    let days = store.config().limits.group_age_days;
    let until = UnixMs(user.signup.0.saturating_add(days * DAY_MS));
    Ok((now < until).then_some(FoundingRefusal::TooYoung { days, until }))
}

async fn write(
    store: &Store,
    call: &Call,
    (actor, group): (&Actor, GroupId),
    draft: &GroupDraft,
) -> Result<Written> {
    store.check_session(actor).await?;
    let holder = store.commit_group_name(call, &draft.slug, group).await?;
    if holder != Some(group) {
        return Ok(Written::NameTaken);
    }
    let entry = LoggedGroupAct::new(actor.id(), GroupAct::Found);
    let founder = (group, actor);
    Ok(
        match store.create_group(call, founder, draft, &entry).await? {
            FoundOutcome::Founded => Written::Founded,
            FoundOutcome::Conflict => Written::Conflict,
        },
    )
}

/// Saves the texts and settings of a group that its owner changed in the form, unless another device changed one of them
/// too. The caller knows that the actor owns the group, because a conflict has its stored texts.
pub async fn save(
    store: &Store,
    actor: impl Into<Actor>,
    group: GroupId,
    (settings, shown): (GroupSettings, &ShownValues),
) -> Result<SaveOutcome> {
    let actor = actor.into();
    save_form(async || {
        let row = store.group(group).await?;
        let Some(row) = row.filter(|row| !row.is_gone) else {
            return Ok(Some(SaveOutcome::NotFound));
        };
        let settings = settings.clone().for_kind(row.kind);
        let conflicts = conflicts_of(&settings, &row, shown);
        if !conflicts.is_empty() {
            return Ok(Some(SaveOutcome::Conflicts(conflicts)));
        }
        let changed = change_settings(store, &actor, &row, (&settings, shown));
        Ok(match changed.await? {
            EditGroupOutcome::Done => Some(SaveOutcome::Saved),
            EditGroupOutcome::NotFound => Some(SaveOutcome::NotFound),
            EditGroupOutcome::Conflict => None,
        })
    })
    .await
}

/// Returns the stored values of the fields that another device changed too.
fn conflicts_of(settings: &GroupSettings, group: &Group, shown: &ShownValues) -> FieldConflicts {
    let (name, description) = (settings.name.as_str(), settings.description.as_str());
    shown.conflicts([
        ("name", name, group.name.as_str()),
        ("description", description, group.description.as_str()),
        ("rules", settings.rules.as_str(), group.rules.as_str()),
        ("joining", settings.joining.as_str(), group.joining.as_str()),
    ])
}

async fn change_settings(
    store: &Store,
    actor: &Actor,
    row: &Group,
    changes: (&GroupSettings, &ShownValues),
) -> Result<EditGroupOutcome> {
    let entry = LoggedGroupAct::new(actor.id(), GroupAct::ChangeSettings);
    let call = &store.begin().await?;
    let write = async {
        store.check_session(actor).await?;
        store
            .edit_group(call, (row, actor.id()), changes, &entry)
            .await
    };
    let thing = Thing::Group(row.id, row.slug.clone());
    let changed = with_outbox(store, call, thing, write, async |outcome| match outcome {
        Some(EditGroupOutcome::NotFound | EditGroupOutcome::Conflict) => Ok(Reconciled::Yes),
        Some(EditGroupOutcome::Done) | None => {
            reconcile_copies_of_group(store, call, row.id, &row.slug).await
        }
    });
    changed.await
}

/// Completes a founding, a change or the beginning of a deletion, after a crash or because the audit found a fault.
pub async fn reconcile(store: &Store, group: GroupId, slug: &GroupSlug) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = reconcile_copies_of_group(store, call, group, slug);
    reconcile_thing(call, Thing::Group(group, slug.clone()), reconciled).await
}

/// Brings the name in addresses, the directory, the membership of the owner and the notices in line with a group, until it
/// stays the same over one application. Frees a name whose group was not founded, and continues a deletion.
pub(super) async fn reconcile_copies_of_group(
    store: &Store,
    call: &Call,
    id: GroupId,
    slug: &GroupSlug,
) -> Result<Reconciled> {
    let mut group = store.group(id).await?;
    let mut over = std::collections::BTreeSet::new();
    for _ in 0..ATTEMPTS {
        let Some(row) = group.as_ref().filter(|row| row.slug == *slug) else {
            store.free_group_name(call, slug, id).await?;
            return Ok(Reconciled::Yes);
        };
        if row.is_gone {
            let task = Task::DeleteGroup(id, slug.clone());
            store.enqueue(&task).await?;
            return Ok(Reconciled::Yes);
        }
        store.commit_group_name(call, slug, id).await?;
        over.extend(former_words_of(row));
        if row.is_unlisted {
            over.extend(words_of(row));
        }
        store.enter_group(call, row, &over).await?;
        over.extend(words_of(row));
        if let Some(owner) = row.owner {
            let effects = &MemberEffects {
                group: id,
                person: owner,
            };
            reconcile_copies(store, call, effects, None).await?;
        }
        deliver_notices(store, call, row).await?;
        let now = store.group(id).await?;
        let is_same = now.as_ref().is_some_and(|now| now.has_same_place(row));
        if is_same {
            return Ok(Reconciled::Yes);
        }
        group = now;
    }
    Ok(Reconciled::No)
}
