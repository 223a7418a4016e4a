//! Every key: it is in the schema, has the right type and lifetime, and belongs to an existing owner.

use super::prelude::*;

pub(super) const KEYS_ARE_KNOWN: Invariant = Invariant::new(
    "keys_are_known",
    "each key is in the schema, has its type and belongs to an existing owner",
);
pub(super) const LIFETIMES_MATCH: Invariant = Invariant::new(
    "lifetimes_match",
    "ephemeral keys expire, and no other keys do",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Keys(keys) => {
            check_keys_of_users(exam, keys).await?;
            check_keys_of_lists(exam, keys).await?;
            check_keys_of_groups(exam, keys).await?;
            check_keys_of_statuses(exam, keys).await?;
            exam.examined(KEYS_ARE_KNOWN, keys.len());
            for key in keys {
                check_type(exam, key);
                check_lifetime(exam, key);
            }
        }
        Target::Statuses(statuses) => check_tombstones(exam, statuses),
        _ => {}
    }
    Ok(())
}

fn fault(invariant: Invariant, key: &FoundKey, what: &str) -> Fault {
    let subject = Subject::Key(key.name.clone());
    Fault::new(invariant, subject, format!("{} {what}", key.name))
}

/// Returns the found keys of some owner, with their classes.
fn keys_of<Owner>(
    keys: &[FoundKey],
    owner: impl Fn(&Key) -> Option<Owner>,
) -> (Vec<(&FoundKey, Class)>, Vec<Owner>) {
    let known = keys
        .iter()
        .filter_map(|found| Some((found, found.key.as_ref()?)));
    let owned = known.filter_map(|(found, key)| Some(((found, key.class()), owner(key)?)));
    owned.unzip()
}

/// Removes keys of missing users. If another source of truth of that user is left, the key may help to
/// restore them, and only the source of truth is reported.
async fn check_keys_of_users(exam: &mut Examination<'_>, keys: &[FoundKey]) -> Result<()> {
    let (keys, owners): (_, Vec<UserId>) = keys_of(keys, |key| match (key, key.owner()) {
        (Key::User(_), _) => None,
        (_, KeyOwner::User(owner)) => Some(owner),
        _ => None,
    });
    let states = exam.store.user_states(&owners).await?;
    for (((key, class), owner), state) in keys.into_iter().zip(owners).zip(states) {
        let fault = match state {
            UserState::Missing => {
                let fault = fault(KEYS_ARE_KNOWN, key, "belongs to no user");
                fault.repair_by(repair::delete_key(key.name.clone()))
            }
            UserState::Incomplete if class == Class::SourceOfTruth => {
                let what = "belongs to a user whose account is incomplete";
                fault(KEYS_ARE_KNOWN, key, what)
            }
            UserState::Incomplete | UserState::Exists => continue,
        };
        exam.found(fault.unless(Key::User(owner)));
    }
    Ok(())
}

/// Removes keys of missing lists; the members of a deleted list are reconciled first. If no trace of the
/// list exists, its members may be all that is left of it and stay.
async fn check_keys_of_lists(exam: &mut Examination<'_>, keys: &[FoundKey]) -> Result<()> {
    let (keys, owners): (_, Vec<ListId>) = keys_of(keys, |key| match key.owner() {
        KeyOwner::List(list) => Some(list),
        _ => None,
    });
    let users: Vec<UserId> = owners.iter().map(|list| list.owner).collect();
    let users = exam.store.user_states(&users).await?;
    let states = exam.store.list_states(&owners).await?;
    let found = keys.into_iter().zip(owners).zip(users).zip(states);
    for ((((key, class), list), user), state) in found {
        if state == ListState::Exists || user == UserState::Incomplete {
            continue;
        }
        let repair = match class {
            Class::SourceOfTruth if state == ListState::Deleted => Some(clear_list(list)),
            Class::SourceOfTruth => None,
            Class::Derived | Class::Ephemeral => Some(repair::delete_key(key.name.clone())),
        };
        let fault = fault(KEYS_ARE_KNOWN, key, "belongs to no list");
        exam.found(fault.unless(Key::ListMembers(list)).repair_by(repair));
    }
    Ok(())
}

/// Reports keys of missing groups: they may be all that is left of one. Derived ones are removed.
async fn check_keys_of_groups(exam: &mut Examination<'_>, keys: &[FoundKey]) -> Result<()> {
    let (keys, groups): (_, Vec<GroupId>) = keys_of(keys, |key| match (key, key.owner()) {
        (Key::Group(_), _) => None,
        (_, KeyOwner::Group(group)) => Some(group),
        _ => None,
    });
    let exist = exam.store.groups_exist(&groups).await?;
    for (((key, class), group), exists) in keys.into_iter().zip(groups).zip(exist) {
        if exists {
            continue;
        }
        let is_truth = class == Class::SourceOfTruth;
        let repair = (!is_truth).then(|| repair::delete_key(key.name.clone()));
        let fault = fault(KEYS_ARE_KNOWN, key, "belongs to no group");
        exam.found(fault.unless(Key::Group(group)).repair_by(repair));
    }
    Ok(())
}

