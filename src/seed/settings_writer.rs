//! Writes the habits of a plan: tag follows, lists and author preferences.

use super::{
    jobs::{retry, run_all},
    members::SeededSite,
    outcome::{Outcome, Outcomes, Refusal},
    plan::{PlannedSetting, Setting, idempotency_key},
};
use crate::{
    actions::{
        importance,
        lists::{self, Add, Create},
        tag_follows,
    },
    domain::{ListName, ListNumber, UserId},
    store::{self, PreferenceOutcome, Store},
};

/// Writes the habits. Existing ones stay. Each member that does not fit on a list is an outcome.
pub(super) async fn write_settings(
    planned: &[PlannedSetting],
    site: &SeededSite<'_>,
) -> store::Result<Outcomes> {
    let of_members = planned
        .iter()
        .filter_map(|written| Some((site.id(written.person)?, &written.setting)));
    let job = |(who, setting)| write_setting(site, who, setting);
    let written = run_all(site.at_once, of_members, job).await?;
    Ok(written.into_iter().flatten().collect())
}

async fn write_setting(
    site: &SeededSite<'_>,
    who: UserId,
    setting: &Setting,
) -> store::Result<Vec<Outcome>> {
    let store = site.store;
    match setting {
        Setting::Tag(tag) => {
            let set = retry(|| tag_follows::follow(store, who, tag)).await?;
            Ok(vec![Outcome::of_relation(set, Refusal::TagFollow)])
        }
        Setting::List(name, members, exclusive) => {
            let members = members.iter().filter_map(|place| site.id(*place));
            write_list(store, who, name, *exclusive, members).await
        }
        Setting::AuthorPreference(of, preference) => {
            let Some(of) = site.id(*of) else {
                return Ok(Vec::new());
            };
            let set = || importance::set_author_preference(store, who, of, *preference);
            Ok(match retry(set).await? {
                PreferenceOutcome::Set => vec![Outcome::Done],
                PreferenceOutcome::NotFollowing => vec![Outcome::Obsolete],
            })
        }
    }
}

/// Returns the outcome of the list, and of each member that does not fit. Finds the list by its name,
/// because idempotency keys expire after some hours.
async fn write_list(
    store: &Store,
    owner: UserId,
    name: &ListName,
    exclusive: bool,
    members: impl Iterator<Item = UserId>,
) -> store::Result<Vec<Outcome>> {
    let existing = retry(|| store.lists(owner)).await?;
    let existing = existing.iter().find(|list| list.name == name.as_str());
    let created = match existing {
        Some(list) => Ok(list.id.number),
        None => create_list(store, owner, name).await?,
    };
    let number = match created {
        Ok(number) => number,
        Err(outcome) => return Ok(vec![outcome]),
    };
    let mut outcomes = vec![Outcome::Done];
    if exclusive {
        retry(|| lists::edit(store, owner, number, name, true)).await?;
    }
    for member in members {
        let add = || lists::add(store, owner, number, member);
        if let Add::Full { .. } = retry(add).await? {
            outcomes.push(Outcome::Refused(Refusal::ListMember));
        }
    }
    Ok(outcomes)
}

/// Returns the number of the new list, or the outcome without one.
async fn create_list(
    store: &Store,
    owner: UserId,
    name: &ListName,
) -> store::Result<Result<ListNumber, Outcome>> {
    let idempotency_key = idempotency_key(&["list", &owner.to_string(), name.as_str()]);
    let created = retry(|| lists::create(store, owner, name, &idempotency_key)).await?;
    Ok(match created {
        Create::Created(list) => Ok(list.number),
        Create::KeyReused => Err(Outcome::Obsolete),
        Create::TooMany { .. } => Err(Outcome::Refused(Refusal::List)),
    })
}
