//! Every key: it is in the schema, has the right type and lifetime, and belongs to an existing owner.
//! Every login: it names a person who names the login.

use super::{
    Invariant,
    fault::{Concern, Fault, Findings, Ids, Remedy, Subject},
};
use crate::{
    domain::{ListId, Login, StatusId, UserId},
    store::{Class, Fate, FoundKey, Key, KeyOwner, Result, Standing, Store},
};

/// Checks keys, all in one round trip.
pub(super) async fn check(store: &Store, keys: &[FoundKey]) -> Result<Findings> {
    let mut findings = Findings::default();
    let parts = keys.iter().filter_map(|found| match found.key.as_ref()? {
        Key::User(_) => None,
        key => match key.owner() {
            KeyOwner::User(owner) => Some((found, owner, key.class())),
            _ => None,
        },
    });
    let parts: Vec<(&FoundKey, UserId, Class)> = parts.collect();
    let owners: Vec<UserId> = parts.iter().map(|(_, owner, _)| *owner).collect();
    for ((key, owner, class), standing) in parts.into_iter().zip(store.standings(&owners).await?) {
        check_owner(key, owner, class, standing, &mut findings);
    }
    check_parts_of_lists(store, keys, &mut findings).await?;
    check_parts_of_statuses(store, keys, &mut findings).await?;
    findings.examined(Invariant::KeysAreOwned, keys.len());
    for key in keys {
        check_type(key, &mut findings);
        check_lifetime(store, key, &mut findings);
    }
    Ok(findings)
}

fn fault(invariant: Invariant, key: &FoundKey, what: &str) -> Fault {
    let subject = Subject::Key(key.name.clone());
    Fault::new(invariant, subject, format!("{} {what}", key.name))
}

/// Removes a key of a missing owner. If another source of truth of that person is left, the key may help
/// to restore them, and only the source of truth is reported.
fn check_owner(
    key: &FoundKey,
    owner: UserId,
    class: Class,
    standing: Standing,
    findings: &mut Findings,
) {
    let (what, remedy) = match standing {
        Standing::Person => return,
        Standing::Nobody => ("belongs to nobody", Remedy::Unlink(key.name.clone())),
        Standing::Damaged if class == Class::SourceOfTruth => {
            ("belongs to somebody who is not there", Remedy::None)
        }
        Standing::Damaged => return,
    };
    let fault = fault(Invariant::KeysAreOwned, key, what);
    findings.found(fault.unless([Concern::Account(owner)]).repair_by(remedy));
}

/// Removes keys of a missing list; the members of a deleted list are reconciled first. If no trace of
/// the list exists, its members may be all that is left of it and stay.
async fn check_parts_of_lists(
    store: &Store,
    keys: &[FoundKey],
    findings: &mut Findings,
) -> Result<()> {
    let parts = keys.iter().filter_map(|found| {
        let key = found.key.as_ref()?;
        match key.owner() {
            KeyOwner::List(list) => Some((found, list, key.class())),
            _ => None,
        }
    });
    let parts: Vec<(&FoundKey, ListId, Class)> = parts.collect();
    let lists: Vec<ListId> = parts.iter().map(|(_, list, _)| *list).collect();
    let owners: Vec<UserId> = lists.iter().map(|list| list.owner).collect();
    let standings = store.standings(&owners).await?;
    let fates = store.fates(&lists).await?;
    for (((key, list, class), standing), fate) in parts.into_iter().zip(standings).zip(fates) {
        if fate == Fate::There || standing == Standing::Damaged {
            continue;
        }
        let remedy = match class {
            Class::SourceOfTruth if fate == Fate::Deleted => Remedy::ClearList(list),
            Class::SourceOfTruth => Remedy::None,
            Class::Derived | Class::Ephemeral => Remedy::Unlink(key.name.clone()),
        };
        let fault = fault(Invariant::KeysAreOwned, key, "belongs to no list");
        findings.found(fault.unless([Concern::List(list)]).repair_by(remedy));
    }
    Ok(())
}

/// Checks keys of missing statuses: favourites, votes and versions go with a status, its reposts after
/// it.
async fn check_parts_of_statuses(
    store: &Store,
    keys: &[FoundKey],
    findings: &mut Findings,
) -> Result<()> {
    let parts = keys.iter().filter_map(|found| match found.key {
        Some(
            Key::FavouritedBy(id)
            | Key::Ballots(id)
            | Key::Versions(id)
            | Key::RepostedBy(id)
            | Key::Quotes(id),
        ) => Some((found, id)),
        _ => None,
    });
    let (parts, ids): (Vec<&FoundKey>, Vec<StatusId>) = parts.unzip();
    for ((key, id), life) in parts.iter().zip(&ids).zip(store.lives(&ids).await?) {
        if !life.is_living() {
            let fault = fault(Invariant::KeysAreOwned, key, "belongs to no living status");
            let (fault, remedy) = match key.key {
                Some(Key::RepostedBy(_) | Key::Quotes(_)) => {
                    (fault.unless([Concern::Status(*id)]), Remedy::TakeAlong(*id))
                }
                _ => (fault, Remedy::Unlink(key.name.clone())),
            };
            findings.found(fault.repair_by(remedy));
        }
    }
    Ok(())
}