/// Clears a list that was deleted and not cleared.
fn clear_list(list: ListId) -> RepairStep {
    let words = format!("removed the members of the deleted {}", names::list(list));
    repair::reconcile(words, Thing::List(list))
}

/// Removes keys of missing statuses: favourites, votes, versions and the list of quotes go with a status,
/// its reposts after it. Replies and gaps outlive it.
async fn check_keys_of_statuses(exam: &mut Examination<'_>, keys: &[FoundKey]) -> Result<()> {
    let (keys, ids): (_, Vec<StatusId>) = keys_of(keys, |key| match (key, key.owner()) {
        (Key::Status(_) | Key::Replies(_) | Key::Gaps(_), _) => None,
        (_, KeyOwner::Status(id)) => Some(id),
        _ => None,
    });
    let lives = exam.store.lives(&ids).await?;
    for (((key, _), id), life) in keys.into_iter().zip(ids).zip(lives) {
        if life.is_living() {
            continue;
        }
        let fault = fault(KEYS_ARE_KNOWN, key, "belongs to no living status");
        exam.found(match key.key {
            Some(Key::RepostedBy(_)) => fault.unless(Key::Status(id)).repair_by(delete_reposts(id)),
            _ => fault.repair_by(repair::delete_key(key.name.clone())),
        });
    }
    Ok(())
}

fn delete_reposts(original: StatusId) -> RepairStep {
    let status = names::status(original);
    let words = format!("deleted the reposts of the deleted {status}");
    RepairStep::new(words, move |store| async move {
        let before = None;
        store
            .enqueue(&Task::DeleteReposts { original, before })
            .await
    })
}

fn check_type(exam: &mut Examination<'_>, found: &FoundKey) {
    let Some(key) = &found.key else {
        return exam.found(fault(KEYS_ARE_KNOWN, found, "is not in the schema"));
    };
    let expected = key.redis_type().as_str();
    if found.redis_type != expected {
        let what = format!("is a {}, not a {expected}", found.redis_type);
        let repair = match key.class() {
            Class::SourceOfTruth => None,
            Class::Derived | Class::Ephemeral => Some(repair::delete_key(found.name.clone())),
        };
        exam.found(fault(KEYS_ARE_KNOWN, found, &what).repair_by(repair));
    }
}

/// Checks the lifetime of a key that is no status.
fn check_lifetime(exam: &mut Examination<'_>, found: &FoundKey) {
    let Some(key) = &found.key else { return };
    if matches!(key, Key::Status(_)) {
        return;
    }
    exam.examined(LIFETIMES_MATCH, 1);
    let expires = key.class() == Class::Ephemeral;
    if expires == found.expires {
        return;
    }
    let name = found.name.clone();
    let (what, repair) = match (expires, exam.store.lifetime_s(key)) {
        (true, Some(ttl_s)) => {
            let words = format!("set the expiry of {name} to {ttl_s} s");
            let steps = move |store: Store| async move { store.let_expire(&name, ttl_s).await };
            ("does not expire", RepairStep::new(words, steps))
        }
        (true, None) => ("does not expire", repair::delete_key(name)),
        (false, _) => {
            let words = format!("removed the expiry of {name}");
            let steps = move |store: Store| async move { store.persist(&name).await };
            ("expires", RepairStep::new(words, steps))
        }
    };
    exam.found(fault(LIFETIMES_MATCH, found, what).repair_by(repair));
}

/// Checks the lifetimes of statuses: a tombstone without replies expires, everything else does not.
fn check_tombstones(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) {
    exam.examined(LIFETIMES_MATCH, statuses.len());
    for ExaminedStatus { id, stored, .. } in statuses {
        let what = match (stored.deleted, stored.expires) {
            (true, false) if !stored.has_replies() => "was deleted and does not expire",
            (true, true) if stored.has_replies() => "was deleted, has replies and expires",
            (false, true) => "expires, but was not deleted",
            _ => continue,
        };
        let (id, name) = (*id, names::status(*id));
        let fault = Fault::new(LIFETIMES_MATCH, Key::Status(id), format!("{name} {what}"));
        let words = format!("corrected the expiry of {name}");
        let fault = fault.unless(Key::Status(id));
        exam.found(fault.repair(words, move |store| async move {
            store.repair_status_ttl(id).await
        }));
    }
}