fn check_type(found: &FoundKey, findings: &mut Findings) {
    let Some(key) = &found.key else {
        let fault = fault(Invariant::KeysAreOwned, found, "is not one of ours");
        return findings.found(fault);
    };
    let should = key.redis_type().as_str();
    if found.redis_type != should {
        let remedy = match key.class() {
            Class::SourceOfTruth => Remedy::None,
            Class::Derived | Class::Ephemeral => Remedy::Unlink(found.name.clone()),
        };
        let what = format!("is a {}, not a {should}", found.redis_type);
        findings.found(fault(Invariant::KeysAreOwned, found, &what).repair_by(remedy));
    }
}

/// Checks the lifetime of a key. Statuses are checked elsewhere: a tombstone expires, a living status
/// does not.
fn check_lifetime(store: &Store, found: &FoundKey, findings: &mut Findings) {
    let Some(key) = &found.key else { return };
    if matches!(key, Key::Status(_)) {
        return;
    }
    findings.examined(Invariant::LifetimesHold, 1);
    let ends = key.class() == Class::Ephemeral;
    if ends && !found.expires {
        let remedy = match store.lifetime_s(key) {
            Some(ttl_s) => Remedy::Expire(found.name.clone(), ttl_s),
            None => Remedy::Unlink(found.name.clone()),
        };
        findings.found(fault(Invariant::LifetimesHold, found, "stays for ever").repair_by(remedy));
    } else if !ends && found.expires {
        let remedy = Remedy::Persist(found.name.clone());
        findings.found(fault(Invariant::LifetimesHold, found, "expires").repair_by(remedy));
    }
}

/// Checks logins, all in three round trips.
pub(super) async fn check_logins(store: &Store, folded: &[String]) -> Result<Findings> {
    let mut findings = Findings::default();
    let logins: Vec<Login> = folded
        .iter()
        .filter_map(|name| Login::stored(name))
        .collect();
    let held = store.holders(&logins).await?;
    let named: Vec<Option<UserId>> = held
        .iter()
        .map(|held| held.as_ref().and_then(|held| held.parse().ok()))
        .collect();
    let known: Vec<UserId> = named.iter().copied().flatten().collect();
    let standings = store.standings(&known).await?;
    let theirs = store.logins_of(&known).await?;
    let mut found = standings.into_iter().zip(theirs);
    for ((login, held), holder) in logins.into_iter().zip(held).zip(named) {
        let Some(held) = held else { continue };
        findings.examined(Invariant::LoginsNameBack, 1);
        let holder = holder.and_then(|id| found.next().map(|(how, theirs)| (id, how, theirs)));
        let fault = |what: String| {
            let folded = login.folded();
            let subject = Subject::Login(folded.clone());
            Fault::new(
                Invariant::LoginsNameBack,
                subject,
                format!("login {login} {what}"),
            )
            .unless([Concern::Login(folded)])
        };
        let release = Remedy::ReleaseLogin(login.clone(), held);
        match holder {
            None => findings.found(fault("names no id".into()).repair_by(release)),
            Some((id, Standing::Nobody, _)) => {
                let fault = fault(format!("names {id}, who is not there"));
                findings.found(fault.unless([Concern::Account(id)]).repair_by(release));
            }
            Some((id, Standing::Damaged, _)) => {
                findings.found(fault(format!("names {id}, who is damaged")));
            }
            Some((id, Standing::Person, theirs)) => {
                let theirs = theirs.unwrap_or_default();
                if theirs.to_ascii_lowercase() != login.folded() {
                    let fault = fault(format!("names {id}, who is {theirs}"));
                    findings.found(fault.unless([Concern::Account(id)]).repair_by(release));
                }
            }
        }
    }
    Ok(findings)
}

/// Maximum distance of a drawn id from all other ids and from the counter.
const GAP: u64 = 10_000;

/// Checks that the counter of user ids has reached the largest id met. A failover may turn it back, and
/// used ids would be drawn. The counter ignores an id far above all others: it was never drawn, and the
/// counter could not be turned back.
pub(super) async fn check_counter(store: &Store, ids: Ids) -> Result<Findings> {
    let mut findings = Findings::default();
    findings.examined(Invariant::TruthIsWhole, 1);
    let last = store.last_user().await?;
    let Ok(largest) = UserId::new(ids.largest) else {
        return Ok(findings);
    };
    if last < largest.get() {
        let fault = Fault::new(
            Invariant::TruthIsWhole,
            Subject::Counter(ids),
            "the counter of user ids is behind",
        );
        let fault = fault.detail(format!("at {last}, and there is {largest}"));
        let remedy = if largest.get() - last.max(ids.second) > GAP {
            Remedy::None
        } else {
            Remedy::RaiseCounter(largest)
        };
        findings.found(fault.repair_by(remedy));
    }
    Ok(findings)
}
